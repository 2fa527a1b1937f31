"""Sizes of game trees: the number of different courses of play after so many acts. The seats the game waits for act in
their order, so that the order of simultaneous choices is not counted; in real time anybody who may act is counted."""

import tomllib
from pathlib import Path

import pytest

from cheeseboard.games import GAMES, core
from cheeseboard.games.core import CLOCK, members

FOLDER = Path(__file__).parent / "counts"


def counts(name):
    path = FOLDER / f"{name}.toml"
    return tomllib.loads(path.read_text("utf-8"))["count"] if path.exists() else []


CASES = [
    pytest.param(name, count, id=f"{name}-{count['seats']}-{n}")
    for name in GAMES
    for n, count in enumerate(counts(name))
]


def actors(game, state):
    waits = game.waiting(state)
    if waits == 1 << CLOCK:
        return [CLOCK, *(seat for seat in range(state.seats) if game.legal(state, seat))]
    return members(waits)[:1]


def courses(game, state, depth):
    """How many different courses of play of exactly this many acts there are."""
    if depth == 0:
        return 1
    total = 0
    for seat in actors(game, state):
        for action in members(game.legal(state, seat)):
            after = state.copy()
            game.apply(after, seat, action, None)
            total += courses(game, after, depth - 1)
    return total


@pytest.mark.parametrize(("name", "count"), CASES)
def test_count(name, count):
    game = GAMES[name]
    state = core.new(game, count["seats"], **count.get("options", {}))
    for seat, action in count.get("after", []):  # a position to count from, so that luck's many deals are skipped
        assert game.legal(state, seat) >> action & 1
        game.apply(state, seat, action, None)
    assert [courses(game, state, depth) for depth in range(len(count["levels"]))] == count["levels"]


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_counts(name):
    assert counts(name)
