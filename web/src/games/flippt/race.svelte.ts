import { untrack } from "svelte";
import type { View } from "../../made/messages.ts";
import type { Flippt } from "../../made/records.ts";
import type { Room } from "../../lib/room.svelte.ts";
import { Watch, type Down } from "../../lib/stamps.ts";

const ALREADY_MS = 100; // a paw that comes down sooner is a false start
const REST_MS = 250; // after one

/** The race as this screen sees it. Make it while a component is made. */
export class Race {
  /** Grows with every mouse that is shown. */
  turn = $state(0);
  /** Whether the mouse is on show and paws count. Where nobody races they always do. */
  open = $state(false);
  /** Seconds until the mouse walks off. */
  left = $state(0);
  calm = $derived.by(() => this.room.told?.view.calm === 1);
  /** The house keeps the next mouse covered for a moment. */
  covered = $derived.by(() => !this.calm && !this.room.over && (this.room.told?.view.shown ?? -1) < 0);
  /** Of the mouse before, until the next one is shown. */
  verdict = $derived.by(() => (this.covered || this.room.resolving || this.room.over ? this.room.log.at(-1)?.verdict : undefined));
  /** All who sit at this screen: each has a line of its own. */
  hands: Room<Flippt>[];

  private racing = $derived.by(() => !this.calm && !!this.room.code && !this.covered && !this.room.info?.paused && !this.room.over); // a lesson has no code, and time
  private seconds = $derived.by(() => this.room.told?.view.seconds ?? 0);
  private readonly watch = new Watch();

  /** `drawn`: the drawing is there. */
  constructor(private readonly room: Room<Flippt>, private readonly drawn: () => boolean) {
    this.hands = [room];
    let behind = false;
    $effect.pre(() => {
      const told = room.told;
      if (told) untrack(() => this.look(told, behind));
    });
    $effect(() => {
      behind = room.resolving;
    });
    $effect(() => {
      void this.turn;
      this.open = this.calm;
      if (this.calm || this.covered || room.resolving) return;
      const timer = setTimeout(() => (this.open = true), room.beaten ? REST_MS : ALREADY_MS);
      return () => clearTimeout(timer);
    });
    $effect(() => {
      void this.turn;
      const { racing, seconds } = this;
      this.left = seconds;
      if (!racing) return;
      const begun = performance.now();
      const timer = setInterval(() => (this.left = Math.max(0, Math.ceil(seconds - (performance.now() - begun) / 1000))), 200);
      return () => clearInterval(timer);
    });
    $effect(() => () => this.watch.cover());
  }

  /** What the device can tell of a paw. */
  stamp = (down: Down) => (this.calm ? undefined : this.watch.stamp(down));

  private look({ view, events, n, since }: View & { view: Flippt }, behind: boolean) {
    if (view.shown < 0) this.watch.cover();
    const turned = view.shown >= 0 && events.some((event) => event.kind === "turned");
    if (this.turn && !turned) return;
    this.turn++;
    if (this.calm || !turned || !this.room.code || this.room.past) return;
    this.room.beaten = "";
    if (n - since <= 1) this.watch.reveal(n, this.drawn, (at) => this.seen(n, at)); // of several acts nobody knows which one it was
    else this.watch.cover();
    if (behind) this.room.skip(); // the race went on without us: better miss a verdict than a mouse
  }

  private seen(e: number, at: number) {
    for (const hand of this.hands) if (hand.told?.n === e && hand.told.view.shown >= 0) hand.painted(e, at); // not if its line has not heard of it yet
  }
}
