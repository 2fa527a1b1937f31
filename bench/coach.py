"""How right the coach's chances are, and how long it takes: `python bench/coach.py GAME --games 3 --reference 100000`.

Bots play a few games. Some of the chances that the coach tells of each are compared with those of very many play-outs
from the same position: the coach's own, where it tries things out, and else whole games by the mixes that it
calculates. There the luck of prizes and bids is taken out of each game (`steadied`), for few can be played: each counts
as much as hundreds of plain ones. The standard error of the reference is told, too: differences cannot be smaller.

At Hol's der Geier with three and more it tries things out, too; with `--mixes` the reference goes by its mixes all the
same."""

import argparse
import json
import time
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from cheeseboard.bots import LEVELS, geier_many, geier_quick
from cheeseboard.coach import Judge, Weighed, analyse, coached, judge, of_the_win, weighs
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import LUCK, OVER, Game, State, count, members
from cheeseboard.lab.simulate import play_game
from cheeseboard.table import Log, Table

Floats = npt.NDArray[np.float64]
FAR = 10**9  # the number of a game that the coach never plays


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=[name for name in coached() if weighs(name)])
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--first", type=int, default=1, help="the number of the first game: others have other luck")
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 3])
    parser.add_argument("--bots", nargs="+", default=LEVELS[1:3], help="in turn at the seats")
    parser.add_argument("--reference", type=int, default=100_000, help="play-outs from each position")
    parser.add_argument("--positions", type=int, default=12, help="that are compared, of each game")
    parser.add_argument("--at", type=int, nargs="+", help="these positions instead; 0 is the one after the first round")
    parser.add_argument("--mixes", action="store_true", help="see above")
    parser.add_argument("--ends", type=int, default=1, help="of each play-out by mixes of Geier for three and more")
    args = parser.parse_args()
    for seats in args.seats:
        names = [args.bots[seat % len(args.bots)] for seat in range(seats)]
        analyse(finished(args.game, names, 0))  # compiles
        for number in range(args.first, args.first + args.games):
            print(json.dumps(compared(finished(args.game, names, number), args)), flush=True)


def finished(game: str, names: list[str], number: int) -> Log:
    return play_game(GAMES[game], names, [number], {})[0].log


def compared(log: Log, args: argparse.Namespace) -> dict[str, Any]:
    begun = time.process_time()  # others may be using the machine
    moments = analyse(log)
    took = time.process_time() - begun
    some = [moments[n] for n in args.at or np.linspace(0, len(moments) - 2, args.positions).astype(int)]
    told = np.array([moment.after for moment in some])
    found = [reference(log, moment.end, args) for moment in some]
    apart = told - np.array([shares for shares, _ in found])
    figures = {
        "rms": (apart**2).mean() ** 0.5,
        "largest": abs(apart).max(),
        "within 2 %": (abs(apart) <= 0.02).mean(),
        "choices' error": np.mean([choice.weighed.error for moment in moments for choice in moment.choices]),
        "reference's error": max(error.max() for _, error in found),
    }
    facts = {"seats": log.seats, "moments": len(moments), "seconds": round(took, 2), "chances": apart.size}
    return facts | {name: round(float(figure), 4) for name, figure in figures.items()}


def reference(log: Log, n: int, args: argparse.Namespace) -> tuple[Floats, Floats]:
    """Everybody's share of the win by play-outs after n entries of the log, and its standard error."""
    table = Table.replay(Log(log.game, log.version, log.seats, log.options, log[:n]))
    knows: Any = judge(log.game)
    if hasattr(knows, "reference"):
        return mean(np.asarray(knows.reference(table.game, table.state, args.reference)))
    turned = LUCK in members(table.game.waiting(table.state))
    many = args.reference
    if turned and log.seats > 2 and not args.mixes:
        if count(table.state.left) > geier_many.EXACT[log.seats]:
            return mean(geier_quick.played(geier_many.between(table.state), many, FAR)[0])
        many = 1  # all that can follow is looked at, and there is no luck
    rng, known = np.random.default_rng(n), dict[bytes, dict[int, Weighed]]()
    play = partial(steadied, ends=args.ends) if turned else by_mixes
    return mean(np.array([play(table.game, knows, table.state.copy(), known, rng) for _ in range(many)]))


def mean(shares: Floats) -> tuple[Floats, Floats]:
    return shares.mean(axis=0), shares.std(axis=0) / len(shares) ** 0.5


# --- by mixes -------------------------------------------------------------------------------------------------------


Known = dict[bytes, dict[int, Weighed]]


def by_mixes(game: Game, knows: Judge, state: State, known: Known, rng: np.random.Generator) -> list[float]:
    """One game in which all choose as the coach says that they should."""
    while state.phase != OVER:
        step(game, knows, state, known, rng)
    return of_the_win(game, state)


def steadied(game: Game, knows: Any, state: State, known: Known, rng: np.random.Generator, ends: int) -> list[float]:
    """The same without the luck: not how the game ends, but how much better than told each position on the way is.

    Before a prize is turned a position is worth something at first sight. What it leads to is worth something, too, on
    average of all prizes and bids; if both were always the same, the first figure would be right. On average over
    many games the differences add up to its error. The last difference is that between what is believed and what is
    calculated exactly when few cards are left. It is by far the largest, so it is the mean of several `ends`."""
    shares = np.array(knows.glance(game, state))
    while state.phase != OVER:
        drawn, odds = prizes(game, state)
        ahead = np.zeros(state.seats)
        for action, chance in zip(drawn, odds, strict=True):
            turned = state.copy()
            game.apply(turned, LUCK, action, None)
            found = thought(game, knows, turned, known)
            ahead += chance * np.array([found[seat].value for seat in range(state.seats)])
        shares += ahead - knows.glance(game, state)
        if state.seats > 2 and count(state.left) == geier_many.EXACT[state.seats] + 1:
            for _ in range(ends):
                last = state.copy()
                step(game, knows, last, known, rng)
                step(game, knows, last, known, rng)
                shares += (np.array(knows.chances(game, last)) - knows.glance(game, last)) / ends
            break
        step(game, knows, state, known, rng)
        step(game, knows, state, known, rng)
    return list(shares)


def step(game: Game, knows: Judge, state: State, known: Known, rng: np.random.Generator) -> None:
    """A prize, or everybody's choice."""
    if members(game.waiting(state)) == [LUCK]:
        drawn, odds = prizes(game, state)
        game.apply(state, LUCK, int(rng.choice(drawn, p=odds)), None)
        return
    for seat, found in thought(game, knows, state, known).items():
        often = np.array(list(found.mix.values()))
        game.apply(state, seat, int(rng.choice(list(found.mix), p=often / often.sum())), None)


def prizes(game: Game, state: State) -> tuple[list[int], Floats]:
    drawn = members(game.legal(state, LUCK))
    odds = np.array([core.odds(game, state, action) for action in drawn], float)
    return drawn, odds / odds.sum()


def thought(game: Game, knows: Judge, state: State, known: Known) -> dict[int, Weighed]:
    if (key := state.tobytes()) not in known:
        asked = members(game.waiting(state))
        known[key] = knows.weighed(game, {seat: core.view(game, state, seat) for seat in asked}, {})
    return known[key]


if __name__ == "__main__":
    main()
