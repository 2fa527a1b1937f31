import type { Event } from "../../made/messages.ts";
import type { Telling } from "../index.ts";
import Picture from "./Picture.svelte";

const of = (...kinds: string[]) => (events: Event[]) => events.filter((event) => kinds.includes(event.kind));
const end = of("taken", "stays", "lost", "won");

export const telling: Telling = {
  Picture,
  line: (events) => (end(events).length ? end(events) : of("turned", "pot")(events)),
  steps: (events) => events.filter((event) => event.kind !== "shown" && event.kind !== "laid"),
};
