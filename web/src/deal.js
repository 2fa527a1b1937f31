// @ts-check
/**
 * The verifiable deal, the twin of `src/cheeseboard/deal.py` for browsers: same names, same bytes.
 *
 * SHA-256 is written out here because browsers offer theirs only to pages from https or localhost, and a family
 * plays over plain http in its own network. No dependency; node runs this file as it stands.
 *
 * `verifyDeal` does the sums of `cheeseboard verify`, without the rules of the games.
 *
 * @typedef {[seat: number, hex: string][]} Pairs
 * @typedef {{attempt: number, server: string, root: string, commits: Pairs, seeds: Pairs, missing: number[]}} Failed
 * @typedef {{epoch: number, attempt: number, server: string, deck: string, commits: Pairs, seeds: Pairs,
 *   transcript: string, key_hash: string, key: string, root: string, voids: Failed[]}} Deal
 * @typedef {{n: number, seat: number, action: number, luck: number[], at_ms: number, id: string, chain: string}} Row
 * @typedef {{format: string, table: string, game: string, version: number, seats: number,
 *   options: Record<string, string | number | number[]>, deal: Deal, log: Row[], closed: boolean,
 *   result: {scores: number[], places: number[]} | null}} Bundle
 * @typedef {{format: string, table: string, seat: number, attempt: number, server: string, commits: Pairs,
 *   seed: string, transcript: string}} Receipt
 * @typedef {{id: string, ok: boolean | null, says: string}} Check  `ok` is null for what cannot be checked
 * @typedef {{verdict: "ok" | "false" | "cannot be checked", checks: Check[]}} Report
 */

/** Before every name of a use, so that no hash of one use can serve for another. Only the published vector differs. */
export const protocol = { label: "cheeseboard/v1/" };

export const REPLAY = "cheeseboard/replay/1";
export const RECEIPT = "cheeseboard/receipt/1";

// --- bytes -----------------------------------------------------------------------------------------------------------

const utf8 = new TextEncoder();

/** @param {Uint8Array[]} parts */
function join(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** @param {Uint8Array} bytes */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * 32 bytes from 64 hexadecimal digits.
 * @param {string} text
 */
export function unhex(text) {
  if (typeof text !== "string" || !/^[0-9a-f]{64}$/.test(text)) {
    throw new RangeError(`expected 64 hexadecimal digits, got ${JSON.stringify(text)}`);
  }
  return Uint8Array.from({ length: 32 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

/** @param {number} n */
export function u32(n) {
  if (!Number.isInteger(n) || n < 0 || n > 0xffffffff) throw new RangeError(`expected 0 to 2^32 - 1, got ${n}`);
  return Uint8Array.of(n >>> 24, n >>> 16, n >>> 8, n);
}

/** @param {number} n */
export function u64(n) {
  if (!Number.isSafeInteger(n) || n < 0) throw new RangeError(`expected 0 to 2^53 - 1, got ${n}`);
  return join(u32(Math.floor(n / 2 ** 32)), u32(n % 2 ** 32));
}

/**
 * The parts one after the other, each behind its length: two different lists never give the same bytes.
 * @param {Uint8Array[]} parts
 */
export function lp(...parts) {
  return join(...parts.flatMap((part) => [u32(part.length), part]));
}

/** @param {string} use */
const label = (use) => utf8.encode(protocol.label + use);

// --- SHA-256 and HMAC ------------------------------------------------------------------------------------------------

const PRIMES = [2];
for (let n = 3; PRIMES.length < 64; n += 2) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);

/**
 * The first 32 bits of the fractional part of a root of a prime. A double alone is short of bits for the larger ones;
 * the estimate is therefore corrected in whole numbers: the greatest x with x^power <= prime * 2^(32 * power).
 * @param {number} prime
 * @param {bigint} power
 */
function fraction(prime, power) {
  const goal = BigInt(prime) << (32n * power);
  let x = BigInt(Math.floor(prime ** (1 / Number(power)) * 2 ** 32));
  while (x ** power > goal) x -= 1n;
  while ((x + 1n) ** power <= goal) x += 1n;
  return Number(x & 0xffffffffn);
}

const START = PRIMES.slice(0, 8).map((prime) => fraction(prime, 2n));
const ROUND = Int32Array.from(PRIMES, (prime) => fraction(prime, 3n));

/**
 * SHA-256.
 * @param {Uint8Array} data
 */
export function digest(data) {
  const padded = new Uint8Array(((data.length + 8) >> 6 << 6) + 64);
  padded.set(data);
  padded[data.length] = 0x80;
  padded.set(u64(data.length * 8), padded.length - 8);
  const words = new DataView(padded.buffer);
  const hash = Int32Array.from(START);
  const w = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = words.getInt32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15];
      const y = w[i - 2];
      const near = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
      const far = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
      w[i] = w[i - 16] + near + w[i - 7] + far;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      const choice = (e & f) ^ (~e & g);
      const most = (a & b) ^ (a & c) ^ (b & c);
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + ROUND[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + most) | 0;
      h = g; // one by one: a swap by lists costs ten times as much until the engine has warmed up
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (hash[i] += word));
  }
  const out = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => out.setInt32(4 * i, word));
  return new Uint8Array(out.buffer);
}

