"""A finished game told again in the browser: by slider, by keys, by itself, with everybody's eyes."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from cheeseboard.client import Client
from cheeseboard.games import GAMES, core
from tests.web.browsing import LAPTOP, PHONE, SHORT
from tests.web.test_looks import CUT, SMALL, TARGET_PX, accessible

ALL = sorted(GAMES)


async def played(url: str, game: str) -> str:
    """A table whose game is over; two bots and one who does anything."""
    rng = Random(game)
    async with Client(url, "Robo") as robo:
        seats = ["me", *["bot:mouse"] * max(1, core.about(GAMES[game])["players"][0] - 1)]
        table = await robo.lay(game, seats, options=SHORT.get(game, {}))
        async with robo.play(table) as seat:
            async for view in seat:
                if view.legal:
                    await seat.act(rng.choice(view.legal))
    return table


@pytest.mark.parametrize("game", ALL)
def test_a_game_is_told_again(regular, house, game):
    with ThreadPoolExecutor(1) as aside:  # this thread's event loop is Playwright's
        table = aside.submit(asyncio.run, played(house.url, game)).result()
    phone = ALL.index(game) % 2
    lena = regular(
        language="en", viewport=PHONE if phone else LAPTOP, touch=bool(phone), theme="dark" if phone else "light"
    )
    lena.page.goto(f"/t/{table}/replay")
    lena.page.wait_for_selector("[data-game]")
    story = lena.page.evaluate(f"fetch('/api/tables/{table}/story').then(it => it.json())")
    acts = len(story["views"])

    def at(n: int) -> None:
        lena.page.wait_for_selector(f'[data-game][data-n="{n}"]')

    at(1)
    lena.page.keyboard.press("End")
    at(acts)
    assert lena.now()["over"]
    lena.page.get_by_role("button", name="One move back").click()
    at(acts - 1)
    lena.page.get_by_role("slider").fill(str(acts // 2))
    at(acts // 2)
    lena.page.keyboard.press("ArrowRight")
    at(acts // 2 + 1)
    for eyes in range(len(story["table"]["seats"])):
        lena.page.goto(f"/t/{table}/replay?seat={eyes}&n={acts // 2}")
        at(acts // 2)
        accessible(lena, f"{game} with the eyes of {eyes}")
        assert lena.page.evaluate(CUT) == []
        assert lena.page.evaluate(SMALL, TARGET_PX) == []
    lena.page.keyboard.press("Home")  # a scoring in the middle takes its time
    at(1)
    lena.page.get_by_role("button", name="Speed: 1 times").click()
    lena.page.get_by_role("button", name="Play", exact=True).click()
    lena.page.wait_for_function("n => Number(document.querySelector('[data-game]').dataset.n) > n", arg=2)
    lena.page.get_by_role("button", name="Pause").click()


def test_whoever_asks_too_early_is_told_so(guest):
    lena = guest(language="en")
    table = lena.lay("geier")
    lena.page.goto(f"/t/{table}/replay")
    lena.page.get_by_role("heading", name="This game is still on").wait_for()
