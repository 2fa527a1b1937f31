/** The games' drawings, found by their folders and loaded when a table needs them. */
import type { Component } from "svelte";
import type { Belief, Event, Pace, Story } from "../made/messages.ts";
import type { Choreography, Room } from "../lib/room.svelte.ts";
import type { Made } from "../lib/words.svelte.ts";

export interface Props<R = unknown, Facts = Record<string, unknown>> {
  room: Room<R>;
  made: Made<Facts>;
  names: string[]; // by seat, as they are called at this table
}

/** How the log and "why?" tell what happened: a picture of it, and fewer words. */
export interface Telling {
  Picture: Component<{ events: Event[]; names: string[]; you: number; small?: boolean }>;
  /** What makes the log's line. */
  line(events: Event[]): Event[];
  /** What "why?" goes through: all that the picture does not tell. */
  steps(events: Event[]): Event[];
}

/** The default export of `games/NAME/index.ts`. */
export interface Screen<R = unknown> extends Choreography<R> {
  /** Felt and dock: two elements, `.felt.felt--mat` and `.dock`. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  Table: Component<any>;
  /** What a seat has won, small, below its name at the end. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  Won: Component<any>;
  /** What the whole game tells about whoever played it. */
  Mind?: Component<{ story: Story }>;
  /** Below the title: "Round 6 of 15". */
  progress?(view: R): string;
  telling?: Telling;
}

/** The default export of `games/NAME/coach.ts`, where the coach needs more than words. */
export interface Talk {
  /** What can be chosen, small. */
  Face?: Component<{ face: number }>;
  /** What was believed and what was true, of one seat. */
  Believed?: Component<{ beliefs: Belief[]; code: string; made: Made }>;
  /** Where paws decide: how quick everybody was, with the eyes of one seat. Sections of the page. */
  Pace?: Component<{ paces: Pace[]; seat: number; names: string[]; code: string; made: Made }>;
}

const screens = import.meta.glob<{ default: Screen }>("./*/index.ts");
const talks = import.meta.glob<{ default: Talk }>("./*/coach.ts");
const words = import.meta.glob<{ default: Made }>("../made/*.json");

export async function load(game: string): Promise<{ screen: Screen; made: Made }> {
  const [screen, made] = await Promise.all([screens[`./${game}/index.ts`]!(), words[`../made/${game}.json`]!()]);
  return { screen: screen.default, made: made.default };
}

export const made = async (game: string): Promise<Made> => (await words[`../made/${game}.json`]!()).default;

export const talk = async (game: string): Promise<Talk | undefined> => (await talks[`./${game}/coach.ts`]?.())?.default;
