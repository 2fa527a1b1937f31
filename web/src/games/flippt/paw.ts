import type { Attachment } from "svelte/attachments";
import type { Down } from "../../lib/stamps.ts";

export const HOLD_MS = 150;
const POINTERS = ["touch", "pen", "mouse"] as const;
const CLICK_MS = 400; // a click that follows a lifted finger comes within this time

interface Hold {
  ms: number;
  begins: () => void;
}

/** The paw of somebody whose key is not the button's own. */
export const press = (node: Element | undefined, down: Down) => node?.dispatchEvent(new CustomEvent<Down>("paw", { detail: down }));

/**
 * A paw counts when it comes down, not when it is lifted, and from then on its time is taken: by the input's own stamp. The click
 * that follows is the same paw and does nothing; a click that comes alone, from a screen reader, counts.
 *
 * With `hold` it counts so much later, for all alike. A finger has to stay for so long: fingers come down where they did not
 * mean to. A mouse clicks on what it means, and so does a key.
 */
export function paw(act: (down: Down) => void, hold?: Hold): Attachment<HTMLElement> {
  return (node) => {
    let down = false;
    let holding = 0;
    let lifted = 0;

    const land = (paw: Down) => {
      if (!hold) return act(paw);
      if (holding) return;
      hold.begins();
      node.toggleAttribute("data-held", true);
      const at = paw.at + hold.ms;
      holding = window.setTimeout(() => {
        release();
        act({ ...paw, at });
      }, Math.max(0, at - performance.now()));
    };
    const release = () => {
      clearTimeout(holding);
      holding = 0;
      node.toggleAttribute("data-held", false);
    };
    const begin = () => {
      clearTimeout(lifted);
      down = true;
    };
    const end = () => {
      clearTimeout(lifted);
      lifted = window.setTimeout(() => (down = false), CLICK_MS);
    };

    const listening = new AbortController();
    const on = <K extends keyof HTMLElementEventMap>(name: K, hear: (event: HTMLElementEventMap[K]) => void) =>
      node.addEventListener(name, hear, { signal: listening.signal });
    on("pointerdown", (event) => {
      if (event.button) return;
      begin();
      if (event.isTrusted) node.setPointerCapture(event.pointerId); // so that we hear it lift, wherever it went
      land({ at: event.timeStamp, input: POINTERS.find((kind) => kind === event.pointerType) ?? "" });
    });
    const lift = (event: PointerEvent) => {
      if (event.pointerType !== "mouse") release();
      end();
    };
    on("pointerup", lift);
    on("pointercancel", lift);
    on("keydown", (event) => {
      if ((event.key !== "Enter" && event.key !== " ") || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault(); // the click that would follow comes later than the paw
      if (event.repeat) return;
      begin();
      end();
      land({ at: event.timeStamp, input: "key" });
    });
    on("keyup", (event) => event.key === " " && event.preventDefault());
    on("click", (event) => {
      if (!down) land({ at: event.timeStamp, input: "" });
    });
    node.addEventListener("paw", (event) => land((event as CustomEvent<Down>).detail), { signal: listening.signal });
    const quiet = (event: globalThis.Event) => event.preventDefault(); // no focus by a slap, no menu by a long one
    on("mousedown", quiet);
    on("contextmenu", quiet);
    return () => {
      clearTimeout(holding);
      clearTimeout(lifted);
      listening.abort();
    };
  };
}
