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


Answer = tuple[Callable[[Any], None], Any]  # whom to tell, and what


class Journal:
    """`call_soon` runs something on the loop, from any thread; `failed` hears there why nobody is answered any more."""

    def __init__(
        self,
        store: Store,
        call_soon: Callable[[Callable[[], None]], object],
        failed: Callable[[BaseException], None],
    ) -> None:
        self._store, self._call_soon, self._failed = store, call_soon, failed
        self._queue: SimpleQueue[Asked | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="journal", daemon=True)
        self._thread.start()

    def write(self, group: Group, done: Callable[[bool], None], /) -> None:
        self._queue.put(Asked(group, done))

    def ask(self, question: Callable[[Store], T], answer: Callable[[T], None], /) -> None:
        self._queue.put(Asked(question, answer))

    def close(self) -> None:
        """Do everything that is in the queue, hand the last answers to the loop, stop."""
        self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        closing = broken = False
        while not closing:
            batch = self._waiting()
            closing = None in batch
            answers: list[Answer] = []
            if not broken:
                try:
                    for writes, run in groupby(filter(None, batch), _is_write):
                        answers += (self._written if writes else self._answered)(list(run))
                except BaseException as error:  # noqa: BLE001  # whatever it is, the loop must hear of it
                    answers.append((self._failed, error))
                    broken = True
            if answers:
                self._call_soon(partial(self._hand_back, iter(answers)))

    def _waiting(self) -> list[Asked | None]:
        """Everything that has queued up; at least one."""
        batch = [self._queue.get()]
        try:
            while True:
                batch.append(self._queue.get_nowait())
        except Empty:
            return batch

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
