"""What the tests of the house share: both databases, for every test that asks for one."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from cheeseboard.server.store import Store
from tests.postgres import Cluster, cluster
from tests.server.running import Running

# No test asserts on time, so Hypothesis may not do so for us: a busy machine is slow now and then.
settings.register_profile("without a clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("without a clock")


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Cluster]:
    """One server for the whole run (of each worker)."""
    with cluster() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a new, empty database: the test runs once with each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'house.db'}"
    else:
        running: Cluster = request.getfixturevalue("postgresql")
        with running.database() as url:
            yield url


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    opened = Store(database)
    yield opened
    opened.close()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One for all tests of a file, with each kind of database; nothing may crash in it."""
    with ExitStack() as stack:
        database = ""
        if request.param == "postgresql":
            database = stack.enter_context(request.getfixturevalue("postgresql").database())
        running = stack.enter_context(Running(tmp_path_factory.mktemp("house") / "data", database))
        yield running
        assert "Traceback" not in running.log
