"""Bots who remember, the fox, and the coach, at the tables of a real house with either database."""

import asyncio
import random
from contextlib import AsyncExitStack
from functools import partial

import pytest

from cheeseboard.client import Client
from tests.server.guests import company, play_on, playing, refused, table_for, until
from tests.server.running import Running

COMPILER_S = 240.0  # the coach's first answer waits for it, on a busy machine for long


def test_bots_who_listen_are_told_everything_also_after_a_restart(tmp_path):
    """Memento's bots play by what they remember. The house looks itself that nothing of it is missing."""

    async def evening(house):
        async with Client(house.url, "Ada") as ada:
            code = await ada.lay("memento", ["me", "bot:cat", "bot:dog"])
            async with ada.play(code) as seat:
                dice = random.Random(7)
                await playing(seat)
                for _ in range(4):
                    await until(seat, lambda: 0 in seat.now.waiting)
                    await seat.act(dice.choice(seat.now.legal))
                await asyncio.to_thread(house.stop)
                await asyncio.to_thread(house.start)
                await play_on(seat, dice)
                return seat.view

    with Running(tmp_path / "house") as house:
        assert asyncio.run(evening(house)).over
        assert "Traceback" not in house.log


def test_the_coach_talks_over_a_game_that_is_over_and_no_other(house):
    async def evening():
        async with Client(house.url, "Ada", timeout_s=COMPILER_S) as ada:
            code = await ada.lay("geier", ["me", "bot:mouse"], options={"cards": 3})
            coach = partial(ada.ask, "GET", f"/api/tables/{code}/coach")
            async with ada.play(code) as seat:
                await playing(seat)
                await refused("not-over", coach())
                await play_on(seat, random.Random(1))
            other = await ada.lay("maus", ["me", "bot:mouse"])
            async with ada.play(other) as seat:
                await play_on(seat, random.Random(1))
            await refused("no-coach", ada.ask("GET", f"/api/tables/{other}/coach"))
            await refused("no-table", ada.ask("GET", "/api/tables/zzzzz/coach"))
            return await coach(), await ada.ask("GET", f"/api/tables/{code}/story")

    told, story = asyncio.run(evening())
    moments = told["moments"]
    assert [len(moment["choices"]) for moment in moments] == [2, 2, 2]
    assert moments[0]["before"] == [0.5, 0.5]
    for moment in moments:
        assert any(event["kind"] in ("taken", "stays", "lost") for event in story["views"][moment["n"] - 1]["events"])


def test_in_a_race_the_coach_looks_at_paws_and_a_calm_table_has_none(house):
    async def evening():
        async with Client(house.url, "Ada", timeout_s=COMPILER_S) as ada:
            told = []
            for calm in ("off", "on"):
                code = await ada.lay("flippt", ["me", "bot:dog"], options={"calm": calm, "seconds": 5}, hints=True)
                async with ada.play(code) as seat:
                    await playing(seat)
                    if calm == "on":
                        await refused("no-coach", ada.ask("GET", f"/api/tables/{code}/hint?seat=0"))
                    await play_on(seat, random.Random(1))
                told.append(await ada.ask("GET", f"/api/tables/{code}/coach"))
                told.append(await ada.ask("GET", f"/api/tables/{code}/replay"))
            return told

    raced, replay, calm, quiet = asyncio.run(evening())
    races = replay["races"]
    assert (calm["moments"], calm["paces"], quiet["races"]) == ([], [], [])
    assert [pace["seat"] for pace in raced["paces"]] == [0, 1]
    times = {(race["e"], paw["seat"]): paw["score"] for race in races for paw in race["paws"]}
    assert {(mark["n"], pace["seat"]): mark["ms"] for pace in raced["paces"] for mark in pace["marks"]} == times
    for pace in raced["paces"]:
        alone = sum(race["first"] == [pace["seat"]] for race in races)
        heats = sum(pace["seat"] in race["first"] for race in races) - alone  # of a protected mouse only one paw counts
        assert alone <= pace["first"] <= alone + heats
        assert sum(kind["paws"] for kind in pace["kinds"]) == pace["first"] + pace["late"]


def test_the_fox_sits_where_it_knows_the_game(house):
    async def evening():
        async with Client(house.url, "Ada") as ada:
            games = {game["game"]: game["bots"] for game in await ada.ask("GET", "/api/games")}
            await refused("bad-seat", ada.lay("maus", ["me", "bot:fox"]))
            code = await ada.lay("geier", ["me", "bot:fox"], options={"cards": 4})
            async with ada.play(code) as seat:
                await play_on(seat, random.Random(1))
                return games, seat.view

    games, view = asyncio.run(evening())
    assert view.over
    assert games["geier"] == ["mouse", "cat", "dog", "elephant", "fox"]
    assert games["maus"] == ["mouse", "cat", "dog", "elephant"]


def test_hints_are_given_where_they_are_agreed_and_only_to_whoever_chooses(house):
    async def evening():
        async with AsyncExitStack() as stack:
            ada, bo = await company(stack, house.url, "Ada", "Bo")
            for client in (ada, bo):
                client.http.timeout = COMPILER_S
            plain = await table_for([ada, bo], "geier", options={"cards": 3})
            code = await table_for([ada, bo], "geier", options={"cards": 3}, hints=True)
            seats = [
                await stack.enter_async_context(client.play(table)) for table in (plain, code) for client in (ada, bo)
            ]
            for seat in seats:
                await playing(seat)
            await refused("no-hints", ada.ask("GET", f"/api/tables/{plain}/hint?seat=0"))
            await refused("not-seated", ada.ask("GET", f"/api/tables/{code}/hint?seat=1"))
            before = await bo.ask("GET", f"/api/tables/{code}/hint?seat=1")
            await seats[2].act(2)
            await refused("not-now", ada.ask("GET", f"/api/tables/{code}/hint?seat=0"))
            return before, await bo.ask("GET", f"/api/tables/{code}/hint?seat=1")

    before, after = asyncio.run(evening())
    assert (before["actions"], before["action"]) == ([0, 1, 2], -1)
    assert sum(before["mix"]) == pytest.approx(1)
    assert before == after  # a card that lies face down changes nothing
