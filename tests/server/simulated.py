"""Everything that is handed to a house, under a virtual clock: time, disk, luck, bots' heads, hints.

No thread, no socket, no time of day. What happens is decided by one seed: which of two timers at the same time comes
first, how long a disk or a cable takes, what is lost in a crash."""

import hashlib
import sqlite3
from collections import Counter, deque
from collections.abc import Callable
from functools import cache, partial
from heapq import heappop, heappush
from itertools import count, groupby
from random import Random
from typing import Any, TypeVar

from cheeseboard.bots import Past
from cheeseboard.server.bus import Hint
from cheeseboard.server.guests import Chosen, think
from cheeseboard.server.store import Entry, Group, Store

T = TypeVar("T")
START_MS = 1_767_225_600_000  # the virtual evening begins on the first of January 2026


class SimTimer:
    __slots__ = ("call",)

    def __init__(self, call: Callable[[], None]) -> None:
        self.call: Callable[[], None] | None = call

    def cancel(self) -> None:
        self.call = None


class SimClock:
    """A heap of timers. Those due at the same time go off in an order that only the seed knows."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.now = rng, 0.0
        self.heap: list[tuple[float, float, int, SimTimer]] = []
        self.number = count()

    def now_ms(self) -> int:
        return START_MS + int(self.now * 1000)

    def monotonic(self) -> float:
        return self.now

    def later(self, seconds: float, call: Callable[[], None]) -> SimTimer:
        timer = SimTimer(call)
        heappush(self.heap, (self.now + max(0.0, seconds), self.rng.random(), next(self.number), timer))
        return timer

    def run(self, until: float) -> None:
        while self.heap and self.heap[0][0] <= until:
            self.now, _, _, timer = heappop(self.heap)
            if timer.call:
                timer.call()
        self.now = until


class Life:
    """The clock as one house sees it: when the house dies, nothing it had planned happens any more."""

    def __init__(self, clock: SimClock) -> None:
        self.clock, self.ended = clock, False
        self.now_ms, self.monotonic = clock.now_ms, clock.monotonic

    def later(self, seconds: float, call: Callable[[], None]) -> SimTimer:
        return self.clock.later(seconds, lambda: None if self.ended else call())


class Entropy:
    """Bytes without end that only the seed decides."""

    def __init__(self, seed: str) -> None:
        self.seed, self.blocks = seed.encode(), count()

    def __call__(self, size: int) -> bytes:
        return hashlib.shake_256(self.seed + b"/%d" % next(self.blocks)).digest(size)


@cache
def _empty() -> bytes:
    """A database nobody has written to, made once: the migrations would take longer than a whole evening."""
    made: list[sqlite3.Connection] = []

    def creator() -> sqlite3.Connection:
        made.append(sqlite3.connect(":memory:"))
        return made[-1]

    store = Store("sqlite://", creator)
    found = made[0].serialize()
    store.close()
    return found


def empty_store() -> Store:
    def creator() -> sqlite3.Connection:
        db = sqlite3.connect(":memory:")
        db.deserialize(_empty())
        return db

    return Store("sqlite://", creator)


class SimKeeper:
    """The journal without a thread: what has queued up is committed together, after the time the disk takes; those who
    wait are told a moment later. If the house dies before the commit, it is lost; after it, it is kept and untold."""

    def __init__(self, store: Store, life: Life, disk_s: Callable[[], float], kept: Callable[[Group], None]) -> None:
        self.store, self.life, self.disk_s, self.kept = store, life, disk_s, kept
        self.queue: list[tuple[Any, Callable[[Any], None]]] = []
        self.answers: deque[list[tuple[Callable[[Any], None], Any]]] = deque()
        self.busy = self.stuck = False
        self.fuse: Callable[[], None] | None = None  # goes off between the next commit and its answers

    def write(self, group: Group, done: Callable[[bool], None], /) -> None:
        self._put(group, done)

    def ask(self, question: Callable[[Store], T], answer: Callable[[T], None], /) -> None:
        self._put(question, answer)

    def crash(self) -> tuple[int, int]:
        """The power is gone. How many acts were lost, and how many are stored but were never acknowledged."""
        self.life.ended = True
        lost = sum(len(_entries(what)) for what, _ in self.queue)
        untold = sum(len(answers) for answers in self.answers)
        self.queue.clear()
        self.answers.clear()
        return lost, untold

    def _put(self, what: Any, then: Callable[[Any], None]) -> None:
        self.queue.append((what, then))
        if not self.busy:
            self._begin()

    def _begin(self) -> None:
        self.busy = True
        self.life.later(self.disk_s(), self._commit)

    def _commit(self) -> None:
        if self.stuck:
            return  # the disk has gone deaf: nobody is answered any more until the house starts anew
        batch, self.queue = self.queue, []
        answers: list[tuple[Callable[[Any], None], Any]] = []
        for writes, run in groupby(batch, lambda asked: type(asked[0]) is Group):
            asked = list(run)
            if writes:
                stored = self.store.commit([what for what, _ in asked])
                for (what, _), fits in zip(asked, stored, strict=True):
                    if fits:
                        self.kept(what)
            else:
                stored = [what(self.store) for what, _ in asked]
            answers += [(then, result) for (_, then), result in zip(asked, stored, strict=True)]
        self.answers.append(answers)
        self.life.later(self.disk_s() / 8, self._tell)
        self.busy = False
        if self.fuse:
            self.fuse()
        elif self.queue:
            self._begin()

    def _tell(self) -> None:
        for then, answer in self.answers.popleft():
            then(answer)


def _entries(what: Any) -> list[Entry]:
    return [write for write in what.writes if type(write) is Entry] if type(what) is Group else []


class SimThinkers:
    """Bots that do anything legal, after a while: what they do well or badly is tested elsewhere."""

    def __init__(self, life: Life, think_s: Callable[[], float]) -> None:
        self.life, self.think_s = life, think_s

    def choose(
        self, game: str, level: str, view: dict[str, Any], seat: int, seed: int, past: Past, done: Chosen
    ) -> None:
        action, _ = think(game, "random", view, seat, seed)
        self.life.later(self.think_s(), partial(done, action, 0.7 + seed % 2000 / 1000))


class SimBus:
    """Hints come late, twice or not at all."""

    def __init__(self, life: Life, rng: Random) -> None:
        self.life, self.rng = life, rng
        self.ears: list[Hint] = []

    def hint(self, table: str) -> None:
        for ear in self.ears:
            for _ in range(self.rng.choice((0, 1, 1, 1, 2))):
                self.life.later(self.rng.uniform(0, 2), partial(ear, table))

    def listen(self, ear: Hint) -> None:
        self.ears.append(ear)


class Often(Counter[str]):
    """Points that a simulation must pass now and then. One that is never passed is a test that tests nothing."""

    def sometimes(self, point: str, *, when: bool = True) -> None:
        self[point] += when
