"""Memento. All plan in the same way; mouse, cat and dog forget, and the elephant tries its plans out."""

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from cheeseboard.bots import Past, Player
from cheeseboard.bots.memento_memory import Memory, recall
from cheeseboard.bots.memento_plan import grab, plan, survey
from cheeseboard.bots.memento_tables import BEHIND, mind, plain_mind
from cheeseboard.games.core import OVER, Game, State
from cheeseboard.games.memento.rules import LAPS, rank

CERTAIN = 0.5  # how far the result of a play-out is taken for certain


def greedy(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    """Counts only what a card brings at once."""
    thoughts = plain_mind(view.deck, view.seats)
    survey(view, thoughts)
    return grab(view, seat, thoughts)


def planner(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    """Forgets nothing."""
    thoughts = plain_mind(view.deck, view.seats)
    survey(view, thoughts)
    return plan(view, seat, thoughts)


def human(
    game: Game,  # noqa: ARG001
    view: State,
    seat: int,
    rng: np.random.Generator,  # noqa: ARG001
    budget: int,  # noqa: ARG001
    *,
    past: Past = (),
    memory: Memory,
    regard: float,
    sight: int,
) -> int:
    """Plans with what it remembers."""
    thoughts = plain_mind(view.deck, view.seats, regard, sight)
    recall(view, seat, past, memory, thoughts)
    return plan(view, seat, thoughts)


def elephant(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:
    """Tries out what the planner would do, and everything else, in worlds that may be the true one."""
    from cheeseboard.bots.search import search, searcher  # here: whoever does not search needs no compiler

    minds = mind(view.deck, view.seats).copy()
    minds[0].lap = view.lap
    return search(searcher(game, advise, judge), game, view, seat, rng, budget, minds, expected(view, seat))


def expected(view: State, seat: int) -> npt.NDArray[np.float64]:
    """The plan's points as chances: near a draw one point is worth a quarter of 1 / temper."""
    thoughts = plain_mind(view.deck, view.seats)
    survey(view, thoughts)
    most = thoughts.option[plan(view, seat, thoughts)]
    points = 4 * float(thoughts.temper[LAPS - 1 - view.lap])
    return np.array([1 / view.seats - (most - option) / points for option in thoughts.option])


def advise(state: Any, seat: int, mind: Any, dice: Any) -> int:  # noqa: ARG001
    survey(state, mind)
    return plan(state, seat, mind)


def judge(state: Any, mind: Any, chances: Any) -> bool:
    """The end of the round is enough: after it, and even more before the last, all are as strong as their points.

    Who has won is not the whole truth about an action either: luck might have turned a narrow result."""
    over = state.phase == OVER
    if not over and state.lap == mind.lap:
        return False
    fade, place = mind.fade[0 if over else LAPS - state.lap], rank(state)
    most, winners, total = state.scores[0], 0, 0.0
    for seat in range(state.seats):
        most = max(most, state.scores[seat])
        winners += int(place[seat] == 1)
    for seat in range(state.seats):
        chances[seat] = fade[min(most - state.scores[seat], BEHIND - 1)]
        total += chances[seat]
    for seat in range(state.seats):
        chances[seat] /= total
        if over:
            chances[seat] += CERTAIN * (int(place[seat] == 1) / winners - chances[seat])
    return True


PLAYERS = {
    "mouse": Player(partial(human, memory=Memory(0.85, 0.25, 8, 3), regard=0.0, sight=4), past=True),
    "cat": Player(partial(human, memory=Memory(0.95, 0.6, 25, 4), regard=0.5, sight=10), past=True),
    "dog": Player(partial(human, memory=Memory(0.99, 0.95), regard=1.0, sight=10), past=True),
    "elephant": Player(elephant, 1000),
    "greedy": Player(greedy),
    "planner": Player(planner),
}
