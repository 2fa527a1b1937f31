import type { Event } from "../../made/messages.ts";
import type { Flippt } from "../../made/records.ts";
import { own } from "../../lib/words.svelte.ts";
import type { Screen } from "../index.ts";
import { beats } from "./beats.ts";
import Table from "./Table.svelte";
import Won from "./Won.svelte";
import { words } from "./words.ts";

/** The log tells what became of each mouse. Who has acted is told by the paws, and what was drawn by nothing. */
const PASSING = new Set(["acted", "reached", "turned", "dealt", "drew"]);
const logged = (event: Event): Event | null => (PASSING.has(event.kind) ? null : event);

export default {
  Table,
  Won,
  beats,
  logged,
  racing: (view) => view.calm !== 1,
  sealed: true, // only a calm table waits for the last one's choice; a race waits for nobody
  progress: (view) => own(words).left(view.mice_left + view.loose),
} satisfies Screen<Flippt>;
