"""Tables people can trust: everything a company does around a table, on a real house, with either database."""

import asyncio
import json
import random
import sys
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect

from cheeseboard import cli, verify
from cheeseboard.client import Client, decode
from cheeseboard.games import GAMES, core
from cheeseboard.server import messages
from cheeseboard.server.house import LETTERS
from tests.server import promises
from tests.server.guests import PATIENCE_S, Noted, company, play_on, playing, refused, table_for, until


def seats_for(game):
    least, most = core.about(GAMES[game])["players"]
    return min(max(3, least), most)


@asynccontextmanager
async def two_at_a_table(house):
    """Ada and Bo at a game of two that has just begun."""
    async with AsyncExitStack() as stack:
        ada, bo = await company(stack, house.url, "Ada", "Bo")
        code = await table_for([ada, bo], "geier")
        one, two = [await stack.enter_async_context(client.play(code)) for client in (ada, bo)]
        for seat in (one, two):
            await playing(seat)
        yield ada, bo, code, one, two


def told_of(seat, n):
    return seat.n == n


def in_phase(seat, phase):
    return seat.table.phase == phase


def moved_to(seat, table):
    return seat.moved == table


def heard(seat, count):
    return len(seat.said) == count


# --- whole games ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_two_people_and_a_bot_play_to_the_end_and_the_deal_verifies(house, game, tmp_path, capsys):
    async def evening():
        async with AsyncExitStack() as stack:
            ada, bo = await company(stack, house.url, "Ada", "Bo")
            code = await table_for([ada, bo], game, ("bot:mouse",) * (seats_for(game) - 2))
            seats = [await stack.enter_async_context(client.play(code)) for client in (ada, bo)]
            crowd = await stack.enter_async_context(Client(house.url, "Crowd"))
            watcher = await stack.enter_async_context(crowd.play(code))
            dice = random.Random(game)
            await asyncio.gather(*(play_on(seat, dice) for seat in seats))
            await until(watcher, lambda: watcher.view and watcher.now.over)
            assert watcher.you == -1
            assert [seat.seeded for seat in (*seats, watcher)] == [True, True, False]
            assert watcher.now.result == seats[0].now.result == seats[1].now.result
            await until(seats[0], lambda: seats[0].deal.stage == "shown")
            return await ada.replay(code), [seat.receipt(seat.you) for seat in seats]

    bundle, receipts = asyncio.run(evening())
    assert [seat for seat, _ in bundle.deal.commits] == [0, 1]
    assert verify.check(bundle, receipts).verdict == "ok"
    file = tmp_path / "replay.json"
    file.write_bytes(msgspec.json.encode(bundle))
    notes = [tmp_path / f"receipt{number}.json" for number in range(2)]
    for note, receipt in zip(notes, receipts, strict=True):
        note.write_bytes(msgspec.json.encode(receipt))
    assert cli.main(["verify", str(file), *(word for note in notes for word in ("--receipt", str(note)))]) == 0
    assert "ok" in capsys.readouterr().out.lower()
    wrong = json.loads(file.read_text())
    wrong["log"][-1]["action"] ^= 1
    file.write_text(json.dumps(wrong))
    assert cli.main(["verify", str(file)]) == 1


def test_play_now_against_bots_begins_at_once(house):
    async def evening():
        async with Client(house.url, "Ada") as ada:
            code = await ada.lay("mausen", ["me", "bot:cat", "bot:elephant"])
            async with ada.play(code) as seat:
                await play_on(seat, random.Random(1))
                return seat.view

    assert asyncio.run(evening()).over


def test_bots_alone_play_for_those_who_watch(house):
    async def evening():
        async with Client(house.url, "Ada") as ada:
            code = await ada.lay("maus", ["bot:mouse", "bot:mouse"])
            async with ada.play(code) as seat:
                await until(seat, lambda: seat.view and seat.now.over)
                return seat

    assert asyncio.run(evening()).you == -1


