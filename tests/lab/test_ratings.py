"""Ratings: known formulas, the likelihood itself, and strengths that are known because we made them up."""

from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest

from cheeseboard.lab.arena import groups
from cheeseboard.lab.ratings import MEAN, SCALE, Counted, ratings, resampled
from cheeseboard.lab.verdict import Figure, Played, judged

TRUE = np.array([1300.0, 1420.0, 1580.0, 1700.0])


def games(strength, met, deals, rng):
    """Rankings as Plackett-Luce has them: every group on every deal, at every turn."""
    turns = [(group, who[turn:] + who[:turn]) for group, who in enumerate(met) for turn in range(len(who))]
    group, who = (np.array(list(part) * deals) for part in zip(*turns, strict=True))
    # who waits the shortest time is first: with exponential waiting times that is the model
    place = 1 + rng.exponential(1 / strength[who]).argsort(1).argsort(1)
    return Played(np.repeat(np.arange(deals), len(turns)), group, who, place, np.zeros_like(who))


def told(played: Played) -> tuple[Any, Any, Any]:
    return played.who, played.place, played.deal


def width(figure: Figure) -> float:
    assert figure.low is not None
    assert figure.high is not None
    return figure.high - figure.low


def holds(figure: Figure, truth: float) -> bool:
    return figure.low is not None and figure.high is not None and bool(figure.low <= truth <= figure.high)


def power(rating):
    return 10 ** ((rating - MEAN) / SCALE)


@pytest.mark.parametrize(("wins", "losses", "draws"), [(3, 1, 0), (10, 2, 5), (1, 1, 0), (1, 40, 1)])
def test_two_players_by_the_closed_form(wins, losses, draws):
    places = [[1, 2]] * wins + [[2, 1]] * losses + [[1, 1]] * draws
    counted = Counted.of([[0, 1]] * len(places), places, range(len(places)), 2)
    first, second = ratings(*counted.sums())
    assert first - second == pytest.approx(400 * np.log10((wins + draws / 2) / (losses + draws / 2)))
    assert first + second == pytest.approx(2 * MEAN)
    first, second = ratings(*counted.sums(), draws=1)
    assert first - second == pytest.approx(400 * np.log10((wins + draws / 2 + 0.5) / (losses + draws / 2 + 0.5)))


def test_with_two_seats_it_is_bradley_terry():
    """The most likely strengths are those that expect of each bot as many wins as it had (Zermelo's equations)."""
    played = games(power(TRUE), groups(4, 2), 50, np.random.default_rng(1))
    rating = ratings(*Counted.of(*told(played), bots=4).sums())
    expected, had = np.zeros(4), np.zeros(4)
    for (one, other), (place, _) in zip(played.who, played.place, strict=True):
        chance = 1 / (1 + 10 ** ((rating[other] - rating[one]) / 400))
        expected += np.eye(4)[one] * chance + np.eye(4)[other] * (1 - chance)
        had[one if place == 1 else other] += 1
    assert expected == pytest.approx(had)


def test_counting_wins_is_the_same_for_two_and_not_for_three():
    rng = np.random.default_rng(2)
    for seats, same in ((2, True), (3, False)):
        played = games(power(TRUE), groups(4, seats), 30, rng)
        places, wins = (ratings(*Counted.of(*told(played), bots=4, only_wins=only).sums()) for only in (False, True))
        assert np.allclose(places, wins) == same


def likelihood(strength, who, place):
    """Straight from the definition: those who share a place in every order, the mean of the logarithms."""
    orders = [order for order in permutations(range(len(who))) if all(place[a] <= place[b] for a, b in pairwise(order))]
    logs = []
    for order in orders:
        left = [strength[who[seat]] for seat in order]
        logs.append(sum(np.log(left[n] / sum(left[n:])) for n in range(len(left))))
    return np.mean(logs)


def test_nothing_is_more_likely():
    """With ties and with copies of a bot at one table, no step in any direction makes the games more likely."""
    rng = np.random.default_rng(3)
    who = rng.integers(0, 3, (60, 4))
    place = np.array([[1 + sum(other < own for other in row) for own in row] for row in rng.integers(0, 3, (60, 4))])
    counted = Counted.of(who, place, range(60), 3)
    best = ratings(*counted.sums())

    def all_games(rating):
        return sum(likelihood(power(rating), *game) for game in zip(who, place, strict=True))

    for _ in range(12):
        step = rng.normal(0, 4, 3)
        assert all_games(best + step - step.mean()) < all_games(best)


def test_who_sits_with_copies_only_tells_nothing():
    counted = Counted.of([[0, 0, 0], [0, 1, 1]], [[1, 2, 3], [1, 2, 3]], [0, 0], 2)
    assert counted.companies.tolist() == [[1, 2]]
    assert counted.first.tolist() == [[1, 0]]


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_intervals_hold_the_truth(seats):
    """Of 4 x 20 intervals of ratings, which should hold the truth 76 times, at least 70 do; of gaps too."""
    rng, held, gaps, met = np.random.default_rng(seats), 0, 0, groups(4, seats)
    for seed in range(20):
        verdict = judged(games(power(TRUE), met, 120 // seats, rng), list("abcd"), met, seed, "places")
        truth = dict(zip("abcd", TRUE, strict=True))
        held += sum(holds(bot.rating, truth[bot.bot]) for bot in verdict.bots)
        gaps += sum(holds(pair.gap, truth[pair.bots[0]] - truth[pair.bots[1]]) for pair in verdict.pairs)
        assert [bot.bot for bot in verdict.bots] == sorted(truth, key=truth.__getitem__, reverse=True)
    assert held >= 70
    assert gaps >= 105


def test_a_deal_is_the_unit():
    """The same games told ten times, as more games of the same deals, make nothing more certain."""
    met = groups(3, 2)
    once = games(power(TRUE), met, 60, np.random.default_rng(5))
    often = Played(*(np.concatenate([part] * 10) for part in once))
    widths = [
        np.mean([width(bot.rating) for bot in judged(played, list("abc"), met, 0, "places").bots])
        for played in (once, often)
    ]
    assert widths[1] == pytest.approx(widths[0], rel=0.1)


def test_whoever_wins_always_is_not_infinitely_strong():
    counted = Counted.of([[0, 1]] * 20, [[1, 2]] * 20, range(20), 2)
    first, second = ratings(*counted.sums(), draws=1)
    assert first - second == pytest.approx(400 * np.log10(41))


def test_samples_are_sums_of_as_many_deals():
    deals = np.array([[1.0, 10.0], [2.0, 10.0], [3.0, 10.0]])
    sums = resampled(deals, 200, np.random.default_rng(1))
    assert sums.shape == (200, 2)
    assert set(sums[:, 1]) == {30.0}
    assert {3.0, 6.0, 9.0} <= set(sums[:, 0])


def test_many_samples_at_once_are_each_by_itself():
    met = groups(4, 3)
    counted = Counted.of(*told(games(power(TRUE), met, 20, np.random.default_rng(6))), bots=4)
    wins, seen = counted.first.reshape(4, 5, -1).sum(1), counted.met.reshape(4, 5, -1).sum(1)
    together = ratings(counted.companies, seen, wins, draws=1)
    for n in range(4):
        assert ratings(counted.companies, seen[n], wins[n], draws=1) == pytest.approx(together[n])
