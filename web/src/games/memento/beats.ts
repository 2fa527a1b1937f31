import type { Event, View } from "../../made/messages.ts";
import type { Memento } from "../../made/records.ts";
import type { Beat } from "../../lib/room.svelte.ts";
import { prefs } from "../../lib/prefs.svelte.ts";
import { cues, type Cue } from "../../lib/sound.ts";
import { COLOURS, EMPTY, FACE_DOWN, HIDDEN, STRICT, inPlay } from "./cards.ts";

export const TAKE_MS = 3060; // 400 to the middle, 2500 at rest, 160 to turn its back
const MANY = 6; // who has missed more acts than this sees where it ended

const breath: Cue = [{ wave: "sine", hz: 220, to: 440, ms: 360, gain: 0.08 }];
const pat: Cue = [{ wave: "noise", hz: 380, ms: 90, gain: 0.3 }];
const awake: Cue = [{ wave: "sine", hz: 988, ms: 160, gain: 0.12 }];
const night: Cue = [{ wave: "sine", hz: 196, to: 98, ms: 700, gain: 0.16 }];
const riffle: Cue = Array.from({ length: 10 }, (_, i) => ({ wave: "noise", hz: 2400, at: i * 45, ms: 40, gain: 0.1 }) as const);
/** One tone lower for each eye that is shut. */
const lid = (passes: number): Cue => [{ wave: "triangle", hz: 520 * 0.87 ** passes, ms: 180, gain: 0.18 }];

/** Which card it was that was taken is not told any more once it lies face down. */
export const masked = (event: Event): Event => (event.kind === "took" || event.kind === "drew" ? { ...event, card: HIDDEN } : event);
/** Nor may the log betray it by what had lain on top. */
export const logged = (event: Event): Event | null => (event.kind === "turned" ? null : masked(event));

/** Asked once more, a moment is shown as the log has it: a card is seen once. */
const shown = new WeakSet<View>();
const once = (told: View & { view: Memento }) => told.view.openly[Math.max(told.you, 0)]?.[0] === HIDDEN && shown.has(told);

const set = (list: readonly number[], at: number, value: number) => list.map((old, i) => (i === at ? value : old));

/** A card is taken, rests, turns its back; a pass; or the dark, and then the scoring as the rule booklet does it. */
export function beats(told: View & { view: Memento }, before: Memento | null): Beat<Memento>[] {
  const { view: after, over } = told;
  const events = once(told) ? told.events.map(masked) : told.events;
  const end: Beat<Memento> = { name: over ? "over" : "play", ms: 0, view: after, events: events.map(masked) };
  if (!before || told.n - told.since > MANY) return [end];
  shown.add(told);
  const list: Beat<Memento>[] = [];
  let now = before;
  for (const event of events) {
    const next = { ...now, turn: (event.seat + 1) % now.seats };
    switch (event.kind) {
      case "took":
      case "drew": {
        const mine = event.seat === told.you && event.card >= 0;
        const pile = event.kind === "took" ? event.value - 1 : FACE_DOWN;
        const gone = { ...now, top: set(now.top, pile, EMPTY), lying: set(now.lying, pile, now.lying[pile]! - 1) };
        if (mine) list.push({ name: "take", ms: TAKE_MS, view: gone, events: [event], sound: breath, still: true });
        else list.push({ name: "took", ms: 640, view: gone, events: [event], sound: cues.turn });
        const woken = now.passes > 0;
        now = { ...gone, passes: 0, turn: next.turn, cards: set(now.cards, event.seat, now.cards[event.seat]! + 1) };
        if (mine) list.push({ name: "land", ms: 420, view: now, events: [masked(event)], sound: woken ? awake : pat });
        break;
      }
      case "turned":
        now = { ...now, top: set(now.top, event.value - 1, event.card) };
        break;
      case "passed":
        now = { ...next, passes: event.value };
        list.push({ name: "pass", ms: 420, view: now, events: [event], sound: lid(event.value) });
        break;
      case "all_passed":
      case "all_taken":
        list.push({ name: "dark", ms: 1100, view: now, events: [event], sound: night });
        list.push(...scoring(told, now));
        break;
      case "laid_yellow": // the first of them
        list.push({ name: "lay", ms: 1500, view: { ...after, top: after.top.map(() => EMPTY) }, events: events.filter(({ kind }) => kind.startsWith("laid")), sound: riffle });
        break;
    }
  }
  const scored = events.some(({ kind }) => kind === "total");
  return [...list, scored ? { ...end, events: events.filter(({ kind }) => kind === "begins" || kind === "won") } : end];
}

/** By colours, then the same cards by shapes; row by row, and the sum. */
function scoring({ view: after, events, you, over }: View & { view: Memento }, before: Memento): Beat<Memento>[] {
  const { revealed, counted, held, marks, points } = after;
  let now = { ...before, revealed, counted, held, marks, points };
  const list: Beat<Memento>[] = [];
  const guessing = you >= 0 && before.memory === STRICT && before.cards[you]! > 0;
  if (guessing) list.push({ name: "guess", ms: 20_000, view: before, events: [] });
  list.push({ name: "sort-colours", ms: 1400, view: now, events: events.filter(({ kind }) => kind === "shown"), sound: riffle });
  for (const category of inPlay(counted)) {
    if (category === COLOURS) list.push({ name: "sort-shapes", ms: 1700, view: now, events: [], sound: riffle });
    now = { ...now, scores: now.scores.map((score, seat) => score + (marks[seat]?.[category] ?? 0)) };
    const told = events.filter(({ kind, card }) => kind === "scored" && card === category);
    const best = Math.max(...told.map(({ value }) => value));
    list.push({ name: `score-${category}`, ms: 1900, view: now, events: told, sound: best > 0 ? cues.gain : best < 0 ? cues.loss : cues.tick });
  }
  const read = prefs.factor ? 12_000 : 30_000; // where nothing moves all rows are read now
  list.push({ name: "totals", ms: read, view: now, events: events.filter(({ kind }) => kind === "total"), sound: cues.end, still: !over });
  return list;
}
