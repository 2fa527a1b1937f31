"""Races in a real house: fair over unequal lines, and nothing to be had by slaps that are not honest.

What is said here of shares is coarse; `make slaps-real` counts thousands of races for each pair of lines."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from random import Random

import pytest

from cheeseboard.bundle import Bundle
from cheeseboard.client import Client
from cheeseboard.referee import PRESETS, Paw, Verdict
from cheeseboard.server import messages
from cheeseboard.server.messages import Done, Refused, Slap
from tests.server.guests import table_for, until
from tests.server.hooked import Hooked
from tests.server.running import Running
from tests.server.slapping import PACE, TRIPS, Slow, Tally, meet, recomputed

PAIRS = [("lan", "far"), ("fibre", "4g"), ("wifi", "far")]
HUMAN_S = 0.3  # after a mouse is shown: no false start
FRIENDS = PRESETS["friends"]
ODD = ("-1", "-0.1", "NaN", "Infinity", "-Infinity", "60000.1", "1e300", "1e999", '"0"', "[0]", "true")


@pytest.fixture(scope="module")
def racing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hooked]:
    """A house at a quick pace, yet with all of the referee's terms; nothing may crash in it."""
    with Hooked(tmp_path_factory.mktemp("house") / "data", TRIPS, {"CHEESEBOARD_PACE": PACE}) as house:
        yield house
        assert "Traceback" not in house.log


def test_the_ping_does_not_decide_and_every_verdict_can_be_recomputed(racing: Hooked) -> None:
    every = Tally([], [], [])
    by_arrival: list[bool] = []

    async def game(pair: tuple[str, str]) -> Bundle:
        tally = Tally([], [], [])
        bundles = [bundle async for bundle in meet(racing.port, pair, tally, 1, 7)]
        every.add(tally)
        return bundles[0]

    async def games() -> list[Bundle]:
        return await asyncio.gather(*(game(pair) for pair in PAIRS))

    for bundle in asyncio.run(games()):
        assert recomputed(bundle) >= 20
        for verdict in bundle.races:
            elapsed = {paw.seat: paw.elapsed for paw in verdict.paws}
            if len(elapsed) == 2:
                by_arrival.append(elapsed[0] < elapsed[1])
    assert len(every.races) >= 60
    assert 30 <= every.share <= 70, every.share  # four standard errors
    assert sum(by_arrival) >= 0.75 * len(by_arrival)  # as it would be by arrival, late slaps included


# --- what is not honest ---------------------------------------------------------------------------------------------


class Duel:
    """Two who are told when to slap, over the shortest line there is."""

    def __init__(self, house: Running) -> None:
        self.house, self.stack = house, AsyncExitStack()

    async def __aenter__(self) -> tuple[Slow, Slow]:
        url = self.house.url
        clients = [await self.stack.enter_async_context(Client(url, name)) for name in ("Ada", "Bo")]
        table = await table_for(clients, "flippt")
        one, other = (Slow(url, client.token, table, Random(1)) for client in clients)
        await self.stack.enter_async_context(one)
        await self.stack.enter_async_context(other)
        return one, other

    async def __aexit__(self, *error: object) -> None:
        await self.stack.aclose()


async def ready(seat: Slow) -> messages.View:
    """A race is open, and a human could slap now."""
    view = await seat.race()
    await asyncio.sleep(HUMAN_S)
    return view


async def verdict_of(seat: Slow, view: messages.View) -> Verdict:
    await until(seat, lambda: view.n in seat.judged)
    return seat.judged[view.n][1]


def paw_of(seat: Slow, verdict: Verdict) -> Paw:
    return next(paw for paw in verdict.paws if paw.seat == seat.you)


def refused(answer: Done | Refused, *codes: str) -> bool:
    assert isinstance(answer, Refused), answer
    assert answer.code in codes, answer
    return True


def test_a_slap_sent_twice_is_done_once(racing: Hooked) -> None:
    async def duel() -> None:
        async with Duel(racing) as (one, _):
            view = await ready(one)
            claim = Slap(view.n, 290.0, "key", 0.1)
            done = await one.ask(view, claim, "same")
            assert isinstance(done, Done)
            n = one.n
            assert await one.ask(view, claim, "same") == done
            refused(await one.ask(view, claim, "other"), "late")
            assert one.n == n
            assert paw_of(one, await verdict_of(one, view)).claim == 290.0

    asyncio.run(duel())


