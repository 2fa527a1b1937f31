"""Many tables, a bad network, guests who do what they should not: and every promise of the house holds.

Guests share seats over two connections, send twice, send nonsense, act out of turn and for others, come back in storms.
Then the network heals, and every game must come to its end: who is only safe has not won."""

import asyncio
import secrets
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from cheeseboard import client, verify
from cheeseboard.client import Client, Refused
from cheeseboard.server import messages
from cheeseboard.server.house import bundle
from cheeseboard.server.store import Store
from tests.server import promises
from tests.server.chaos import Chaos, any_ills
from tests.server.crash import WAIT_S
from tests.server.guests import Noted, choice
from tests.server.nest import Hatched, Nest
from tests.server.running import Running
from tests.server.seats import Call, fair

ENOUGH = {promises.Done: 400, promises.Refused: 80, promises.Connected: 120}  # then the storm may end
PATIENCE_S = 0.8  # then a guest hangs up and tries again
CALM_S = 120.0  # by then all games must be over
TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("geier", 4, {"grace_s": 1}),
    ("geier", 2, {}),
    ("maus", 3, {}),
    ("mausen", 3, {}),
    ("memento", 3, {}),
    ("flippt", 2, {"options": {"calm": "on"}}),
    ("flippt", 3, {"options": {"seconds": 5}}),
]
NONSENSE: list[str | bytes] = [
    "",
    "{",
    "[]",
    "null",
    '"play"',
    '{"t":"play"}',
    '{"t":"play","id":"x","action":99}',
    '{"t":"play","id":"x","action":0.5}',
    '{"t":"play","id":"x","action":1,"seat":-1}',
    '{"t":"play","id":"x","action":1,"more":1}',
    '{"t":"view","n":1}',
    '{"t":"seed","attempt":0,"seed":"00"}',
    '{"t":"commit","attempt":9,"hash":"' + "0" * 64 + '"}',
    '{"t":"say","phrase":"no such phrase"}',
    '{"t":"look","seat":5}',
    "[" * 4000,
    b"\xff\xfe\x00",
    " " * 9000,  # too long: it costs the connection
]


