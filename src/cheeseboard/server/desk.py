"""The desk: what is done with the books of the house, whether it is open or not.

Export games, tell or delete what is known of a person, count. All of it goes to the database directly, so that it works
without a server, and beside one that runs."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, func, select, text

from cheeseboard.bundle import Bundle
from cheeseboard.games.core import Refusal
from cheeseboard.server import messages
from cheeseboard.server.house import bundle
from cheeseboard.server.record import OPEN_PHASES, Record, unpack
from cheeseboard.server.schema import log, names, people, tables, tokens
from cheeseboard.server.settings import Settings
from cheeseboard.server.store import Forget, Group, Store


def address(settings: Settings) -> str:
    """Where the database of a house is that is there already."""
    if not settings.database_url and not (Path(settings.data) / "cheeseboard.db").is_file():
        raise Refusal(f"expected the folder of a house, with its cheeseboard.db, got {settings.data!r}; see --data")
    return settings.database()


def opened(settings: Settings) -> Store:
    return Store(address(settings))


# --- games ----------------------------------------------------------------------------------------------------------


def ended(store: Store) -> Iterator[Bundle]:
    """The replay of every table that has ended. What was closed before the deal leaves nothing to tell."""
    for row in store.each_table():
        if row.phase not in OPEN_PHASES:
            record = unpack(row.record)
            if record.deal.transcript:
                yield bundle(record, store.entries(record.id), store.races(record.id))


def one(store: Store, table: str) -> Bundle:
    row = store.row(table)
    if row is None:
        raise Refusal(f"expected the code of a table of this house, got {table!r}")
    if row.phase in OPEN_PHASES:
        raise Refusal(f"expected a table that has ended, but {table} is {row.phase}")
    record = unpack(row.record)
    if not record.deal.transcript:
        raise Refusal(f"expected a table at which cards were dealt, but {table} was closed before")
    return bundle(record, store.entries(table), store.races(table))


def export(store: Store, out: BinaryIO, table: str = "") -> int:
    """Write the bundles, one per line; returns how many."""
    count = 0
    for each in [one(store, table)] if table else ended(store):
        out.write(msgspec.json.encode(each) + b"\n")
        count += 1
    return count


def schema() -> dict[str, Any]:
    """The JSON Schema of one line of an export."""
    made: dict[str, Any] = msgspec.json.schema(Bundle)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Cheeseboard replay", **made}


# --- people ---------------------------------------------------------------------------------------------------------


def everything(store: Store, person: str) -> messages.Person:
    """Everything the house keeps about a person."""
    found = store.person(person)
    if found is None:
        raise Refusal(f"expected the id of a person of this house, as GET /api/me shows it, got {person!r}")
    sat = [{"table": table, "seat": seat, "name": name} for table, seat, name in store.tables_of(person)]
    return messages.Person(found.id, found.name, found.made_ms, found.seen_ms, sat)


def forget(store: Store, person: str) -> messages.Person:
    """Delete a person, tokens and names; games stay. A house that is open hears of it within a minute."""
    known = everything(store, person)
    store.commit([Group("", 0, (Forget(person),))])
    return known


# --- the house at a glance ------------------------------------------------------------------------------------------


class Place(Struct, frozen=True):
    """A seat: whose, never what they hold."""

    kind: str  # person, bot or open
    person: str = ""
    name: str = ""
    level: str = ""


class AtTable(Struct, frozen=True):
    table: str
    game: str
    phase: str
    seats: list[Place]
    connections: int
    n: int
    made_ms: int


class Facts(Struct, frozen=True):
    """What lies on the disk, in numbers."""

    database: str
    bytes: int
    tables: dict[str, int]  # by phase
    people: int
    devices: int
    named_seats: int


class House(Struct, frozen=True):
    tables: list[AtTable]  # the newest first
    connections: int
    people: int  # with a connection open
    addresses: dict[str, int]  # connections of each; those of this machine are not counted
    bans: list[str]
    store: Facts
    now_ms: int


def at_table(record: Record, n: int, named: Mapping[int, str], connections: int) -> AtTable:
    seats = [
        Place("open")
        if seat.open
        else Place("bot", level=seat.bot)
        if seat.bot
        else Place("person", seat.person, named.get(number, ""), record.level if seat.away else "")
        for number, seat in enumerate(record.seats)
    ]
    return AtTable(record.id, record.game, record.phase, seats, connections, n, record.made_ms)


def open_tables(store: Store) -> list[AtTable]:
    """The open tables as they lie on the disk; how far each has come, in one question for all."""
    longest = select(func.max(log.c.n)).where(log.c.number == tables.c.number).scalar_subquery()
    with _reading(store) as db:
        asked = select(tables.c.record, func.coalesce(longest, 0)).where(tables.c.phase.in_(OPEN_PHASES))
        return [at_table(unpack(record), n, {}, 0) for record, n in db.execute(asked)]


def _reading(store: Store) -> Connection:
    return store.engine.execution_options(reading=True).connect()


def facts(store: Store) -> Facts:
    kind = store.engine.dialect.name
    size = {
        "sqlite": "select page_count * page_size from pragma_page_count, pragma_page_size",
        "postgresql": "select pg_database_size(current_database())",
    }
    by_phase = select(tables.c.phase, func.count().label("many")).group_by(tables.c.phase)
    with _reading(store) as db:
        return Facts(
            database=kind,
            bytes=db.execute(text(size[kind])).scalar_one(),
            tables={row.phase: row.many for row in db.execute(by_phase)},
            people=db.execute(select(func.count()).select_from(people)).scalar_one(),
            devices=db.execute(select(func.count()).select_from(tokens)).scalar_one(),
            named_seats=db.execute(select(func.count()).select_from(names)).scalar_one(),
        )
