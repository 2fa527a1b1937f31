import type { Event, View } from "../../made/messages.ts";
import type { Flippt } from "../../made/records.ts";
import type { Beat } from "../../lib/room.svelte.ts";
import { cues, type Cue } from "../../lib/sound.ts";
import { CHOOSE, EMPTY, OVER } from "./cards.ts";

/** How a reaction ends, the strongest first: what is told last is what the ribbon says. */
const ENDINGS = ["stuck", "caught", "blind", "dirty", "covered", "late", "stalled", "walked"] as const;
export type Ending = (typeof ENDINGS)[number];
const OPENS = new Set(["slapped", "shouted", "walked"]);
const BELONGS = new Set(["dirty", "covered", "stuck", "caught", "blind", "under", "late", "swapped", "stalled"]);

/** Short: while they are shown, the next mouse is already open. Where nobody races there is time to read. */
export const MS: Record<Ending, number> = { stuck: 900, caught: 700, blind: 700, dirty: 800, covered: 800, late: 500, stalled: 900, walked: 800 };
const CHEESE_MS = 450;
const FILM_MS = 1600;
const CALM = 2.5;

export const sounds = {
  slap: [{ wave: "noise", hz: 900, ms: 60, gain: 0.4 }],
  whirr: [{ wave: "sawtooth", hz: 160, to: 640, ms: 150, gain: 0.08 }],
  pop: [
    { wave: "sine", hz: 420, to: 980, ms: 90, gain: 0.3 },
    { wave: "triangle", hz: 784, at: 90, ms: 180, gain: 0.2 },
  ],
  drip: [
    { wave: "sine", hz: 900, to: 380, ms: 90, gain: 0.25 },
    { wave: "sine", hz: 760, to: 300, at: 150, ms: 110, gain: 0.2 },
  ],
  bell: [
    { wave: "sine", hz: 196, ms: 700, gain: 0.3 },
    { wave: "sine", hz: 294, ms: 500, gain: 0.12 },
  ],
  steps: [0, 140, 280, 420].map((at) => ({ wave: "noise", hz: 500, at, ms: 40, gain: 0.12 }) as const),
  slide: [{ wave: "noise", hz: 1800, ms: 120, gain: 0.12 }],
} satisfies Record<string, Cue>;
const SOUND: Record<Ending, Cue> = {
  stuck: sounds.bell, caught: sounds.pop, blind: sounds.pop, dirty: sounds.drip, covered: sounds.drip, late: sounds.slide, stalled: sounds.steps, walked: sounds.steps,
};

/** What became of a mouse: the paws that were equally quick, each reaction by itself, and the mouse it was about. */
export interface Verdict {
  mouse: number;
  reached: Event[];
  each: Event[][]; // the ending last
}

export const ending = (events: readonly Event[]): Ending | undefined => ENDINGS.find((kind) => events.some((event) => event.kind === kind));

/** Of the mouse closed last, and the events after it: the next cheese, the next mouse, who has won. */
export function judge(events: readonly Event[], shown: number): { verdict: Verdict; rest: Event[] } {
  const turns = events.flatMap((event, i) => (event.kind === "turned" ? [i] : []));
  const closes = events.findLastIndex((event) => OPENS.has(event.kind) || event.kind === "late");
  const opened = turns.findLast((i) => i < closes);
  const mouse = opened === undefined ? shown : events[opened]!.card;
  const verdict: Verdict = { mouse, reached: [], each: [] };
  const rest: Event[] = [];
  for (const event of events.slice(opened === undefined ? 0 : opened + 1)) {
    const now = verdict.each.at(-1);
    if (event.kind === "reached") verdict.reached.push(event);
    else if (OPENS.has(event.kind) || (!now && event.kind === "late")) verdict.each.push([event]);
    else if (now && BELONGS.has(event.kind)) now.push(event);
    else if (event.kind !== "acted") rest.push(event);
  }
  verdict.each = verdict.each.map(headed);
  return { verdict, rest };
}

function headed(events: Event[]): Event[] {
  const kind = ending(events);
  const head = events.findLast((event) => event.kind === kind);
  return head ? [...events.filter((event) => event !== head), head] : events;
}

/** The film of a dead heat, each reaction, the new cheese; then the next mouse, in one frame. */
export function beats(told: View & { view: Flippt }, before: Flippt | null): Beat<Flippt>[] {
  const { view: after, events } = told;
  const calm = after.phase === CHOOSE || before?.phase === CHOOSE;
  const name = after.phase === OVER ? "over" : calm ? "choose" : "race";
  const { verdict, rest } = judge(events, before?.shown ?? EMPTY);
  if (!before || !verdict.each.length || verdict.mouse < 0) return [{ name, ms: 0, view: after, events, ...(calm && { sound: cues.knock }) }];
  const pace = calm ? CALM : 1;
  const list: Beat<Flippt>[] = [];
  let view: Flippt = { ...before, shown: verdict.mouse };
  if (verdict.reached.length) list.push({ name: "film", ms: FILM_MS * (calm ? 1.4 : 1), view, events: verdict.reached, sound: cues.drum });
  for (const group of verdict.each) {
    const kind = ending(group) ?? "walked";
    list.push({ name: kind, ms: MS[kind] * pace, view, events: group, sound: SOUND[kind] });
    view = { ...view, ...(kind === "caught" && { shown: EMPTY }), ...(kind === "stuck" && { cheese: EMPTY, shown: EMPTY }) };
  }
  if (rest.some((event) => event.kind === "cheese"))
    list.push({ name: "cheese", ms: CHEESE_MS * pace, view: { ...after, shown: EMPTY }, events: rest.filter((event) => event.kind === "cheese"), sound: cues.turn });
  list.push({ name, ms: 0, view: after, events: rest.filter((event) => event.kind !== "cheese") });
  return list;
}
