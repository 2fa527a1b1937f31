"""The page itself: light, alone, installable, and there without a network."""

import gzip
import json
import re
from pathlib import Path

import httpx

from cheeseboard.server.pages import PLACES, SCREEN

FIRST_LOAD_BYTES = 200_000  # compressed, without fonts
WEB = Path(__file__).parent.parent.parent / "web"


def test_the_first_load_is_light_and_comes_from_us_alone(guest):
    lena = guest()
    got: dict[str, int] = {}
    lena.page.on("response", lambda answer: got.update({answer.url: len(gzip.compress(answer.body()))}))
    lena.page.goto("/", wait_until="networkidle")
    lena.page.wait_for_selector("h1")
    first = {url: size for url, size in got.items() if "/fonts/" not in url and "sw.js" not in url}
    assert first
    assert sum(first.values()) <= FIRST_LOAD_BYTES, first


def test_scripts_and_styles_come_from_files_only(house):
    """The policy allows nothing inline, and the page has nothing inline."""
    answer = httpx.get(house.url)
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "script-src 'self'" in policy
    assert "style-src 'self'" in policy
    assert not re.search(r"<script(?![^>]*src=)[^>]*>|<style|\sstyle=|\son\w+=", answer.text)


def test_files_with_a_hash_are_kept_for_ever_and_the_page_never(house):
    page = httpx.get(house.url)
    assert page.headers["cache-control"] == "no-cache"
    assert page.headers["content-encoding"] == "gzip"
    script = re.search(r'src="(/assets/[^"]+\.js)"', page.text)
    assert script
    assert "immutable" in httpx.get(house.url + script[1]).headers["cache-control"]
    assert httpx.get(house.url + "/sw.js").headers["cache-control"] == "no-cache"


def test_a_place_tells_at_once_what_it_will_load(house, guest):
    """Every script that a place asks for has been announced with its page, and nothing in vain: browsers complain."""
    lena = guest()
    for place in (f"/t/{lena.lay('geier')}", "/rules/maus", "/new/geier", "/learn/memento"):
        answer = httpx.get(house.url + place)
        told = {*re.findall(r"</([^>]+)>", answer.headers["link"]), *re.findall(r'="/([^"]+)"', answer.text)}
        asked: set[str] = set()
        lena.page.on("request", lambda request, asked=asked: asked.add(request.url.removeprefix(house.url + "/")))
        lena.page.goto(place, wait_until="networkidle")
        scripts = {name for name in asked if name.startswith("assets/") and name.endswith(".js")}
        assert scripts
        assert scripts <= told, place
        lena.page.wait_for_timeout(4000)  # after three seconds a browser complains


def test_it_can_be_installed(house):
    manifest = httpx.get(house.url + "/manifest.webmanifest")
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    told = manifest.json()
    assert {"name", "short_name", "start_url", "display", "icons"} <= told.keys()
    for icon in told["icons"]:
        assert httpx.get(house.url + icon["src"]).headers["content-type"].startswith(icon["type"])


def test_the_shell_is_there_without_a_network(guest):
    lena = guest()
    lena.page.goto("/")
    lena.page.wait_for_function("() => navigator.serviceWorker.getRegistration().then(it => it?.active != null)")
    lena.page.reload()
    lena.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    lena.offline = True
    lena.context.set_offline(offline=True)
    lena.page.reload()
    lena.page.wait_for_selector("h1")
    lena.context.set_offline(offline=False)


def test_nothing_of_the_screen_is_inline_svg_with_styles():
    """A style in a drawing would be refused by our own policy, and look wrong."""
    for path in (WEB / "src").rglob("*.svelte"):
        assert not re.search(r"\sstyle=\"", path.read_text("utf-8")), path
    for path in (WEB / "src" / "art").rglob("*.svg"):
        assert "style=" not in path.read_text("utf-8"), path


def test_the_lock_has_the_tools_for_other_machines_and_no_registry():
    lock = (WEB / "package-lock.json").read_text("utf-8")
    for machine in ("darwin-arm64", "linux-arm64-gnu", "linux-x64-musl", "win32-x64-msvc"):
        assert machine in lock
    assert not [entry for entry in json.loads(lock)["packages"].values() if "resolved" in entry]


def test_the_screen_is_built():
    assert (SCREEN / "index.html").is_file(), "expected the screen, as `make test` builds it"


def test_every_place_is_told_of():
    told = re.findall(r"^\| `(/[^`]*)` \|", (WEB.parent / "docs" / "screen.md").read_text("utf-8"), re.MULTILINE)
    assert {re.sub("GAME|CODE", "{key}", place) for place in told} == set(PLACES)
