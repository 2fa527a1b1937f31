"""The journal: store, then tell; in order; together what waited together; and after a failure nothing."""

import asyncio
import threading
from collections.abc import Callable
from itertools import pairwise
from queue import SimpleQueue
from typing import Any

import pytest

from cheeseboard.server.journal import Journal, Keeper
from cheeseboard.server.store import Entry, Group, Person, Store, TableRow

TABLE = Group("k7q2m", 1, (TableRow("k7q2m", "geier", "playing", True, "p1", 1, 1, b"{}"),))


def act(n: int, epoch: int = 1) -> Group:
    return Group("k7q2m", epoch, (Entry("k7q2m", n, 0, 1, b"", n, "", epoch, bytes(32)),))


class Loop:
    """An event loop to look into: what is called soon waits until `run`."""

    def __init__(self) -> None:
        self.soon: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self.heard: list[Any] = []
        self.errors: list[BaseException] = []
        self.rounds = 0

    def run(self) -> list[Any]:
        while not self.soon.empty():
            self.rounds += 1
            try:
                self.soon.get()()
            except ZeroDivisionError as error:
                self.errors.append(error)
        return self.heard

    def hear(self, what):
        return lambda answer: self.heard.append((what, answer))


class Slow(Store):
    """A store whose commits wait for a sign, counted; the n-th call fails, if asked for."""

    def __init__(self, store: Store, failing: int = 0) -> None:
        self.store, self.failing = store, failing
        self.go, self.entered = threading.Semaphore(0), threading.Semaphore(0)
        self.commits: list[list[Group]] = []
        self.calls = 0

    def commit(self, groups):
        self.entered.release()
        self.go.acquire()
        self.commits.append(groups)
        self._count()
        return self.store.commit(groups)

    def entries(self, table):
        self._count()
        return self.store.entries(table)

    def _count(self):
        self.calls += 1
        if self.calls == self.failing:
            raise OSError("the disk is gone")


def open_gate(slow: Slow) -> None:
    slow.go.release(1000)


def test_a_written_group_is_stored_before_it_is_acknowledged(store):
    loop = Loop()
    journal = Journal(store, loop.soon.put, loop.heard.append)
    keeper: Keeper = journal  # a simulation may stand here too
    keeper.write(TABLE, lambda stored: loop.heard.append((stored, store.taken("k7q2m"))))
    journal.write(act(1), lambda stored: loop.heard.append((stored, len(store.entries("k7q2m")))))
    journal.close()
    assert loop.heard == []  # it runs on the loop, not in the journal's thread
    assert loop.run() == [(True, True), (True, 1)]


def test_what_waits_together_goes_in_one_commit_and_comes_back_in_one_call(store):
    loop, slow = Loop(), Slow(store)
    journal = Journal(slow, loop.soon.put, loop.heard.append)
    journal.write(TABLE, loop.hear(0))
    slow.entered.acquire()  # the first commit is on its way: a lone group did not wait for others
    for n in range(1, 51):
        journal.write(act(n), loop.hear(n))
    open_gate(slow)
    journal.close()
    assert [len(groups) for groups in slow.commits] == [1, 50]
    assert loop.run() == [(n, True) for n in range(51)]
    assert loop.rounds == 2
    assert len(store.entries("k7q2m")) == 50


def test_a_fenced_group_is_told_so_and_the_others_are_stored(store):
    loop = Loop()
    store.commit([TABLE])
    store.claim("k7q2m")
    journal = Journal(store, loop.soon.put, loop.heard.append)
    journal.write(act(1), loop.hear("old"))
    journal.write(act(1, epoch=2), loop.hear("new"))
    journal.close()
    assert loop.run() == [("old", False), ("new", True)]


def test_questions_are_answered_in_order_with_the_writes(store):
    loop, slow = Loop(), Slow(store)
    journal = Journal(slow, loop.soon.put, loop.heard.append)
    journal.write(TABLE, loop.hear("made"))
    slow.entered.acquire()
    for n in (1, 2, 3):
        journal.ask(lambda store: len(store.entries("k7q2m")), loop.hear("before"))
        journal.write(act(n), loop.hear("wrote"))
    journal.ask(lambda store: len(store.entries("k7q2m")), loop.hear("before"))
    open_gate(slow)
    journal.close()
    heard = loop.run()
    assert heard[0] == ("made", True)
    assert [answer for what, answer in heard if what == "before"] == [0, 1, 2, 3]
    assert [what for what, _ in heard[1:]] == ["before", "wrote"] * 3 + ["before"]


