/** A card comes from a place on the table, or goes there: a seat, the pile, the own place. */
import { cubicInOut } from "svelte/easing";
import type { TransitionConfig } from "svelte/transition";
import { ms } from "../../lib/motion.ts";

interface Way {
  place: string; // a selector
  time?: number;
  delay?: number;
  arc?: number; // px above the straight way
}

export function travel(node: Element, { place, time = 320, delay = 0, arc = 0 }: Way): TransitionConfig {
  const there = ms(1) && document.querySelector(place)?.getBoundingClientRect();
  if (!there) return { duration: 0 };
  const here = node.getBoundingClientRect();
  const x = there.x + there.width / 2 - here.x - here.width / 2;
  const y = there.y + there.height / 2 - here.y - here.height / 2;
  const small = Math.min(1, there.height / here.height) - 1;
  return {
    delay: ms(delay),
    duration: ms(time),
    easing: cubicInOut,
    css: (t, u) => `transform: translate(${x * u}px, ${y * u - arc * Math.sin(Math.PI * t)}px) scale(${1 + small * u}); opacity: ${Math.min(1, t * 5)}`,
  };
}

export const seat = (number: number) => `[data-seat="${number}"] .avatar`;
