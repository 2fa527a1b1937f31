"""Bots from files: they play, they see nothing but their view, they remember nothing, and what is wrong is said in one
line with its place."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cheeseboard.bots import own
from cheeseboard.bots.own import check, company
from cheeseboard.cli import main, parser
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import HIDDEN, Refusal
from cheeseboard.lab.arena import Arena, arena
from cheeseboard.lab.simulate import bots_game, play_game
from cheeseboard.lab.standings import text
from cheeseboard.lab.verdict import Figure, Mix, Pair, Standing
from cheeseboard.table import Table

NAME = next(iter(GAMES))
GAME = GAMES[NAME]
EACH = pytest.mark.parametrize("name", GAMES)
DOCS = (Path(__file__).parents[2] / "docs" / "bots.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"```python (\w+)\n(.*?)```", DOCS, re.DOTALL))
WORD = "def choose(game, view, seat, rng, budget):\n    "


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Writes a file of this text, and says its name."""
    monkeypatch.chdir(tmp_path)

    def write(code: str, name: str = "my_bot.py") -> str:
        (tmp_path / name).write_text(code, "utf-8")
        return name

    return write


def view_of(state):
    return json.loads(json.dumps(vars(state)))


# --- it plays -------------------------------------------------------------------------------------------------------


def test_it_is_the_same_bot_as_in_the_house(written):
    """The same function gives the same moves, here and in a process of its own."""
    table = Table(GAME, 2, luck=5)
    with company(GAME, [written("from cheeseboard.bots.simple import random as choose\n")]) as bots:
        for n in range(20):
            seat = table.waiting()[0]
            seed = int(np.random.default_rng(n).integers(own.SEEDS))
            expected = core.pick(GAME.legal(table.view(seat), seat), np.random.default_rng(seed))
            assert bots[0].choose(GAME, table.view(seat), seat, np.random.default_rng(n), 0) == expected
            table.play(seat, expected)


def test_it_repeats(written):
    bot = written(WORD + "return int(rng.choice([a for a in range(15) if game.legal(view, seat) >> a & 1]))\n")
    one, two = (bots_game(GAME, 2, [bot, "random"], [3, 1], {}) for _ in range(2))
    assert one == two
    assert one != bots_game(GAME, 2, [bot, "random"], [3, 2], {})


def test_a_function_by_name_and_a_budget(written):
    bot = written(
        "import numpy as np\nimport more\nBUDGET = 7\n"
        "def bold(game, view, seat, rng, budget):\n    assert budget == 7\n"
        "    return np.int64(more.highest(game, view, seat))\n"
    )
    written("def highest(game, view, seat):\n    return game.legal(view, seat).bit_length() - 1\n", "more.py")
    table, _ = play_game(GAME, [f"{bot}:bold", "random"], [1], {})
    assert [action for seat, action in table.log if seat == 0] == list(range(14, -1, -1))


LISTENS = """
def choose(game, view, seat, rng, budget, *, past=()):
    with open("heard", "w") as file:
        print(*(f"{event.kind} {event.seat} {event.card}" for act in past for event in act), sep="\\n", file=file)
    return game.legal(view, seat).bit_length() - 1
"""


def test_it_can_listen(written):
    """To what its seat was told, and no more: of the other's last card only that it was laid."""
    bot = written(LISTENS)
    for number in range(4):  # until it acts after the other
        table, _ = play_game(GAME, [bot, "random"], [number], {"cards": 4})
        if [seat for seat, _ in table.log if seat < 2][-1] == 0:
            break
    mine = max(n for n, (seat, _) in enumerate(table.log) if seat == 0)
    again = Table.replay(type(table.log)(**{**vars(table.log), "entries": []}))
    steps = [step for seat, action in table.log[:mine] for step in again.play(seat, action)]
    told = [f"{event.kind} {event.seat} {event.card}" for step in steps for event in step.told(0)]
    assert Path("heard").read_text().split("\n")[:-1] == told
    assert told[-1] == f"laid 1 {HIDDEN}"


def test_what_it_prints_is_not_part_of_the_result(written, capfd):
    bot = written(
        "print('hello')\n"
        + WORD
        + "print('thinking')\n    return max(a for a in range(15) if game.legal(view, seat) >> a & 1)\n"
    )
    words = ["simulate", NAME, "--bots", f"{bot},random", "--games", "1", "--json", "--cores", "1"]
    assert main(words) == 0
    out, err = capfd.readouterr()
    assert json.loads(out)["bots"] == [bot, "random"]
    assert "hello" in err
    assert err.count("thinking") == 15


