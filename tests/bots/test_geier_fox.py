"""The fox learns from what was shown, and from nothing else."""

import numpy as np
import pytest

from cheeseboard.bots import Player, ask, geier_many, geier_rounds, geier_two, player, players
from cheeseboard.bots.geier_fox import PRIOR, answer, belief, rounds
from cheeseboard.bots.geier_thumb import bid_of_level
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import HIDDEN, LUCK, members
from cheeseboard.lab.simulate import play_game
from cheeseboard.table import Table

GEIER = GAMES["geier"]
FOX = player(GEIER, "fox")._replace(budget=40)
CARDS = 9


class Evening:
    """A game at a real table, the fox in seat 0; `heard` is what it is told, act by act."""

    def __init__(self, seats, draws):
        draws = iter(draws)
        self.table = Table(GEIER, seats, lambda prizes: next(draws) % prizes, cards=CARDS)
        self.steps = [*self.table.opening]

    @property
    def heard(self):
        return [step.told(0) for step in self.steps]

    def lay(self, seat, card):
        self.steps += self.table.play(seat, card)

    def round_by(self, rng):
        """The fox bids anything, the others what goes with the prize or thereabouts."""
        for seat in range(self.table.state.seats):
            hand = self.table.legal(seat)
            near = hand.index(bid_of_level(self.table.state, seat, 0, hand)) + int(rng.integers(-1, 2))
            self.lay(seat, hand[min(max(near, 0), len(hand) - 1)] if seat else int(rng.choice(hand)))

    def choice(self, seed):
        return ask(FOX, GEIER, self.table.view(0), 0, np.random.default_rng(seed), self.heard)


# --- what it may not know -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("played", [1, 4, 6])
def test_what_lies_face_down_changes_nothing(seats, played):
    """Two worlds with the same past: in each the others have laid other cards, and the prizes will come otherwise."""
    worlds = [Evening(seats, [4, 1, 5, 2, 0, 1, 0, *to_come]) for to_come in ([0] * 9, [1] * 9)]
    for world, end in zip(worlds, (0, -1), strict=True):
        rng = np.random.default_rng(played)
        for _ in range(played):
            world.round_by(rng)
        for seat in range(1, seats):
            hand = world.table.legal(seat)
            world.lay(seat, hand[len(hand) // 2])
            world.lay(seat, hand[end])  # exchanged
    one, other = worlds
    assert one.table.state != other.table.state, "the worlds differ,"
    assert vars(one.table.view(0)) == vars(other.table.view(0)), "but not for the fox"
    assert one.heard == other.heard
    assert [one.choice(seed) for seed in range(8)] == [other.choice(seed) for seed in range(8)]
    assert one.choice(1) in one.table.legal(0)


@pytest.mark.parametrize("seats", [2, 4])
def test_nobody_is_told_of_a_bid_before_all_have_bid(seats, monkeypatch):
    """The past that bots get in arena and simulation: all that was told to their seat, and nothing else."""
    asked = []

    def spy(game, view, seat, rng, budget, *, past=()):
        asked.append((seat, view.copy(), [list(act) for act in past]))
        return players(GEIER)["random"].choose(game, view, seat, rng, budget)

    monkeypatch.setitem(players(GEIER), "spy", Player(spy, past=True))
    table, _ = play_game(GEIER, ["spy"] * seats, [8], {"cards": 5})
    whole = {seat: past_of(table.log, seat) for seat in range(seats)}
    for seat, view, past in asked:
        assert past == whole[seat][: len(past)], "act by act what the seat was told"
        events = [event for act in past for event in act]
        over = sum(event.kind == "turned" for event in events) - 1
        assert sum(event.kind == "shown" for event in events) == seats * over, "those of the rounds that are over"
        assert core.count(view.hand[seat]) == 5 - over
        assert all(event.card == HIDDEN for event in events if event.kind == "laid" and event.seat != seat)
        assert all(view.bid[other] < 0 for other in range(seats) if other != seat)
    assert len(asked) == seats * 5


# --- what it remembers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 4])
def test_the_fox_that_remembers_a_round_chooses_as_one_that_solves_it_again(seats, monkeypatch):
    """And solves two rounds at most for a choice: the one to be bid for, and, with less care, the last one."""
    solved = []

    def counted(true):
        def solve(*asked):
            solved.append(asked)
            return true(*asked)

        return solve

    monkeypatch.setattr(geier_two, "solve", counted(geier_two.solve))
    monkeypatch.setattr(geier_many, "solved", counted(geier_many.solved))
    fresh = Evening(seats, [3] * CARDS)
    rng = np.random.default_rng(2)
    geier_rounds.forget()
    remembered, again = [], []
    while not fresh.table.over:
        before = len(solved)
        remembered.append(fresh.choice(7))
        assert len(solved) - before <= (1 if seats == 2 else 3), "worth against two cards is asked once more"
        fresh.round_by(rng)
    fresh, rng = Evening(seats, [3] * CARDS), np.random.default_rng(2)
    before = len(solved)
    while not fresh.table.over:
        geier_rounds.forget()
        again.append(fresh.choice(7))
        fresh.round_by(rng)
    assert again == remembered
    assert len(solved) - before > CARDS * CARDS / 3, "without memory all are solved again and again"


# --- what it learns -------------------------------------------------------------------------------------------------


def past_of(table_log, seat):
    """What the seat was told in the game of the log."""
    fresh = Table(GEIER, table_log.seats, None, **table_log.options)
    return [step.told(seat) for who, action in table_log for step in fresh.play(who, action)]


def test_the_fox_sees_the_rounds_as_they_were():
    table, _ = play_game(GEIER, ["rank", "tiers"], [3], {"cards": 6})
    shown = list(rounds(GEIER, core.view(GEIER, table.state, 0), past_of(table.log, 0)))
    assert len(shown) == 6
    laid = [[action for who, action in table.log if who == seat] for seat in range(2)]
    assert [bids for _, bids in shown] == [list(pair) for pair in zip(*laid, strict=True)]
    assert shown[0].before.hand[:2] == [0b111111] * 2


@pytest.mark.parametrize(("name", "kind"), [("rank", 1), ("level1", 2), ("level2", 3)])
def test_the_fox_knows_its_guests(name, kind):
    table, _ = play_game(GEIER, ["random", name], [3], {"cards": 10})
    trust = belief(GEIER, core.view(GEIER, table.state, 0), 0, past_of(table.log, 0), 10)[1]
    assert trust.argmax() == kind
    assert trust[kind] > 2 * PRIOR[kind]


def test_the_fox_answers_a_habit():
    """Whoever always bids the rank of the prize is overbid."""
    table, _ = play_game(GEIER, ["random", "rank"], [4], {"cards": 9})
    fresh = Table(GEIER, 2, None, cards=9)
    past, turned = [], 0
    for who, action in table.log:
        turned += who == LUCK
        past += [step.told(0) for step in fresh.play(who, action)]
        if turned == 5:
            break
    view = fresh.view(0)
    _, worths, known = answer(GEIER, view, 0, past, 10)
    hand = members(view.hand[0])
    expected = bid_of_level(view, 1, 0, members(view.hand[1]))
    assert known > 0.8
    assert hand[int(np.argmax(worths))] != expected
    assert worths.max() > worths.mean()