/**
 * @param {number} word
 * @param {number} by
 */
function turn(word, by) {
  return (word >>> by) | (word << (32 - by));
}

/**
 * HMAC with SHA-256.
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 */
export function mac(key, message) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? digest(key) : key);
  const inner = digest(join(block.map((byte) => byte ^ 0x36), message));
  return digest(join(block.map((byte) => byte ^ 0x5c), inner));
}

// --- the deal --------------------------------------------------------------------------------------------------------

/**
 * What is played: by which rules, by how many, with which options.
 * @param {string} game
 * @param {number} version
 * @param {number} seats
 * @param {Record<string, unknown>} options
 */
export function deckHash(game, version, seats, options) {
  return digest(utf8.encode(canonical({ game, options, seats, version })));
}

/**
 * JSON in the one spelling that is hashed: keys in the order of their characters, no spaces.
 * @param {unknown} value
 * @returns {string}
 */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const fields = /** @type {Record<string, unknown>} */ (value);
  const keys = Object.keys(fields).sort(byCharacters);
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(fields[key])}`).join(",")}}`;
}

/**
 * Whole characters, not the 16-bit halves that JavaScript sorts by: 😀 comes after ﬀ.
 * @param {string} a
 * @param {string} b
 */
function byCharacters(a, b) {
  const [these, those] = [a, b].map((text) => Array.from(text, (letter) => letter.codePointAt(0) ?? 0));
  const at = these.findIndex((letter, i) => letter !== those[i]);
  return at < 0 ? these.length - those.length : at < those.length ? these[at] - those[at] : 1;
}

/**
 * @param {string} table
 * @param {number} epoch
 * @param {number} attempt
 * @param {Uint8Array} root
 */
export function serverCommit(table, epoch, attempt, root) {
  return digest(lp(label("server-commit"), utf8.encode(table), join(u32(epoch), u32(attempt)), root));
}

/**
 * The hash of a seed. The seat is part of it: nobody can hand in another's hash as his own.
 * @param {string} table
 * @param {number} epoch
 * @param {number} attempt
 * @param {number} seat
 * @param {Uint8Array} seed
 */
export function seatCommit(table, epoch, attempt, seat, seed) {
  const place = join(u32(epoch), u32(attempt), u32(seat));
  return digest(lp(label("client-commit"), utf8.encode(table), place, seed));
}

/**
 * Everything that was said before the deal, as one hash.
 * @param {string} table
 * @param {number} epoch
 * @param {number} attempt
 * @param {string} rules "game@version"
 * @param {Uint8Array} deck
 * @param {Uint8Array} server
 * @param {[seat: number, commit: Uint8Array, seed: Uint8Array][]} entries
 */
export function transcript(table, epoch, attempt, rules, deck, server, entries) {
  const place = join(u32(epoch), u32(attempt));
  const head = lp(label("transcript"), utf8.encode(table), place, utf8.encode(rules), deck, server);
  const ordered = [...entries].sort((a, b) => a[0] - b[0]);
  return digest(join(head, ...ordered.map(([seat, commit, seed]) => lp(u32(seat), commit, seed))));
}

