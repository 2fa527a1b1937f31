"""A bot of your own: a Python file with a function `choose(game, view, seat, rng, budget)`.

It plays in a process of its own to which only views are sent. What is wrong with it is said in one line, and ends the
run: a result with other moves in the name of a bot would say nothing about it, and how slow is too slow differs from
machine to machine, while the same seed shall give the same result."""

import atexit
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from pathlib import Path
from typing import NamedTuple, NoReturn

import msgspec
import numpy as np

from cheeseboard.bots import Past, Player, player
from cheeseboard.bots.alone import Answer, Question
from cheeseboard.games import core
from cheeseboard.games.core import Game, Refusal, State, members

LIMIT_S = 10.0  # for one choice
LIMIT_S_MOST = 86_400
LOAD_S = 60.0  # for loading the file: there it may read and compile what it needs
GRACE_S = 5.0  # after the limit: the process itself says where it was, unless it hangs
SEEDS = 1 << 63


class Source(NamedTuple):
    """Where a bot of one's own is."""

    path: str
    name: str = "choose"


def source(word: str) -> Source | None:
    """A file of Python and perhaps a function in it; None for the name of a bot of the house.

    >>> source("my_bot.py"), source("bots/mine.py:bold"), source("cat")
    (Source(path='my_bot.py', name='choose'), Source(path='bots/mine.py', name='bold'), None)
    """
    path, colon, name = word.rpartition(":")
    if word.endswith(".py"):
        return Source(word)
    return Source(path, name) if colon and path.endswith(".py") else None


def check(game: Game, names: Sequence[str], limit_s: float = LIMIT_S) -> None:
    """Refuse whoever cannot play, before anything is started."""
    for name in dict.fromkeys(names):
        own = source(name)
        if own is None:
            player(game, name)
        else:
            Alone(game, own, limit_s).close()


@contextmanager
def company(game: Game, names: Sequence[str], limit_s: float = LIMIT_S) -> Iterator[list[Player]]:
    """The players of one game, by seat. Those from files have a process for each seat, which forgets all afterwards."""
    owns = {seat: own for seat, name in enumerate(names) if (own := source(name))}
    house = {seat: player(game, name) for seat, name in enumerate(names) if seat not in owns}
    alone = {seat: _seated(game, own, seat, limit_s) for seat, own in owns.items()}
    try:
        yield [
            house[seat] if seat in house else Player(alone[seat].choose, alone[seat].budget, alone[seat].past)
            for seat in range(len(names))
        ]
    finally:
        for bot in alone.values():
            bot.end_game()


class Alone:
    """A bot in a process of its own."""

    def __init__(self, game: Game, own: Source, limit_s: float) -> None:
        self.own, self.limit_s = own, limit_s
        if not 0 < limit_s <= LIMIT_S_MOST:
            raise Refusal(f"expected more than 0 and at most {LIMIT_S_MOST} seconds for a choice, got {limit_s:g}")
        self.version = _version(own.path)
        self.line, theirs = Pipe()
        self.process = subprocess.Popen(  # noqa: S603
            [
                *(sys.executable, "-P", "-u", "-m", "cheeseboard.bots.alone"),
                *(str(theirs.fileno()), core.name(game), own.path, own.name, repr(limit_s)),
            ],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=2,  # what a bot prints is for its author and not part of a result
            start_new_session=True,  # so that it ends with everything it has started
            env={"OMP_NUM_THREADS": "1", **os.environ},  # the cores are shared by games already
        )
        theirs.close()
        self.playing = self.thinking = False
        hello = self._heard(LOAD_S, f"expected it to be loaded within {LOAD_S:g} s")
        if hello.wrong:
            self._refuse(hello.line, hello.wrong)
        self.budget, self.begins, self.past = hello.budget, hello.line, hello.past

    def choose(
        self, game: Game, view: State, seat: int, rng: np.random.Generator, budget: int, *, past: Past = ()
    ) -> int:
        may = members(game.legal(view, seat))
        expected = f"expected one of {', '.join(map(str, may))} from {self.own.name} at seat {seat}"
        self.playing = self.thinking = True
        question = Question(vars(view), seat, int(rng.integers(SEEDS)), budget, past)
        with suppress(OSError):  # what has ended does not hear us; nor will it answer
            self.line.send_bytes(msgspec.json.encode(question))
        answer = self._heard(self.limit_s + GRACE_S, expected)
        self.thinking = False
        if answer.wrong or answer.action not in may:
            self._refuse(answer.line or self.begins, f"{expected}, got {answer.wrong or answer.action}")
        return answer.action

    def end_game(self) -> None:
        """What it knew of this game it does not know in the next."""
        if self.thinking:  # we were interrupted: its answer would come in the wrong game
            self.close()
        elif self.playing:
            with suppress(OSError):
                self.line.send_bytes(b"")
        self.playing = False

    def close(self) -> None:
        self.line.close()
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def _heard(self, limit_s: float, expected: str) -> Answer:
        try:
            if self.line.poll(limit_s):
                return msgspec.json.decode(self.line.recv_bytes(), type=Answer)
            got = "nothing: it hangs"
        except (EOFError, OSError, msgspec.DecodeError):
            got = "nothing: its process has ended"
        return self._refuse(0, f"{expected}, got {got}")

    def _refuse(self, line: int, text: str) -> NoReturn:
        self.close()
        raise Refusal(f"{self.own.path}{f':{line}' if line else ''}: {text}")


_alone: dict[tuple[object, ...], Alone] = {}  # the processes of this one, kept from game to game


def _seated(game: Game, own: Source, seat: int, limit_s: float) -> Alone:
    whose = (os.getpid(), core.name(game), Path(own.path).absolute(), own.name, seat, limit_s)  # a fork has its own
    version = _version(own.path)
    bot = _alone.get(whose)
    if bot and bot.version != version:  # whoever writes a bot runs it again and again
        bot.close()
    if not bot or bot.process.returncode is not None:
        bot = _alone[whose] = Alone(game, own, limit_s)
    return bot


def _version(path: str) -> tuple[int, int]:
    """Of a file that can be read."""
    try:
        with Path(path).open("rb") as file:
            found = os.fstat(file.fileno())
    except OSError as error:
        raise Refusal(f"expected a bot in a file that can be read, got {path!r}: {error.strerror}") from None
    return found.st_mtime_ns, found.st_size


@atexit.register
def _close_all() -> None:
    for whose, bot in _alone.items():
        if whose[0] == os.getpid():
            bot.close()
