import type { Talk } from "../index.ts";
import Pace from "./Pace.svelte";

export default { Pace } satisfies Talk;
