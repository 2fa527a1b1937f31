"""What the levels of a game are worth, in figures: `python bench/bots.py mausen tables --seats 3 4 --games 2000`.

levels  each level against the one below it, by pairs, counting wins
tables  one elephant at a table of others who do not search
time    how long a choice takes, on one core"""

import argparse
import json
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from os import cpu_count
from typing import Any

import numpy as np

from cheeseboard.bots import LEVELS, ask, player, players, seated
from cheeseboard.coach import of_the_win
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import SEATS, Game
from cheeseboard.lab.arena import arena
from cheeseboard.lab.simulate import play_game
from cheeseboard.table import Table


def levels(game: Game, seats: int, args: argparse.Namespace) -> Iterator[Any]:
    for lower, higher in pairwise(LEVELS):
        found = arena(game, [lower, higher], args.games, args.seed, seats=seats, cores=args.cores, count="wins")
        pair = found.pairs[0]
        sign = 1 if pair.bots[0] == higher else -1
        ends = sorted(round(sign * end) for end in (pair.gap.low, pair.gap.high) if end is not None)
        yield {"levels": f"{higher} over {lower}", "rating": round(sign * pair.gap.value), "between": ends,
               "games": found.games}  # fmt: skip


def tables(game: Game, seats: int, args: argparse.Namespace) -> Iterator[Any]:
    with ProcessPoolExecutor(args.cores) as crew:
        won = list(crew.map(partial(one_table, core.name(game), seats, args.seed), range(args.games), chunksize=4))
    within = 1.96 * np.std(won, ddof=1) / len(won) ** 0.5
    yield {"wins": round(float(np.mean(won)), 4), "within": round(float(within), 4), "games": len(won),
           "one in": round(1 / seats, 4)}  # fmt: skip


def one_table(name: str, seats: int, seed: int, number: int) -> float:
    """The elephant's share of the win, the other seats being filled by chance."""
    game = GAMES[name]
    others = [other for other, who in players(game).items() if not who.budget and other not in LEVELS[2:]]
    names = [str(other) for other in np.random.default_rng([31, seed, number]).choice(others, seats)]
    names[number % seats] = "elephant"
    table, _ = play_game(game, names, [32, seed, number], {})
    return of_the_win(game, table.state)[number % seats]


def times(game: Game, seats: int, args: argparse.Namespace) -> Iterator[Any]:
    for name in seated(game):
        took: list[float] = []
        for number in range(args.games):
            if number == 1:
                took.clear()  # the first game compiles
            # deals of its own, for what has been thought about once may be remembered
            rng = np.random.default_rng([args.seed, seats, number, *name.encode()])
            table = Table(game, seats, rng)
            past: list[Any] = [step.told(0) for step in table.opening]
            while not table.over:
                seat = table.waiting()[0]
                begun = time.process_time()  # others may be using the machine
                who = player(game, name if seat == 0 else "random")
                card = ask(who, game, table.view(seat), seat, rng, past) if seat < SEATS else table.legal(seat)[0]
                if seat == 0:
                    took.append(time.process_time() - begun)
                past += [step.told(0) for step in table.play(seat, card)]
        yield {"who": name, "p50 ms": round(1000 * float(np.median(took)), 1),
               "p95 ms": round(1000 * float(np.quantile(took, 0.95)), 1), "longest ms": round(1000 * max(took), 1),
               "choices": len(took)}  # fmt: skip


def main() -> None:
    kinds = {"levels": levels, "tables": tables, "time": times}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("what", nargs="+", choices=kinds)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seats", type=int, nargs="+", help="all numbers of players, if none is given")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--cores", type=int, default=cpu_count())
    args = parser.parse_args()
    game = GAMES[args.game]
    least, most = core.about(game)["players"]
    for what in args.what:
        for seats in args.seats or range(least, most + 1):
            for line in kinds[what](game, seats, args):
                print(json.dumps({"seats": seats, **line}), flush=True)


if __name__ == "__main__":
    main()
