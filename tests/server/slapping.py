"""Races over real sockets: people with human reactions at the ends of unequal lines, and who is first how often.

    python -m tests.server.slapping --races 4000        every pair of lines up to 150 ms, in a house of its own
    python -m tests.server.slapping --pairs lan-lan lan-far --busy 500 --races 500     while others play there, too

Between guest and house is a proxy that delays each direction as that line would: unevenly, in order, with a stall where
a packet is lost. The people are programs with ex-Gaussian reactions; their screens paint sixty times a second. They
speak the protocol as any client does, and the house pings them over the same lines."""

import argparse
import asyncio
import math
import re
import secrets
import sys
import tempfile
import urllib.request
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Self

from cheeseboard import referee
from cheeseboard.bundle import Bundle
from cheeseboard.client import Client, Seat
from cheeseboard.deal import Stream
from cheeseboard.games.flippt import rules
from cheeseboard.server import messages
from load import FREE
from slaps import FAIR, LINES, MU, RTO, SIGMA, TAU, Line
from tests.server.guests import PATIENCE_S, table_for
from tests.server.hooked import SLOW, Hooked

PICTURE_S = 1 / 60
PACE = "0.05"  # between mice; at 0 there would be no false starts
CALMER = "0.3"  # where races are counted: a packet lost with one mouse is there before the next, as in a real game
WARM_S = 4.0  # of pings before a race counts: so long the house waits before the first mouse, at its usual pace
ADDRESS = {name: f"127.0.1.{number}" for number, name in enumerate(LINES, 1)}
APART_S = 0.05  # from table to table when they begin: who sits down must not keep others from slapping
PACKETS = 60  # that a kernel has seen answered by the time a race counts
BUSY_MS = 2.0  # what timers may be late, in one of a hundred cases
MORE = 2.0  # percent that a share may be off
SEATS, THINK_S, SETTLE_S, DAY_S = 4, 9, 15.0, 86_400  # of others who play meanwhile

Answer = messages.Done | messages.Refused


def shortest(line: Line) -> float:
    """What the kernel would know of it: the quickest of real packets, which are never quite as quick as the line."""
    rng = Random(f"{line}")
    uneven = (sum(rng.gammavariate(2, line.jitter / 2) for _ in range(2)) for _ in range(PACKETS))
    return round(line.trip + min(uneven), 3)


TRIPS = {ADDRESS[name]: shortest(line) for name, line in LINES.items()}

# --- lines ----------------------------------------------------------------------------------------------------------


class Way(asyncio.Protocol):
    """One direction of a connection through the proxy, from the end that it listens to."""

    def __init__(self, line: Line, rng: Random, opened: Callable[["Way"], None] = lambda _: None) -> None:
        self.line, self.rng, self.opened = line, rng, opened
        self.loop = asyncio.get_running_loop()
        self.due = 0.0
        self.waiting: list[bytes] = []  # until there is another end
        self.other: Way | None = None
        self.transport: asyncio.Transport

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.opened(self)

    def data_received(self, data: bytes) -> None:
        ms = self.line.trip / 2 + self.rng.gammavariate(2, self.line.jitter / 2)
        if self.rng.random() < self.line.loss:
            ms += self.line.trip + RTO
        self.due = max(self.due + 1e-6, self.loop.time() + ms * SLOW / 1000)  # nothing overtakes
        self.loop.call_at(self.due, self.pass_on, data)

    def pass_on(self, data: bytes) -> None:
        if self.other is None:
            self.waiting.append(data)
        elif not data:
            self.other.transport.close()
        elif not self.other.transport.is_closing():
            self.other.transport.write(data)

    def connection_lost(self, error: Exception | None) -> None:
        self.loop.call_at(self.due + 1e-3, self.pass_on, b"")

    def meet(self, other: "Way") -> None:
        self.other = other
        for data in self.waiting:
            self.pass_on(data)


