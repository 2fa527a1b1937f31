"""The command line as people use it: answers to bad input in one line with exit code 2, never a traceback."""

import json
import subprocess
import sys

import pytest

from cheeseboard.cli import main
from cheeseboard.games import GAMES
from tests.test_table import played

NAME = next(iter(GAMES))


def run(*words):
    return subprocess.run([sys.executable, "-m", "cheeseboard", *words], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["simulate", "chess"], f"expected a game ({', '.join(GAMES)}), got 'chess'"),
        (["play", "chess"], f"expected a game ({', '.join(GAMES)}), got 'chess'"),
        (["simulate", NAME, "--seats", "7"], f"expected 2 to 5 players at {NAME}, got 7"),
        (["play", NAME, "--seats", "7"], f"expected 2 to 5 players at {NAME}, got 7"),
        (["simulate", NAME, "--option", "colour=pink"], f"expected an option of {NAME} (ranking, ties, cards"),
        (["simulate", NAME, "--option", "ties=pink"], "to be one of rulebook, goofspiel, got 'pink'"),
        (["simulate", NAME, "--option", "ties"], "expected an option as NAME=CHOICE, got 'ties'"),
        (["simulate", NAME, "--option", "prizes=1,x"], "as a list of 2 to 15 whole numbers from -99 to 99"),
        (["simulate", NAME, "--games", "x"], "expected a whole number, got 'x'"),
        (["simulate", NAME, "--games", "0"], "expected games as a whole number from 1"),
        (["simulate", NAME, "--seed", "-1"], "expected seed as a whole number from 0"),
        (["simulate", NAME, "--cores", "0"], "expected cores as a whole number from 1"),
        (["simulate", NAME, "--bots", "shark,cat"], "got 'shark'"),
        (["simulate", NAME, "--bots", "random"], "expected one bot for each of 2 seats, got 1"),
        (["play", NAME, "--language", "fr"], "expected a language (de, en), got 'fr'"),
        (["games", "--language", "fr"], "expected a language (de, en), got 'fr'"),
        (["fly"], "invalid choice: 'fly'"),
        ([], "required: COMMAND"),
        (["simulate"], "required: GAME"),
    ],
)
def test_bad_input(words, answer, capfd):
    assert main(words) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("cheeseboard: ")
    assert err.count("\n") == 1
    assert answer in err


def test_in_a_process_of_its_own():
    bad = run("simulate", NAME, "--seats", "99")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "Traceback" not in bad.stderr
    assert run("--help").returncode == 0


def test_games(capfd):
    assert main(["games"]) == 0
    text = capfd.readouterr().out
    assert all(name in text for name in GAMES)
    assert main(["games", "--json", "--language", "de"]) == 0
    facts = json.loads(capfd.readouterr().out)
    assert facts[NAME]["players"] == [2, 5]
    assert set(facts) == set(GAMES)


def test_simulate_json(capfd):
    """One object with at least these names."""
    assert main(["simulate", NAME, "--seats", "3", "--games", "1000", "--seed", "5", "--json"]) == 0
    result = json.loads(capfd.readouterr().out)
    wanted = ("game", "seats", "games", "moves", "seconds", "games_per_second", "win_share", "mean_score")
    assert [result[key] for key in wanted[:4]] == [NAME, 3, 1000, 45_000]
    assert all(key in result for key in wanted)
    assert len(result["win_share"]) == len(result["mean_score"]) == 3


def test_simulate_in_words(capfd):
    assert main(["simulate", NAME, "--games", "500", "--option", "cards=4", "--option", "prizes=1,2,3,-4"]) == 0
    assert "500 games" in capfd.readouterr().out


@pytest.fixture
def saved(tmp_path):
    """A whole game, as `play --save` writes it."""
    path = tmp_path / "game.json"
    path.write_text(played(NAME).log.dump(), "utf-8")
    return path


def test_replay(saved, capfd):
    """A saved game is told again, as one seat saw it; up to an entry, or to the end with its result."""
    assert main(["replay", str(saved), "--seat", "1", "--at", "2"]) == 0
    half = capfd.readouterr().out
    assert "The game is over." not in half
    assert main(["replay", str(saved)]) == 0
    assert "The game is over." in capfd.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "words", "answer"),
    [
        ('"version": 1', '"version": 99', [], "by rules version 1, got version 99"),
        (f'"game": "{NAME}"', '"game": "chess"', [], "expected a log of a game"),
        ('"seats": 2', '"seats": 7', [], "expected 2 to 5 players"),
        ("[[", "[[9, 9], [", [], "expected a seat of this table (0 to 1), got 9, after log entry 0"),
        ("[[62, ", "[[62, 9", [], "expected an action"),
        ("{", "", [], "expected a log as JSON"),
        ("{", "{", ["--at", "9999"], "expected a log entry from 0 to"),
        ("{", "{", ["--seat", "9"], "expected a seat of this table (0 to 1), got 9"),
    ],
)
def test_broken_logs(saved, capfd, old, new, words, answer):
    """A log of another version, of another game, or broken: one line, exit code 2."""
    text = saved.read_text("utf-8")
    assert old in text
    saved.write_text(text.replace(old, new, 1), "utf-8")
    assert main(["replay", str(saved), *words]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert answer in err


def test_files_that_cannot_be(tmp_path, capfd):
    assert main(["replay", str(tmp_path / "none.json")]) == 2
    assert "No such file" in capfd.readouterr().err
    assert main(["replay", str(tmp_path)]) == 2
    (tmp_path / "picture").write_bytes(b"\xff\xfe\x00")
    assert main(["replay", str(tmp_path / "picture")]) == 2
    assert "Traceback" not in capfd.readouterr().err


def test_analyse_in_words(saved, capfd):
    """Your game with the coach: every round, the sums, and what cost most, in both languages."""
    assert main(["analyse", str(saved), "--seat", "1"]) == 0
    told = capfd.readouterr().out
    assert "Your share of the win, round by round" in told
    assert "cost you" in told
    assert main(["analyse", str(saved), str(saved), "--language", "de"]) == 0
    told = capfd.readouterr().out
    assert "Dein Anteil am Sieg" in told
    assert "Über alle Spiele" in told


def test_analyse_as_figures(saved, capfd):
    assert main(["analyse", str(saved), "--json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert told["game"] == NAME
    last = told["moments"][-1]
    assert sum(last["after"]) in (0, 1)
    for seat in (0, 1):
        parts = sum(moment[part][seat] for moment in told["moments"] for part in ("deal", "skill", "draw"))
        assert told["moments"][0]["before"][seat] + parts == pytest.approx(last["after"][seat])


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["none.json"], "expected a log that can be read, got 'none.json': No such file"),
        (["SAVED", "--seat", "9"], "expected a seat of this table (0 to 1), got 9"),
        (["SAVED", "--language", "fr"], "expected a language (de, en), got 'fr'"),
    ],
)
def test_analyse_refuses(saved, words, answer, capfd):
    assert main(["analyse", *(str(saved) if word == "SAVED" else word for word in words)]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert answer in err
