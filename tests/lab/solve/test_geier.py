"""Whole decks solved: against brute force through the rules, against known figures, on any number of cores."""

import itertools
from typing import Any

import numpy as np
import pytest

from cheeseboard.games import core
from cheeseboard.games.core import LUCK, OVER, members
from cheeseboard.games.geier.rules import TURN
from cheeseboard.lab.solve import AIMS
from cheeseboard.lab.solve.geier import solve, solve_all
from tests.bots.geier_brute import GAME, after, payoffs, worth

RULES = [
    {"ties": ties, "ranking": ranking}
    for ties, ranking in itertools.product(("rulebook", "goofspiel"), ("rulebook", "highest-mouse"))
]


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("aim", AIMS)
@pytest.mark.parametrize("prizes", [[1, 2, -3], [4, 4, -4], [0, 5, -5], [-1, -2, 3, 3]], ids=str)
def test_every_state_against_brute_force(prizes, aim, rules):
    _, tables = solve_all(aim, keep=True, cores=1, prizes=prizes, **rules)
    known: dict[bytes, float] = {}
    seen = 0
    worth(core.new(GAME, 2, prizes=prizes, **rules), aim, known)
    for key, value in known.items():
        state = core.State.of(np.frombuffer(key, GAME.STATE)[0])
        if state.phase == TURN:
            lead = state.scores[0] - state.scores[1] if aim == "points" else 0
            assert tables.value(state) + lead == pytest.approx(value, abs=1e-9)
            seen += 1
    assert seen > 50


@pytest.mark.parametrize("ties", ["rulebook", "goofspiel"])
@pytest.mark.parametrize("aim", AIMS)
def test_first_bids_against_brute_force(aim, ties):
    options: dict[str, Any] = {"prizes": [2, -1, 3, -4], "ties": ties}
    solution = solve(aim, **options)
    known: dict[bytes, float] = {}
    assert solution.value == 0
    for prize, bid in enumerate(solution.first):
        state = after(core.new(GAME, 2, **options), (LUCK, prize))
        matrix = payoffs(state, aim, known)
        assert bid.prize == state.prizes[prize]
        assert bid.sure == pytest.approx(matrix.min(axis=1).tolist(), abs=1e-9)
        assert (bid.mix @ matrix).min() == pytest.approx(0, abs=1e-9)


def test_plain_goofspiel_as_others_have_found_it():
    """Numbers of states, mirror images once, and what sure bids guarantee. Mixes are no law: others may be as good."""
    found = {cards: solve(prizes=list(range(1, cards + 1)), ties="goofspiel") for cards in (6, 7, 8)}
    assert {cards: solution.states for cards, solution in found.items()} == {6: 1_695, 7: 8_388, 8: 42_460}
    first = found[8].first
    assert first[0].sure[:3] == pytest.approx([-0.647, -0.454, -0.367], abs=5e-4)
    assert first[7].sure[-1] == pytest.approx(-1.600, abs=5e-4)


def test_the_sign_of_a_prize_does_not_matter_without_a_carried_pot():
    good, bad = (solve(prizes=prizes, ties="goofspiel") for prizes in ([1, 2, 3, 4, 5], [1, -2, 3, -4, -5]))
    by_prize = {abs(bid.prize): bid.sure for bid in bad.first}
    assert [bid.sure for bid in good.first] == [by_prize[prize] for prize in (1, 2, 3, 4, 5)]
    good, bad = (solve(prizes=prizes) for prizes in ([1, 2, 3, 4, 5], [1, -2, 3, -4, -5]))
    by_prize = {abs(bid.prize): bid.sure for bid in bad.first}
    assert [bid.sure for bid in good.first] != [by_prize[prize] for prize in (1, 2, 3, 4, 5)]


@pytest.mark.parametrize("aim", AIMS)
def test_cores_do_not_matter(aim):
    told = []
    one, two = (solve(aim, cores, lambda *done: told.append(done), prizes=[5, 4, 3, -1, -2, 2]) for cores in (1, 2))
    assert (one.first, one.states, one.matrices) == (two.first, two.states, two.matrices)
    assert told[-1] == (one.states, one.states)


def test_an_end_has_no_tables_of_its_own():
    """Where no card is left, the table says what the rules say."""
    options: dict[str, Any] = {"prizes": [1, 2], "ranking": "highest-mouse"}
    _, tables = solve_all("win", keep=True, **options)
    state = core.new(GAME, 2, **options)
    for prize, mine, theirs in ((1, 1, 0), (0, 0, 1)):
        state = after(state, (LUCK, prize), (0, mine), (1, theirs))
    assert state.phase == OVER
    assert members(state.left) == []
    assert tables.value(state) == 1
