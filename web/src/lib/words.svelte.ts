/** All that is said: the screen's own words, and the games' in whole sentences as the house would say them. */
import { de } from "../words/de/index.ts";
import { en, type Words } from "../words/en/index.ts";
import type { Event } from "../made/messages.ts";
import { prefs, type Language } from "./prefs.svelte.ts";
import { actionIn, choiceIn, minus, sentenceIn, type GameWords } from "./sentences.ts";

/** Longer, and with every letter strange: what is not translated or has no room stands out. */
function pseudo<T>(words: T): T {
  if (typeof words === "string") {
    const strange = words.replace(/{\w+}|[aeiou]/g, (found) => (found.length > 1 ? found : found + "\u0301"));
    return (strange + "~".repeat(Math.ceil(words.length * 0.4))) as T;
  }
  if (typeof words === "function") return ((...args: unknown[]) => pseudo(words(...args) as string)) as T;
  if (Array.isArray(words)) return words.map(pseudo) as T;
  if (words && typeof words === "object")
    return Object.fromEntries(Object.entries(words).map(([key, value]) => [key, pseudo(value)])) as T;
  return words;
}

/** The same thing in all languages, in the owner's. */
export function own<T>(each: Record<Language, T>): T {
  return prefs.pseudo ? pseudo(each[prefs.language]) : each[prefs.language];
}

class Said {
  t = $derived<Words>(own({ de, en }));
}
const said = new Said();

/** The screen's words. Read it where it is used (`t().lobby.title`), so that a change of language is seen at once. */
export const t = () => said.t;

export interface Made<Facts = Record<string, unknown>> {
  game: string;
  facts: Facts;
  de: GameWords;
  en: GameWords;
}

/** An event as one whole sentence, told to the seat `you`. */
export const sentence = (made: Made, event: Event, names: readonly string[], you: number) => sentenceIn(own(made), event, names, you);

/** What an action does, as the label of a button. */
export const actionName = (made: Made, action: number) => actionIn(own(made), action);

/** What was chosen, and what for; without a stake only the card. */
export const choiceName = (made: Made, face: number, stake?: number) => choiceIn(own(made), face, stake);

/** "Ida, Ole and Kim" */
export const list = (names: readonly string[]) => new Intl.ListFormat(prefs.language, { type: "conjunction" }).format(names);
export const number = minus;

/** Milliseconds as a number: a tenth of one only where it is all there is. */
export const millis = (ms: number) => new Intl.NumberFormat(prefs.language, { maximumFractionDigits: Math.abs(ms) < 1 ? 1 : 0, useGrouping: false }).format(ms);