class Network:
    """`async with Network(port, "far", rng) as network:` listens at `network.url`; the house is a long way off."""

    def __init__(self, house: int, name: str, rng: Random) -> None:
        self.house, self.name, self.rng = house, name, rng
        self.calls: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self.server = await loop.create_server(lambda: Way(LINES[self.name], self.rng, self._call), "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *error: object) -> None:
        self.server.close()
        await asyncio.gather(*self.calls, return_exceptions=True)

    def _call(self, near: Way) -> None:
        call = asyncio.ensure_future(self._connect(near))
        self.calls.add(call)
        call.add_done_callback(self.calls.discard)

    async def _connect(self, near: Way) -> None:
        loop = asyncio.get_running_loop()
        from_here = (ADDRESS[self.name], 0)
        _, far = await loop.create_connection(
            lambda: Way(LINES[self.name], self.rng), "127.0.0.1", self.house, local_addr=from_here
        )
        near.meet(far)
        far.meet(near)


# --- people ---------------------------------------------------------------------------------------------------------


def now() -> float:
    """Seconds of the house's time."""
    return asyncio.get_running_loop().time() / SLOW


def reaction_s(rng: Random) -> float:
    return (rng.gauss(MU, SIGMA) + rng.expovariate(1 / TAU)) / 1000


def garment(view: messages.View, rng: Random) -> int:
    """What fits, if anything does: mice get caught, and the game comes to an end."""
    fits = [action for action in view.legal if action < rules.DESIGNS and rules.WEARS[view.view["shown"]] >> action & 1]
    any_paw = [action for action in view.legal if action != rules.LET_GO]
    return rng.choice(fits or [action for action in any_paw if action == rules.SHOUT] or any_paw)


class Paws(Seat):
    """A seat with a human's eyes and paws."""

    def __init__(self, url: str, token: str, table: str, rng: Random) -> None:
        super().__init__(url, token, table)
        self.rng = rng
        self.sent: dict[int, float] = {}  # by race: when the paw came down
        self.took: dict[int, float] = {}  # how long after the screen showed it, or would have
        self.judged: dict[int, tuple[float, referee.Verdict]] = {}  # and when the verdict was heard
        self.over = asyncio.Event()
        self.since = math.inf
        self.jobs: set[asyncio.Task[None]] = set()

    async def _hear(self, message: messages.FromHouse) -> None:
        came = now()
        self.since = min(self.since, came)
        await super()._hear(message)
        match message:
            case messages.View():
                if message.over:
                    self.over.set()
                if message.legal and any(event.kind == "turned" for event in message.events):
                    self.look_at(message, came)
            case messages.Judged():
                self.judged.setdefault(message.verdict.e, (came, message.verdict))

    def look_at(self, view: messages.View, came: float) -> None:
        """The next picture draws it; when the one after it begins it is painted. Tell so, and slap as a human can."""
        loop, waits = asyncio.get_running_loop(), PICTURE_S * (1 + self.rng.random())
        painted = came + waits
        self.took[view.n] = reaction_s(self.rng)
        loop.call_at(painted * SLOW, self.say_now, messages.Seen(view.n, round(waits * 1000, 1)))
        loop.call_at((painted + self.took[view.n]) * SLOW, self.slap, view, painted)

    def slap(self, view: messages.View, painted: float) -> None:
        came_down = self.sent[view.n] = now()
        self.took[view.n] = came_down - painted
        claim = messages.Slap(view.n, round(self.took[view.n] * 1000, 1), "key", 0.1)
        self.say_now(messages.Play(f"{view.you}-{view.n}", garment(view, self.rng), None, claim))

    def say_now(self, message: messages.FromClient) -> None:
        job = asyncio.ensure_future(self.send(message))
        self.jobs.add(job)
        job.add_done_callback(self.jobs.discard)


class Slow(Paws):
    """Somebody who slaps only when told to, and hears what the house says to each slap."""

    def __init__(self, url: str, token: str, table: str, rng: Random) -> None:
        super().__init__(url, token, table, rng)
        self.revealed: asyncio.Queue[messages.View] = asyncio.Queue()
        self.answers: dict[str, asyncio.Future[Answer]] = {}

    def look_at(self, view: messages.View, came: float) -> None:
        self.revealed.put_nowait(view)

    async def race(self) -> messages.View:
        """The race that is open now, or the next."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                view = await self.revealed.get()
                if view.n not in self.judged:
                    return view

    async def ask(self, view: messages.View, claim: messages.Slap | None, id: str = "") -> Answer:  # noqa: A002
        """Slap, and wait for the answer."""
        play = messages.Play(id or secrets.token_hex(8), garment(view, Random(view.n)), None, claim)
        return await self.ask_so(play.id, messages.encode(play).decode())

    async def ask_so(self, id: str, data: str) -> Answer:  # noqa: A002
        """The same for what no encoder would write."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.answers[id] = self.answers[""] = answer  # from what is no JSON the house knows no id
        assert self.socket is not None
        await self.socket.send(data)
        async with asyncio.timeout(PATIENCE_S):
            return await answer

    async def _hear(self, message: messages.FromHouse) -> None:
        await super()._hear(message)
        if isinstance(message, messages.Done | messages.Refused):
            waiting = self.answers.pop(message.id, None)
            if waiting and not waiting.done():
                waiting.set_result(message)


# --- races ----------------------------------------------------------------------------------------------------------


class Tally(NamedTuple):
    """What came out between two lines: races, those the first of them won, and how long verdicts took the winners.
    Beside them those in which the first really was the quicker: what is left between the two is the lines' doing."""

    races: list[float]
    delays: list[float]
    quicker: list[float]

    @property
    def share(self) -> float:
        return 100 * sum(self.races) / max(1, len(self.races))

    @property
    def truth(self) -> float:
        return 100 * sum(self.quicker) / max(1, len(self.quicker))

    def add(self, other: "Tally") -> None:
        for mine, theirs in zip(self, other, strict=True):
            mine.extend(theirs)

    @property
    def error(self) -> float:
        """The standard error of the share."""
        return 50 / math.sqrt(max(1, len(self.races)))


def counted(seats: Sequence[Paws], lines: Sequence[str], tally: Tally) -> None:
    """Add the races of one table that both saw. The last one ends the game, and the slower paw of it may never come
    down: if such races did not count, those would be missing that the longer line won, for there the house closes
    sooner."""
    one, other = seats
    for e in one.took.keys() & other.took.keys() & one.judged.keys() & other.judged.keys():
        if min(seat.judged[e][0] - seat.since for seat in seats) < WARM_S:
            continue
        paws = {paw.seat: paw.score for paw in one.judged[e][1].paws}
        mine, theirs = (paws.get(seat.you, math.inf) for seat in seats)  # who is not in it came too late to be first
        tally.races.append(float(mine < theirs) + 0.5 * float(mine == theirs))
        tally.quicker.append(float(one.took[e] < other.took[e]))
        winner, line = (one, lines[0]) if mine <= theirs else (other, lines[1])
        tally.delays.append((winner.judged[e][0] - winner.sent[e]) * 1000 - LINES[line].trip)


async def play(ways: Sequence[str], clients: Sequence[Client], rngs: Sequence[Random]) -> list[Paws]:
    """One game between these guests over these ways; the seats as they were at the end."""
    table = await table_for(clients, "flippt")
    seats = [Paws(way, client.token, table, rng) for way, client, rng in zip(ways, clients, rngs, strict=True)]
    async with AsyncExitStack() as stack:
        for seat in seats:
            await stack.enter_async_context(seat)
        async with asyncio.timeout(5 * PATIENCE_S * SLOW):
            await asyncio.gather(*(seat.over.wait() for seat in seats))
    return seats


async def meet(port: int, lines: tuple[str, str], tally: Tally, enough: int, seed: int) -> AsyncIterator[Bundle]:
    """Game after game between two lines, until there are enough races, here and at other tables. Gives the replays.

    Each game is played twice with the paws exchanged: quicker ones, by luck, are then at both ends of the line."""
    url = f"http://127.0.0.1:{port}"
    async with AsyncExitStack() as stack:
        ways = [
            (await stack.enter_async_context(Network(port, name, Random(f"{seed} {lines} {number}")))).url
            for number, name in enumerate(lines)
        ]
        clients = [await stack.enter_async_context(Client(url, name)) for name in ("Ada", "Bo")]
        game = 0
        while len(tally.races) < enough:
            paws = [Random(f"{seed} {lines} {game // 2} {(seat + game) % 2}") for seat in range(2)]
            seats = await play(ways, clients, paws)
            counted(seats, lines, tally)
            yield await clients[0].replay(seats[0].code)
            game += 1


def recomputed(bundle: Bundle) -> int:
    """Every verdict follows from the bundle alone; how many there are."""
    key = bytes.fromhex(bundle.deal.key)
    for verdict in bundle.races:
        assert referee.again(verdict, Stream(key, f"tie/{verdict.e}").below) == verdict
    return len(bundle.races)


# --- the campaign ---------------------------------------------------------------------------------------------------


def percentile(values: Sequence[float], percent: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * percent / 100))] if values else math.nan


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def lateness(late: list[float]) -> None:
    """How much later than they should our own timers go off, in milliseconds: a machine can be too busy to tell."""
    while True:
        due = now() + 0.02
        await asyncio.sleep(0.02 * SLOW)
        late.append((now() - due) * 1000)


