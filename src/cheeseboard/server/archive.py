"""Backups that are known to be good, and the way back.

A backup is a copy of one moment, made while the house goes on, and beside it a manifest: what is in the copy. The
manifest is written last, when the copy has been looked through and the hash chain of every table has been computed
anew; a copy without a manifest is not a backup. To restore is to copy into a new place, to compare with the manifest,
and to raise the epoch of every table, so that whoever still plays on from before can write nothing here."""

import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from sqlalchemy import Connection, Engine, create_engine, func, inspect, select, text, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from cheeseboard.deal import chain_next, chain_start
from cheeseboard.games.core import Refusal
from cheeseboard.server.migrations import revision
from cheeseboard.server.schema import HEAD, metadata, tables
from cheeseboard.server.store import Store, copied, entries_of, opened, run_postgresql

FORMAT = "cheeseboard/backup/1"


class Contents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is in a database."""

    rows: dict[str, int]  # how many of each kind
    last: dict[str, int]  # for each table with a log, its last n
    rules: list[str]  # what was played, as game@version


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is in a backup."""

    format: str
    database: str  # sqlite or postgresql
    revision: str  # of the schema
    sha256: str  # of the copy
    contents: Contents


def manifest_of(copy: Path) -> Path:
    return copy.with_name(f"{copy.name}.json")


def backup(url: str, target: Path) -> Manifest:
    """Copy the database to a new file, look the copy through, write the manifest beside it."""
    with _engine(url) as engine, engine.connect().execution_options(reading=True) as db:
        if engine.dialect.name == "sqlite":
            _check_revision(db)
            copied(engine, target)
            with _copy(target) as copy:
                contents = examined(copy)
        else:
            db.execution_options(isolation_level="REPEATABLE READ")  # the dump and we look at the same moment
            _check_revision(db)
            copied(engine, target, str(db.scalar(text("select pg_export_snapshot()"))))
            contents = examined(db)
    manifest = Manifest(FORMAT, engine.dialect.name, HEAD, sha256(target), contents)
    manifest_of(target).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    return manifest


def restore(source: Path, url: str) -> Manifest:
    """Bring a backup into a new place, compare it with its manifest and fence off whoever owned the tables."""
    manifest = _manifest(source)
    with _engine(url) as engine:
        if engine.dialect.name != manifest.database:
            raise Refusal(f"expected a {manifest.database} database for {source}, got {engine.dialect.name}")
        if engine.dialect.name == "sqlite":
            _restore_file(source, Path(str(engine.url.database)), manifest)
        else:
            _restore_dump(source, engine, manifest)
    return manifest


def examined(db: Connection) -> Contents:
    """Count everything and compute all hash chains anew; refuse a database in which one does not fit."""
    rows = {name: db.scalar(select(func.count()).select_from(kept)) or 0 for name, kept in metadata.tables.items()}
    last, rules = {}, set()
    for table, record in db.execute(select(tables.c.id, tables.c.record).order_by(tables.c.number)).all():
        facts = json.loads(record)
        rules.add(f"{facts['game']}@{facts['version']}")
        if n := _check_chain(db, table, bytes.fromhex(facts["deal"]["transcript"])):
            last[table] = n
    return Contents(rows, last, sorted(rules))


def _check_chain(db: Connection, table: str, transcript: bytes) -> int:
    """The last n of an unbroken log."""
    chain, n = chain_start(table, transcript), 0
    for n, entry in enumerate(entries_of(db, table), 1):
        if entry.n != n:
            raise Refusal(f"expected entry {n} of table {table}, got entry {entry.n}")
        chain = chain_next(chain, n, entry.seat, entry.action, entry.luck, entry.at_ms, entry.id)
        if entry.chain != chain:
            raise Refusal(f"expected chain {chain.hex()} at entry {n} of table {table}, got {entry.chain.hex()}")
    return n


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _manifest(source: Path) -> Manifest:
    """The manifest of a copy that is still as it was."""
    path = manifest_of(source)
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
        found = sha256(source)
    except OSError as error:
        raise Refusal(f"expected a backup and its manifest, got {error.filename}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise Refusal(f"expected the manifest of a backup, got {path}: {error}") from None
    if manifest.format != FORMAT:
        raise Refusal(f"expected a manifest of format {FORMAT}, got {manifest.format!r} in {path}")
    if found != manifest.sha256:
        raise Refusal(f"expected {source} with the hash {manifest.sha256} of its manifest, got {found}")
    return manifest


def _restore_file(source: Path, target: Path, manifest: Manifest) -> None:
    if target.exists():
        raise Refusal(f"expected a place without a database, got {target}, which is there already")
    part = target.with_name(f"{target.name}.part")
    try:
        shutil.copyfile(source, part)
        _take_over(f"sqlite:///{part}", manifest)
        with part.open("rb+") as file:
            os.fsync(file)
        part.rename(target)
    except OSError as error:
        raise Refusal(f"expected a place that can be written, got {target}: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)


def _restore_dump(source: Path, engine: Engine, manifest: Manifest) -> None:
    if found := inspect(engine).get_table_names():
        raise Refusal(f"expected an empty database, got one with the tables {', '.join(sorted(found))}")
    run_postgresql("pg_restore", engine.url, ["--single-transaction", "--exit-on-error", str(source)])
    try:
        _take_over(engine.url.render_as_string(hide_password=False), manifest)
    except BaseException:
        metadata.drop_all(engine)  # empty again, as it was
        with engine.begin() as db:
            db.execute(text("drop table alembic_version"))
        raise


def _take_over(url: str, manifest: Manifest) -> None:
    """Lead what was restored to today's schema, compare it, and become its owner."""
    store = Store(url)
    try:
        with store.engine.begin() as db:
            if (found := examined(db)) != manifest.contents:
                raise Refusal(f"expected what the manifest says, {manifest.contents}, got {found}")
            db.execute(update(tables).values(epoch=tables.c.epoch + 1))
    finally:
        store.close()


def _check_revision(db: Connection) -> None:
    if (found := revision(db)) != HEAD:
        raise Refusal(
            f"expected a database of schema revision {HEAD}, got {found}: back it up with the house that uses it"
        )


@contextmanager
def _engine(url: str) -> Iterator[Engine]:
    engine = opened(url)
    try:
        yield engine
    except DBAPIError as error:  # damaged, most likely
        shown = engine.url.render_as_string(hide_password=True)
        raise Refusal(f"expected a database that can be read, got {shown}: {error.orig}") from error
    finally:
        engine.dispose()


@contextmanager
def _copy(path: Path) -> Iterator[Connection]:
    """Look into a copy without changing a byte of it."""
    address = f"{path.resolve().as_uri()}?immutable=1"
    engine = create_engine("sqlite://", creator=lambda: sqlite3.connect(address, uri=True), poolclass=NullPool)
    with engine.connect() as db:
        yield db
