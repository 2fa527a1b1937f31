/** What the drawing says besides the game's own sentences. */
import type { Made } from "../../lib/words.svelte.ts";
import type { Rule } from "./cards.ts";

/** The game's own words, in one language. */
export type Said = Made["de"];

/** A row of the scoring: how many cards, how many kinds of all, and whether the condition is met. */
export interface Row {
  rule: Rule;
  colour: boolean;
  count: number;
  kinds: number;
  all: number;
  met: boolean;
}

const signed = (points: number) => (points < 0 ? `−${-points}` : `+${points}`);

export const words = {
  de: {
    memory: ["streng", "Notizbuch", "offen"],
    cards: (count: number) => (count === 1 ? "1 Karte" : `${count} Karten`),
    inMind: "nur im Kopf",
    lookUp: "Nachsehen",
    pile: (count: number) => (count === 1 ? "noch 1 Karte" : `noch ${count} Karten`),
    empty: "Dieser Stapel ist leer",
    faceDown: "verdeckte Karte",
    awake: "noch dabei",
    asleep: "hat gepasst",
    board: "Was zählt",
    piles: "Stapel",
    onlyYou: "Nur du siehst diese Karte.",
    everybody: "Merk sie dir gut.",
    noted: "Gemerkt",
    scoring: (round: number) => `Wertung der Runde ${round}`,
    last: "Letzte Wertung ansehen",
    colours: "Farben",
    shapes: "Formen",
    sortColours: "Nach Farben sortiert",
    sortShapes: "Und dieselben Karten nach Formen",
    onward: "Weiter",
    skip: "Alles zeigen",
    notYet: "wird noch gewertet",
    gained: (points: string) => `diese Runde ${points}`,
    dark: "Alle Augen zu.",
    guessTitle: "Was liegt in deinem Stapel?",
    guessHint: "Tippe, bevor er aufgedeckt wird.",
    guessOne: (what: string) => `${what}: eine Karte mehr`,
    guessLess: (what: string) => `${what}: eine Karte weniger`,
    reveal: "Aufdecken",
    report: "Dein Gedächtnis",
    yourGuess: "Tipp",
    truth: "Wahr",
    sum: "Diese Runde",
    perfect: "Alles richtig. Ein Elefantengedächtnis!",
    dreamt: (count: number, what: string) => `${what}: ${count} hast du dazugeträumt.`,
    lost: (count: number, what: string) => `${what}: ${count} hast du vergessen.`,
    believed: "Was du geglaubt und gehabt hast",
    catKnew: (known: number, cards: number) => (cards ? `Eine Katze hätte von deinen ${cards} Karten noch ${known} gewusst.` : "Du hattest keine Karte."),
    youKnew: (right: number, guesses: number) => `Dein Tipp: ${right} von ${guesses} richtig.`,
    thought: "Tipp",
    cat: "Katze",
    had: "Gehabt",
    gave: "Punkte",
    notebook: "Notizbuch",
    ownCards: "Deine Karten",
    openCards: (name: string) => `Von offenen Stapeln: ${name}`,
    secret: (count: number) => (count === 1 ? "und 1 verdeckte Karte" : `und ${count} verdeckte Karten`),
    noCards: "noch keine Karte",
    tally: (name: string) => `Deine Striche für ${name}`,
    tallyHint: "Tippen macht einen Strich. Das bleibt auf diesem Gerät.",
    stroke: (what: string, count: number) => `${what}: ${count}, noch ein Strich`,
    rub: (name: string) => `Striche für ${name} ausradieren`,
    because({ rule, colour, count, kinds, all, met }: Row): string {
      const each = signed(rule.points);
      const symbol = colour ? "Formen" : "Farben";
      if (rule.per === "symbol") return kinds === 1 ? `1 von ${all} ${symbol}: ${each}` : `${kinds} von ${all} ${symbol}: je ${each}`;
      switch (rule.when) {
        case "even":
        case "odd":
          if (!count) return "keine Karte";
          return `${count} ist ${count % 2 ? "ungerade" : "gerade"}: ${met ? `je ${each}` : "nichts"}`;
        case "exactly":
          return met ? `genau ${count}` : `${count} statt genau ${rule.number}`;
        case "fewer-than":
          return met ? `${count} ist weniger als ${rule.number}` : `${count} reichen`;
        case "every-symbol":
          return met ? `alle ${all} ${symbol} dabei` : `nur ${kinds} von ${all} ${symbol}`;
        case "largest":
          return met ? `${count}: der größte Stapel` : `${count}: nicht allein der größte Stapel`;
        case "smallest":
          return met ? `${count}: der kleinste Stapel` : `${count}: nicht allein der kleinste Stapel`;
        case "most":
          return met ? `${count}: mehr als alle anderen` : `${count}: nicht mehr als alle`;
        case "fewest":
          return met ? `${count}: weniger als alle anderen` : `${count}: nicht weniger als alle`;
        default:
          return count === 1 ? `1 Karte: ${each}` : count ? `${count} Karten: je ${each}` : "keine Karte";
      }
    },
  },
  en: {
    memory: ["strict", "notebook", "shown"],
    cards: (count: number) => (count === 1 ? "1 card" : `${count} cards`),
    inMind: "only in your head",
    lookUp: "Look up",
    pile: (count: number) => (count === 1 ? "1 card left" : `${count} cards left`),
    empty: "This pile is empty",
    faceDown: "face-down card",
    awake: "still in",
    asleep: "has passed",
    board: "What counts",
    piles: "Piles",
    onlyYou: "Only you see this card.",
    everybody: "Keep it in mind.",
    noted: "Got it",
    scoring: (round: number) => `Scoring of round ${round}`,
    last: "See the last scoring",
    colours: "Colours",
    shapes: "Shapes",
    sortColours: "Sorted by colour",
    sortShapes: "And the same cards by shape",
    onward: "Go on",
    skip: "Show all",
    notYet: "not scored yet",
    gained: (points: string) => `this round ${points}`,
    dark: "All eyes are shut.",
    guessTitle: "What is in your pile?",
    guessHint: "Guess before it is turned over.",
    guessOne: (what: string) => `${what}: one card more`,
    guessLess: (what: string) => `${what}: one card less`,
    reveal: "Turn over",
    report: "Your memory",
    yourGuess: "Guess",
    truth: "True",
    sum: "This round",
    perfect: "All correct. The memory of an elephant!",
    dreamt: (count: number, what: string) => `${what}: you dreamt up ${count}.`,
    lost: (count: number, what: string) => `${what}: you forgot ${count}.`,
    believed: "What you believed and what you had",
    catKnew: (known: number, cards: number) => (cards ? `A cat would still have known ${known} of your ${cards} cards.` : "You had no card."),
    youKnew: (right: number, guesses: number) => `Your guess: ${right} of ${guesses} right.`,
    thought: "Guess",
    cat: "Cat",
    had: "Had",
    gave: "Points",
    notebook: "Notebook",
    ownCards: "Your cards",
    openCards: (name: string) => `From open piles: ${name}`,
    secret: (count: number) => (count === 1 ? "and 1 face-down card" : `and ${count} face-down cards`),
    noCards: "no card yet",
    tally: (name: string) => `Your marks for ${name}`,
    tallyHint: "A tap makes a mark. They stay on this device.",
    stroke: (what: string, count: number) => `${what}: ${count}, one more mark`,
    rub: (name: string) => `Rub out the marks for ${name}`,
    because({ rule, colour, count, kinds, all, met }: Row): string {
      const each = signed(rule.points);
      const symbol = colour ? "shapes" : "colours";
      if (rule.per === "symbol") return kinds === 1 ? `1 of ${all} ${symbol}: ${each}` : `${kinds} of ${all} ${symbol}: ${each} each`;
      switch (rule.when) {
        case "even":
        case "odd":
          if (!count) return "no card";
          return `${count} is ${count % 2 ? "odd" : "even"}: ${met ? `${each} each` : "nothing"}`;
        case "exactly":
          return met ? `exactly ${count}` : `${count}, not ${rule.number}`;
        case "fewer-than":
          return met ? `${count} is fewer than ${rule.number}` : `${count} is enough`;
        case "every-symbol":
          return met ? `all ${all} ${symbol} there` : `only ${kinds} of ${all} ${symbol}`;
        case "largest":
          return met ? `${count}: the largest pile` : `${count}: not the one largest pile`;
        case "smallest":
          return met ? `${count}: the smallest pile` : `${count}: not the one smallest pile`;
        case "most":
          return met ? `${count}: more than all others` : `${count}: not more than all`;
        case "fewest":
          return met ? `${count}: fewer than all others` : `${count}: not fewer than all`;
        default:
          return count === 1 ? `1 card: ${each}` : count ? `${count} cards: ${each} each` : "no card";
      }
    },
  },
};
