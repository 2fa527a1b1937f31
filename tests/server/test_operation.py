"""A house in operation: what it says in its log, and what can be taken out of its books by commands."""

import asyncio
import io
import json
import logging
import sqlite3
import subprocess
import sys
from contextlib import closing
from os import urandom
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import httpx
import jsonschema_rs
import pytest

from cheeseboard import verify
from cheeseboard.cli import main
from cheeseboard.client import Client
from cheeseboard.games import GAMES
from cheeseboard.server import desk, messages
from cheeseboard.server.bus import LocalBus
from cheeseboard.server.house import House
from cheeseboard.server.limits import DEFAULT, Bucket
from cheeseboard.server.line import Line
from cheeseboard.server.serve import crashed
from cheeseboard.server.store import Store
from cheeseboard.server.talk import speak
from tests.server.guests import one_game
from tests.server.running import Running

NAMES = ("Zwiebelfisch", "Pusteblume")
TEXT = "Sauerkrautsaft"
FIELDS = {
    "time", "level", "event", "table", "game", "seats", "n", "port", "database", "code", "reason", "address", "kind",
    "who",
}  # fmt: skip


class Evening(NamedTuple):
    house: Running
    tables: dict[str, str]  # game -> table
    unfinished: str
    people: list[str]
    secrets: list[str]  # what only some hands may hold


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """Every game once, one table that is still in play, one closed before the deal, and some trouble at the door."""
    folder = tmp_path_factory.mktemp("evening")
    log = folder / "house.jsonl"
    with Running(folder / "house", env={"CHEESEBOARD_LOG": str(log)}) as house:
        yield asyncio.run(spent(house))
        house.stop()


async def spent(house):
    url, tables, secrets = house.url, {}, ["admin-token-of-the-tests"]
    async with Client(url, NAMES[0]) as one, Client(url, NAMES[1]) as two:
        for game in GAMES:
            tables[game], receipts = await one_game((one, two), game, free_text=True)
            secrets += [receipt.seed for receipt in receipts]
        open_table = await one.lay("geier", ["me", "bot:mouse"], free_text=True)
        async with one.play(open_table) as seat:
            async for view in seat:
                await seat.act(view.legal[0])
                await seat.say(text=TEXT)
                if view.n > 3:
                    break
        closed = await one.lay("geier", ["me", "open"])
        await one.ask("POST", f"/api/tables/{closed}/close")
        people = [(await guest.ask("GET", "/api/me"))["person"] for guest in (one, two)]
        secrets += [one.token, two.token, (await one.ask("POST", "/api/me/code"))["code"]]
    async with httpx.AsyncClient(base_url=url) as http:
        upgrade = {"connection": "upgrade", "upgrade": "websocket", "sec-websocket-version": "13"}
        upgrade |= {"sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==", "origin": "http://evil.example"}
        refused = await http.get(f"/api/tables/{open_table}/play", headers=upgrade)
        assert refused.status_code == httpx.codes.FORBIDDEN
        form = {"origin": url}
        wrong = await http.post("/admin/login", data={"token": "Mausefalle"}, headers=form)
        right = await http.post("/admin/login", data={"token": "admin-token-of-the-tests"}, headers=form)
        assert (wrong.status_code, right.status_code) == (403, 303)
        secrets += ["Mausefalle", right.cookies["cheeseboard-admin"]]
        for table in tables.values():
            deal = (await http.get(f"/api/tables/{table}/replay")).json()["deal"]
            secrets += [deal["root"], deal["key"], *(seed for _, seed in deal["seeds"])]
    return Evening(house, tables, open_table, people, secrets)


def lines(evening):
    return [json.loads(line) for line in Path(evening.house.env["CHEESEBOARD_LOG"]).read_text("ascii").splitlines()]


# --- the log --------------------------------------------------------------------------------------------------------


def test_the_log_tells_the_evening(evening):
    events = [(line["event"], line.get("table")) for line in lines(evening)]
    assert events.count(("house-opened", None)) == 1
    for table in evening.tables.values():
        of_table = [event for event, where in events if where == table]
        assert of_table == ["table-laid", "table-started", "table-ended"]
    assert ("table-started", evening.unfinished) in events
    assert [event for event, _ in events].count("table-closed") == 1
    refused = [line for line in lines(evening) if line["event"] == "connection-refused"]
    assert [(line["reason"], line["address"]) for line in refused] == [("cross-site", "this machine")]
    assert {"admin-refused", "admin-came-in"} <= {event for event, _ in events}


