"""The store: what must not be lost, in SQLite or in PostgreSQL, by the same statements.

A write is a piece of data. What must be stored together is a Group; any number of groups are stored by one `commit`,
which is one transaction: when it returns, everything is on the disk (SQLite: WAL with synchronous=FULL, PostgreSQL:
synchronous_commit).

A table has one owner at a time. Who takes it over claims it, and that raises its epoch; the groups of the owner before
carry the older epoch and are fenced off, in the same transaction that would have stored them.

>>> store = Store("sqlite://")
>>> made = TableRow("k7q2m", "geier", "gathering", True, "p1", 1, 1, b"{}")
>>> store.commit([Group("k7q2m", 1, (made,))])
[True]
>>> store.claim("k7q2m").epoch
2
>>> store.commit([Group("k7q2m", 1, (Entry("k7q2m", 1, 0, 7, b"", 2, "a", 1, b"..."),))])
[False]
>>> store.close()
"""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import (
    URL,
    Connection,
    Engine,
    Select,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    literal_column,
    make_url,
    select,
    update,
)
from sqlalchemy import Table as Kept
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import StaticPool

from cheeseboard.games.core import Refusal
from cheeseboard.server.migrations import migrate
from cheeseboard.server.schema import bans, log, names, people, races, secrets, tables, tokens

# --- writes ---------------------------------------------------------------------------------------------------------


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One act of a person, a bot or CLOCK, and LUCK's acts that followed."""

    table: str
    n: int
    seat: int
    action: int
    luck: bytes
    at_ms: int
    id: str  # the client's name for this act, "" if there is no client
    epoch: int
    chain: bytes


class Judgement(msgspec.Struct, frozen=True, gc=False):
    """The verdict on a race."""

    table: str
    e: int
    verdict: bytes


class TableRow(msgspec.Struct, frozen=True, gc=False):
    """A table; a new one has epoch 1."""

    id: str
    game: str
    phase: str
    public: bool
    host: str
    made_ms: int
    changed_ms: int
    record: bytes


class Secret(msgspec.Struct, frozen=True, gc=False):
    table: str
    attempt: int
    root: bytes


class Person(msgspec.Struct, frozen=True, gc=False):
    id: str
    name: str
    made_ms: int
    seen_ms: int


class Token(msgspec.Struct, frozen=True, gc=False):
    hash: bytes
    person: str
    made_ms: int


class NoToken(msgspec.Struct, frozen=True, gc=False):
    hash: bytes


class Name(msgspec.Struct, frozen=True, gc=False):
    """What the person at a seat is called."""

    table: str
    seat: int
    person: str
    name: str


class NoName(msgspec.Struct, frozen=True, gc=False):
    table: str
    seat: int


class Ban(msgspec.Struct, frozen=True, gc=False):
    kind: str  # person or address
    value: str
    made_ms: int


class NoBan(msgspec.Struct, frozen=True, gc=False):
    kind: str
    value: str


class Forget(msgspec.Struct, frozen=True, gc=False):
    """Delete a person with tokens and names. Logs, records and chains stay: they know opaque ids only."""

    person: str


Write = Entry | Judgement | TableRow | Secret | Person | Token | NoToken | Name | NoName | Ban | NoBan | Forget


class Group(msgspec.Struct, frozen=True, gc=False):
    """What must be stored together. Table "": it belongs to no table and is never fenced off."""

    table: str
    epoch: int
    writes: tuple[Write, ...]


class Claimed(msgspec.Struct, frozen=True):
    """A table as its new owner finds it."""

    row: TableRow
    epoch: int
    entries: list[Entry]
    secrets: dict[int, bytes]
    names: dict[int, Name]


# --- statements -----------------------------------------------------------------------------------------------------


class Statement(NamedTuple):
    """SQL for the driver, and how to read its parameters from a write. Compiled once: for each row SQLAlchemy's own way
    from a statement to the driver costs about as much as SQLite does."""

    sql: str
    parameters: Callable[[Any], tuple[Any, ...]]


def given(field: str) -> Any:
    return bindparam(f"given_{field}")  # a bare name would clash with SQLAlchemy's own for the column


