/* Made by `make made` from the house's own types. Do not edit. */

/** I do this. `seat` only when several people share this connection; `slap` only in a race. */
export interface Play {
  t: "play";
  id: string;
  action: number;
  seat?: number | null;
  slap?: Slap | null;
}

/** What a device knows of a paw in a race: what it was about (`n` of the view that showed it) and how long after
    painting it the paw came down. Without `ms` where that cannot be told: a hidden tab, a coarse timer, a long gap. */
export interface Slap {
  e: number;
  ms: number | null;
  input: "" | "key" | "mouse" | "pen" | "touch";
  step: number | null;
}

/** What view `e` shows is painted, so long after its message came in. */
export interface Seen {
  t: "seen";
  e: number;
  ms: number;
}

/** The hash of my seed for the deal. */
export interface Commit {
  t: "commit";
  attempt: number;
  hash: string;
  seat?: number | null;
}

/** My seed, now that all hashes are on the table. */
export interface Seed {
  t: "seed";
  attempt: number;
  seed: string;
  seat?: number | null;
}

/** A preset phrase or emote by its id, or free text where the host allows it. */
export interface Say {
  t: "say";
  phrase?: string;
  text?: string;
}

/** Show me the table from another of my seats: several people, one device. */
export interface Look {
  t: "look";
  seat: number;
}

export interface Ping {
  t: "ping";
  at: number;
}

/** Who sits where; `you` are the seats this connection may act for, `lead` says that you are the host. */
export interface Table {
  t: "table";
  table: TableInfo;
  you: number[];
  lead: boolean;
}

/** A table as everybody may see it: who sits where, not what they hold. */
export interface TableInfo {
  table: string;
  url: string;
  game: string;
  options: Record<string, unknown>;
  seats: SeatInfo[];
  host: number;
  phase: "closed" | "dealing" | "gathering" | "over" | "playing";
  public: boolean;
  start: "auto" | "host";
  paused: boolean;
  move_s: number;
  grace_s: number;
  free_text: boolean;
  hints: boolean;
  referee: "friends" | "machines" | "ranked";
  level: string;
  watching: number;
  series: number[];
  played: number;
  before: string;
  next: string;
  made_ms: number;
  n: number;
}

export interface SeatInfo {
  kind: "bot" | "open" | "person";
  name: string;
  picture: string;
  level: string;
  here: boolean;
  away: boolean;
  handicap: number;
  trust: "no-claim" | "normal" | "unbound" | "watch";
}

/** The deal protocol so far, whole. `stage`: commit -> seed -> ready -> shown. */
export interface Deal {
  t: "deal";
  table: string;
  epoch: number;
  attempt: number;
  stage: "commit" | "ready" | "seed" | "shown";
  rules: string;
  deck: string;
  server: string;
  commits: ([number, string])[];
  seeds: ([number, string])[];
  transcript: string;
  fingerprint: string;
  key_hash: string;
  key: string;
  root: string;
  voids: Voided[];
}

export interface Voided {
  attempt: number;
  server: string;
  root: string;
  missing: number[];
}

/** The whole table through your eyes. It tells of the acts since + 1 to n; nothing has to be added up.

    What there is to race for is covered at first, and nothing can be done; then it is revealed to all together, with
    the events that were held back. */
export interface View {
  t: "view";
  n: number;
  since: number;
  you: number;
  view: Record<string, unknown>;
  legal: number[];
  waiting: number[];
  events: Event[];
  over: boolean;
  result: Result | null;
  part: "covered" | "revealed" | "whole";
}

/** What happened, for eyes; on the wire it is the same. */
export interface Event {
  kind: string;
  seat: number;
  card: number;
  value: number;
  clause: string;
}

export interface Result {
  scores: number[];
  places: number[];
}

/** Who was first in the race that view `e` opened, with every figure it follows from. */
export interface Judged {
  t: "judged";
  verdict: Verdict;
}

/** All paws of one race, the fastest first, and who of them is first: one, or all of a dead heat in drawn order. */
export interface Verdict {
  e: number;
  preset: "friends" | "machines" | "ranked";
  version: number;
  heat: number;
  paws: Paw[];
  first: number[];
  early: Paw[];
}

/** One slap: first what was measured and claimed, then what follows from it. */
export interface Paw {
  seat: number;
  bot: boolean;
  elapsed: number;
  claim: number | null;
  trip: number;
  kernel: number | null;
  jitter: number;
  budget: number;
  loop: number;
  handicap: number;
  tier: "no-claim" | "normal" | "watch";
  seen: number | null;
  input: string;
  step: number | null;
  comp: number;
  score: number;
  doubt: number;
  left: number;
  marks: string[];
}

/** Your act is on disk: it is number n of this table. */
export interface Done {
  t: "done";
  id: string;
  n: number;
}

/** It could not be; nothing has changed. `text` says what was expected, what came, and where. */
export interface Refused {
  t: "refused";
  id: string;
  code: string;
  text: string;
}

export interface Said {
  t: "said";
  seat: number;
  name: string;
  phrase: string;
  text: string;
  at_ms: number;
}

/** The company plays on at another table. */
export interface Moved {
  t: "moved";
  table: string;
}

/** The house closes this connection. Come back after so many seconds, if it says so. */
export interface Bye {
  t: "bye";
  code: string;
  text: string;
  retry_s: number | null;
}

export interface Pong {
  t: "pong";
  at: number;
  now_ms: number;
}

export interface Lobby {
  t: "lobby";
  tables: TableInfo[];
}

