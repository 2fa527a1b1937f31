"""After the game, with the coach: what was luck, what cost something, and how it would be mixed."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from tests.web.browsing import PHONE
from tests.web.test_looks import CUT, SMALL, TARGET_PX, accessible
from tests.web.test_replay import played


def test_a_game_is_talked_over(guest, house):
    with ThreadPoolExecutor(1) as aside:  # this thread's event loop is Playwright's
        table = aside.submit(asyncio.run, played(house.url, "geier")).result()
    lena = guest(language="en", viewport=PHONE, touch=True)
    lena.page.goto(f"/t/{table}/coach")
    lena.page.wait_for_selector(".curve", timeout=120_000)  # the first one waits for the compiler
    talk = lena.page.evaluate(f"fetch('/api/tables/{table}/coach').then(it => it.json())")
    assert len(talk["moments"]) == 4
    people = lena.page.get_by_role("group", name="Whose game?").get_by_role("button")
    assert people.count() == len(talk["table"]["seats"])
    for seat in range(people.count()):
        people.nth(seat).click()
        moments = talk["moments"]
        told = lena.page.get_by_role("img", name="in points of a hundred").get_attribute("aria-label")
        for part, words in (("deal", "The deal"), ("draw", "the others"), ("skill", "your cards")):
            share = round(100 * sum(moment[part][seat] for moment in moments))
            assert f"{words} {'+' if share > 0 else ''}{share}".replace("-", "−") in told
        costs = [choice["cost"] for moment in moments for choice in moment["choices"] if choice["seat"] == seat]
        assert lena.page.get_by_role("heading", name="The best mix").count() == (max(costs) >= 0.005)
        if max(costs) >= 0.005:
            assert f"cost you {round(100 * max(costs))} %" in lena.page.locator(".regret").inner_text()
        for theme in ("light", "dark"):
            lena.page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
            accessible(lena, f"coach of {seat} {theme}")
        assert lena.page.evaluate(CUT) == []
        assert lena.page.evaluate(SMALL, TARGET_PX) == []
    lena.page.goto(f"/t/{table}")
    lena.page.get_by_role("link", name="Ask the coach").click()
    lena.page.wait_for_selector(".curve")


def test_the_coach_says_so_when_it_does_not_know_a_game(guest, house):
    with ThreadPoolExecutor(1) as aside:
        table = aside.submit(asyncio.run, played(house.url, "maus")).result()
    lena = guest(language="en")
    lena.page.goto(f"/t/{table}/coach")
    lena.page.get_by_role("heading", name="The coach does not know this game yet.").wait_for()
    lena.page.goto(f"/t/{table}")
    lena.page.wait_for_selector("text=Watch again")
    assert not lena.page.get_by_role("link", name="Ask the coach").is_visible()
