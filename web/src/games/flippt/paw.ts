import type { Attachment } from "svelte/attachments";

export const HOLD_MS = 150;
const CLICK_MS = 400; // a click that follows a lifted finger comes within this time

/**
 * A paw counts when it comes down, not when it is lifted. The click that follows is the same paw and does nothing; a click
 * that comes alone, from the keyboard or a screen reader, counts. With `hold` a finger has to stay for a moment: fingers come
 * down where they did not mean to. A mouse clicks on what it means.
 */
export function paw(act: () => void, hold?: { ms: number; begins: () => void }): Attachment<HTMLElement> {
  return (node) => {
    let down = false;
    let meant = false; // a click, though it was too short to be held
    let holding = 0;
    let lifted = 0;

    const press = (event: PointerEvent) => {
      if (event.button) return;
      clearTimeout(lifted);
      down = true;
      if (event.isTrusted) node.setPointerCapture(event.pointerId); // so that we hear it lift, wherever it went
      if (!hold) return act();
      hold.begins();
      node.toggleAttribute("data-held", true);
      meant = event.pointerType === "mouse";
      holding = window.setTimeout(() => {
        meant = false;
        act();
      }, hold.ms);
    };
    const lift = () => {
      clearTimeout(holding);
      node.toggleAttribute("data-held", false);
      lifted = window.setTimeout(() => (down = false), CLICK_MS);
    };
    const click = () => {
      if (!down || meant) act();
      meant = false;
    };
    const quiet = (event: globalThis.Event) => event.preventDefault(); // no focus by a slap, no menu by a long one

    const listening = new AbortController();
    const on = <K extends keyof HTMLElementEventMap>(name: K, hear: (event: HTMLElementEventMap[K]) => void) =>
      node.addEventListener(name, hear, { signal: listening.signal });
    on("pointerdown", press);
    on("pointerup", lift);
    on("pointercancel", lift);
    on("click", click);
    on("mousedown", quiet);
    on("contextmenu", quiet);
    return () => {
      clearTimeout(holding);
      clearTimeout(lifted);
      listening.abort();
    };
  };
}
