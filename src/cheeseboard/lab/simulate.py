"""Play many games and count: who wins, how many points, how fast.

>>> from cheeseboard.games import GAMES
>>> result = simulate(GAMES["geier"], seats=2, games=1000, seed=1)
>>> result.games, result.moves
(1000, 30000)
>>> result.win_share == simulate(GAMES["geier"], seats=2, games=1000, seed=1, cores=1).win_share
True
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from cheeseboard.bots import Player, ask
from cheeseboard.bots.own import LIMIT_S, check, company
from cheeseboard.games import GAMES, core
from cheeseboard.games.compiled import compile_for
from cheeseboard.games.core import CLOCK, LUCK, Event, Game, Refusal, pick
from cheeseboard.lab.crew import finished, processes
from cheeseboard.lab.driver import SHARES, play_many
from cheeseboard.lab.race import Dice, in_time, plans
from cheeseboard.table import Table

GAMES_MOST = 10**12
SEED_MOST = 2**63 - 1
CORES_MOST = 1024

Tally = tuple[int, int, list[int], list[int]]  # games, moves, wins in SHARES and points of each seat


@dataclass(frozen=True)
class Result:
    """What came out, the names as in `simulate --json`."""

    game: str
    seats: int
    games: int
    seed: int
    bots: list[str]
    options: dict[str, Any]
    moves: int  # of players; what luck and clock did is not counted
    seconds: float
    games_per_second: float
    moves_per_second: float
    win_share: list[float]  # of each seat; those who win together share the win
    mean_score: list[float]


def simulate(
    game: Game,
    seats: int,
    games: int,
    seed: int = 0,
    *,
    bots: Sequence[str] = (),
    limit_s: float = LIMIT_S,  # for a choice of a bot from a file
    cores: int | None = None,
    progress: Callable[[int], object] = id,  # told how many games are done
    **options: Any,
) -> Result:
    """Play that many games. The same seed gives the same result on any number of cores."""
    cores = os.cpu_count() or 1 if cores is None else cores
    check_numbers(games, seed, cores)
    core.blank(game, seats, **options)  # refuses what cannot be, before anything is started
    names = list(bots) or ["random"] * seats
    if len(names) != seats:
        raise Refusal(f"expected one bot for each of {seats} seats, got {len(names)}")
    check(game, names, limit_s)
    if set(names) == {"random"}:
        _random_slice(
            game, core.blank(game, seats, **options).records(), 0, 1, seed
        )  # the compiler is not part of the speed
    begun = time.perf_counter()
    total: Tally = (0, 0, [0] * seats, [0] * seats)
    for tally in _tallies(game, seats, games, seed, names, limit_s, cores, options):
        total = _sum(total, tally)
        progress(total[0])
    seconds = time.perf_counter() - begun
    _, moves, wins, points = total
    return Result(
        game=core.name(game),
        seats=seats,
        games=games,
        seed=seed,
        bots=names,
        options=options,
        moves=moves,
        seconds=seconds,
        games_per_second=games / seconds,
        moves_per_second=moves / seconds,
        win_share=[win / SHARES / games for win in wins],
        mean_score=[point / games for point in points],
    )


def check_numbers(games: int, seed: int, cores: int) -> None:
    limits = (("games", games, 1, GAMES_MOST), ("seed", seed, 0, SEED_MOST), ("cores", cores, 1, CORES_MOST))
    for what, number, least, most in limits:
        if type(number) is not int or not least <= number <= most:
            raise Refusal(f"expected {what} as a whole number from {least} to {most}, got {number!r}")


def _tallies(
    game: Game,
    seats: int,
    games: int,
    seed: int,
    names: list[str],
    limit_s: float,
    cores: int,
    options: dict[str, Any],
) -> Iterator[Tally]:
    """The work in slices, as they are finished."""
    if set(names) == {"random"}:
        slice_size, blank = 20_000, core.blank(game, seats, **options).records()
        run: Callable[..., Tally] = partial(_random_slice, game, blank)
        at_work: AbstractContextManager[Executor] = ThreadPoolExecutor(cores)  # compiled code lets other threads run
    else:
        slice_size, at_work = 5, processes(cores)
        run = partial(_bots_slice, core.name(game), seats, names, options, limit_s)
    with at_work as crew:
        slices = (partial(run, first, min(slice_size, games - first), seed) for first in range(0, games, slice_size))
        yield from finished(crew, cores, slices)


def _random_slice(game: Game, blank: Any, first: int, games: int, seed: int) -> Tally:
    wins, points = np.zeros(core.SEATS, np.int64), np.zeros(core.SEATS, np.int64)
    moves = compile_for(game, play_many)(blank, first, games, seed, wins, points)
    seats = int(blank[0].seats)
    return games, int(moves), wins[:seats].tolist(), points[:seats].tolist()


def _bots_slice(
    name: str, seats: int, names: list[str], options: dict[str, Any], limit_s: float, first: int, games: int, seed: int
) -> Tally:
    total: Tally = (0, 0, [0] * seats, [0] * seats)
    for number in range(first, first + games):
        total = _sum(total, bots_game(GAMES[name], seats, names, [seed, number], options, limit_s=limit_s))
    return total


def bots_game(
    game: Game,
    seats: int,
    names: Sequence[str],
    seed: Sequence[int],
    options: dict[str, Any],
    *,
    limit_s: float = LIMIT_S,
) -> Tally:
    """One game of bots, counted."""
    table, moves = play_game(game, names, seed, options, limit_s=limit_s)
    place = list(game.rank(table.state))
    share = SHARES // place.count(1)
    return 1, moves, [share * int(p == 1) for p in place], table.state.scores[:seats]


def play_game(
    game: Game,
    names: Sequence[str],
    seed: Sequence[int],
    options: dict[str, Any],
    *,
    luck: Sequence[int] = (),
    limit_s: float = LIMIT_S,
) -> tuple[Table, int]:
    """One game of bots at a real table: the table at the end, and how many moves the players made.

    Luck, each seat and the order in which they act draw from numbers of their own. `luck` is the seed of the deal,
    for games that are to have the same one."""
    dice = [np.random.default_rng([*seed, 1 + seat]) for seat in range(len(names))]  # a last 0 would change nothing
    order = np.random.default_rng([*seed, CLOCK])
    table = Table(game, len(names), np.random.default_rng([*(luck or seed), LUCK]), **options)
    moves = 0
    with company(game, names, limit_s) as bots:
        past = {listens: [step.told(listens) for step in table.opening] for listens, who in enumerate(bots) if who.past}
        for seat, action in _acts(table, bots, dice, order, past):
            steps = table.play(seat, action)
            moves += seat != CLOCK
            for listens, heard in past.items():
                heard += [step.told(listens) for step in steps]
    return table, moves


def _acts(
    table: Table, bots: list[Player], dice: list[Dice], order: Dice, past: dict[int, list[list[Event]]]
) -> Iterator[tuple[int, int]]:
    """Who does what next, until the game is over."""
    while not table.over:
        waits = table.game.waiting(table.state)
        if waits != 1 << CLOCK:
            seat = pick(waits, order)
            yield seat, ask(bots[seat], table.game, table.view(seat), seat, dice[seat], past.get(seat, ()))
            continue
        made = plans(table, bots, dice, past)
        acted = 0
        for plan in in_time(table.game, table.state, made):
            yield plan.seat, plan.action
            acted += 1
        if acted < len(made) or not made:  # are all in time, the race is over without the clock
            yield CLOCK, table.legal(CLOCK)[0]


def _sum(one: Tally, other: Tally) -> Tally:
    def both(a: list[int], b: list[int]) -> list[int]:
        return [x + y for x, y in zip(a, b, strict=True)]

    return one[0] + other[0], one[1] + other[1], both(one[2], other[2]), both(one[3], other[3])
