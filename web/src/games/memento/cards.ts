/** What the cards are: a design is a colour and a shape; a category is one of the colours or one of the shapes. */
import { facts } from "../../made/memento.json";
import type { Memento } from "../../made/records.ts";

export type Rule = {
  points: number;
  per?: string; // "card" or "symbol"; else once
  when?: string; // see game.toml
  number?: number;
};

export const EMPTY = -1;
export const HIDDEN = -2;
export const COLOURS = facts.colours.length;
export const LAPS = 3;
export const FACE_DOWN = 3;
export const PASS = 4;
export const STRICT = 0;
export const RULES: Rule[] = facts.scoring;
export const SIGNS = [...facts.colours, ...facts.shapes];

export const isColour = (category: number) => category < COLOURS;
export const colour = (design: number) => Math.floor(design / COLOURS);
export const shape = (design: number) => COLOURS + (design % COLOURS);
export const fits = (design: number, category: number) => (isColour(category) ? colour(design) : shape(design)) === category;

/** The categories in play, by what lies at them. */
export const inPlay = (laid: readonly number[]) => laid.flatMap((card, category) => (card >= 0 ? [category] : []));

/** One entry for each card of a collection, sorted. */
export const spread = (counts: readonly number[]) => counts.flatMap((count, design) => Array<number>(Math.max(count, 0)).fill(design));

/** How many cards of a category are in a collection. */
export const held = (counts: readonly number[], category: number) => counts.reduce((sum, count, design) => sum + (fits(design, category) ? count : 0), 0);

/** How many different shapes of a colour there are in a collection, or colours of a shape. */
export const kinds = (counts: readonly number[], category: number) => counts.filter((count, design) => count > 0 && fits(design, category)).length;

/** How many there could be. */
export const allKinds = (laid: readonly number[], category: number) => inPlay(laid).filter((other) => isColour(other) !== isColour(category)).length;

/** Whose eyes are shut: the last who passed, one after another. */
export function shut({ seats, turn, passes }: Memento): number[] {
  return Array.from({ length: passes }, (_, i) => (turn - 1 - i + 2 * seats) % seats);
}