def statement(engine: Engine, clause: Any) -> Statement:
    compiled = clause.compile(engine)
    fields = [name.removeprefix("given_") for name in compiled.positiontup]
    read = attrgetter(*fields)
    return Statement(str(compiled), read if len(fields) > 1 else lambda write: (read(write),))


def statements(engine: Engine) -> dict[Any, list[Statement]]:
    """How each kind of write is written. A TableRow has two ways: `made` and `changed`."""
    if engine.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert
    else:
        from sqlalchemy.dialects.postgresql import insert  # type: ignore[assignment]  # the same methods

    def added(kept: Kept, **values: Any) -> Any:
        return insert(kept).values({column.key: given(column.key) for column in kept.c} | values)

    def put(kept: Kept, **values: Any) -> Any:
        clause = added(kept, **values)
        rest = {column.name: clause.excluded[column.key] for column in kept.c if not column.primary_key}
        return clause.on_conflict_do_update(index_elements=kept.primary_key, set_=rest)

    def gone(kept: Kept, *fields: str) -> Any:
        return delete(kept).where(*(kept.c[field] == given(field) for field in fields))

    number = select(tables.c.number).where(tables.c.id == given("table")).scalar_subquery()
    changeable = ("game", "phase", "public", "host", "changed_ms", "record")
    changed = update(tables).where(tables.c.id == given("id")).values({field: given(field) for field in changeable})
    clauses: dict[Any, list[Any]] = {
        "made": [
            insert(tables).values({column.key: given(column.key) for column in ROW} | {"epoch": literal_column("1")})
        ],
        "changed": [changed],
        Entry: [added(log, number=number, id=func.nullif(given("id"), literal_column("''")))],
        Judgement: [put(races, number=number)],  # a race may be run again after a pause
        Secret: [added(secrets)],
        Person: [put(people)],
        Token: [added(tokens)],
        NoToken: [gone(tokens, "hash")],
        Name: [put(names)],
        NoName: [gone(names, "table", "seat")],
        Ban: [added(bans).on_conflict_do_nothing()],
        NoBan: [gone(bans, "kind", "value")],
        Forget: [gone(tokens, "person"), gone(names, "person"), delete(people).where(people.c.id == given("person"))],
    }
    return {kind: [statement(engine, clause) for clause in several] for kind, several in clauses.items()}


ROW = [tables.c[field] for field in TableRow.__struct_fields__]
ENTRIES: Select[Any] = (
    select(
        tables.c.id,
        *(func.coalesce(column, "") if column.key == "id" else column for column in log.c if column.key != "number"),
    )
    .join_from(log, tables, tables.c.number == log.c.number)
    .order_by(log.c.n)
)
# Whoever locks in one order cannot deadlock. SQLite has locked the whole file already.
FENCE = {
    "sqlite": "select id, epoch, made_ms from tables where id in (select value from json_each(?))",
    "postgresql": "select id, epoch, made_ms from tables where id = any(%s) order by id for update",
}
PEOPLE = 0x70_65_6F_70_6C_65  # "people", the lock for writing of them
json = msgspec.json.Encoder().encode
PAGE = 100  # tables read at a time by `each_table`


# --- the store ------------------------------------------------------------------------------------------------------


