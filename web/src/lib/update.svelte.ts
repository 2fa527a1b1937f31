import { script } from "./trusted.ts";

const QUIET_MS = 3000;

/** A new version waits until the player takes it: never reload in the middle of a game. */
class Update {
  waiting = $state.raw<ServiceWorker>();

  async register() {
    if (!("serviceWorker" in navigator) || import.meta.env.DEV) return; // plain http in the home network has none
    await new Promise((idle) => setTimeout(idle, QUIET_MS)); // first what is to be seen, then what is to be kept
    const found = await navigator.serviceWorker.register(script("/sw.js")).catch(() => null);
    if (!found) return; // no network just now; the next visit keeps it
    const look = () => {
      if (found.waiting && navigator.serviceWorker.controller) this.waiting = found.waiting;
    };
    look();
    found.addEventListener("updatefound", () => found.installing?.addEventListener("statechange", look));
    let had = !!navigator.serviceWorker.controller;
    navigator.serviceWorker.addEventListener("controllerchange", () => (had ? location.reload() : (had = true)));
  }

  take = () => this.waiting?.postMessage("take");
}

export const update = new Update();