def test_the_log_holds_no_secret(evening):
    """Not one token, root, seed, key, name or word that was said; and no field that could hold a card."""
    text = Path(evening.house.env["CHEESEBOARD_LOG"]).read_text("ascii") + evening.house.log
    with closing(sqlite3.connect(evening.house.data / "cheeseboard.db")) as db:
        roots = [root.hex() for (root,) in db.execute("select root from secrets")]
        marks = [mark.hex() for (mark,) in db.execute("select hash from tokens")]
    assert len(roots) == len(GAMES) + 3  # the house's own table, the unfinished and the closed one
    assert len(marks) == len(NAMES)
    for secret in (*evening.secrets, *roots, *marks, *NAMES, TEXT):
        assert secret not in text
    for line in lines(evening):
        assert set(line) <= FIELDS
        assert line["level"] != "error"


def test_a_crash_is_told_by_its_trace_alone():
    """The loop's own words would show the arguments of the call that failed."""
    stream = io.StringIO()
    handler = speak(stream, strict=True)
    try:
        try:
            json.loads("cheese")
        except ValueError as error:
            context = {
                "message": "Exception in callback greet('T0KEN')",
                "exception": error,
                "handle": "greet('T0KEN')",
            }
            crashed(None, context)
        crashed(None, {"message": "Task was destroyed but it is pending!"})
    finally:
        logging.getLogger().removeHandler(handler)
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert "T0KEN" not in stream.getvalue()
    assert (first["event"], first["level"]) == ("crash", "error")
    assert "JSONDecodeError" in first["trace"]
    assert second["what"] == "Task was destroyed but it is pending!"


