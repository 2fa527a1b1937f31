"""Exact endgames: the values are those of the rules played through, and the mixes guarantee them."""

import itertools
from types import FunctionType

import numpy as np
import pytest

from cheeseboard.bots.geier_endgame import AIMS, endgame, exact
from cheeseboard.bots.geier_stages import in_order
from cheeseboard.games import core
from cheeseboard.games.core import LUCK, members
from cheeseboard.games.geier.rules import BID, TURN
from tests.bots.geier_brute import GAME, after, payoffs, walk, worth

RULES = [
    {"ties": ties, "ranking": ranking}
    for ties, ranking in itertools.product(("rulebook", "goofspiel"), ("rulebook", "highest-mouse"))
]
DECKS = [{}, {"prizes": [6, 5, 4, -1, -2, -3]}, {"prizes": [2, 2, -2, 3, 3, 0]}, {"prizes": [5, -5, 4, -4, 1, 1, 1]}]


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("aim", AIMS)
def test_against_brute_force(rules, aim):
    rng = np.random.default_rng(1)
    for deck, cards, phase in itertools.product(DECKS, (1, 2, 3), (BID, TURN)):
        state = walk(cards, phase, rng, **rules, **deck)
        known: dict[bytes, float] = {}
        value = worth(state, aim, known)
        mine, theirs = exact(state, 0, aim), exact(state, 1, aim)
        assert mine.value == pytest.approx(value, abs=1e-9)
        assert theirs.value == pytest.approx(-value, abs=1e-9)
        if phase == BID:
            matrix = payoffs(state, aim, known)
            rows, columns = members(state.hand[0]), members(state.hand[1])
            for answer in (mine.mix, theirs.others):
                assert (answer[rows] @ matrix).min() == pytest.approx(value, abs=1e-9)
            for answer in (mine.others, theirs.mix):
                assert (matrix @ answer[columns]).max() == pytest.approx(value, abs=1e-9)
            for mix in (mine.mix, mine.others):
                assert mix.sum() == pytest.approx(1)
        else:
            assert not mine.mix.any()


@pytest.mark.parametrize("aim", AIMS)
def test_five_cards_are_worth_what_their_rounds_are_worth(aim):
    """One round by the rules, the rest by the solver: the same as the solver alone, without brute force for all."""
    rng = np.random.default_rng(2)
    for rules in RULES:
        state = walk(5, BID, rng, **rules)
        answer = exact(state, 0, aim)
        matrix = np.array(
            [
                [exact(after(state, (0, a), (1, b)), 0, aim).value for b in members(state.hand[1])]
                for a in members(state.hand[0])
            ]
        )
        assert (answer.mix[members(state.hand[0])] @ matrix).min() == pytest.approx(answer.value, abs=1e-9)
        assert (matrix @ answer.others[members(state.hand[1])]).max() == pytest.approx(answer.value, abs=1e-9)
        before = walk(5, TURN, rng, **rules)
        turned = [exact(after(before, (LUCK, prize)), 0, aim).value for prize in members(before.left)]
        assert exact(before, 0, aim).value == pytest.approx(np.mean(turned), abs=1e-9)


def test_a_lead_that_cannot_be_caught():
    state = core.new(GAME, 2, prizes=[1, 2, 3])
    state.scores[0] = 7
    state = after(state, (LUCK, 0))
    assert (exact(state, 0).value, exact(state, 1).value) == (1, -1)
    assert exact(state, 0, "points").value == pytest.approx(7)


def test_the_highest_mouse_breaks_a_tie():
    """One card each, level scores, and nothing in the pot: only the mouse that was taken before counts."""
    for ranking, value in (("rulebook", 0), ("highest-mouse", -1)):
        state = core.new(GAME, 2, cards=4, prizes=[0, 1, 2, 3], ranking=ranking)
        for prize, mine, theirs in ((1, 3, 0), (2, 2, 1), (3, 0, 3)):
            state = after(state, (LUCK, prize), (0, mine), (1, theirs))
        assert state.scores[:2] == [3, 3]
        assert exact(after(state, (LUCK, 0)), 0).value == value


def plain(function, **more):
    """The function as Python runs it, with `machine_code` doing nothing."""
    world = {**function.__globals__, "machine_code": lambda other: other, **more}
    return FunctionType(function.__code__, world, function.__name__, function.__defaults__)


def test_plain_and_compiled_agree():
    rng = np.random.default_rng(3)
    for rules, aim in itertools.product(RULES, AIMS):
        state = walk(3, BID, rng, **rules)
        quick, slow = exact(state, 0, aim), plain(exact, endgame=plain(endgame))(state, 0, aim)
        assert quick.value == slow.value
        np.testing.assert_array_equal(quick.mix, slow.mix)


def test_sorting():
    rng = np.random.default_rng(4)
    for size in (0, 1, 2, 3, 7, 8, 9, 100):
        numbers = rng.integers(0, 20, size)
        assert in_order(numbers.copy()).tolist() == sorted(numbers.tolist())
