/** What the drawing must know of the rules. A card is a number: animal times four plus value minus one. */
import type { Event } from "../../made/messages.ts";
import type { Mausen } from "../../made/records.ts";

export const ANIMALS = ["elephant", "dog", "cat", "mouse"] as const; // each hunts the next, the last hunts the first
export const CARDS = 16; // in a hand at the start
export const NOBODY = -1;
export const REFILL = 1; // the phase in which all put a card on the empty table

export const kindOf = (card: number) => card >> 2;
export const valueOf = (card: number) => (card & 3) + 1;
export const preyOf = (kind: number) => (kind + 1) % 4;
export const hunterOf = (kind: number) => (kind + 3) % 4;

/** What all cards of one animal are worth together. */
export const worth = (cards: readonly number[], kind: number) =>
  [0, 1, 2, 3].reduce((sum, at) => sum + cards[kind * 4 + at]! * (at + 1), 0);

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);

/** How many cards each still holds; all hold the same. What is not won and not in the middle is in the hands. */
export const left = ({ seats, middle, pile }: Mausen) => CARDS - (sum(middle) + sum(pile.slice(0, seats)) - 4) / seats;

export const REVEAL = 0;
export const TIES = 1;
export const HUNTERS = 2;
export const PREY = 3;

/** A hunt, as far as it has been told. */
export interface Hunt {
  step: number;
  cards: number[]; // what each seat has played
  out: number[]; // the seats whose card was tied
  tie: Event[]; // those told right now
  hunts: Event[]; // who hunts
  broken: number[]; // animals that were played and yet do not hunt
  won?: number[]; // how many cards each seat gets
}

/** The table on show: the record, and the hunt that is being told. */
export type Scene = Mausen & { hunt?: Hunt };

/** The whole hunt, from the events of the act that began it. */
export function huntIn(events: readonly Event[]): Hunt | null {
  const shown = events.filter(({ kind }) => kind === "shown");
  if (!shown.length) return null;
  const cards: number[] = [];
  for (const { seat, card } of shown) cards[seat] = card;
  return {
    step: PREY,
    cards,
    out: events.filter(({ kind }) => kind === "tied").map(({ seat }) => seat),
    tie: [],
    hunts: events.filter(({ kind }) => kind === "hunts"),
    broken: events.filter(({ kind }) => kind === "unhunted").map(({ card }) => kindOf(card)),
  };
}
