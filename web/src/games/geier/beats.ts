import type { Event, View } from "../../made/messages.ts";
import type { Geier } from "../../made/records.ts";
import type { Beat } from "../../lib/room.svelte.ts";
import { cues } from "../../lib/sound.ts";
import { pot as chord, sounds } from "./sounds.ts";

/** How far the showdown of a round has come. */
export interface Showdown {
  order: number[]; // the seats, as their cards lie in the row
  out: number[]; // whose cards have cancelled each other
  light: number; // where in the row the light is; -1: nowhere yet
  taker: number; // whose card stands alone, once it is found
  end: "" | "taken" | "stays" | "lost"; // what has become of the pot
}
/** What is on show: the record, and during a showdown how far it has come. */
export type Seen = Geier & { showdown?: Showdown };

export const bits = (set: number): number[] => Array.from({ length: 15 }, (_, i) => i).filter((i) => (set >> i) & 1);

/** Hush, reveal, sort, cancel, light, award, rest; then the next prize. */
export function beats(told: View & { view: Seen }, before: Seen | null): Beat<Seen>[] {
  const { view: after, events } = told;
  const all = (...kinds: string[]) => events.filter((event) => kinds.includes(event.kind));
  const shown = all("shown");
  const last: Beat<Seen> = { name: told.over ? "won" : "choose", ms: 0, view: after, events: all("turned", "pot", "won") };
  if (told.over) last.sound = cues.end;
  else if (all("turned").length) last.sound = after.pot < 0 ? sounds.croak : sounds.squeak;
  if (!before || !shown.length || shown.length > after.seats) {
    // nobody saw it begin, or more than one round went by meanwhile
    if (!events.length || shown.length) return [last];
    return [{ ...last, events, sound: last.sound ?? (events.at(-1)!.seat === told.you ? cues.lay : cues.knock) }];
  }

  const high = before.pot >= 0;
  const bid = [...before.bid];
  for (const event of shown) bid[event.seat] = event.card;
  const row = shown.map((event) => event.seat).sort((a, b) => (high ? bid[b]! - bid[a]! : bid[a]! - bid[b]!) || a - b);
  const outcome = all("taken", "stays", "lost");
  const { seat, kind, value } = outcome[0]!;
  const taker = kind === "taken" ? seat : -1;

  const list: Beat<Seen>[] = [];
  let now: Showdown = { order: shown.map((event) => event.seat), out: [], light: -1, taker: -1, end: "" };
  const view = (): Seen => ({ ...before, bid, showdown: now });
  const then = (name: string, ms: number, change: Partial<Showdown>, more: Partial<Beat<Seen>> = {}) => {
    now = { ...now, ...change };
    list.push({ name, ms, view: view(), events: [], ...more });
  };

  then("hush", 750, {}, { view: { ...before, showdown: now }, sound: cues.drum });
  then("reveal", 480, {}, { events: shown, sound: sounds.flap });
  then("sort", 320, { order: row }, { sound: sounds.shuffle });
  for (const group of groups(all("cancelled"), row)) {
    then("cancel", 600, { out: [...now.out, ...group.map((event) => event.seat)] }, { events: group, sound: cues.bump });
  }
  const stop = taker < 0 ? row.length : row.indexOf(taker);
  for (let light = 0; light < stop; light++) then("light", 160, { light }, { sound: cues.tick });
  if (taker < 0) then("light", 300, { light: row.length });
  else then("alone", 520, { light: stop, taker }, { sound: value < 0 ? sounds.down : sounds.up });

  const scores = { scores: after.scores };
  const ends = { taken: value < 0 ? sounds.wings : sounds.crunch, stays: chord(bits(before.lying).length), lost: sounds.wings }[kind as "taken" | "stays" | "lost"];
  then(kind, kind === "lost" ? 900 : 600, { end: kind as Showdown["end"] }, { events: outcome, sound: ends });
  then("rest", 1200, {}, { events: outcome, still: true });
  for (const beat of list.slice(-2)) beat.view = { ...beat.view, ...scores };
  return [...list, last];
}

/** Those who bid the same, from the deciding end of the row on. */
function groups(cancelled: Event[], row: number[]): Event[][] {
  const sorted = cancelled.toSorted((a, b) => row.indexOf(a.seat) - row.indexOf(b.seat));
  const cards = [...new Set(sorted.map((event) => event.card))];
  return cards.map((card) => sorted.filter((event) => event.card === card));
}
