"""Whatever happens to the house, what it has acknowledged stays, and the game goes on.

It is killed a hundred times in the middle of play, at every step of a deal, it is asked to close, and its disk or its
database lets it down. `make crash` kills it two thousand times."""

import asyncio
import os
import resource
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest

from cheeseboard import client, verify
from cheeseboard.client import Client
from cheeseboard.server import messages
from cheeseboard.server.house import bundle
from cheeseboard.server.room import RECENT
from cheeseboard.server.store import Store
from tests.postgres import Cluster
from tests.server import promises
from tests.server.crash import ACTS, DEALS, WAIT_S, evening
from tests.server.guests import Noted, play_on
from tests.server.nest import Hatched, Nest
from tests.server.running import Running

END_S = 60.0


@pytest.fixture(scope="module")
def nest() -> Iterator[Nest]:
    with Nest() as warm:
        yield warm


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "WAIT_S", WAIT_S)


# --- killed ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
def test_killed_fifty_times(nest: Nest, tmp_path: Path, seed: int):
    with Hatched(nest, tmp_path / "data") as house:
        it = evening(house, sqlite(house), 50, seed)
    assert it.wrongs == []
    assert it.kills.total() == 50
    assert it.logs
    for point in ACTS:  # else the test would be easier than it says
        assert it.kills[f"{point}, reached"]


def test_killed_on_both_databases(nest: Nest, database: str, tmp_path: Path):
    with Hatched(nest, tmp_path / "data", database) as house:
        assert evening(house, database, 6, 3).wrongs == []


def test_killed_as_it_is_started_by_people(tmp_path: Path):
    """The same without our nest: the command itself."""
    with Running(tmp_path / "data") as house:
        assert evening(house, sqlite(house), 2, 4).wrongs == []


@pytest.mark.parametrize("point", [*(f"{step}:1" for step in DEALS), "deal-commit:2", "deal-seed:2"])
def test_killed_while_dealing(nest: Nest, tmp_path: Path, point: str):
    """The same attempt goes on, under the hash that the house has shown before."""

    async def play() -> None:
        async with company(house, "geier", cards=4) as it:
            await asyncio.to_thread(house.wait)
            shown = [dict(seat.shown) for seat in it.seats]
            assert all(set(hashes) <= {0} for hashes in shown)
            assert any(shown)
            house.launch(CHEESEBOARD_FAULT="")
            await it.end()
            deal = it.judged(sqlite(house)).record.deal
            assert deal.attempt == 0
            assert [hashes for hashes in shown if hashes and hashes != {0: deal.server}] == []

    with Hatched(nest, tmp_path / "data", env={"CHEESEBOARD_FAULT": point}) as house:
        asyncio.run(play())
        assert house.stop() == 0


# --- asked to close -------------------------------------------------------------------------------------------------


def test_closed_in_the_middle_of_play(nest: Nest, tmp_path: Path):
    async def play() -> None:
        async with company(house, "geier") as it:
            await it.until(10)
            sockets = [seat.socket for seat in it.seats]
            assert await asyncio.to_thread(house.stop) == 0
            await asyncio.gather(*(socket.wait_closed() for socket in sockets if socket))
            assert {socket.close_code for socket in sockets if socket} == {1012}
            assert [seat.byes[:1] for seat in it.seats] == [["going-away"]] * len(it.seats)
            before = max(seat.n for seat in it.seats)
            house.launch()
            await it.end()
            assert len(it.judged(sqlite(house)).log) > before

    with Hatched(nest, tmp_path / "data") as house:
        asyncio.run(play())
        assert house.stop() == 0


def test_no_clock_runs_while_the_house_is_closed(nest: Nest, tmp_path: Path):
    """Everybody has three seconds for a move. The house is closed for longer; all of the time is there again."""

    async def play() -> None:
        async with company(house, "geier", "bot:mouse", move_s=3, cards=4) as it:
            await it.until(3)
            assert await asyncio.to_thread(house.stop) == 0
            await asyncio.sleep(3.2)
            for seat in it.seats:
                seat.hesitates_s = 0.7
            house.launch()
            await it.end()
            log = it.judged(sqlite(house)).log
            assert all(entry.id for entry in log if entry.seat < 2), (
                "a bot has made a move for somebody who was in time"
            )

    with Hatched(nest, tmp_path / "data") as house:
        asyncio.run(play())


# --- let down by the disk -------------------------------------------------------------------------------------------


def let_down(house: Running, database: str) -> None:
    """From now on no file of the house may grow, or the database has sent it away."""
    if database.startswith("sqlite"):
        size = Path(f"{database.removeprefix('sqlite:///')}-wal").stat().st_size
        resource.prlimit(house.pid, resource.RLIMIT_FSIZE, (size, size))
    else:
        order(
            database,
            "select pg_terminate_backend(pid) from pg_stat_activity "
            "where datname = current_database() and pid <> pg_backend_pid()",
        )


def order(database: str, sql: Any) -> None:
    with psycopg.connect(database, autocommit=True) as db:
        db.execute(sql)


