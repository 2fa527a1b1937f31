import type { Geier } from "../../made/records.ts";
import { t } from "../../lib/words.svelte.ts";
import type { Screen } from "../index.ts";
import { beats } from "./beats.ts";
import Table from "./Table.svelte";

export default {
  Table,
  beats,
  sealed: true,
  progress: (view) => t().table.round(Math.min(view.cards, view.cards - bits(view.left)), view.cards),
} satisfies Screen<Geier>;

const bits = (set: number) => set.toString(2).replaceAll("0", "").length;
