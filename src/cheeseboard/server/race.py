"""One race at a table: who was shown when what there is to slap, which paws have come down, and until when somebody
could still be first. The rules know no milliseconds: what reaches them before CLOCK closes is a dead heat, in its
order.

A game says in its `game.toml` under [race] which options hold the times and which one does without races, which event
opens a race, which fields are covered until then, and which actions are no slap."""

from collections.abc import Callable, Iterable, Mapping
from math import inf, log
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cheeseboard import referee
from cheeseboard.games import core
from cheeseboard.games.core import Event, Game, State
from cheeseboard.referee import Conduct, Paw, Terms, Verdict, tenths
from cheeseboard.server.line import Length, Line

if TYPE_CHECKING:
    from cheeseboard.server.messages import Slap

Entropy = Callable[[int], bytes]
TOGETHER_S = 0.075  # the most a reveal waits for longer lines: half of 150 ms there and back


Times = tuple[float, float]


class Held(NamedTuple):
    """A paw that waits for the verdict."""

    paw: Paw
    action: int
    id: str = ""
    line: Line | None = None


class Rules(NamedTuple):
    """What a game says of its races."""

    passes: frozenset[int] = frozenset()
    covers: tuple[str, ...] = ()
    reveals: str = ""
    first_s: float = 0.0
    rest_s: float = 0.0
    spread_s: float = 0.0
    gap_s: float = 0.0


def rules(game: Game) -> Rules:
    terms: dict[str, Any] = core.about(game).get("race", {})
    if not terms:
        return Rules()
    times = (terms[name] / 1000 for name in ("first_ms", "rest_ms", "spread_ms", "gap_ms"))
    return Rules(frozenset(terms["passes"]), tuple(terms["covers"]), terms["reveals"], *times)


def has_races(game: Game, options: Mapping[str, Any]) -> bool:
    """Whether a table where this is agreed has races at all."""
    terms: dict[str, Any] = core.about(game).get("race", {})
    return bool(terms) and not any(options.get(name) == choice for name, choice in terms["unless"].items())


class Race:
    """Closed until `sent` has whom it was shown to; then open until the verdict."""

    def __init__(self, game: Game, state: State, terms: Terms, ready: set[int]) -> None:
        self.rules, self.terms = rules(game), terms
        facts = core.about(game).get("race", {})
        self.heat_ms = float(getattr(state, facts["heat_ms"])) if facts else 0.0
        self.seconds = float(getattr(state, facts["seconds"])) if facts else 0.0
        self.ready = ready  # who has cards and has not acted
        self.e = -1  # the number of the act after which it was opened
        self.opened = inf  # when the last one was shown it
        self.sent: dict[Line, float] = {}
        self.ways: dict[Line, Length] = {}  # as they were then: the same figures for everything that follows
        self.seen: dict[Line, float] = {}  # milliseconds until we heard that it was painted
        self.held: dict[int, Held] = {}
        self.early: list[Paw] = []
        self.verdict: Verdict | None = None

    @property
    def open(self) -> bool:
        return bool(self.sent)

    def measured(self, line: Line, seat: int, at: float, conduct: Conduct, handicap: int, loop: float = 0.0) -> Paw:
        """What the house itself knows of a paw of this seat that came in over this line.

        Whoever looks through several lines may look through the shortest: a longer one makes nothing good."""
        own = (self.ways[other] for other in self.sent if other.person == line.person)
        trip, jitter, kernel = min(own, key=lambda way: way.trip)
        seen = self.seen.get(line)
        return Paw(
            seat=seat,
            elapsed=tenths((at - self.sent[line]) * 1000),
            trip=tenths(trip),
            kernel=None if kernel is None else tenths(kernel),
            jitter=tenths(jitter),
            budget=conduct.budget,
            loop=tenths(loop),
            handicap=float(handicap),
            tier=conduct.tier(self.terms, trip, kernel),
            seen=None if seen is None else tenths(seen),
        )

    def show(self, line: Line, now: float) -> None:
        """The line is about to see it."""
        self.sent[line], self.ways[line] = now, line.way.measured(now, self.terms.jitter)

    def best(self) -> float:
        return min((referee.score(held.paw, self.terms).score for held in self.held.values()), default=inf)

    def ends(self, rivals: Iterable[Times], bots: Iterable[Times]) -> float:
        """When the verdict can be given, in seconds. `rivals`: when each who may still slap was shown it, and the most
        that could be taken off. `bots`: when each will slap, and the score it will have."""
        best = self.best()
        if best == inf:
            slowest = max((allow for _, allow in rivals), default=0.0)
            return self.opened + self.seconds + slowest / 1000
        waits = [(sent * 1000, allow) for sent, allow in rivals]
        later = [at for at, score in bots if score <= best + self.heat_ms]
        return max(referee.closes(best, self.heat_ms, waits) / 1000, *later, -inf)


def claimed(paw: Paw, slap: "Slap | None") -> Paw:
    """The same paw with what its device says of it."""
    if slap is None:
        return paw
    claim = None if slap.ms is None else tenths(slap.ms)
    return msgspec.structs.replace(paw, claim=claim, input=slap.input, step=slap.step)


def holdbacks(lines: list[Line], now: float) -> dict[Line, float]:
    """How much later each line gets what all are to see together: the shorter the way, the later."""
    ways = {line: line.way.measured(now, (0.0, 0.0)).trip / 2000 for line in lines}
    longest = min(max(ways.values(), default=0.0), TOGETHER_S)
    return {line: max(0.0, longest - way) for line, way in ways.items()}


def cut(events: list[Event], kind: str) -> tuple[list[Event], list[Event]]:
    """What is told before the last event of this kind, and from it on."""
    at = max((i for i, event in enumerate(events) if event.kind == kind), default=len(events))
    return events[:at], events[at:]


def chance(entropy: Entropy) -> float:
    """A number between 0 and 1, never 0."""
    return (int.from_bytes(entropy(6), "big") + 1) / (1 << 48)


def thinking_s(entropy: Entropy) -> float:
    """A person's pause before an easy move: about a second, sometimes two or three."""
    return 0.5 + 0.4 * chance(entropy) - 0.4 * log(chance(entropy))
