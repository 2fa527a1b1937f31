/** A verdict as it is shown: who was how quick, how far apart, and how sure that is. */
import type { Verdict } from "../made/messages.ts";

const SHORTEST_MS = 60; // of the line the paws stand on: what is close looks close
const EDGE = 4; // in hundredths of it

export interface Place {
  seat: number;
  ms: number;
  after: number; // the quickest
  doubt: number;
  first: boolean; // it counts: alone, or in a dead heat
  unsure: boolean; // behind, but by less than we know
  x: number; // on the line, in hundredths
  wide: number; // the doubt to both sides
}

export interface Finish {
  places: Place[]; // the quickest first
  band: { x: number; wide: number }; // within it all are equally quick
}

export function finish({ paws, first, heat }: Verdict): Finish {
  const best = paws[0];
  if (!best) return { places: [], band: { x: 0, wide: 0 } };
  const from = Math.min(...paws.map((paw) => paw.score - paw.doubt));
  const to = Math.max(best.score + heat, ...paws.map((paw) => paw.score + paw.doubt));
  const scale = (100 - 2 * EDGE) / Math.max(SHORTEST_MS, to - from);
  const at = (ms: number) => EDGE + (ms - from) * scale;
  const places = paws.map(({ seat, score, doubt }) => {
    const after = score - best.score;
    const counts = first.includes(seat);
    return { seat, ms: score, after, doubt, first: counts, unsure: !counts && after <= doubt + best.doubt, x: at(score), wide: 2 * doubt * scale };
  });
  return { places, band: { x: at(best.score), wide: heat * scale } };
}

/** How much later a seat was than whoever counted; nothing, if it was not heard in time to be measured. */
export function behind(verdict: Verdict | undefined, seat: number): { first: number; ms: number | null } | null {
  const first = verdict?.first[0];
  if (first === undefined || first === seat) return null;
  const score = (who: number) => verdict!.paws.find((paw) => paw.seat === who)?.score;
  const [mine, theirs] = [score(seat), score(first)];
  return { first, ms: mine === undefined || theirs === undefined ? null : Math.max(0, mine - theirs) };
}
