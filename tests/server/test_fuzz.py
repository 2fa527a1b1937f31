"""Nonsense of all kinds, from a seed, against a real house: no 5xx, no crash, and no table that is touched by it."""

import json
import socket
from collections import Counter
from contextlib import ExitStack, closing, suppress
from random import Random
from typing import Any

import msgspec
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import checks
from schemathesis.core.result import Ok
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from cheeseboard.server import messages
from tests.server.knocking import (
    WAIT_S,
    Guest,
    HungUp,
    call,
    frame,
    get,
    handshake,
    heard,
    new_guest,
    new_table,
    post,
    sitting,
    socket_to,
)
from tests.server.running import Running

ADMIN = {"authorization": "Bearer admin-token-of-the-tests"}


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with Running(tmp_path_factory.mktemp("fuzz") / "house") as running:
        yield running
        assert running.alive
        lines = [json.loads(line) for line in running.log.splitlines() if line.startswith("{")]
        assert [line for line in lines if line["level"] not in {"info", "warning"}] == []
        assert "Traceback" not in running.log


# --- HTTP -----------------------------------------------------------------------------------------------------------


CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]
EXAMPLES = settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


@pytest.mark.parametrize("mode", schemathesis.GenerationMode)
def test_whatever_is_asked_is_answered_as_described(house, mode):
    """Every operation of the API, rightly and wrongly: by a stranger, by a guest, and about a table that is there."""
    guest = new_guest(house)
    table = new_table(house, guest, seats=["me", "open"])
    statuses: Counter[int] = Counter()
    with requests.Session() as session:

        def answered(case):
            way = len(repr(case.body) + repr(case.path_parameters)) % 3
            if way == 2 and "table" in (case.path_parameters or {}):
                case.path_parameters["table"] = table
            known = ADMIN if case.operation.path.startswith("/api/admin") else guest.bearer
            answer = case.call_and_validate(
                session=session, headers=known if way else {}, timeout=WAIT_S, checks=CHECKS
            )
            session.cookies.clear()
            statuses[answer.status_code] += 1

        for found in schemathesis.openapi.from_url(f"{house.url}/docs/openapi.json").get_all_operations():
            assert isinstance(found, Ok)
            with suppress(Unsatisfiable):  # nothing can be wrong where nothing is asked for
                EXAMPLES(given(found.ok().as_strategy(generation_mode=mode))(answered))()
    positive = mode == schemathesis.GenerationMode.POSITIVE
    assert statuses.keys() >= ({200, 201, 400, 401, 404} if positive else {400})
    assert statuses.total() > 100


# --- the socket -----------------------------------------------------------------------------------------------------

VALID: list[dict[str, Any]] = [
    {"t": "play", "id": "a", "action": 7},
    {"t": "play", "id": "b", "action": 7, "seat": 0},
    {"t": "commit", "attempt": 0, "hash": "0" * 64},
    {"t": "seed", "attempt": 0, "seed": "f" * 64, "seat": 0},
    {"t": "say", "phrase": "hello"},
    {"t": "say", "text": "Hallo!"},
    {"t": "look", "seat": 0},
    {"t": "ping", "at": 1.5},
]
ODD: list[Any] = [
    None, True, -1, 0, 61, 62, 2**31, 2**63, 2**64, -(2**63), 10**400, 0.5, 1e308, "", "7", "\0", "\u202e", "ä" * 70,
    "x" * 5000, [], {}, [[]], {"t": "play"}, [0] * 1000,
]  # fmt: skip
BY_HAND = [
    b"", b" ", b"{", b"}", b"[]", b"null", b"0", b'"play"', b"{}", b'{"t":1}', b'{"t":"cheat"}', b'{"t":null}',
    b'{"t":"play","id":"a","action":1e999}', b'{"t":"play","id":"a","action":-0}', b'{"t":"look","seat":NaN}',
    b'{"t":"ping","at":NaN}', b'{"t":"ping","at":Infinity}', b'{"t":"ping","at":-1e999}', b'{"t":"ping","at":1e99999}',
    b'{"t":"play","id":"a","action":' + b"9" * 5000 + b"}", b'{"t":"ping","at":' + b"1" * 8000 + b"}",
    b'{"t":"play","t":"ping","id":"a","action":7}', b'{"t":"play","id":"a","id":"b","action":99,"action":98}',
    b"[" * 8000, b'{"a":' * 1300, b'{"t":"play","id":' + b"[" * 4000, b'{"id":' + b'[{"id":' * 1000,
    b'{"t":"play","id":"\xff\xfe","action":7}', b"\xff" * 100, b"\xed\xa0\x80", b'{"t":"say","text":"\xc0\xaf"}',
    b'\xef\xbb\xbf{"t":"look","seat":5}', b'{"t":"say","text":"\\ud800"}', b'{"t":"say","phrase":"\\u0000"}',
    b'{"t":"look","seat":0}{"t":"look","seat":0}', b"{'t':'look'}", b'{"t":"look","seat":0,}', b'/**/{"t":"look"}',
]  # fmt: skip