/** A table to be laid. `seats`: "me" (again for each who shares this device), "open" or "bot:LEVEL". */
export interface NewTable {
  game: string;
  seats: string[];
  options?: Record<string, number | string | number[]>;
  name?: string;
  picture?: string;
  public?: boolean;
  start?: "auto" | "host";
  move_s?: number;
  grace_s?: number;
  free_text?: boolean;
  hints?: boolean;
  referee?: "friends" | "ranked";
}

/** `seat`: which; the first open one if not given. `also`: one more seat on the same device. */
export interface Sit {
  name?: string;
  picture?: string;
  seat?: number | null;
  also?: boolean;
}

export interface Stand {
  seat?: number | null;
}

/** Change places: `seat` with `other`; your own with an open one, or any two if you are the host. */
export interface Swap {
  seat: number;
  other: number;
}

/** A head start for a seat in races, openly: so many milliseconds are taken off its times. */
export interface Handicap {
  seat: number;
  ms: number;
}

export interface Kick {
  seat: number;
}

export interface Pause {
  paused: boolean;
}

export interface Mute {
  seat: number;
  muted: boolean;
}

/** A table is laid. */
export interface Laid {
  table: string;
  url: string;
  seats: number[];
  phase: string;
}

export interface Seated {
  seat: number;
}

export interface Moves {
  table: string;
  url: string;
}

export interface Ok {
  ok: boolean;
}

export interface Guest {
  person: string;
  name: string;
  token: string;
}

export interface Code {
  code: string;
  seconds: number;
}

/** Every refusal by HTTP. */
export interface Problem {
  code: string;
  text: string;
}

export interface Me {
  name: string;
}

export interface DeviceCode {
  code: string;
}

export interface GameInfo {
  game: string;
  title: Record<string, string>;
  pitch: Record<string, string>;
  players: [number, number];
  age: number;
  minutes: number;
  version: number;
  options: Record<string, (number | string)[]>;
  actions: number;
  bots: string[];
}

/** By id, in every language. */
export interface Phrases {
  phrases: Record<string, Record<string, string>>;
  emotes: Record<string, EmoteInfo>;
  refusals: Record<string, Record<string, string>>;
}

export interface EmoteInfo {
  emoji: string;
  names: Record<string, string>;
}

/** Everything the house keeps about one person. */
export interface Person {
  person: string;
  name: string;
  made_ms: number;
  seen_ms: number;
  tables: (Record<string, unknown>)[];
}

/** A finished game from its beginning, act by act, as one seat or a spectator saw it; and the verdicts on its
    races, each with the number of the act that ended it. */
export interface Story {
  table: TableInfo;
  views: View[];
  races: ([number, Verdict])[];
}

/** A finished game with the eyes of a coach; `beliefs`, where cards have to be remembered; `paces`, where it was
    raced. */
export interface Coaching {
  table: TableInfo;
  moments: Moment[];
  beliefs: Belief[];
  paces: Pace[];
}

/** What changed each seat's share of the win, up to act `n` of the story; `stake` is what it was about. */
export interface Moment {
  n: number;
  round: number;
  stake: number;
  before: number[];
  deal: number[];
  skill: number[];
  draw: number[];
  after: number[];
  choices: Weighing[];
}

/** A choice: what it gave away of the win, and for each action how often it is right and what it would be worth.

    `faces` say by which of the game's words each is named; `error` is the standard error of a cost. */
export interface Weighing {
  seat: number;
  action: number;
  cost: number;
  actions: number[];
  faces: number[];
  mix: number[];
  worth: number[];
  error: number;
}

/** When a round was counted: what a seat had of each kind of card, what that gave; `known` to those who forget. */
export interface Belief {
  round: number;
  seat: number;
  kinds: number[];
  held: number[];
  points: number[];
  known: Record<string, number[]>;
}

/** How quick and how sure a seat was: paws that were first, late ones, false starts (`early`).

    `hasty` wrong ones were quicker than usual. `level` has about this pace; `levels` would need so long. */
export interface Pace {
  seat: number;
  races: number;
  first: number;
  late: number;
  behind: number | null;
  early: number;
  wrong: number;
  hasty: number;
  kinds: PaceKind[];
  level: string;
  levels: Record<string, number>;
  marks: Mark[];
}

/** Paws by what the hand asked for: the middle half of the times; and what became of all there was to win.

    `passed` were let go, to the `idle` ones no paw came in time; `behind` is the middle of the late ones. */
export interface PaceKind {
  kind: number;
  paws: number;
  low: number | null;
  middle: number | null;
  high: number | null;
  chances: number;
  right: number;
  wrong: number;
  late: number;
  passed: number;
  idle: number;
  behind: number | null;
}

/** A paw in the race that act `n` of the story opened: after how many milliseconds, and how far behind the first.

    `kind` is what the hand asked for. */
export interface Mark {
  n: number;
  kind: number;
  ms: number;
  how: "late" | "right" | "wrong";
  behind: number;
}

/** A short game on rails, played by the real rules; the learner sits at `seat`. */
export interface Lesson {
  game: string;
  options: Record<string, unknown>;
  names: string[];
  seat: number;
  steps: LessonStep[];
}

/** What is told to the learner at this point; `act` is what has to be done to go on, -1 if it is only read. */
export interface LessonStep {
  say: Record<string, string>;
  view: View;
  act: number;
}

export interface Proposals {
  proposals: Proposal[];
}

/** What the past races of the person on this seat say: how many paws, how quick in the middle, and the head start
    that would make up for it. */
export interface Proposal {
  seat: number;
  paws: number;
  median_ms: number;
  handicap: number;
}

export type FromClient = Play | Seen | Commit | Seed | Say | Look | Ping;

export type FromHouse = Table | Deal | View | Judged | Done | Refused | Said | Moved | Bye | Pong | Lobby;
