"""How smoothly the tables move: frames of each game while its moments are shown at normal pace. `make frames`.

A busy machine drops frames that a phone would not; so this is for people to read, not a test."""

import tempfile
from pathlib import Path
from random import Random
from statistics import quantiles

from cheeseboard.games import GAMES
from tests.server.running import Running
from tests.web.browsing import PHONE, Guest, browser, play_on
from tests.web.conftest import MANY

ACTS = 10
WATCH = """() => {
  window.frames = [];
  let last = 0;
  const look = now => { if (last) window.frames.push(now - last); last = now; requestAnimationFrame(look); };
  requestAnimationFrame(look);
}"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Running(Path(folder) / "data", env=MANY) as house, browser() as there:
        for game in GAMES:
            lena = Guest(there, house.url, speed="normal", viewport=PHONE, touch=True)
            lena.go(lena.lay(game, ["me", "bot:mouse", "bot:mouse"]))
            lena.page.wait_for_selector("[data-action]")
            lena.page.evaluate(WATCH)
            play_on([lena], Random(game), "tap", acts=ACTS)
            frames = lena.page.evaluate("window.frames")
            lena.close()
            smooth = sum(ms < 17.5 for ms in frames) / len(frames)
            p95 = quantiles(frames, n=20)[-1]
            rate = 1000 * len(frames) / sum(frames)
            print(f"{game:8} {rate:4.1f} frames/s, {smooth:.1%} in time, p95 {p95:.1f} ms, of {len(frames)}")


if __name__ == "__main__":
    main()
