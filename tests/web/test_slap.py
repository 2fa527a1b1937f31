"""A paw in a race: what the screen says of it is true, and where it cannot know it says nothing."""

import json
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import CDPSession, WebSocket

from cheeseboard.referee import PRESETS, Paw, judge
from tests.node import NODE
from tests.web.browsing import PHONE, Guest

HERE = Path(__file__).parent
FRAME_MS = 16.7
PAWS = 4  # that are compared, of each kind
TRIES = 24  # a machine that is busy leaves frames out, and then nothing is claimed
EARLIEST_MS = 250  # after paint: a sooner one may be no paw at all
SHOUT, HOLD_MS, PLACES = 26, 150, 7

# What the page itself saw, by other means than the screen's: when the mouse came into the document, the two frames
# after it, and when an input came down, heard before anybody else.
WATCH = """(() => {
  window.truth = { painted: [], downs: [] };
  let there = false;
  const look = () => {
    const now = !!document.querySelector('.ring .mouse');
    if (now && !there)
      requestAnimationFrame(() => requestAnimationFrame(at => window.truth.painted.push(at)));
    there = now;
  };
  look();
  new MutationObserver(look).observe(document, { subtree: true, childList: true });
  for (const kind of ['pointerdown', 'keydown'])
    window.addEventListener(kind, event => window.truth.downs.push(event.timeStamp), { capture: true });
})()"""


def asked(**what: list[dict[str, Any]]) -> dict[str, list[Any]]:
    call = [str(NODE), "--no-warnings", str(HERE / "stamps.mjs")]
    given = json.dumps({"sights": [], "clocks": [], "verdicts": [], **what})
    answer = subprocess.run(call, input=given, capture_output=True, text=True, check=True).stdout
    return dict(json.loads(answer))


@pytest.mark.parametrize(
    ("what", "claim"),
    [
        ({}, 300.4),
        ({"hidden": True}, None),
        ({"hides": True}, None),
        ({"step": 2.0}, 300.4),
        ({"step": 16.7}, None),  # a timer that is coarse on purpose
        ({"frames": [100.0]}, None),  # not painted yet
        ({"at": 116.0}, None),  # before it was painted
        ({"frames": [100.0, 116.7, 216.8, 416.0]}, None),  # frames were left out
        ({"frames": [100.0, 116.7, 316.0]}, None),
        ({"at": 520.0}, None),  # nothing was drawn since
    ],
)
def test_a_time_is_claimed_only_where_the_device_can_know_it(what, claim):
    frames = [100.0, 116.7, *(116.7 + i * 50 for i in range(1, 7))]
    sight = {"e": 7, "hidden": False, "hides": False, "frames": frames, "at": 417.12, "step": 0.1, **what}
    (seen,) = asked(sights=[sight])["seen"]
    assert seen["slap"] == {"e": 7, "ms": claim, "input": "touch", "step": sight["step"]}
    assert seen["painted"] == sight["frames"][1:2]


@pytest.mark.parametrize(
    ("tick", "cost", "step"), [(0.1, 0.00005, 0.1), (1.0, 0.0001, 1.0), (0.005, 0.02, 0.02), (100.0, 0.0001, 100)]
)
def test_the_step_of_the_timer_is_measured(tick, cost, step):
    assert asked(clocks=[{"tick": tick, "cost": cost}])["steps"] == [pytest.approx(step, abs=0.006)]


def test_a_verdict_is_told_with_its_doubt():
    paws = [
        Paw(seat=0, elapsed=440.0, claim=412.0, trip=20.0, kernel=19.0),
        Paw(seat=3, elapsed=418.0, bot=True),
        Paw(seat=1, elapsed=470.0, claim=425.0, trip=30.0, kernel=28.0),
        Paw(seat=2, elapsed=900.0, claim=890.0, trip=5.0, kernel=4.0),
    ]
    verdict = judge(7, "friends", 8.0, paws, lambda n: n - 1)
    assert verdict.first == (3, 0)
    given = [{"verdict": msgspec.to_builtins(verdict), "seat": seat} for seat in (1, 5, 3)]
    told = asked(verdicts=given)["told"]
    places = told[0]["places"]
    assert [place["seat"] for place in places] == [0, 3, 1, 2]
    assert [place["after"] for place in places] == pytest.approx([0, 6, 13, 478], abs=0.05)
    assert [place["first"] for place in places] == [True, True, False, False]
    assert [place["unsure"] for place in places] == [False, False, True, False]
    assert all(place["x"] - place["wide"] / 2 >= 0 and place["x"] + place["wide"] / 2 <= 100 for place in places)
    assert [each["behind"] for each in told] == [{"first": 3, "ms": pytest.approx(7)}, {"first": 3, "ms": None}, None]
    assert verdict.preset in PRESETS


