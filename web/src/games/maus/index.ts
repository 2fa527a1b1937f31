import type { Maus } from "../../made/records.ts";
import { own } from "../../lib/words.svelte.ts";
import type { Screen } from "../index.ts";
import { beats } from "./beats.ts";
import Table from "./Table.svelte";
import Won from "./Won.svelte";
import { words } from "./words.ts";

export default {
  Table,
  Won,
  beats,
  progress: (view) => own(words).left(view.chips_left),
} satisfies Screen<Maus>;
