/** Does web/src/deal.js give every vector of tests/vectors/deal.json? Prints how many; fails where one differs. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as deal from "../../web/src/deal.js";

const { published, vectors } = JSON.parse(readFileSync(new URL("../vectors/deal.json", import.meta.url), "utf8"));
const bytes = (text) => Uint8Array.from(Buffer.from(text, "hex"));

const answers = {
  digest: ({ data }) => deal.hex(deal.digest(bytes(data))),
  server: ({ table, epoch, attempt, root }) => deal.hex(deal.serverCommit(table, epoch, attempt, bytes(root))),
  seat: ({ table, epoch, attempt, seat, seed }) => deal.hex(deal.seatCommit(table, epoch, attempt, seat, bytes(seed))),
  deck: ({ game, version, seats, options }) => deal.hex(deal.deckHash(game, version, seats, options)),
  transcript: ({ table, epoch, attempt, rules, deck, server, entries, root, k }) => {
    const said = entries.map(([seat, commit, seed]) => [seat, bytes(commit), bytes(seed)]);
    const words = deal.transcript(table, epoch, attempt, rules, bytes(deck), bytes(server), said);
    return [deal.hex(words), deal.fingerprint(words), deal.hex(deal.dealKey(bytes(root), words, k))];
  },
  stream: ({ key, purpose, below }) => {
    const stream = new deal.Stream(bytes(key), purpose);
    return below.map((n) => String(stream.below(BigInt(n))));
  },
  chain: ({ table, transcript, rows }) => {
    const chains = [deal.chainStart(table, bytes(transcript))];
    for (const row of rows) chains.push(deal.chainNext(chains.at(-1), row));
    return chains.map(deal.hex);
  },
};

for (const { kind, given, gives } of vectors) {
  assert.deepEqual(answers[kind](given), gives, JSON.stringify({ kind, given }));
}

deal.protocol.label = published.label;
const cards = [..."CDHS"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));
const deck = deal.digest(new TextEncoder().encode(cards.join(",")));
const server = deal.serverCommit(published.table, 0, 0, bytes(published.root));
const entries = published.seeds.map(([seat, seed]) => {
  return [seat, deal.seatCommit(published.table, 0, 0, seat, bytes(seed)), bytes(seed)];
});
const transcript = deal.transcript(published.table, 0, 0, published.rules, deck, server, entries);
const key = deal.dealKey(bytes(published.root), transcript);
const stream = new deal.Stream(key, published.purpose);
for (let i = cards.length - 1; i > 0; i--) {
  const j = stream.below(i + 1);
  [cards[i], cards[j]] = [cards[j], cards[i]];
}
assert.equal(deal.hex(deck), published.deck);
assert.equal(deal.hex(server), published.server);
assert.deepEqual(entries.map(([seat, commit]) => [seat, deal.hex(commit)]), published.commits);
assert.equal(deal.hex(transcript), published.transcript);
assert.equal(deal.hex(key), published.key);
assert.equal(cards.join(" "), published.order);

console.log(`${vectors.length} vectors and the published one`);
