/** Around a table: what the lobby shows, which tables this device knows, and how one is found, laid and joined. */
import type { FromHouse, GameInfo, SeatInfo, TableInfo } from "../made/messages.ts";
import { api } from "./api.ts";
import { memory, prefs, type Picture } from "./prefs.svelte.ts";
import { route } from "./route.svelte.ts";
import { toasts } from "./toasts.svelte.ts";
import { own, t, type Made } from "./words.svelte.ts";

// --- codes ------------------------------------------------------------------------------------------------------------

export const LETTERS = "abcdefghkmnpqrstuwxyz2346789";
export const LENGTH = 5;

/** The code in whatever was typed or pasted: "K7Q2M", "k7 q2 m", or a whole link. */
export function codeIn(text: string): string {
  const way = /\/t\/([a-z0-9]+)/i.exec(text)?.[1] ?? text;
  return [...way.toLowerCase()].filter((letter) => LETTERS.includes(letter)).slice(0, LENGTH).join("");
}

// --- games ------------------------------------------------------------------------------------------------------------

/** The shelf as it stood last time, so that it is there at once; then as the house says. */
class Shelf {
  games = $state.raw<GameInfo[]>(JSON.parse(memory.get("games") ?? "[]") as GameInfo[]);
  failed = $state(false);

  load = async () => {
    try {
      this.games = await api.games();
      this.failed = false;
      memory.set("games", JSON.stringify(this.games));
    } catch {
      this.failed = !this.games.length;
    }
  };

  game = (name: string) => this.games.find((each) => each.game === name);
}
export const shelf = new Shelf();

/** A name or a pitch that the house gives in all languages. */
export const said = (each: Record<string, string>) => own(each as Record<"de" | "en", string>);

/** What an option of a game means when it is set to `value`, as one sentence. */
export function meaning(made: Made, option: string, value: number | string): string {
  const forms = own(made).options[option];
  return forms?.[String(value)] ?? forms?.each?.replace("{value}", String(value)) ?? String(value);
}

// --- who we are -------------------------------------------------------------------------------------------------------

const dice = $state({ shown: Math.floor(Math.random() * 1000) });

/** A name for whoever has none yet. */
export function suggested(picture: Picture = prefs.picture): string {
  const first = t().lobby.nicknames;
  return t().lobby.nickname(first[dice.shown % first.length]!, t().common.pictures[picture]!);
}

export function another() {
  dice.shown++;
  prefs.set("name", suggested());
}

/** Our name at a table; whoever has not chosen one keeps the one that was suggested. */
export function myName(): string {
  const name = prefs.name.trim() || suggested();
  if (name !== prefs.name) prefs.set("name", name);
  return name;
}

/** Somebody who does not sit yet, as if they did: for their picture. */
export const asSeat = (kind: SeatInfo["kind"], picture: string, level = ""): SeatInfo => ({ kind, name: "", picture, level, here: true, away: false, handicap: 0, trust: "normal" });

// --- tables of this device --------------------------------------------------------------------------------------------

const KEPT = 12;
const codes = () => (memory.get("tables") ?? "").split(" ").filter(Boolean);

export const ours = {
  codes,
  keep: (code: string) => memory.set("tables", [code, ...codes().filter((each) => each !== code)].slice(0, KEPT).join(" ")),
  forget: (code: string) => memory.set("tables", codes().filter((each) => each !== code).join(" ")),
};

const OPEN = new Set(["gathering", "dealing", "playing"]);

/** Where we sit and can go on. Tables that are over are forgotten; without a network nothing is. */
export async function running(): Promise<TableInfo[]> {
  const found = await Promise.all(
    codes().map((code) =>
      api.table(code).then(
        (info) => info,
        (error: unknown) => (error instanceof Error && "code" in error && error.code === "no-table" ? code : null),
      ),
    ),
  );
  const open: TableInfo[] = [];
  for (const each of found) {
    if (each === null) continue;
    if (typeof each === "string") ours.forget(each);
    else if (OPEN.has(each.phase)) open.push(each);
    else ours.forget(each.table);
  }
  return open;
}

// --- the lobby, live --------------------------------------------------------------------------------------------------

const WAIT_MS = [300, 1000, 3000, 10_000];

/** The public tables, told by the house whenever something changes. */
export class Live {
  tables = $state.raw<TableInfo[]>([]);
  private socket: WebSocket | undefined;
  private tries = 0;
  private timer = 0;

  constructor() {
    this.connect();
  }

  private connect = () => {
    const url = new URL("/api/lobby", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = (this.socket = new WebSocket(url));
    socket.onmessage = (message: MessageEvent<string>) => {
      const heard = JSON.parse(message.data) as FromHouse;
      this.tries = 0;
      if (heard.t === "lobby") this.tables = heard.tables;
    };
    socket.onclose = () => {
      if (socket === this.socket) this.timer = window.setTimeout(this.connect, WAIT_MS[Math.min(this.tries++, WAIT_MS.length - 1)]);
    };
  };

  leave() {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = undefined;
    socket?.close();
  }
}

// --- doing ------------------------------------------------------------------------------------------------------------

/** How many sit at a table that nobody has thought about: one more than the fewest, at least three. */
export const company = ({ players: [least, most] }: GameInfo) => Math.min(most, Math.max(3, least + (least > 2 ? 1 : 0)));

/** One tap: a table against bots, and there we are. */
export async function playNow(game: GameInfo) {
  const bots = Array<string>(company(game) - 1).fill("bot:cat");
  try {
    const laid = await api.lay({ game: game.game, seats: ["me", ...bots], name: myName(), picture: prefs.picture });
    ours.keep(laid.table);
    route.go(laid.url);
  } catch (error) {
    toasts.refused(error);
  }
}

export async function sitDown(table: string, seat: number | null = null) {
  try {
    await api.sit(table, { name: myName(), picture: prefs.picture, seat });
    ours.keep(table);
    return true;
  } catch (error) {
    toasts.refused(error);
    return false;
  }
}

/** Do it, and say so if it could not be. */
export const ask = (what: Promise<unknown>) => what.catch((error: unknown) => toasts.refused(error));

/** Plain http in the home network has no clipboard; an old way has. */
export async function copy(text: string) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  toasts.show(t().common.copied, "good");
}

/** "30 seconds", "5 minutes" */
export function duration(seconds: number): string {
  const [count, unit] = seconds % 60 ? [seconds, "second"] : [seconds / 60, "minute"];
  return new Intl.NumberFormat(prefs.language, { style: "unit", unit, unitDisplay: "long" }).format(count);
}