# --- laying a table -------------------------------------------------------------------------------------------------


def test_a_code_can_be_said_and_leads_to_the_table(house):
    async def evening():
        async with Client(house.url, "Ada") as ada:
            laid = await ada.ask("POST", "/api/tables", {"game": "geier", "seats": ["me", "open"], "public": True})
            code = laid["table"]
            assert len(code) == 5
            assert set(code) <= set(LETTERS)
            assert not set("il1o0") & set(LETTERS)
            assert laid["url"] == f"/t/{code}"
            assert laid["seats"] == [0]
            listed = await ada.ask("GET", "/api/tables")
            assert code in [table["table"] for table in listed]
            info = await ada.ask("GET", f"/api/tables/{code}")
            assert [seat["kind"] for seat in info["seats"]] == ["person", "open"]
            assert info["seats"][0]["name"] == "Ada"
            hidden = await ada.lay("geier", ["me", "open"])
            assert hidden not in [table["table"] for table in await ada.ask("GET", "/api/tables")]

    asyncio.run(evening())


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"game": "chess", "seats": ["me", "open"]}, "no-game"),
        ({"game": "geier", "seats": ["me"]}, "bad-request"),
        ({"game": "geier", "seats": ["me", "you"]}, "bad-seat"),
        ({"game": "geier", "seats": ["me", "bot:shark"]}, "bad-seat"),
        ({"game": "geier", "seats": ["me", "open"], "options": {"cards": 99}}, "bad-request"),
        ({"game": "geier", "seats": ["me", "open"], "options": {"colour": "red"}}, "bad-request"),
        ({"game": "geier", "seats": ["me", "open"], "nonsense": 1}, "bad-request"),
        ({"game": "geier", "seats": ["me", "open"], "name": "a\u202eb"}, "name-character"),
        ({"game": "geier"}, "bad-request"),
        ([], "bad-request"),
    ],
)
def test_a_table_that_cannot_be_is_refused_and_makes_nobody_a_guest(house, wish, code):
    answer = httpx.post(f"{house.url}/api/tables", json=wish)
    assert answer.status_code == 400
    assert answer.json()["code"] == code
    assert answer.json()["text"]
    assert "set-cookie" not in answer.headers


def test_a_plain_browser_needs_nothing_but_its_cookie(house):
    """DESIGN's calls word for word: no sign-up, no token in the page, no part in the deal."""

    async def evening():
        async with httpx.AsyncClient(base_url=house.url) as ada, httpx.AsyncClient(base_url=house.url) as bo:
            wish = {"game": "geier", "seats": ["me", "open", "bot:cat"], "options": {"ranking": "rulebook"}}
            laid = await ada.post("/api/tables", json=wish)
            assert laid.status_code == 201
            code = laid.json()["table"]
            seated = await bo.post(f"/api/tables/{code}/sit", json={"name": "Guest 3"})
            assert (seated.status_code, seated.json()) == (200, {"seat": 1})
            frames = []
            address = f"ws{house.url.removeprefix('http')}/api/tables/{code}/play"

            def told(client):
                cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
                return {"Cookie": cookie, "Origin": house.url}

            async with (
                connect(address, additional_headers=told(ada)) as one,
                connect(address, additional_headers=told(bo)) as two,
            ):
                for socket, you in ((one, 0), (two, 1)):
                    while True:
                        frame = await asyncio.wait_for(socket.recv(), 60)
                        frames.append(frame)
                        message = json.loads(frame)
                        if message["t"] == "view":
                            break
                    assert message["you"] == you
                    assert message["legal"] == list(range(15))
                await one.send(json.dumps({"t": "play", "id": "first", "action": 7}))
                while (message := json.loads(await asyncio.wait_for(one.recv(), 60)))["t"] != "done":
                    pass
                assert message["id"] == "first"
                await one.send(json.dumps({"t": "play", "id": "second", "action": 99}))
                while (message := json.loads(await asyncio.wait_for(one.recv(), 60)))["t"] != "refused":
                    pass
                assert (message["id"], message["code"]) == ("second", "bad-message")

    asyncio.run(evening())


