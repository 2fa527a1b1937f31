import type { Event, View } from "../../made/messages.ts";
import type { Maus, MausEvent } from "../../made/records.ts";
import type { Beat } from "../../lib/room.svelte.ts";
import type { Cue } from "../../lib/sound.ts";
import { sounds, squeaks } from "./cues.ts";

export const CAT = 4;
/** Moments in which the cat has it, or the mouse is free: until the next card is turned. */
export const CAUGHT = ["catch", "haul", "chip", "caught"];
export const ESCAPED = ["escape", "home", "escaped"];
export const FINISHED = ["out", "left", "over"];

/** One card is turned, slowly enough for a child to follow; then what comes of it. */
export function beats(told: View & { view: Maus }, before: Maus | null): Beat<Maus>[] {
  const { view: after, events } = told;
  const of = (...kinds: MausEvent[]) => events.filter((event) => kinds.includes(event.kind as MausEvent));
  const at = resting(events);
  const [card, ...more] = of("turned");
  if (!before || !card || more.length) return [{ name: at, ms: 0, view: after, events }];

  const list: Beat<Maus>[] = [];
  const add = (name: string, ms: number, view: Maus, told: Event[], sound: Cue) => list.push({ name, ms, view, events: told, sound });
  const laid = lay(before, card);
  const ended = { ...laid, turn: after.turn }; // whoever wins stands in the light
  const gathered = { ...after, chips: before.chips, chips_left: before.chips_left };

  add("flip", 700, laid, [card], card.card === CAT && !before.tries ? sounds.mew : sounds.flap);
  if (of("caught").length) {
    add("catch", 1100, ended, of("caught"), sounds.meow);
    add("haul", 900, gathered, of("taken"), sounds.riffle);
    add("chip", 900, after, of("chip"), sounds.clink);
  }
  if (of("escaped").length) {
    add("escape", 1500, ended, of("escaped"), sounds.flute);
    add("home", 900, after, of("taken"), sounds.riffle);
  }
  if (of("another").length) add("another", 520, { ...laid, tries: 0 }, of("another"), sounds.up);
  if (of("hunt").length) add("hunt", 900, after, of("hunt"), squeaks(after.tries));
  if (of("missed").length) add("miss", 320, after, of("missed"), sounds.plop);
  if (of("last_card").length) add("last", 900, after, of("last_card"), sounds.breath);
  const over = of("last_chip", "out", "stopped");
  if (over.length) add("out", 1800, after, over, sounds.end);
  if (of("left").length) add("left", 1200, after, of("left"), sounds.plop);
  list.push({ name: at, ms: 0, view: after, events: of("next", "hunt", "missed", "anew", "won") });
  return list;
}

/** What is seen until something new happens. */
function resting(events: Event[]): string {
  const last = events.at(-1)?.kind;
  if (last === "won") return "over";
  if (last !== "anew") return "turn";
  return events.findLast((event) => event.kind === "caught" || event.kind === "escaped")?.kind ?? "turn";
}

/** The card lies on the pile, and nothing has come of it yet. */
function lay(before: Maus, { seat, card }: Event): Maus {
  return {
    ...before,
    pile: before.pile.with(before.height, card),
    height: before.height + 1,
    turned: before.turned + 1,
    scores: before.scores.with(seat, before.scores[seat]! - 1),
  };
}
