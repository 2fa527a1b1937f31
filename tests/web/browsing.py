"""Guests who play through the screen in a real browser, with nothing but what a person has: eyes, a finger, keys."""

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Locator, Page, TimeoutError, sync_playwright  # noqa: A004

from cheeseboard.games import GAMES, core
from tests.web.chromium import FLAGS, chromium

PHONE = {"width": 360, "height": 740}
LAPTOP = {"width": 1440, "height": 900}
PATIENCE_MS = 30_000  # until a test gives up; nothing here depends on how quick the machine is
SIT = re.compile("^(Hinsetzen|Sit down)$")
GAME_S = 240.0  # by then a whole game must be over
# Short games, but whole ones.
SHORT: dict[str, dict[str, Any]] = {"geier": {"cards": 4}, "flippt": {"seconds": 5}}
Way = Literal["click", "tap", "keys"]


@contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as play:
        it = play.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        try:
            yield it
        finally:
            it.close()


def device(browser: Browser, url: str, language: str, *, touch: bool) -> BrowserContext:
    """A browser that was never used: it keeps cookies, pages and what the screen stores."""
    locale = {"de": "de-DE", "en": "en-GB"}[language]
    context = browser.new_context(base_url=url, has_touch=touch, locale=locale)
    context.set_default_timeout(PATIENCE_MS)
    return context


class Guest:
    """One person at one device, a new one or `on` one that has the screen already, but nothing of who had it before.

    What the page complains about fails the test at the end."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        name: str = "Lena",
        *,
        language: str = "de",
        theme: str = "light",
        speed: str = "off",
        viewport: dict[str, int] | None = None,
        touch: bool = False,
        pseudo: bool = False,
        on: BrowserContext | None = None,
    ) -> None:
        self.name, self.url = name, url
        self.troubles: list[str] = []
        self.foreign: list[str] = []
        self.borrowed = on is not None
        assert not (on and on.pages), "expected a device that nobody else has in hand"
        self.context = on or device(browser, url, language, touch=touch)
        self.page: Page = self.context.new_page()
        self.page.set_viewport_size(viewport or LAPTOP)  # type: ignore[arg-type]
        kept = {"language": language, "theme": theme, "speed": speed, "name": name, "picture": "fox"}
        kept["pseudo"] = "on" if pseudo else "off"
        forget = (
            "if (!sessionStorage.mine) localStorage.clear(); sessionStorage.mine = 'yes'; "  # a new tab: a new person
        )
        self.page.add_init_script(
            (forget if self.borrowed else "") + f"for (const [key, value] of Object.entries({json.dumps(kept)}))"
            "  if (localStorage.getItem('cheeseboard.' + key) === null)"
            "    localStorage.setItem('cheeseboard.' + key, value)"
        )
        self.offline = False
        self.page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        self.page.on("console", lambda said: self._heard(said.type, said.text))
        self.page.on("request", lambda request: self._asked(request.url))

    def _asked(self, address: str) -> None:
        if not address.startswith((self.url, f"ws{self.url[4:]}", "data:", "blob:")):
            self.foreign.append(address)

    def _heard(self, kind: str, text: str) -> None:
        away = ("net::ERR", "when fetching the script")
        expected = (self.offline and any(each in text for each in away)) or "WebSocket" in text
        expected |= "Failed to load resource" in text
        if kind in {"error", "warning"} and not expected:
            self.troubles.append(f"{kind}: {text}")

    def close(self) -> None:
        if self.borrowed:
            self.page.close()
            self.context.clear_cookies()
        else:
            self.context.close()
        assert not self.troubles, f"{self.name}'s page complains: {self.troubles}"
        assert not self.foreign, f"{self.name}'s page asks elsewhere: {self.foreign}"

    # --- tables -----------------------------------------------------------------------------------------------------

    def lay(self, game: str, seats: list[str] | None = None, **wishes: Any) -> str:
        """A table, laid as the screen does it; by default against bots."""
        least = core.about(GAMES[game])["players"][0]
        wish = {
            "game": game,
            "seats": seats or ["me", *["bot:mouse"] * (max(least, 2) - 1)],
            "options": SHORT.get(game, {}),
            "name": self.name,
            "picture": "fox",
            **wishes,
        }
        self.page.goto("/")
        answer = self.page.evaluate(
            "async wish => (await fetch('/api/tables', {method: 'POST', headers: {'content-type': 'application/json'},"
            " body: JSON.stringify(wish)})).json()",
            wish,
        )
        assert "table" in answer, answer
        return str(answer["table"])

    def sit(self, table: str) -> None:
        """By the link, as somebody who got it in a message."""
        self.page.goto(f"/t/{table}")
        self.page.get_by_role("button", name=SIT, exact=True).last.click()

    def go(self, table: str) -> None:
        self.page.goto(f"/t/{table}")
        self.page.wait_for_selector("[data-game]")

    # --- playing ----------------------------------------------------------------------------------------------------

    def now(self) -> dict[str, Any]:
        """What a program sees of the table: see DESIGN's contract for the screen."""
        seen: dict[str, Any] = self.page.evaluate(
            """() => {
              const table = document.querySelector('[data-game]');
              const actions = [...document.querySelectorAll('button[data-action]:not(:disabled)')];
              const step = [...document.querySelectorAll('[data-step]')].some(each => each.checkVisibility());
              return { n: table ? Number(table.dataset.n ?? -1) : -1, step,
                       beat: table?.dataset.beat ?? '', over: table?.dataset.over === 'true' && !step,
                       actions: actions.map(each => Number(each.dataset.action)) };
            }"""
        )
        return seen

    def act(self, rng: Random, way: Way) -> bool:
        """One of the moves the screen offers, if there is one."""
        actions = self.now()["actions"]
        if not actions:
            self.page.wait_for_timeout(20)
            return False
        if way == "keys":
            return self.press(rng)
        return self.pressed(self.page.locator(f'button[data-action="{rng.choice(actions)}"]').first, way)

    def pressed(self, button: Locator, way: Way = "click") -> bool:
        """False if it was gone before the finger came: somebody else was quicker."""
        try:
            button.tap(timeout=2000) if way == "tap" else button.click(timeout=2000)
        except TimeoutError:
            return False
        return True

    def press(self, rng: Random) -> bool:
        """Tab to the moves, arrows to one of them, Enter. False if they were gone before: Enter is for moves only."""
        on_a_move = "document.activeElement?.hasAttribute('data-action') ?? false"
        for _ in range(40):
            if self.page.evaluate(on_a_move):
                break
            self.page.keyboard.press("Tab")
        for _ in range(rng.randrange(4)):
            self.page.keyboard.press(rng.choice(["ArrowRight", "ArrowLeft", "ArrowDown"]))
        if not self.page.evaluate(on_a_move):
            return False
        self.page.keyboard.press("Enter")
        return True


def until_over(*guests: Guest) -> Iterator[list[dict[str, Any]]]:
    """What they see, again and again, until the game is over for all of them. It has to come to its end."""
    until = time.monotonic() + GAME_S
    states = [guest.now() for guest in guests]
    while not all(state["over"] for state in states):
        assert time.monotonic() < until, f"expected the game to end within {GAME_S} s, it stands at {states}"
        yield states
        states = [guest.now() for guest in guests]


def play_on(guests: list[Guest], rng: Random, way: Way = "click", acts: int | None = None) -> int:
    """All of them in turn, until the game is over or so many acts were done; returns how many."""
    done = 0
    for _ in until_over(*guests):
        if acts is not None and done >= acts:
            break
        for guest in guests:
            done += guest.act(rng, way)
    return done
