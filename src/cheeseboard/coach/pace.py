"""Games of speed: how quick a player was, how sure, and what slower paws cost; of one game or of several.

There is no share of the win to tell. All times are those of the player: a head start is not taken off, and the way to
the house is none of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median, quantiles
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

ENOUGH = 5  # paws: of fewer nobody can say whose pace it is
BROAD = 0.1  # of the logarithm of a time: simulated times are no finer than this
STRAY = 0.01  # how often a paw comes at any time whatever

How = Literal["right", "wrong", "late", "passed", "idle"]  # idle: no paw until it was decided, and no word either
Floats = npt.NDArray[np.float64]
Reactions = Callable[[tuple[int, ...]], Mapping[str, Floats]]  # by level, what it needs; infinite: it lets it go


class Reach(NamedTuple):
    """A race as one seat had it."""

    n: int  # entries of the log before it
    seat: int
    kind: int  # what its hand asked for: a place in the game's list of that
    how: How
    to_win: bool  # whether a paw could win anything
    ms: float | None  # until the paw
    best: float | None  # in this time it would have been first; unknown where nobody wanted it
    early: int  # false starts
    like: tuple[int, ...]  # what decides how long somebody needs, for the simulated ones


class Mark(NamedTuple):
    """A paw."""

    n: int
    kind: int
    ms: float
    how: How
    behind: float  # the first; 0 for who was first


class Kind(NamedTuple):
    """What the hand asked for, and how quick it was done; of all there was to win, what became of it."""

    kind: int
    paws: int
    low: float | None  # a quarter of the times is below it, half below the middle, a quarter above `high`
    middle: float | None
    high: float | None
    chances: int  # to win something: the next five together
    right: int
    wrong: int
    late: int
    passed: int
    idle: int
    behind: float | None  # in the middle of those that were late


class Pace(NamedTuple):
    seat: int
    races: int
    first: int  # paws that counted, right or wrong
    late: int
    behind: float | None  # the middle of the late ones
    early: int
    wrong: int
    hasty: int  # wrong ones that were quicker than the middle of the others
    kinds: list[Kind]
    level: str  # of the house's bots, whose pace this is most likely; nothing, where there are too few paws
    levels: dict[str, float]  # what each of them would need in the middle for the same
    marks: list[Mark]

    def figures(self) -> dict[str, Any]:
        """All of it by name."""
        kinds, marks = [kind._asdict() for kind in self.kinds], [mark._asdict() for mark in self.marks]
        return {**self._asdict(), "kinds": kinds, "marks": marks}


def paces(reaches: Sequence[Reach], reactions: Reactions) -> list[Pace]:
    """Of every seat; of no seat, where nothing was measured."""
    seats = sorted({each.seat for each in reaches})
    return [pace([each for each in reaches if each.seat == seat], reactions) for seat in seats]


def pace(reaches: Sequence[Reach], reactions: Reactions) -> Pace:
    """Of one seat, or of one person in several games."""
    marks = [mark for each in reaches if (mark := _mark(each))]
    late = [mark.behind for mark in marks if mark.how == "late"]
    wrong = [mark for mark in marks if mark.how == "wrong"]
    kinds = sorted({each.kind for each in reaches})
    return Pace(
        reaches[0].seat,
        len(reaches),
        len(marks) - len(late),
        len(late),
        middle(late),
        sum(each.early for each in reaches),
        len(wrong),
        sum(_hasty(mark, marks) for mark in wrong),
        [_kind(kind, reaches, marks) for kind in kinds],
        *alike(reaches, reactions),
        marks,
    )


def _mark(each: Reach) -> Mark | None:
    if each.ms is None:
        return None
    behind = max(0.0, each.ms - each.best) if each.how == "late" and each.best is not None else 0.0
    return Mark(each.n, each.kind, each.ms, each.how, round(behind, 1))


def _hasty(wrong: Mark, marks: Sequence[Mark]) -> bool:
    others = [mark for mark in marks if mark.how != "wrong"]
    usual = middle(mark.ms for mark in [each for each in others if each.kind == wrong.kind] or others)
    return usual is not None and wrong.ms < usual


def _kind(kind: int, reaches: Sequence[Reach], marks: Sequence[Mark]) -> Kind:
    times = [mark.ms for mark in marks if mark.kind == kind]
    to_win = [each.how for each in reaches if each.kind == kind and each.to_win]
    behind = middle(mark.behind for mark in marks if mark.kind == kind and mark.how == "late")
    low, usual, high = quarters(times)
    right, wrong, late, passed, idle = (to_win.count(how) for how in ("right", "wrong", "late", "passed", "idle"))
    return Kind(kind, len(times), low, usual, high, len(to_win), right, wrong, late, passed, idle, behind)


def middle(times: Iterable[float]) -> float | None:
    found = list(times)
    return round(median(found), 1) if found else None


def quarters(times: Sequence[float]) -> tuple[float | None, float | None, float | None]:
    """The middle half of them, and its middle.

    >>> quarters([500, 600, 700, 800, 1900])
    (600.0, 700, 800.0)
    """
    if len(times) < 2:
        return middle(times), middle(times), middle(times)
    low, _, high = quantiles(times, n=4, method="inclusive")
    return round(low, 1), middle(times), round(high, 1)


def alike(reaches: Sequence[Reach], reactions: Reactions) -> tuple[str, dict[str, float]]:
    """Who of the house has about this pace, and what all of them would need in the middle where this one had a paw.

    Whoever was too slow often has no paw at all, only a time that was not enough. It counts as that: those times are
    much likelier for a slow level than for a quick one. Without them everybody would seem quick at a quick table."""
    seen = [each for each in reaches if each.to_win and each.ms is not None]
    if len(seen) < ENOUGH:
        return "", {}
    needs: dict[str, list[Floats]] = {}
    likely: dict[str, float] = {}
    for each in reaches:
        if not each.to_win or (each.ms is None and (each.how != "idle" or each.best is None)):
            continue
        for level, times in reactions(each.like).items():
            likely[level] = likely.get(level, 0.0) + _likely(each, times)
            if each.ms is not None:
                needs.setdefault(level, []).append(times[np.isfinite(times)])
    middles = {level: round(float(np.median(np.concatenate(times))), 1) for level, times in needs.items()}
    return max(likely, key=lambda level: likely[level]), middles


def _likely(each: Reach, times: Floats) -> float:
    """The logarithm of how likely it is for somebody who needs such times."""
    if each.ms is None:
        assert each.best is not None
        chance = float(np.mean(times > each.best))
    else:
        apart = np.log(np.maximum(each.ms, 1.0) / times[np.isfinite(times)]) / BROAD
        chance = float(np.sum(np.exp(-(apart**2) / 2))) / (len(times) * BROAD * (2 * np.pi) ** 0.5)
    return float(np.log(STRAY + (1 - STRAY) * chance))
