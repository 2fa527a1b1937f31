"""How fast the rules are: random play, compiled, through the general interface, on one core.

The peer is OpenSpiel's Goofspiel with 15 cards, the nearest game with a native engine, by the faster of the two native
drivers that Python can reach (random roll-outs of its MCTS bot; `evaluate_bots` with uniform bots). Both sides are
measured in turns in the same run, in CPU seconds; a ratio is the median over the rounds, the best rates are shown
beside it. The two do not play the same rules, and OpenSpiel keeps a history: the ratio says what the engines cost, not
whose code is better."""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from cheeseboard.games import GAMES, core
from cheeseboard.games.compiled import compile_for
from cheeseboard.games.core import Game
from cheeseboard.lab.driver import play_many

CARDS = 15
WANTED = {True: 30, False: 10}  # times the peer: for the game that is most like the peer's, and for the others
Chunk = Callable[[int], int]  # plays so many games and gives back the players' moves


def ours(game: Game, seats: int) -> Chunk:
    blank = core.blank(game, seats).records()
    run = compile_for(game, play_many)
    wins, points = np.zeros(core.SEATS, np.int64), np.zeros(core.SEATS, np.int64)
    number = 0

    def chunk(games: int) -> int:
        nonlocal number
        number += games
        return int(run(blank, number, games, 1, wins, points))

    chunk(10)
    return chunk


def rollouts(seats: int) -> Chunk:
    """With one simulation the MCTS bot is nothing but `games` native roll-outs from this state."""
    game = pyspiel.convert_to_turn_based(goofspiel(seats))
    state = game.new_initial_state()
    state.apply_action(0)  # the first prize

    def chunk(games: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(games, 1)
        pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, False, 1, False).mcts_search(state)
        return games * seats * (CARDS - 1)  # the last round is played by the rules

    return chunk


def bots(seats: int) -> Chunk:
    game = goofspiel(seats)

    def chunk(games: int) -> int:
        for seed in range(games):
            players = [pyspiel.make_uniform_random_bot(seat, seed) for seat in range(seats)]
            pyspiel.evaluate_bots(game.new_initial_state(), players, seed)
        return games * seats * (CARDS - 1)

    return chunk


def goofspiel(seats: int) -> Any:
    return pyspiel.load_game("goofspiel", {"num_cards": CARDS, "players": seats, "points_order": "random"})


def rate(chunk: Chunk, games: int) -> float:
    """Player moves per CPU second."""
    begun = time.process_time()
    moves = chunk(games)
    return moves / (time.process_time() - begun)


def sized(chunk: Chunk, seconds: float) -> int:
    """How many games take about this long."""
    games = 64
    while True:
        begun = time.process_time()
        chunk(games)
        spent = time.process_time() - begun
        if spent > seconds / 4:
            return max(1, int(games * seconds / spent))
        games *= 2


def compare(name: str, seats: int, rounds: int, seconds: float) -> dict[str, Any]:
    mine, peers = ours(GAMES[name], seats), [rollouts(seats), bots(seats)]
    chunks = [(chunk, sized(chunk, seconds)) for chunk in (mine, *peers)]
    rates = [[rate(chunk, games) for chunk, games in chunks] for _ in range(rounds)]
    best, peer = (max(row[0] for row in rates), max(max(row[1:]) for row in rates))
    probe = 2000
    return {
        "game": name,
        "seats": seats,
        "games_per_second": best * probe / mine(probe),
        "moves_per_second": best,
        "peer_moves_per_second": peer,
        "ratio": statistics.median(row[0] / max(row[1:]) for row in rates),
        "best_ratio": best / peer,
        "bytes_per_game": GAMES[name].STATE.itemsize,
    }


def growth(name: str, seats: int, most: int) -> list[tuple[int, float]]:
    """Nanoseconds per game for 10^3, 10^4, ... games; the best of three."""
    chunk, found, games = ours(GAMES[name], seats), [], 1000
    while games <= most:
        costs = []
        for _ in range(3):
            begun = time.process_time()
            chunk(games)
            costs.append((time.process_time() - begun) / games * 1e9)
        found.append((games, min(costs)))
        games *= 10
    return found


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--games", nargs="*", default=list(GAMES), help="which games (all)")
    asked.add_argument("--rounds", type=int, default=9, help="how often each side is measured, in turns")
    asked.add_argument("--seconds", type=float, default=0.2, help="CPU time of one measurement")
    asked.add_argument("--most", type=int, default=1_000_000, help="the growth of cost is measured up to here")
    asked.add_argument("--json", action="store_true")
    args = asked.parse_args()
    rows, grown = [], {}
    for name in args.games:
        least, most = core.about(GAMES[name])["players"]
        for seats in range(least, most + 1):
            rows.append(compare(name, seats, args.rounds, args.seconds))
            print(".", end="", file=sys.stderr, flush=True)
        grown[name] = growth(name, least, args.most)
    if args.json:
        print(json.dumps({"rows": rows, "growth": grown}))
        return
    print("\n\nRandom play on one core, against OpenSpiel's Goofspiel with as many players, in the same run\n")
    print("| game | seats | games/s | player moves/s | OpenSpiel | ratio (median) | ratio (best) | bytes per game |")
    print("|---|---|---|---|---|---|---|---|")
    for row in rows:
        print(
            f"| {row['game']} | {row['seats']} | {row['games_per_second']:,.0f} | {row['moves_per_second'] / 1e6:.1f}M"
            f" | {row['peer_moves_per_second'] / 1e6:.2f}M | {row['ratio']:.1f} | {row['best_ratio']:.1f}"
            f" | {row['bytes_per_game']} |"
        )
    print("\nCost per game as the number of games grows (ns)\n")
    for name, found in grown.items():
        print(f"{name}: " + ", ".join(f"{games:,} games: {cost:,.0f}" for games, cost in found))
    print("\nWanted: 30 times the peer for the first game, which is the most like it, and 10 times for every other.")
    for name in args.games:
        worst = min(row["ratio"] for row in rows if row["game"] == name)
        wanted = WANTED[name == next(iter(GAMES))]
        verdict = "reached" if worst >= wanted else f"short of {wanted}"
        print(f"{name}: {worst:.1f} times at its slowest table, {verdict}")


if __name__ == "__main__":
    main()
