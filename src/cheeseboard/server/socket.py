"""The socket: from uvicorn's hands straight into the house, without a queue and without a task per connection.

uvicorn gives every WebSocket handshake to a `Wire`. The sans-IO protocol of `websockets` reads what comes; what goes
out in one turn of the loop is one write. Who reads too slowly is cut off, so nobody waits for anybody. Bytes are
stamped when they arrive, before anything else is done with them."""

import asyncio
import os
import socket
import sys
from functools import partial
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import parse_qs

from uvicorn.config import Config
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.speedups import apply_mask

from cheeseboard.games import GAMES
from cheeseboard.games.core import Refusal
from cheeseboard.server import messages
from cheeseboard.server.door import HEADERS, PATIENCE_S, Door, Visitor
from cheeseboard.server.limits import Bucket
from cheeseboard.server.line import Line, Way
from cheeseboard.server.race import has_races
from cheeseboard.server.refusals import No, no
from cheeseboard.server.room import Room

TEXT, PONG = 0x81, 0x8A  # first bytes of frames that are whole
PING = b"\x89\x08"  # with eight bytes that nobody can guess: an answer cannot come before the question
PONG_SIZE = 8
RACE_PULSE_S = 1.0  # between pings where it matters how long the way is
STALE_MS = 1.0  # what an answer may have lain here and still count
MIN_RTT_AT = 148  # where the kernel's struct tcp_info has it, in microseconds
UNKNOWN_US = 2**32 - 1
CLOSE_S = 2.0  # how long a closed connection may take to say goodbye
USUAL = {1000, 1001, 1005, 1012}  # reasons to part that are nobody's fault


def wires(door: Door) -> Any:
    """What uvicorn calls for each handshake."""
    return partial(Wire, door)


