"""Work shared by all cores. What comes out must not depend on who did it, nor on who was first."""

import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import active_children
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def processes(cores: int) -> Iterator[ProcessPoolExecutor]:
    """Workers in processes. If something goes wrong, nobody waits for what they are still at."""
    others = set(active_children())
    crew = ProcessPoolExecutor(cores, initializer=_stop_at_once)
    try:
        yield crew
    except BaseException:
        for worker in set(active_children()) - others:
            worker.kill()
        raise
    finally:
        crew.shutdown()


def finished(crew: Executor, cores: int, calls: Iterable[Callable[[], T]]) -> Iterator[T]:
    """What the calls give, in the order in which they are done. Only as many are waiting as keep everybody busy."""
    rest = iter(calls)
    begun: set[Future[T]] = set()
    more = True
    try:
        while more or begun:
            while more and len(begun) < 2 * cores:
                call = next(rest, None)
                more = call is not None
                if call is not None:
                    begun.add(crew.submit(call))
            if begun:
                done = next(as_completed(begun))
                begun.remove(done)
                yield done.result()
    finally:
        for waiting in begun:
            waiting.cancel()


def _stop_at_once() -> None:
    """Ctrl-C ends a worker in the middle of its game and without a word; the command says what there is to say."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
