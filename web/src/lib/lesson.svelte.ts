/** A lesson: for its drawing the same as a table that is played, only that there is one right thing to do at a time. */
import type { Lesson, SeatInfo, TableInfo, View } from "../made/messages.ts";
import { PICTURES, prefs } from "./prefs.svelte.ts";
import type { Entry, Shown } from "./room.svelte.ts";
import { Alone } from "./show.svelte.ts";
import { cues, play as sound } from "./sound.ts";

const SCENE_MS = 500; // what the others do is seen one after the other

export class Learning<R = unknown> extends Alone<R> implements Shown<R> {
  readonly info: TableInfo;
  readonly seats: number[];
  at = $state(0);
  missed = $state(0); // how often something else was done here

  step = $derived.by(() => this.lesson.steps[this.at]!);
  /** Something is said, once it has been seen what it is about. */
  speaking = $derived(Object.keys(this.step.say).length > 0 && !this.resolving);
  asked = $derived(this.speaking && this.step.act >= 0);
  /** Where something is said; and which of them this is, or the one to come. */
  bubbles = $derived.by(() => this.lesson.steps.flatMap((step, at) => (Object.keys(step.say).length ? [at] : [])));
  bubble = $derived(this.bubbles.filter((at) => at < this.at).length);
  finished = $state(false);

  you = $derived(this.told?.you ?? -1);
  legal = $derived(this.asked && this.told ? this.told.legal : []);
  mine = $derived(!!this.told && this.told.legal.length > 0 && this.told.waiting.includes(this.you));
  log = $derived.by<Entry[]>(() => this.lesson.steps.slice(0, this.at + 1).map(({ view: { n, events } }) => ({ n, events })).filter((entry) => entry.events.length));

  readonly code = ""; // no table of the house: no clock runs here
  private clock = 0;

  constructor(private readonly lesson: Lesson) {
    super();
    this.info = company(lesson);
    this.seats = [lesson.seat];
    this.told = lesson.steps[0]!.view as View & { view: R };
  }

  override leave() {
    super.leave();
    clearTimeout(this.clock);
  }

  act(action: number) {
    if (!this.asked) return;
    if (action === this.step.act) return this.forth();
    this.missed++;
    sound(cues.bump);
  }

  /** The words have been read. */
  onward = () => {
    if (this.speaking && !this.asked) this.forth();
  };

  restart = () => {
    this.leave();
    this.skip();
    this.finished = false;
    this.turn(0, null);
  };

  /** Enough: what comes after it. */
  end = () => {
    clearTimeout(this.clock);
    this.finished = true;
  };

  private forth() {
    if (this.at + 1 < this.lesson.steps.length) this.turn(this.at + 1, this.step.view.view as R);
    else this.end();
  }

  private turn(at: number, before: R | null) {
    this.at = at;
    this.missed = 0;
    this.told = this.step.view as View & { view: R };
    if (this.dance && this.told.events.length) this.show(this.told, before); // else it is still on show
    this.seen();
  }

  /** A scene without words goes by itself, when it has been seen. */
  private seen = () => {
    clearTimeout(this.clock);
    if (Object.keys(this.step.say).length) return;
    this.clock = window.setTimeout(this.resolving ? this.seen : () => this.forth(), this.resolving ? 50 : SCENE_MS);
  };
}

function company({ game, options, names, seat: own }: Lesson): TableInfo {
  const others = PICTURES.filter((each) => each !== prefs.picture);
  const seats = names.map(
    (name, seat): SeatInfo => ({
      kind: "person",
      name: seat === own ? prefs.name : name,
      picture: seat === own ? prefs.picture : others[seat]!,
      level: "",
      here: true,
      away: false,
      handicap: 0,
      trust: "normal",
    }),
  );
  return {
    table: "", url: "", game, options, seats, host: own, phase: "playing", public: false, start: "auto", paused: false, move_s: 0, grace_s: 0,
    free_text: false, hints: false, referee: "friends", level: "", watching: 0, series: [], played: 0, before: "", next: "", made_ms: 0, n: 0,
  };
}
