import type { Event } from "../../made/messages.ts";
import type { Telling } from "../index.ts";
import Picture from "./Picture.svelte";

/** The scoring is a table; the log keeps what came of it. */
export const telling: Telling = {
  Picture,
  line: (events: Event[]) => events.filter(({ kind }) => !["age", "shown", "scored", "total"].includes(kind) && !kind.startsWith("laid")),
  steps: (events: Event[]) => events.filter(({ kind }) => kind !== "scored" && kind !== "total"),
};
