"""Search in a game of one choice: what it tries, how often, with what luck, and that it takes what wins most."""

from types import SimpleNamespace

import numpy as np
import pytest

from cheeseboard.bots import search
from cheeseboard.games.core import LUCK, OVER, State, record

CHOOSE, REPLY, TOSS = range(3)
STATE = record(secret="i1", chosen="i1", wins="i1")
ODDS = (1, 2, 5, 0)


class Toy:
    """Seat 0 chooses 0 to 3, seat 1 waves it through, and luck decides: action 2 wins always, 1 if the secret is 1, 3
    with five of eight, 0 never."""

    ACTIONS = 4

    def __init__(self):
        self.tried = []
        self.worlds = set()

    def legal(self, state, seat):
        return {CHOOSE: 0b1111, REPLY: 0b1, TOSS: 0b0111}[int(state.phase)]

    def waiting(self, state):
        return 1 << {CHOOSE: 0, REPLY: 1, TOSS: LUCK}[int(state.phase)]

    def odds(self, state, action):
        return ODDS[action]

    def apply(self, state, seat, action, events):
        if state.phase == CHOOSE:
            state.chosen = action
            self.tried.append(action)
            self.worlds.add(int(state.secret))
            state.phase = REPLY
        elif state.phase == REPLY:
            state.phase = TOSS
        else:
            state.wins = int((False, state.secret == 1, True, action == 2)[int(state.chosen)])
            state.phase = OVER

    def guess(self, state, rng):
        state.secret = int(rng.integers(0, 2))

    def rank(self, state):
        return np.array([1, 2] if state.wins else [2, 1])


@pytest.fixture
def toy(monkeypatch):
    game = Toy()
    brought = {"advise": search.anything, "judge": search.at_the_end}
    names = {name: getattr(game, name) for name in dir(game) if not name.startswith("_")}
    monkeypatch.setattr(search, "game", SimpleNamespace(**names, **brought))
    return game


def found(game, budget, worth, seed=1):
    view = State.of(np.zeros(1, STATE)[0])
    view.seats = 2
    with np.errstate(over="ignore"):
        return search.search(search.try_out, game, view, 0, np.random.default_rng(seed), budget, np.zeros(1), worth)


def test_it_takes_what_wins_most(toy):
    worth = np.full(4, 0.5)
    assert found(toy, 800, worth) == 2
    assert worth[2] > 0.9
    assert worth[0] < 0.15
    assert worth[1] == pytest.approx(0.5, abs=0.1)
    assert worth[3] == pytest.approx(0.6, abs=0.1)
    assert toy.worlds == {0, 1}, "both truths must be thought of"


def test_the_budget_counts_play_outs_and_the_worse_half_gets_no_more(toy):
    found(toy, 800, np.full(4, 0.5))
    tries = [toy.tried.count(action) for action in range(4)]
    assert sum(tries) == 800
    assert tries == [100, 100, 300, 300]


def test_all_actions_meet_the_same_worlds_and_the_same_luck(toy):
    """Four actions that are the same, and that luck decides, must come to the same worth while they are tried."""
    plain = toy.apply

    def apply(state, seat, action, events):
        plain(state, seat, 3 if state.phase == CHOOSE else action, events)

    search.game.apply = apply
    worth = np.full(4, 0.5)
    found(toy, 400, worth)
    assert worth[0] == worth[1] != worth[2] == worth[3]


def test_a_first_opinion_counts_but_not_for_ever(toy):
    early, late = (np.array([0.9, 0.2, 0.2, 0.2]) for _ in range(2))
    assert found(toy, 8, early) == 0
    assert found(toy, 800, late) == 2


def test_the_same_seed_gives_the_same_answer(toy):
    first, second = np.full(4, 0.5), np.full(4, 0.5)
    assert found(toy, 40, first, seed=3) == found(toy, 40, second, seed=3)
    assert list(first) == list(second)


def test_luck_is_as_likely_as_there_are_cards(toy):
    state = State.of(np.zeros(1, STATE)[0])
    state.phase = TOSS
    dice, drawn = np.array([7], np.uint64), [0] * 4
    with np.errstate(over="ignore"):
        for _ in range(4000):
            drawn[search.luck(state, LUCK, dice)] += 1
    assert drawn[3] == 0, "luck may not do that"
    assert [n / 4000 for n in drawn[:3]] == pytest.approx([1 / 8, 2 / 8, 5 / 8], abs=0.03)


def test_halving():
    assert search.better_half([0, 1, 3, 4], np.array([0.3, 0.1, 0.0, 0.2, 0.4])) == [0, 4]
    assert search.better_half([0, 1, 3], np.array([0.3, 0.1, 0.0, 0.2])) == [0, 3]
    assert search.better_half([1, 2], np.zeros(3)) == [2]
