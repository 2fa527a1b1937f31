"""Pictures of every place and of every moment of every game, for people to look at: `make shots`, then open shots/.

One folder for each size; the name of a file says the rest. With arguments: only games and places named so."""

import argparse
import tempfile
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser

from cheeseboard.games import GAMES
from tests.server.running import Running
from tests.web.browsing import Guest, browser
from tests.web.conftest import MANY
from tests.web.test_looks import PLACES, moments

SIZES = ((360, 740), (768, 1024), (1440, 900), (1920, 1080))


def shots(there: Browser, url: str, into: Path, only: list[str], sizes: list[int]) -> int:
    count = 0
    for place in (place for place in PLACES if wanted(place, only)):
        guest = Guest(there, url, touch=True)
        guest.page.goto(place)
        guest.page.wait_for_selector("h1")
        guest.page.wait_for_timeout(400)
        count += pictures(guest, into, place.strip("/").replace("/", "-") or "lobby", sizes, full_page=True)
        guest.close()
    for game in (game for game in GAMES if wanted(game, only)):
        guest = Guest(there, url, touch=True, speed="step")
        guest.go(guest.lay(game, ["me", *["bot:mouse"] * 3]))
        for n, beat in enumerate(moments(guest, game)):
            guest.page.wait_for_timeout(1500 if beat == "result" else 0)  # until all of it stands there
            count += pictures(guest, into, f"{game}-{n:02}-{beat}", sizes, full_page=False)
        guest.close()
    return count


def pictures(guest: Guest, into: Path, name: str, sizes: list[int], *, full_page: bool) -> int:
    """The same moment in every language, theme and size."""
    page, count = guest.page, 0
    for language, theme, (width, height) in product(("en", "de"), ("dark", "light"), SIZES):
        if sizes and width not in sizes:
            continue
        folder = into / f"{width}x{height}"
        folder.mkdir(parents=True, exist_ok=True)
        page.evaluate("language => document.querySelector(`.lang [lang=${language}]`).click()", language)
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        page.set_viewport_size({"width": width, "height": height})
        page.screenshot(path=folder / f"{name}-{theme}-{language}.png", full_page=full_page)
        count += 1
    return count


def wanted(name: str, only: list[str]) -> bool:
    return not only or any(each in (name.strip("/") or "lobby") for each in only)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", help="games or places")
    parser.add_argument("--into", type=Path, default=Path("shots"))
    parser.add_argument("--width", type=int, action="append", default=[], help="only these sizes")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Running(Path(folder) / "data", env=MANY) as house, browser() as there:
        count = shots(there, house.url, asked.into, asked.only, asked.width)
    print(f"{count} pictures in {asked.into}/")


if __name__ == "__main__":
    main()
