import type { Event } from "../../made/messages.ts";
import type { Telling } from "../index.ts";
import Picture from "./Picture.svelte";

const of = (...kinds: string[]) => (events: Event[]) => events.filter((event) => kinds.includes(event.kind));
const end = of("taken", "stays", "lost", "won");

/** One sentence for each number that fell out, and none for the next prize. */
function steps(events: Event[]): Event[] {
  const cancelled = of("cancelled")(events);
  const once = cancelled.filter((event, i) => cancelled.findIndex((other) => other.card === event.card) === i);
  return end(events).length ? [...once, ...end(events)] : events.filter((event) => event.kind !== "shown" && event.kind !== "laid");
}

export const telling: Telling = {
  Picture,
  line: (events) => (end(events).length ? end(events) : of("turned", "pot")(events)),
  steps,
};
