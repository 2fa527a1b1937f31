"""Every drawing that must be told apart can be, without its colours: in grey and for the three common deficiencies."""

import io
import re
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser, Page

ART = Path(__file__).parent.parent.parent / "web" / "src" / "art"
TOKENS = ART.parent / "tokens.css"
SIZE = (75, 105)  # about that of a card on a phone
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
    page = browser.new_page(viewport={"width": 200, "height": 200})
    page.set_content(
        f"<style>{TOKENS.read_text('utf-8')} body {{ margin: 0; background: #fffaf0 }}</style>{sprites}<main></main>"
    )
    yield page
    page.close()


def seen(page: Page, drawing: str, eyes: str) -> Image.Image:
    width, height = SIZE
    page.evaluate(
        "([inside, width, height]) => document.querySelector('main').innerHTML ="
        " `<svg width='${width}' height='${height}' viewBox='0 0 250 350'>${inside}</svg>`",
        [drawing, width, height],
    )
    page.context.new_cdp_session(page).send("Emulation.setEmulatedVisionDeficiency", {"type": eyes})
    shot = page.locator("main svg").screenshot()
    return Image.open(io.BytesIO(shot)).convert("RGB")


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("group", ["designs", "garments", "cheeses", "cards of the hunt"])
def test_drawings_differ_for_all_eyes(page, group, eyes):
    pictures = {name: seen(page, drawing, eyes) for name, drawing in drawings(group).items()}
    assert len(pictures) > 4
    for (name, one), (other, two) in combinations(pictures.items(), 2):
        difference = ImageChops.difference(one, two).convert("L")
        clear = sum(difference.histogram()[CLEAR:]) / (SIZE[0] * SIZE[1])
        assert clear > APART, f"{name} and {other} look alike for {eyes}: {clear:.1%} differ"


def test_the_measure_can_fail(page):
    """The same drawing twice, and two colours of the same lightness, are not told apart by it."""
    plain = "<rect width='250' height='350' fill='{}'/>"
    one, two = (seen(page, plain.format(colour), "achromatopsia") for colour in ("#c04040", "#3d7c3d"))
    clear = sum(ImageChops.difference(one, two).convert("L").histogram()[CLEAR:])
    assert clear == 0