@pytest.mark.parametrize("n", range(1, 8))
def test_whichever_call_of_the_store_fails_nothing_after_it_is_acknowledged(store, n):
    loop, slow, failures = Loop(), Slow(store, failing=n), list[BaseException]()
    open_gate(slow)
    journal = Journal(slow, loop.soon.put, failures.append)
    journal.write(TABLE, loop.hear("write"))
    for k in (1, 2, 3):
        journal.ask(lambda store: store.entries("k7q2m"), loop.hear("ask"))  # splits the batches
        journal.write(act(k), loop.hear("write"))
    journal.close()
    assert loop.run() == loop.heard
    assert [str(error) for error in failures] == ["the disk is gone"]
    assert len(loop.heard) == n - 1
    acknowledged = [what for what, stored in loop.heard if what == "write"]
    assert len(acknowledged) == store.taken("k7q2m") + len(store.entries("k7q2m"))
    assert slow.calls == n  # and nothing more was tried


def test_a_clash_in_one_group_acknowledges_none_of_its_batch(store):
    loop, slow, failures = Loop(), Slow(store), list[BaseException]()
    journal = Journal(slow, loop.soon.put, failures.append)
    journal.write(TABLE, loop.hear("made"))
    slow.entered.acquire()
    for n in (1, 2, 2, 3):
        journal.write(act(n), loop.hear(n))
    open_gate(slow)
    journal.close()
    assert loop.run() == [("made", True)]
    assert len(failures) == 1
    assert store.entries("k7q2m") == []


def test_later_writes_are_never_acknowledged_after_a_failure(store):
    loop, failures = Loop(), list[BaseException]()
    journal = Journal(store, loop.soon.put, failures.append)
    journal.write(act(1), loop.hear("no such table"))
    journal.ask(lambda store: 1 // 0, loop.hear("never"))
    while not failures:
        loop.run()
    journal.write(TABLE, loop.hear("never"))
    journal.ask(lambda store: store.row("k7q2m"), loop.hear("never"))
    journal.close()
    assert loop.run() == [("no such table", False)]
    assert [type(error) for error in failures] == [ZeroDivisionError]
    assert not store.taken("k7q2m")


def stumble(_: bool) -> None:
    raise ZeroDivisionError


def test_a_listener_that_fails_does_not_silence_the_others(store):
    loop, slow = Loop(), Slow(store)
    journal = Journal(slow, loop.soon.put, loop.heard.append)
    journal.write(TABLE, loop.hear("made"))
    slow.entered.acquire()
    for n in (1, 2, 3):
        journal.write(act(n), stumble if n == 2 else loop.hear(n))
    open_gate(slow)
    journal.close()
    assert loop.run() == [("made", True), (1, True), (3, True)]
    assert len(loop.errors) == 1


def test_the_journal_on_a_real_loop_with_many_tables(store):
    """A hundred tables play at once, each waits for its answer before it goes on."""

    async def play() -> int:
        loop = asyncio.get_running_loop()
        failed = loop.create_future()
        journal = Journal(store, loop.call_soon_threadsafe, failed.set_exception)

        async def one(name: str) -> None:
            for n in range(5):
                stored = loop.create_future()
                row = TableRow(name, "geier", "playing", True, "p1", 1, n, b"{}")
                writes = (row, Entry(name, n, 0, 1, b"", n, str(n), 1, bytes(32)), Person(f"p{name}", name, 1, n))
                journal.write(Group(name, 1, writes), stored.set_result)
                assert await stored

        await asyncio.gather(*(one(f"t{n:04}") for n in range(100)))
        rows = loop.create_future()
        journal.ask(lambda store: store.rows(["playing"]), rows.set_result)
        found = await rows
        journal.close()
        assert not failed.done()
        return len(found)

    assert asyncio.run(play()) == 100
    assert all([entry.n for entry in store.entries(f"t{n:04}")] == [0, 1, 2, 3, 4] for n in range(100))


def test_close_does_everything_that_was_asked(store):
    loop = Loop()
    journal = Journal(store, loop.soon.put, loop.heard.append)
    journal.write(TABLE, loop.hear(0))
    for n in range(1, 200):
        journal.write(act(n), loop.hear(n))
    journal.close()
    heard = loop.run()
    assert len(heard) == 200
    assert all(first < second for (first, _), (second, _) in pairwise(heard))
    assert len(store.entries("k7q2m")) == 199
