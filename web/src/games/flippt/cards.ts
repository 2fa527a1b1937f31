/** What the cards show and how the record counts them. */
import type { Flippt } from "../../made/records.ts";
import type { Made } from "../../lib/words.svelte.ts";

export interface Facts extends Record<string, unknown> {
  deck: {
    garments: { kind: string; colours: string[] }[];
    cheeses: string[];
    mice: { cheese: string; wears: string[] }[];
  };
}

export const PLACES = 7; // of a hand
export const SHOUT = 26; // actions after the 26 garments
export const LET_GO = 27;
export const EMPTY = -1;
export const HIDDEN = -2;
export const CHOOSE = 4; // the phase of calm tables; in a race all act at once
export const OVER = 127;

/** In this order they are drawn over each other: all parts of a mouse share one box. */
const LAYERS = "tail body feet shoes trousers arms shirt skirt dress tie jacket belt scarf head glasses hat bag paws ring".split(" ");
const BARE = new Set(["tail", "body", "feet", "arms", "paws"]);

export interface Garment {
  kind: string;
  colour: string;
}

/** By design, as the rules number them. */
export function garments(made: Made<Facts>): Garment[] {
  return made.facts.deck.garments.flatMap(({ kind, colours }) => colours.map((colour) => ({ kind, colour })));
}

export type Head = "look" | "happy" | "scared" | "sleep";

/** The drawings of a mouse from back to front. */
export function layers(made: Made<Facts>, mouse: number, head: Head): string[] {
  const worn = new Map(made.facts.deck.mice[mouse]!.wears.map((each) => each.split(" ").reverse() as [string, string]));
  return LAYERS.flatMap((layer) => {
    const colour = worn.get(layer);
    if (colour) return [`worn-${layer}-${colour}`];
    if (layer === "head") return [`head-${head}`];
    return BARE.has(layer) && !(layer === "feet" && worn.has("shoes")) ? [layer] : [];
  });
}

/** A set of numbers as the record has it. Those of 32 mice are too large for the operators on bits. */
export function members(set: number, most = 32): number[] {
  return Array.from({ length: most }, (_, i) => i).filter((i) => Math.floor(set / 2 ** i) % 2 === 1);
}

/** Layer k has the designs of which there are more than k cards: all cards, in the order of the designs. */
export function cardsOf(sets: readonly number[]): number[] {
  if ((sets[0] ?? HIDDEN) < 0) return [];
  return sets.flatMap((set) => members(set)).sort((a, b) => a - b);
}

/** Each card keeps its place for as long as it is held, and a new one comes where one has gone: fingers learn them. */
export function arrange(before: readonly number[], cards: readonly number[]): number[] {
  const left = [...cards];
  const take = (card: number) => {
    const found = left.indexOf(card);
    return found < 0 ? EMPTY : left.splice(found, 1)[0]!;
  };
  const kept = Array.from({ length: PLACES }, (_, place) => take(before[place] ?? EMPTY));
  return kept.map((card) => (card === EMPTY ? (left.shift() ?? EMPTY) : card));
}

export interface Tally {
  mice: number;
  laundry: number[]; // open on the line
  covered: number; // face down: one for every wrong shout
  cheeses: number[];
}

export function tally(view: Flippt, seat: number): Tally {
  return {
    mice: view.mice[seat]!,
    laundry: cardsOf(view.laundry[seat]!),
    covered: view.down[seat]!.filter((card) => card !== EMPTY).length,
    cheeses: members(view.cheeses[seat]!, 9),
  };
}

/** Three wrong shouts, then no more of them. */
export const lost = (view: Flippt, seat: number) => view.down[seat]?.every((card) => card !== EMPTY) ?? false;
