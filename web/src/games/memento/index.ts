import type { Memento } from "../../made/records.ts";
import { own, t } from "../../lib/words.svelte.ts";
import type { Screen } from "../index.ts";
import { beats, logged } from "./beats.ts";
import { LAPS } from "./cards.ts";
import Table from "./Table.svelte";
import { telling } from "./telling.ts";
import Won from "./Won.svelte";
import { words } from "./words.ts";

export default {
  Table,
  Won,
  beats,
  logged,
  telling,
  progress: (view) => `${t().table.round(view.lap + 1, LAPS)} · ${own(words).memory[view.memory]}`,
} satisfies Screen<Memento>;
