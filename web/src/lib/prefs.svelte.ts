/** What this device remembers about its owner: language, looks, sound, pace, name and picture. Nothing leaves it unasked. */
import { MediaQuery } from "svelte/reactivity";

export const LANGUAGES = ["de", "en"] as const;
export type Language = (typeof LANGUAGES)[number];
export const THEMES = ["system", "light", "dark", "contrast"] as const;
export const SPEEDS = { calm: 1.6, normal: 1, quick: 0.5, off: 0, step: 0 } as const; // step: each moment waits for a tap
export type Speed = keyof typeof SPEEDS;
export const PICTURES = ["mouse", "cat", "dog", "elephant", "vulture", "hedgehog", "fox", "frog"] as const;
export type Picture = (typeof PICTURES)[number];

const still = new MediaQuery("prefers-reduced-motion: reduce");

/** A private window may refuse to remember; then we forget with it. */
export const memory = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(`cheeseboard.${key}`);
    } catch {
      return null;
    }
  },
  set(key: string, value: string) {
    try {
      localStorage.setItem(`cheeseboard.${key}`, value);
    } catch {
      /* not remembered */
    }
  },
};

function oneOf<T extends string>(key: string, choices: readonly T[], otherwise: T): T {
  const kept = memory.get(key) as T;
  return choices.includes(kept) ? kept : otherwise;
}

const spoken = navigator.languages.some((each) => each.startsWith("de")) ? "de" : "en";

class Prefs {
  language = $state<Language>(oneOf("language", LANGUAGES, spoken));
  pseudo = $state(memory.get("pseudo") === "on"); // every text 40 % longer: for tests of the layout
  theme = $state(oneOf("theme", THEMES, "system"));
  speed = $state<Speed>(oneOf("speed", Object.keys(SPEEDS) as Speed[], "normal"));
  sound = $state(memory.get("sound") !== "off");
  buzz = $state(memory.get("buzz") !== "off");
  hints = $state(memory.get("hints") !== "off");
  keys = $state(memory.get("keys") !== "off"); // single-key shortcuts can be switched off (WCAG 2.1.4)
  name = $state(memory.get("name") ?? "");
  picture = $state<Picture>(oneOf("picture", PICTURES, "mouse"));

  haste = $state(1); // of a game that is told again: so many times as fast; Infinity while it is leafed through

  /** How long everything takes, as a factor; 0: places change in one frame. */
  factor = $derived(still.current ? 0 : SPEEDS[this.speed] / this.haste);

  set<K extends "language" | "theme" | "speed" | "name" | "picture">(key: K, value: this[K]) {
    this[key] = value;
    memory.set(key, String(value));
  }

  toggle(key: "sound" | "buzz" | "hints" | "keys") {
    this[key] = !this[key];
    memory.set(key, this[key] ? "on" : "off");
  }

  /** Keep the page's own marks in step. Call once, in a component. */
  apply() {
    const root = document.documentElement;
    $effect(() => {
      root.lang = this.language;
      if (this.theme === "system") delete root.dataset.theme;
      else root.dataset.theme = this.theme;
      root.style.setProperty("--speed", String(this.factor));
    });
  }
}

export const prefs = new Prefs();