class Store:
    """Every method is one transaction. `creator`, if given, makes the driver's connections."""

    def __init__(self, url: str, creator: Callable[[], Any] | None = None) -> None:
        self.engine = opened(url, creator)
        self._reading = self.engine.execution_options(reading=True)
        try:
            migrate(self.engine)
        except Refusal:
            self.close()
            raise
        except DBAPIError as error:
            self.close()
            shown = self.engine.url.render_as_string(hide_password=True)
            raise Refusal(f"expected a database that can be opened, got {shown}: {error.orig}") from error
        self._dialect = self.engine.dialect.name
        self._statements = statements(self.engine)

    def commit(self, groups: Sequence[Group]) -> list[bool]:
        """Store all groups in one transaction. False: fenced off, nothing of that group is written.

        This is the way of every move, so it speaks to the driver itself: SQLAlchemy would take 0.3 ms of each commit.
        Whatever goes wrong is the driver's own error, and the pool rolls back what is not committed."""
        with closing(self.engine.raw_connection()) as db:
            cursor = db.cursor()
            if self._dialect == "sqlite":
                cursor.execute("begin immediate")  # PostgreSQL's driver begins by itself
            stored = self._write(cursor, groups)
            cursor.close()
            db.commit()
            return stored

    def _write(self, cursor: Any, groups: Sequence[Group]) -> list[bool]:
        made: list[Write] = []
        changed: list[Write] = []
        entries: list[Write] = []
        verdicts: list[Write] = []
        roots: list[Write] = []
        others: list[Write] = []  # of people: here the order of the kinds counts, a name may come, go and come again
        lanes: dict[type, list[Write]] = {Entry: entries, Judgement: verdicts, Secret: roots, TableRow: []}
        stands = self._stands(cursor, groups)
        stored = []
        for group in groups:
            rows = [write for write in group.writes if type(write) is TableRow]
            fits = _fits(group, rows, stands)
            stored.append(fits)
            if fits:
                for row in rows:
                    (changed if row.id in stands else made).append(row)
                    stands.setdefault(row.id, (1, row.made_ms))
                for write in group.writes:
                    lanes.get(type(write), others).append(write)
        self._run(cursor, "made", made)
        self._run(cursor, "changed", changed)
        self._run(cursor, Entry, entries)
        self._run(cursor, Judgement, verdicts)
        self._run(cursor, Secret, roots)
        if others and self._dialect == "postgresql":
            # One node at a time writes of people: two that write of the same ones in another order would deadlock.
            cursor.execute(f"select pg_advisory_xact_lock({PEOPLE})")
        for kind, run in groupby(others, type):
            self._run(cursor, kind, list(run))
        return stored

    def _run(self, cursor: Any, kind: Any, writes: Sequence[Write]) -> None:
        if writes:
            for sql, parameters in self._statements[kind]:
                cursor.executemany(sql, [parameters(write) for write in writes])

    def _stands(self, cursor: Any, groups: Sequence[Group]) -> dict[str, tuple[int, int]]:
        """Epoch and birthday of all tables the groups are about; until we are done nobody can claim them."""
        ids = {group.table for group in groups}
        ids |= {write.id for group in groups for write in group.writes if type(write) is TableRow}
        # Many ids as one parameter: else each number of them would be another statement to prepare.
        cursor.execute(FENCE[self._dialect], (json(ids).decode() if self._dialect == "sqlite" else list(ids),))
        return {table: (epoch, made_ms) for table, epoch, made_ms in cursor.fetchall()}

    def claim(self, table: str) -> Claimed | None:
        """Become the owner: from now on everything with an older epoch is fenced off. None: there is no such table."""
        with self.engine.begin() as db:
            db.execute(update(tables).where(tables.c.id == table).values(epoch=tables.c.epoch + 1))
            found = db.execute(select(*ROW, tables.c.epoch).where(tables.c.id == table)).one_or_none()
            if found is None:
                return None
            *row, epoch = found
            return Claimed(TableRow(*row), epoch, entries_of(db, table), _secrets(db, table), _names(db, table))

    def row(self, table: str) -> TableRow | None:
        with self._reading.connect() as db:
            found = db.execute(select(*ROW).where(tables.c.id == table)).one_or_none()
            return TableRow(*found) if found else None

    def rows(self, phases: Collection[str]) -> list[TableRow]:
        """The tables in one of these phases, the oldest first."""
        with self._reading.connect() as db:
            asked = select(*ROW).where(tables.c.phase.in_(phases)).order_by(tables.c.made_ms, tables.c.id)
            return [TableRow(*found) for found in db.execute(asked)]

    def taken(self, table: str) -> bool:
        return self.row(table) is not None

    def entries(self, table: str) -> list[Entry]:
        with self._reading.connect() as db:
            return entries_of(db, table)

    def races(self, table: str) -> list[Judgement]:
        """The verdicts on all races of a table, in their order."""
        with self._reading.connect() as db:
            asked = select(tables.c.id, races.c.e, races.c.verdict).join_from(
                races, tables, tables.c.number == races.c.number
            )
            return [Judgement(*found) for found in db.execute(asked.where(tables.c.id == table).order_by(races.c.e))]

    def raced(self, people: Collection[str], most: int) -> list[tuple[str, int, bytes]]:
        """Who sat where in the latest races of these people: (person, seat, verdict), the newest first."""
        with self._reading.connect() as db:
            asked = (
                select(names.c.person, names.c.seat, races.c.verdict)
                .join_from(names, tables, tables.c.id == names.c.table)
                .join(races, races.c.number == tables.c.number)
                .where(names.c.person.in_(people))
                .order_by(races.c.number.desc(), races.c.e.desc())
                .limit(most)
            )
            return [(person, seat, verdict) for person, seat, verdict in db.execute(asked)]

    def secrets(self, table: str) -> dict[int, bytes]:
        """The roots by attempt."""
        with self._reading.connect() as db:
            return _secrets(db, table)

    def names(self, table: str) -> dict[int, Name]:
        """Who sits at which seat."""
        with self._reading.connect() as db:
            return _names(db, table)

    def person_of(self, hash: bytes) -> Person | None:  # noqa: A002
        """Whose token this is."""
        with self._reading.connect() as db:
            asked = select(*people.c).join(tokens, tokens.c.person == people.c.id).where(tokens.c.hash == hash)
            found = db.execute(asked).one_or_none()
            return Person(*found) if found else None

    def person(self, id: str) -> Person | None:  # noqa: A002
        with self._reading.connect() as db:
            found = db.execute(select(*people.c).where(people.c.id == id)).one_or_none()
            return Person(*found) if found else None

    def gone(self, known: Collection[str]) -> set[str]:
        """Which of these people are in the books no more."""
        asked, found = sorted(known), set()
        with self._reading.connect() as db:
            for start in range(0, len(asked), PAGE):
                some = select(people.c.id).where(people.c.id.in_(asked[start : start + PAGE]))
                found |= set(db.execute(some).scalars())
        return set(asked) - found

    def tables_of(self, person: str) -> list[tuple[str, int, str]]:
        """Where the person sits: table, seat and name there."""
        with self._reading.connect() as db:
            asked = select(names.c.table, names.c.seat, names.c.name).where(names.c.person == person)
            return [tuple(found) for found in db.execute(asked.order_by(names.c.table, names.c.seat))]

    def bans(self) -> list[Ban]:
        with self._reading.connect() as db:
            return [Ban(*found) for found in db.execute(select(*bans.c).order_by(bans.c.kind, bans.c.value))]

    def each_table(self) -> Iterator[TableRow]:
        """All tables in the order of their ids, a page at a time: between two pages no transaction is open."""
        last = ""
        while True:
            with self._reading.connect() as db:
                page = db.execute(select(*ROW).where(tables.c.id > last).order_by(tables.c.id).limit(PAGE)).all()
            if not page:
                return
            for found in page:
                yield TableRow(*found)
            last = page[-1].id

    def backup(self, target: Path) -> None:
        """Copy everything to a new file, while the house goes on."""
        copied(self.engine, target)

    def close(self) -> None:
        self.engine.dispose()


