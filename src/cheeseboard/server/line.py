"""A connection as the house sees it: somebody at the other end, and an outlet for bytes."""

from collections.abc import Callable

from cheeseboard.server.limits import Bucket
from cheeseboard.server.messages import FromHouse, encode

FRAME = 256  # views are padded to whole multiples: the length of a frame tells an eavesdropper nothing about a hand


class Line:
    """`sink` takes a frame and never waits; `hang_up` closes with a WebSocket code. Both are handed in."""

    def __init__(
        self,
        person: str,
        sink: Callable[[bytes], None],
        hang_up: Callable[[int, str], None],
        bucket: Bucket,
        address: str | None = None,
    ) -> None:
        self.person, self.address = person, address
        self.sink, self.hang_up = sink, hang_up
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