# --- sitting, standing, leading -------------------------------------------------------------------------------------


def test_sitting_standing_swapping_and_who_may(house):
    async def evening():
        async with AsyncExitStack() as stack:
            ada, bo, cy = await company(stack, house.url, "Ada", "Bo", "Cy")
            code = await ada.lay("geier", ["me", "open", "open", "open"], start="host")
            path = f"/api/tables/{code}"
            assert await bo.sit(code, 2) == 2
            assert await bo.sit(code) == 2  # again: the same seat
            await refused("seated", bo.sit(code, 3))
            await refused("taken", cy.sit(code, 2))
            assert await cy.sit(code) == 1
            await refused("not-host", cy.ask("POST", f"{path}/swap", {"seat": 1, "other": 2}))
            await cy.ask("POST", f"{path}/swap", {"seat": 1, "other": 3})
            await ada.ask("POST", f"{path}/swap", {"seat": 3, "other": 2})
            info = await ada.ask("GET", path)
            assert [seat["name"] for seat in info["seats"]] == ["Ada", "", "Cy", "Bo"]
            await refused("not-host", bo.ask("POST", f"{path}/start"))
            await cy.ask("POST", f"{path}/stand", {})
            await refused("not-seated", cy.ask("POST", f"{path}/stand", {}))
            info = await ada.ask("GET", path)
            assert [seat["kind"] for seat in info["seats"]] == ["person", "open", "open", "person"]
            await refused("not-host", bo.ask("POST", f"{path}/kick", {"seat": 0}))
            await refused("own-seat", ada.ask("POST", f"{path}/kick", {"seat": 0}))
            async with bo.play(code) as gone:
                await ada.ask("POST", f"{path}/kick", {"seat": 3})
                await until(gone, lambda: gone.trouble)
                assert str(gone.trouble).startswith("kicked: ")
            await refused("kicked", bo.sit(code))
            async with ada.play(code) as seat:
                await ada.ask("POST", f"{path}/start")
                await playing(seat)
                assert [place.kind for place in seat.table.seats] == ["person", "bot", "bot", "bot"]
                await refused("wrong-phase", ada.ask("POST", f"{path}/start"))
                await refused("wrong-phase", cy.sit(code))
            await refused("not-host", cy.ask("POST", f"{path}/close"))
            await refused("not-over", ada.replay(code))
            await ada.ask("POST", f"{path}/close")
            bundle = await ada.replay(code)
            assert bundle.closed
            assert verify.check(bundle).verdict == "ok"

    asyncio.run(evening())


def test_names_at_a_table_are_told_apart(house):
    async def evening():
        async with AsyncExitStack() as stack:
            clients = await company(stack, house.url, "Ada", "ADA", "Аda")  # the last one with a Cyrillic letter
            code = await table_for(clients, "geier", ("open",))
            info = await clients[0].ask("GET", f"/api/tables/{code}")
            assert [seat["name"] for seat in info["seats"]] == ["Ada", "ADA 2", "Аda 3", ""]

    asyncio.run(evening())


def test_two_people_share_one_device(house):
    async def evening():
        async with Client(house.url, "Ada") as ada:
            code = await ada.lay("geier", ["me", "open", "bot:mouse"])
            assert await ada.sit(code, 1, also=True) == 1
            async with ada.play(code) as seat:
                view = await playing(seat)
                assert (seat.seats, view.you) == ([0, 1], 0)
                n = view.n
                await seat.act(3)
                await seat.look(1)
                await until(seat, lambda: seat.now.you == 1)
                assert seat.now.view["bid"][0] == core.HIDDEN
                await seat.act(4)
                await until(seat, lambda: seat.now.n >= n + 2)
                await refused("wrong-seat", seat.act(5, seat=2))
                await until(seat, lambda: 0 in seat.now.waiting)
                await seat.act(7, seat=0)
                bundle = seat.deal
                assert [place for place, _ in bundle.commits] == [0, 1]  # both take part in the deal

    asyncio.run(evening())


