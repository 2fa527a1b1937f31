"""Every game to its end through the screen: by keyboard, by touch on a phone, by two browsers, in spite of trouble."""

from random import Random

import pytest

from cheeseboard.games import GAMES, core
from tests.web.browsing import PHONE, play_on, until_over

ALL = sorted(GAMES)


@pytest.mark.parametrize("game", ALL)
def test_by_keyboard_only(regular, game):
    lena = regular(language="en")
    lena.go(lena.lay(game))
    focus_lost = "() => document.activeElement === document.body || document.activeElement === null"
    rng, acts = Random(game), 0
    for _ in until_over(lena):
        if lena.act(rng, "keys"):
            acts += 1
            if acts % 5 == 0 and lena.now()["actions"]:
                assert not lena.page.evaluate(focus_lost), f"after {acts} acts nothing has the focus"
    assert acts > 0


@pytest.mark.parametrize("game", ALL)
def test_by_touch_on_a_phone(regular, game):
    lena = regular(viewport=PHONE, touch=True)
    lena.go(lena.lay(game))
    assert play_on([lena], Random(game), "tap") > 0
    lena.page.get_by_role("heading", level=2).first.wait_for()


@pytest.mark.parametrize("game", ALL)
def test_two_browsers_against_each_other_and_a_bot(regular, game):
    lena, ole = regular("Lena"), regular("Ole", language="en", viewport=PHONE, touch=True, theme="dark")
    table = lena.lay(game, ["me", "open", *["bot:cat"] * max(1, core.about(GAMES[game])["players"][0] - 2)])
    lena.page.goto(f"/t/{table}")
    ole.sit(table)
    for each in (lena, ole):
        each.page.wait_for_selector("[data-game]")
    assert play_on([lena, ole], Random(game)) > 0
    places = [
        each.page.evaluate(f"fetch('/api/tables/{table}/replay').then(it => it.json()).then(it => it.result.places)")
        for each in (lena, ole)
    ]
    assert places[0] == places[1]


@pytest.mark.parametrize("game", ALL)
def test_in_spite_of_a_reload_a_lost_line_and_a_restart(guest, own_house, game):
    lena = guest(at=own_house)
    lena.go(lena.lay(game))
    rng = Random(game)
    play_on([lena], rng, acts=2)
    before = lena.now()["n"]
    lena.page.reload()
    lena.page.wait_for_selector("[data-game]")
    assert lena.now()["n"] >= before
    play_on([lena], rng, acts=1)
    lena.offline = True
    lena.context.set_offline(offline=True)
    lena.page.wait_for_timeout(200)
    lena.context.set_offline(offline=False)
    play_on([lena], rng, acts=1)
    own_house.stop()
    own_house.start()
    play_on([lena], rng)
    assert lena.now()["over"]
