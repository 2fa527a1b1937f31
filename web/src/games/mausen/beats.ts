import type { Event, View } from "../../made/messages.ts";
import type { Beat } from "../../lib/room.svelte.ts";
import { cues as common } from "../../lib/sound.ts";
import { cues } from "./cues.ts";
import { ANIMALS, HUNTERS, huntIn, kindOf, PREY, REFILL, REVEAL, TIES, type Hunt, type Scene } from "./scene.ts";

type Told = View & { view: Scene };

/** Reveal, ties, hunters and prey, each for all animals; then those that nobody hunted settle down. */
export function beats(told: Told, before: Scene | null): Beat<Scene>[] {
  const { view: after, events, over } = told;
  const of = (...kinds: string[]) => events.filter(({ kind }) => kinds.includes(kind));
  const now: Scene | null = before && { ...before, hunt: undefined };
  const last: Beat<Scene> = over
    ? { name: "over", ms: 0, view: after, events: of("scored", "won"), sound: common.end }
    : { name: "choose", ms: 0, view: after, events: [] };
  const hunts = of("shown").length === after.seats; // more than one hunt: we were away, and see only where it led
  const sows = of("placed").length === after.seats;
  if (!now || (!hunts && !sows)) return [{ ...last, events, sound: of("laid").length ? common.knock : common.turn }];
  return [...(hunts ? hunt(told, now) : []), ...(sows ? sow(told, hunts ? bare(now) : now) : []), ...end(of("left"), of("mice"), after), last];
}

function hunt({ view: after, events, you }: Told, before: Scene): Beat<Scene>[] {
  const of = (...kinds: string[]) => events.filter(({ kind }) => kinds.includes(kind));
  const whole = huntIn(events)!;
  const at = (step: number, more: Partial<Hunt> = {}): Scene => ({ ...before, hunt: { ...whole, step, out: [], hunts: [], broken: [], ...more } });
  const list: Beat<Scene>[] = [{ name: "reveal", ms: 900, view: at(REVEAL), events: mineLast(of("shown"), you), sound: cues.feet }];

  let out: number[] = [];
  for (const kind of ANIMALS.keys()) {
    const tie = of("tied").filter(({ card }) => kindOf(card) === kind);
    if (!tie.length) continue;
    out = [...out, ...tie.map(({ seat }) => seat)];
    const unhunted = of("unhunted").filter(({ card }) => kindOf(card) === kind);
    list.push({ name: "ties", ms: 900, view: at(TIES, { tie, out }), events: [...unhunted, ...mineLast(tie, you)], sound: common.bump });
  }

  const { hunts } = whole;
  const told = mineLast(hunts.toSorted((one, other) => one.value - other.value), you);
  if (hunts.length) list.push({ name: "hunters", ms: 500 + 200 * hunts.length, view: at(HUNTERS, { ...whole, step: HUNTERS }), events: told, sound: cues.bolts(hunts.length) });
  if (hunts.some(({ value }) => value > 0)) {
    const won = after.pile.map((cards, seat) => cards - before.pile[seat]!);
    const scores = before.scores.map((score, seat) => (score < 0 ? score : after.scores[seat]!)); // the end may know more than we do now
    const count = won.reduce((sum, cards) => sum + cards, 0);
    list.push({ name: "prey", ms: 1500, view: { ...at(PREY, { ...whole, won }), scores }, events: told, sound: cues.patter(count) });
  }
  const [stays, emptied] = [of("stays"), of("emptied")];
  if (stays.length) list.push({ name: "settle", ms: 800, view: { ...after, phase: before.phase }, events: mineLast(stays, you), sound: cues.sniff });
  if (emptied.length) list.push({ name: "carousel", ms: 1100, view: { ...bare(after), phase: before.phase }, events: emptied, sound: cues.carousel });
  return list;
}

/** All put a card on the empty table; for a moment it still shows whose it was. */
function sow({ view: after, events, you }: Told, before: Scene): Beat<Scene>[] {
  const placed = events.filter(({ kind }) => kind === "placed");
  const cards: number[] = [];
  for (const { seat, card } of placed) cards[seat] = card;
  const hunt: Hunt = { step: REVEAL, cards, out: [], tie: [], hunts: [], broken: [] };
  return [
    { name: "sow", ms: 1100, view: { ...before, phase: REFILL, pile: after.pile, hunt }, events: mineLast(placed, you), sound: cues.seeds },
    { name: "settle", ms: 500, view: { ...after, phase: REFILL }, events: mineLast(placed, you) },
  ];
}

function end(left: Event[], mice: Event[], after: Scene): Beat<Scene>[] {
  const list: Beat<Scene>[] = [];
  if (left.length) list.push({ name: "left", ms: 1600, view: after, events: left, sound: common.loss });
  if (mice.length) list.push({ name: "mice", ms: 2800, view: after, events: mice, sound: common.drum });
  return list;
}

const bare = (scene: Scene): Scene => ({ ...scene, middle: scene.middle.map(() => 0) });

/** The ribbon tells the last of them: that is the one who looks, if it is about them. */
const mineLast = (events: Event[], you: number) => [...events.filter(({ seat }) => seat !== you), ...events.filter(({ seat }) => seat === you)];