def test_it_sits_down_in_the_terminal(written, capfd, monkeypatch):
    bot = written(WORD + "return max(a for a in range(15) if game.legal(view, seat) >> a & 1)\n")
    answers = iter(["1", "q"])
    monkeypatch.setattr("rich.console.Console.input", lambda self, question: next(answers))
    assert main(["play", NAME, "--bots", bot, "--seats", "3", "--seed", "1", "--save", "game.json"]) == 0
    log = json.loads(Path("game.json").read_text("utf-8"))["log"]
    assert [act for act in log if act[0] in {1, 2}][:2] == [[1, 14], [2, 14]]


# --- what it can see ------------------------------------------------------------------------------------------------

SPY = """
import gc, json, os, sys
from cheeseboard.games.core import State, members

def choose(game, view, seat, rng, budget):
    states = [vars(found) for found in gc.get_objects() if isinstance(found, State)]
    with open("seen", "a") as file:
        file.write(json.dumps({"seat": seat, "states": states, "words": sys.argv, "around": str(os.environ)}) + "\\n")
    return members(game.legal(view, seat))[0]
"""


@EACH
def test_a_planted_secret_does_not_reach_it(name, written):
    """Of all states there are in its process, in a whole game, none is anything but the view of its seat."""
    game, seats = GAMES[name], core.about(GAMES[name])["players"][0]
    table, _ = play_game(game, [written(SPY), *["random"] * (seats - 1)], [987654321, 5], {})
    seen = [json.loads(line) for line in Path("seen").read_text().splitlines()]
    again = Table.replay(type(table.log)(**{**vars(table.log), "entries": []}))
    views, acts = [], 0
    for seat, action in table.log:
        views.append(view_of(again.view(0)))
        acts += seat == 0
        again.play(seat, action)
    assert len(seen) >= acts > 0  # in a race it is asked at the start, and may be too late
    for told in seen:
        assert told["seat"] == 0
        assert len(told["states"]) == 1
        assert told["states"][0] in views
        assert "987654321" not in told["around"] + str(told["words"])
    secret = [told for told in seen if str(HIDDEN) in str(told["states"])]
    assert secret or name != NAME


def test_worlds_that_look_alike_are_alike(written):
    """Another card under the other's paw: not a byte that is sent is different."""
    sent = []
    with company(GAME, ["random", written(SPY)]) as bots:
        for card in (3, 11):
            table = Table(GAME, 2, luck=8)
            table.play(0, card)
            bots[1].choose(GAME, table.view(1), 1, np.random.default_rng(1), 0)
    sent = [json.loads(line) for line in Path("seen").read_text().splitlines()]
    assert sent[0] == sent[1]


REMEMBERS = """
from cheeseboard.games.core import count, members

asked = []

def choose(game, view, seat, rng, budget):
    asked.append(seat)
    assert set(asked) == {seat}, "another seat's memory"
    assert len(asked) == 1 + view.cards - count(view.hand[seat]), "another game's memory"
    return members(game.legal(view, seat))[0]
"""


def test_what_it_remembers_lasts_for_one_game_at_one_seat(written):
    bot = written(REMEMBERS)
    for number in range(3):
        play_game(GAME, [bot, bot, "random"], [number], {"cards": 4})


# --- what can be wrong ----------------------------------------------------------------------------------------------

