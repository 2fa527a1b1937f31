/** Times are those of --speed: 1; the owner's pace multiplies them, and 0 means at once. */
import { cubicOut } from "svelte/easing";
import { crossfade, fade } from "svelte/transition";
import { prefs } from "./prefs.svelte.ts";

export const ms = (time: number) => time * prefs.factor;

/** A card that leaves one pile and enters another in the same update travels between them: key both by the same id. */
export const [send, receive] = crossfade({
  duration: (distance) => ms(Math.min(450, 180 + Math.sqrt(distance) * 12)),
  easing: cubicOut,
  fallback: (node) => fade(node, { duration: ms(150) }),
});
