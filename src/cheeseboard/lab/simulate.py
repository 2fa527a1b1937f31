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
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

import numpy as np

from cheeseboard.bots import player
from cheeseboard.bots.simple import next_to_act
from cheeseboard.games import GAMES, core
from cheeseboard.games.compiled import compile_for
from cheeseboard.games.core import CLOCK, LUCK, Game, Refusal
from cheeseboard.lab.driver import SHARES, play_many
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
    cores: int | None = None,
    progress: Callable[[int], object] = id,  # told how many games are done
    **options: Any,
) -> Result:
    """Play that many games. The same seed gives the same result on any number of cores."""
    cores = os.cpu_count() or 1 if cores is None else cores
    limits = (("games", games, 1, GAMES_MOST), ("seed", seed, 0, SEED_MOST), ("cores", cores, 1, CORES_MOST))
    for what, number, least, most in limits:
        if type(number) is not int or not least <= number <= most:
            raise Refusal(f"expected {what} as a whole number from {least} to {most}, got {number!r}")
    core.blank(game, seats, **options)  # refuses what cannot be, before anything is started
    names = list(bots) or ["random"] * seats
    if len(names) != seats:
        raise Refusal(f"expected one bot for each of {seats} seats, got {len(names)}")
    for name in names:
        player(game, name)
    if set(names) == {"random"}:
        _random_slice(
            game, core.blank(game, seats, **options).records(), 0, 1, seed
        )  # the compiler is not part of the speed
    begun = time.perf_counter()
    total: Tally = (0, 0, [0] * seats, [0] * seats)
    for tally in _tallies(game, seats, games, seed, names, cores, options):
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


def _tallies(
    game: Game, seats: int, games: int, seed: int, names: list[str], cores: int, options: dict[str, Any]
) -> Iterator[Tally]:
    """The work in slices, as they are finished."""
    if set(names) == {"random"}:
        run: Callable[..., Tally] = _random_slice
        slice_size: int = 20_000
        work: tuple[Any, ...] = (game, core.blank(game, seats, **options).records())
        crew: Executor = ThreadPoolExecutor(cores)  # compiled code lets other threads run
    else:
        run, slice_size, work = _bots_slice, 5, (core.name(game), seats, names, options)
        crew = ProcessPoolExecutor(cores)
    with crew:
        starts = iter(range(0, games, slice_size))
        open_slices: set[Future[Tally]] = set()
        more = True
        while more or open_slices:
            while more and len(open_slices) < 2 * cores:
                first = next(starts, None)
                more = first is not None
                if first is not None:
                    open_slices.add(crew.submit(run, *work, first, min(slice_size, games - first), seed))
            finished = next(as_completed(open_slices))
            open_slices.remove(finished)
            yield finished.result()


def _random_slice(game: Game, blank: Any, first: int, games: int, seed: int) -> Tally:
    wins, points = np.zeros(core.SEATS, np.int64), np.zeros(core.SEATS, np.int64)
    moves = compile_for(game, play_many)(blank, first, games, seed, wins, points)
    seats = int(blank[0].seats)
    return games, int(moves), wins[:seats].tolist(), points[:seats].tolist()


def _bots_slice(
    name: str, seats: int, names: list[str], options: dict[str, Any], first: int, games: int, seed: int
) -> Tally:
    total: Tally = (0, 0, [0] * seats, [0] * seats)
    for number in range(first, first + games):
        total = _sum(total, bots_game(GAMES[name], seats, names, [seed, number], options))
    return total


def bots_game(game: Game, seats: int, names: Sequence[str], seed: Sequence[int], options: dict[str, Any]) -> Tally:
    """One game of bots at a real table."""
    rng = np.random.default_rng(seed)
    bots = [player(game, name) for name in names]
    table = Table(game, seats, rng, **options)
    seat, moves = LUCK, 0
    while not table.over:
        seat = next_to_act(game, table.state, seat, rng)
        if seat == CLOCK:
            table.play(CLOCK, table.legal(CLOCK)[0])
        else:
            who = bots[seat]
            table.play(seat, who.choose(game, table.view(seat), seat, rng, who.budget))
            moves += 1
    place = list(game.rank(table.state))
    share = SHARES // place.count(1)
    return 1, moves, [share * int(p == 1) for p in place], table.state.scores[:seats]


def _sum(one: Tally, other: Tally) -> Tally:
    def both(a: list[int], b: list[int]) -> list[int]:
        return [x + y for x, y in zip(a, b, strict=True)]

    return one[0] + other[0], one[1] + other[1], both(one[2], other[2]), both(one[3], other[3])
