"""Single key presses with a time limit, for games in real time."""

import os
import select
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def single_keys() -> Iterator[None]:
    """As long as this lasts, a key counts when it is pressed, not when the line is finished."""
    if not sys.stdin.isatty():
        yield
        return
    import termios  # not on Windows, where only this game in real time is missing
    import tty

    stream = sys.stdin.fileno()
    before = termios.tcgetattr(stream)
    tty.setcbreak(stream)
    try:
        termios.tcflush(stream, termios.TCIFLUSH)  # what was pressed before the mouse was there does not count
        yield
    finally:
        termios.tcsetattr(stream, termios.TCSADRAIN, before)


def key_until(due: float) -> str | None:
    """The next key, or None when the time (`time.monotonic`) has come. An ended input gives an empty key."""
    patience = max(0.0, due - time.monotonic())
    ready, _, _ = select.select([sys.stdin], [], [], patience)
    return os.read(sys.stdin.fileno(), 1).decode("utf-8", "replace") if ready else None
