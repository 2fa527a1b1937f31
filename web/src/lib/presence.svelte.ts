/** Being there: the screen stays on during a game, and whoever looked away is called when it is their turn. */
import { prefs } from "./prefs.svelte.ts";
import { t } from "./words.svelte.ts";

/** Keep the screen awake while `playing`. Browsers without wake lock, or on battery saving, just do not. */
export function watchful(playing: () => boolean) {
  const awake = $derived(playing()); // a lock is not let go and taken again whenever something happens at the table
  $effect(() => {
    if (!awake || !("wakeLock" in navigator)) return;
    let lock: WakeLockSentinel | undefined;
    const take = () => {
      if (document.visibilityState === "visible")
        navigator.wakeLock.request("screen").then(
          (found) => (lock = found),
          () => undefined,
        );
    };
    take();
    document.addEventListener("visibilitychange", take);
    return () => {
      document.removeEventListener("visibilitychange", take);
      void lock?.release();
    };
  });
}

/** The title says so, and the phone buzzes if nobody looks. */
export function call(mine: () => boolean, title: () => string) {
  $effect(() => {
    document.title = mine() ? `● ${t().table.titleTurn}` : title();
    if (mine() && document.visibilityState === "hidden" && prefs.buzz) navigator.vibrate?.(120);
    return () => (document.title = t().common.brand);
  });
}
