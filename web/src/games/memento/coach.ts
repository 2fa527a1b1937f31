import type { Talk } from "../index.ts";
import Believed from "./Believed.svelte";
import Face from "./Face.svelte";

export default { Believed, Face } satisfies Talk;
