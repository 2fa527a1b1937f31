"""The command: what it prints, and what it refuses in one line."""

import json

import pytest

from cheeseboard.cli import main
from cheeseboard.games import GAMES
from cheeseboard.lab.solve import solver

ABLE, *_, UNABLE = GAMES


def test_who_can_be_solved():
    assert solver(GAMES[ABLE]).__name__ == "solve"


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ([UNABLE], f"expected a game that can be solved exactly ({ABLE}), got {UNABLE!r}"),
        (["chess"], "expected a game ("),
        ([ABLE, "--aim", "fun"], "expected an aim (points, win), got 'fun'"),
        ([ABLE, "--prizes", "1,x"], "expected prizes"),
        ([ABLE, "--cards", "99"], "expected cards"),
        ([ABLE, "--cards", "3", "--prizes", "1,2"], "expected as many prizes as cards"),
        ([ABLE, "--cards", "3", "--cores", "0"], "expected cores as a whole number from 1"),
        ([ABLE, "--option", "ties=pink"], "got 'pink'"),
        ([ABLE, "--cards", "14", "--aim", "win"], "expected a deck with at most 600,000,000 states to solve"),
    ],
)
def test_what_cannot_be_is_refused(words, answer, capfd):
    assert main(["solve", *words]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert answer in err


def test_json(capfd):
    assert main(["solve", ABLE, "--prizes=-1,2,3", "--aim", "win", "--option", "ties=goofspiel", "--json"]) == 0
    facts = json.loads(capfd.readouterr().out)
    assert facts["prizes"] == [-1, 2, 3]
    assert (facts["aim"], facts["ties"], facts["ranking"]) == ("win", "goofspiel", "rulebook")
    assert {"states", "matrices", "seconds", "value"} <= facts.keys()
    assert [bid["prize"] for bid in facts["first"]] == [-1, 2, 3]
    assert all(len(bid["mix"]) == len(bid["sure"]) == 3 for bid in facts["first"])


def test_text(capfd):
    assert main(["solve", ABLE, "--cards", "3"]) == 0
    out = capfd.readouterr().out
    assert out.startswith("prizes -1 1 2; ties=rulebook, ranking=rulebook, aim=points\n")
    assert len(out.splitlines()) == 3 + 2 * 3
