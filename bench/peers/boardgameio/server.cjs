// boardgame.io, in memory, as kind to it as its options allow: no undo, no bundled moves, no compression.
//   NODE_ENV=production node server.cjs PORT
const { Server } = require("boardgame.io/server");
const { ActivePlayers, INVALID_MOVE } = require("boardgame.io/core");
const { NONE, deal, lay } = require("../geier.cjs");

const player = () => ({ hand: 0, bid: NONE, laid: false });

const geier = {
  name: "geier",
  minPlayers: 2,
  maxPlayers: 2,
  disableUndo: true,
  setup: ({ random }) => {
    const G = { pot: 0, scores: [0, 0], last: [NONE, NONE], deck: [], players: [player(), player()] };
    deal(G, G.deck, random.Shuffle);
    return G;
  },
  turn: { activePlayers: ActivePlayers.ALL },
  moves: {
    lay: {
      client: false, // only the server knows what the other one bid
      redact: true, // or the log that goes with every state would tell it
      move: ({ G, playerID, random }, card) =>
        lay(G, G.deck, playerID, card, random.Shuffle) ? undefined : INVALID_MOVE,
    },
  },
  playerView: ({ G: { pot, scores, last, players }, playerID }) => ({
    pot,
    scores,
    last,
    players: players.map((each, seat) => (String(seat) === playerID ? each : { laid: each.laid })),
  }),
};

Server({ games: [geier], origins: ["http://127.0.0.1"] }).run(Number(process.argv[2]), () => console.log("ready"));
