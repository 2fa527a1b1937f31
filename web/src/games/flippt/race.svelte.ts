import type { Flippt } from "../../made/records.ts";
import type { Room } from "../../lib/room.svelte.ts";
import { CHOOSE } from "./cards.ts";

const ALREADY_MS = 250; // a paw that comes down sooner was meant for the mouse before

/** The race as this screen sees it. Make it while a component is made. */
export class Race {
  /** The number of the act that turned up this mouse. */
  turn = $state(0);
  /** Whether the mouse is on show and paws count. Where nobody races they always do. */
  open = $state(false);
  /** Seconds until the mouse walks off. */
  left = $state(0);
  readonly calm: boolean;

  constructor(room: Room<Flippt>) {
    this.calm = $derived(room.told?.view.phase === CHOOSE || room.told?.view.calm === 1);
    $effect.pre(() => {
      const told = room.told;
      if (told && (!this.turn || told.events.some((event) => event.kind === "turned"))) this.turn = told.n;
    });
    $effect(() => {
      void this.turn;
      this.open = this.calm;
      if (this.calm || room.resolving) return;
      const timer = setTimeout(() => (this.open = true), ALREADY_MS);
      return () => clearTimeout(timer);
    });
    const racing = $derived(!this.calm && !room.info?.paused && !room.over);
    const seconds = $derived(room.told?.view.seconds ?? 0);
    $effect(() => {
      void this.turn;
      this.left = seconds;
      if (!racing) return;
      const begun = performance.now();
      const timer = setInterval(() => (this.left = Math.max(0, Math.ceil(seconds - (performance.now() - begun) / 1000))), 200);
      return () => clearInterval(timer);
    });
  }
}
