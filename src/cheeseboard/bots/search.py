"""Search where cards are hidden: guess them, try each action there, play on as advised, and see who wins.

`searcher` makes machine code of it for one game. Besides the rules a game may bring two functions of its own, and a
record `mind` with whatever they need to know:

    advise(state, seat, mind, dice) -> action    what a player does in a play-out
    judge(state, mind, chances) -> bool          may the play-out end here? Then, everybody's chance to win

All actions are tried in the same worlds with the same luck, so that only the action makes the difference, and the
worse half is dropped as the budget is used up. For games in turns."""

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from cheeseboard.bots.dice import chance
from cheeseboard.games.compiled import compile_for
from cheeseboard.games.core import LUCK, OVER, SEATS, Game, State, count, members, nth

game: Any = None  # the compiled rules and what goes with them, put here by `compile_for`
WORLDS = 64  # that are guessed; each is played in again and again, with other luck
TRUST = 30.0  # play-outs that the first opinion of an action counts for
STREAM = np.uint64(0xD1342543DE82EF95)


# --- what a game brings, unless it has its own ----------------------------------------------------------------------


def anything(state: Any, seat: int, mind: Any, dice: Any) -> int:  # noqa: ARG001
    actions = game.legal(state, seat)
    return nth(actions, int(chance(dice) * count(actions)))


def at_the_end(state: Any, mind: Any, chances: Any) -> bool:  # noqa: ARG001
    """Play to the very end; who share the win share the chance."""
    if state.phase != OVER:
        return False
    place = game.rank(state)
    winners = 0
    for seat in range(state.seats):
        winners += int(place[seat] == 1)
    for seat in range(state.seats):
        chances[seat] = int(place[seat] == 1) / winners
    return True


# --- the search -----------------------------------------------------------------------------------------------------


@cache
def searcher(rules: Game, advise: Callable[..., int] = anything, judge: Callable[..., bool] = at_the_end) -> Any:
    """`try_out` below as machine code."""
    module: Any = ModuleType(rules.__name__)
    vars(module).update(vars(rules), advise=advise, judge=judge)
    return compile_for(module, try_out, inline=False)


def search(
    found: Any,
    rules: Game,
    view: State,
    seat: int,
    rng: np.random.Generator,
    budget: int,
    minds: npt.NDArray[Any],
    worth: npt.NDArray[np.float64],
) -> int:
    """The action that wins most often in `budget` play-outs by `found`, a searcher.

    `worth` of each action is its chance to win, before as it seems to be, afterwards as it has turned out; that of
    an action dropped early less exactly."""
    worlds = np.concatenate([guessed(rules, view, rng) for _ in range(WORLDS)])
    room = worlds[:1].copy(), np.zeros(1, np.uint64), np.zeros(SEATS)
    seed, tried, actions = int(rng.integers(0, 1 << 62)), 0, members(rules.legal(view, seat))
    share = budget // max(1, (len(actions) - 1).bit_length())  # they are halved so often until one is left
    while len(actions) > 1:
        last = tried + max(1, share // len(actions))
        found(worlds, *room, sum(1 << action for action in actions), seat, minds, seed, tried, last, worth)
        actions = better_half(actions, worth)
        tried = last
    return actions[0]


def guessed(rules: Game, view: State, rng: np.random.Generator) -> npt.NDArray[Any]:
    world = view.copy()
    rules.guess(world, rng)
    return world.records()


def better_half(actions: list[int], worth: npt.NDArray[np.float64]) -> list[int]:
    """In their order; of equal ones the last."""
    return sorted(sorted(actions, key=worth.__getitem__)[len(actions) // 2 :])


def try_out(
    worlds: Any,
    ends: Any,
    dice: Any,
    chances: Any,
    actions: int,
    seat: int,
    minds: Any,
    seed: int,
    tried: int,
    last: int,
    worth: Any,
) -> None:
    """Do each of the actions in one world after the other, play on, and correct what it is worth."""
    state, mind = ends[0], minds[0]
    for number in range(tried, last):
        for action in range(game.ACTIONS):
            if (actions >> action) & 1:
                ends[0] = worlds[number % len(worlds)]
                dice[0] = np.uint64(seed) + np.uint64(number) * STREAM
                game.apply(state, seat, action, None)
                while not game.judge(state, mind, chances):
                    who = nth(game.waiting(state), 0)
                    done = luck(state, who, dice) if who == LUCK else game.advise(state, who, mind, dice)
                    game.apply(state, who, done, None)
                worth[action] += (chances[seat] - worth[action]) / (number + 1 + TRUST)


def luck(state: Any, seat: int, dice: Any) -> int:
    """One of LUCK's actions, each as likely as there are cards behind it."""
    actions = game.legal(state, seat)
    total = 0
    for action in range(game.ACTIONS):
        total += game.odds(state, action) * ((actions >> action) & 1)
    left = int(chance(dice) * total)
    for action in range(game.ACTIONS):
        left -= game.odds(state, action) * ((actions >> action) & 1)
        if left < 0:
            return action
    return nth(actions, 0)
