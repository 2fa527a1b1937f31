"""One browser and one house for all tests of the screen that one process runs; a guest of its own for each.

For this folder only, not for the whole session: while Playwright is open its event loop runs, and no other test of the
process could run one of its own."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.server.running import Running
from tests.web import browsing
from tests.web.browsing import Guest, device

LONGEST = {"test_play.py", "test_looks.py"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest of all tests first: a worker without work takes from the end of another's, and ours should not be the
    ones that all wait for at last."""
    items.sort(key=lambda item: item.path.name not in LONGEST)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with browsing.browser() as it:
        yield it


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("screen") / "data", env=MANY) as it:
        yield it


MANY = {  # pages ask more often than programs do
    "CHEESEBOARD_LIMIT_REQUESTS_BURST": "100000",
    "CHEESEBOARD_LIMIT_REQUESTS_PER_SECOND": "100000",
    "CHEESEBOARD_LIMIT_GUESTS_PER_ADDRESS_HOUR": "100000",
}


@pytest.fixture
def guest(browser: Browser, house: Running) -> Iterator[Any]:
    """`guest("Ida", touch=True)`: somebody with a new browser of their own."""
    all_of_them: list[Guest] = []

    def come(name: str = "Lena", at: Running | None = None, **how: Any) -> Guest:
        all_of_them.append(Guest(browser, (at or house).url, name, **how))
        return all_of_them[-1]

    yield come
    for one in all_of_them:
        one.close()


@pytest.fixture(scope="package")
def devices(browser: Browser, house: Running) -> Callable[..., BrowserContext]:
    return cache(partial(device, browser, house.url))


@pytest.fixture
def regular(guest: Any, devices: Callable[..., BrowserContext]) -> Any:
    """The same, with a browser that has the screen already, for tests that are not about coming here first.

    To fetch all of the screen, and to keep it for days without a network, costs more than most tests do."""

    def come(name: str = "Lena", *, language: str = "de", touch: bool = False, **how: Any) -> Guest:
        mine: Guest = guest(name, language=language, touch=touch, on=devices(language, touch=touch), **how)
        return mine

    return come


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[Running]:
    """One that may be restarted."""
    with Running(tmp_path / "data", env=MANY) as it:
        yield it
