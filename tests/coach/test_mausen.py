"""Mausen's coach: what positions are told to be worth is what they come to when they are played on."""

from itertools import product

import numpy as np
import pytest

from cheeseboard.bots import mausen
from cheeseboard.bots.mausen_values import ROOM, think
from cheeseboard.coach import mausen as coach
from cheeseboard.games import GAMES
from cheeseboard.games.compiled import machine_code
from cheeseboard.games.core import members
from tests.games import laws

GAME = GAMES["mausen"]
EXACT = 2  # cards from which on it is played through, after the choice


def with_cards(number, seed, seats=3):
    return next(
        state
        for state, _, _ in laws.walk(GAME, laws.Way(seats, {}), laws.seeded(seed))
        if len(members(state.hand[0])) == number and members(state.missing) == list(range(seats))
    )


def thought(state):
    """The mixes, and what the position is worth."""
    states = np.zeros(ROOM, GAME.STATE)
    states[0] = state.records()[0]
    mix, good, value = np.zeros((6, 16)), np.zeros((6, 16)), np.zeros(6)
    machine_code(think)(states, mausen.nets(3), EXACT, 1000, np.ones(1, np.uint64), mix, good, value)
    return mix, value[:3]


@pytest.mark.parametrize("seed", [1, 4, 6])
def test_rehearsals_come_to_what_all_joint_choices_come_to(seed):
    """Four cards: the net judges what is after the choice, and there the rest is worked out. Little luck is left."""
    state, shares = with_cards(4, seed), np.zeros((600, 6))
    machine_code(coach.rehearse)(state.records(), mausen.nets(3), EXACT, 1000, np.array([seed], np.uint64), shares)
    mix, _ = thought(state)
    worth = np.zeros(3)
    for joint in product(range(4), repeat=3):
        share = np.prod([mix[seat, move] for seat, move in enumerate(joint)])
        if share > 1e-9:
            after = state.copy()
            for seat, move in enumerate(joint):
                GAME.apply(after, seat, members(state.hand[seat])[move], None)
            worth += share * thought(after)[1]
    error = shares.std(axis=0)[:3] / len(shares) ** 0.5
    assert (abs(shares.mean(axis=0)[:3] - worth) <= 4 * error + 1e-9).all()
    assert shares.sum(axis=1) == pytest.approx(1)


def test_where_all_is_worked_out_nothing_is_left_to_luck():
    state = with_cards(3, 2)
    found = coach.reference(GAME, state, 3)
    assert found.shape == (3, 3)
    assert found == pytest.approx(np.array([coach.chances(GAME, state)] * 3))


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_together_all_have_one_win(seats):
    """Also where there are too many joint choices to look at all."""
    state = with_cards(12, seats, seats)
    asked = coach.weighed(GAME, dict.fromkeys(range(seats), state), {})
    assert sum(coach.chances(GAME, state)) == pytest.approx(1)
    assert [each.value for each in asked.values()] == coach.chances(GAME, state), "no luck before a choice"