def test_each_race_has_one_paw_of_each(racing: Hooked) -> None:
    async def duel() -> None:
        async with Duel(racing) as (one, other):
            view = await ready(one)
            slow = Slap(view.n, 290.0)
            quick = Slap(view.n, 0.0)
            first, second = await asyncio.gather(one.ask(view, slow), one.ask(view, quick))
            assert isinstance(first, Done)
            refused(second, "acted")
            verdict = await verdict_of(other, view)
            assert [paw.claim for paw in verdict.paws if paw.seat == one.you] == [290.0]

    asyncio.run(duel())


def test_a_slap_for_a_race_that_is_not_open_counts_for_no_other(racing: Hooked) -> None:
    async def duel() -> None:
        async with Duel(racing) as (one, other):
            view = await ready(one)
            for e in (view.n + 1, view.n + 1000, 2**31 - 1):
                refused(await one.ask(view, Slap(e, 250.0)), "future-slap")
            assert one.n == view.n  # nothing has changed
            assert isinstance(await one.ask(view, Slap(view.n, 290.0)), Done)
            verdict = await verdict_of(other, view)
            assert verdict.first == (one.you,)
            # the other comes too late, in the rest and in the next race; it is told by how much
            refused(await other.ask(view, Slap(view.n, 290.0)), "late")
            later = await ready(other)
            n = other.n
            refused(await other.ask(later, Slap(view.n, 0.0)), "late")
            assert other.n == n
            assert isinstance(await other.ask(later, Slap(later.n, 250.0)), Done)

    asyncio.run(duel())


def test_no_time_that_is_none(racing: Hooked) -> None:
    async def duel() -> None:
        async with Duel(racing) as (one, _):
            view = await one.race()
            for ms in ODD:
                data = f'{{"t":"play","id":"odd","action":{view.legal[0]},"slap":{{"e":{view.n},"ms":{ms}}}}}'
                refused(await one.ask_so("odd", data), "bad-message")
            assert one.n == view.n

    asyncio.run(duel())


def test_the_boldest_claim_gains_what_the_house_allows_and_the_meekest_nothing(racing: Hooked) -> None:
    async def duel() -> None:
        async with Duel(racing) as (one, other):
            while True:  # until both are in time, however busy the machine is
                view, theirs = await ready(one), await other.race()
                await asyncio.gather(other.ask(theirs, Slap(view.n, 60_000.0)), one.ask(view, Slap(view.n, 0.0)))
                verdict = await verdict_of(one, view)
                if len(verdict.paws) == 2:
                    break
            bold, meek = paw_of(one, verdict), paw_of(other, verdict)
            most = bold.trip + FRIENDS.render + bold.jitter + bold.loop + FRIENDS.spikes * bold.jitter
            assert bold.comp <= most + 0.1
            assert {"pegged", "cut"} <= set(bold.marks)
            assert (meek.comp, meek.score) == (0.0, meek.elapsed)
            assert "slower-than-possible" in meek.marks
            assert verdict.first[0] == one.you or bold.score + verdict.heat >= meek.score

    asyncio.run(duel())


def test_who_starts_too_early_has_to_wait(racing: Hooked) -> None:
    """A busy machine may take so long to show the mouse that no start is false: then there is another mouse."""

    async def duel() -> None:
        async with Duel(racing) as (one, other):
            while True:
                view = await one.race()
                soon = Slap(view.n, 200.0)
                first, second = await asyncio.gather(one.ask(view, soon), one.ask(view, soon))
                if isinstance(first, Refused):
                    break
            refused(first, "false-start")
            refused(second, "locked-out")
            await asyncio.sleep((FRIENDS.lockout + FRIENDS.false_start) / 1000)
            assert one.n == view.n
            assert isinstance(await one.ask(view, Slap(view.n, 300.0)), Done)
            verdict = await verdict_of(other, view)
            assert [paw.seat for paw in verdict.early] == [one.you]
            assert verdict.first == (one.you,)

    asyncio.run(duel())
