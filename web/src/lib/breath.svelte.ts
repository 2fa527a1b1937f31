/**
 * Draw in breaths: what is new comes in a few short pieces of work instead of one long one, so that a slow phone shows
 * something sooner and answers a finger in between. Nobody looks at a hidden page, and it draws nothing: no breaths there.
 * Where the pieces move each other, `.coming` shows nothing until all are there.
 */
/** Where the pieces move each other, nothing is seen before all are there. */
export function breaths(last: number): { readonly at: number } {
  let at = $state(document.hidden ? last : 0);
  $effect(() => {
    if (at >= last) return;
    let next = 0;
    const frame = requestAnimationFrame(() => (next = window.setTimeout(() => at++)));
    return () => (cancelAnimationFrame(frame), clearTimeout(next));
  });
  return { get at() { return at; } };
}
