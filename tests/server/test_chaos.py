"""The bad network does what it says: else the storms would be nothing but sunshine."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random

import pytest

from tests.server.chaos import HEALTHY, Chaos, Ills, any_ills

MESSAGE = bytes(range(256)) * 40  # 10 KiB


async def through(ills: Ills, use: Callable[[Chaos, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]):
    """A house that echoes, behind a network with these ills."""

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(1000):
                writer.write(data)
        except ConnectionError:
            pass
        finally:
            writer.close()

    house = await asyncio.start_server(echo, "127.0.0.1", 0)
    async with house, Chaos(house.sockets[0].getsockname()[1], lambda: ills) as network:
        reader, writer = await asyncio.open_connection("127.0.0.1", network.port)
        await use(network, reader, writer)
        writer.close()


@pytest.mark.parametrize("ills", [HEALTHY, Ills(latency_s=0.02), Ills(jitter_s=0.02, slices=100), Ills(slices=333)])
def test_whatever_arrives_arrives_whole_and_in_order(ills: Ills):
    async def use(network: Chaos, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        writer.write(MESSAGE)
        assert await reader.readexactly(len(MESSAGE)) == MESSAGE
        assert loop.time() - began >= 2 * ills.latency_s

    asyncio.run(through(ills, use))


def test_a_reset_ends_it_for_both():
    async def use(network: Chaos, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(MESSAGE)
        with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
            await reader.readexactly(len(MESSAGE))

    asyncio.run(through(Ills(reset_after=5000), use))


@pytest.mark.parametrize("ills", [Ills(lost_after=5000), Ills(stall_after=5000)])
def test_what_is_swallowed_or_stalled_is_silent_until_it_heals(ills: Ills):
    async def use(network: Chaos, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(MESSAGE)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.readexactly(len(MESSAGE)), 0.2)
        network.heal()
        with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
            await reader.readexactly(len(MESSAGE))
        again, writing = await asyncio.open_connection("127.0.0.1", network.port)
        writing.write(MESSAGE)
        assert await again.readexactly(len(MESSAGE)) == MESSAGE
        writing.close()

    asyncio.run(through(ills, use))


def test_a_storm_takes_all_connections_at_once():
    async def use(network: Chaos, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"hello")
        assert await reader.readexactly(5) == b"hello"
        network.reset_some(Random(0), 1.0)
        with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
            await reader.readexactly(1)

    asyncio.run(through(HEALTHY, use))


def test_the_same_seed_gives_the_same_ills():
    one, other = Random(3), Random(3)
    drawn = [any_ills(one) for _ in range(200)]
    assert drawn == [any_ills(other) for _ in range(200)]
    for part in range(len(HEALTHY)):
        assert len({ills[part] for ills in drawn}) > 10
