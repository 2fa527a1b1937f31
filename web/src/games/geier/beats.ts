import type { Event, View } from "../../made/messages.ts";
import type { Geier } from "../../made/records.ts";
import type { Beat } from "../../lib/room.svelte.ts";
import { cues } from "../../lib/sound.ts";

/** Hush, reveal, cancel, light, award, rest; then the next prize. */
export function beats(told: View & { view: Geier }, before: Geier | null): Beat<Geier>[] {
  const { view: after, events } = told;
  const all = (...kinds: string[]) => events.filter((event) => kinds.includes(event.kind));
  const shown = all("shown");
  if (!before || !shown.length) return [{ name: "choose", ms: 0, view: after, events, ...(all("turned").length ? { sound: cues.turn } : { sound: cues.lay }) }];
  const open = { ...before, bid: bidsOf(shown, before) };
  const cancelled = all("cancelled");
  const end = all("taken", "stays", "lost");
  const won = end[0]?.kind === "taken";
  const list: Beat<Geier>[] = [
    { name: "hush", ms: 750, view: before, events: [], sound: cues.drum },
    { name: "reveal", ms: 680, view: open, events: shown, sound: cues.turn },
  ];
  if (cancelled.length) list.push({ name: "cancel", ms: 600, view: open, events: cancelled, sound: cues.bump });
  list.push({ name: won ? "award" : "stays", ms: 1800, view: { ...open, scores: after.scores }, events: end, sound: won && end[0]!.value < 0 ? cues.loss : cues.gain });
  list.push({ name: "choose", ms: 0, view: after, events: all("turned", "pot", "won"), sound: cues.turn });
  return list;
}

function bidsOf(shown: Event[], before: Geier): number[] {
  const bid = [...before.bid];
  for (const event of shown) bid[event.seat] = event.card;
  return bid;
}
