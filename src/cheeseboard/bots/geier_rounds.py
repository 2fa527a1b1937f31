"""Rounds of Hol's der Geier as the elephant solves them, each of them once.

The fox is asked anew in each round and looks back at all rounds before, and several elephants at a table think about
the same. What is found depends on nothing but what is asked, so all choose the same in a process that remembers and in
one that does not."""

from functools import lru_cache
from typing import Any

import numpy as np

from cheeseboard.bots import geier_many, geier_two
from cheeseboard.games.core import EMPTY, SEATS, State, count

# An equilibrium promises nothing when several others do not play it: among three dogs it wins no more than they do. So
# with four and more players the elephant expects people among the others: by players, such a share of all bids.
PEOPLE = {3: 0.0, 4: 0.3, 5: 0.3}
KEPT = 256  # rounds that a process remembers: those of some games that are played at the same time


def two(view: State, seat: int) -> geier_two.Round:
    return _two(open_to_all(view), view.dtype, seat)


def many(view: State, budget: int) -> geier_many.Rounds:
    exact = count(view.hand[0]) <= geier_many.EXACT[view.seats]  # which takes the same time with any budget
    return _many(open_to_all(view), view.dtype, 1 if exact else budget)


def open_to_all(view: State) -> bytes:
    """What a round depends on: who has bid already does not belong to it."""
    shared = view.copy()
    shared.bid, shared.last = [EMPTY] * SEATS, [EMPTY] * SEATS
    shared.missing = 0
    return shared.tobytes()


@lru_cache(maxsize=KEPT)
def _two(known: bytes, kind: Any, seat: int) -> geier_two.Round:
    return geier_two.solve(geier_two.position(State.of(np.frombuffer(known, kind)[0]), seat))


@lru_cache(maxsize=KEPT)
def _many(known: bytes, kind: Any, budget: int) -> geier_many.Rounds:
    view = State.of(np.frombuffer(known, kind)[0])
    return geier_many.solved(view, budget, PEOPLE[view.seats])


def forget() -> None:
    """As in a new process."""
    _two.cache_clear()
    _many.cache_clear()
