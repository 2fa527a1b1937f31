// Colyseus with patches at once: by default it would hold every move back for up to 50 ms.
//   NODE_ENV=production node server.cjs PORT [FILE]
// With a FILE each move is committed to SQLite before anybody sees it, safe from power loss (WAL, synchronous=FULL), in
// the message handler, as a room invites to do. Colyseus itself keeps everything in memory.
const { Room, Server } = require("@colyseus/core");
const { StateView, schema, t } = require("@colyseus/schema");
const { WebSocketTransport } = require("@colyseus/ws-transport");
const { NONE, deal, lay } = require("../geier.cjs");

const [port, file] = process.argv.slice(2);
const store = file ? journal(file) : () => {};

function journal(file) {
  const { DatabaseSync } = require("node:sqlite");
  const base = new DatabaseSync(file);
  base.exec("pragma journal_mode = wal; pragma synchronous = full");
  base.exec(`create table log (room text, n integer, seat integer, card integer, at_ms integer, primary key (room, n))
             without rowid`);
  const insert = base.prepare("insert into log values (?, ?, ?, ?, ?)");
  return (...row) => insert.run(...row, Date.now());
}

function shuffle(cards) {
  const mixed = [...cards];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [mixed[i], mixed[j]] = [mixed[j], mixed[i]];
  }
  return mixed;
}

const Player = schema({ laid: t.boolean(), hand: t.uint16().view(), bid: t.int8().view() }, "Player");
const Table = schema(
  { n: t.uint32(), pot: t.int8(), scores: t.array("int16"), last: t.array("int8"), players: t.array(Player) },
  "Table",
);

class Geier extends Room {
  maxClients = 2;
  patchRate = null;
  deck = [];

  onCreate() {
    const table = new Table();
    table.n = 0;
    table.scores.push(0, 0);
    table.last.push(NONE, NONE);
    for (const _ of [0, 1]) {
      const player = new Player();
      player.bid = NONE;
      player.laid = false;
      table.players.push(player);
    }
    deal(table, this.deck, shuffle);
    this.state = table;
    this.onMessage("lay", (client, card) => this.lay(client, card));
  }

  onJoin(client) {
    client.userData = this.clients.length - 1;
    client.view = new StateView();
    client.view.add(this.state.players[client.userData]); // whoever is not in the view sees neither hand nor bid
  }

  lay(client, card) {
    if (!lay(this.state, this.deck, client.userData, card, shuffle)) return client.send("refused", card);
    this.state.n += 1;
    store(this.roomId, this.state.n, client.userData, card);
    this.broadcastPatch();
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define("geier", Geier);
server.listen(Number(port), "127.0.0.1").then(() => console.log("ready"));
