"""One browser and one house for all tests of the screen that one process runs; a guest of its own for each.

For this folder only, not for the whole session: while Playwright is open its event loop runs, and no other test of the
process could run one of its own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.server.running import Running
from tests.web import browsing
from tests.web.browsing import Guest


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
    """`guest("Ida", touch=True)`: somebody with a browser of their own."""
    all_of_them: list[Guest] = []

    def come(name: str = "Lena", at: Running | None = None, **how: Any) -> Guest:
        all_of_them.append(Guest(browser, (at or house).url, name, **how))
        return all_of_them[-1]

    yield come
    for one in all_of_them:
        one.close()


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[Running]:
    """One that may be restarted."""
    with Running(tmp_path / "data", env=MANY) as it:
        yield it
