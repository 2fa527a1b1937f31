"""A full disk: an error, nothing acknowledged; and when there is room again the store goes on."""

import sqlite3
from contextlib import closing
from itertools import count

import pytest

from cheeseboard.server.journal import Journal
from cheeseboard.server.store import Entry, Group, Store, TableRow
from tests.server.powerloss import Disk, intact, store_on

MADE = Group("aaaaa", 1, (TableRow("aaaaa", "maus", "playing", True, "p", 1, 1, b"{}"),))


def act(n: int) -> Group:
    return Group("aaaaa", 1, (Entry("aaaaa", n, 0, 0, bytes(1000), n, str(n), 1, bytes(32)),))


def fill(store: Store) -> int:
    """Append until the disk is full. How many rows were acknowledged?"""
    stored = count()
    with pytest.raises(sqlite3.OperationalError, match="full"):
        all(store.commit([act(next(stored) + 1)]) == [True] for _ in range(10_000))
    return next(stored) - 1


def test_a_full_disk_acknowledges_nothing_and_with_room_again_the_store_goes_on():
    disk = Disk()
    # No checkpoints: SQLite forgives one that fails after the commit, APSW tells of it as if the commit had failed.
    with closing(store_on(disk, {"wal_autocheckpoint=16": "wal_autocheckpoint=0"})) as store:
        store.commit([MADE])
        disk.room = sum(map(len, disk.files.values())) + 100_000
        stored = fill(store)
        assert stored > 0
        assert len(store.entries("aaaaa")) == stored
        with pytest.raises(sqlite3.OperationalError, match="full"):
            store.commit([act(stored + 1)])
        disk.room *= 2
        assert store.commit([act(stored + 1)]) == [True]
        assert [entry.n for entry in store.entries("aaaaa")] == list(range(1, stored + 2))
        assert intact(store)


def test_the_real_driver_says_the_same(tmp_path):
    with closing(Store(f"sqlite:///{tmp_path / 'house.db'}")) as store:
        store.commit([MADE])
        with closing(store.engine.raw_connection()) as db:
            pages = db.cursor().execute("pragma page_count").fetchone()[0]
            db.cursor().execute(f"pragma max_page_count={pages + 20}")
        stored = fill(store)
        assert [entry.n for entry in store.entries("aaaaa")] == list(range(1, stored + 1))
        with closing(store.engine.raw_connection()) as db:
            db.cursor().execute(f"pragma max_page_count={pages + 200}")
        assert store.commit([act(stored + 1)]) == [True]
        assert intact(store)


def test_the_journal_tells_nobody_anything_after_a_full_disk():
    disk = Disk()
    heard: list[object] = []
    with closing(store_on(disk)) as store:
        store.commit([MADE])
        disk.room = 0
        journal = Journal(store, lambda run: run(), heard.append)
        for n in (1, 2):
            journal.write(act(n), heard.append)
        journal.close()
        assert [type(one) for one in heard] == [sqlite3.OperationalError]
        disk.room = 1 << 30
        assert store.entries("aaaaa") == []
