/**
 * One table: the connection that comes back by itself, our part of the deal, and what is on show.
 *
 * `told` is the newest the house has told: from it comes what may be done. `stage` is what is on show: it follows through
 * the beats that the game's choreography makes of each telling, and never keeps anybody from acting.
 */
import * as deal from "../deal.js";
import type { Deal, Event, FromClient, FromHouse, Play, Refused, Said, Slap, TableInfo, Verdict, View } from "../made/messages.ts";
import { memory, prefs } from "./prefs.svelte.ts";
import { keep } from "./proof.ts";
import { Show, type Choreography } from "./show.svelte.ts";
import { tenths } from "./stamps.ts";
import { cues, play as sound } from "./sound.ts";

export type { Beat, Choreography } from "./show.svelte.ts";

export interface Entry {
  n: number;
  events: Event[];
  verdict?: Verdict | undefined; // of the race that ended with it
}

/** What a game's drawing may look at: a table that is played, or one that is told again. */
export type Shown<R = unknown> = Pick<Room<R>, keyof Room<R>>;

const WAIT_MS = [0, 300, 1000, 2000, 4000];
const HELD_MS = 900;
const QUIET_MS = 25_000; // then we ask whether the house is still there
const DEAD_MS = 10_000; // without an answer it is not
const BEATEN = new Set(["late", "false-start", "locked-out", "future-slap", "acted"]); // a paw that does not count is no mistake: the table tells of it
const GONE = new Set(["kicked", "banned", "closed", "no-table", "no-socket"]);

export class Room<R = unknown> extends Show<R> {
  info = $state.raw<TableInfo>();
  seats = $state.raw<number[]>([]);
  lead = $state(false);
  deal = $state.raw<Deal>();
  log = $state.raw<Entry[]>([]);
  said = $state.raw<Said[]>([]);
  refusal = $state.raw<{ code: string; text: string } | null>(null);
  beaten = $state(""); // why our last paw does not count
  online = $state(false);
  ended = $state(""); // why the house does not let us in any more
  moved = $state("");
  sent = $state<number | null>(null); // an action of ours on its way
  held = $state<number | null>(null); // one that may still be taken back

  you = $derived(this.told?.you ?? this.seats[0] ?? -1);
  legal = $derived(this.told && !this.info?.paused ? this.told.legal : []);
  mine = $derived(!!this.told && this.legal.length > 0 && this.told.waiting.includes(this.you));

  heardAt = 0; // when `told` came in, by this page's clock

  private socket: WebSocket | undefined;
  private open = new Map<string, Omit<Play, "t" | "id">>();
  private given = new Set<string>(); // our parts of the deal, on this line
  private verdict: Verdict | undefined; // judged, and not told yet
  private done = 0; // the number of our last act
  private tries = 0;
  private closed = false;
  private holding = 0;
  private silence = 0;

  /** `wanted`: from which of our seats to look, if we have several. */
  constructor(readonly code: string, private readonly watching = false, private wanted: number | null = null) {
    super();
    this.connect();
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
  }

  override leave() {
    super.leave();
    this.closed = true;
    clearTimeout(this.holding);
    clearTimeout(this.silence);
    removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    this.socket?.close();
  }

  /** What was told before the drawing was there is kept as the game wants it, too. */
  override choreograph(dance: Choreography<R>) {
    super.choreograph(dance);
    this.log = this.log.map((entry) => ({ ...entry, events: this.kept(entry.events, this.you) })).filter(({ events }) => events.length);
  }

  // --- acting ---------------------------------------------------------------------------------------------------------

  /** Do it. The last of a secret choice may be taken back for a moment, unless `now`; a paw in a race brings its stamp. */
  act(action: number, now = false, slap: Slap | null = null) {
    if (!this.legal.includes(action)) return;
    this.takeBack();
    const last = this.dance?.sealed && this.told?.waiting.length === 1 && this.mine;
    if (last && !now && prefs.factor > 0) {
      this.held = action;
      this.holding = window.setTimeout(() => this.act(action, true), HELD_MS * prefs.factor);
      return;
    }
    const id = deal.hex(crypto.getRandomValues(new Uint8Array(12)));
    const play = { action, seat: this.you, slap };
    this.sent = action;
    this.beaten = "";
    this.open.set(id, play);
    this.send({ t: "play", id, ...play });
  }

  takeBack() {
    clearTimeout(this.holding);
    this.held = null;
  }

  /** What view `e` shows was painted then, by this page's clock. */
  painted(e: number, at: number) {
    this.send({ t: "seen", e, ms: tenths(Math.max(0, at - this.heardAt)) });
  }

  say(phrase: string, text = "") {
    this.send({ t: "say", phrase, text });
  }

  /** See the table from another of our seats: several people, one device. */
  look(seat: number) {
    this.wanted = seat;
    this.takeBack();
    this.send({ t: "look", seat });
  }

  private send(message: FromClient) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  // --- staying connected ----------------------------------------------------------------------------------------------

