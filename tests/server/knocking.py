"""Knocking at a real house by hand: sockets with any headers, frames of any bytes."""

import base64
import json
import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.server.running import Running

WAIT_S = 30.0  # for an answer that must come; nothing is measured by it


def ask(method: str, url: str, **terms: Any) -> httpx.Response:
    """One request with a memory of its own; without certificates, which take 0.1 s to load and are not needed here."""
    return httpx.request(method, url, verify=False, trust_env=False, timeout=WAIT_S, **terms)


def get(url: str, **terms: Any) -> httpx.Response:
    return ask("GET", url, **terms)


def post(url: str, **terms: Any) -> httpx.Response:
    return ask("POST", url, **terms)


class HungUp(Exception):
    """The house ended the connection instead of an answer."""


class Guest(NamedTuple):
    person: str
    token: str

    @property
    def bearer(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"}

    @property
    def cookie(self) -> dict[str, str]:
        return {"cookie": f"cheeseboard={self.token}"}


def new_guest(house: Running, name: str = "Wanda") -> Guest:
    who = post(f"{house.url}/api/guests", json={"name": name}).json()
    return Guest(who["person"], who["token"])


def new_table(house: Running, guest: Guest, **wishes: Any) -> str:
    wish = {"game": "geier", "seats": ["me", "bot:mouse"], **wishes}
    answer = post(f"{house.url}/api/tables", json=wish, headers=guest.bearer)
    answer.raise_for_status()
    return str(answer.json()["table"])


@contextmanager
def socket_to(house: Running, path: str, headers: dict[str, str]) -> Iterator[ClientConnection]:
    url = f"ws://127.0.0.1:{house.port}{path}"
    with connect(
        url, additional_headers=headers, user_agent_header=None, compression=None, max_size=None, proxy=None
    ) as line:
        yield line


@contextmanager
def sitting(house: Running, guest: Guest, table: str, **headers: str) -> Iterator[ClientConnection]:
    """A connection to a table, as far as the first message."""
    with socket_to(house, f"/api/tables/{table}/play", guest.bearer | headers) as line:
        line.recv(timeout=WAIT_S)
        yield line


def heard(line: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    while True:
        message: dict[str, Any] = json.loads(line.recv(timeout=WAIT_S))
        if message["t"] == kind:
            return message


def closed(line: ClientConnection) -> tuple[int, str]:
    """How the house ends the connection: wait for it."""
    try:
        while True:
            line.recv(timeout=WAIT_S)
    except ConnectionClosed as end:
        return (end.rcvd.code, end.rcvd.reason) if end.rcvd else (1006, "")


# --- by hand --------------------------------------------------------------------------------------------------------


def call(house: Running) -> socket.socket:
    return socket.create_connection(("127.0.0.1", house.port), timeout=WAIT_S)


def handshake(house: Running, path: str, headers: dict[str, str]) -> tuple[int, bytes, socket.socket]:
    """Ask for a socket; the status, the body of a refusal, and the connection."""
    key = base64.b64encode(os.urandom(16)).decode()
    usual = {"Host": f"127.0.0.1:{house.port}", "Connection": "Upgrade", "Upgrade": "websocket"}
    usual |= {"Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13"}
    lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in (usual | headers).items()), "", ""]
    line = call(house)
    line.sendall("\r\n".join(lines).encode("latin-1"))
    answer = b""
    while b"\r\n\r\n" not in answer:
        more = line.recv(4096)
        if not more:
            line.close()
            raise HungUp(f"expected an answer, the house hung up after {answer!r}")
        answer += more
    head, _, body = answer.partition(b"\r\n\r\n")
    status = int(head.split()[1])
    told = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
    while status != 101 and not (told and len(body) >= int(told[1])) and (more := line.recv(4096)):
        body += more
    return status, body, line


def frame(payload: bytes, opcode: int = 1, *, fin: bool = True, mask: bytes | None = b"\x01\x02\x03\x04") -> bytes:
    """A frame as clients send it; `mask` None is against the rules."""
    size, bit = len(payload), 0x80 if mask else 0
    if size < 126:
        head = bytes([opcode | (0x80 if fin else 0), bit | size])
    elif size < 1 << 16:
        head = bytes([opcode | (0x80 if fin else 0), bit | 126]) + size.to_bytes(2, "big")
    else:
        head = bytes([opcode | (0x80 if fin else 0), bit | 127]) + size.to_bytes(8, "big")
    if mask is None:
        return head + payload
    return head + mask + bytes(byte ^ mask[n % 4] for n, byte in enumerate(payload))
