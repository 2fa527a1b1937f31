/** Says what `web/src/lib/sentences.ts` makes of the events and actions on stdin, one line each. */
import { readFileSync } from "node:fs";
import { actionIn, sentenceIn } from "../../web/src/lib/sentences.ts";

const { made, asked } = JSON.parse(readFileSync(0, "utf8"));
for (const { language, event, action, names, you } of asked)
  console.log(event ? sentenceIn(made[language], event, names, you) : actionIn(made[language], action));
