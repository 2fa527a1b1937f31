/** Times are those of --speed: 1; the owner's pace multiplies them, and 0 means at once. */
import { tick } from "svelte";
import { cubicOut } from "svelte/easing";
import { crossfade, fade } from "svelte/transition";
import { prefs } from "./prefs.svelte.ts";

let standing = false;

/** What the coming update draws has come from nowhere: nothing of it travels, nothing is measured. */
export function atOnce() {
  standing = true;
  void tick().then(() => (standing = false));
}

export const ms = (time: number) => (standing ? 0 : time * prefs.factor);

/** A card that leaves one pile and enters another in the same update travels between them: key both by the same id. */
export const [send, receive] = crossfade({
  duration: (distance) => ms(Math.min(450, 180 + Math.sqrt(distance) * 12)),
  easing: cubicOut,
  fallback: (node) => (ms(1) ? fade(node, { duration: ms(150) }) : { duration: 0 }),
});
