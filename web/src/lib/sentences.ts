/** The games' words as sentences: the twin of `games/texts.py`, and tested to say the same. */
import type { Event } from "../made/messages.ts";

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
  coach?: Forms; // only of games that the coach knows
}

const HIDDEN = -2;

export const minus = (value: number) => String(value).replace("-", "−");

export function sentenceIn(words: GameWords, event: Event, names: readonly string[], you: number): string {
  const forms = words.events[event.kind];
  const person = event.seat === you && "you" in forms ? "you" : "they";
  const fits: [string, boolean][] = [
    ["_hidden", event.card === HIDDEN], // a card, but not for these eyes, or not any more
    ["_minus", event.value < 0],
    ["_none", event.value === 0],
    ["_one", Math.abs(event.value) === 1],
    ["", true],
  ];
  const [form] = fits.find(([form, right]) => right && person + form in forms)!;
  return filled(forms[person + form], words.cards, event.card, { player: names[event.seat] ?? "", value: minus(event.value) });
}

export function actionIn(words: GameWords, action: number): string {
  for (const [span, text] of Object.entries(words.actions)) {
    const [first, last = first] = span.split("-").map(Number);
    if (first <= action && action <= last) return filled(text, words.cards, action - first, {});
  }
  throw new Error(`no words for action ${action}`);
}

/** What was chosen, and what for, within a sentence; without a stake only the card. */
export function choiceIn(words: GameWords, face: number, stake?: number): string {
  return filled(words.coach![stake === undefined ? "card" : "choice"]!, words.cards, face, { value: minus(stake ?? 0) });
}

/** Put the names in: `{player}`, `{value}`, or a list of `cards`, which names the card. */
function filled(text: string, cards: Record<string, string[]>, card: number, more: Forms): string {
  return text.replace(/{(\w+)}/g, (_, hole: string) => more[hole] || cards[hole]?.at(card) || "");
}