def mutated(luck: Random) -> bytes:
    """A valid message with something wrong."""
    message = {**luck.choice(VALID)}
    what = luck.randrange(5)
    if what == 0:
        message[luck.choice(list(message))] = luck.choice(ODD)
    elif what == 1:
        message.pop(luck.choice(list(message)))
    elif what == 2:
        message[luck.choice(["x", "seat", "id", "at", "__class__", ""])] = luck.choice(ODD)
    data = bytearray(json.dumps(message).encode())
    if what > 2:
        for _ in range(luck.randint(1, 4)):
            data[luck.randrange(len(data))] = luck.randrange(256)
    return bytes(data if what < 4 else data[: luck.randrange(len(data))])


def scribbled(luck: Random, depth: int = 0) -> Any:
    """Any JSON."""
    if depth > 4 or luck.random() < 0.4:
        return luck.choice(ODD)
    if luck.random() < 0.5:
        return [scribbled(luck, depth + 1) for _ in range(luck.randrange(4))]
    return {
        luck.choice(["t", "id", "action", "seat", "x"]): scribbled(luck, depth + 1) for _ in range(luck.randrange(4))
    }


def texts(luck: Random) -> list[bytes]:
    found = [mutated(luck) for _ in range(700)]
    found += [json.dumps(scribbled(luck)).encode() for _ in range(200)]
    found += [luck.randbytes(luck.randrange(300)) for _ in range(100)]
    found += BY_HAND
    luck.shuffle(found)
    return [data for data in found if len(data) <= 8192 and not legal(data)]


def legal(data: bytes) -> bool:
    """Whether it would be a move: then the house should do it."""
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        message = messages.decode(data)
        return isinstance(message, messages.Play) and message.action < 15
    return False


@pytest.fixture(scope="module")
def quiet(house):
    """A table in the middle of a game, at which nobody moves, whatever is tried."""
    guests = new_guest(house), new_guest(house, "Otto")
    table = new_table(house, guests[0], seats=["me", "open"])
    post(f"{house.url}/api/tables/{table}/sit", json={}, headers=guests[1].bearer).raise_for_status()
    with ExitStack() as lines:
        for guest in guests:
            line = lines.enter_context(sitting(house, guest, table))
        view = heard(line, "view")
        line.send(json.dumps({"t": "play", "id": "first", "action": view["legal"][0]}))
        heard(line, "done")
    return table, guests


class Elsewhere:
    """Another table of the same house, where a game goes on against a bot."""

    def __init__(self, house: Running, stack: ExitStack) -> None:
        self.house, self.stack, self.guest = house, stack, new_guest(house, "Frieda")
        self.sit_down()

    def sit_down(self) -> None:
        self.line = self.stack.enter_context(sitting(self.house, self.guest, new_table(self.house, self.guest)))
        self.moves = 0

    def goes_on(self) -> None:
        view = heard(self.line, "view")
        while not view["over"] and 0 not in view["waiting"]:
            view = heard(self.line, "view")
        if view["over"]:
            self.sit_down()
            self.goes_on()
            return
        self.moves += 1
        self.line.send(json.dumps({"t": "play", "id": f"m{self.moves}", "action": view["legal"][0]}))


def looks(house: Running, table: str, guests: tuple[Guest, ...]) -> list[str]:
    """The table through everybody's eyes, byte by byte; and through those of a stranger."""
    found = []
    for headers in (*(guest.bearer for guest in guests), {}):
        with socket_to(house, f"/api/tables/{table}/play", headers) as line:
            while not (text := str(line.recv(timeout=WAIT_S))).startswith('{"t":"view"'):
                pass
            found.append(text)
    return found


def echoed(line: ClientConnection, mark: float) -> bool:
    """Whether the connection lives; if so, everything sent before has been heard."""
    try:
        line.send(json.dumps({"t": "ping", "at": mark}))
        while heard(line, "pong")["at"] != mark:
            pass
    except ConnectionClosed:
        return False
    return True