def connections(port: int) -> int:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as metrics:
        found = re.search(r"^cheeseboard_connections (\d+)$", metrics.read().decode(), re.MULTILINE)
    assert found, "expected the house to tell how many connections it has"
    return int(found[1])


@asynccontextmanager
async def company(port: int, tables: int) -> AsyncIterator[None]:
    """Others who play in the same house, four at a table. They must not keep our own people from hearing and slapping:
    those stand for devices of their own, so the others get what is left of this machine."""
    if not tables:
        yield
        return
    command = ["nice", "-n", "15", sys.executable, "bench/load.py", "--url", f"http://127.0.0.1:{port}"]
    command += ["--tables", str(tables), "--seats", str(SEATS), "--think", str(THINK_S), "--seconds", str(DAY_S)]
    load = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
    try:
        while connections(port) < tables * SEATS:  # noqa: ASYNC110  # another process fills the house
            await asyncio.sleep(1)
        await asyncio.sleep(SETTLE_S)
        yield
    finally:
        load.kill()
        await load.wait()


async def table(port: int, lines: tuple[str, str], tally: Tally, asked: argparse.Namespace, number: int) -> int:
    """One of many tables; how many verdicts were recomputed there."""
    await asyncio.sleep(number * APART_S * SLOW)
    games = meet(port, lines, tally, asked.races, asked.seed + number)
    return sum([recomputed(bundle) async for bundle in games])


