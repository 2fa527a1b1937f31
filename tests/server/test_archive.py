"""A backup holds what was there, says so, and comes back; a damaged one does not."""

import json
import sqlite3
import threading

import pytest
from sqlalchemy import text

from cheeseboard.deal import chain_next, chain_start
from cheeseboard.games.core import Refusal
from cheeseboard.server.archive import backup, manifest_of, restore
from cheeseboard.server.schema import HEAD
from cheeseboard.server.store import Entry, Group, Name, Person, Secret, Store, TableRow, Write
from tests.postgres import binaries

TRANSCRIPT = bytes(range(32))


def row(table: str, transcript: bytes = TRANSCRIPT, version: int = 1) -> TableRow:
    record = {"id": table, "game": "geier", "version": version, "deal": {"transcript": transcript.hex()}}
    return TableRow(table, "geier", "playing", True, "p1", 1, 1, json.dumps(record).encode())


def log(table: str, length: int, start: int = 1) -> list[Entry]:
    chain, entries = chain_start(table, TRANSCRIPT), []
    for n in range(1, length + 1):
        fields = (n, n % 3, n % 15, bytes([n % 256]), 1000 + n, f"a{n}" if n % 2 else "")
        chain = chain_next(chain, *fields)
        entries.append(Entry(table, *fields, 1, chain))
    return entries[start - 1 :]


@pytest.fixture(autouse=True)
def tools(monkeypatch):
    """PostgreSQL's tools of the same version as the server."""
    monkeypatch.setenv("PATH", f"{binaries()}:/usr/bin:/bin")


@pytest.fixture
def filled(store):
    writes: tuple[Write, ...] = (
        row("aaaaa"),
        *log("aaaaa", 5),
        Secret("aaaaa", 0, b"root"),
        Name("aaaaa", 0, "p1", "Zoë"),
    )
    groups = [
        Group("aaaaa", 1, writes),
        Group("bbbbb", 1, (row("bbbbb", b"", version=2),)),
        Group("", 0, (Person("p1", "Zoë", 1, 1),)),
    ]
    assert store.commit(groups) == [True] * 3
    return store


@pytest.fixture
def elsewhere(database, tmp_path, request):
    """Another, empty place of the same kind."""
    if database.startswith("sqlite"):
        yield f"sqlite:///{tmp_path / 'elsewhere.db'}"
    else:
        with request.getfixturevalue("postgresql").database() as url:
            yield url


def test_a_backup_says_what_is_in_it(filled, database, tmp_path):
    made = backup(database, tmp_path / "copy")
    assert made.contents.last == {"aaaaa": 5}
    assert made.contents.rules == ["geier@1", "geier@2"]
    assert made.contents.rows["tables"] == 2
    assert made.contents.rows["log"] == 5
    assert made.revision == HEAD
    assert json.loads(manifest_of(tmp_path / "copy").read_text())["contents"]["last"] == {"aaaaa": 5}
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("copy")) == ["copy", "copy.json"]


def test_a_backup_comes_back_and_everybody_before_is_fenced_off(filled, database, elsewhere, tmp_path):
    backup(database, tmp_path / "copy")
    restore(tmp_path / "copy", elsewhere)
    again = Store(elsewhere)
    assert list(again.each_table()) == list(filled.each_table())
    assert again.entries("aaaaa") == filled.entries("aaaaa") == log("aaaaa", 5)
    assert again.names("aaaaa") == filled.names("aaaaa")
    assert again.secrets("aaaaa") == {0: b"root"}
    old = Group("aaaaa", 1, tuple(log("aaaaa", 6, start=6)))
    assert again.commit([old]) == [False]
    assert filled.commit([old]) == [True]
    assert [claimed.epoch for table in ("aaaaa", "bbbbb") if (claimed := again.claim(table))] == [3, 3]
    assert again.commit([Group("ccccc", 1, (row("ccccc"),))]) == [True]  # the numbers of tables go on
    again.close()


def test_the_store_itself_makes_a_plain_copy(filled, tmp_path):
    filled.backup(tmp_path / "copy")
    assert (tmp_path / "copy").stat().st_size > 1000
    with pytest.raises(Refusal, match=r"expected the name of a new file for the copy, got .*copy, which is there"):
        filled.backup(tmp_path / "copy")
    with pytest.raises(Refusal, match=r"expected|No such file"):
        filled.backup(tmp_path / "no" / "such" / "folder")


def test_a_backup_under_load_is_one_moment(filled, database, elsewhere, tmp_path):
    stop = threading.Event()

    def play() -> None:
        n = 5
        while not stop.is_set():
            n += 1
            filled.commit([Group("aaaaa", 1, tuple(log("aaaaa", n, start=n)))])

    thread = threading.Thread(target=play)
    thread.start()
    try:
        made = [backup(database, tmp_path / f"copy{k}") for k in range(3)]
    finally:
        stop.set()
        thread.join()
    lasts = [one.contents.last["aaaaa"] for one in made]
    assert lasts == sorted(lasts)
    assert all(one.contents.rows["log"] == last for one, last in zip(made, lasts, strict=True))
    restore(tmp_path / "copy2", elsewhere)
    again = Store(elsewhere)
    assert again.entries("aaaaa") == filled.entries("aaaaa")[: lasts[2]]
    again.close()


