"""A bar for whatever takes longer than two seconds. It goes to the error stream and only to a terminal, so that results
can be piped."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

PATIENCE_S = 2.0


@contextmanager
def bar(total: int, what: str) -> Iterator[Callable[[int], None]]:
    """Gives a function to be told how much is done."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    shown = Progress(*columns, console=Console(stderr=True), transient=True)
    begun = time.monotonic()
    task = shown.add_task(what, total=total)

    def done(number: int) -> None:
        shown.update(task, completed=number)
        if not shown.live.is_started and shown.console.is_terminal and time.monotonic() - begun > PATIENCE_S:
            shown.start()

    try:
        yield done
    finally:
        if shown.live.is_started:
            shown.stop()
