"""The screen says what the house would say: the same sentences, for every event of every game."""

import json
import subprocess
from itertools import product
from pathlib import Path

import msgspec
import pytest
from tools.made import words_of

from cheeseboard.games import GAMES, core
from cheeseboard.games.texts import LANGUAGES, action_name, sentence, texts
from cheeseboard.table import Table
from tests.node import NODE

HERE = Path(__file__).parent
NAMES = ["Ida", "Ole", "Kim"]


@pytest.mark.parametrize("name", GAMES)
def test_sentences_are_those_of_the_house(name):
    """Of whole games, to each seat and to a spectator; and of all actions."""
    game = GAMES[name]
    table = Table(game, 3, luck=7)
    steps = list(table.opening)
    while not table.over and len(steps) < 400:
        seat = table.waiting()[0]
        steps += table.play(seat, table.legal(seat)[len(steps) % len(table.legal(seat))])
    asked = []
    expected = []
    for language in LANGUAGES:
        for step, you in product(steps, (0, 2, core.NOBODY)):
            for event in step.told(you):
                asked.append({"language": language, "event": msgspec.to_builtins(event), "names": NAMES, "you": you})
                expected.append(sentence(game, language, event, NAMES, you))
        spans = [span.partition("-") for span in texts(game, language)["actions"]]
        for action in sorted({action for a, _, b in spans for action in range(int(a), int(b or a) + 1)}):
            asked.append({"language": language, "action": action})
            expected.append(action_name(game, language, action))
    given = json.dumps({"made": json.loads(words_of(name)), "asked": asked})
    call = [str(NODE), "--no-warnings", str(HERE / "sentences.mjs")]
    said = subprocess.run(call, input=given, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(expected) > 100
    assert said == expected
