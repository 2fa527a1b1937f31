import type { Event } from "../../made/messages.ts";
import type { Telling } from "../index.ts";
import Picture from "./Picture.svelte";

const TELLING = new Set(["hunts", "emptied", "placed", "left", "mice", "won"]);
const line = (events: Event[]) => events.filter(({ kind, value }) => TELLING.has(kind) && (kind !== "hunts" || value > 0));

export const telling: Telling = {
  Picture,
  line: (events) => (line(events).length ? line(events) : events.filter(({ kind }) => kind !== "shown")),
  steps: (events) => events.filter(({ kind }) => kind !== "shown"),
};
