"""Mausen: what cards and positions are worth, as the elephant sees it. The only luck are the others."""

from typing import Any

import numpy as np
import numpy.typing as npt

from cheeseboard.bots import mausen
from cheeseboard.bots.mausen_nets import CARDS, desk, judge, lay_out
from cheeseboard.bots.mausen_values import ROOM, play, think
from cheeseboard.bots.symmetric import throw
from cheeseboard.coach import Done, Views, Weighed, calculated, of_the_win
from cheeseboard.games.compiled import machine_code
from cheeseboard.games.core import OVER, SEATS, Game, State, count, members, nth
from cheeseboard.games.mausen.rules import ACTIONS

BUDGET = {3: 10_000, 4: 16**4, 5: 30_000, 6: 30_000}  # joint choices looked at, for one round: up to four, all


def chances(game: Game, state: State) -> list[float]:
    if state.phase == OVER:
        return of_the_win(game, state)
    asked = weighed(game, dict.fromkeys(range(state.seats), state), {})
    return [asked[seat].value for seat in range(state.seats)]


def reference(game: Game, state: State, many: int) -> npt.NDArray[np.float64]:  # noqa: ARG001
    """The same in so many games that are played on by these mixes, with as little luck as possible (`rehearse`)."""
    shares, dice = np.zeros((many, SEATS)), np.array([1], np.uint64)
    budget = BUDGET[state.seats]
    exact = mausen.through(state.seats, budget)
    machine_code(rehearse)(state.records(), mausen.nets(state.seats), exact, budget, dice, shares)
    return shares[:, : state.seats]


def rehearse(given: Any, nets: Any, exact: int, budget: int, dice: Any, shares: Any) -> None:
    """Play on from the state, to be compiled; down to where the rest is worked out exactly.

    Where all joint choices were looked at, a position is told to be worth what the net says on average of those after
    it. So it does not count what the drawn one is worth, but only how much more than the net has said."""
    states, table = np.zeros(ROOM, given.dtype), desk(nets)
    mix, good, value = np.zeros((SEATS, CARDS)), np.zeros((SEATS, CARDS)), np.zeros(SEATS)
    bids, said, same = np.zeros(SEATS, np.int64), np.zeros(SEATS), np.ones(1, np.uint64)
    for number in range(len(shares)):
        states[0] = given[0]
        said[:] = 0.0
        while True:
            seats, size = states[0].seats, count(states[0].hand[0])
            think(states, nets, exact, budget, same, mix, good, value)
            for seat in range(seats):
                shares[number, seat] += value[seat] - said[seat]
            if size <= exact + 1:
                break
            for seat in range(seats):
                bids[seat] = nth(states[0].hand[seat], throw(mix[seat], size, dice))
            states[1] = states[0]
            lay_out(states[1], nets[0][size - 1], table)
            left = play(states, bids)
            if size ** int(seats) <= budget:
                judge(states[2], bids, nets[0][left], nets[1][left], nets[2][left], table, said)
            else:
                for seat in range(seats):
                    said[seat] = shares[number, seat]
            states[0] = states[2]


def weighed(game: Game, views: Views, done: Done) -> dict[int, Weighed]:  # noqa: ARG001
    view = next(iter(views.values()))  # before the cards are laid all know the same
    found = mausen.thoughts(game, view, BUDGET[view.seats])
    whole = (found.mix * found.good).sum()  # together they have one win; where choices were drawn, only about
    mixes, worths = found.mix.tolist(), (found.good / whole).tolist()
    return {seat: calculated(members(view.hand[seat]), mixes[seat], worths[seat]) for seat in views}


def round(view: State) -> int:  # noqa: A001
    return ACTIONS + 1 - count(view.hand[0])


def stake(view: State) -> int:  # noqa: ARG001
    """Nothing that one number could tell: the whole middle lies open."""
    return 0
