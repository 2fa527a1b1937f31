// How each server is spoken to. `open(url)` sets up one table and gives its two seats, each with
//   n: how many moves it has seen       cards(): what it may bid now     over: whether the game has ended
//   bid(card): sends it                 heard(): set by the driver; the adapter calls it after every new state
import { createRequire } from "node:module";
import WebSocket from "ws";

const seatOf = (number) => ({ number, n: -1, cards: () => [], over: false, bid: null, heard: () => {} });
const inHand = (bits) => [...Array(15).keys()].filter((card) => bits & (1 << card));
const fail = (what) => {
  throw new Error(what);
};

async function post(url, body) {
  const headers = { "Content-Type": "application/json", Origin: new URL(url).origin };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) fail(`POST ${url}: expected success, got ${answer.status} ${await answer.text()}`);
  return {
    told: await answer.json(),
    cookie: answer.headers
      .getSetCookie()
      .map((each) => each.split(";")[0])
      .join("; "),
  };
}

function socket(url, options) {
  const made = new WebSocket(url.replace("http", "ws"), { perMessageDeflate: false, ...options });
  made.on("error", (error) => fail(`${url}: ${error.message}`));
  made.on("close", (code, reason) => fail(`${url}: closed by the server, ${code} ${reason}`));
  return made;
}

// socket.io's frames, written by hand: its client library costs the driver more than the server costs.
export const boardgameio = {
  async open(url) {
    const { matchID } = (await post(`${url}/games/geier/create`, { numPlayers: 2 })).told;
    const seats = [seatOf(0), seatOf(1)];
    for (const seat of seats) {
      const name = { playerID: String(seat.number), playerName: `Guest ${seat.number}` };
      const { playerCredentials } = (await post(`${url}/games/geier/${matchID}/join`, name)).told;
      boardgameioSeat(url, seat, matchID, playerCredentials);
    }
    return seats;
  },
};

function boardgameioSeat(url, seat, match, credentials) {
  const player = String(seat.number);
  const wire = socket(`${url}/socket.io/?EIO=4&transport=websocket`);
  const emit = (...event) => wire.send(`42/geier,${JSON.stringify(event)}`);
  seat.bid = (card) => {
    const payload = { type: "lay", args: [card], playerID: player, credentials };
    emit("update", { type: "MAKE_MOVE", payload }, seat.n, match, player);
  };
  wire.on("message", (data) => {
    const text = data.toString();
    if (text.startsWith("42")) {
      const [kind, , told] = JSON.parse(text.slice(text.indexOf("[")));
      if (kind !== "sync" && kind !== "update") return; // who is connected
      const state = kind === "sync" ? told.state : told;
      seat.n = state._stateID;
      seat.cards = () => inHand(state.G.players[seat.number].hand);
      seat.heard();
    } else if (text.startsWith("40")) emit("sync", match, player, credentials, 2);
    else if (text.startsWith("0")) wire.send("40/geier,");
    else if (text === "2") wire.send("3");
    else fail(`boardgame.io: expected a state, got ${text}`);
  });
}

export const colyseus = {
  async open(url) {
    const { Client } = createRequire(import.meta.url)("@colyseus/sdk");
    const client = new Client(url);
    const seats = [seatOf(0), seatOf(1)];
    const first = await client.create("geier");
    colyseusSeat(first, seats[0]);
    colyseusSeat(await client.joinById(first.roomId), seats[1]);
    return seats;
  },
};

function colyseusSeat(room, seat) {
  seat.bid = (card) => room.send("lay", card);
  room.onMessage("refused", (card) => fail(`Colyseus refused card ${card}`));
  room.onLeave((code) => fail(`Colyseus closed a seat, ${code}`));
  room.onError((code, text) => fail(`Colyseus: ${code} ${text}`));
  room.onStateChange((state) => {
    seat.n = state.n;
    seat.cards = () => inHand(state.players[seat.number].hand);
    seat.heard();
  });
}

export const cheeseboard = {
  movesPerTable: 30, // a table of ours plays one game
  async open(url) {
    const made = await post(`${url}/api/tables`, { game: "geier", seats: ["me", "open"] });
    const table = `${url}/api/tables/${made.told.table}`;
    const guests = [made, await post(`${table}/sit`, { name: "Guest" })]; // each with a cookie of their own
    return guests.map(({ cookie }, number) => {
      const seat = seatOf(number);
      cheeseboardSeat(socket(`${table}/play`, { headers: { Cookie: cookie, Origin: url } }), seat);
      return seat;
    });
  },
};

// The seats take no part in the deal: the house then deals alone, two seconds later, while other tables are set up.
function cheeseboardSeat(wire, seat) {
  let sent = 0;
  seat.bid = (action) => wire.send(`{"t":"play","id":"${seat.number}-${++sent}","action":${action}}`);
  wire.on("message", (data) => {
    const told = JSON.parse(data);
    if (told.t === "view") {
      seat.n = told.n;
      seat.cards = () => told.legal;
      seat.over = told.over;
      seat.heard();
    } else if (told.t === "refused" || told.t === "bye") fail(`cheeseboard: expected a view, got ${data}`);
  });
}
