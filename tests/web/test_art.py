"""Every drawing that must be told apart can be, without its colours: in grey and for the three common deficiencies."""

import io
import re
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser, Page

ART = Path(__file__).parent.parent.parent / "web" / "src" / "art"
TOKENS = ART.parent / "tokens.css"
SIZE = (75, 105)  # about that of a card on a phone
ROW = 8  # so many hang side by side
EYES = ("achromatopsia", "deuteranopia", "protanopia", "tritanopia")
CLEAR = 24  # of 255: a difference that is seen
APART = 0.02  # the share of the picture in which two drawings must clearly differ


def drawings(group: str) -> dict[str, str]:
    """By name, the inside of an <svg>. Each is one of several between which a player must choose."""
    sprites = {path.parent.name: path.read_text("utf-8") for path in ART.glob("*/sprite.svg")}
    if group == "designs":
        colours = re.findall(r'id="mem-ground-(\w+)"', sprites["memento"])
        shapes = re.findall(r'id="mem-figure-(\w+)"', sprites["memento"])
        both = '<use href="#mem-ground-{}"/><use href="#mem-figure-{}"/>'
        return {f"{colour} {shape}": both.format(colour, shape) for colour in colours for shape in shapes}
    folder, pattern = {
        "garments": ("flippt", r"fl-item-[\w-]+"),
        "cheeses": ("flippt", r"fl-cheese-\w+"),
        "cards of the hunt": ("maus", r"maus-card-\d"),
    }[group]
    names = re.findall(rf'<symbol id="({pattern})"', sprites[folder])
    return {name: f'<use href="#{name}"/>' for name in names}


@pytest.fixture(scope="module")
def page(browser: Browser):
    sprites = "".join(path.read_text("utf-8") for path in sorted(ART.rglob("*.svg")))
    page = browser.new_page(viewport={"width": SIZE[0] * ROW, "height": SIZE[1] * 8})
    wall = (
        f"body {{ margin: 0; background: #fffaf0 }} main {{ display: grid; grid: auto / repeat({ROW}, {SIZE[0]}px) }}"
    )
    page.set_content(f"<style>{TOKENS.read_text('utf-8')} {wall}</style>{sprites}<main></main>")
    yield page
    page.close()


def seen(page: Page, drawings: Iterable[str], eyes: str) -> list[Image.Image]:
    """What these eyes see of each. They hang side by side, so that one look is enough."""
    width, height = SIZE
    page.evaluate(
        "([all, width, height]) => document.querySelector('main').innerHTML = all.map(inside =>"
        " `<svg width='${width}' height='${height}' viewBox='0 0 250 350'>${inside}</svg>`).join('')",
        [list(drawings), width, height],
    )
    told = page.context.new_cdp_session(page)
    told.send("Emulation.setEmulatedVisionDeficiency", {"type": eyes})
    wall = Image.open(io.BytesIO(page.locator("main").screenshot())).convert("RGB")
    told.detach()
    corners = [(x, y) for y in range(0, wall.height, height) for x in range(0, wall.width, width)]
    return [wall.crop((x, y, x + width, y + height)) for x, y in corners]


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("group", ["designs", "garments", "cheeses", "cards of the hunt"])
def test_drawings_differ_for_all_eyes(page, group, eyes):
    hung = drawings(group)
    pictures = dict(zip(hung, seen(page, hung.values(), eyes), strict=False))  # the last row may have gaps
    assert pictures.keys() == hung.keys()
    assert len(pictures) > 4
    for (name, one), (other, two) in combinations(pictures.items(), 2):
        difference = ImageChops.difference(one, two).convert("L")
        clear = sum(difference.histogram()[CLEAR:]) / (SIZE[0] * SIZE[1])
        assert clear > APART, f"{name} and {other} look alike for {eyes}: {clear:.1%} differ"


def test_the_measure_can_fail(page):
    """The same drawing twice, and two colours of the same lightness, are not told apart by it."""
    plain = "<rect width='250' height='350' fill='{}'/>"
    one, two = seen(page, (plain.format(colour) for colour in ("#c04040", "#3d7c3d")), "achromatopsia")[:2]
    clear = sum(ImageChops.difference(one, two).convert("L").histogram()[CLEAR:])
    assert clear == 0
