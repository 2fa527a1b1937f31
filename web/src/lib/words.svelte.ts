/** All that is said: the screen's own words, and the games' in whole sentences as the house would say them. */
import { de } from "../words/de/index.ts";
import { en, type Words } from "../words/en/index.ts";
import type { Event } from "../made/messages.ts";
import { prefs, type Language } from "./prefs.svelte.ts";

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

type Forms = Record<string, string>;
export interface GameWords {
  title: string;
  pitch: string;
  actions: Forms;
  cards: Record<string, string[]>;
  phases: Forms;
  events: Record<string, Forms>;
  options: Record<string, Forms>;
  rules: Forms;
}
export interface Made<Facts = Record<string, unknown>> {
  game: string;
  facts: Facts;
  de: GameWords;
  en: GameWords;
}

const minus = (value: number) => String(value).replace("-", "−");

/** An event as one whole sentence, told to the seat `you`: the twin of `texts.sentence` in Python. */
export function sentence(made: Made, event: Event, names: readonly string[], you: number): string {
  const words = own(made);
  const forms = words.events[event.kind]!;
  const person = event.seat === you && "you" in forms ? "you" : "they";
  const fits: [string, boolean][] = [
    ["_hidden", event.card === -2], // a card, but not for these eyes, or not any more
    ["_minus", event.value < 0],
    ["_none", event.value === 0],
    ["_one", Math.abs(event.value) === 1],
    ["", true],
  ];
  const form = fits.find(([form, right]) => right && person + form in forms)![0];
  return filled(forms[person + form]!, words.cards, event.card, { player: names[event.seat] ?? "", value: minus(event.value) });
}

/** What an action does, as the label of a button. */
export function actionName(made: Made, action: number): string {
  const words = own(made);
  for (const [span, text] of Object.entries(words.actions)) {
    const [first, last] = span.split("-").map(Number) as [number, number | undefined];
    if (first <= action && action <= (last ?? first)) return filled(text, words.cards, action - first, {});
  }
  throw new Error(`no words for action ${action}`);
}

function filled(text: string, cards: Record<string, string[]>, card: number, more: Record<string, string>): string {
  return text.replace(/{(\w+)}/g, (_, hole: string) => more[hole] || cards[hole]?.[card] || "");
}

/** "Ida, Ole and Kim" */
export const list = (names: readonly string[]) => new Intl.ListFormat(prefs.language, { type: "conjunction" }).format(names);
export const number = (value: number) => minus(value);
