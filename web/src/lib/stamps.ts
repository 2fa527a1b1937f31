/**
 * What this device can honestly tell of a race: when it had painted what is raced for, and how long after that a paw came down.
 * Where it cannot tell, it says nothing: the tab was hidden, frames were left out, the timer is coarse, or it was not painted yet.
 */
import type { Slap } from "../made/messages.ts";

const COARSE_MS = 2; // a timer with longer steps tells nothing about a race
const COARSEST_MS = 100; // of those that are coarse on purpose, and never took a step while we looked
const GAP_MS = 100; // between two frames: then nobody knows what was to be seen when

/** A paw comes down: when, by the input's own stamp, and what it was. */
export interface Down {
  at: number;
  input: Slap["input"];
}

export const tenths = (ms: number) => Math.round(ms * 10) / 10;

/** The shortest step of a timer, in milliseconds. */
export function stepOf(now: () => number, looks = 100_000): number {
  let step = Infinity;
  let before = now();
  for (let look = 0, steps = 0; look < looks && steps < 8; look++) {
    const at = now();
    if (at <= before) continue;
    step = Math.min(step, at - before);
    before = at;
    steps++;
  }
  return step === Infinity ? COARSEST_MS : Math.round(step * 1000) / 1000;
}

/** One sight of what is raced for. Frames are told to it, so that it needs no page. */
export class Sight {
  readonly e: number;
  painted: number | null = null;
  private spoilt: boolean;
  private drawn = false; // a frame with it has been made, if not shown
  private last = Infinity; // frame

  constructor(e: number, hidden = false) {
    this.e = e;
    this.spoilt = hidden;
  }

  /** Nobody looks. */
  hide() {
    this.spoilt = true;
  }

  /** A frame begins: the first one draws it, and when the second begins the first has been shown. True if that is now. */
  frame(at: number): boolean {
    if (at - this.last > GAP_MS) this.spoilt = true;
    this.last = at;
    const now = this.drawn && this.painted === null;
    if (now) this.painted = at;
    this.drawn = true;
    return now;
  }

  stamp({ at, input }: Down, step: number): Slap {
    const told = this.painted !== null && at >= this.painted && at - this.last <= GAP_MS && !this.spoilt && step <= COARSE_MS;
    return { e: this.e, ms: told ? tenths(at - this.painted!) : null, input, step };
  }
}

let measured: number | undefined;

/** Looks at this page's own frames, as long as there is something to race for. */
export class Watch {
  private readonly step = (measured ??= stepOf(() => performance.now()));
  private sight: Sight | undefined;
  private next = 0;

  /** Call it before the page shows it, `there` says that it does: `seen` is called when it has, and when that was. */
  reveal(e: number, there: () => boolean, seen: (painted: number) => void) {
    this.cover();
    const sight = (this.sight = new Sight(e, document.hidden));
    const frame = (at: number) => {
      this.next = requestAnimationFrame(frame);
      if (there() && sight.frame(at)) seen(at);
    };
    this.next = requestAnimationFrame(frame);
    document.addEventListener("visibilitychange", this.hide);
  }

  /** There is nothing to be seen any more. */
  cover() {
    cancelAnimationFrame(this.next);
    document.removeEventListener("visibilitychange", this.hide);
    this.sight = undefined;
  }

  /** Nothing, where nobody knows what it is about: somebody who came in the middle of it. */
  stamp = (down: Down): Slap | undefined => this.sight?.stamp(down, this.step);

  private hide = () => this.sight?.hide();
}
