"""All against all, each at every seat, on the same deals: who is how strong, and how sure is that.

>>> from cheeseboard.games import GAMES
>>> result = arena(GAMES["geier"], ["random", "thinker"], games=40, cores=1, cards=6)
>>> [standing.bot for standing in result.bots], result.games, result.deals
(['thinker', 'random'], 40, 20)
"""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import ceil
from typing import Any

import numpy as np

from cheeseboard.bots.own import LIMIT_S, check
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import Game, Refusal
from cheeseboard.lab.crew import finished, processes
from cheeseboard.lab.simulate import check_numbers, play_game
from cheeseboard.lab.verdict import COUNTS, DEALS_LEAST, Group, Mix, Pair, Played, Standing, judged

SLICE = 4  # games that a worker plays in one go
CIRCLE = 63  # seeds the order in which a group sits; luck and clock have the numbers before


@dataclass(frozen=True)
class Arena:
    """What came out, the names as in `arena --json`. Bots are in the order of their ratings."""

    game: str
    seats: int
    games: int
    deals: int
    seed: int
    options: dict[str, Any]
    method: str
    count: str
    seconds: float
    bots: list[Standing]
    pairs: list[Pair]
    mixes: list[Mix]


def arena(
    game: Game,
    bots: Sequence[str],
    games: int = 1000,
    seed: int = 0,
    *,
    seats: int | None = None,
    until: float | None = None,
    count: str = COUNTS[0],
    limit_s: float = LIMIT_S,  # for a choice of a bot from a file
    cores: int | None = None,
    progress: Callable[[int, int], object] = max,  # told how many games are done, and of how many
    **options: Any,
) -> Arena:
    """Let the bots play at least so many games: whole deals, on each of which everybody sits everywhere equally often.

    `until`: more games, until no interval of a rating is wider than that. The same seed gives the same result on any
    number of cores."""
    begun = time.perf_counter()
    names, cores = list(bots), os.cpu_count() or 1 if cores is None else cores
    seats = core.about(game)["players"][0] if seats is None else seats
    check_numbers(games, seed, cores)
    core.blank(game, seats, **options)  # refuses what cannot be, before anything is started
    if len(names) < 2 or len(set(names)) < len(names):
        raise Refusal(f"expected two or more different bots, got {', '.join(names) or 'none'}")
    if count not in COUNTS:
        raise Refusal(f"expected to count {' or '.join(COUNTS)}, got {count!r}")
    if until is not None and not until > 0:
        raise Refusal(f"expected an interval wider than 0, got {until:g}")
    check(game, names, limit_s)
    met = groups(len(names), seats)
    deals = max(ceil(games / (len(met) * seats)), DEALS_LEAST if until else 1)
    rows: list[Played] = []
    with processes(cores) as crew:
        play = partial(_play, core.name(game), names, met, options, limit_s, seed)
        while True:
            first, last = sum(len(row.deal) for row in rows), deals * len(met) * seats
            slices = (partial(play, at, min(SLICE, last - at)) for at in range(first, last, SLICE))
            fresh: dict[int, Played] = {}
            for at, row in finished(crew, cores, slices):
                fresh[at] = row
                first += len(row.deal)
                progress(first, last)
            rows += [fresh[at] for at in sorted(fresh)]
            verdict = judged(Played(*map(np.concatenate, zip(*rows, strict=True))), names, met, seed, count)
            widest = max((bot.rating.high or 0) - (bot.rating.low or 0) for bot in verdict.bots)
            if until is None or widest <= until:
                break
            deals = ceil(deals * min(max((widest / until) ** 2, 1.1), 2.0))  # an interval narrows as the square root
    return Arena(
        game=core.name(game),
        seats=seats,
        games=first,
        deals=deals,
        seed=seed,
        options=options,
        method="Bradley-Terry" if seats == 2 else "Plackett-Luce",
        count=count,
        seconds=time.perf_counter() - begun,
        bots=verdict.bots,
        pairs=verdict.pairs,
        mixes=verdict.mixes,
    )


def groups(bots: int, seats: int) -> list[Group]:
    """Who sits together: all choices of different bots. Are there too few, every two of them in every mixture.

    >>> groups(3, 2), groups(2, 3)
    ([(0, 1), (0, 2), (1, 2)], [(0, 1, 1), (0, 0, 1)])
    """
    if bots >= seats:
        return list(combinations(range(bots), seats))
    pairs = combinations(range(bots), 2)
    return [(one,) * number + (other,) * (seats - number) for one, other in pairs for number in range(1, seats)]


def seating(group: Group, seed: Sequence[int], turn: int) -> Group:
    """The group around the table, in an order drawn anew for each deal, and turned by so many seats."""
    circle = np.random.default_rng([*seed, CIRCLE]).permutation(group).tolist()
    return tuple(circle[turn:] + circle[:turn])


def _play(
    name: str,
    names: list[str],
    met: list[Group],
    options: dict[str, Any],
    limit_s: float,
    seed: int,
    first: int,
    number: int,
) -> tuple[int, Played]:
    """Games by number: deal by deal, on it group by group, and each group turned around the table."""
    game, seats, rows = GAMES[name], len(met[0]), []
    for at in range(first, first + number):
        deal, turn = divmod(at, len(met) * seats)
        group = turn // seats
        who = seating(met[group], [seed, deal, 1 + group], turn % seats)
        own = [seed, deal, 1 + turn]
        table, _ = play_game(game, [names[bot] for bot in who], own, options, luck=[seed, deal], limit_s=limit_s)
        rows.append((deal, group, who, list(game.rank(table.state)), table.state.scores[:seats]))
    return first, Played(*(np.array(column, np.int64) for column in zip(*rows, strict=True)))
