"""No leak on the wire: what a pair of eyes cannot know changes nothing of what the house sends there.

The method is in `worlds.py`, the planted faults that prove it alive are in `leaks.py`."""

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
    with pytest.MonkeyPatch.context() as patch:
        LEAKS[name](patch)
        with pytest.raises(Leak):
            worlds.hunt(12)
