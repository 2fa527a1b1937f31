"""Pictures of every place and of every moment of every game, for people to look at: `make shots`, then open shots/.

One folder for each size; the name of a file says the rest. With arguments: only games and places named so."""

import argparse
import tempfile
from functools import partial
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
    for (width, height), theme, language in product(SIZES, ("light", "dark"), ("de", "en")):
        if sizes and width not in sizes:
            continue
        folder = into / f"{width}x{height}"
        folder.mkdir(parents=True, exist_ok=True)

        size = {"width": width, "height": height}
        come = partial(Guest, there, url, language=language, theme=theme, viewport=size, touch=width < 900)

        for place in PLACES:
            if not wanted(place, only):
                continue
            guest = come()
            guest.page.goto(place)
            guest.page.wait_for_selector("h1")
            guest.page.wait_for_timeout(400)
            name = place.strip("/").replace("/", "-") or "lobby"
            guest.page.screenshot(path=folder / f"{name}-{theme}-{language}.png", full_page=True)
            guest.close()
            count += 1
        for game in filter(lambda game: wanted(game, only), GAMES):
            guest = come(speed="step")
            guest.go(guest.lay(game, ["me", *["bot:mouse"] * 3]))
            for n, beat in enumerate(moments(guest, game)):
                guest.page.wait_for_timeout(1500 if beat == "result" else 0)  # until all of it stands there
                guest.page.screenshot(path=folder / f"{game}-{n:02}-{beat}-{theme}-{language}.png")
                count += 1
            guest.close()
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