/**
 * The key of deal k.
 * @param {Uint8Array} root
 * @param {Uint8Array} transcript
 */
export function dealKey(root, transcript, k = 1) {
  return mac(mac(root, lp(label("master"), transcript)), lp(label("deal"), u32(k)));
}

/** An endless row of numbers that only the key and the purpose decide. */
export class Stream {
  /**
   * @param {Uint8Array} key
   * @param {string} purpose
   */
  constructor(key, purpose) {
    this.key = key;
    this.purpose = utf8.encode(purpose);
    this.taken = 0; // words so far; four make a block
    this.block = new DataView(new ArrayBuffer(32));
  }

  word() {
    const at = this.taken % 4;
    if (at === 0) {
      this.block = new DataView(mac(this.key, lp(label("stream"), this.purpose, u64(this.taken / 4))).buffer);
    }
    this.taken += 1;
    return this.block.getBigUint64(8 * at);
  }

  /**
   * A number from 0 to n - 1, each equally likely: words beyond the last whole multiple of n are passed over.
   * @template {number | bigint} T
   * @param {T} n
   * @returns {T} of the kind that n is
   */
  below(n) {
    const many = BigInt(n);
    if (many < 1n || many > 1n << 64n) throw new RangeError(`expected 1 to 2^64 possibilities, got ${n}`);
    const fair = (1n << 64n) - ((1n << 64n) % many);
    let word = this.word();
    while (word >= fair) word = this.word();
    return /** @type {T} */ (typeof n === "bigint" ? word % many : Number(word % many));
  }
}

/**
 * The transcript as four words to compare aloud: each 16 bits are consonant, vowel, consonant, vowel, consonant.
 * @param {Uint8Array} transcript
 */
export function fingerprint(transcript) {
  const [consonants, vowels] = ["bdfghjklmnprstvz", "aiou"];
  return [0, 2, 4, 6]
    .map((at) => (transcript[at] << 8) | transcript[at + 1])
    .map((bits) =>
      [
        consonants[bits >> 12],
        vowels[(bits >> 10) & 3],
        consonants[(bits >> 6) & 15],
        vowels[(bits >> 4) & 3],
        consonants[bits & 15],
      ].join(""),
    )
    .join(" ");
}

/**
 * @param {string} table
 * @param {Uint8Array} transcript
 */
export function chainStart(table, transcript) {
  return digest(lp(label("chain"), utf8.encode(table), transcript));
}

/**
 * The hash of a row of the log and of all rows before it.
 * @param {Uint8Array} chain
 * @param {Omit<Row, "chain">} row
 */
export function chainNext(chain, { n, seat, action, luck, at_ms, id }) {
  return digest(lp(chain, u32(n), u32(seat), u32(action), Uint8Array.from(luck), u64(at_ms), utf8.encode(id)));
}

// --- was it fair? ----------------------------------------------------------------------------------------------------

/**
 * The sums of a replay bundle, compared with the receipt kept before play. The rules are not asked here.
 * @param {Bundle} bundle
 * @param {Receipt} [receipt]
 * @returns {Report}
 */
export function verifyDeal(bundle, receipt) {
  /** @type {Check[]} */
  let checks;
  try {
    expectForm(expectFormat(bundle, REPLAY));
    checks = [root, seeds, wholeTranscript, key, voids, chain].map((check) => check(bundle));
    if (receipt) checks.push(asKept(bundle, expectFormat(receipt, RECEIPT)));
  } catch (error) {
    checks = [{ id: "file", ok: null, says: String(error) }];
  }
  const found = checks.map((check) => check.ok);
  return { verdict: found.includes(false) ? "false" : found.includes(null) ? "cannot be checked" : "ok", checks };
}

/**
 * @template {{format: string}} T
 * @param {T} paper
 * @param {string} format
 */
function expectFormat(paper, format) {
  if (paper?.format !== format) throw new TypeError(`expected the format ${format}, got ${paper?.format}`);
  return paper;
}

/**
 * What arithmetic alone would let pass: a number too large for its byte, a pair of three.
 * @param {Bundle} bundle
 */
