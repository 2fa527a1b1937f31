"""Kill the house in the middle of play, again and again, and see that nothing it has promised is ever lost.

    python -m tests.server.crash --kills 2000

Several tables are in play all the time, those that end are followed by new ones. The house dies at random moments, or
by its own hand at a named point: before an act is stored, when it is stored and nobody knows, when it is told, and at
every step of a deal. It starts anew on the same data; the guests come back by themselves and play on. When a game is
over, what its guests saw and were promised is held against the log (`promises.py`), and the deal is verified with
their receipts. After the last death every table is played to its end, and all logs must still be what they were."""

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import httpx

from cheeseboard import client, verify
from cheeseboard.client import Client, Refused
from cheeseboard.server.house import bundle
from cheeseboard.server.store import Store
from tests.server import promises
from tests.server.guests import Noted, play_on
from tests.server.nest import Hatched, Nest
from tests.server.running import Running

T = TypeVar("T")
ACTS = ("before-store", "stored", "told")
DEALS = ("deal-commit", "deal-frozen", "deal-seed", "deal-ready")
GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("geier", 2, {"cards": 8}),
    ("geier", 3, {}),
    ("maus", 2, {}),
    ("mausen", 3, {}),
    ("memento", 2, {}),
    ("flippt", 2, {"calm": "on"}),
]
WAIT_S = (0.02, 0.05, *[0.1] * 1000)  # guests of this evening do not give up, and knock often
LIFE_S = 2.0  # if a named point is not reached by then, the house dies anyway
END_S = 180.0  # the last games must end by then


class Evening:
    """A house and its guests, over many lives of the house."""

    def __init__(self, house: Running, database: str, rng: Random, tables: int = 5) -> None:
        self.house, self.database, self.rng, self.tables = house, database, rng, tables
        self.guests: list[Client] = []
        self.kills: Counter[str] = Counter()
        self.acks = 0
        self.views = 0
        self.logs: dict[str, list[bytes]] = {}  # of the tables that ended: the chain
        self.wrongs: list[str] = []
        self.closing = False

    async def crash(self, kills: int, say: Callable[[str], object] = lambda _: None) -> None:
        """The whole evening. `wrongs` has everything that should not have been."""
        store = Store(self.database)
        try:
            async with AsyncExitStack() as guests:
                for name in ("Ann", "Ben", "Sue"):
                    self.guests.append(await guests.enter_async_context(Client(self.house.url, name)))
                playing = [asyncio.create_task(self._table_after_table(store)) for _ in range(self.tables)]
                for kill in range(1, kills + 1):
                    await self._die()
                    self._rise(last=kill == kills)
                    assert not any(task.done() for task in playing), await asyncio.gather(*playing)
                    assert not self.wrongs, "\n".join(self.wrongs)
                    say(f"{kill}/{kills} kills, {self.acks} acknowledged, {len(self.logs)} games over")
                self.closing = True
                await asyncio.wait_for(asyncio.gather(*playing), END_S)
            code = self.house.stop()
            self._wrong(f"expected exit code 0, got {code}" for _ in range(code != 0))
            self._wrong(line for line in self.house.log.splitlines() if '"error"' in line or '"critical"' in line)
            for table, chain in self.logs.items():
                if [entry.chain for entry in store.entries(table)] != chain:
                    self._wrong([f"the log of table {table} has changed after the game"])
        finally:
            store.close()

    # --- the house dies ---------------------------------------------------------------------------------------------

    way = "after acks"  # in which this life of the house ends

    async def _die(self) -> None:
        """By our hand, or by its own fault."""
        way, rng = self.way, self.rng
        until = time.monotonic() + (rng.uniform(0, 0.6) if way == "any moment" else LIFE_S)
        acks = self.acks + rng.randrange(1, 12) if way == "after acks" else sys.maxsize
        while self.house.alive and time.monotonic() < until and self.acks < acks:  # noqa: ASYNC110  # deaths are silent
            await asyncio.sleep(0.003)
        self.kills[way if self.house.alive else f"{way}, reached"] += 1
        code = self.house.kill()
        self._wrong(f"expected a killed house, it has ended with {code}" for _ in range(code != -9))

    def _rise(self, *, last: bool) -> None:
        way = self.way = self.rng.choice(["any moment", "after acks", "after acks", *ACTS, self.rng.choice(DEALS)])
        fault = f"{way}:{self.rng.randrange(1, 12 if way in ACTS else 3)}" if way in ACTS + DEALS and not last else ""
        self.house.launch(CHEESEBOARD_FAULT=fault)

    # --- the guests play --------------------------------------------------------------------------------------------

    async def _table_after_table(self, store: Store) -> None:
        while not self.closing:
            game, seats, options = self.rng.choice(GAMES)
            company = self.rng.sample(self.guests, seats)
            wish = ["me", *["open"] * (seats - 1)]
            table = await stubborn(partial(company[0].lay, game, wish, options=options))
            for guest in company[1:]:
                await stubborn(partial(guest.sit, table))
            noted = Acknowledged(self)
            sitting = [Noted(guest.name, noted, guest.url, guest.token, table) for guest in company]
            watching = Noted("Zoe", noted, company[0].url, "", table)
            await asyncio.gather(*(self._play(seat) for seat in (*sitting, watching)))
            self._judge(store, table, noted, sitting)

    async def _play(self, seat: Noted) -> None:
        async with seat:
            await play_on(seat, Random(self.rng.random()), None)

    def _judge(self, store: Store, table: str, noted: promises.History, sitting: list[Noted]) -> None:
        kept = promises.final(store, table)
        self._wrong(promises.check(noted, kept))
        roster = dict(kept.record.deal.commits)
        receipts = [seat.receipt(seat.you) for seat in sitting if seat.you in roster]
        report = verify.check(bundle(kept.record, kept.log), receipts)
        self._wrong(f"the deal of table {table}: {found}" for found in report.checks if not found.ok)
        self.logs[table] = [entry.chain for entry in kept.log]
        self.views += len(list(promises.of(noted, promises.Seen)))

    def _wrong(self, wrongs: Any) -> None:
        self.wrongs += wrongs


