"""No leak on the wire: what a pair of eyes cannot know changes nothing of what the house sends there.

The method is in `worlds.py`, the planted faults that prove it alive are in `leaks.py`."""

from itertools import count

import pytest

from cheeseboard.games import GAMES
from tests.server import worlds
from tests.server.leaks import LEAKS
from tests.server.worlds import Leak

PAIRS = 200
OPEN = {"maus"}  # where every card that exists has been seen by all: two worlds are one


@pytest.mark.parametrize("game", GAMES)
def test_worlds_look_alike(game):
    tally = worlds.run(game, 0, PAIRS)
    assert tally.pairs == PAIRS
    assert tally.compared > 20 * PAIRS
    assert tally.differ > PAIRS / 2 or game in OPEN


@pytest.mark.parametrize("game", GAMES)
def test_the_house_does_not_remember_for_you(game):
    tally = worlds.run_forgetful(game, 0, 60)
    assert tally.differ > 30


@pytest.mark.parametrize("name", LEAKS)
def test_a_planted_leak_is_caught(name):
    """Small rounds over all games, for the leaks that show only in one of them."""
    with pytest.MonkeyPatch.context() as patch, pytest.raises(Leak):
        LEAKS[name](patch)
        for seed in range(12):
            for game in GAMES:
                worlds.run(game, seed, 8)
                worlds.run_forgetful(game, seed, 3)
    assert next(count()) == 0
