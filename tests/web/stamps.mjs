/** Says what `web/src/lib/stamps.ts` and `finish.ts` make of the frames, paws and verdicts on stdin, as JSON. */
import { readFileSync } from "node:fs";
import { behind, finish } from "../../web/src/lib/finish.ts";
import { Sight, stepOf } from "../../web/src/lib/stamps.ts";

const { sights, clocks, verdicts } = JSON.parse(readFileSync(0, "utf8"));
const seen = sights.map(({ e, hidden, frames, hides, at, step }) => {
  const sight = new Sight(e, hidden);
  const painted = frames.filter((frame) => sight.frame(frame));
  if (hides) sight.hide();
  return { painted, slap: sight.stamp({ at, input: "touch" }, step) };
});
const steps = clocks.map(({ tick, cost }) => {
  let looks = 0;
  return stepOf(() => Math.floor((looks++ * cost) / tick + 1e-9) * tick);
});
const told = verdicts.map(({ verdict, seat }) => ({ ...finish(verdict), behind: behind(verdict, seat) }));
console.log(JSON.stringify({ seen, steps, told }));