def _fits(group: Group, rows: list[TableRow], stands: dict[str, tuple[int, int]]) -> bool:
    """Its table has the group's epoch, or is born here. One born elsewhere under the same id is another table."""
    for row in rows:
        if row.id in stands and stands[row.id][1] != row.made_ms:
            return False
    if group.table in stands:
        return stands[group.table][0] == group.epoch
    return not group.table or (group.epoch == 1 and group.table in {row.id for row in rows})


def entries_of(db: Connection, table: str) -> list[Entry]:
    return [Entry(*found) for found in db.execute(ENTRIES.where(tables.c.id == table))]


def _secrets(db: Connection, table: str) -> dict[int, bytes]:
    return {attempt: root for _, attempt, root in db.execute(select(*secrets.c).where(secrets.c.table == table))}


def _names(db: Connection, table: str) -> dict[int, Name]:
    return {found.seat: Name(*found) for found in db.execute(select(*names.c).where(names.c.table == table))}


# --- opening --------------------------------------------------------------------------------------------------------


def opened(url: str, creator: Callable[[], Any] | None = None) -> Engine:
    """A database by its address: sqlite:///PATH, sqlite:// (in memory, for tests) or postgresql://..."""
    try:
        asked = make_url(url)
    except ArgumentError:
        raise Refusal(f"expected a database as sqlite:///PATH or postgresql://..., got {url!r}") from None
    options: dict[str, Any] = {"creator": creator} if creator else {}
    if asked.get_backend_name() == "sqlite":
        if asked.database in {None, "", ":memory:"}:
            options["poolclass"] = StaticPool  # one connection for all: each would have a memory of its own
        engine = create_engine(asked.set(drivername="sqlite+pysqlite"), **options)
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    elif asked.get_backend_name() == "postgresql":
        engine = create_engine(asked.set(drivername="postgresql+psycopg"), paramstyle="format", **options)
        event.listen(engine, "connect", _set_up_postgresql)
    else:
        shown = asked.render_as_string(hide_password=True)
        raise Refusal(f"expected a database as sqlite:///PATH or postgresql://..., got {shown}")
    return engine


