"""After the game, with the coach: what was luck, what cost something, and how it would be mixed."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import msgspec

from cheeseboard.server.messages import Belief, Mark, Moment, Pace, PaceKind, SeatInfo, Weighing
from tests.web.browsing import PHONE, Guest
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


def looks_well(lena: Guest, what: str) -> None:
    """By light and in the dark, for all eyes and fingers."""
    for theme in ("light", "dark"):
        lena.page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        accessible(lena, f"{what} {theme}")
    assert lena.page.evaluate(CUT) == []
    assert lena.page.evaluate(SMALL, TARGET_PX) == []


def talk_of_memento() -> dict[str, Any]:
    """As the house would send it: two rounds of two turns, and what was remembered."""
    people = [SeatInfo("person", "Ida", "fox", here=True), SeatInfo("bot", level="cat")]
    moments = []
    for n in range(4):
        worth = [0.55, 0.55, 0.4, 0.38, 0.51 - n / 50]
        passed = Weighing(0, 4, 0.04 + n / 50, [0, 1, 2, 3, 4], [5, 0, 15, 16, 17], [0.5, 0.5, 0, 0, 0], worth, 0.012)
        shares = [0.5 - n / 10, 0.5 + n / 10], [-0.06, 0.1], [-0.04, 0.0], [0.0, 0.0], [0.4 - n / 10, 0.6 + n / 10]
        moments.append(Moment(n + 2, n // 2 + 1, 0, *shares, [passed]))
    held, known = [3, 2, 0, 1, 2, 2], {"mouse": [1] * 6, "cat": [3, 1, 0, 1, 2, 1], "dog": [3, 2, 0, 1, 2, 2]}
    beliefs = [
        Belief(lap, seat, [0, 1, 2, 4, 5, 7], held, [3, 0, -5, 0, 0, 10], known) for lap in (1, 2) for seat in (0, 1)
    ]
    table = {"table": "zzzzz", "game": "memento", "options": {}, "seats": people, "phase": "over"}
    told = {"table": table, "moments": moments, "beliefs": beliefs, "paces": []}
    return cast(dict[str, Any], msgspec.to_builtins(told))


def test_what_was_believed_stands_beside_what_was_held(guest):
    lena = guest(language="en", viewport=PHONE, touch=True)
    lena.page.route("**/api/tables/zzzzz/coach", lambda route: route.fulfill(json=talk_of_memento()))
    lena.page.goto("/")
    lena.page.evaluate("localStorage.setItem('cheeseboard.memento.guess.zzzzz.0.0', '[3, 1]')")
    lena.page.goto("/t/zzzzz/coach")
    lena.page.get_by_role("heading", name="What you believed and what you had").wait_for()
    assert lena.page.get_by_role("heading", name="Round 2, turn 2").is_visible()  # the worst comes first
    assert "Passing cost you 10 % of the game." in lena.page.locator(".regret").inner_text()
    assert "Give or take 1 %." in lena.page.locator(".turning").inner_text()
    first, second = lena.page.locator(".believed section").all()
    assert "A cat would still have known 4 of your 5 cards. Your guess: 1 of 2 right." in first.inner_text()
    assert first.get_by_role("row", name="Yellow").inner_text().split() == ["Yellow", "3", "3", "3", "+3"]
    assert first.get_by_role("row", name="Green").inner_text().split() == ["Green", "–", "0", "0", "−5"]
    assert second.get_by_role("row", name="Yellow").inner_text().split() == ["Yellow", "3", "3", "+3"]
    looks_well(lena, "coach of memento")
    lena.page.get_by_role("group", name="Whose game?").get_by_role("button").nth(1).click()
    assert lena.page.get_by_role("heading", name="None of your cards").is_visible()


def talk_of_paws() -> dict[str, Any]:
    """As the house would send it: of two seats, one of them with a wrong paw and a late one."""
    people = [SeatInfo("person", "Ida", "fox", here=True), SeatInfo("bot", level="cat")]
    marks = [Mark(5, 0, 640.0, "right", 0.0), Mark(9, 0, 810.0, "late", 130.0), Mark(14, 1, 420.0, "wrong", 0.0)]
    fits = PaceKind(0, 2, 680.0, 720.0, 770.0, 4, 1, 0, 1, 1, 1, 130.0)
    none = PaceKind(1, 1, 420.0, 420.0, 420.0, 1, 0, 1, 0, 0, 0, None)
    levels = {"mouse": 2200.0, "cat": 1100.0, "dog": 750.0, "elephant": 560.0}
    ida = Pace(0, 6, 2, 1, 130.0, 2, 1, 1, [fits, none], "dog", levels, marks)
    bot = Pace(1, 6, 0, 0, None, 0, 0, 0, [], "", {}, [])
    table = {"table": "zzzzz", "game": "flippt", "options": {}, "seats": people, "phase": "over"}
    told = {"table": table, "moments": [], "beliefs": [], "paces": [ida, bot]}
    return cast(dict[str, Any], msgspec.to_builtins(told))


def test_paws_lie_on_an_axis_of_time(guest):
    lena = guest(language="en", viewport=PHONE, touch=True)
    told = talk_of_paws()
    lena.page.route("**/api/tables/zzzzz/coach", lambda route: route.fulfill(json=told))
    lena.page.goto("/t/zzzzz/coach")
    lena.page.get_by_role("heading", name="Paws like our dog.").wait_for()
    said = lena.page.locator("main").inner_text()
    for words in (
        "First: 2 times. Late: once. Late was, in the middle, 0.13 s after the first. 2 false starts.",
        "1 paw was wrong, and quicker than you usually are: haste.",
        "1 of 4 caught",
    ):
        assert words in said
    row = lena.page.locator(".paws tbody").first
    assert row.inner_text().split() == ["Ida", "2", "1", "1", "2", "0.72", "s", "0.42", "s"]
    spots = [lena.page.locator(f".paws .room {sign}").bounding_box() for sign in (".cross", ".right", ".late")]
    assert [spot["x"] for spot in spots] == sorted(spot["x"] for spot in spots)  # 420, 640 and 810 ms
    looks_well(lena, "paws")
    lena.page.get_by_role("group", name="Whose game?").get_by_role("button").nth(1).click()
    assert lena.page.get_by_role("heading", name="No paw came down here.").is_visible()
    ida = told["paces"][0]
    ida["wrong"], ida["marks"][0]["how"], ida["marks"][1]["ms"] = 2, "wrong", 0.0  # and so quick only a program can be
    lena.page.reload()
    lena.page.get_by_role("heading", name="Quick, but mostly wrong.").wait_for()
    room, late = (lena.page.locator(f".paws {part}").first.bounding_box() for part in (".room", ".room .late"))
    assert room["x"] <= late["x"] <= lena.page.locator(".paws .room .cross").first.bounding_box()["x"]
    told["paces"] = []
    lena.page.reload()
    lena.page.get_by_role("heading", name="There is nothing here that the coach could measure.").wait_for()


def test_the_coach_says_so_when_it_does_not_know_a_game(guest, house):
    with ThreadPoolExecutor(1) as aside:
        table = aside.submit(asyncio.run, played(house.url, "maus")).result()
    lena = guest(language="en")
    lena.page.goto(f"/t/{table}/coach")
    lena.page.get_by_role("heading", name="The coach does not know this game yet.").wait_for()
    lena.page.goto(f"/t/{table}")
    lena.page.wait_for_selector("text=Watch again")
    assert not lena.page.get_by_role("link", name="Ask the coach").is_visible()