async def pair(port: int, lines: tuple[str, str], asked: argparse.Namespace) -> bool:
    """All races between two lines; whether the share is as it must be."""
    late: list[float] = []
    watch = asyncio.ensure_future(lateness(late))
    every = Tally([], [], [])
    verdicts = sum(await asyncio.gather(*(table(port, lines, every, asked, number) for number in range(asked.tables))))
    watch.cancel()
    half, most = percentile(every.delays, 50), percentile(every.delays, 99)
    share = f"{every.share:5.2f} % of {len(every.races)} (+- {every.error:.1f}; quicker in {every.truth:.2f} %)"
    say(f"{lines[0]:>6} {lines[1]:6} {share}, verdict {half:.0f}, {most:.0f}; {verdicts} verdicts recomputed")
    if percentile(late, 99) > BUSY_MS:
        say(f"   too busy a machine to tell: timers are {percentile(late, 99):.1f} ms late; try SLOW=20")
    return abs(every.share - 50) <= MORE


async def campaign(pairs: Sequence[tuple[str, str]], asked: argparse.Namespace) -> bool:
    """All pairs, so many tables at once; whether all shares are as they must be."""
    settings = {"CHEESEBOARD_PACE": CALMER, **FREE}
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        house = stack.enter_context(Hooked(Path(folder, "house"), TRIPS, settings))
        await stack.enter_async_context(company(house.port, asked.busy))
        say(f"{asked.races} races for each pair; p50 and p99 from the winner's slap to the verdict, at the house")
        races = [pair(house.port, lines, asked) for lines in pairs]
        return all(await asyncio.gather(*races) if asked.together else [await each for each in races])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--races", type=int, default=4000, help="for each pair of lines")
    parser.add_argument("--tables", type=int, default=25, help="at once")
    parser.add_argument("--pairs", nargs="*", default=[f"{one}-{other}" for one, other in combinations(FAIR, 2)])
    parser.add_argument("--together", action="store_true", help="all pairs at the same time")
    parser.add_argument("--busy", type=int, default=0, help="tables of four at which others play meanwhile")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    pairs = [(one, other) for one, other in (words.split("-") for words in asked.pairs)]
    if not asyncio.run(campaign(pairs, asked)):
        raise SystemExit("not as promised")


if __name__ == "__main__":
    main()
