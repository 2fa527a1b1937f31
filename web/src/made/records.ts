/* Made by `make made` from the house's own types. Do not edit. */

export interface Geier {
  seats: number;
  phase: number;
  scores: number[];
  ranking: number;
  ties: number;
  cards: number;
  aid: number;
  prizes: number[];
  pot: number;
  left: number;
  lying: number;
  won: number[];
  hand: number[];
  missing: number;
  bid: number[];
  last: number[];
}
export type GeierEvent = "turned" | "pot" | "laid" | "shown" | "cancelled" | "taken" | "stays" | "lost" | "won";

export interface Maus {
  seats: number;
  phase: number;
  scores: number[];
  begins: number;
  start_mouse: number;
  turn: number;
  owner: number;
  tries: number;
  chips_left: number;
  chips: number[];
  unseen: number[];
  fresh: number[];
  first: number[];
  known: number[][];
  pile: number[];
  height: number;
  turned: number;
  cap: number;
}
export type MausEvent = "begins" | "dealt" | "opened" | "turned" | "next" | "hunt" | "missed" | "another" | "caught" | "chip" | "escaped" | "taken" | "anew" | "last_card" | "last_chip" | "out" | "stopped" | "left" | "won";

export interface Mausen {
  seats: number;
  phase: number;
  scores: number[];
  second_tie: number;
  last_card: number;
  scores_open: number;
  missing: number;
  choice: number[];
  last: number[];
  pile: number[];
  middle: number[];
  won: number[][];
  hand: number[];
}
export type MausenEvent = "laid" | "shown" | "tied" | "hunts" | "unhunted" | "stays" | "emptied" | "placed" | "left" | "scored" | "mice" | "won";

export interface Memento {
  seats: number;
  phase: number;
  scores: number[];
  deck: number;
  memory: number;
  lap: number;
  turn: number;
  passes: number;
  place: number;
  age: number[];
  laid: number[];
  scoring_left: number;
  lying: number[];
  top: number[];
  pool: number[];
  kinds: number;
  cards: number[];
  openly: number[][];
  secretly: number[][];
  points: number[][];
  revealed: number[][];
  counted: number[];
  held: number[][];
  marks: number[][];
}
export type MementoEvent = "age" | "turned" | "begins" | "took" | "drew" | "passed" | "all_passed" | "all_taken" | "shown" | "scored" | "total" | "won" | "laid_yellow" | "laid_red" | "laid_green" | "laid_blue" | "laid_circle" | "laid_triangle" | "laid_square" | "laid_star";

export interface Flippt {
  seats: number;
  phase: number;
  scores: number[];
  calm: number;
  seconds: number;
  heat: number;
  turner: number;
  shown: number;
  loose: number;
  cheese: number;
  silent: number;
  ready: number;
  slap: number[];
  order: number[];
  acted: number;
  settled: number;
  paws: number;
  refills: number;
  cards: number[];
  hand: number[][];
  pile: number;
  draw: number;
  discard: number[];
  last: number;
  laundry: number[][];
  down: number[][];
  mice_left: number;
  unknown: number;
  unseen: number;
  first: number;
  under: number[];
  mice: number[];
  caught: number[];
  cheese_left: number;
  unturned: number;
  cheese_under: number[];
  cheeses: number[];
}
export type FlipptEvent = "dealt" | "cheese" | "begins" | "turned" | "acted" | "reached" | "chosen" | "slapped" | "shouted" | "late" | "caught" | "blind" | "dirty" | "covered" | "stuck" | "under" | "walked" | "shuffled" | "drew" | "short" | "swapped" | "stalled" | "won";
