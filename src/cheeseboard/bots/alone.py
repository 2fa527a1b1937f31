"""The process of a bot from a file: views come in, actions go out, and nothing else is here to be seen.

The file is loaded once. Each game is played by a copy of the process as it was then, so that what a bot remembers
lasts for one game at one seat: in an arena the same deal comes again, and it must not know what will be turned up."""

import importlib.util
import inspect
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, NoReturn

import msgspec
import numpy as np

from cheeseboard.games import GAMES, core
from cheeseboard.games.core import Event, Game, State

SIGNATURE = "(game, view, seat, rng, budget)"
ENDED, LEFT = 64, 65  # how a copy says that its game is over, or that nobody listens any more
TEXT_MOST = 200  # letters of what a bot throws at us
NUMBER_MOST = 10**9


class Question(msgspec.Struct):
    """What a seat knows, a seed for its dice, how hard to think, and to who listens what was told, act by act."""

    view: dict[str, Any]
    seat: int
    seed: int
    budget: int
    past: Sequence[Sequence[Event]]


class Answer(msgspec.Struct):
    """What was chosen, or what went wrong; first of all, who is there."""

    action: int = -1
    wrong: str = ""
    line: int = 0  # where the function begins, or where it went wrong
    budget: int = 0
    past: bool = False  # whether it listens


class Wrong(Exception):
    """The file is not what was expected."""

    def __init__(self, text: str, line: int = 0) -> None:
        super().__init__(text)
        self.line = line


class TooSlow(BaseException):
    """So that nobody's `except Exception` holds it up."""


def main(file_number: str, game: str, file: str, name: str, limit_s: str) -> None:
    house, path = Connection(int(file_number)), Path(file).absolute()
    try:
        choose, hello = load(path, name)
    except Wrong as wrong:
        say(house, Answer(wrong=str(wrong), line=wrong.line))
        return
    say(house, hello)
    while house.poll(None):  # until a game begins
        copy = os.fork()
        if copy == 0:
            play(house, GAMES[game], choose, hello, path, float(limit_s))
        code = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
        if code == LEFT:
            return
        if code != ENDED:
            say(house, Answer(wrong=f"nothing: its process ended with code {code}", line=hello.line))


def load(path: Path, name: str) -> tuple[Callable[..., Any], Answer]:
    """The function, and what there is to know about it."""
    sys.path.insert(0, str(path.parent))  # a bot may have more than one file
    sys.dont_write_bytecode = True  # of a file that is just being written, the old one could be taken for the new
    spec = importlib.util.spec_from_file_location("own_bot", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise Wrong(f"expected Python, got {error.msg}", error.lineno or 0) from None
    except BaseException as error:  # noqa: BLE001  # whatever it is, it is the bot's
        raise Wrong(f"expected a file that can be loaded, got {told(error)}", line_of(error, path)) from None
    return found(module, name)


def found(module: ModuleType, name: str) -> tuple[Callable[..., Any], Answer]:
    choose = getattr(module, name, None)
    if not inspect.isfunction(choose):
        others = [other for other, value in vars(module).items() if inspect.isfunction(value)]
        raise Wrong(f"expected a function {name}{SIGNATURE}, got {', '.join(others) or 'no function at all'}")
    line = choose.__code__.co_firstlineno
    try:
        inspect.signature(choose).bind(*range(5))
    except TypeError:
        got = f"{name}{inspect.signature(choose)}"
        raise Wrong(f"expected a function {name}{SIGNATURE}, got {got}", line) from None
    budget = core.whole(getattr(module, "BUDGET", 0))
    if budget is None or budget < 0:
        raise Wrong(f"expected BUDGET as a whole number from 0, got {told(module.BUDGET)}", line)
    return choose, Answer(line=line, budget=budget, past="past" in inspect.signature(choose).parameters)


def play(
    house: Connection, game: Game, choose: Callable[..., Any], hello: Answer, path: Path, limit_s: float
) -> NoReturn:
    """Answer the questions of one game. An empty one says that it is over."""
    signal.signal(signal.SIGALRM, too_slow)
    try:
        while asked := house.recv_bytes():
            question = msgspec.json.decode(asked, type=Question)
            view, dice = State(game.STATE, question.view), np.random.default_rng(question.seed)
            listens = {"past": question.past} if hello.past else {}
            think = partial(choose, game, view, question.seat, dice, question.budget, **listens)
            say(house, answer(think, path, limit_s))
    except (EOFError, OSError):
        os._exit(LEFT)
    os._exit(ENDED)


def answer(think: Callable[[], Any], path: Path, limit_s: float) -> Answer:
    """What the bot says in time, or what went wrong and where."""
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, limit_s)
            action = think()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except TooSlow as error:
        return Answer(wrong=f"none within {limit_s:g} s", line=line_of(error, path))
    except BaseException as error:  # noqa: BLE001
        return Answer(wrong=told(error), line=line_of(error, path))
    number = core.whole(action)
    fits = number is not None and abs(number) <= NUMBER_MOST
    return Answer(number or 0) if fits else Answer(wrong=told(action))


def too_slow(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
    raise TooSlow


def line_of(error: BaseException, path: Path) -> int:
    """The last line of the bot's own file that led to it."""
    lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == str(path)]
    return lines[-1] if lines else 0


def told(value: object) -> str:
    """Anything at all, in one line."""
    try:
        text = f"{type(value).__name__}: {value}" if isinstance(value, BaseException) else repr(value)
    except Exception:  # noqa: BLE001  # a bot's own class may fail even at this
        text = type(value).__name__
    return " ".join(text.encode("utf-8", "replace").decode().split())[:TEXT_MOST]


def say(house: Connection, message: Answer) -> None:
    house.send_bytes(msgspec.json.encode(message))


if __name__ == "__main__":
    with suppress(BrokenPipeError):  # nobody listens any more
        main(*sys.argv[1:])