function expectForm({ deal, log }) {
  for (const [seat, text, ...more] of [deal, ...deal.voids].flatMap(({ commits, seeds }) => [...commits, ...seeds])) {
    if (more.length) throw new TypeError(`expected pairs of seat and hash, got ${more.length} more`);
    u32(seat);
    unhex(text);
  }
  for (const card of log.flatMap((row) => row.luck)) {
    if (u32(card).some((byte, i) => byte && i < 3)) throw new RangeError(`expected luck below 256, got ${card}`);
  }
}

/** @param {Bundle} bundle */
function root({ table, deal }) {
  const fits = serverCommit(table, deal.epoch, deal.attempt, unhex(deal.root));
  return finding("root", same("the house's hash", hex(fits), deal.server), "the root fits the house's hash");
}

/** @param {Bundle} bundle */
function seeds(bundle) {
  const { commits, seeds, attempt } = bundle.deal;
  const seats = seeds.map(first);
  const faults = [
    ...roster(bundle, commits.map(first)),
    ...same("seats with a seed", commits.map(first), seats),
    ...fitting(bundle, attempt, commits, seeds),
  ];
  const who = `seats ${seats.join(", ")} took part, and every seed fits its hash`;
  return finding("seeds", faults, seats.length ? who : "nobody but the house took part in this deal");
}

/** @param {Bundle} bundle */
function wholeTranscript({ table, game, version, seats, options, deal }) {
  const deck = deckHash(game, version, seats, options);
  const hashes = new Map(deal.commits);
  /** @type {[number, Uint8Array, Uint8Array][]} */
  const entries = deal.seeds.map(([seat, seed]) => {
    const commit = hashes.get(seat);
    return [seat, commit ? unhex(commit) : new Uint8Array(), unhex(seed)];
  });
  const rules = `${game}@${version}`;
  const words = transcript(table, deal.epoch, deal.attempt, rules, deck, unhex(deal.server), entries);
  const faults = [
    ...same("the hash of game and options", hex(deck), deal.deck),
    ...same("transcript", hex(words), deal.transcript),
  ];
  return finding("transcript", faults, "the transcript holds this game, these options and all seeds");
}

/** @param {Bundle} bundle */
function key({ deal }) {
  const made = dealKey(unhex(deal.root), unhex(deal.transcript));
  const faults = [
    ...same("key", hex(made), deal.key),
    ...same("the hash of the key", hex(digest(made)), deal.key_hash),
  ];
  return finding("key", faults, "the key comes from root and transcript, and fits its hash");
}

/** @param {Bundle} bundle */
function voids(bundle) {
  const { deal } = bundle;
  const attempts = Array.from({ length: deal.attempt }, (_, attempt) => attempt);
  const faults = same("void attempts", attempts, deal.voids.map((failed) => failed.attempt));
  const roots = [...deal.voids.map((failed) => failed.root), deal.root];
  if (new Set(roots).size < roots.length) faults.push("expected a new root for each attempt, got one a second time");
  const rosters = [...deal.voids.map((failed) => [...failed.commits.map(first), ...failed.missing])];
  rosters.push(deal.commits.map(first));
  /** @type {number[]} */
  const missed = [];
  deal.voids.forEach((failed, i) => {
    missed.push(...failed.missing);
    faults.push(...oneVoid(bundle, failed).map((fault) => `attempt ${failed.attempt}: ${fault}`));
    const fresh = without(rosters[i + 1], rosters[i]);
    const gone = without(rosters[i], rosters[i + 1], missed);
    const after = `after attempt ${failed.attempt}`;
    if (fresh.length) faults.push(`${after}: expected no new seats, got ${fresh.join(", ")}`);
    if (gone.length) faults.push(`${after}: expected seats ${gone.join(", ")} again, for they were never missing`);
  });
  const told = deal.voids.map((failed) => {
    return `attempt ${failed.attempt} was void, missing: seats ${failed.missing.join(", ")}`;
  });
  return finding("voids", faults, told.join("; ") || "the first attempt to deal succeeded");
}

/**
 * @param {Bundle} bundle
 * @param {Failed} failed
 */
