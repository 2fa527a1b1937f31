/** Reads [[bundle, receipt or null], ...] and writes what verifyDeal says of each. */
import { readFileSync } from "node:fs";
import { verifyDeal } from "../../web/src/deal.js";

const papers = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(papers.map(([bundle, receipt]) => verifyDeal(bundle, receipt ?? undefined))));