  private connect = () => {
    const query = new URLSearchParams();
    if (this.told) query.set("since", String(this.told.n));
    const seat = this.watching ? -1 : this.wanted;
    if (seat !== null) query.set("seat", String(seat));
    const url = new URL(`/api/tables/${this.code}/play?${query}`, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = (this.socket = new WebSocket(url));
    socket.onopen = () => {
      this.online = true;
      this.tries = 0;
      this.given.clear();
      for (const [id, play] of this.open) this.send({ t: "play", id, ...play });
    };
    socket.onmessage = (message: MessageEvent<string>) => {
      const at = performance.now();
      this.heard();
      this.hear(JSON.parse(message.data) as FromHouse, at);
    };
    socket.onclose = () => {
      if (this.closed || socket !== this.socket) return;
      this.online = false;
      if (!this.ended) window.setTimeout(this.retry, WAIT_MS[Math.min(this.tries++, WAIT_MS.length - 1)]);
    };
    this.heard();
  };

  /** A dead line does not always say so. */
  private heard() {
    clearTimeout(this.silence);
    this.silence = window.setTimeout(() => {
      this.send({ t: "ping", at: performance.now() });
      this.silence = window.setTimeout(() => this.socket?.close(), DEAD_MS);
    }, QUIET_MS);
  }

  private retry = async () => {
    if (this.closed || this.socket?.readyState === WebSocket.OPEN || this.socket?.readyState === WebSocket.CONNECTING) return;
    if (this.tries > 1) {
      // a browser does not tell why a socket was refused; the same question by HTTP does
      const answer = await fetch(`/api/tables/${this.code}`).catch(() => null);
      if (answer?.status === 404) {
        this.ended = "no-table";
        return;
      }
    }
    this.connect();
  };

  /** Whoever came as nobody and has sat down since comes in anew: now the house knows them. */
  rejoin() {
    const before = this.socket;
    this.connect();
    before?.close();
  }

  private hurry = () => {
    if (document.visibilityState === "visible" && !this.online && !this.ended && !this.closed) void this.retry();
  };

  // --- hearing --------------------------------------------------------------------------------------------------------

  private hear(message: FromHouse, at: number) {
    switch (message.t) {
      case "table":
        this.info = message.table;
        this.seats = this.watching ? [] : message.you;
        this.lead = message.lead;
        if (this.deal) this.takePart(this.deal);
        break;
      case "deal":
        this.deal = message;
        this.takePart(message);
        break;
      case "view":
        this.heardAt = at;
        this.see(message as View & { view: R });
        break;
      case "judged":
        this.judge(message.verdict);
        break;
      case "done":
        this.open.delete(message.id);
        this.done = message.n;
        this.settle();
        break;
      case "refused":
        this.refused(message);
        break;
      case "said":
        this.said = [...this.said, message].slice(-30);
        break;
      case "moved":
        this.moved = message.table;
        break;
      case "bye":
        if (GONE.has(message.code)) this.ended = message.code;
        break;
    }
  }

  /** Ours is done, and told: others may have been told before it. */
  private settle() {
    if (!this.open.size && (this.told?.n ?? 0) >= this.done) this.sent = null;
  }

  private refused({ id, code, text }: Refused) {
    if (code.startsWith("deal-")) return; // another device of ours takes part
    this.open.delete(id);
    this.sent = null;
    if (BEATEN.has(code)) this.beaten = code;
    else this.refusal = { code, text };
  }

  private see(told: View & { view: R }) {
    const same = this.told?.you === told.you;
    const before = same ? (this.beats.at(-1) ?? this.stage)?.view ?? null : null;
    const turned = !this.mine;
    this.told = told;
    this.settle();
    const events = this.kept(told.events, told.you);
    if (events.length) this.write(told.n, events);
    if (this.dance) this.show(told, before);
    if (turned && this.mine && !this.dance?.racing?.(told.view)) sound(cues.yours);
  }

  /** Before it is told what came of it; once more, if our own paw came after that: now with its figures. */
  private judge(verdict: Verdict) {
    if (this.log.at(-1)?.verdict?.e === verdict.e) this.log = this.log.with(-1, { ...this.log.at(-1)!, verdict });
    else this.verdict = verdict;
  }

  /** What is told in two parts is one entry. */
  private write(n: number, events: Event[]) {
    const last = this.log.at(-1);
    const more = last?.n === n;
    const entry = { n, events: more ? [...last.events, ...events] : events, verdict: this.verdict ?? (more ? last.verdict : undefined) };
    this.log = [...(more ? this.log.slice(0, -1) : this.log), entry];
    this.verdict = undefined;
  }

  // --- the deal -------------------------------------------------------------------------------------------------------

  /** Put in a seed of our own for each of our seats. What we put in is kept, and with it what we then saw: our receipt. */
  private takePart(now: Deal) {
    for (const seat of this.seats) {
      const place = `seed.${now.table}.${now.attempt}.${seat}`;
      if (now.stage === "commit" && !memory.get(place)) memory.set(place, deal.hex(crypto.getRandomValues(new Uint8Array(32))));
      const seed = memory.get(place);
      const part = `${now.attempt}.${now.stage}.${seat}`;
      if (!seed || this.given.has(part)) continue;
      this.given.add(part);
      const hash = deal.hex(deal.seatCommit(now.table, now.epoch, now.attempt, seat, deal.unhex(seed)));
      if (now.stage === "commit") this.send({ t: "commit", attempt: now.attempt, hash, seat });
      else if (now.stage === "seed" && now.commits.some(([other, theirs]) => other === seat && theirs === hash))
        this.send({ t: "seed", attempt: now.attempt, seed, seat });
      else if (now.stage === "ready") keep(now, seat, seed);
    }
  }
}
