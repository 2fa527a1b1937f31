/** Ways of things over the table. What moved goes back to its place as soon as the moment is over. */
interface How {
  duration: number;
  delay?: number;
}

/** Where things go that a seat gets. */
export const home = (seat: number): Element | null => document.querySelector(`[data-home="${seat}"]`);

function way(node: Element, to: Element): { x: number; y: number; small: number } {
  const from = node.getBoundingClientRect();
  const there = to.getBoundingClientRect();
  return {
    x: there.x + there.width / 2 - from.x - from.width / 2,
    y: there.y + there.height / 2 - from.y - from.height / 2,
    small: Math.min(0.5, Math.max(0.08, Math.min(there.width, there.height) / from.height)),
  };
}

/** Straight there, growing smaller. `turned`: the thing stands on its head, so its ways do too. */
export function fly(node: Element | undefined, to: Element | null | undefined, how: How, turned = false): Animation | undefined {
  if (!node || !to || !how.duration) return;
  const { x, y, small } = way(node, to);
  const sign = turned ? -1 : 1;
  return node.animate(
    [{ transform: "none" }, { transform: `translate(${sign * x}px, ${sign * y}px) scale(${small})`, opacity: 1, offset: 0.9 }, { transform: `translate(${sign * x}px, ${sign * y}px) scale(${small})`, opacity: 0 }],
    { ...how, easing: "cubic-bezier(.65,0,.35,1)", fill: "forwards" },
  );
}

/** In an arc: who is caught jumps. */
export function hop(node: Element | undefined, to: Element | null | undefined, how: How, turned = false): Animation | undefined {
  if (!node || !to || !how.duration) return;
  const { x, y, small } = way(node, to);
  const sign = turned ? -1 : 1;
  return node.animate(
    [
      { transform: "none" },
      { transform: `translate(${sign * x * 0.35}px, ${sign * (y * 0.35) - 36}px) scale(${(1 + small) / 2}) rotate(6deg)`, offset: 0.45 },
      { transform: `translate(${sign * x}px, ${sign * y}px) scale(${small})`, opacity: 1, offset: 0.9 },
      { transform: `translate(${sign * x}px, ${sign * y}px) scale(${small})`, opacity: 0 },
    ],
    { ...how, easing: "cubic-bezier(.4,0,.3,1)", fill: "forwards" },
  );
}

/** Off to the right, step by step. */
export function leave(node: Element | undefined, duration: number): Animation | undefined {
  if (!node || !duration) return;
  const steps = [0, 1, 2, 3, 4, 5, 6].map((step) => ({ transform: `translate(${step * 22}%, ${step % 2 ? -3 : 0}%) rotate(${step % 2 ? 3 : 0}deg)`, opacity: step < 4 ? 1 : (6 - step) / 3 }));
  return node.animate(steps, { duration, easing: "linear", fill: "forwards" });
}
