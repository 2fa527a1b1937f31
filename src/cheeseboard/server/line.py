"""A connection as the house sees it: somebody at the other end, an outlet for bytes, and how long the way is."""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from cheeseboard.server.limits import Bucket
from cheeseboard.server.messages import FromHouse, encode

FRAME = 256  # views are padded to whole multiples: the length of a frame tells an eavesdropper nothing about a hand
LATELY_S = 20.0  # ways there and back that still tell how long the way is


class Length(NamedTuple):
    """Of a way there and back, in milliseconds."""

    trip: float  # the shortest of late
    jitter: float  # how much longer nine of ten are at most
    kernel: float | None  # the shortest the kernel has seen


class Way:
    """How long messages travel: answered pings, and what the kernel has seen, where it knows the other end."""

    def __init__(self, kernel: Callable[[], float | None] = lambda: None) -> None:
        self.kernel = kernel  # the shortest way there and back in milliseconds, None: behind a proxy
        self.trips: deque[tuple[float, float]] = deque()  # (when, milliseconds)

    def note(self, now: float, ms: float) -> None:
        self.trips.append((now, ms))
        self._forget(now)

    def measured(self, now: float, jitter: tuple[float, float]) -> Length:
        """As far as is known, the jitter within bounds."""
        self._forget(now)
        trips = sorted(ms for _, ms in self.trips)
        if not trips:
            return Length(0.0, jitter[0], self.kernel())
        uneven = min(max(trips[(9 * len(trips) + 9) // 10 - 1] - trips[0], jitter[0]), jitter[1])
        return Length(trips[0], uneven, self.kernel())

    def _forget(self, now: float) -> None:
        """The last one stays: an old answer is better than none."""
        while len(self.trips) > 1 and self.trips[0][0] < now - LATELY_S:
            self.trips.popleft()


class Line:
    """`sink` takes a frame and never waits, `push` sends all that it took; `hang_up` closes with a WebSocket code. All
    are handed in."""

    def __init__(
        self,
        person: str,
        sink: Callable[[bytes], None],
        hang_up: Callable[[int, str], None],
        bucket: Bucket,
        address: str | None = None,
        push: Callable[[], None] = lambda: None,
        way: Way | None = None,
    ) -> None:
        self.person, self.address = person, address
        self.sink, self.hang_up, self.push = sink, hang_up, push
        self.way = way or Way()
        self.bucket = bucket
        self.warned = False
        self.gone = False  # the other end has hung up, perhaps before it was let in
        self.look = -1  # the seat whose eyes this connection has
        self.told = -1  # the number of the last act it was told of; -1: no view yet
        self.heard_at = 0.0  # when the message being answered came in

    def send(self, message: FromHouse) -> None:
        self.sink(encode(message))


def padded(frame: bytes) -> bytes:
    return frame.ljust(-(-len(frame) // FRAME) * FRAME)