class Line:
    """What a page says on its socket."""

    def __init__(self, guest: Guest) -> None:
        self.said: list[dict[str, Any]] = []
        guest.page.on("websocket", self._open)

    def _open(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: self.said.append(json.loads(frame)))

    def slaps(self) -> list[dict[str, Any]]:
        return [each for each in self.said if each["t"] == "play" and each.get("slap")]


def finger(cdp: CDPSession, guest: Guest, place: int) -> None:
    box = guest.page.locator(f'[data-place="{place}"]').bounding_box()
    assert box is not None
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    cdp.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    guest.page.wait_for_timeout(HOLD_MS + 100 if place > PLACES else 30)
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def mouse(cdp: CDPSession, guest: Guest, place: int) -> None:
    guest.page.locator(f'[data-place="{place}"]').hover(force=True)
    guest.page.mouse.down()
    guest.page.mouse.up()


def key(cdp: CDPSession, guest: Guest, place: int) -> None:
    text = " " if place > PLACES else str(place + 1)
    name = {"key": text, "text": text, "code": "Space" if place > PLACES else f"Digit{text}"}
    cdp.send("Input.dispatchKeyEvent", {"type": "keyDown", **name})
    cdp.send("Input.dispatchKeyEvent", {"type": "keyUp", **name})


def sits(guest: Any, **how: Any) -> tuple[Guest, Line]:
    """Lena at a table with Ole, who only looks on: nobody is quicker than she is."""
    lena, ole = guest(viewport=PHONE, **how), guest("Ole")
    line = Line(lena)
    table = lena.lay("flippt", ["me", "open"])
    lena.page.add_init_script(WATCH)
    ole.sit(table)
    lena.go(table)
    return lena, line


@pytest.mark.parametrize(("way", "kind"), [(finger, "touch"), (key, "key"), (mouse, "mouse")])
def test_the_claim_is_true_within_a_frame(guest, way, kind):
    """Real input at some time after the paint; what is claimed is compared with what the page saw by other means."""
    lena, line = sits(guest, touch=kind == "touch")
    cdp = lena.context.new_cdp_session(lena.page)
    errors: list[float] = []
    for turn in range(TRIES):
        if len(errors) >= PAWS:
            break
        lena.page.wait_for_function("() => window.truth.painted.length > (window.truth.used ?? 0)")
        lena.page.evaluate("() => { window.truth.used = window.truth.painted.length; }")
        lena.page.wait_for_timeout(EARLIEST_MS + 53 * (turn % 5))
        before = len(line.slaps())
        may = lena.page.locator(f'[data-place="{PLACES + 1}"][data-action]').count() > 0
        way(cdp, lena, PLACES + 1 if turn % 3 == 1 and may else 0)
        lena.page.wait_for_timeout(HOLD_MS + 150)
        if len(line.slaps()) == before:
            continue
        truth, play = lena.page.evaluate("() => window.truth"), line.slaps()[-1]
        slap = play["slap"]
        assert (slap["input"], slap["step"] <= 2) == (kind, True)
        assert any(each["t"] == "seen" and each["e"] == slap["e"] for each in line.said)
        if slap["ms"] is not None:
            held = HOLD_MS if play["action"] == SHOUT else 0
            painted = truth["painted"][truth["used"] - 1]
            errors.append(slap["ms"] - (truth["downs"][-1] + held - painted))
    assert len(errors) >= PAWS, f"expected {PAWS} claims in {TRIES} mice, got {line.slaps()}"
    assert max(map(abs, errors)) <= FRAME_MS, errors


def test_a_hidden_tab_claims_nothing(guest):
    lena, line = sits(guest)
    for _ in range(TRIES):
        lena.page.wait_for_selector('[data-place="0"][data-action]')
        lena.page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
        lena.page.keyboard.press("1")
        lena.page.wait_for_timeout(200)
        if line.slaps():  # whoever comes in the middle of a race does not even know which one it is
            break
    assert line.slaps()[0]["slap"]["ms"] is None
