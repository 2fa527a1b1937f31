"""How strong is everybody, judged by who came before whom.

Each has a strength, and of those who have no place yet each takes the next one with the chance of its share in all
their strengths (Plackett-Luce). With two players that is Bradley-Terry, a draw being half a win for each. The most
likely strengths are found by Hunter's MM algorithm and told on the usual scale: 400 points are a factor of ten, 1500
is the mean.

>>> games = Counted.of([[0, 1]] * 4, [[1, 2], [1, 2], [1, 2], [2, 1]], deals=[0, 1, 2, 3], bots=2)
>>> [round(rating) for rating in ratings(*games.sums())]  # three wins to one: a factor of three
[1595, 1405]
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

MEAN, SCALE = 1500.0, 400.0
CLOSE = 1e-9  # two steps of a strength that differ by less, as a share of it, are the same
STEPS_MOST = 20_000
Floats = npt.NDArray[np.float64]


class Counted(NamedTuple):
    """Games as the strengths need them. A company is who was still without a place: how many of each bot."""

    companies: Floats  # [company, bot]
    met: Floats  # [deal, company]: how often there was such a company
    first: Floats  # [deal, bot]: how often a bot took the next place in one

    @classmethod
    def of(cls, who: Any, places: Any, deals: Any, bots: int, *, only_wins: bool = False) -> "Counted":
        """Of games [game, seat]: which bot sat there and which place it took; and on which deal they were.

        Those who share a place are taken in every order, each equally likely. `only_wins`: places behind the first do
        not count."""
        sort = np.lexsort((who, places))  # the first place first: many games are then the same
        games = np.hstack([np.take_along_axis(np.asarray(part), sort, axis=1) for part in (who, places)])
        rows, number = np.unique(games, axis=0, return_inverse=True)
        seats = rows.shape[1] // 2
        kinds: dict[tuple[int, ...], int] = {}  # the companies, by who is in them
        entries: list[tuple[int, int, float]] = []
        first = np.zeros((len(rows), bots))
        for row, sat in enumerate(rows.tolist()):
            for here, level, weight in _companies(sat[:seats], sat[seats:], only_wins=only_wins):
                entries.append((row, kinds.setdefault(here, len(kinds)), weight))
                for bot in level:
                    first[row, bot] += weight / len(level)
        met = np.zeros((len(rows), len(kinds)))
        for row, kind, weight in entries:
            met[row, kind] += weight
        companies = np.array([np.bincount(here, minlength=bots) for here in kinds], np.float64)
        last = int(np.max(deals)) + 1
        by_deal = np.zeros((last, len(kinds))), np.zeros((last, bots))
        np.add.at(by_deal[0], deals, met[number.ravel()])
        np.add.at(by_deal[1], deals, first[number.ravel()])
        return cls(companies, *by_deal)

    def ordered(self, order: Any) -> "Counted":
        """The same with the bots in another order."""
        return Counted(self.companies[:, order], self.met, self.first[:, order])

    def sums(self) -> tuple[Floats, Floats, Floats]:
        """All deals together, as `ratings` takes them."""
        return self.companies, self.met.sum(0), self.first.sum(0)


def _companies(
    who: Sequence[int], places: Sequence[int], *, only_wins: bool
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], float]]:
    """Each place as it is taken: who had none yet, who of them shared it, and with which weight.

    Where only copies of one bot are left, there is nothing to learn."""
    for place in sorted(set(places)):
        level = [bot for bot, own in zip(who, places, strict=True) if own == place]
        behind = [bot for bot, own in zip(who, places, strict=True) if own > place]
        for still in [len(level)] if only_wins else range(len(level), 0, -1):
            for here in combinations(level, still):
                everybody = tuple(sorted([*here, *behind]))
                if len(set(everybody)) > 1:
                    yield everybody, here, 1 / comb(len(level), still)
        if only_wins:
            return


def ratings(companies: Floats, met: Floats, first: Floats, draws: float = 0.0) -> Floats:
    """The ratings of all bots. `met` and `first` may have more dimensions in front, for many samples at once.

    `draws`: so many drawn games of every two are added. Without any, nobody may have won everything or nothing."""
    bots = companies.shape[1]
    if draws:
        pairs = [np.eye(bots)[one] + np.eye(bots)[other] for one, other in combinations(range(bots), 2)]
        companies = np.vstack([companies, pairs])
        met = np.concatenate([met, np.full((*met.shape[:-1], len(pairs)), draws)], axis=-1)
        first = first + draws * (bots - 1) / 2
    strength = np.ones_like(first)
    for _ in range(STEPS_MOST):
        expected = (met / (strength @ companies.T)) @ companies
        better = first / expected
        better /= np.exp(np.log(better).mean(axis=-1, keepdims=True))
        step = np.abs(better / strength - 1).max()
        strength = better
        if step < CLOSE:
            break
    return MEAN + SCALE * np.log10(strength)


def resampled(deals: Floats, times: int, rng: np.random.Generator) -> Floats:
    """Sums over deals drawn with replacement, so many times: how it could have come out as well."""
    number = len(deals)
    draws = (np.bincount(rng.integers(0, number, number), minlength=number) for _ in range(times))
    return np.array([draw @ deals for draw in draws])
