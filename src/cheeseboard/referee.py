"""Who was first, between a cable and a phone in a train: by what each saw and did, as far as the house can defend it.

A slap counts from when its own screen showed the mouse. The house knows when it sent the mouse and when the slap came
back; of the time between, it takes off what the device says that the way and the painting took, but never more than a
way of that length can explain. How long the way is, it measures itself. Whoever is within the width of a dead heat of
the first is as fast as the first, and the order among them is drawn by lot.

All of this is arithmetic on figures that are kept: `judge` gives the same verdict again from the verdict alone. No
clock, no socket. Times are milliseconds, with one digit after the point."""

import tomllib
from collections.abc import Callable, Sequence
from importlib.resources import files
from math import inf
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

Preset = Literal["friends", "ranked", "machines"]
Tier = Literal["normal", "no-claim", "watch"]
Ms = Annotated[float, Meta(ge=-1e7, le=1e7)]

WATCHED = 20  # slaps by which somebody is judged
PEGGED = 0.9  # of them with the longest lag that can be defended: who honestly has a bad line is far below it
QUICK, EVEN = 170.0, 0.08  # median, and spread in shares of the mean, below which no human paw stays for long
SLOWER_THAN_POSSIBLE = 2.0  # a claim that would have had to travel faster than the line is


class Terms(Struct, frozen=True, forbid_unknown_fields=True):
    """One of `referee.toml`, which says what each of them means."""

    cap: float
    cap_unbound: float
    render: float
    jitter: tuple[float, float]
    budget: tuple[float, float, float]
    spikes: float
    unclaimed: float
    false_start: float
    floor: float
    lockout: float
    proxy: float


_FILE: dict[str, Any] = tomllib.loads((files(__package__) / "referee.toml").read_text("utf-8"))
VERSION: int = _FILE["version"]
PRESETS: dict[str, Terms] = {name: msgspec.convert(_FILE[name], Terms) for name in ("friends", "ranked", "machines")}


