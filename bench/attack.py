"""What hostile guests cost the others: p99 of everybody else with and without an attack, in the same run.

    python bench/attack.py --tables 100 --seconds 20

One address floods a socket with garbage as fast as it is let in, tries to lay table after table and asks for pages
without pause; fifty connections watch busy tables and never read. The house sees them at their own addresses, through a
proxy it trusts. Quiet and attacked stretches alternate, so that a busy machine hurts both alike."""

import argparse
import asyncio
import contextlib
import multiprocessing
import os
import socket
import statistics
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import uvloop
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from load import Load, cpu_s, house, memory, percentile, seated

STALLED = 50
STRANGER = {"x-forwarded-for": "203.0.113.9"}


def attack(url: str, tables: list[str], stop: "multiprocessing.synchronize.Event") -> None:
    """All that a bad guest can think of, until told to stop. A process of its own, and the last to get the core."""
    os.nice(19)
    uvloop.run(_attack(url, tables, stop))


async def _attack(url: str, tables: list[str], stop: "multiprocessing.synchronize.Event") -> None:
    stalled = [stall(url, tables[number % len(tables)], number) for number in range(STALLED)]
    jobs = [asyncio.create_task(job) for job in (flood(url, tables[0]), spam(url), knock(url))]
    while not stop.is_set():  # noqa: ASYNC110  # the word to stop comes from another process
        await asyncio.sleep(0.05)
    for job in jobs:
        job.cancel()
    await asyncio.gather(*jobs, return_exceptions=True)
    for connection in stalled:
        connection.close()


def stall(url: str, table: str, number: int) -> socket.socket:
    """A spectator who asks to be let in and never reads a byte."""
    place = urlsplit(url)
    line = socket.create_connection((place.hostname or "", place.port or 0))
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.sendall(
        f"GET /api/tables/{table}/play HTTP/1.1\r\nhost: {place.netloc}\r\nupgrade: websocket\r\n"
        "connection: upgrade\r\n"
        f"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n"
        f"x-forwarded-for: 198.51.100.{number}\r\n\r\n".encode()
    )
    return line


async def flood(url: str, table: str) -> None:
    """As many messages as the line takes, again and again."""
    address = f"ws{url.removeprefix('http')}/api/tables/{table}/play"
    while True:
        with contextlib.suppress(WebSocketException, OSError):
            async with connect(address, additional_headers=STRANGER, compression=None) as line:
                while True:
                    await line.send('{"t":"play","id":"x","action":1}')
        await asyncio.sleep(0.001)


async def spam(url: str) -> None:
    """Table after table."""
    async with httpx.AsyncClient(base_url=url, headers=STRANGER) as client:
        while True:
            with contextlib.suppress(httpx.HTTPError):
                await client.post("/api/tables", json={"game": "geier", "seats": ["me", "open"]})
            client.cookies.clear()


async def knock(url: str) -> None:
    """Page after page."""
    async with httpx.AsyncClient(base_url=url, headers=STRANGER) as client:
        while True:
            with contextlib.suppress(httpx.HTTPError):
                await client.get("/api/tables")


async def measure(url: str, asked: argparse.Namespace, pid: int) -> dict[str, object]:
    load = Load()
    p99: dict[str, list[float]] = {"quiet": [], "attacked": []}
    async with seated(load, url, asked) as codes:
        await asyncio.sleep(asked.warmup)
        before = memory(pid)
        for kind in ("quiet", "attacked") * asked.rounds:
            stop = multiprocessing.get_context("spawn").Event()
            culprit = multiprocessing.get_context("spawn").Process(target=attack, args=(url, list(codes), stop))
            if kind == "attacked":
                culprit.start()
                await asyncio.sleep(2)
            load.delays, load.counting = [], True
            begun, used = time.perf_counter(), cpu_s(pid)
            await asyncio.sleep(asked.seconds)
            load.counting = False
            share = (cpu_s(pid) - used) / (time.perf_counter() - begun)
            p99[kind].append(percentile(load.delays, 99) * 1000)
            print(f"{kind:9} p99 {p99[kind][-1]:7.2f} ms, {len(load.delays):6} moves, house at {share:.0%} of its core")
            if kind == "attacked":
                stop.set()
                await asyncio.get_running_loop().run_in_executor(None, culprit.join)
                await asyncio.sleep(1)
    quiet, attacked = statistics.median(p99["quiet"]), statistics.median(p99["attacked"])
    return {
        "p99_quiet_ms": round(quiet, 2),
        "p99_attacked_ms": round(attacked, 2),
        "ratio": round(attacked / quiet, 3),
        "more_memory_mib": round((memory(pid) - before) / 2**20, 1),
        "errors": len(load.errors),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="geier")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--think", type=float, default=1.0)
    parser.add_argument("--seconds", type=float, default=20.0, help="of each stretch")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--warmup", type=float, default=5.0)
    parser.add_argument("--port", type=int, default=8198)
    asked = parser.parse_args()
    strict = {"CHEESEBOARD_PROXIES": "127.0.0.1", "CHEESEBOARD_LIMIT_CONNECTIONS": "100000"}
    with tempfile.TemporaryDirectory() as folder, house(asked.port, Path(folder), strict) as pid:
        for name, value in uvloop.run(measure(f"http://127.0.0.1:{asked.port}", asked, pid)).items():
            print(f"{name:20} {value}")


if __name__ == "__main__":
    main()