class Storm:
    def __init__(self, network: Chaos, rng: Random) -> None:
        self.network, self.rng = network, rng
        self.guests: list[Client] = []
        self.persons: dict[str, str] = {}  # person -> name
        self.blowing = True
        self.histories: dict[str, promises.History] = {}
        self.sitting: dict[str, list[Noted]] = {}
        self.claims: dict[str, list[Call]] = {}

    # --- seats ------------------------------------------------------------------------------------------------------

    async def claim(self, table: str, guest: Client, rng: Random) -> None:
        """Three tries for a seat, sometimes given up again. Whether an unanswered one counted nobody knows."""
        for _ in range(3):
            asked = rng.choice([None, None, 1, 2])
            if rng.random() < 0.25:
                await self.note(table, guest, "stand", None)
            else:
                await self.note(table, guest, "sit", asked)

    async def note(self, table: str, guest: Client, what: str, asked: int | None, *, calm: bool = False) -> None:
        now = asyncio.get_running_loop().time
        body = {"name": guest.name, "seat": asked} if what == "sit" else {}
        ask, start = guest.ask if calm else partial(self.ask, guest), now()
        answer: int | str | None
        try:
            answer = (await ask("POST", f"/api/tables/{table}/{what}", body)).get("seat", 0)
        except Refused as refused:
            answer = refused.code
        except httpx.TransportError:
            answer = None
        self.claims[table].append(Call(what, guest.name, asked, answer, start, now()))

    async def ask(self, guest: Client, method: str, path: str, body: dict[str, Any]) -> Any:
        """Over a connection of its own, so that each has its own ills."""
        async with Client(self.network.url, guest.name, guest.token, timeout_s=PATIENCE_S) as once:
            return await once.ask(method, path, body)

    # --- a table ----------------------------------------------------------------------------------------------------

    async def tables(self, game: str, seats: int, wishes: dict[str, Any]) -> None:
        """One after the other, as long as it storms."""
        while self.blowing:
            await self.table(game, seats, wishes)

    async def table(self, game: str, seats: int, wishes: dict[str, Any]) -> None:
        rng = Random(self.rng.random())
        company = rng.sample(self.guests, seats + 1)  # one more than there are seats
        host = company[0]
        table = await host.lay(game, ["me", *["open"] * (seats - 1)], start="host", **wishes)
        noted = self.histories[table] = []
        self.claims[table] = []
        await asyncio.gather(*(self.claim(table, guest, Random(rng.random())) for guest in company[1:]))
        for guest in company[1:]:  # whoever did not get one, or does not know it, asks calmly
            await self.note(table, guest, "sit", None, calm=True)
        await host.ask("POST", f"/api/tables/{table}/start")
        sitting = [self.seat(guest, noted, table) for guest in company]
        sitting += [self.seat(guest, noted, table, " again") for guest in company if rng.random() < 0.4]
        self.sitting[table] = sitting
        watching = Noted("Zoe", noted, self.network.url, "", table)
        await asyncio.gather(*(self.play(seat, Random(rng.random())) for seat in (*sitting, watching)))

    def seat(self, guest: Client, noted: promises.History, table: str, which: str = "") -> Noted:
        return Noted(guest.name + which, noted, self.network.url, guest.token, table)

    # --- a guest ----------------------------------------------------------------------------------------------------

    async def play(self, seat: Noted, rng: Random) -> None:
        async with seat:
            watch = asyncio.create_task(self.watch(seat))
            try:
                async for view in seat:
                    action = choice(view, rng)
                    if self.blowing and rng.random() < 0.3:
                        await self.misbehave(seat, rng, view)
                    if action is not None:
                        await self.act(seat, rng, action)
            finally:
                watch.cancel()

    async def watch(self, seat: Noted) -> None:
        """Whoever hears nothing for too long comes back over a new connection."""
        now = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(PATIENCE_S / 2)
            if now() - seat.heard_at > 2 * PATIENCE_S:
                seat.hang_up()

    async def act(self, seat: Noted, rng: Random, action: int) -> None:
        id = secrets.token_hex(8)  # noqa: A001
        acting = asyncio.create_task(seat.act(action, id=id))
        if rng.random() < 0.15:
            await asyncio.sleep(0)
            await seat.send(messages.Play(id, action))
        while not (await asyncio.wait({acting}, timeout=PATIENCE_S))[0]:
            seat.hang_up()
        with suppress(Refused):
            n = acting.result()
            if rng.random() < 0.1:  # an id is for one act: this must be refused, or be the same act again
                await seat.send(messages.Play(id, rng.randrange(10)))
            assert n > 0

    async def misbehave(self, seat: Noted, rng: Random, view: messages.View) -> None:
        match rng.randrange(5):
            case 0:
                await self.act(seat, rng, rng.choice([action for action in range(62) if action not in view.legal]))
            case 1:
                play = messages.Play(secrets.token_hex(8), rng.randrange(15), (view.you + 1) % 6)
                seat.noted.append(promises.Invoked(play.id, (view.you + 1) % 6, play.action))
                await seat.send(play)
            case 2:
                if seat.socket:
                    with suppress(Exception):  # the connection may be gone before, or because of, such a message
                        await seat.socket.send(rng.choice(NONSENSE))
            case 3:
                await seat.say(phrase="hello")
            case _:
                seat.hang_up()

    def happened(self, kind: type) -> int:
        return sum(type(what) is kind for noted in self.histories.values() for what in noted)

    # --- all of it --------------------------------------------------------------------------------------------------

    async def blow(self, house: Running) -> None:
        async with AsyncExitStack() as guests:
            for name in ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn"):
                guest = await guests.enter_async_context(Client(house.url, name))
                self.guests.append(guest)
                self.persons[(await guest.ask("GET", "/api/me"))["person"]] = name
            tables = [asyncio.create_task(self.tables(*terms)) for terms in TABLES]
            while any(self.happened(kind) < enough for kind, enough in ENOUGH.items()):
                await asyncio.sleep(self.rng.uniform(0.2, 0.8))
                self.network.reset_some(self.rng, self.rng.choice([0.2, 0.5, 1.0]))
                assert house.alive, house.log[-4000:]
                for task in tables:
                    if task.done():
                        task.result()
            self.blowing = False
            self.network.heal()
            await asyncio.wait_for(asyncio.gather(*tables), CALM_S)


async def storm(house: Running, seed: int) -> Storm:
    rng = Random(seed)
    async with Chaos(house.port, lambda: any_ills(rng)) as network:
        it = Storm(network, rng)
        await it.blow(house)
        return it


@pytest.mark.parametrize("seed", [1])
def test_storm(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int):
    monkeypatch.setattr(client, "WAIT_S", WAIT_S)
    limits = {"CHEESEBOARD_LIMIT_PING_SECONDS": "0.5", "CHEESEBOARD_LIMIT_DEAD_SECONDS": "3"}
    with Nest() as nest, Hatched(nest, tmp_path / "data", database, limits) as house:
        it = asyncio.run(storm(house, seed))
        assert house.stop() == 0
    assert not [line for line in house.log.splitlines() if '"error"' in line or '"critical"' in line]
    store = Store(database)
    try:
        for table, noted in it.histories.items():
            kept = promises.final(store, table)
            assert promises.check(noted, kept) == []
            assert kept.record.phase == "over"
            roster = dict(kept.record.deal.commits)
            receipts = [seat.receipt(seat.you) for seat in it.sitting[table] if seat.seeded]
            assert {receipt.seat for receipt in receipts} == roster.keys(), (
                "of a seed in the deal nobody at the seat knows"
            )
            assert verify.check(bundle(kept.record, kept.log), receipts).verdict == "ok"
            seats = tuple(it.persons.get(seat.person) for seat in kept.record.seats)
            assert fair(it.claims[table], (seats[0], *[None] * (len(seats) - 1)), seats)
    finally:
        store.close()
    assert it.network.resets > 20
