import type { Geier } from "../../made/records.ts";
import { t } from "../../lib/words.svelte.ts";
import type { Screen } from "../index.ts";
import { beats, bits } from "./beats.ts";
import Mind from "./Mind.svelte";
import Table from "./Table.svelte";
import { telling } from "./telling.ts";
import Won from "./Won.svelte";

export default {
  Table,
  Won,
  Mind,
  beats,
  telling,
  sealed: true,
  logged: (event) => (event.kind === "laid" ? null : event), // that somebody has chosen is soon forgotten
  progress: (view) => t().table.round(view.cards - bits(view.left).length, view.cards),
} satisfies Screen<Geier>;
