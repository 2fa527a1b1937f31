"""Golden playthroughs of every game: a missing one fails, and so does one that would be told differently now."""

import pytest

from cheeseboard.games import GAMES
from tests.games import playthrough

CASES = [
    pytest.param(game, path, way, id=path.stem)
    for game in GAMES.values()
    for path, way in playthrough.files(game).items()
]


@pytest.mark.parametrize(("game", "path", "way"), CASES)
def test_story(game, path, way):
    assert path.exists(), f"no playthrough {path.name}; write it with make golden"
    assert playthrough.story(game, way) == path.read_text("utf-8"), "the rules behave differently: a new version?"
