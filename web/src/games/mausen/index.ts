import { t } from "../../lib/words.svelte.ts";
import type { Screen } from "../index.ts";
import { beats } from "./beats.ts";
import { CARDS, left, type Scene } from "./scene.ts";
import Table from "./Table.svelte";
import { telling } from "./telling.ts";
import Won from "./Won.svelte";

export default {
  Table,
  Won,
  beats,
  telling,
  sealed: true,
  logged: (event) => (event.kind === "laid" ? null : event), // who was first must not be read from it
  progress: (view) => t().table.round(Math.min(CARDS, CARDS + 1 - left(view)), CARDS),
} satisfies Screen<Scene>;
