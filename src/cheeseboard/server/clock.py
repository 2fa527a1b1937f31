"""Time is handed in: the house never looks at a clock of its own, so a whole evening can be played in a second."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    def cancel(self) -> None: ...


class Clock(Protocol):
    def now_ms(self) -> int:
        """The time of day, for logs and people."""

    @property
    def monotonic(self) -> Callable[[], float]:
        """Asks for seconds that only go forward, for waiting and limits."""

    def later(self, seconds: float, call: Callable[[], None]) -> Timer: ...


class LoopClock:
    """The real one, on an event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.monotonic = time.monotonic  # the loop's own counts whole milliseconds, and only once in each of its turns

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def later(self, seconds: float, call: Callable[[], None]) -> Timer:
        return self.loop.call_later(seconds, call)
