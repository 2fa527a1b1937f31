import { cubicInOut } from "svelte/easing";
import type { TransitionConfig } from "svelte/transition";
import { ms } from "../../lib/motion.ts";

interface Flight {
  /** Where it comes from, or where it goes. */
  place: Element | null | undefined;
  time: number;
  delay?: number;
  /** How far it is turned over there, in degrees. */
  turn?: number;
  /** How high the arc is. */
  rise?: number;
}

/** In an arc between its own place and another. */
export function fly(node: HTMLElement, { place, time, delay = 0, turn = 0, rise = 40 }: Flight): TransitionConfig {
  if (!place) return { duration: 0 };
  const here = node.getBoundingClientRect();
  const there = place.getBoundingClientRect();
  const x = there.left + there.width / 2 - here.left - here.width / 2;
  const y = there.top + there.height / 2 - here.top - here.height / 2;
  const size = Math.min(1.15, there.width / node.offsetWidth);
  const own = getComputedStyle(node).transform.replace("none", "");
  return {
    duration: ms(time),
    delay: ms(delay),
    easing: cubicInOut,
    css: (t, u) =>
      `z-index: 9; transform: translate(${x * u}px, ${y * u - rise * 4 * t * u}px) ${own} scale(${1 + (size - 1) * u}) perspective(900px) rotateX(${turn * u}deg)`,
  };
}