def test_a_log_that_cannot_be_written(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("CHEESEBOARD_LOG", str(tmp_path / "nowhere" / "log"))
    assert main(["serve", "--port", "0", "--data", str(tmp_path)]) == 2
    assert "expected a file for the log that can be written" in capfd.readouterr().err


# --- export ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def books(evening, monkeypatch):
    """Commands find the folder by the environment, beside the house that is open."""
    monkeypatch.setenv("CHEESEBOARD_DATA", str(evening.house.data))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    return evening


def said(capfd, *words):
    assert main(words) == 0
    return capfd.readouterr().out


def test_every_exported_line_fits_the_schema_and_is_true(books, capfd):
    schema = jsonschema_rs.validator_for(json.loads(said(capfd, "export", "--schema")))
    found = said(capfd, "export").splitlines()
    assert {json.loads(line)["table"] for line in found} == {*books.tables.values()}
    for line in found:
        schema.validate(json.loads(line))
        assert verify.check(verify.load(line)).verdict == "ok"
    broken = json.loads(found[0])
    del broken["deal"]["root"]
    assert not schema.is_valid(broken)


def test_export_into_a_file_that_verify_reads(books, tmp_path, capfd):
    file = tmp_path / "games.jsonl"
    assert said(capfd, "export", "--out", str(file)) == f"{len(GAMES)} games in {file}\n"
    assert said(capfd, "verify", str(file)).count("verdict: ok") == len(GAMES)


def test_export_of_one_table_is_what_the_house_gives_out(books, capfd):
    table = books.tables["geier"]
    by_http = httpx.get(f"{books.house.url}/api/tables/{table}/replay").json()
    assert json.loads(said(capfd, "export", "--table", table)) == by_http


def test_export_stops_quietly_when_nobody_reads_on(books):
    command = f"{sys.executable} -m cheeseboard export | true; exit ${{PIPESTATUS[0]}}"
    env = books.house.env | {"CHEESEBOARD_DATA": str(books.house.data)}
    done = subprocess.run(["bash", "-c", command], capture_output=True, env=env, check=False)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["export", "--table", "zzzzz"], "expected the code of a table of this house, got 'zzzzz'"),
        (["export", "--table", "UNFINISHED"], "expected a table that has ended, but UNFINISHED is playing"),
        (["export", "--out", "/nowhere/games"], "expected a file that can be written, got '/nowhere/games'"),
        (["export", "--data", "/nowhere"], "expected the folder of a house, with its cheeseboard.db, got '/nowhere'"),
        (["export-me", "somebody"], "expected the id of a person of this house, as GET /api/me shows it"),
        (["delete-me", "p0000000000000000"], "expected the id of a person of this house"),
    ],
)
def test_what_cannot_be_had(books, capfd, words, answer):
    """One line, exit code 2."""
    assert main([word.replace("UNFINISHED", books.unfinished) for word in words]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert answer.replace("UNFINISHED", books.unfinished) in err
    assert not Path("/nowhere").exists()


# --- backup ---------------------------------------------------------------------------------------------------------


def test_backup_and_restore(books, tmp_path, capfd):
    """Beside the open house; the copy has the same games."""
    copy, new = str(tmp_path / "monday"), str(tmp_path / "new")
    assert "all chains are whole" in said(capfd, "backup", copy)
    assert "all chains are whole" in said(capfd, "restore", copy, "--data", new)
    assert said(capfd, "export", "--data", new) == said(capfd, "export")
    for words in (["backup", copy], ["restore", copy, "--data", new], ["restore", str(tmp_path / "tuesday")]):
        assert main(words) == 2
        out, err = capfd.readouterr()
        assert (out, err.count("\n")) == ("", 1)
    assert main(["backup", copy, "--data", str(tmp_path / "nowhere")]) == 2
    assert not (tmp_path / "nowhere").exists()


# --- people ---------------------------------------------------------------------------------------------------------


def test_export_me_and_delete_me(books, capfd):
    """A person is told and deleted beside the open house; the games stay true."""
    person = books.people[1]
    told = json.loads(said(capfd, "export-me", person))
    assert (told["person"], told["name"]) == (person, NAMES[1])
    assert {seat["table"] for seat in told["tables"]} == {*books.tables.values()}
    assert "is forgotten, with names at 5 seats" in said(capfd, "delete-me", person)
    assert main(["export-me", person]) == 2
    assert NAMES[1] not in capfd.readouterr().out
    with closing(sqlite3.connect(books.house.data / "cheeseboard.db")) as db:
        for kept in ("people where id", "tokens where person", "names where person"):
            assert db.execute(f"select count(*) from {kept} = ?", (person,)).fetchone() == (0,)
        assert NAMES[1] not in "\n".join(db.iterdump())
    for line in said(capfd, "export").splitlines():
        assert verify.check(verify.load(line)).verdict == "ok"


class Desk(NamedTuple):
    """A house without a server: everything happens at once, on the store that is given."""

    house: House
    ticks: list[Any]  # what the clock was asked to call


def desk_of(store: Store) -> Desk:
    ticks: list[Any] = []
    nobody: Any = None  # no bot will be asked
    clock = SimpleNamespace(now_ms=lambda: 1, monotonic=lambda: 1.0, later=lambda seconds, call: ticks.append(call))
    keeper = SimpleNamespace(
        ask=lambda question, answer: answer(question(store)), write=lambda group, done: done(*store.commit([group]))
    )
    house = House(keeper, clock, urandom, nobody, LocalBus(), DEFAULT)
    house.open(lambda: None)
    return Desk(house, ticks)


def guests_and_tables(house: House) -> tuple[list[Any], list[Any]]:
    """Two guests with their tokens, and a table of each."""
    guests: list[Any] = []
    laid: list[Any] = []
    for name in NAMES:
        house.people.greet(name, lambda person, token: guests.append((person, token)))
    for person, _ in guests:
        house.lay(person.id, person.name, messages.NewTable("geier", ["me", "open"]), None, laid.append)
    return guests, laid


def test_an_open_house_forgets_whom_a_command_has_deleted(store):
    """Their device is not known any more, and their name leaves the tables in memory, within a minute."""
    house, ticks = desk_of(store)
    guests, laid = guests_and_tables(house)
    known: list[Any] = []
    desk.forget(store, guests[0][0].id)
    ticks.pop()()
    for _, token in guests:
        house.people.find(token, known.append)
    assert known == [None, guests[1][0]]
    assert [house.rooms[table.table].names for table in laid] == [{}, {0: NAMES[1]}]


def test_commands_on_either_database(database, monkeypatch, capfd):
    monkeypatch.setenv("DATABASE_URL", database)
    with closing(Store(database)) as store:
        house, _ = desk_of(store)
        guests, laid = guests_and_tables(house)
        person = guests[0][0].id
        assert {table.table for table in desk.open_tables(store)} == {house.own, *(table.table for table in laid)}
        facts = desk.facts(store)
        assert (facts.tables, facts.people, facts.devices, facts.named_seats) == ({"gathering": 3}, 2, 2, 2)
        assert (facts.database, facts.bytes > 1000) == (store.engine.dialect.name, True)
        assert json.loads(said(capfd, "export-me", person))["name"] == NAMES[0]
        assert said(capfd, "export") == ""
        said(capfd, "delete-me", person)
        assert desk.facts(store).people == 1


def test_who_hangs_up_while_the_table_comes_from_the_disk_is_never_there(store):
    house, _ = desk_of(store)
    pending: list[Any] = []
    house.keeper.ask = lambda question, answer: pending.append(lambda: answer(question(store)))  # type: ignore[method-assign]
    lines = [Line("", lambda data: None, lambda code, reason: None, Bucket(1, 1)) for _ in range(2)]
    house.rooms.clear()
    for line in lines:
        house.connect(line, house.own, None, None, lambda room: None)
    lines[0].gone = True
    pending.pop()()
    assert house.rooms[house.own].lines == [lines[1]]
