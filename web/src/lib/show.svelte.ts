/**
 * What is on show. Each telling of the house becomes moments, by the choreography of the game, and they are shown one after the
 * other. A table that is played and a game that is told again do this alike.
 */
import type { Deal, Event, Said, View } from "../made/messages.ts";
import { atOnce } from "./motion.ts";
import { prefs } from "./prefs.svelte.ts";
import { play as sound, type Cue } from "./sound.ts";

/** One moment of a choreography. */
export interface Beat<R = unknown> {
  /** What this moment is, in the game's own words: "reveal", "cancel". The drawing looks at it. */
  name: string;
  /** How long it lasts at normal pace. */
  ms: number;
  /** The table as it looks now: the record before, the one after, or something between. */
  view: R;
  /** What is being told: written below the table, and marked in the drawing. */
  events: Event[];
  sound?: Cue;
  /** It must be seen even where nothing moves: then it lasts its time as well. */
  still?: boolean;
}

/** What a game brings along: see `games/`. */
export interface Choreography<R = unknown> {
  /** From what was on show to what is now, in moments. The last one is shown until something new happens. */
  beats(told: View & { view: R }, before: R | null): Beat<R>[];
  /** What the log may keep of an event; null: nothing. Without it everything is kept. */
  logged?(event: Event, you: number): Event | null;
  /** All choose in secret: then the last one's choice is held back for a moment and may be taken back. */
  sealed?: boolean;
  /** All look for the same thing at the same moment: then no sound says that it is there, for ears are quicker than eyes. */
  racing?(view: R): boolean;
}

export class Show<R = unknown> {
  told = $state.raw<(View & { view: R }) | undefined>();
  stage = $state.raw<Beat<R> | undefined>();
  beats = $state.raw<Beat<R>[]>([]); // those still to come

  readonly past: boolean = false; // told again: nothing can be done, so nothing is asked for

  over = $derived(this.told?.over ?? false);
  resolving = $derived(this.beats.length > 0);

  protected dance: Choreography<R> | undefined;
  private timer = 0; // the running beat
  private last = $state.raw<{ told: View & { view: R }; before: R | null }>(); // the last that had several moments
  replayable = $derived(!!this.last);

  /** The game's drawing is there: what was told before is shown at once. */
  choreograph(dance: Choreography<R>) {
    this.dance = dance;
    if (this.told && !this.stage) this.show(this.told, null);
  }

  leave() {
    clearTimeout(this.timer);
  }

  /** `before`: what to move from; without it nothing moves. */
  protected show(told: View & { view: R }, before: R | null) {
    const all = this.dance!.beats(told, before);
    const end = { name: all.at(-1)?.name ?? "", ms: 0, view: told.view, events: this.kept(told.events, told.you) };
    const moves = prefs.factor > 0 || prefs.speed === "step";
    const list = moves ? all : [...all.slice(0, -1).filter((beat) => beat.still), end];
    const waiting = this.beats.length > 0;
    if (!before || !told.events.length || (!moves && list.length === 1 && !waiting)) {
      // nothing to move from, or nobody who wants to see it move
      clearTimeout(this.timer);
      this.beats = [];
      if (!before) atOnce();
      this.begin(end);
      return;
    }
    if (all.length > 1) this.last = { told, before };
    this.beats = [...this.beats, ...list];
    if (!waiting) this.next();
  }

  /** What may be kept of a telling: in the log, and on show when its moments are over. */
  protected kept(events: Event[], you: number): Event[] {
    const dance = this.dance;
    return events.map((each) => (dance?.logged ? dance.logged(each, you) : each)).filter((each) => each !== null);
  }

  private begin(beat: Beat<R>) {
    this.stage = beat;
    if (beat.sound) sound(beat.sound);
  }

  private next = () => {
    const [beat, ...rest] = this.beats;
    this.beats = rest;
    if (!beat) return;
    this.begin(beat);
    if (rest.length && (prefs.speed !== "step" || !beat.ms)) this.timer = window.setTimeout(this.next, beat.ms * (prefs.factor || Number(beat.still ?? 0)));
  };

  /** A tap on the felt: this moment is over. */
  hasten = () => {
    if (!this.beats.length) return;
    clearTimeout(this.timer);
    this.next();
  };

  /** All of them are. */
  skip = () => {
    clearTimeout(this.timer);
    const last = this.beats.at(-1);
    this.beats = [];
    if (last) this.begin(last);
  };

  /** Once more, and then back to how things are by now. */
  again = () => {
    if (!this.last || !this.dance || !this.told) return;
    clearTimeout(this.timer);
    const all = this.dance.beats(this.last.told, this.last.before);
    this.beats = [...all.slice(0, -1), { ...all.at(-1)!, view: this.told.view }];
    this.next();
  };
}

/** A table of which only the drawing is there: a game told again, a lesson. What only a table of the house has stays empty. */
export class Alone<R = unknown> extends Show<R> {
  lead = false;
  deal: Deal | undefined = undefined;
  said: Said[] = [];
  refusal = null;
  beaten = "";
  heardAt = 0;
  online = true;
  ended = "";
  moved = "";
  sent = null;
  held = null;
  takeBack() {}
  say() {}
  painted() {}
  look() {}
  rejoin() {}
}
