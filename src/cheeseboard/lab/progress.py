"""A bar for whatever takes longer than two seconds. It goes to the error stream and only to a terminal, so that results
can be piped."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

PATIENCE_S = 2.0


@contextmanager
def bar(total: int, what: str) -> Iterator[Callable[..., None]]:
    """Gives a function to be told how much is done, and of how much if that has changed. Until it is told for the first
    time, the bar only moves."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    shown = Progress(*columns, console=Console(stderr=True), transient=True)
    task = shown.add_task(what, total=None)
    patience = Timer(PATIENCE_S, shown.start)
    if shown.console.is_terminal:
        patience.start()
    try:
        yield lambda done, all_of_it=total: shown.update(task, total=all_of_it, completed=done)
    finally:
        patience.cancel()
        if shown.live.is_started:
            shown.stop()