# --- moves ----------------------------------------------------------------------------------------------------------


def test_a_sealed_choice_can_be_changed_until_all_are_ready(house):
    async def evening():
        async with two_at_a_table(house) as (_, _, _, one, two):
            first = one.now
            assert await one.act(3) == first.n + 1
            assert await one.act(5) == first.n + 2
            await until(two, lambda: two.n == first.n + 2)
            assert two.now.view["bid"][0] == core.HIDDEN
            assert await two.act(9) == first.n + 3
            await until(one, lambda: one.n == first.n + 3)
            assert one.now.view["last"][:2] == [5, 9]
            await refused("illegal", one.act(5))

    asyncio.run(evening())


def test_a_retry_is_answered_with_the_first_result(house):
    async def evening():
        async with two_at_a_table(house) as (_, _, _, one, two):
            view = one.now
            assert await one.act(3, id="once") == view.n + 1
            assert await one.act(3, id="once") == view.n + 1
            await refused("id-used", one.act(4, id="once"))
            await refused("id-used", two.act(3, id="once"))
            assert (one.n, two.n) == (view.n + 1, view.n + 1)

    asyncio.run(evening())


def test_who_comes_back_is_told_what_was_missed_in_one_view(house):
    async def evening():
        async with two_at_a_table(house) as (_, bo, code, one, two):
            start = one.now.n
            for action in (2, 4, 6):
                await one.act(action)
            await two.act(8)
            address = f"ws{house.url.removeprefix('http')}/api/tables/{code}/play"
            headers = {"authorization": f"Bearer {bo.token}"}

            async def first_view(query):
                async with connect(address + query, additional_headers=headers) as socket:
                    while not isinstance(message := decode(await socket.recv()), messages.View):
                        pass
                    return message

            missed = await first_view(f"?since={start}")
            assert (missed.since, missed.n) == (start, start + 4)
            assert [event.kind for event in missed.events].count("laid") == 4
            again = await first_view(f"?since={start + 4}")
            assert (again.since, again.n, again.events) == (start + 4, start + 4, [])
            new = await first_view("")
            assert (new.since, new.n, new.events) == (start + 4, start + 4, [])
            assert missed.view == again.view == new.view
            unknown = await first_view("?since=99999")
            assert (unknown.since, unknown.events) == (start + 4, [])

    asyncio.run(evening())


def test_a_spectator_sees_what_lies_open_and_can_do_nothing(house):
    async def evening():
        async with AsyncExitStack() as stack:
            ada, bo, cy = await company(stack, house.url, "Ada", "Bo", "Cy")
            code = await table_for([ada, bo], "geier")
            one = await stack.enter_async_context(ada.play(code))
            await stack.enter_async_context(bo.play(code))
            watcher = await stack.enter_async_context(cy.play(code))
            nobody = await stack.enter_async_context(Client(house.url, token="unknown").play(code))
            n = await one.act(3) if await playing(one) else 0
            for seat in (watcher, nobody):
                await until(seat, partial(told_of, seat, n))
                assert (seat.you, seat.now.legal, seat.now.view["bid"][0]) == (-1, [], core.HIDDEN)
                await refused("not-seated", seat.act(3))
            assert one.table.watching == 2

    asyncio.run(evening())


# --- pauses, time, leavers ------------------------------------------------------------------------------------------


def test_a_paused_table_rests(house):
    async def evening():
        async with AsyncExitStack() as stack:
            ada, bo = await company(stack, house.url, "Ada", "Bo")
            code = await table_for([ada, bo], "geier", ("bot:mouse",))
            seats = [await stack.enter_async_context(client.play(code)) for client in (ada, bo)]
            for seat in seats:
                await playing(seat)
            await bo.ask("POST", f"/api/tables/{code}/pause", {"paused": True})
            await until(seats[0], lambda: seats[0].table.paused)
            await refused("paused", seats[0].act(3))
            await ada.ask("POST", f"/api/tables/{code}/pause", {"paused": False})
            await seats[0].act(3)

    asyncio.run(evening())


