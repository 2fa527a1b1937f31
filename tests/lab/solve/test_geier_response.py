"""Best responses: Ross's formula, nothing against a solution, and what noise costs."""

from typing import Any

import numpy as np
import pytest

from cheeseboard.bots.geier_endgame import exact
from cheeseboard.games import core
from cheeseboard.games.core import members
from cheeseboard.games.geier.rules import ACTIONS
from cheeseboard.lab.solve.geier_response import best_response
from tests.bots.geier_brute import GAME

PLAIN: dict[str, Any] = {"ties": "goofspiel"}


def any_card(view, seat):
    return core.legal_mask(GAME, view, seat) / core.count(view.hand[seat])


def best_points(view, seat):
    return exact(view, seat, "points").mix


def best_win(view, seat):
    return exact(view, seat, "win").mix


def noisy(view, seat):
    return 0.9 * exact(view, seat, "points").mix + 0.1 * any_card(view, seat)


def matching(view, seat):
    """The card of the prize's rank among what is left."""
    turned = members(view.lying)[-1]
    mix = np.zeros(ACTIONS)
    mix[members(view.hand[seat])[core.count(view.left & ((1 << turned) - 1))]] = 1
    return mix


@pytest.mark.parametrize("cards", [2, 3, 4, 5])
def test_ross(cards):
    """Against somebody who lays any card, the best response wins (N * N - 1) / 6 points."""
    found = best_response(any_card, by_lead=False, prizes=list(range(1, cards + 1)), **PLAIN)
    assert found.value == pytest.approx((cards * cards - 1) / 6, abs=1e-9)


@pytest.mark.parametrize("options", [{}, PLAIN, {"ranking": "highest-mouse"}], ids=str)
def test_nothing_is_gained_against_a_solution(options):
    for prizes in ([1, 2, 3, 4], [2, -2, 3, -1]):
        assert best_response(best_points, by_lead=False, prizes=prizes, **options).value == pytest.approx(0, abs=1e-9)
        assert best_response(best_win, "win", prizes=prizes, **options).value == pytest.approx(0, abs=1e-9)


def test_points_are_not_wins():
    """Who plays for points loses to somebody who plays to win, and the other way round."""
    deck: dict[str, Any] = {"prizes": [1, 2, 3, 4], **PLAIN}
    assert best_response(best_points, "win", **deck).value > 0.1
    assert best_response(best_win, **deck).value > 0.1


def test_noise_costs_its_share():
    """Who lays any card in one round of ten loses about a tenth of what can be won against any cards all the time."""
    deck: dict[str, Any] = {"prizes": [1, 2, 3, 4], **PLAIN}
    assert best_response(noisy, by_lead=False, **deck).value == pytest.approx(0.1 * (4 * 4 - 1) / 6, rel=0.1)


def test_a_solved_end_is_not_asked_for():
    for aim, policy in (("points", best_points), ("win", best_win)):
        long, short = (best_response(policy, aim, solved=solved, prizes=[1, -2, 3, 4]) for solved in (0, 3))
        assert long.value == pytest.approx(short.value, abs=1e-9)
        assert short.asked == 4 < long.asked
    whole = best_response(matching, by_lead=False, prizes=[1, 2, 3, 4], **PLAIN)
    ended = best_response(matching, by_lead=False, solved=2, prizes=[1, 2, 3, 4], **PLAIN)
    assert 0 < ended.value < whole.value


def test_cores_do_not_matter():
    told = []
    one = best_response(any_card, by_lead=False, prizes=[1, -2, 3])
    two = best_response(any_card, by_lead=False, cores=2, progress=lambda *done: told.append(done), prizes=[1, -2, 3])
    assert one == two
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_mix_must_be_one():
    with pytest.raises(AssertionError, match="expected a mix of the cards in hand"):
        best_response(lambda view, seat: np.full(ACTIONS, 1 / ACTIONS), prizes=[1, 2])
