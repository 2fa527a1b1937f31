import { t } from "../../lib/words.svelte.ts";
import type { Screen } from "../index.ts";
import { beats } from "./beats.ts";
import { CARDS, left, type Scene } from "./scene.ts";
import Table from "./Table.svelte";

export default {
  Table,
  beats,
  sealed: true,
  progress: (view) => t().table.round(Math.min(CARDS, CARDS + 1 - left(view)), CARDS),
} satisfies Screen<Scene>;