def test_when_time_runs_out_a_bot_makes_this_one_move(house):
    async def evening():
        async with Client(house.url, "Ada") as ada:
            code = await ada.lay("geier", ["me", "bot:mouse"], move_s=1)
            async with ada.play(code) as seat:
                view = await playing(seat)
                cards = view.view["hand"][0].bit_count()
                await until(seat, lambda: seat.now.view["hand"][0].bit_count() == cards - 1)  # nobody asked us
                await until(seat, lambda: 0 in seat.now.waiting)
                await seat.act(seat.now.legal[0])  # and the next move is ours again
                assert not seat.table.seats[0].away

    asyncio.run(evening())


def test_a_leaver_is_stood_in_for_and_takes_the_seat_back(house):
    async def evening():
        async with AsyncExitStack() as stack:
            ada, bo = await company(stack, house.url, "Ada", "Bo")
            code = await table_for([ada, bo], "geier", grace_s=0)
            one = await stack.enter_async_context(ada.play(code))
            async with bo.play(code) as two:
                await playing(two)
            await until(one, lambda: one.table.seats[1].away)
            n = (await playing(one)).n
            await one.act(one.now.legal[0])
            await until(one, lambda: one.n >= n + 2)  # the stand-in has played too
            async with bo.play(code) as two:
                await until(one, lambda: not one.table.seats[1].away)
                await until(two, lambda: two.view and two.you == 1)
                await bo.ask("POST", f"/api/tables/{code}/stand", {})
                await until(one, lambda: one.table.seats[1].away)
                assert await bo.sit(code) == 1
                await until(one, lambda: not one.table.seats[1].away)

    asyncio.run(evening())


def test_one_person_on_several_devices(house):
    async def evening():
        async with AsyncExitStack() as stack:
            ada, bo = await company(stack, house.url, "Ada", "Bo")
            code = await table_for([ada, bo], "geier")
            laptop = await stack.enter_async_context(ada.play(code))
            word = (await ada.ask("POST", "/api/me/code"))["code"]
            (other,) = await company(stack, house.url, "Not yet Ada")
            joined = await other.ask("POST", "/api/me/device", {"code": word})
            await refused("no-code", other.ask("POST", "/api/me/device", {"code": word}))  # good once
            phone = await stack.enter_async_context(Client(house.url, token=joined["token"]).play(code))
            await stack.enter_async_context(bo.play(code))
            await playing(laptop)
            n = await phone.act(3) if await playing(phone) else 0
            await until(laptop, lambda: laptop.n == n)
            assert laptop.now.view == phone.now.view
            assert laptop.you == phone.you == 0

    asyncio.run(evening())


def test_a_screen_for_everybody_shows_no_hand(house):
    """`?seat=-1`: whoever opens the table on a television sees it as a spectator, even with a seat of their own."""

    async def evening():
        async with AsyncExitStack() as stack:
            ada, bo = await company(stack, house.url, "Ada", "Bo")
            code = await table_for([ada, bo], "geier")
            for guest in (ada, bo):
                await stack.enter_async_context(guest.play(code))
            television = await stack.enter_async_context(ada.play(code, seat=-1))
            view = await playing(television)
            assert (view.you, view.legal, television.seats) == (-1, [], [])

    asyncio.run(evening())


