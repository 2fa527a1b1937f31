// One driver for every server: N tables with two seats, one move in flight per table, as fast as the server can.
//   node driver.mjs --server boardgameio|colyseus|cheeseboard --url http://127.0.0.1:PORT --pid SERVER
//                   [--tables 100] [--warm 8000 moves] [--seconds 5]
// A move counts when BOTH seats hold the state that follows it. Prints one JSON object. Any refusal ends the run: a
// server that refuses moves is not measured by counting them.
import { readFileSync, readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { boardgameio, cheeseboard, colyseus } from "./adapters.mjs";

const flags = {
  server: {},
  url: {},
  pid: {},
  tables: { default: "100" },
  warm: { default: "8000" },
  seconds: { default: "5" },
};
for (const flag of Object.values(flags)) flag.type = "string";
const asked = parseArgs({ options: flags }).values;
const [busy, warm, seconds, pid] = [asked.tables, asked.warm, asked.seconds, asked.pid].map(Number);
const adapter = { boardgameio, cheeseboard, colyseus }[asked.server];
const TICK_MS = 10; // of /proc's times, on every Linux that Node runs on
const AT_ONCE = 8; // tables being set up at the same time
const PATIENCE_MS = 60_000;

// --- What a process and all its children have used.

function family(pid) {
  const parents = new Map();
  for (const name of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const stat = stats(name);
    if (stat) parents.set(Number(name), Number(stat[1]));
  }
  const members = [pid];
  for (const member of members) for (const [child, parent] of parents) if (parent === member) members.push(child);
  return members;
}

function stats(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" "); // a program's name may hold spaces
  } catch {
    return null; // it has just ended
  }
}

function used() {
  const found = family(pid).map(stats).filter(Boolean);
  const sum = (number) => found.map(number).reduce((a, b) => a + b, 0);
  const { user, system } = process.cpuUsage();
  const [, ...ticks] = readFileSync("/proc/stat", "utf8").split("\n", 1)[0].split(/ +/).map(Number);
  return {
    at_ms: performance.now(),
    server_ms: sum((stat) => Number(stat[11]) + Number(stat[12])) * TICK_MS,
    driver_ms: (user + system) / 1000,
    machine_ms: (ticks.slice(0, 8).reduce((a, b) => a + b, 0) - ticks[3] - ticks[4]) * TICK_MS, // but idle, but waiting
    rss_mb: (sum((stat) => Number(stat[21])) * 4096) / 2 ** 20,
  };
}

// --- Tables, whose seats the adapters make.

const stock = []; // tables that are set up and wait for a place
let opened = 0;
let playing = false;
let late = []; // milliseconds of each move of this phase

async function furnish(count) {
  const begun = used();
  const fresh = [];
  let left = count;
  const worker = async () => {
    while (left-- > 0) fresh.push(await adapter.open(asked.url));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await until(() => fresh.every((seats) => seats.every((seat) => seat.cards().length)), "every seat holds its cards");
  stock.push(...fresh);
  opened += count;
  const done = used();
  return { cpu_ms: (done.server_ms - begun.server_ms) / count, rss_kb: ((done.rss_mb - begun.rss_mb) * 1024) / count };
}

function occupy(place) {
  if (!stock.length) return; // the place stays empty, and the run ends
  place.seats = stock.pop();
  place.turn = 0;
  for (const seat of place.seats) seat.heard = () => heard(place);
}

function move(place) {
  const seat = place.seats[place.turn];
  place.turn = 1 - place.turn;
  place.awaits = seat.n + 1;
  place.sent_ms = performance.now();
  const cards = seat.cards();
  seat.bid(cards[(place.awaits * 7) % cards.length]);
}

function heard(place) {
  const [one, other] = place.seats;
  if (!place.awaits || one.n < place.awaits || other.n < place.awaits) return;
  place.awaits = 0;
  if (playing) late.push(performance.now() - place.sent_ms); // what is answered after the end does not count
  if (one.over) {
    place.seats = null;
    occupy(place);
  }
  if (playing && place.seats) move(place);
}

// Plays until `enough`, or until the tables that end have used up the stock.
async function play(places, enough, what) {
  late = [];
  playing = true;
  const begun = used();
  for (const place of places) {
    if (!place.seats) occupy(place);
    move(place);
  }
  await until(() => enough(performance.now() - begun.at_ms) || places.some((place) => !place.seats), what);
  playing = false;
  const done = used();
  await until(() => places.every((place) => !place.awaits), "the last moves are answered");
  return [begun, done];
}

async function until(true_, what) {
  const begun = performance.now();
  while (!true_()) {
    if (performance.now() - begun > PATIENCE_MS + seconds * 1000) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

// --- The run.

const games = (moves) => (adapter.movesPerTable ? Math.ceil(moves / adapter.movesPerTable) : 0);
const fresh = used();
const setup = await furnish(busy + games(warm * 1.2));
const places = Array.from({ length: busy }, () => ({ seats: null, turn: 0, awaits: 0, sent_ms: 0 }));

const isWarm = (spent_ms) => late.length >= warm || spent_ms > PATIENCE_MS / 2; // a slow disk need not do them all
let [begun, done] = await play(places, isWarm, "the server is warm");
// Tables that end are replaced from a stock made beforehand: the price of setting up is measured, but not as moves.
const speed = late.length / (done.at_ms - begun.at_ms);
if (adapter.movesPerTable) await furnish(Math.max(0, games(speed * seconds * 1000 * 1.5) + busy - stock.length));

[begun, done] = await play(places, (spent_ms) => spent_ms >= seconds * 1000, "the time is up");
const spent_ms = done.at_ms - begun.at_ms;
const since = (key) => done[key] - begun[key];
const [server_ms, driver_ms, machine_ms] = [since("server_ms"), since("driver_ms"), since("machine_ms")];
const counted = late.sort((a, b) => a - b);
const quantile = (share) => counted[Math.floor(counted.length * share)];
const rounded = (number) => Math.round(number * 100) / 100;
const figures = {
  tables: busy,
  moves: counted.length,
  seconds: spent_ms / 1000,
  moves_per_s: (counted.length / spent_ms) * 1000,
  p50_ms: quantile(0.5),
  p99_ms: quantile(0.99),
  cpu_us_per_move: (server_ms / counted.length) * 1000,
  server_cpu_share: server_ms / spent_ms,
  driver_cpu_share: driver_ms / spent_ms,
  others_cpu_share: (machine_ms - server_ms - driver_ms) / spent_ms, // neither of us: the run was disturbed
  rss_before_mb: fresh.rss_mb,
  rss_after_mb: done.rss_mb,
  tables_opened: opened,
  setup_cpu_ms_per_table: setup.cpu_ms,
  setup_rss_kb_per_table: setup.rss_kb,
};
for (const name in figures) figures[name] = rounded(figures[name]);
console.log(JSON.stringify({ server: asked.server, ...figures }));
process.exit(0); // the sockets are still open