def test_a_place_that_is_not_empty_is_refused_and_stays_as_it_was(filled, database, tmp_path):
    backup(database, tmp_path / "copy")
    before = list(filled.each_table())
    with pytest.raises(Refusal, match=r"expected (a place without a database|an empty database), got"):
        restore(tmp_path / "copy", database)
    assert list(filled.each_table()) == before
    assert filled.commit([Group("aaaaa", 1, tuple(log("aaaaa", 6, start=6)))]) == [True]


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        ("update log set action = 9 where n = 3", "expected chain .* at entry 3 of table aaaaa"),
        ("delete from log where n = 2", "expected entry 2 of table aaaaa, got entry 3"),
        ("update log set chain = luck where n = 5", "expected chain .* at entry 5 of table aaaaa"),
    ],
)
def test_a_broken_chain_is_found_and_gets_no_manifest(filled, database, tmp_path, harm, says):
    with filled.engine.begin() as db:
        db.execute(text(harm))
    with pytest.raises(Refusal, match=says):
        backup(database, tmp_path / "copy")
    assert not manifest_of(tmp_path / "copy").exists()


def test_a_copy_that_was_changed_is_refused(filled, database, elsewhere, tmp_path):
    copy = tmp_path / "copy"
    backup(database, copy)
    content = bytearray(copy.read_bytes())
    content[len(content) // 2] ^= 1
    copy.write_bytes(content)
    with pytest.raises(Refusal, match=r"expected .*copy with the hash [0-9a-f]{64} of its manifest, got [0-9a-f]{64}"):
        restore(copy, elsewhere)


def test_a_manifest_that_says_something_else_is_refused_and_the_place_stays_empty(
    filled, database, elsewhere, tmp_path
):
    copy = tmp_path / "copy"
    backup(database, copy)
    said = json.loads(manifest_of(copy).read_text())
    said["contents"]["last"]["aaaaa"] = 6
    manifest_of(copy).write_text(json.dumps(said))
    with pytest.raises(Refusal, match="expected what the manifest says"):
        restore(copy, elsewhere)
    said["contents"]["last"]["aaaaa"] = 5
    manifest_of(copy).write_text(json.dumps(said))
    restore(copy, elsewhere)


@pytest.mark.parametrize("text", [None, "", "{}", '{"format": 1}'])
def test_without_a_manifest_it_is_no_backup(filled, elsewhere, tmp_path, text):
    copy = tmp_path / "copy"
    filled.backup(copy)
    if text is not None:
        manifest_of(copy).write_text(text)
    with pytest.raises(
        Refusal, match=r"expected (a backup and its manifest|the manifest of a backup), got .*copy\.json"
    ):
        restore(copy, elsewhere)


def test_a_backup_of_the_other_kind_is_refused(filled, database, tmp_path, postgresql):
    copy = tmp_path / "copy"
    backup(database, copy)
    kind = "postgresql" if database.startswith("sqlite") else "sqlite"
    other = postgresql.url("postgres") if kind == "postgresql" else f"sqlite:///{tmp_path / 'new.db'}"
    with pytest.raises(Refusal, match=f"expected a .* database for .*copy, got {kind}"):
        restore(copy, other)


def test_a_database_of_another_revision_is_refused(filled, database, tmp_path):
    with filled.engine.begin() as db:
        db.execute(text("update alembic_version set version_num = '0000'"))
    with pytest.raises(Refusal, match=f"expected a database of schema revision {HEAD}, got 0000"):
        backup(database, tmp_path / "copy")


def test_without_postgresqls_tools_the_answer_says_what_is_missing(postgresql, tmp_path, monkeypatch):
    with postgresql.database() as url:
        Store(url).close()
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(Refusal, match="expected PostgreSQL's pg_dump among the installed commands"):
            backup(url, tmp_path / "copy")


def test_a_damaged_database_gives_no_copy(tmp_path):
    path = tmp_path / "house.db"
    store = Store(f"sqlite:///{path}")
    store.commit([Group("aaaaa", 1, (row("aaaaa"), *log("aaaaa", 300)))])
    store.close()
    content = bytearray(path.read_bytes())
    content[4096 * 20 : 4096 * 24] = bytes(4096 * 4)
    path.write_bytes(content)
    with pytest.raises((Refusal, sqlite3.DatabaseError)):
        backup(f"sqlite:///{path}", tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    assert not manifest_of(tmp_path / "copy").exists()
