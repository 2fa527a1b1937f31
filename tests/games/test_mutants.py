"""Who guards the guards: faults planted into the rules, one at a time, are all caught by the tests of that game or by
the laws. A fault is a line of `mutants/<game>.toml`: a snippet of `rules.py` and what it is replaced with."""

import importlib
import inspect
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from cheeseboard.games import GAMES
from tests.games import laws

FOLDER = Path(__file__).parent / "mutants"


def mutants(name):
    path = FOLDER / f"{name}.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {"leak": [], "fault": []}


CASES = [
    pytest.param(name, mutant, id=f"{name}-{kind}-{mutant['name'].replace(' ', '-')}")
    for name in GAMES
    for kind, listed in mutants(name).items()
    for mutant in listed
]


def planted(name, mutant):
    """The rules of the game with the fault in them."""
    plain = importlib.import_module(GAMES[name].__name__)
    path = Path(plain.__file__ or "")
    source = path.read_text("utf-8")
    assert source.count(mutant["old"]) == 1, f"expected once in {path.name}: {mutant['old']!r}"
    module = ModuleType(GAMES[name].__name__)
    module.__file__, module.__package__ = str(path), plain.__package__
    exec(compile(source.replace(mutant["old"], mutant["new"]), path, "exec"), vars(module))
    return module


def cases(test):
    """The arguments with which pytest would call this test."""
    marks = [mark for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
    if not marks:
        return [()]
    values = marks[0].args[1]
    return [value if isinstance(value, tuple) else (value,) for value in values]


def every_test_of(name):
    module = importlib.import_module(f"tests.games.test_{name}")
    return module, [test for label, test in inspect.getmembers(module, inspect.isfunction) if label.startswith("test_")]


def caught_by(name, mutant):
    """The name of the first test or law that fails, or None."""
    game = planted(name, mutant)
    module, tests = every_test_of(name)
    module.GAME = game
    try:
        for test in sorted(tests, key=lambda test: len(cases(test))):  # those of many cases take longest
            for values in cases(test):
                try:
                    test(*values)
                except (Exception, pytest.fail.Exception):
                    return test.__name__
    finally:
        module.GAME = GAMES[name]
    for law in sorted(laws.LAWS, key=lambda law: law is not laws.no_leak):  # what no test notices is mostly a leak
        if law is laws.compiled_equals_plain:
            continue  # both would run the same fault
        for seed, way in enumerate(laws.ways(game)):
            try:
                law(game, way, laws.seeded(seed))
            except Exception:
                return law.__name__
    return None


@pytest.mark.parametrize(("name", "mutant"), CASES)
def test_caught(name, mutant):
    assert caught_by(name, mutant), f"nobody noticed: {mutant['name']}"


@pytest.mark.parametrize("name", GAMES)
def test_enough(name):
    assert len(mutants(name)["leak"]) >= 5
    assert len(mutants(name)["fault"]) >= 5
