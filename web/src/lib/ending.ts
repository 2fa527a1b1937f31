/** How a game ended, in words: who won, and why just they. */
import type { Event, Result, TableInfo } from "../made/messages.ts";
import { list, own, sentence, t, type Made } from "./words.svelte.ts";

export interface Ending {
  winners: number[];
  title: string;
  line: string;
  question: string;
  why: string[];
  clause: string; // the rule that decided
  cancelled: Map<number, number[]>; // seats whose points do not count, each with those it shares them with
}

/** What may still happen when a game ends, besides the winner. */
const LAST = new Set(["lost", "left", "mice", "last_chip", "out", "stopped", "stalled"]);

/** `events` are those of the last act; `you` is -1 for whoever only watches, or shares the device with others. */
export function ending(made: Made, { scores, places }: Result, events: readonly Event[], names: readonly string[], you: number): Ending {
  const words = t().after;
  const count = (n: number) => (made.game === "maus" ? words.cards(n) : t().table.points(n));
  const winners = seatsWith(places, 1);
  const first = winners[0]!;
  const best = scores[first]!;
  const called = (seats: readonly number[]) => list(seats.map((seat) => names[seat]!));
  const alone = winners.length === 1;

  const above = [...new Set(scores.filter((score) => score > best))].sort((a, b) => b - a);
  const cancelled = new Map(above.flatMap((score) => seatsWith(scores, score).map((seat, _, all): [number, number[]] => [seat, all.filter((other) => other !== seat)])));
  const even = seatsWith(scores, best);
  const won = events.find((event) => event.kind === "won");

  const why = events.filter((event) => LAST.has(event.kind)).map((event) => sentence(made, event, names, you));
  if (above.length) {
    why.push(...above.map((score) => words.even(called(seatsWith(scores, score)), count(score))), words.cancels, words.alone(names[first]!, count(best)));
  } else if (even.length > 1) {
    why.push(words.even(called(even), count(best)));
    if (!alone && won?.clause === "GEIER-31") why.push(words.noneAlone);
  } else why.push(words.most(first === you ? t().common.you : names[first]!));

  const mine = you >= 0 && places[you] !== 1 ? words.yourPlace(places[you]!) : "";
  return {
    winners,
    title: !alone ? (winners.length === places.length ? words.allWin : words.winTogether(called(winners))) : first === you ? words.youWin : words.wins(names[first]!.replace(/ (?=\d+$)/, "\u00a0")),
    line: [made.game === "maus" ? words.withCards(best) : words.withPoints(best), mine].join(" ").trim(),
    question: !alone ? words.whyTogether : first === you ? words.whyYou : words.whyThey(names[first]!),
    why: won && own(made).rules[won.clause] ? [...why, own(made).rules[won.clause]!] : why,
    clause: won?.clause ?? "",
    cancelled,
  };
}

/** When a game is over nobody has to be there any more: who has gone home still sat there. */
export const afterwards = (info: TableInfo): TableInfo => ({ ...info, seats: info.seats.map((seat) => ({ ...seat, here: true })) });

const seatsWith = (list: readonly number[], value: number) => list.flatMap((each, seat) => (each === value ? [seat] : []));
