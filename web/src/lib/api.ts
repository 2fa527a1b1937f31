/** The house by HTTP. A refusal is a `Problem` with a code; the words for it are ours. */
import type { Bundle } from "../deal.js";
import type {
  Coaching, Code, GameInfo, Guest, Laid, Lesson, Moves, NewTable, Ok, Phrases, Problem, Proposals, Seated, Sit, Story, TableInfo, Weighing,
} from "../made/messages.ts";

export class Refusal extends Error {
  constructor(readonly code: string, text: string) {
    super(text);
  }
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch {
    throw new Refusal("offline", "the house does not answer");
  }
  const said = (await answer.json().catch(() => null)) as unknown;
  if (answer.ok && said !== null) return said as T;
  const problem = said as Problem | null;
  throw new Refusal(problem?.code ?? "our-fault", problem?.text ?? `got ${answer.status}`);
}

const at = (table: string) => `/tables/${encodeURIComponent(table)}`;

export const api = {
  games: () => ask<GameInfo[]>("GET", "/games"),
  lesson: (game: string) => ask<Lesson>("GET", `/games/${encodeURIComponent(game)}/lesson`),
  phrases: () => ask<Phrases>("GET", "/phrases"),
  tables: () => ask<TableInfo[]>("GET", "/tables"),
  table: (table: string) => ask<TableInfo>("GET", at(table)),
  lay: (wishes: Partial<NewTable> & Pick<NewTable, "game" | "seats">) => ask<Laid>("POST", "/tables", wishes),
  sit: (table: string, how: Partial<Sit> = {}) => ask<Seated>("POST", `${at(table)}/sit`, how),
  stand: (table: string, seat: number | null = null) => ask<Ok>("POST", `${at(table)}/stand`, { seat }),
  swap: (table: string, seat: number, other: number) => ask<Ok>("POST", `${at(table)}/swap`, { seat, other }),
  start: (table: string) => ask<Ok>("POST", `${at(table)}/start`),
  pause: (table: string, paused: boolean) => ask<Ok>("POST", `${at(table)}/pause`, { paused }),
  mute: (table: string, seat: number, muted: boolean) => ask<Ok>("POST", `${at(table)}/mute`, { seat, muted }),
  kick: (table: string, seat: number) => ask<Ok>("POST", `${at(table)}/kick`, { seat }),
  handicap: (table: string, seat: number, ms: number) => ask<Ok>("POST", `${at(table)}/handicap`, { seat, ms }),
  proposals: (table: string) => ask<Proposals>("GET", `${at(table)}/handicaps`),
  close: (table: string) => ask<Ok>("POST", `${at(table)}/close`),
  rematch: (table: string) => ask<Moves>("POST", `${at(table)}/rematch`),
  replay: (table: string) => ask<Bundle>("GET", `${at(table)}/replay`),
  story: (table: string, seat: number) => ask<Story>("GET", `${at(table)}/story?seat=${seat}`),
  coach: (table: string) => ask<Coaching>("GET", `${at(table)}/coach`),
  hint: (table: string, seat: number) => ask<Weighing>("GET", `${at(table)}/hint?seat=${seat}`),
  me: () => ask<Guest>("GET", "/me"),
  code: () => ask<Code>("POST", "/me/code"),
  device: (code: string) => ask<Guest>("POST", "/me/device", { code }),
  forget: () => ask<Ok>("DELETE", "/me"),
};