class Acknowledged(list[promises.Happening]):
    """A history that counts for the whole evening."""

    def __init__(self, evening: Evening) -> None:
        super().__init__()
        self.evening = evening

    def append(self, what: promises.Happening) -> None:
        super().append(what)
        self.evening.acks += isinstance(what, promises.Done)


async def stubborn(ask: Callable[[], Awaitable[T]]) -> T:
    """Ask until there is an answer: the house may be dead, or about to be."""
    while True:
        try:
            return await ask()
        except (httpx.TransportError, Refused) as error:
            if isinstance(error, Refused) and error.code != "closing":
                raise
            await asyncio.sleep(0.05)


def evening(house: Running, database: str, kills: int, seed: int, say: Callable[[str], object] = str) -> Evening:
    """Play one; the guests' patience is set for it."""
    patience, client.WAIT_S = client.WAIT_S, WAIT_S  # type: ignore[assignment]  # longer, but still numbers
    try:
        it = Evening(house, database, Random(seed))
        asyncio.run(it.crash(kills, say))
        return it
    finally:
        client.WAIT_S = patience


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--kills", type=int, default=2000)
    asked.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    wish = asked.parse_args()
    began = time.monotonic()

    def say(line: str) -> None:
        sys.stdout.write(f"\r{line}, {time.monotonic() - began:.0f} s ")
        sys.stdout.flush()

    with tempfile.TemporaryDirectory() as folder, Nest() as nest, Hatched(nest, Path(folder, "data")) as house:
        it = evening(house, f"sqlite:///{house.data / 'cheeseboard.db'}", wish.kills, wish.seed, say)
    ways = ", ".join(f"{count} {way}" for way, count in sorted(it.kills.items()))
    sys.stdout.write(f"\nseed {wish.seed}; {ways}; {it.views} views checked\n")
    for wrong in it.wrongs:
        sys.stdout.write(f"{wrong}\n")
    return 1 if it.wrongs else 0


if __name__ == "__main__":
    sys.exit(main())
