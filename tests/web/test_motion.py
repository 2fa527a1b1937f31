"""What moves and what must not: nothing jumps during play, a tap is answered before the house answers."""

from random import Random

import pytest

from cheeseboard.games import GAMES
from tests.web.browsing import PHONE, play_on

SHIFT = 0.02  # of the page's layout, over a whole game
WATCH = """() => {
  window.shifts = [];
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput)
      window.shifts.push([entry.value, entry.sources.map(each => each.node?.outerHTML?.slice(0, 100) ?? '')]);
  }).observe({ type: 'layout-shift', buffered: false });
}"""


@pytest.mark.parametrize("game", sorted(GAMES))
def test_nothing_jumps_during_play(guest, game):
    lena = guest(viewport=PHONE, touch=True)
    # at races one bot: two hardly ever dream at the same time, and might be done with all mice before Lena has looked
    lena.go(lena.lay(game, ["me", *["bot:mouse"] * (1 if game == "flippt" else 2)]))
    lena.page.wait_for_selector("[data-action]")
    lena.page.wait_for_timeout(500)
    lena.page.evaluate(WATCH)
    play_on([lena], Random(game), "tap", acts=8)
    shifts = lena.page.evaluate("() => window.shifts")
    assert sum(value for value, _ in shifts) <= SHIFT, shifts


@pytest.mark.parametrize("game", sorted(set(GAMES) - {"flippt"}))
def test_a_tap_is_answered_before_the_house_is(guest, game):
    """Two frames after the tap the table looks different, although the house has not heard of it yet."""
    lena = guest(speed="normal")
    lena.go(lena.lay(game, start="auto"))
    lena.page.wait_for_selector("[data-action]")
    lena.page.wait_for_timeout(800)
    lena.offline = True
    changed = lena.page.evaluate(
        """async () => {
          WebSocket.prototype.send = () => undefined;
          const table = document.querySelector('[data-game]');
          const seen = () => table.innerHTML;
          const before = seen();
          document.querySelector('button[data-action]').click();
          const frame = () => new Promise(requestAnimationFrame);
          await frame(); await frame();
          return seen() !== before;
        }"""
    )
    assert changed


def test_all_bids_turn_in_the_same_frame(guest):
    """Arrival order is information: nobody's card may be seen before another's."""
    lena = guest(speed="normal")
    lena.go(lena.lay("geier", ["me", "bot:mouse", "bot:mouse", "bot:mouse"]))
    lena.page.wait_for_selector("[data-action]")
    lena.page.evaluate(
        """() => {
          window.beats = [];
          const table = document.querySelector('[data-game]');
          const look = () => { const beat = table.dataset.beat; if (window.beats.at(-1)?.[0] !== beat)
            window.beats.push([beat, table.innerText]); requestAnimationFrame(look); };
          look();
        }"""
    )
    lena.page.locator("button[data-action]").first.click()
    lena.page.wait_for_function("() => window.beats.some(([beat]) => beat === 'reveal')")
    names = [beat for beat, _ in lena.page.evaluate("() => window.beats")]
    assert names.index("hush") < names.index("reveal")
