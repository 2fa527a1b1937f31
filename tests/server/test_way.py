"""How long the way to somebody is, as the house measures it, and how long it let lie itself what came over it."""

import asyncio
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from websockets.frames import Frame, Opcode

from cheeseboard.server.lag import TICK_S, Lag
from cheeseboard.server.limits import DEFAULT
from cheeseboard.server.line import LATELY_S, Way
from cheeseboard.server.socket import Wire, kernel_ms
from tests.server.simulated import SimClock


def test_the_way_is_the_shortest_of_late_and_its_unevenness_has_bounds():
    way = Way()
    assert way.measured(0.0, (3.0, 20.0)) == (0.0, 3.0, None)
    for second, ms in enumerate((80.0, 95.0, 90.0, 200.0, 85.0)):
        way.note(float(second), ms)
    assert way.measured(4.0, (3.0, 20.0)) == (80.0, 20.0, None)
    assert way.measured(LATELY_S + 0.5, (3.0, 20.0))[0] == 85.0
    assert way.measured(10 * LATELY_S, (3.0, 20.0)) == (85.0, 3.0, None), "an old answer is better than none"


@pytest.mark.parametrize("busy_s", [0.0, 0.02])
def test_what_the_house_let_lie_is_known_to_it(busy_s):
    clock = SimClock(Random(1))
    lag = Lag(clock)
    assert lag.ms(clock.now) == 0.0, "nobody races: nothing ticks"
    lag.begin()
    clock.run(TICK_S / 2)
    clock.now += busy_s  # the loop does something else
    assert lag.ms(clock.now) == pytest.approx(max(0.0, busy_s - TICK_S / 2) * 1000)
    lag.end()
    assert lag.ms(clock.now + 1) == 0.0


class Cable:
    """The other end of a wire, as far as a wire looks at it."""

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def is_closing(self) -> bool:
        return False


def test_only_the_answer_to_the_last_ping_tells_how_long_the_way_is():
    async def evening() -> None:
        clock = SimClock(Random(1))
        house = SimpleNamespace(clock=clock, limits=DEFAULT, lag=Lag(clock))
        door: Any = SimpleNamespace(house=house)
        config: Any = None
        state: Any = SimpleNamespace(connections=set())
        wire, cable = Wire(door, config, state, {}), Cable()
        wire.transport, wire.open = cast(Any, cable), True
        wire._beat()
        asked = cable.written[-1]
        assert asked[:2] == b"\x89\x08"

        def pong(nonce: bytes, after_s: float) -> list[float]:
            wire.alive_at = clock.now + after_s
            wire._frame(Frame(Opcode.PONG, nonce))
            return [ms for _, ms in wire.way.trips]

        assert pong(b"guessed!", 0.0) == []
        assert pong(asked[2:], 0.03) == [pytest.approx(30)]
        assert pong(asked[2:], 0.04) == [pytest.approx(30)], "once"
        wire._beat()
        wire._beat()
        assert cable.written[-1] != cable.written[-2]
        assert len(pong(cable.written[-2][2:], 0.01)) == 1, "an answer to an older one may have been kept back"
        assert len(pong(cable.written[-1][2:], 0.01)) == 2
        house.lag.begin()
        wire._beat()
        assert len(pong(cable.written[-1][2:], 5 * TICK_S)) == 2, "the house was busy: who knows how long it lay here"
        house.lag.end()

    asyncio.run(evening())


def test_the_kernel_knows_the_shortest_way_to_whoever_is_at_the_other_end():
    async def evening() -> None:
        came = asyncio.get_running_loop().create_future()

        async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"hello")
            came.set_result(writer)

        async with await asyncio.start_server(greet, "127.0.0.1", 0) as server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            await reader.readexactly(5)
            there = await came
            ms = kernel_ms(there.transport)
            assert ms is not None
            assert 0 < ms < 1000
            there.close()
            writer.close()
            await there.wait_closed()
            assert kernel_ms(there.transport) is None, "it is gone"

    asyncio.run(evening())