class Paw(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One slap: first what was measured and claimed, then what follows from it."""

    seat: Annotated[int, Meta(ge=0, le=5)]
    bot: bool = False
    elapsed: Ms  # from sending the mouse to hearing the slap, by the house's own clock
    claim: Ms | None = None  # from paint to paw, as the device tells it
    trip: Ms = 0.0  # the shortest way there and back that answered pings have shown of late
    kernel: Ms | None = None  # the same as the kernel knows it, where the player is the other end of the line
    jitter: Ms = 0.0  # how much longer nine of ten ways are at most
    budget: Ms = 0.0  # for sudden delays, before this slap
    loop: Ms = 0.0  # how long the house itself may have let the slap lie
    handicap: Ms = 0.0  # head start that the table has agreed on
    tier: Tier = "normal"
    seen: Ms | None = None  # from sending the mouse to hearing that it is painted
    input: str = ""  # touch, pen, mouse or key
    step: Ms | None = None  # of the device's timer
    # what follows
    comp: Ms = 0.0  # taken off
    score: Ms = 0.0  # by this it counts
    doubt: Ms = 0.0  # by so much it could be less, if all that was taken off beyond the bare way were wrong
    left: Ms = 0.0  # of the budget, after this slap
    marks: tuple[str, ...] = ()


class Verdict(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All paws of one race, the fastest first, and who of them is first: one, or all of a dead heat in drawn order."""

    e: Annotated[int, Meta(ge=0, lt=2**32)]  # the number of the act after which the race was opened
    preset: Preset
    version: int = VERSION
    heat: Ms
    paws: tuple[Paw, ...]
    first: tuple[int, ...]
    early: tuple[Paw, ...] = ()  # false starts: they do not count


class Weighed(NamedTuple):
    base: float
    allow: float
    comp: float
    left: float
    score: float


def weigh(
    elapsed: float,
    claim: float,  # below 0: none
    trip: float,
    jitter: float,
    budget: float,
    loop: float,
    cap: float,
    render: float,
    spikes: float,
    unclaimed: float,
    gain: float,
    most: float,
    floor: float,
) -> tuple[float, float, float, float, float]:
    """The formula: base, allow, what is taken off, the budget after it, the score. Plain enough to be compiled."""
    base = min(cap, trip + render + jitter + loop)
    allow = min(cap, base + min(budget, spikes * jitter))
    lag = elapsed - claim if claim >= 0 else min(cap, trip + unclaimed + loop)
    comp = min(max(lag, 0.0), allow)
    left = min(most, budget - max(0.0, comp - base) + gain)
    return base, allow, comp, left, max(elapsed - comp, floor)


def way(trip: float, kernel: float | None) -> float:
    """The shortest way there and back that the house believes: to answer late lengthens only one's own."""
    return trip if kernel is None else min(trip, kernel + 5.0)


def _weighed(paw: Paw, terms: Terms) -> Weighed:
    cap = terms.cap_unbound if paw.kernel is None else terms.cap
    claim = paw.claim if paw.claim is not None and paw.tier != "no-claim" else -1.0
    _, gain, most = terms.budget
    trip = way(paw.trip, paw.kernel)
    return Weighed(
        *weigh(
            paw.elapsed,
            claim,
            trip,
            paw.jitter,
            paw.budget,
            paw.loop,
            cap,
            terms.render,
            terms.spikes,
            terms.unclaimed,
            gain,
            most,
            terms.floor,
        )
    )


def allowed(paw: Paw, terms: Terms) -> float:
    """The most that can be taken off a slap under such circumstances, whatever it claims."""
    return _weighed(paw, terms).allow


def too_soon(paw: Paw, terms: Terms) -> bool:
    """A false start: it cannot have been a reaction to this mouse."""
    line = terms.false_start
    return line > 0 and not paw.bot and paw.elapsed < way(paw.trip, paw.kernel) + line


def score(paw: Paw, terms: Terms) -> Paw:
    """The same slap with what follows from its figures. A bot has no way to go and no claim: its time is its time.

    >>> came = Paw(seat=0, elapsed=512.0, claim=396.2, trip=90.0, kernel=88.1, jitter=12.0, budget=20.0)
    >>> paw = score(came, PRESETS["friends"])
    >>> paw.comp, paw.score, paw.left
    (115.8, 396.2, 22.0)
    """
    if paw.bot:
        return msgspec.structs.replace(paw, score=tenths(paw.elapsed - paw.handicap))
    base, _, comp, left, reached = _weighed(paw, terms)
    lag = inf if paw.claim is None else paw.elapsed - paw.claim
    trip = way(paw.trip, paw.kernel)
    marks = {
        "no-claim": paw.claim is None or paw.tier == "no-claim",
        "implausible": paw.elapsed - comp < terms.floor,
        "slower-than-possible": lag < trip - SLOWER_THAN_POSSIBLE,
        "pegged": inf > lag >= base,
        "cut": inf > lag > comp,
        "unbound": paw.kernel is None,
    }
    return msgspec.structs.replace(
        paw,
        comp=tenths(comp),
        score=tenths(reached - paw.handicap),
        doubt=tenths(max(paw.step or 0.0, comp - trip, 0.0)),
        left=tenths(left),
        marks=tuple(mark for mark, holds in marks.items() if holds),
    )


def judge(
    e: int, preset: Preset, heat: float, paws: Sequence[Paw], lot: Callable[[int], int], early: Sequence[Paw] = ()
) -> Verdict:
    """Who was first. `lot(n)` draws a number below n, for the order in a dead heat: who knows better?"""
    terms = PRESETS[preset]
    ranked = sorted((score(paw, terms) for paw in paws), key=lambda paw: (paw.score, paw.seat))
    heated = [paw.seat for paw in ranked if paw.score <= tenths(ranked[0].score + heat)]
    first = [heated.pop(lot(len(heated))) for _ in range(len(heated))]
    return Verdict(e=e, preset=preset, heat=heat, paws=tuple(ranked), first=tuple(first), early=tuple(early))


def again(verdict: Verdict, lot: Callable[[int], int]) -> Verdict:
    """The verdict from its own figures: whoever doubts it can compare."""
    return judge(verdict.e, verdict.preset, verdict.heat, verdict.paws, lot, verdict.early)


def closing(sent: float, best: float, allow: float, heat: float) -> float:
    """When one who has not slapped cannot be first any more; a tenth later, for scores are rounded."""
    return sent + best + allow + heat + 0.1


def closes(best: float, heat: float, waits: Sequence[tuple[float, float]]) -> float:
    """When nobody can be first any more. For each who has not slapped: when the mouse was sent, and all that could be
    taken off a slap of theirs, head start included; times like `best`, in milliseconds."""
    return max((closing(sent, best, allow, heat) for sent, allow in waits), default=-inf)


class Conduct:
    """What the house remembers of a seat's paws at one table."""

    def __init__(self, terms: Terms) -> None:
        self.budget = terms.budget[0]
        self.paws: list[Paw] = []  # the last ones
        self.locked = -inf  # until then no paw of theirs counts, by the clock of whoever asks

    def note(self, paw: Paw) -> None:
        self.budget = paw.left
        self.paws = [*self.paws, paw][-WATCHED:]

    def tier(self, terms: Terms, trip: float, kernel: float | None) -> Tier:
        """How far the seat is trusted. All can see it; nobody is shut out by it."""
        if terms.proxy and (kernel is None or trip - kernel > terms.proxy):
            return "no-claim"
        if len(self.paws) < WATCHED:
            return "normal"
        if sum("pegged" in paw.marks for paw in self.paws) > PEGGED * WATCHED:
            return "no-claim"
        scores = sorted(paw.score + paw.handicap for paw in self.paws)
        mean = sum(scores) / WATCHED
        spread = (sum((each - mean) ** 2 for each in scores) / WATCHED) ** 0.5
        if scores[WATCHED // 2] < QUICK or spread < EVEN * mean:
            return "watch"
        return "normal"


def tenths(ms: float) -> float:
    return round(ms, 1)