@pytest.mark.parametrize("seed", range(4))
def test_messages_that_make_no_sense(house, quiet, seed):
    """Each gets its answer, the connection stays, and nobody else notices."""
    luck = Random(seed)
    table, guests = quiet
    before = looks(house, table, guests)
    with ExitStack() as stack:
        elsewhere = Elsewhere(house, stack)
        line = stack.enter_context(sitting(house, guests[0], table))
        for n, data in enumerate(texts(luck)):
            line.send(data, text=luck.random() < 0.8)
            if n % 100 == 0:
                assert echoed(line, n + 0.25)
                elsewhere.goes_on()
        assert echoed(line, -1.0)
    assert looks(house, table, guests) == before
    assert get(f"{house.url}/api/tables/{table}").json()["n"] == json.loads(before[0])["n"]


def test_what_is_refused_says_why(house, quiet):
    table, guests = quiet
    with sitting(house, guests[0], table) as line:
        for data in BY_HAND:
            if len(data) <= 8192 and not legal(data) and b'"ping"' not in data:
                line.send(data, text=True)
                refused = heard(line, "refused")
                assert refused["code"] in {"bad-message", "bad-say", "no-phrase", "no-free-text", "wrong-seat"}
                assert refused["text"]


PING = b'{"t":"ping","at":7}'
FRAMES = {  # what follows the handshake -> whether the house still talks to us then
    "in pieces": (frame(PING[:3], fin=False) + frame(PING[3:9], 0, fin=False) + frame(PING[9:], 0), True),
    "letter by letter": (frame(b"", fin=False) + b"".join(frame(bytes([c]), 0, fin=c == 125) for c in PING), True),
    "a control frame between pieces": (frame(PING[:3], fin=False) + frame(b"hi", 9) + frame(PING[3:], 0), True),
    "empty pieces": (frame(b"", fin=False) + frame(b"", 0, fin=False) * 50 + frame(PING, 0), True),
    "as binary": (frame(PING, 2), True),
    "pings": (frame(b"x" * 125, 9) * 20 + frame(PING), True),
    "pongs that nobody asked for": (frame(b"", 10) * 20 + frame(PING), True),
    "a zero mask": (frame(PING, mask=b"\0\0\0\0"), True),
    "no mask": (frame(PING, mask=None), False),
    "a later piece without a first": (frame(PING, 0), False),
    "a new message before the end of the last": (frame(PING[:3], fin=False) + frame(PING), False),
    "a control frame in pieces": (frame(b"hi", 9, fin=False), False),
    "a control frame too long": (frame(b"x" * 126, 9), False),
    "reserved bits": (bytes([frame(PING)[0] | 0x40]) + frame(PING)[1:], False),
    "a reserved kind": (frame(PING, 3), False),
    "a reserved control kind": (frame(b"", 11), False),
    "a length that is too long": (b"\x81\xff" + b"\xff" * 8, False),
    "a length that is too large": (b"\x81\xff" + (1 << 40).to_bytes(8, "big") + b"\0" * 4, False),
    "a length in too many bytes": (b"\x81\xfe\x00\x01\0\0\0\0x" + frame(PING), True),
    "pieces that are too large together": (frame(b"x", fin=False) + frame(b"x" * 4000, 0, fin=False) * 3, False),
    "goodbye": (frame(b"\x03\xe8", 8), False),
    "goodbye without a reason": (frame(b"", 8), False),
    "goodbye of one byte": (frame(b"\x03", 8), False),
    "goodbye for a reason that is none": (frame(b"\x00\x00", 8), False),
    "goodbye in no language": (frame(b"\x03\xe8\xff\xff", 8), False),
    "goodbye and more": (frame(b"\x03\xe8", 8) + frame(PING) * 100, False),
}  # fmt: skip


