"""What many games say: who is how strong, how often one beats another, and how sure that is."""

from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cheeseboard.lab.ratings import Counted, Floats, ratings, resampled

COUNTS = ("places", "wins")  # what a rating is made of; with two players it is the same
DEALS_LEAST = 10  # fewer say nothing about how much deals differ
SAMPLES = 1000  # for intervals
SURE = (2.5, 97.5)  # an interval holds 95 of 100 samples
DRAWS = 1.0  # of every two bots, added to their games: who has won everything is strong, not infinitely so

Group = tuple[int, ...]  # bots by number
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Figure:
    """What was measured, and between what it lies with 95 % certainty; None if there were too few deals to tell."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Standing:
    """One bot."""

    bot: str
    rating: Figure
    win_share: Figure  # of the games at its seats; those who win together share the win
    mean_score: float


@dataclass(frozen=True)
class Pair:
    """Two bots in all games in which both sat."""

    bots: tuple[str, str]
    ahead: Figure  # the share of meetings in which the first came before the second; a shared place is half
    gap: Figure  # between their ratings


@dataclass(frozen=True)
class Mix:
    """Those who sat together: how many seats each had, and which share of the games each of these seats won."""

    seats: dict[str, int]
    games: int
    win_share: dict[str, Figure]


class Played(NamedTuple):
    """Games, each [game, seat], and to which deal and group a game belongs."""

    deal: Ints
    group: Ints
    who: Ints
    place: Ints
    score: Ints


class Verdict(NamedTuple):
    bots: list[Standing]
    pairs: list[Pair]
    mixes: list[Mix]


def judged(played: Played, names: list[str], met: list[Group], seed: int, count: str) -> Verdict:
    """Ratings and shares, with intervals from deals drawn again: games on one deal have their luck in common."""
    counted = Counted.of(played.who, played.place, played.deal, len(names), only_wins=count == "wins")
    order = np.argsort(-ratings(*counted.sums(), DRAWS), kind="stable")  # in which bots have numbers from here on
    counted = counted.ordered(order)
    played = played._replace(who=np.argsort(order)[played.who])
    names = [names[bot] for bot in order]
    copies = np.array([np.bincount(np.argsort(order)[list(group)], minlength=len(names)) for group in met])
    pairs = list(combinations(range(len(names)), 2))
    faced = np.array([(copies[:, one] * copies[:, other]).sum() for one, other in pairs])
    parts = [counted.met, counted.first, _wins(played, copies), _ahead(played, pairs)]
    each = len(counted.met) * played.who.shape[1]  # times that a seat of a group was sat at

    def figures(sums: Floats) -> list[Floats]:
        met, first, wins, ahead = np.split(sums, np.cumsum([part.shape[1] for part in parts])[:-1], axis=-1)
        rating = ratings(counted.companies, met, first, DRAWS)
        tables = wins.reshape(*wins.shape[:-1], *copies.shape)
        gap = np.stack([rating[..., one] - rating[..., other] for one, other in pairs], axis=-1)
        shares = [tables.sum(-2) / copies.sum(0), ahead / faced, tables / np.maximum(copies, 1)]
        return [rating, gap, *(share / each for share in shares)]

    sheet = np.hstack(parts)
    found = figures(sheet.sum(0))
    if len(sheet) < DEALS_LEAST:
        ends = [np.full((2, *part.shape), np.nan) for part in found]
    else:
        samples = figures(resampled(sheet, SAMPLES, np.random.default_rng(seed)))
        ends = [np.percentile(part, SURE, axis=0) for part in samples]
    rating, gap, share, ahead, tables = (_figures(part, *end) for part, end in zip(found, ends, strict=True))
    score = [played.score[played.who == bot].mean() for bot in range(len(names))]
    return Verdict(
        [Standing(name, rating[bot], share[bot], float(score[bot])) for bot, name in enumerate(names)],
        [Pair((names[one], names[other]), ahead[n], gap[n]) for n, (one, other) in enumerate(pairs)],
        [
            Mix(
                {names[bot]: int(own[bot]) for bot in np.flatnonzero(own)},
                each,
                {names[bot]: tables[group, bot] for bot in np.flatnonzero(own)},
            )
            for group, own in enumerate(copies)
        ],
    )


def _wins(played: Played, copies: Ints) -> Floats:
    """For each deal, the wins of each bot in each group; those who win together share the win."""
    shares = (played.place == 1) / (played.place == 1).sum(1, keepdims=True)
    sums = np.zeros((int(played.deal.max()) + 1, copies.size))
    for seat in range(played.who.shape[1]):
        np.add.at(sums, (played.deal, played.group * copies.shape[1] + played.who[:, seat]), shares[:, seat])
    return sums


def _ahead(played: Played, pairs: list[tuple[int, int]]) -> Floats:
    """For each deal, how often the first of each pair came before the second; a shared place is half."""
    sums = np.zeros((int(played.deal.max()) + 1, len(pairs)))
    for n, (one, other) in enumerate(pairs):
        for seat, against in permutations(range(played.who.shape[1]), 2):
            both = (played.who[:, seat] == one) & (played.who[:, against] == other)
            half = 1 + np.sign(played.place[both, against] - played.place[both, seat])
            np.add.at(sums[:, n], played.deal[both], half / 2)
    return sums


def _figures(value: Floats, low: Floats, high: Floats) -> Any:
    """The same shape, of figures."""
    made = np.empty(value.shape, object)
    for at in np.ndindex(value.shape):
        sure = not np.isnan(low[at])
        made[at] = Figure(float(value[at]), float(low[at]) if sure else None, float(high[at]) if sure else None)
    return made
