"""A bad network: a proxy between guests and house that delays, cuts into pieces, swallows, stalls and resets.

Each connection draws its ills when it is made, from a generator that is handed in. `heal` makes the network good again:
connections that suffer are reset, new ones are sound."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from random import Random
from typing import Any, NamedTuple, Self

CHUNK = 4096
NEVER = 1 << 60


class Ills(NamedTuple):
    """What is wrong with one connection. Bytes are counted in both directions together."""

    latency_s: float = 0.0
    jitter_s: float = 0.0  # on top, another one for each piece; nothing overtakes
    slices: int = NEVER  # no piece is longer
    reset_after: int = NEVER  # so many bytes; then the connection is gone for both ends
    lost_after: int = NEVER  # half open: whatever comes is swallowed, and nobody is told
    stall_after: int = NEVER  # bandwidth 0: nothing is read any more


HEALTHY = Ills()


def any_ills(rng: Random) -> Ills:
    """Mostly one or two ills, sometimes none."""
    some = rng.random
    return Ills(
        latency_s=rng.uniform(0, 0.03) if some() < 0.5 else 0.0,
        jitter_s=rng.uniform(0, 0.03) if some() < 0.3 else 0.0,
        slices=rng.randrange(1, 200) if some() < 0.3 else NEVER,
        reset_after=rng.randrange(200, 40_000) if some() < 0.5 else NEVER,
        lost_after=rng.randrange(400, 40_000) if some() < 0.15 else NEVER,
        stall_after=rng.randrange(400, 40_000) if some() < 0.15 else NEVER,
    )


class Chaos:
    """`async with Chaos(port, ills) as network:` listens at `network.port` and passes on to the house's port."""

    def __init__(self, target: int, ills: Callable[[], Ills]) -> None:
        self.target, self.ills = target, ills
        self.port = 0
        self.connections: set[Connection] = set()
        self.numbers = count()
        self.resets = 0

    async def __aenter__(self) -> Self:
        self.server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *error: object) -> None:
        self.server.close()
        self.heal()
        await asyncio.gather(*(connection.ended.wait() for connection in tuple(self.connections)))
        await self.server.wait_closed()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def heal(self) -> None:
        self.ills = lambda: HEALTHY
        for connection in tuple(self.connections):
            if connection.ills != HEALTHY or not self.server.is_serving():
                connection.reset()

    def reset_some(self, rng: Random, share: float) -> None:
        """A storm: many lose their connection at the same moment, and all come back at once."""
        for connection in sorted(self.connections, key=lambda connection: connection.number):
            if rng.random() < share:
                connection.reset()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = Connection(self.ills(), next(self.numbers))
        self.connections.add(connection)
        try:
            await connection.carry(reader, writer, self.target)
        finally:
            self.connections.discard(connection)
            self.resets += connection.was_reset
            connection.ended.set()


class Connection:
    def __init__(self, ills: Ills, number: int) -> None:
        self.ills, self.number = ills, number
        self.rng = Random(number)
        self.passed = 0
        self.cut = asyncio.Event()
        self.ended = asyncio.Event()
        self.was_reset = False

    def reset(self) -> None:
        self.was_reset = True
        self.cut.set()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, target: int) -> None:
        """Carry bytes both ways until one end closes or the connection is cut."""
        writers = [writer]
        try:
            there, far = await asyncio.open_connection("127.0.0.1", target)
            writers.append(far)
            await _first(self._way(reader, far), self._way(there, writer), self.cut.wait())
        except OSError:  # the house is not there, or an end has gone: the other will hear of it now
            pass
        finally:
            for end in writers:
                if self.was_reset:
                    end.transport.abort()
                else:
                    end.close()

    async def _way(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One direction. Reading goes on while what was read is on its way, as in a long cable."""
        cable: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(1000)
        await _first(self._into(cable, reader), self._out_of(cable, writer))

    async def _into(self, cable: "asyncio.Queue[tuple[float, bytes]]", reader: asyncio.StreamReader) -> None:
        now, ills = asyncio.get_running_loop().time, self.ills
        due = 0.0
        while data := await reader.read(min(CHUNK, ills.slices)):
            self.passed += len(data)
            if self.passed > ills.reset_after:
                self.reset()
            if self.passed > ills.stall_after:
                await asyncio.Event().wait()
            if self.passed > ills.lost_after:
                continue
            due = max(due, now() + ills.latency_s + ills.jitter_s * self.rng.random())
            await cable.put((due, data))
        await cable.put((due, b""))
        await asyncio.Event().wait()  # the other end of the cable says when the last piece is out

    async def _out_of(self, cable: "asyncio.Queue[tuple[float, bytes]]", writer: asyncio.StreamWriter) -> None:
        now = asyncio.get_running_loop().time
        while True:
            due, data = await cable.get()
            await asyncio.sleep(max(0.0, due - now()))
            if not data:
                return
            writer.write(data)
            await writer.drain()


async def _first(*ways: Awaitable[Any]) -> None:
    """Until one of them ends; the others are dropped."""
    tasks = [asyncio.ensure_future(way) for way in ways]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
