// Hol's der Geier for two, as the peers play it: both servers share these lines, so that they play the same game.
// `table` is whatever the server keeps its state in: {pot, scores, last, players: [{hand, bid, laid}, ...]}.
// `deck` are the prizes not turned yet, which nobody may see. As in our own rules cards count from 0 and a hand is a set
// of bits, which is also the cheapest that these servers can send.

const NONE = -1;
const ALL = (1 << 15) - 1;
const PRIZES = [-5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

function deal(table, deck, shuffle) {
  deck.push(...shuffle(PRIZES));
  table.pot = deck.pop();
  for (const player of table.players) player.hand = ALL;
}

// Lays a card face down; a bid may be exchanged until the last has bid. Says whether it was allowed.
function lay(table, deck, seat, card, shuffle) {
  const me = table.players[seat];
  if (!(me.hand & (1 << card)) || me.bid === card) return false;
  me.bid = card;
  me.laid = true;
  if (table.players[0].laid && table.players[1].laid) {
    show(table);
    if (deck.length) table.pot += deck.pop();
    else deal(table, deck, shuffle); // so that a table runs on
  }
  return true;
}

function show(table) {
  const bids = [table.players[0].bid, table.players[1].bid];
  if (bids[0] !== bids[1]) {
    const winner = bids[0] > bids[1] === table.pot >= 0 ? 0 : 1;
    table.scores[winner] += table.pot;
    table.pot = 0;
  }
  for (const seat of [0, 1]) {
    const player = table.players[seat];
    player.hand &= ~(1 << bids[seat]);
    player.bid = NONE;
    player.laid = false;
    table.last[seat] = bids[seat];
  }
}

module.exports = { NONE, deal, lay };
