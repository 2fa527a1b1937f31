/** A finished game told again: for its drawing the same as a table that is played, only that nothing can be done any more. */
import type { Story, TableInfo, Verdict, View } from "../made/messages.ts";
import { afterwards } from "./ending.ts";
import { prefs } from "./prefs.svelte.ts";
import type { Entry, Shown } from "./room.svelte.ts";
import { Alone } from "./show.svelte.ts";

const ACT_MS = 900; // at least, for each act that plays by itself
const CALM_MS = 150; // after leafing, before things may travel again
export const PACES = [0.5, 1, 2, 4] as const;

export class Tale<R = unknown> extends Alone<R> implements Shown<R> {
  info: TableInfo | undefined = $state.raw();
  pages = $state.raw<(View & { view: R })[]>([]);
  private races = $state.raw(new Map<number, Verdict>()); // by the act that ended them
  n = $state(0); // the act on show, from 1; 0 before the first
  playing = $state(false);
  pace = $state<(typeof PACES)[number]>(1);

  you = $derived(this.told?.you ?? -1);
  log = $derived<Entry[]>(this.pages.filter((page) => page.events.length && page.n <= this.n).map(({ n, events }) => ({ n, events, verdict: this.races.get(n) })));

  // nothing can be done
  seats: number[] = [];
  legal: number[] = [];
  mine = false;
  override readonly past = true;
  act() {}

  private clock = 0; // until the next act
  private begun = 0;
  private calm = 0;

  constructor(readonly code: string) {
    super();
  }

  /** The same game with other eyes: the place in it stays. */
  read({ table, views, races }: Story) {
    this.races = new Map(races);
    this.info = afterwards(table);
    this.pages = views as (View & { view: R })[];
    if (this.n) this.goto(this.n);
  }

  override leave() {
    super.leave();
    this.stop();
    clearTimeout(this.calm);
    prefs.haste = 1;
  }

  /** Show act n as it ended, at once. */
  goto(n: number) {
    prefs.haste = Infinity; // nothing travels while somebody leafs through
    clearTimeout(this.calm);
    this.calm = window.setTimeout(() => (prefs.haste = this.pace), CALM_MS);
    const page = this.turn(n);
    if (page && this.dance) this.show(page, null);
  }

  /** One act on or back. Forward it is played out; who is quicker than that sees its end first. */
  step(by: 1 | -1) {
    this.stop();
    if (by > 0 && this.resolving) prefs.speed === "step" ? this.hasten() : this.skip();
    else if (by > 0) this.forth();
    else this.goto(this.n - 1);
  }

  play = () => {
    if (!this.pages.length) return;
    if (this.n >= this.pages.length) this.goto(1);
    this.playing = true;
    this.run();
  };

  stop = () => {
    this.playing = false;
    clearTimeout(this.clock);
  };

  private run = () => {
    if (!this.playing) return;
    if (this.n >= this.pages.length) return this.stop();
    this.begun = performance.now();
    this.forth();
    this.wait();
  };

  /** The next act comes when this one has been seen. Whoever reads with a tap for each moment, taps. */
  private wait = () => {
    const rest = ACT_MS / this.pace - (performance.now() - this.begun);
    if (this.resolving) this.clock = window.setTimeout(this.wait, 50);
    else this.clock = window.setTimeout(this.run, Math.max(rest, 0));
  };

  private forth() {
    const before = this.pages[this.n - 1]?.view ?? null;
    const page = this.turn(this.n + 1);
    clearTimeout(this.calm);
    prefs.haste = this.pace;
    if (page && this.dance) this.show(page, before);
  }

  /** Open the book at n. */
  private turn(n: number) {
    const page = this.pages[Math.max(1, Math.min(n, this.pages.length)) - 1];
    if (!page || (page === this.told && !this.resolving && this.stage)) return;
    this.n = page.n;
    this.told = page;
    return page;
  }
}
