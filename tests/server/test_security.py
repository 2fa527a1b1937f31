"""Whoever comes to the door: other sites' pages, flooders, the slow and the sly. Against a real house."""

import asyncio
import json
import os
import socket
import time
import tomllib
from contextlib import AsyncExitStack, ExitStack, suppress
from pathlib import Path
from random import Random

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cheeseboard.client import Refused
from cheeseboard.games.core import Refusal
from cheeseboard.server.door import HEADERS
from cheeseboard.server.names import checked, free_text
from tests.server.guests import company, play_on, playing, table_for
from tests.server.knocking import (
    WAIT_S,
    Guest,
    ask,
    call,
    closed,
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
from tests.server.running import GENEROUS, Running

FRIEND = "http://friend.example"
NEVER = "0.001"  # a second: within a test no bucket fills up again


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """As it stands on a machine of its own, with generous limits."""
    env = {"CHEESEBOARD_ORIGINS": FRIEND, "CHEESEBOARD_LIMIT_CHAT_COUNT": "100000"}
    with Running(tmp_path_factory.mktemp("security") / "house", env=env) as running:
        yield running
        assert "crash" not in running.log
        assert "Traceback" not in running.log


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """Behind a proxy that tells addresses, with limits that are soon reached."""
    env = {
        "CHEESEBOARD_PROXIES": "127.0.0.1",
        "CHEESEBOARD_LIMIT_MESSAGE_BURST": "5",
        "CHEESEBOARD_LIMIT_MESSAGES_PER_SECOND": NEVER,
        "CHEESEBOARD_LIMIT_CONNECTIONS_PER_GUEST": "2",
        "CHEESEBOARD_LIMIT_CONNECTIONS_PER_ADDRESS": "3",
        "CHEESEBOARD_LIMIT_HANDSHAKES_PER_MINUTE": "8",
        "CHEESEBOARD_LIMIT_TABLES_PER_GUEST": "2",
        "CHEESEBOARD_LIMIT_TABLES_PER_ADDRESS_HOUR": "3",
    }
    with Running(tmp_path_factory.mktemp("strict") / "house", env=env) as running:
        yield running
        assert "crash" not in running.log
        assert "Traceback" not in running.log


@pytest.fixture(scope="module")
def guest(house):
    return new_guest(house)


@pytest.fixture(scope="module")
def table(house, guest):
    return new_table(house, guest, seats=["me", "open"])


# --- pages of other sites -------------------------------------------------------------------------------------------

BROWSER = {"user-agent": "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0"}
OWN = "http://127.0.0.1:PORT"
ORIGINS = {  # what a browser, or somebody who plays one, says of itself -> whether it may change something
    "own": ({"origin": OWN}, True),
    "own, by a proxy with https": ({"origin": OWN.replace("http", "https")}, True),
    "own, same-origin": ({"origin": OWN, "sec-fetch-site": "same-origin"}, True),
    "own, none": ({"origin": OWN, "sec-fetch-site": "none"}, True),
    "own, cross-site": ({"origin": OWN, "sec-fetch-site": "cross-site"}, False),
    "own, same-site": ({"origin": OWN, "sec-fetch-site": "same-site"}, False),
    "own, unheard of": ({"origin": OWN, "sec-fetch-site": "SAME-ORIGIN"}, False),
    "friend": ({"origin": FRIEND}, True),
    "friend, cross-site": ({"origin": FRIEND, "sec-fetch-site": "cross-site"}, True),
    "friend, another port": ({"origin": FRIEND + ":81"}, False),
    "friend, https": ({"origin": FRIEND.replace("http", "https")}, False),
    "friend's subdomain": ({"origin": "http://sub.friend.example"}, False),
    "friend with a tail": ({"origin": FRIEND + ".evil.example"}, False),
    "other port": ({"origin": "http://127.0.0.1:1"}, False),
    "no port": ({"origin": "http://127.0.0.1"}, False),
    "other host": ({"origin": "http://evil.example"}, False),
    "other host, same-origin": ({"origin": "http://evil.example", "sec-fetch-site": "same-origin"}, False),
    "other name of this machine": ({"origin": "http://localhost:PORT"}, False),
    "null": ({"origin": "null"}, False),
    "null, same-origin": ({"origin": "null", "sec-fetch-site": "same-origin"}, False),
    "empty": ({"origin": ""}, False),
    "subdomain": ({"origin": "http://sub.127.0.0.1:PORT"}, False),
    "own with a tail": ({"origin": OWN + ".evil.example"}, False),
    "own in the path": ({"origin": "http://evil.example/127.0.0.1:PORT"}, False),
    "own as a user": ({"origin": "http://127.0.0.1:PORT@evil.example"}, False),
    "user at own": ({"origin": "http://evil@127.0.0.1:PORT"}, False),
    "own with a slash": ({"origin": OWN + "/"}, False),
    "own with a question": ({"origin": OWN + "?"}, False),
    "own twice": ({"origin": f"{OWN} {OWN}"}, False),
    "own and other": ({"origin": f"{OWN}, http://evil.example"}, False),
    "another scheme": ({"origin": "ws://127.0.0.1:PORT"}, False),
    "a file": ({"origin": "file://"}, False),
    "an extension": ({"origin": "moz-extension://127.0.0.1:PORT"}, False),
    "no address at all": ({"origin": "http://["}, False),
    "none, cross-site": ({"sec-fetch-site": "cross-site"}, False),
    "none, same-site": ({"sec-fetch-site": "same-site"}, False),
    "none, program": ({}, True),
    "none, browser": (BROWSER, True),  # of a socket, only without a cookie: see below
    "none, same-origin": ({"sec-fetch-site": "same-origin"}, True),
    "none, none": ({"sec-fetch-site": "none"}, True),
}
TRICKED = {"none, browser", "none, same-origin", "none, none"}  # browsers send Origin with every socket
WAYS = ["cookie", "bearer", "nothing"]


def says(house: Running, guest: Guest, who: str, way: str) -> dict[str, str]:
    headers = {name: value.replace("PORT", str(house.port)) for name, value in ORIGINS[who][0].items()}
    return headers | {"cookie": guest.cookie, "bearer": guest.bearer, "nothing": {}}[way]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("who", ORIGINS)
def test_who_may_change_something_by_http(house, guest, who, way):
    answer = ask("PATCH", f"{house.url}/api/me", json={"name": "Wanda"}, headers=says(house, guest, who, way))
    if ORIGINS[who][1]:
        assert answer.status_code == (401 if way == "nothing" else 200)
    else:
        assert (answer.status_code, answer.json()["code"]) == (403, "cross-site")
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("who", ORIGINS)
def test_who_may_open_a_socket(house, guest, table, who, way):
    status, body, line = handshake(house, f"/api/tables/{table}/play", says(house, guest, who, way))
    line.close()
    if ORIGINS[who][1] and not (way == "cookie" and who in TRICKED):
        assert status == 101
    else:
        assert (status, json.loads(body)["code"]) == (403, "cross-site")


def test_a_preflight_is_not_granted(house):
    asked = {"origin": "http://evil.example", "access-control-request-method": "POST"}
    answer = ask("OPTIONS", f"{house.url}/api/tables", headers=asked)
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_a_foreign_form_could_send_is_refused(house, guest, kind):
    body = b'{"game":"geier","seats":["me","open"]}'
    headers = guest.cookie | ({"content-type": kind} if kind else {})
    answer = post(f"{house.url}/api/tables", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (415, "not-json")


# --- headers and cookies --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "status", "terms"),
    [
        ("GET", "/", 200, {}),
        ("GET", "/t/abcde", 200, {}),
        ("GET", "/t/%3Cscript%3Ealert(1)", 200, {}),
        ("GET", "/plain.css", 200, {}),
        ("GET", "/docs", 200, {}),
        ("GET", "/docs/openapi.json", 200, {}),
        ("GET", "/healthz", 200, {}),
        ("GET", "/metrics", 200, {}),
        ("GET", "/admin", 401, {}),
        ("GET", "/api/games", 200, {}),
        ("GET", "/api/phrases", 200, {}),
        ("GET", "/api/tables", 200, {}),
        ("GET", "/api/me", 401, {}),
        ("GET", "/api/tables/zzzzz", 404, {}),
        ("GET", "/api/tables/..%2f..%2fetc", 404, {}),
        ("GET", "/api/tables/zzzzz/play", 404, {}),
        ("GET", "/nothing", 404, {}),
        ("GET", "/%00", 404, {}),
        ("GET", "/api/me?name=%ff%fe", 401, {}),
        ("DELETE", "/api/games", 405, {}),
        ("PUT", "/api/tables", 405, {}),
        ("TRACE", "/api/games", 405, {}),
        ("OPTIONS", "/api/games", 204, {}),
        ("POST", "/api/guests", 201, {"json": {"name": "Wanda"}}),
        ("POST", "/api/guests", 400, {"json": {"name": 1}}),
        ("POST", "/api/guests", 400, {"json": {"name": "Wanda", "admin": True}}),
        ("POST", "/api/guests", 400, {"content": b"{", "headers": {"content-type": "application/json"}}),
        ("POST", "/api/guests", 400, {"content": b"\xff", "headers": {"content-type": "application/json"}}),
        ("POST", "/api/guests", 400, {"content": b"[" * 9999, "headers": {"content-type": "application/json"}}),
        ("POST", "/api/guests", 403, {"json": {"name": "Wanda"}, "headers": {"origin": "null"}}),
        ("POST", "/api/guests", 413, {"json": {"name": "W" * 20000}}),
        ("POST", "/api/guests", 415, {"content": b"name=Wanda"}),
        ("POST", "/api/tables", 400, {"json": {"game": "chess", "seats": ["me"]}}),
        ("POST", "/api/tables/zzzzz/sit", 404, {"json": {}}),
        ("POST", "/api/tables/zzzzz/start", 401, {}),
        ("POST", "/api/me/device", 404, {"json": {"code": "nocode"}}),
        ("POST", "/admin/login", 403, {"data": {"token": "x"}, "headers": {"origin": OWN}}),
        ("POST", "/admin/close", 401, {"data": {"table": "x"}, "headers": {"origin": OWN}}),
        ("GET", "/api/admin/tables", 401, {}),
    ],
)  # fmt: skip
def test_every_answer_is_guarded(house, method, path, status, terms):
    """The same headers on each, whatever was asked, and never a 5xx."""
    headers = {name: value.replace("PORT", str(house.port)) for name, value in terms.get("headers", {}).items()}
    answer = ask(method, house.url + path, **terms | {"headers": headers})
    assert answer.status_code == status
    expected = HEADERS | ({"referrer-policy": "same-origin"} if path.startswith("/admin") else {})
    for name, value in expected.items():
        assert answer.headers.get_list(name) == [value]
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert "strict-transport-security" not in answer.headers
    assert "server" not in answer.headers
    if path.startswith(("/api", "/admin")):
        assert answer.headers["cache-control"] == "no-store"
    if status >= 400 and path != "/admin" and not path.startswith("/admin/"):
        assert set(answer.json()) == {"code", "text"}
    assert "<script>alert" not in answer.text


def test_a_refused_socket_is_guarded_too(house):
    with pytest.raises(InvalidStatus) as refused, socket_to(house, "/api/tables/zzzzz/play", {}):
        pass
    answer = refused.value.response
    assert (answer.status_code, json.loads(answer.body)["code"]) == (404, "no-table")
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS


def test_cookies_of_guests(strict):
    """For the server's eyes only; behind https they cannot be had or set by anybody else."""
    plain = post(f"{strict.url}/api/guests", json={"name": "Wanda"})
    (cookie,) = plain.headers.get_list("set-cookie")
    assert cookie.startswith("cheeseboard=")
    assert {"HttpOnly", "Path=/", "SameSite=lax"} <= {*cookie.split("; ")}
    assert "Domain" not in cookie
    assert "Secure" not in cookie
    secure = post(f"{strict.url}/api/guests", json={"name": "Wanda"}, headers={"x-forwarded-proto": "https"})
    (cookie,) = secure.headers.get_list("set-cookie")
    assert cookie.startswith("__Host-cheeseboard=")
    assert {"HttpOnly", "Path=/", "SameSite=lax", "Secure"} <= {*cookie.split("; ")}
    assert "Domain" not in cookie
    assert secure.headers["strict-transport-security"] == "max-age=31536000"
    token = secure.json()["token"]
    assert len(token) == 43  # 256 bits
    again = get(f"{strict.url}/api/me", headers={"cookie": f'theirs={{"a":1}}; __Host-cheeseboard={token}'})
    assert again.json()["person"] == secure.json()["person"]
    assert "set-cookie" not in again.headers


def test_tokens_are_not_on_the_disk(house, guest):
    assert guest.token.encode() not in b"".join(file.read_bytes() for file in house.data.iterdir() if file.is_file())


# --- too large, too often, too many ---------------------------------------------------------------------------------


@pytest.mark.parametrize("pieces", [1, 3])
def test_a_message_too_large_ends_the_connection(house, guest, table, pieces):
    with sitting(house, guest, table) as line:
        line.send(json.dumps({"t": "ping", "at": 1.0}).ljust(8192))
        assert heard(line, "pong")["at"] == 1.0
        with suppress(ConnectionClosed):
            line.send("x" * 8193 if pieces == 1 else ["x" * 4000] * pieces)
        assert closed(line)[0] == 1009
    assert get(f"{house.url}/api/tables/{table}").json()["phase"] == "gathering"


def test_a_body_too_large(house, guest):
    big = json.dumps({"game": "geier", "seats": ["me", "open"], "name": "W" * 17_000}).encode()
    headers = guest.bearer | {"content-type": "application/json"}
    assert post(f"{house.url}/api/tables", content=big, headers=headers).json()["code"] == "too-large"
    chunked = post(f"{house.url}/api/tables", content=iter([big[:9000], big[9000:]]), headers=headers)
    assert (chunked.status_code, chunked.json()["code"]) == (413, "too-large")


def from_address(address: str) -> dict[str, str]:
    return {"x-forwarded-for": address}


def test_too_often_is_warned_and_then_ended(strict):
    guest = new_guest(strict)
    table = new_table(strict, guest, seats=["me", "open"])
    with sitting(strict, guest, table) as line:
        for n in range(5):
            line.send(json.dumps({"t": "ping", "at": n}))
            assert heard(line, "pong")["at"] == n
        line.send(json.dumps({"t": "play", "id": "seven", "action": 7}))
        warning = heard(line, "refused")
        assert (warning["id"], warning["code"]) == ("seven", "too-often")
        line.send(json.dumps({"t": "ping", "at": 9}))
        assert closed(line) == (1008, "too-often")
    assert '"event": "connection-cut-off", "reason": "1008 too-often", "address": "this machine"' in strict.log


LET_IN = (101, "")


def knock(
    house: Running, headers: dict[str, str], *, path: str = "/api/lobby", stay: ExitStack | None = None
) -> tuple[int, str]:
    """Ask for a socket, and leave at once, or `stay`; how the house answers."""
    status, body, line = handshake(house, path, headers)
    if stay:
        stay.enter_context(line)
    else:
        line.close()
    return status, json.loads(body)["code"] if status != 101 else ""


def test_connections_of_one_guest(strict):
    guest, other = new_guest(strict), new_guest(strict)
    with ExitStack() as stay:
        assert [knock(strict, guest.bearer, stay=stay) for _ in range(2)] == [LET_IN] * 2
        assert knock(strict, guest.bearer) == (429, "too-many")
        assert knock(strict, other.bearer) == LET_IN
    until = time.monotonic() + WAIT_S
    while knock(strict, guest.bearer) != LET_IN:  # as soon as the house has noticed that the others are gone
        assert time.monotonic() < until


def test_connections_of_one_address(strict):
    """A crowd behind one address is counted together, guests or not; of IPv6 a whole household."""
    with ExitStack() as stay:
        for address in ("198.51.100.1",) * 3 + ("2001:db8::1", "2001:db8::2", "2001:db8::3"):
            assert knock(strict, from_address(address), stay=stay) == LET_IN
        assert knock(strict, from_address("198.51.100.1")) == (429, "too-many")
        assert knock(strict, from_address("2001:db8::4")) == (429, "too-many")
        assert knock(strict, new_guest(strict).bearer | from_address("198.51.100.1")) == (429, "too-many")
        for address in ("198.51.100.2", "2001:db8:0:1::1"):
            assert knock(strict, from_address(address), stay=stay) == LET_IN


NO_TABLE = "/api/tables/zzzzz/play"


def test_handshakes_a_minute(strict):
    """Those that lead nowhere count too."""
    here = from_address("198.51.100.3")
    assert [knock(strict, here, path=NO_TABLE) for _ in range(8)] == [(404, "no-table")] * 8
    assert knock(strict, here) == (429, "too-often")
    assert knock(strict, from_address("198.51.100.4")) == LET_IN
    assert '"event": "connection-refused", "reason": "too-often", "address": "198.51.100.0/24"' in strict.log
    assert "198.51.100.3" not in strict.log


def test_only_the_last_address_that_the_proxy_tells_counts(strict):
    """What stands before it was sent by the client, and could be anything."""
    told = [knock(strict, from_address(f"192.0.2.{n}, 198.51.100.5"), path=NO_TABLE)[0] for n in range(9)]
    assert told == [404] * 8 + [429]


def lay(house: Running, headers: dict[str, str]) -> httpx.Response:
    return post(f"{house.url}/api/tables", json={"game": "geier", "seats": ["me", "open"]}, headers=headers)


def test_tables_of_one_guest(strict):
    guest = new_guest(strict)
    tables = [lay(strict, guest.bearer) for _ in range(3)]
    assert [answer.status_code for answer in tables] == [201, 201, 429]
    assert tables[2].json()["code"] == "too-many-tables"
    post(f"{strict.url}/api/tables/{tables[0].json()['table']}/close", headers=guest.bearer).raise_for_status()
    assert lay(strict, guest.bearer).status_code == 201


def test_tables_of_one_address(strict):
    tables = [lay(strict, new_guest(strict).bearer | from_address("198.51.100.6")) for _ in range(4)]
    assert [answer.status_code for answer in tables] == [201, 201, 201, 429]
    assert tables[3].json()["code"] == "too-often"
    assert lay(strict, new_guest(strict).bearer | from_address("198.51.100.7")).status_code == 201


def test_an_address_told_by_anybody_else_is_ignored(house, guest):
    """Without a proxy that we know, X-Forwarded headers are only what somebody claims."""
    admin = {"authorization": "Bearer admin-token-of-the-tests"}
    ban = {"kind": "address", "value": "198.51.100.8"}
    post(f"{house.url}/api/admin/ban", json=ban, headers=admin).raise_for_status()
    claims = guest.bearer | from_address("198.51.100.8") | {"x-forwarded-proto": "https"}
    answer = get(f"{house.url}/api/me", headers=claims)
    assert answer.status_code == 200
    assert "strict-transport-security" not in answer.headers
    status, _, line = handshake(house, "/api/lobby", claims)
    with line:
        assert status == 101
        told = get(f"{house.url}/api/admin/tables", headers=admin).json()
        assert told["addresses"] == {}


# --- what people write ----------------------------------------------------------------------------------------------

_payloads = tomllib.loads((Path(__file__).parent / "payloads.toml").read_text("utf-8"))["verbatim"]
PAYLOADS = list(dict.fromkeys([*_payloads, *map(str.swapcase, _payloads)]))


def kept(check, texts):
    """What may be said as it stands."""
    for text in texts:
        with suppress(Refusal):
            if check(text) == text:
                yield text


def test_chat_is_given_back_as_it_was_written(house):
    guest = new_guest(house)
    texts = list(kept(free_text, PAYLOADS))
    assert len(texts) > 300
    with sitting(house, guest, new_table(house, guest, seats=["me", "open"], free_text=True)) as line:
        for text in texts:
            line.send(json.dumps({"t": "say", "text": text}))
            assert heard(line, "said")["text"] == text


def test_names_are_given_back_as_they_were_written(house):
    guest = new_guest(house)
    pieces = dict.fromkeys(piece for text in PAYLOADS for piece in (text[:20].strip(), text[-20:].strip()))
    names = list(kept(checked, pieces))
    assert len(names) > 300
    with httpx.Client(base_url=house.url, headers=guest.bearer, verify=False, trust_env=False) as http:
        for name in names:
            answer = http.patch("/api/me", json={"name": name})
            assert (answer.status_code, answer.json()["name"]) == (200, name)
            assert answer.headers["content-type"] == "application/json"
            assert answer.headers["x-content-type-options"] == "nosniff"
            answer = http.get("/api/me")
            assert answer.json()["name"] == name


# --- the slow -------------------------------------------------------------------------------------------------------


def test_who_never_reads_is_cut_off_and_nobody_waits(house):
    """One at the table asks for view after view and never reads; the other plays on all the time."""
    slow, other = new_guest(house), new_guest(house, "Otto")
    table = new_table(house, slow, seats=["me", "open"])
    post(f"{house.url}/api/tables/{table}/sit", json={}, headers=other.bearer).raise_for_status()
    status, _, line = handshake(house, f"/api/tables/{table}/play", slow.bearer)
    assert status == 101
    look = frame(b'{"t":"look","seat":0}') * 100
    with line, sitting(house, other, table) as quick:
        line.settimeout(WAIT_S)
        heard(quick, "view")
        with suppress(OSError):
            for n in range(1000):
                line.sendall(look)
                quick.send(json.dumps({"t": "play", "id": f"a{n}", "action": n % 15}))  # a choice may be changed
                assert heard(quick, "done")["id"] == f"a{n}"
        quick.send(json.dumps({"t": "play", "id": "last", "action": 3}))
        assert heard(quick, "done")["id"] == "last"
    assert '"event": "connection-cut-off", "reason": "slow"' in house.log
    assert 'cheeseboard_cut_off_total{reason="slow"} 1' in get(f"{house.url}/metrics").text


def test_slow_requests_block_nobody(house):
    """A hundred begin a request and go on with it byte by byte."""
    beginnings = (b"GET / HTTP/1.1\r\nHo", b"POST /api/guests HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n{")
    with ExitStack() as stack:
        lines = [stack.enter_context(call(house)) for _ in range(100)]
        for n, line in enumerate(lines):
            line.sendall(beginnings[n % 2])
        for _ in range(20):
            for line in lines:
                line.sendall(b"x")
            assert get(f"{house.url}/healthz").text == "ok"


def test_noise_at_the_door(house):
    for noise in (b"\0" * 1000, b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00", os.urandom(5000), b"GET / HTTP/9.9\r\n\r\n"):
        with call(house) as line, suppress(OSError):
            line.sendall(noise)
            line.shutdown(socket.SHUT_WR)
            while line.recv(4096):
                pass
    assert get(f"{house.url}/healthz").text == "ok"


def test_nobody_can_fill_the_log(strict):
    """The same trouble from the same corner is told ten times a minute at most."""
    for n in range(30):
        knock(strict, from_address(f"192.0.2.{n}"), path=NO_TABLE)
    of_it = [line for line in strict.log.splitlines() if "192.0.2.0/24" in line]
    assert 10 <= len(of_it) <= 20  # a minute may end in between


def test_one_address_makes_only_so_many_guests_and_requests(tmp_path):
    """From one address; others are let in all the while."""
    env = {"CHEESEBOARD_PROXIES": "127.0.0.1", "CHEESEBOARD_LIMIT_GUESTS_PER_ADDRESS_HOUR": "3"}
    env |= {"CHEESEBOARD_LIMIT_REQUESTS_BURST": "8", "CHEESEBOARD_LIMIT_REQUESTS_PER_SECOND": "0.0001"}
    with Running(tmp_path / "house", env=env) as house, httpx.Client(base_url=house.url) as client:

        def made(address):
            client.cookies.clear()
            answer = client.post("/api/guests", json={"name": "Ada"}, headers={"x-forwarded-for": address})
            return answer.status_code

        assert [made("203.0.113.9") for _ in range(4)] == [201, 201, 201, 429]
        asked = [client.get("/api/games", headers={"x-forwarded-for": "203.0.113.9"}).status_code for _ in range(6)]
        assert asked == [200, 200, 200, 200, 429, 429]
        assert made("203.0.113.10") == 201


def test_quick_players_are_no_flood_and_fickle_ones_are(tmp_path):
    """With the limits as they come: whole games as fast as two programs can play, but no endless changes of mind."""

    async def evening(url):
        async with AsyncExitStack() as stack:
            ada, bo = await company(stack, url, "Ada", "Bo")
            code = await table_for([ada, bo], "memento")
            seats = [await stack.enter_async_context(client.play(code)) for client in (ada, bo)]
            await asyncio.gather(*(play_on(seat, Random(n)) for n, seat in enumerate(seats)))
            assert sum(row.seat < 2 for row in (await ada.replay(code)).log) > 60
            code = await table_for([ada, bo], "geier")
            fickle, other = [await stack.enter_async_context(client.play(code)) for client in (ada, bo)]
            await playing(fickle)
            await playing(other)

            async def change_mind():
                for n in range(100):
                    await fickle.act(n % 2)

            with pytest.raises(Refused, match="too-often"):
                await change_mind()

    house = Running(tmp_path / "house")
    house.env = {name: text for name, text in house.env.items() if name not in GENEROUS or "MESSAGE" not in name}
    with house:
        asyncio.run(evening(house.url))