function oneVoid(bundle, { attempt, server, root, commits, seeds, missing }) {
  const spoke = seeds.map(first);
  const faults = [
    ...same("the house's hash", hex(serverCommit(bundle.table, bundle.deal.epoch, attempt, unhex(root))), server),
    ...roster(bundle, commits.map(first)),
    ...roster(bundle, spoke),
    ...roster(bundle, missing),
    ...fitting(bundle, attempt, commits, seeds),
  ];
  if (!missing.length) faults.push("expected missing seats, got none: nothing was wrong with this attempt");
  const silent = without(commits.map(first), spoke, missing);
  if (silent.length) faults.push(`expected seats ${silent.join(", ")} among the missing`);
  const heard = missing.filter((seat) => spoke.includes(seat));
  if (heard.length) faults.push(`expected seats without a seed as missing, got ${heard.join(", ")}`);
  return faults;
}

/** @param {Bundle} bundle */
function chain({ table, deal, log }) {
  let hash = chainStart(table, unhex(deal.transcript));
  for (const [i, row] of log.entries()) {
    hash = chainNext(hash, row);
    const faults = [...same("its number", i + 1, row.n), ...same("its hash", hex(hash), row.chain)];
    if (faults.length) return finding("chain", faults.map((fault) => `log row ${i + 1}: ${fault}`), "");
  }
  return finding("chain", [], `each of the ${log.length} log rows carries the hash of all before it`);
}

/**
 * @param {Bundle} bundle
 * @param {Receipt} receipt
 * @returns {Check}
 */
function asKept({ table, deal }, receipt) {
  if (receipt.table !== table) {
    return { id: "receipt", ok: null, says: `expected a receipt of table ${table}, got one of ${receipt.table}` };
  }
  const faults = [
    ...same("attempt", receipt.attempt, deal.attempt), // a receipt is of a whole attempt: there was no need of more
    ...same("the house's hash", receipt.server, deal.server),
    ...same("the hashes of all seats", receipt.commits, deal.commits),
    ...same("the seed of this seat", receipt.seed, new Map(deal.seeds).get(receipt.seat) ?? "none"),
    ...same("transcript", receipt.transcript, deal.transcript),
  ];
  const seat = `seat ${receipt.seat}`;
  return finding("receipt", faults.map((fault) => `${seat}: ${fault}`), `${seat}: all as kept; the seed was used`);
}

/** @param {[number, string]} pair */
const first = ([seat]) => seat;

/**
 * @param {number[]} seats
 * @param {number[][]} others
 */
const without = (seats, ...others) => seats.filter((seat) => !others.some((list) => list.includes(seat)));

/**
 * Faults of seats that are not at this table, or not in order, or there twice.
 * @param {Bundle} bundle
 * @param {number[]} here
 */
function roster({ seats }, here) {
  const proper = [...new Set(here)].filter((seat) => seat >= 0 && seat < seats).sort((a, b) => a - b);
  return same("seats of this table in order", proper, here);
}

/**
 * Faults of seeds that do not fit the hashes shown before.
 * @param {Bundle} bundle
 * @param {number} attempt
 * @param {Pairs} commits
 * @param {Pairs} seeds
 */
function fitting({ table, deal }, attempt, commits, seeds) {
  const hashes = new Map(commits);
  return seeds.flatMap(([seat, seed]) => {
    const fits = hex(seatCommit(table, deal.epoch, attempt, seat, unhex(seed)));
    return same(`the hash of seat ${seat}`, fits, hashes.get(seat) ?? "none");
  });
}

/**
 * No fault, or the one that these two are not the same.
 * @param {string} what
 * @param {unknown} expected
 * @param {unknown} got
 */
function same(what, expected, got) {
  const [wanted, came] = [expected, got].map((value) => JSON.stringify(value));
  return wanted === came ? [] : [`expected ${what} ${wanted}, got ${came}`];
}

/**
 * @param {string} id
 * @param {string[]} faults
 * @param {string} good
 * @returns {Check}
 */
function finding(id, faults, good) {
  return { id, ok: faults.length === 0, says: faults.join("; ") || good };
}
