"""The table in the terminal, played for real: in a terminal of its own, key by key, every game to its end."""

import os
import pty
import re
import select
import subprocess
import sys
import time

import pytest

from cheeseboard.games import GAMES, core

PATIENCE_S = 240  # only against hanging for ever


class Person:
    """Somebody at the keyboard, who reads what is shown and types."""

    def __init__(self, *words):
        self.screen, theirs = pty.openpty()
        env = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
        command = [sys.executable, "-m", "cheeseboard", "play", *words]
        self.process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env, close_fds=True)
        os.close(theirs)
        self.seen = ""
        self.new = ""

    def read(self, *endings):
        """Read until one of these is the last thing shown, or the program has ended; which one it was."""
        due = time.monotonic() + PATIENCE_S
        while time.monotonic() < due:
            for ending in endings:
                if ending in self.new:
                    self.new = ""
                    return ending
            ready, _, _ = select.select([self.screen], [], [], 0.5)
            if ready:
                try:
                    part = os.read(self.screen, 65536).decode("utf-8", "replace")
                except OSError:  # the other side is closed
                    part = ""
                if not part:
                    self.process.wait(10)
                    return None
                part = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", part)
                self.seen += part
                self.new += part
        raise AssertionError(f"nothing came any more after:\n{self.seen[-2000:]}")

    def type(self, text):
        os.write(self.screen, text.encode())


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", ["de", "en"])
def test_a_game_to_its_end(name, language):
    ask, quick = {"de": ("> ", "Taste:"), "en": ("> ", "Press a key:")}[language]
    over = {"de": "Das Spiel ist aus.", "en": "The game is over."}[language]
    known = core.about(GAMES[name])["options"]  # in real time once, and once calmly
    hurry = {"en": ["--option", "seconds=5"], "de": ["--option", "calm=on"]}[language] if "seconds" in known else []
    person = Person(name, "--bots", "random", "--seed", "5", "--language", language, *hurry)
    asked = 0
    while (ending := person.read(quick, ask)) is not None:
        asked += 1
        if asked == 1:
            person.type("?\n")
        elif asked == 2:
            person.type("nonsense\n" if ending == ask else "1")
        elif ending == quick:
            person.type("1")
        else:
            offered = re.findall(r"(?:^|\s{2,})(\d+) \w", person.seen.rsplit("╯", 1)[-1])
            person.type(f"{offered[0]}\n" if offered else "\n")
    assert person.process.returncode == 0, person.seen[-2000:]
    assert over in person.seen
    assert "Traceback" not in person.seen


def test_leaving():
    person = Person(next(iter(GAMES)), "--bots", "random")
    person.read("> ")
    person.type("q\n")
    person.read("never shown")
    assert "You have left the table." in person.seen
    assert person.process.returncode == 0


def test_an_ended_input_is_leaving():
    command = [sys.executable, "-m", "cheeseboard", "play", next(iter(GAMES)), "--bots", "random"]
    run = subprocess.run(command, input="", capture_output=True, text=True, check=False)
    assert run.returncode == 0
    assert "You have left the table." in run.stdout
