"""The journal: one thread that writes, so that the loop never waits for a disk.

Group commit without a window: while one commit is on its way to the disk, the next groups queue up; then all of them go
together in the next. A lone group waits for nobody. Store, then tell: `done` runs on the loop, after the commit. If a
commit fails nobody is told anything any more: what is on the disk is then unknown, and the house has to start anew."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, Protocol, TypeVar

from cheeseboard.server.store import Group, Store

T = TypeVar("T")


class Keeper(Protocol):
    """Who keeps what happens: the journal, or a simulation under a virtual clock."""

    def write(self, group: Group, done: Callable[[bool], None], /) -> None:
        """Store the group, then call `done`: True if it is stored, False if it was fenced off."""

    def ask(self, question: Callable[[Store], T], answer: Callable[[T], None], /) -> None:
        """Ask the store, after everything written so far, then call `answer`."""


class Asked(NamedTuple):
    """What waits in the queue: a group to write, or a question."""

    what: Any
    then: Callable[[Any], None]


def _is_write(asked: Asked) -> bool:
    return type(asked.what) is Group


MOST = 128  # groups gathered in one go: nobody waits for more than so many others
Answer = tuple[Callable[[Any], None], Any]  # whom to tell, and what


class Journal:
    """`call_soon` runs something on the loop, from any thread; `failed` hears there why nobody is answered any more.

    `at_end_of_turn` runs something when the loop has heard everybody who had something to say in this turn. Groups
    are gathered until a turn brings no new one, then they go to the thread together: who is alone waits for one empty
    turn, a few microseconds, and a busy house hears many, stores many and tells many, each at one go."""

    def __init__(
        self,
        store: Store,
        call_soon: Callable[[Callable[[], None]], object],
        failed: Callable[[BaseException], None],
        at_end_of_turn: Callable[[Callable[[], None]], object] = lambda run: run(),
    ) -> None:
        self._store, self._call_soon, self._failed = store, call_soon, failed
        self._at_end_of_turn = at_end_of_turn
        self._gathered: list[Asked] = []
        self._before = 0  # how many of them were there a turn ago
        self._queue: SimpleQueue[list[Asked] | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="journal", daemon=True)
        self._thread.start()

    def write(self, group: Group, done: Callable[[bool], None], /) -> None:
        self._gather(Asked(group, done))

    def ask(self, question: Callable[[Store], T], answer: Callable[[T], None], /) -> None:
        self._gather(Asked(question, answer))

    def _gather(self, asked: Asked) -> None:
        self._gathered.append(asked)
        if len(self._gathered) == 1:
            self._at_end_of_turn(self._turn_ends)

    def _turn_ends(self) -> None:
        if self._before < len(self._gathered) < MOST:
            self._before = len(self._gathered)
            self._at_end_of_turn(self._turn_ends)
        else:
            self._hand_over()

    def _hand_over(self) -> None:
        gathered, self._gathered, self._before = self._gathered, [], 0
        self._queue.put(gathered)

    def close(self) -> None:
        """Do everything that was asked for, hand the last answers to the loop, stop."""
        self._hand_over()
        self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        closing = broken = False
        while not closing:
            batch, closing = self._waiting()
            answers: list[Answer] = []
            if not broken:
                try:
                    for writes, run in groupby(batch, _is_write):
                        answers += (self._written if writes else self._answered)(list(run))
                except BaseException as error:  # noqa: BLE001  # whatever it is, the loop must hear of it
                    answers.append((self._failed, error))
                    broken = True
            if answers:
                self._call_soon(partial(self._hand_back, iter(answers)))

    def _waiting(self) -> tuple[list[Asked], bool]:
        """Everything that has queued up, at least once; and whether it was the last."""
        batch: list[Asked] = []
        more = self._queue.get()
        try:
            while more is not None:
                batch += more
                more = self._queue.get_nowait()
        except Empty:
            return batch, False
        return batch, True

    def _written(self, run: list[Asked]) -> Iterator[Answer]:
        stored = self._store.commit([asked.what for asked in run])
        return zip([asked.then for asked in run], stored, strict=True)

    def _answered(self, run: list[Asked]) -> Iterator[Answer]:
        return ((asked.then, asked.what(self._store)) for asked in run)

    def _hand_back(self, answers: Iterator[Answer]) -> None:
        try:
            for then, answer in answers:
                then(answer)
        except BaseException:
            self._call_soon(partial(self._hand_back, answers))  # who fails must not silence the others
            raise