class Wire(asyncio.Protocol):
    def __init__(self, door: Door, config: Config, server_state: ServerState, app_state: dict[str, Any]) -> None:  # noqa: ARG002
        self.door, self.house, self.clock = door, door.house, door.house.clock
        self.limits, self.loop = door.house.limits, asyncio.get_running_loop()
        self.connections: set[Any] = server_state.connections  # uvicorn closes whom it finds there
        self.conn = ServerProtocol(max_size=self.limits.message_bytes)
        self.transport: asyncio.Transport
        self.visitor: Visitor | None = None
        self.line: Line | None = None
        self.room: Room | None = None
        self.address: str | None = None
        self.open = False  # frames may go out
        self.parts: list[bytes] = []
        self.out: list[bytes] = []  # heads and payloads of frames, to be written at the end of this turn
        self.behind = 0  # frames since the last time everything had been sent
        self.alive_at = self.clock.monotonic()
        self.asked: tuple[bytes, float] = (b"", 0.0)  # the last ping, and when it went out
        self.way = Way()
        self.pulse_s = self.limits.ping_seconds
        self.pulse: Any = None
        self.closing: Any = None
        self.cut = ""  # why it was cut off, if it was

    # --- asyncio ----------------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is one in all but name
        self.connections.add(self)

    def data_received(self, data: bytes) -> None:
        self.alive_at = self.clock.monotonic()
        if self.room and (message := self._plain(data)) is not None:
            if data[0] == TEXT:
                self._message(message)
            else:
                self._pong(message)
            return
        self.conn.receive_data(data)
        for event in self.conn.events_received():
            if isinstance(event, Frame):
                self._frame(event)
            elif isinstance(event, Request):
                self._handshake(event)
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self.open = False
        self.connections.discard(self)
        for timer in (self.pulse, self.closing):
            if timer:
                timer.cancel()
        if self.visitor:
            self.door.release(self.visitor)
            self._tell_log()
        line, room, self.line, self.room = self.line, self.room, None, None
        if line:
            line.gone = True
        if line and room:
            self.house.disconnect(room, line)
        elif line:
            self.house.leave_lobby(line)

    def shutdown(self) -> None:
        """The server stops; the house has already said goodbye to those who sit."""
        self.hang_up(1012, "going-away")

    # --- the handshake ----------------------------------------------------------------------------------------------

    def _handshake(self, request: Request) -> None:
        response = self.conn.accept(request)
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            self._answer(response)
            return
        headers = {name.lower(): value for name, value in request.headers.raw_items()}
        peer = (self.transport.get_extra_info("peername") or ("",))[0]
        self.address = self.door.address(headers, peer)
        path, _, query = request.path.partition("?")
        self.closing = self.clock.later(self.limits.authenticate_seconds, self.transport.abort)

        def known(visitor: Visitor | Refusal) -> None:
            if isinstance(visitor, Refusal):
                refusal = no(visitor)
                if refusal.code == "too-often":
                    self.clock.later(PATIENCE_S, partial(self._refuse, refusal))
                else:
                    self._refuse(refusal)
            elif self.transport.is_closing():
                self.door.release(visitor)
            else:
                self.visitor = visitor
                self._enter(visitor, path, parse_qs(query), response)

        self.door.enter(headers, peer, known)

    def _enter(self, visitor: Visitor, path: str, query: dict[str, list[str]], response: Response) -> None:
        match path.strip("/").split("/"):
            case ["api", "lobby"]:
                self.line = self._line(visitor)
                self._answer(response)
                self.house.watch_lobby(self.line)
            case ["api", "tables", table, "play"]:
                since, seat = _number(query, "since"), _number(query, "seat")
                watching = query.get("seat") == ["-1"]  # a screen for everybody, whoever opened it
                self.line = line = self._line(visitor._replace(person="") if watching else visitor)

                def found(room: Room | Refusal) -> None:
                    if line.gone:
                        return
                    if isinstance(room, Refusal):
                        self.line = None
                        self._refuse(no(room))
                        return
                    if has_races(GAMES[room.record.game], room.record.options):
                        line.bucket = Bucket(self.limits.realtime_burst, self.limits.realtime_per_second)
                        self.pulse_s = min(self.pulse_s, RACE_PULSE_S)
                    self.room = room
                    self._answer(response)

                self.house.connect(line, table, since, seat, found)
            case _:
                self._refuse(No("no-socket", f"expected /api/tables/ID/play or /api/lobby, got {path[:80]!r}", 404))

    def _line(self, visitor: Visitor) -> Line:
        bucket = Bucket(self.limits.message_burst, self.limits.messages_per_second)
        self.way = Way(partial(self.house.kernel_ms, self.transport)) if visitor.direct else Way()
        return Line(visitor.person, self.send, self.hang_up, bucket, visitor.address, self._write, self.way)

    def _answer(self, response: Response) -> None:
        self._stop_closing()
        self.conn.send_response(response)
        self._flush()
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            self.house.metrics.lines += 1
            self._beat()
        else:
            self.transport.close()

    def _refuse(self, refusal: No) -> None:
        if self.transport.is_closing():
            return
        self.house.metrics.refused[refusal.code] += 1
        self.door.note("connection-refused", refusal.code, self.address)
        response = self.conn.reject(HTTPStatus(refusal.status), "")
        body = messages.encode(messages.Problem(refusal.code, str(refusal)))
        response.body = body
        del response.headers["Content-Type"], response.headers["Content-Length"]
        for name, value in HEADERS.items():
            response.headers[name] = value
        response.headers["Content-Type"] = "application/json"
        response.headers["Content-Length"] = str(len(body))
        self._answer(response)

    # --- frames -----------------------------------------------------------------------------------------------------

    def _frame(self, frame: Frame) -> None:
        if frame.opcode is Opcode.PONG:
            self._pong(bytes(frame.data))
        elif frame.opcode in {Opcode.TEXT, Opcode.BINARY, Opcode.CONT}:
            self.parts.append(bytes(frame.data))
            if frame.fin:
                data, self.parts = b"".join(self.parts), []
                self._message(data)

    def _plain(self, data: bytes) -> bytes | None:
        """The payload, if `data` is exactly one short text frame or pong, as nearly everything is that comes: half the
        cost of a move was the general way. All else goes there."""
        size = len(data) - 6
        if not 0 <= size < 126 or data[1] != 0x80 | size or data[0] not in (TEXT, PONG):
            return None
        if not self.open or self.conn.reader.buffer or self.parts:
            return None
        return apply_mask(data[6:], data[2:6])

    def _message(self, data: bytes) -> None:
        if self.line and self.room:
            self.house.receive(self.room, self.line, data, self.alive_at)
        elif self.line and not self.line.bucket.take(self.alive_at):  # the lobby only listens, and not to a flood
            self.hang_up(1008, "too-often")

    def send(self, payload: bytes) -> None:
        """Take a frame. All frames of one turn of the loop go out together: to write is the dearest part of a move."""
        if self.open:
            if not self.out:
                self.loop.call_soon(self._write)
            self.out += _head(len(payload)), payload

    def _write(self) -> None:
        """Whoever lets too much pile up is dropped, and may come back for the view as it is."""
        out, self.out = self.out, []
        if out and not self.transport.is_closing():
            waiting = self.transport.get_write_buffer_size()
            self.behind = self.behind + len(out) // 2 if waiting else 0
            self.transport.write(b"".join(out))
            if waiting > self.limits.queue_bytes or self.behind > self.limits.queue_frames:
                self._cut_off("slow")

    def hang_up(self, code: int, reason: str) -> None:
        self._write()
        if self.conn.state is State.OPEN:
            self.conn.send_close(code, reason)
            self._flush()
        else:
            self.transport.close()
        if not self.closing:
            self.closing = self.clock.later(CLOSE_S, self.transport.abort)

    def _cut_off(self, reason: str) -> None:
        self.cut, self.open = reason, False
        self.house.metrics.cut[reason] += 1
        self.transport.abort()

    def _tell_log(self) -> None:
        """A line for every connection that did not end in peace."""
        sent = self.conn.close_sent
        reason = self.cut or (f"{sent.code} {sent.reason}" if sent and sent.code not in USUAL else "")
        if reason:
            self.door.note("connection-cut-off", reason, self.address)

    def _flush(self) -> None:
        for data in self.conn.data_to_send():
            if data:
                self.transport.write(data)
            else:
                self.transport.close()
        self.open = self.conn.state is State.OPEN and not self.transport.is_closing()
        if self.conn.close_expected() and self.conn.state is not State.OPEN and not self.closing:
            self.closing = self.clock.later(CLOSE_S, self.transport.abort)

    def _beat(self) -> None:
        """Ask for a sign of life; who gives none is gone."""
        if self.clock.monotonic() - self.alive_at > self.limits.dead_seconds:
            self._cut_off("dead")
            return
        if self.open:
            self.asked = (os.urandom(PONG_SIZE), self.clock.monotonic())
            self.transport.write(PING + self.asked[0])
        self.pulse = self.clock.later(self.pulse_s, self._beat)

    def _pong(self, nonce: bytes) -> None:
        """The answer to the last ping tells how long the way is; an older one may have been kept back. One that we may
        have let lie ourselves tells how busy we are: it would make the way uneven, and all wait longer for verdicts."""
        asked, at = self.asked
        if asked and nonce == asked:
            self.asked = (b"", 0.0)
            if self.house.lag.ms(self.alive_at) < STALE_MS or not self.way.trips:
                self.way.note(self.alive_at, (self.alive_at - at) * 1000)

    def _stop_closing(self) -> None:
        if self.closing:
            self.closing.cancel()
            self.closing = None


def kernel_ms(transport: asyncio.Transport) -> float | None:
    """The shortest way there and back that the kernel has seen on this connection: `tcpi_min_rtt`."""
    line = None if transport.is_closing() else transport.get_extra_info("socket")
    if line is None or not hasattr(socket, "TCP_INFO") or line.family not in (socket.AF_INET, socket.AF_INET6):
        return None
    facts = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, MIN_RTT_AT + 4)
    if len(facts) < MIN_RTT_AT + 4:
        return None  # an old kernel
    us = int.from_bytes(facts[MIN_RTT_AT:], sys.byteorder)
    return None if us == UNKNOWN_US else us / 1000


def _head(size: int) -> bytes:
    """The header of a final text frame from a server: no mask."""
    if size < 126:
        return bytes((0x81, size))
    return b"\x81\x7e" + size.to_bytes(2, "big") if size < 1 << 16 else b"\x81\x7f" + size.to_bytes(8, "big")


def _number(query: dict[str, list[str]], name: str) -> int | None:
    word = query.get(name, [""])[0]
    return int(word) if word.isascii() and word.isdecimal() and len(word) < 10 else None
