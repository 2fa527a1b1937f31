"""Every place, every phase: accessible, nothing cut or too small for a finger, in all themes and with longer words."""

import re
from collections.abc import Iterator
from random import Random

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults

from cheeseboard.games import GAMES, core
from tests.web.browsing import LAPTOP, PHONE, Guest, until_over

ALL = sorted(GAMES)
PLACES = ["/", *(f"/{place}/{game}" for game in ALL for place in ("new", "rules", "learn"))]
TARGET_PX = 44
WIDTHS = (320, 360, 768, 1440, 1920)
# What may be smaller than a finger: links inside a sentence (WCAG 2.5.8 excepts them too); of a box with a label the
# label counts. Fifteen cards side by side leave 39 px on the smallest phones.
SMALL = """least => [...document.querySelectorAll('button, a[href], input, select, [role=switch]')].filter(each => {
  const box = (each.closest('label') ?? each).getBoundingClientRect();
  if (!box.width || each.closest('.vh') || each.closest('p, li:not([data-seat])') && each.matches('a')) return false;
  const hit = getComputedStyle(each, '::before');
  const reach = hit.position === 'absolute' && hit.content !== 'none' ? Math.max(0, -parseFloat(hit.top) || 0) * 2 : 0;
  return box.height + reach < least - 0.5 || box.width < (innerWidth < 360 ? 39 : least) - 0.5;
}).map(each => `${each.outerHTML.slice(0, 120)} ${JSON.stringify(each.getBoundingClientRect())}`)"""
# Text that does not fit where it stands, and a page that is wider than the screen.
CUT = """() => {
  const found = [];
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth + 1) found.push(`the page is ${wide} px wide`);
  for (const each of document.querySelectorAll('p, span, b, h1, h2, h3, button, a, li, dt, dd, label')) {
    const style = getComputedStyle(each);
    if (each.closest('.vh, svg, [aria-hidden=true]') || style.clipPath !== 'none') continue; // not for eyes
    if (each.children.length || !each.textContent.trim()) continue;
    const clipped = each.scrollWidth > each.clientWidth + 1 && style.overflowX !== 'visible' && each.clientWidth > 0;
    if (clipped && style.textOverflow !== 'ellipsis') found.push(`cut: ${each.outerHTML.slice(0, 120)}`);
  }
  return found;
}"""

PASS = "[...document.querySelectorAll('[data-step]')].find(each => each.checkVisibility())?.click()"


def accessible(lena: Guest, where: str) -> None:
    """By all rules of axe. Each page learns them once, and only what is wrong is carried over to us."""
    if not lena.page.evaluate("'axe' in window"):
        lena.page.evaluate(AXE_SCRIPT)
    wrong = lena.page.evaluate("axe.run({resultTypes: ['violations']}).then(found => found.violations)")
    assert not wrong, f"{where}: {AxeResults({'violations': wrong}).generate_report()}"


def moments(lena: Guest, game: str) -> Iterator[str]:
    """One whole game, moment by moment: each beat waits for a tap. Of numbered ones the first.

    The tap is a finger's whenever there is something new; what was seen before is only passed through."""
    rng = Random(game)
    seen: set[tuple[str, bool]] = set()
    for (now,) in until_over(lena):
        beat = re.sub(r"\W*\d+", "", now["beat"])
        new = (beat, bool(now["actions"])) not in seen
        if new:
            seen.add((beat, bool(now["actions"])))
            yield beat
        if now["step"] and new:
            lena.pressed(lena.page.locator("[data-step]:visible").first)
        elif now["step"]:
            lena.page.evaluate(PASS)
        else:
            lena.act(rng, "click")
    lena.page.get_by_role("heading", level=2).first.wait_for()
    yield "result"


@pytest.mark.parametrize("place", PLACES)
def test_places_are_accessible(regular, place):
    lena = regular()
    lena.page.goto(place)
    lena.page.wait_for_selector("h1")
    for theme in ("light", "dark", "contrast"):
        lena.page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        lena.page.wait_for_timeout(100)
        accessible(lena, f"{place} {theme}")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game", ALL)
def test_every_moment_of_a_game_is_accessible_and_fits(regular, game, theme):
    lena = regular(
        theme=theme,
        speed="step",
        viewport=PHONE if theme == "light" else LAPTOP,
        language="de" if theme == "light" else "en",
    )
    lena.go(lena.lay(game))
    for beat in moments(lena, game):
        where = f"{game}, {beat}, {theme}"
        accessible(lena, where)
        assert lena.page.evaluate(CUT) == [], where
        assert lena.page.evaluate(SMALL, TARGET_PX) == [], where


@pytest.mark.parametrize("place", PLACES)
def test_nothing_is_cut_even_when_words_are_longer(regular, place):
    lena = regular(pseudo=True)
    lena.page.goto(place)
    lena.page.wait_for_selector("h1")
    for width in WIDTHS:
        lena.page.set_viewport_size({"width": width, "height": 800})
        lena.page.wait_for_timeout(100)
        assert lena.page.evaluate(CUT) == [], width
        assert lena.page.evaluate(SMALL, TARGET_PX) == [], width


@pytest.mark.parametrize("seats", [2, 6])
@pytest.mark.parametrize("game", ALL)
def test_full_and_small_tables_fit_on_small_phones(regular, game, seats):
    least, most = core.about(GAMES[game])["players"]
    lena = regular(viewport={"width": 320, "height": 640}, pseudo=True)
    lena.go(lena.lay(game, ["me", *["bot:mouse"] * (min(max(seats, least), most) - 1)]))
    lena.page.wait_for_timeout(500)
    assert lena.page.evaluate(CUT) == []


def test_the_screen_speaks_to_those_who_hear_it_once(guest):
    """Each act is announced once, in the polite region; the turn in the assertive one."""
    lena = guest(language="en")
    lena.go(lena.lay("geier"))
    lena.page.wait_for_selector("[data-action]")
    lena.page.evaluate(
        """() => {
          window.heard = [];
          const region = document.querySelector('main > p[role=status]');
          const listen = new MutationObserver(() => window.heard.push(region.textContent));
          listen.observe(region, {childList: true, characterData: true, subtree: true});
        }"""
    )
    lena.act(Random(1), "click")
    lena.page.wait_for_function("() => window.heard.length > 0")
    heard = lena.page.evaluate("window.heard")
    assert len(heard) == len(set(heard))
    assert all(heard)