def _set_up_sqlite(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # the driver begins nothing by itself: `_begin_sqlite` does
    cursor = connection.cursor()
    for line in (
        "busy_timeout=10000",  # another process may be writing: a backup, a command
        "journal_mode=WAL",
        "synchronous=FULL",  # a commit returns when it is on the disk; NORMAL loses the last ones with the power
        "fullfsync=1",  # macOS: really on the disk
        "wal_autocheckpoint=4000",  # pages; a page that changes with every commit is carried over less often
    ):
        cursor.execute(f"pragma {line}")
    cursor.close()


def _begin_sqlite(db: Connection) -> None:
    """A writer takes the lock at once: to find out at the first write that somebody was quicker would be too late."""
    db.exec_driver_sql("begin" if db.get_execution_options().get("reading") else "begin immediate")


def _set_up_postgresql(connection: Any, _: Any) -> None:
    connection.execute("set synchronous_commit = on")
    connection.commit()


# --- copies ---------------------------------------------------------------------------------------------------------


def copied(engine: Engine, target: Path, snapshot: str = "") -> None:
    """One moment of the database (PostgreSQL: that of the snapshot) as a file: complete, or not there at all."""
    if target.exists():
        raise Refusal(f"expected the name of a new file for the copy, got {target}, which is there already")
    part = target.with_name(f"{target.name}.part")
    try:
        if engine.dialect.name == "sqlite":
            _copied_sqlite(engine, part)
        else:
            chosen = [f"--snapshot={snapshot}"] if snapshot else []
            run_postgresql("pg_dump", engine.url, ["--format=custom", f"--file={part}", *chosen])
        part.rename(target)
    except (OSError, sqlite3.OperationalError) as error:
        raise Refusal(f"expected a file that can be written, got {target}: {error}") from error
    finally:
        part.unlink(missing_ok=True)


def _copied_sqlite(engine: Engine, part: Path) -> None:
    with closing(engine.raw_connection()) as source, closing(sqlite3.connect(part)) as copy:
        source.driver_connection.backup(copy)  # type: ignore[union-attr]
        copy.execute("pragma journal_mode=delete")  # a file without companions
        if (found := copy.execute("pragma integrity_check").fetchall()) != [("ok",)]:
            raise Refusal(f"expected an intact database, got from SQLite's integrity check: {found[0][0]}")


def run_postgresql(tool: str, url: URL, options: Sequence[str]) -> None:
    """Run one of PostgreSQL's own tools. The password goes by the environment: everybody can read a command line."""
    if not (found := shutil.which(tool)):
        raise Refusal(f"expected PostgreSQL's {tool} among the installed commands, got none: install its client tools")
    address = url.set(drivername="postgresql", password=None).render_as_string()
    secret = {"PGPASSWORD": str(url.password)} if url.password else {}
    call = [found, "--no-password", "--no-owner", "--no-privileges", f"--dbname={address}", *options]
    ran = subprocess.run(call, env=os.environ | secret, capture_output=True, text=True, check=False)  # noqa: S603
    if ran.returncode:
        raise Refusal(f"expected {tool} to succeed, got: {ran.stderr.strip()}")