def test_a_device_that_comes_back_still_takes_part_in_the_deal(house):
    """Its first line is dead but not yet noticed: it is no other device, and its seed must not be forgotten."""

    async def evening():
        async with AsyncExitStack() as stack:
            ada, bo = await company(stack, house.url, "Ada", "Bo")
            code = await table_for([ada, bo], "geier", start="host")
            laptop, back, phone = (Noted(who, [], house.url, ada.token, code) for who in ("laptop", "back", "phone"))
            back.seeds = laptop.seeds
            for device in (laptop, back, phone, bo.play(code)):
                await stack.enter_async_context(device)
            await ada.ask("POST", f"/api/tables/{code}/start")
            for device in (laptop, back, phone):
                await playing(device)
            assert laptop.seeded == back.seeded != phone.seeded
            for device in (laptop, back, phone):
                refusals = {what.code for what in device.noted if isinstance(what, promises.Refused)}
                assert refusals == (set() if device.seeded else {"deal-taken"})

    asyncio.run(evening())


# --- again, and talking ---------------------------------------------------------------------------------------------


def test_a_rematch_keeps_the_company_and_counts_the_series(house):
    async def evening():
        async with AsyncExitStack() as stack:
            ada, bo = await company(stack, house.url, "Ada", "Bo")
            code = await table_for([ada, bo], "geier", options={"cards": 2})
            await refused("wrong-phase", ada.rematch(code))
            played = 0
            for _ in range(2):
                async with ada.play(code) as one, bo.play(code) as two:
                    await asyncio.gather(*(play_on(seat, random.Random(played)) for seat in (one, two)))
                    await until(one, partial(in_phase, one, "over"))
                    played += 1
                    assert one.table.played == played
                    result = one.now.result
                    assert result is not None
                    wins = [place == 1 for place in result.places]
                    assert sum(one.table.series) >= sum(wins)
                    again = await ada.rematch(code)
                    assert again == await bo.rematch(code)
                    await until(two, partial(moved_to, two, again))
                    assert (await ada.ask("GET", f"/api/tables/{code}"))["next"] == again
                info = await ada.ask("GET", f"/api/tables/{again}")
                assert [seat["name"] for seat in info["seats"]] == ["Ada", "Bo"]
                assert (info["before"], info["played"]) == (code, played)
                code = again

    asyncio.run(evening())


def test_talk_is_by_phrases_unless_the_host_allows_more(house):
    async def evening():
        async with AsyncExitStack() as stack:
            ada, bo = await company(stack, house.url, "Ada", "Bo")
            for free in (False, True):
                code = await table_for([ada, bo], "geier", free_text=free)
                one = await stack.enter_async_context(ada.play(code))
                two = await stack.enter_async_context(bo.play(code))
                known = await ada.ask("GET", "/api/phrases")
                phrase, emote = next(iter(known["phrases"])), next(iter(known["emotes"]))
                await two.say(phrase)
                await two.say(emote)
                await until(one, partial(heard, one, 2))
                assert [(said.seat, said.name, said.phrase) for said in one.said] == [
                    (1, "Bo", phrase),
                    (1, "Bo", emote),
                ]
                await two.say("no-such-phrase")
                await two.say(text="Käse <b>für</b> alle!")
                await two.say(phrase)
                await until(one, partial(heard, one, 3 + free))
                if free:
                    assert one.said[2].text == "Käse <b>für</b> alle!"
                await ada.ask("POST", f"/api/tables/{code}/mute", {"seat": 1, "muted": True})
                await two.say(phrase)
                await one.say(phrase)
                await until(one, partial(heard, one, 4 + free))
                assert one.said[-1].seat == 0

    asyncio.run(evening())


