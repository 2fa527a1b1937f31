"""What the screen asks of the device: to stay awake, to buzz, to share, to sound, and to keep the newest version.

The device's own functions are listened to, not replaced by our wishes: each call is noted as the page makes it."""

from random import Random
from typing import Any

from tests.web.browsing import PHONE, Guest, play_on

LISTEN = """
window.noted = [];
const note = (on, name, answer) => Object.defineProperty(on, name, { configurable: true, value: (...said) => {
  window.noted.push([name, ...said.map(each => JSON.parse(JSON.stringify(each ?? null)))]);
  return answer();
} });
note(Navigator.prototype, 'vibrate', () => true);
note(Navigator.prototype, 'share', () => Promise.resolve());
if (navigator.wakeLock) note(WakeLock.prototype, 'request', () => Promise.resolve({ release: () => {
  window.noted.push(['release']);
  return Promise.resolve();
} }));
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...said) { window.noted.push(['sound']); return start.apply(this, said); };
"""
HIDDEN = "hidden => Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => hidden })"


def noted(lena: Guest, name: str) -> list[list[Any]]:
    return [each for each in lena.page.evaluate("window.noted") if each[0] == name]


def test_the_screen_stays_on_during_a_game_and_no_longer(guest):
    lena = guest(language="en", viewport=PHONE, touch=True)
    lena.context.add_init_script(LISTEN)
    lena.go(lena.lay("geier"))
    lena.page.wait_for_function("() => window.noted.some(each => each[0] === 'request')")
    assert noted(lena, "request")[0] == ["request", "screen"]
    assert noted(lena, "release") == []
    play_on([lena], Random(1), "tap")
    lena.page.wait_for_function("() => window.noted.some(each => each[0] === 'release')")


def test_whoever_looked_away_is_called(guest):
    lena, ole = guest(language="en", viewport=PHONE, touch=True), guest("Ole")
    lena.context.add_init_script(LISTEN)
    table = lena.lay("geier", ["me", "open"])
    lena.page.goto(f"/t/{table}")
    ole.sit(table)
    ole.page.wait_for_selector("[data-game]")
    lena.page.wait_for_function("() => document.title.includes('Your turn')")
    play_on([lena], Random(1), "tap", acts=1)
    lena.page.wait_for_function("() => !document.title.includes('Your turn')")
    assert noted(lena, "vibrate") == []
    lena.page.evaluate(HIDDEN, "hidden")
    play_on([ole], Random(2), acts=1)
    lena.page.wait_for_function("() => window.noted.some(each => each[0] === 'vibrate')")
    assert "Your turn" in lena.page.title()


def test_the_device_shares_in_its_own_way(guest):
    lena = guest(language="en", viewport=PHONE, touch=True)
    lena.context.add_init_script(LISTEN)
    table = lena.lay("geier")
    lena.go(table)
    play_on([lena], Random(3), "tap")
    lena.page.get_by_role("button", name="Share").click()
    (shared,) = noted(lena, "share")
    assert f"/t/{table}/replay" in shared[1]["url"]
    assert "Hol's der Geier" in shared[1]["text"]


def test_cards_are_heard_unless_it_is_quiet(guest):
    for sound in ("on", "off"):
        lena = guest(language="en")
        lena.context.add_init_script(LISTEN + f"localStorage.setItem('cheeseboard.sound', '{sound}');")
        lena.go(lena.lay("geier"))
        play_on([lena], Random(4))
        assert bool(noted(lena, "sound")) == (sound == "on")
