"""What was acknowledged survives a power cut at any moment; what was not is there completely or not at all."""

import sqlite3
from contextlib import closing, suppress
from random import Random

import pytest
from sqlalchemy.exc import DBAPIError

from cheeseboard.deal import chain_next, chain_start
from cheeseboard.games.core import Refusal
from cheeseboard.server.store import Entry, Group, Store, TableRow
from tests.server.powerloss import Disk, intact, store_on

TABLES = ("aaaaa", "bbbbb", "ccccc")
COMMITS = 30
NEVER = 1 << 40


def batches() -> list[list[Group]]:
    """What the house stores: three tables made, then commits of one to three of them, each with a row of the log."""
    chains = {table: chain_start(table, b"") for table in TABLES}
    ns = dict.fromkeys(TABLES, 0)
    rng, made = Random(0), [Group(table, 1, (row(table, 0),)) for table in TABLES]
    commits = [made]
    for _ in range(COMMITS):
        groups = []
        for table in rng.sample(TABLES, rng.randint(1, 3)):
            ns[table] += 1
            luck = rng.randbytes(rng.randrange(400))
            chains[table] = chain_next(chains[table], ns[table], 0, 1, luck, 5, str(ns[table]))
            entry = Entry(table, ns[table], 0, 1, luck, 5, str(ns[table]), 1, chains[table])
            groups.append(Group(table, 1, (entry, row(table, ns[table]))))
        commits.append(groups)
    return commits


def row(table: str, n: int) -> TableRow:
    return TableRow(table, "maus", "playing", True, "p", 1, n, b"{}" * 50)


BATCHES = batches()


def play(disk: Disk, swaps: dict[str, str] | None = None) -> int:
    """Store batch after batch until something fails. How many were acknowledged?"""
    acknowledged = 0
    with suppress(sqlite3.OperationalError, Refusal), closing(store_on(disk, swaps)) as store:
        for groups in BATCHES:
            assert all(store.commit(groups))
            acknowledged += 1
    return acknowledged


def kept(files: dict[str, bytearray]) -> int:
    """How many batches are on this disk, one after the other and each complete."""
    with closing(store_on(Disk(files))) as store:
        assert intact(store)
        return kept_in(store)


def kept_in(store: Store) -> int:
    stored = {table: (store.row(table), store.entries(table)) for table in TABLES}
    expected: dict[str, tuple[TableRow | None, list[Entry]]] = {table: (None, []) for table in TABLES}
    if stored == expected:
        return 0
    for n, groups in enumerate(BATCHES, 1):
        for group in groups:
            entries = [write for write in group.writes if isinstance(write, Entry)]
            rows = [write for write in group.writes if isinstance(write, TableRow)]
            expected[group.table] = (rows[-1], expected[group.table][1] + entries)
        if stored == expected:
            return n
    raise AssertionError(f"a torn batch: {stored}")


@pytest.fixture(scope="module")
def ready() -> dict[str, bytearray]:
    """A disk with an empty database of today's schema: to make it takes most of the time of a story."""
    disk = Disk()
    store_on(disk).close()
    return disk.files


def steps(files: dict[str, bytearray]) -> int:
    """How many steps of the disk the whole story takes."""
    disk = Disk(files)
    assert play(disk) == len(BATCHES)
    return disk.steps


def test_300_power_cuts_lose_nothing_that_was_acknowledged(ready):
    empty: dict[str, bytearray] = {}
    places = [(files, steps(files)) for files in (empty, ready)]  # one of ten has no database yet
    lost_answers = 0
    for seed in range(300):
        rng = Random(seed)
        files, last = places[seed % 10 > 0]
        cut = rng.randint(1, last)
        disk = Disk(files, range(cut, NEVER))
        acknowledged = play(disk)
        survived = kept(disk.after_cut(rng))
        assert acknowledged <= survived <= acknowledged + 1, f"seed {seed}: {acknowledged} batches were acknowledged"
        lost_answers += survived - acknowledged
    assert lost_answers  # that a commit is on the disk and nobody heard of it: this was among the cuts too


@pytest.mark.parametrize("synchronous", ["OFF", "NORMAL"])
def test_the_cuts_are_real_without_synchronous_full_acknowledged_batches_are_lost(ready, synchronous):
    last, lost = steps(ready), 0
    for seed in range(30):
        rng = Random(seed)
        cut = rng.randint(last // 3, last)
        disk = Disk(ready, range(cut, NEVER))
        acknowledged = play(disk, {"synchronous=FULL": f"synchronous={synchronous}"})
        try:
            lost += kept(disk.after_cut(rng)) < acknowledged
        except (AssertionError, sqlite3.Error, DBAPIError, Refusal):
            lost += 1  # torn, or not even a database any more
    assert lost


def test_whichever_step_of_the_disk_fails_nothing_false_is_acknowledged(ready):
    for n in range(1, steps(ready) + 1, 5):
        disk = Disk(ready, [n])
        acknowledged = play(disk)
        survived = kept(disk.files)  # the house starts again; the power was never off
        assert acknowledged <= survived <= acknowledged + 1, f"step {n}"
