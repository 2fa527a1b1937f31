/** What somebody thought was in their pile, for the coach. It stays on this device. */
import { memory } from "../../lib/prefs.svelte.ts";

export type Guess = (number | null | undefined)[]; // by category; of what was not guessed there is nothing

const place = (code: string, lap: number, seat: number) => `memento.guess.${code}.${lap}.${seat}`;

export function guessed(code: string, lap: number, seat: number): Guess {
  return JSON.parse(memory.get(place(code, lap, seat)) ?? "[]") as Guess;
}

export const keep = (code: string, lap: number, seat: number, guess: Guess) => memory.set(place(code, lap, seat), JSON.stringify(guess));
