import { untrack } from "svelte";
import type { Flippt } from "../../made/records.ts";
import type { Room } from "../../lib/room.svelte.ts";

const ALREADY_MS = 250; // a paw that comes down sooner was meant for the mouse before

/** The race as this screen sees it. Make it while a component is made. */
export class Race {
  /** The number of the act that turned up this mouse. */
  turn = $state(0);
  /** Whether the mouse is on show and paws count. Where nobody races they always do. */
  open = $state(false);
  /** Seconds until the mouse walks off. */
  left = $state(0);
  calm = $derived.by(() => this.room.told?.view.calm === 1);

  private racing = $derived.by(() => !this.calm && !!this.room.code && !this.room.info?.paused && !this.room.over); // a lesson has no code, and time
  private seconds = $derived.by(() => this.room.told?.view.seconds ?? 0);

  constructor(private readonly room: Room<Flippt>) {
    let behind = false;
    $effect.pre(() => {
      const told = room.told;
      if (!told || (this.turn && !told.events.some((event) => event.kind === "turned"))) return;
      this.turn = told.n;
      if (behind && !this.calm) untrack(room.skip); // the race went on without us: better miss a verdict than a mouse
    });
    $effect(() => {
      behind = room.resolving;
    });
    $effect(() => {
      void this.turn;
      this.open = this.calm;
      if (this.calm || room.resolving) return;
      const timer = setTimeout(() => (this.open = true), ALREADY_MS);
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
  }
}