def test_the_store_fails_in_the_middle_of_play(nest: Nest, database: str, tmp_path: Path):
    """Nothing is acknowledged any more, the house ends with code 1, and goes on when it is started again."""

    async def play() -> None:
        async with company(house, "memento") as it:
            await it.until(10)
            let_down(house, database)
            assert await asyncio.to_thread(house.wait) == 1
            assert "store-failed" in house.log
            house.launch()
            await it.end()
            it.judged(database)

    with Hatched(nest, tmp_path / "data", database) as house:
        asyncio.run(play())
        assert house.stop() == 0


def test_the_store_fails_while_the_house_opens(nest: Nest, postgresql: Cluster, tmp_path: Path):
    with postgresql.database() as database:
        Store(database).close()
        order(database, f"alter database {database.split('/')[3].split('?')[0]} set default_transaction_read_only = on")
        house = Hatched(nest, tmp_path / "data", database)
        house.launch()
        try:
            assert house.wait() == 1
            assert "Cheeseboard is open" not in house.log
        finally:
            house.kill()


# --- besides --------------------------------------------------------------------------------------------------------


def test_bots_do_not_outlive_a_killed_house(tmp_path: Path):
    async def play() -> None:
        async with Client(house.url, "Ann") as ann:
            table = await ann.lay("geier", ["me", "bot:elephant"], options={"cards": 4})
            async with ann.play(table) as seat:
                await play_on(seat, Random(1))

    with Running(tmp_path / "data") as house:
        asyncio.run(play())
        threads = Path(f"/proc/{house.pid}/task").iterdir()  # any of them may have started a process
        workers = [int(pid) for thread in threads for pid in (thread / "children").read_text().split()]
        assert workers
        house.kill()
        until = time.monotonic() + END_S
        while any(Path(f"/proc/{pid}").exists() for pid in workers):
            if time.monotonic() > until:
                for pid in workers:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                raise AssertionError(f"expected the workers {workers} to end with the house")
            time.sleep(0.02)


def test_who_was_away_too_long_is_shown_the_table_as_it_is(nest: Nest, tmp_path: Path):
    async def play() -> None:
        async with company(house, "flippt", calm="on") as it:
            await it.end()
            log = it.judged(sqlite(house)).log
            assert len(log) > RECENT + 1
            late = Noted("Zoe", [], house.url, "", it.table)
            late.n = 1
            async with late:
                async for view in late:
                    assert (view.since, view.n) == (len(log), len(log))

    with Hatched(nest, tmp_path / "data") as house:
        asyncio.run(play())


def sqlite(house: Running) -> str:
    return f"sqlite:///{house.data / 'cheeseboard.db'}"


# --- two who play ---------------------------------------------------------------------------------------------------


class Listening(Noted):
    """Hears goodbyes too, and can take its time."""

    async def _hear(self, message: messages.FromHouse) -> None:
        if isinstance(message, messages.Bye):
            self.byes = [*self.byes, message.code]
        await super()._hear(message)

    async def act(self, action: int, *, id: str = "", **more: Any) -> int:  # noqa: A002
        wait_s, self.hesitates_s = self.hesitates_s, 0.0
        await asyncio.sleep(wait_s)
        return await super().act(action, id=id, **more)

    byes: list[str] = []  # noqa: RUF012  # never changed, only replaced
    hesitates_s = 0.0  # before the next act


class Two:
    """Two people at a table, who play on whatever happens to the house."""

    def __init__(self, table: str, noted: promises.History, seats: list[Listening]) -> None:
        self.table, self.noted, self.seats = table, noted, seats
        self.playing = [asyncio.create_task(self._play(seat, number)) for number, seat in enumerate(seats)]

    async def _play(self, seat: Noted, number: int) -> None:
        async with seat:
            await play_on(seat, Random(number), None)

    async def until(self, acts: int) -> None:
        """As soon as so many acts are acknowledged."""
        while sum(1 for _ in promises.of(self.noted, promises.Done)) < acts:
            assert not any(task.done() for task in self.playing), "expected a longer game"
            await asyncio.sleep(0.001)

    async def end(self) -> None:
        await asyncio.wait_for(asyncio.gather(*self.playing), END_S)

    def judged(self, database: str) -> promises.Final:
        store = Store(database)
        kept = promises.final(store, self.table)
        store.close()
        assert promises.check(self.noted, kept) == []
        roster = dict(kept.record.deal.commits)
        receipts = [seat.receipt(seat.you) for seat in self.seats if seat.you in roster]
        assert verify.check(bundle(kept.record, kept.log), receipts).verdict == "ok"
        return kept


@asynccontextmanager
async def company(house: Running, game: str, *bots: str, move_s: int = 0, **options: str | int) -> AsyncIterator[Two]:
    async with Client(house.url, "Ann") as ann, Client(house.url, "Ben") as ben:
        table = await ann.lay(game, ["me", "open", *bots], options=options, move_s=move_s)
        await ben.sit(table)
        noted: promises.History = []
        it = Two(table, noted, [Listening(each.name, noted, each.url, each.token, table) for each in (ann, ben)])
        try:
            yield it
        finally:
            for task in it.playing:
                task.cancel()
            await asyncio.gather(*it.playing, return_exceptions=True)