ANY = "expected one of 0, 1, 2, 3, 4 from choose at seat 0, got"
WRONG = {
    "illegal": (WORD + "return 7\n", f"my_bot.py:1: {ANY} 7"),
    "far too much": (WORD + "return 10**40\n", f"my_bot.py:1: {ANY} 1000"),
    "nothing": (WORD + "pass\n", f"my_bot.py:1: {ANY} None"),
    "lines": (WORD + "return 'a\\nb' * 999\n", f"my_bot.py:1: {ANY} 'a\\nba"),
    "crash": (WORD + "x = 1\n    return x / 0\n", f"my_bot.py:3: {ANY} ZeroDivisionError: division by zero"),
    "no letter": (WORD + "raise ValueError('\\udc80')\n", f"my_bot.py:2: {ANY} ValueError: ?"),
    "leaves": (WORD + "import sys\n    sys.exit(3)\n", f"my_bot.py:3: {ANY} SystemExit: 3"),
    "dies": (WORD + "import os\n    os._exit(0)\n", f"my_bot.py:1: {ANY} nothing: its process ended with code 0"),
    "slow": (WORD + "while True:\n        pass\n", f"{ANY} none within 0.5 s"),
    "holds on": (
        WORD + "while True:\n        try:\n            import time\n            time.sleep(9)\n"
        "        except Exception:\n            pass\n",
        f"my_bot.py:5: {ANY} none within 0.5 s",
    ),
    "deaf": (
        WORD
        + "import signal, time\n    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\n    time.sleep(99)\n",
        f"my_bot.py: {ANY} nothing: it hangs",
    ),
    "no function": ("x = 1\n", "my_bot.py: expected a function choose(game, view, seat, rng, budget), got no function"),
    "other arguments": ("\ndef choose(view):\n    return 0\n", "my_bot.py:2: expected a function choose(game, view,"),
    "no Python": ("def choose(:\n", "my_bot.py:1: expected Python, got invalid syntax"),
    "no import": ("\n\nimport nowhere\n", "my_bot.py:3: expected a file that can be loaded, got ModuleNotFoundError"),
    "bad budget": ("BUDGET = -1\n" + WORD + "return 0\n", "expected BUDGET as a whole number from 0, got -1"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_one_clear_line(kind, written, monkeypatch):
    code, answer = WRONG[kind]
    monkeypatch.setattr(own, "GRACE_S", 1.0 if kind == "deaf" else 60.0)
    limit_s = 0.5 if kind in {"slow", "holds on", "deaf"} else 60
    with pytest.raises(Refusal) as refusal:
        play_game(GAME, [written(code), "random"], [1], {"cards": 5}, limit_s=limit_s)
    assert answer in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 400


def test_one_bad_bot_harms_no_other(written):
    bad, good = written(WORD + "return 99\n", "bad.py"), written(WORD + "return 0\n", "good.py")
    with company(GAME, [good, bad]) as bots:
        view, dice = Table(GAME, 2, luck=1).view(0), np.random.default_rng(1)
        with pytest.raises(Refusal):
            bots[1].choose(GAME, view, 1, dice, 0)
        assert bots[0].choose(GAME, view, 0, dice, 0) == 0
    with company(GAME, [good, bad]) as bots:  # and it gets another chance
        assert bots[0].choose(GAME, view, 0, dice, 0) == 0
        with pytest.raises(Refusal):
            bots[1].choose(GAME, view, 1, dice, 0)


def test_a_changed_file_is_another_bot(written):
    view, dice = Table(GAME, 2, luck=1).view(0), np.random.default_rng(1)
    for card in (3, 4):
        with company(GAME, [written(WORD + f"return {card}\n")]) as bots:
            assert bots[0].choose(GAME, view, 0, dice, 0) == card


def test_the_command_ends_with_2(written, capfd):
    bot = written(WORD + "return 99\n")
    for words in (["arena", NAME, "--bots", f"{bot},random"], ["simulate", NAME, "--bots", f"{bot},random"]):
        assert main([*words, "--games", "50", "--cores", "1"]) == 2
        out, err = capfd.readouterr()
        assert out == ""
        assert re.fullmatch(r"cheeseboard: my_bot.py:1: expected one of 0, .* at seat \d, got 99\n", err)


def test_no_such_file(tmp_path):
    with pytest.raises(Refusal, match="expected a bot in a file that can be read, got 'none"):
        check(GAME, ["none.py"])
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(Refusal, match="Is a directory"):
        check(GAME, [f"{tmp_path}/folder.py"])


# --- docs/bots.md ---------------------------------------------------------------------------------------------------


def test_the_page_shows_what_comes_out(written):
    written(EXAMPLES["my_bot"])
    (line,) = re.findall(r"^cheeseboard arena \w+ --bots my_bot.py,.*$", DOCS, re.MULTILINE)
    asked = parser().parse_args(line.split()[1:])
    table = text(arena(GAMES[asked.game], asked.bots.split(","), asked.games, cores=1))
    assert f"```\n{table}```" in DOCS


@EACH
def test_the_thinker_of_the_page_plays_everything(name):
    game, names = GAMES[name], dict[str, Any]()
    exec(EXAMPLES["thinker"], names)
    table = Table(game, core.about(game)["players"][0], luck=2)
    seat = next(seat for seat in range(table.state.seats) if table.legal(seat))
    action = names["choose"](game, table.view(seat), seat, np.random.default_rng(1), names["BUDGET"])
    assert action in table.legal(seat)


def test_every_command_of_the_page():
    lines = [
        line for line in re.findall(r"^cheeseboard (?!\w+ GAME)(\w.*)$", DOCS, re.MULTILINE) if ":" not in line[:20]
    ]
    assert {line.split()[0] for line in lines} == {"arena", "play", "simulate"}
    for line in lines:
        parser().parse_args(line.split())
    usage = DOCS[DOCS.index("cheeseboard arena GAME") :].split("```")[0]
    flags = set(re.findall(r"--\w+", usage))
    help_text = next(
        action.choices["arena"].format_help() for action in parser()._actions if isinstance(action.choices, dict)
    )
    assert flags == set(re.findall(r"--\w+", help_text)) - {"--help"}


def test_every_name_of_the_json_is_told():
    for kind in (Arena, Standing, Pair, Mix, Figure):
        for field in kind.__dataclass_fields__:
            assert f"`{field}`" in DOCS
