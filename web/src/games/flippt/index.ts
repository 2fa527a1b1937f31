import type { Event } from "../../made/messages.ts";
import type { Flippt } from "../../made/records.ts";
import { own } from "../../lib/words.svelte.ts";
import type { Screen } from "../index.ts";
import { beats } from "./beats.ts";
import Table from "./Table.svelte";
import { words } from "./words.ts";

/** Who has acted is told by the paws, and what others draw by nothing. */
function logged(event: Event, you: number): Event | null {
  const drawn = event.kind === "drew" || event.kind === "dealt";
  return event.kind === "acted" || event.kind === "reached" || (drawn && event.seat !== you) ? null : event;
}

export default {
  Table,
  beats,
  logged,
  sealed: true, // only a calm table waits for the last one's choice; a race waits for nobody
  progress: (view) => own(words).left(view.mice_left + view.loose),
} satisfies Screen<Flippt>;