@pytest.mark.parametrize("name", FRAMES)
def test_frames_that_make_no_sense(house, quiet, name):
    """The house answers, or ends this connection properly, with a close frame; the table does not notice."""
    data, talks = FRAMES[name]
    table, guests = quiet
    before = looks(house, table, guests)
    for cut in (len(data), 1, len(data) // 2):  # arrives as one, or in two parts
        status, _, line = handshake(house, f"/api/tables/{table}/play", guests[0].bearer)
        with closing(line):
            assert status == 101
            line.sendall(data[:cut])
            line.sendall(data[cut:])
            heard_bytes = b""
            with suppress(ConnectionError):
                while (b'"t":"pong"' not in heard_bytes) if talks else True:
                    more = line.recv(65536)
                    assert more or not talks, f"expected an answer, got {heard_bytes[-200:]!r}"
                    if not more:
                        break
                    heard_bytes += more
            if talks:
                assert b'"at":7.0' in heard_bytes
            else:
                assert b'"t":"pong"' not in heard_bytes
                assert b"\x88" in heard_bytes[-130:]
    assert looks(house, table, guests) == before


@pytest.mark.parametrize("seed", range(3))
def test_bytes_that_are_no_frames(house, quiet, seed):
    luck = Random(seed)
    table, guests = quiet
    before = looks(house, table, guests)
    for _ in range(60):
        status, _, line = handshake(house, f"/api/tables/{table}/play", guests[0].bearer)
        assert status == 101
        with closing(line), suppress(OSError):
            data = bytearray(frame(PING) * 3 if luck.random() < 0.5 else luck.randbytes(luck.randrange(1, 400)))
            for _ in range(luck.randrange(4)):
                data[luck.randrange(len(data))] ^= 1 << luck.randrange(8)
            line.sendall(data)
            if luck.random() < 0.5:
                line.shutdown(socket.SHUT_WR)  # half closed: we would still hear
                while line.recv(65536):
                    pass
    assert looks(house, table, guests) == before


@pytest.mark.parametrize("how", ["half closed", "reset", "in the middle of a frame", "before the handshake is over"])
def test_who_goes_without_a_word(house, quiet, how):
    """Many at once, in every state; afterwards no connection is counted any more."""
    table, guests = quiet
    before = looks(house, table, guests)
    for _ in range(20):
        if how == "before the handshake is over":
            with closing(call(house)) as line:
                line.sendall(
                    f"GET /api/tables/{table}/play HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: web".encode()
                )
            continue
        status, _, line = handshake(house, f"/api/tables/{table}/play", guests[0].bearer)
        assert status == 101
        if how == "half closed":
            line.shutdown(socket.SHUT_WR)
            with suppress(ConnectionError):
                while line.recv(65536):
                    pass
        elif how == "in the middle of a frame":
            line.sendall(frame(PING)[:7])
        else:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        line.close()
    assert looks(house, table, guests) == before
    for _ in range(1000):
        if get(f"{house.url}/api/admin/tables", headers=ADMIN).json()["connections"] == 0:
            return
    pytest.fail("expected all connections to be gone")


HANDSHAKES = [
    "//[", "/api/tables/[/play", "/api/tables/%00/play", "/api/tables//play", "/api/tables/zzzzz/play/", "*", "?",
    "http://evil.example/api/lobby", "/api/tables/TABLE/play?since=" + "9" * 20, "/api/tables/TABLE/play?seat=-1",
    "/api/tables/TABLE/play?since=٣", "/api/tables/TABLE/play?since=1&since=2&seat=%ff",
    "/api/tables/TABLE/play?" + "a&" * 2000,
    "/api/tables/TABLE/play#x", "/api/tables/" + "z" * 6000 + "/play", "/api/lobby?" + "%" * 500,
]  # fmt: skip
HEADERS = [
    {}, {"Cookie": "cheeseboard"}, {"Cookie": "cheeseboard=\xff"}, {"Cookie": "=;;=;" * 500},
    {"Authorization": "Bearer"},
    {"Authorization": "Bearer \xe4"}, {"Authorization": "Bearer " + "x" * 5000}, {"Origin": "http://["}, {"Host": ""},
    {"Host": "["}, {"Sec-WebSocket-Key": "x"}, {"Sec-WebSocket-Version": "12"}, {"Sec-WebSocket-Extensions": 'a;b="c'},
    {"Sec-WebSocket-Protocol": "a, b"}, {"X-Forwarded-For": "x" * 3000}, {"Upgrade": "h2c"}, {"Connection": "close"},
]  # fmt: skip


@pytest.mark.parametrize("headers", HEADERS, ids=lambda headers: ascii(headers)[:40])
def test_handshakes_that_make_no_sense(house, quiet, headers):
    table, _ = quiet
    for path in HANDSHAKES:
        asked = path.replace("TABLE", table).encode().decode("latin-1")
        try:
            status, body, line = handshake(house, asked, headers)
        except (ConnectionError, HungUp):
            continue  # an answer too
        line.close()
        assert status < 500, (status, body)
    assert get(f"{house.url}/healthz").text == "ok"


def test_the_fuzz_is_repeatable():
    assert texts(Random(5)) == texts(Random(5)) != texts(Random(6))