def test_head_starts_are_agreed_openly_before_the_game_and_stay_for_the_rematch(house):
    async def evening():
        async with AsyncExitStack() as stack, asyncio.timeout(PATIENCE_S):
            ada, bo = await company(stack, house.url, "Ada", "Bo")
            code = await ada.lay("flippt", ["me", "open"], start="host")
            await bo.sit(code)
            path = f"/api/tables/{code}"
            await refused("not-host", bo.ask("POST", f"{path}/handicap", {"seat": 1, "ms": 300}))
            await refused("no-seat", ada.ask("POST", f"{path}/handicap", {"seat": 2, "ms": 300}))
            await refused("bad-request", ada.ask("POST", f"{path}/handicap", {"seat": 1, "ms": -5}))
            await ada.ask("POST", f"{path}/handicap", {"seat": 1, "ms": 300})
            assert await bo.ask("GET", f"{path}/handicaps") == {"proposals": []}
            proposed: list[dict[str, int]] = []
            while len(proposed) < 2:  # luck decides how many mice a game has: some evenings take a rematch
                one, two = [await stack.enter_async_context(client.play(code)) for client in (ada, bo)]
                assert [seat.handicap for seat in two.table.seats] == [0, 300]
                await ada.ask("POST", f"/api/tables/{code}/start")
                await playing(one)
                await refused("wrong-phase", ada.ask("POST", f"/api/tables/{code}/handicap", {"seat": 1, "ms": 0}))
                games = [play_on(seat, random.Random(n), nap_s=0.02) for n, seat in enumerate((one, two))]
                await asyncio.gather(*games)
                proposed = (await bo.ask("GET", f"/api/tables/{code}/handicaps"))["proposals"]
                code = await ada.rematch(code)
            assert [each["seat"] for each in proposed] == [0, 1]
            assert min(each["handicap"] for each in proposed) == 0
            seats = (await ada.ask("GET", f"/api/tables/{code}"))["seats"]
            assert [seat["handicap"] for seat in seats] == [0, 300]

    asyncio.run(evening())


def test_the_lobby_hears_of_public_tables(house):
    async def evening():
        async with Client(house.url, "Ada") as ada, connect(f"ws{house.url.removeprefix('http')}/api/lobby") as lobby:

            async def shown():
                message = decode(await asyncio.wait_for(lobby.recv(), 60))
                return [table.table for table in message.tables]

            await shown()
            code = await ada.lay("geier", ["me", "open"], public=True)
            while code not in await shown():
                pass
            await ada.ask("POST", f"/api/tables/{code}/close")
            while code in await shown():
                pass

    asyncio.run(evening())


def test_who_wants_to_be_forgotten_is_and_the_replay_stays_valid(house):
    async def evening():
        async with AsyncExitStack() as stack:
            ada, bo = await company(stack, house.url, "Ada", "Bo")
            code = await table_for([ada, bo], "geier", options={"cards": 2})
            async with ada.play(code) as one, bo.play(code) as two:
                await asyncio.gather(*(play_on(seat, random.Random(2)) for seat in (one, two)))
            kept = await ada.ask("GET", "/api/me/export")
            assert kept["name"] == "Ada"
            assert {"table": code, "seat": 0, "name": "Ada"} in kept["tables"]
            before = await bo.replay(code)
            await ada.ask("DELETE", "/api/me")
            await refused("no-guest", ada.ask("GET", "/api/me"))
            info = await bo.ask("GET", f"/api/tables/{code}")
            assert [seat["name"] for seat in info["seats"]] == ["", "Bo"]
            after = await bo.replay(code)
            assert after == before
            assert verify.check(after).verdict == "ok"

    asyncio.run(evening())


def test_the_example_bot_sits_down_and_plays(house):
    """A program of under 30 lines at a real table, as docs/protocol.md shows it."""
    example = Path(__file__).parents[2] / "examples" / "bot.py"
    assert len(example.read_text("utf-8").splitlines()) < 30

    async def evening():
        async with Client(house.url, "Ada") as ada:
            code = await ada.lay("geier", ["me", "open"])
            bot = await asyncio.create_subprocess_exec(
                sys.executable, example, house.url, code, stdout=asyncio.subprocess.PIPE
            )
            async with ada.play(code) as seat:
                await play_on(seat, random.Random(5))
            told, _ = await asyncio.wait_for(bot.communicate(), 60)
            assert bot.returncode == 0
            assert b"Result(" in told

    asyncio.run(evening())
