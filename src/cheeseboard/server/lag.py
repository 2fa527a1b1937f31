"""How long a message may have lain before the house looked at it: the house's own fault, and nobody else's loss.

A timer that should have gone off is late by as long as the loop was busy, and whatever came in meanwhile waited as
long at most. It ticks only while somebody races."""

from math import inf

from cheeseboard.server.clock import Clock, Timer

TICK_S = 0.01
FRESH_S = 0.002  # a tick so shortly before belongs to the same turn of the loop
MOST_MS = 50.0


class Lag:
    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.races = 0
        self.timer: Timer | None = None
        self.due, self.ticked, self.late = inf, -inf, 0.0

    def begin(self) -> None:
        self.races += 1
        if self.races == 1:
            self._wind()

    def end(self) -> None:
        self.races -= 1
        if not self.races and self.timer:
            self.timer.cancel()
            self.due, self.ticked = inf, -inf

    def ms(self, now: float) -> float:
        """At most so long has lain what came in at `now`."""
        late = max(self.late if now - self.ticked < FRESH_S else 0.0, now - self.due, 0.0)
        return min(late * 1000, MOST_MS)

    def _wind(self) -> None:
        self.due = self.clock.monotonic() + TICK_S
        self.timer = self.clock.later(TICK_S, self._tick)

    def _tick(self) -> None:
        self.ticked = self.clock.monotonic()
        self.late = self.ticked - self.due
        self._wind()
