"""Many tables at once: how long from a move to the last screen that shows it, and what a table costs.

    python bench/load.py --tables 500 --seats 4 --think 12 --seconds 600

starts a house of its own on one core (and SQLite with FULL in a temporary folder), fills the tables with clients of
`cheeseboard.client` on the other core, and reports moves per second, p50 and p99 from the act to the last broadcast
of it, errors, and memory per table and connection. `--think 0` is as fast as it goes. `--url` uses a house that runs
already. With `--json` one object is printed."""

import argparse
import asyncio
import contextlib
import gc
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cheeseboard.client import Client, Refused, Seat
from cheeseboard.server import messages

FREE = {  # a load is no guest: the limits of a house that is alone with it
    "CHEESEBOARD_LIMIT_MESSAGE_BURST": "1000000",
    "CHEESEBOARD_LIMIT_MESSAGES_PER_SECOND": "100000",
    "CHEESEBOARD_LIMIT_CONNECTIONS": "100000",
    "CHEESEBOARD_LIMIT_CONNECTIONS_PER_GUEST": "100000",
    "CHEESEBOARD_LIMIT_TABLES": "100000",
    "CHEESEBOARD_LIMIT_TABLES_PER_GUEST": "100000",
}


class Move(NamedTuple):
    """One act on its way to everybody."""

    sent: float
    missing: int  # screens that do not show it yet


class Load:
    """What is counted. An act is out when every connection of its table has been told of it."""

    def __init__(self) -> None:
        self.counting = False
        self.moves = 0
        self.delays: list[float] = []
        self.errors: list[str] = []
        self.due: dict[tuple[str, int], Move] = {}
        self.early: dict[tuple[str, int], int] = {}  # told before the actor had the answer

    def acted(self, table: str, n: int, sent: float, screens: int) -> None:
        missing = screens - self.early.pop((table, n), 0)
        if missing:
            self.due[table, n] = Move(sent, missing)
        else:
            self._out(sent)

    def told(self, table: str, n: int) -> None:
        move = self.due.pop((table, n), None)
        if move is None:
            self.early[table, n] = self.early.get((table, n), 0) + 1
        elif move.missing > 1:
            self.due[table, n] = Move(move.sent, move.missing - 1)
        else:
            self._out(move.sent)

    def _out(self, sent: float) -> None:
        if self.counting:
            self.moves += 1
            self.delays.append(time.perf_counter() - sent)


async def person(load: Load, seat: Seat, screens: int, think_s: float, dice: random.Random) -> None:
    """Somebody who plays on: sees every view, thinks, acts."""
    acting = False

    async def act(view: messages.View) -> None:
        nonlocal acting
        try:
            if think_s:
                await asyncio.sleep(dice.uniform(0.5, 1.5) * think_s)
            sent = time.perf_counter()
            n = await seat.act(dice.choice(view.legal))
            load.acted(seat.code, n, sent, screens)
        except Refused as refused:
            # "left": the load itself has ended; all else: somebody was quicker, in a game in real time
            if refused.code not in {"illegal", "not-playing", "late", "acted", "left"}:
                load.errors.append(str(refused))
        acting = False
        latest = seat.view
        if latest and not latest.over and seat.you in latest.waiting:
            begin(latest)

    def begin(view: messages.View) -> None:
        nonlocal acting
        if not acting:
            acting = True
            jobs.add(job := asyncio.create_task(act(view)))
            job.add_done_callback(jobs.discard)

    jobs: set[asyncio.Task[None]] = set()
    while True:
        view = await seat.views.get()
        if view is None:
            if seat.trouble:
                load.errors.append(str(seat.trouble))
            return
        if view.since == view.n - 1:
            load.told(seat.code, view.n)
        if view.over:
            await asyncio.gather(*jobs)  # the answer to the last act comes after the view of it
            return
        if seat.you in view.waiting and view.legal:
            begin(view)


async def table(load: Load, guests: list[Client], asked: argparse.Namespace, seed: int, codes: dict[str, None]) -> None:
    """One company that plays game after game until it is stopped."""
    dice = random.Random(seed)  # noqa: S311
    host, *others = guests
    code = await host.lay(asked.game, ["me"] + ["open"] * len(others))
    for guest in others:
        await guest.sit(code)
    while True:
        codes[code] = None
        async with contextlib.AsyncExitStack() as company:
            seats = [await company.enter_async_context(guest.play(code)) for guest in guests]
            await asyncio.gather(*(person(load, seat, len(seats), asked.think, dice) for seat in seats))
        del codes[code]
        code = await host.rematch(code)


@contextlib.asynccontextmanager
async def seated(load: Load, url: str, asked: argparse.Namespace) -> AsyncIterator[dict[str, None]]:
    """All tables with their people, playing. Gives the codes of the tables in play."""
    codes: dict[str, None] = {}

    def ended(company: "asyncio.Task[None]") -> None:
        if not company.cancelled():
            load.errors.append(repr(company.exception()))

    async with contextlib.AsyncExitStack() as everybody:
        guests = [
            [Client(url, f"Guest {number}.{place}", timeout_s=120) for place in range(asked.seats)]
            for number in range(asked.tables)
        ]
        for company in guests:
            await asyncio.gather(*(everybody.enter_async_context(guest) for guest in company))
        playing = [asyncio.create_task(table(load, company, asked, seed, codes)) for seed, company in enumerate(guests)]
        for task in playing:
            task.add_done_callback(ended)
        try:
            yield codes
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)


async def drive(url: str, asked: argparse.Namespace, pid: int) -> dict[str, Any]:
    """Fill the house, let it run, count."""
    load = Load()
    before = memory(pid)
    async with seated(load, url, asked):
        await asyncio.sleep(asked.warmup)
        full = memory(pid)
        gc.collect()
        gc.freeze()
        load.counting = True
        begun, cpu = time.perf_counter(), cpu_s(pid)
        await asyncio.sleep(asked.seconds)
        load.counting = False
        lasted, used = time.perf_counter() - begun, cpu_s(pid) - cpu
        after = memory(pid)
    connections = asked.tables * asked.seats
    return {
        "game": asked.game,
        "tables": asked.tables,
        "connections": connections,
        "seconds": round(lasted, 1),
        "moves": load.moves,
        "moves_per_second": round(load.moves / lasted, 1),
        "p50_ms": round(percentile(load.delays, 50) * 1000, 2),
        "p99_ms": round(percentile(load.delays, 99) * 1000, 2),
        "max_ms": round(percentile(load.delays, 100) * 1000, 2),
        "cpu_us_per_move": round(used / max(1, load.moves) * 1e6, 1),
        "rss_empty_mib": round(before / 2**20, 1),
        "rss_mib": round(after / 2**20, 1),
        "kib_per_table": round((full - before) / asked.tables / 1024, 1),
        "kib_per_connection": round((full - before) / connections / 1024, 1),
        "errors": len(load.errors),
        "first_errors": load.errors[:3],
    }


def percentile(delays: list[float], percent: int) -> float:
    ordered = sorted(delays) or [float("nan")]
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


# --- the house under load -------------------------------------------------------------------------------------------


@contextlib.contextmanager
def house(port: int, folder: Path, settings: dict[str, str]) -> Iterator[int]:
    """A house of our own, pinned to one core; this process takes the others. Gives its process id."""
    pin = ["taskset", "-c", "0"] if shutil.which("taskset") else []
    command = [*pin, sys.executable, "-m", "cheeseboard", "serve", "--host", "127.0.0.1", "--port", str(port)]
    environment = {
        **os.environ,
        "CHEESEBOARD_PACE": "0",
        "CHEESEBOARD_WARM": "0",
        "CHEESEBOARD_LOG": str(folder / "log"),
        **settings,
    }
    process = subprocess.Popen([*command, "--data", str(folder)], env=environment, stdout=subprocess.DEVNULL)  # noqa: S603
    try:
        wait_for(f"http://127.0.0.1:{port}/healthz", process)
        if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
            os.sched_setaffinity(0, set(range(1, os.cpu_count() or 2)))
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(10)


def wait_for(url: str, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(400):
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=1) as answer:  # noqa: S310
            if answer.status == 200:
                return
        if process.poll() is not None:
            raise SystemExit(f"expected the house to open, it ended with code {process.returncode}")
        time.sleep(0.05)
    raise SystemExit(f"expected an answer from {url}, got none")


def memory(pid: int) -> int:
    """What the process keeps in memory, in bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if pid else 0


def cpu_s(pid: int) -> float:
    if not pid:
        return 0.0
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="geier")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seats", type=int, default=2, help="people at each table")
    parser.add_argument("--think", type=float, default=0.0, metavar="S", help="seconds before a move, on average")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--warmup", type=float, default=5.0)
    parser.add_argument("--url", help="a house that runs already")
    parser.add_argument("--port", type=int, default=8199)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    import uvloop

    with contextlib.ExitStack() as stack:
        pid, url = 0, asked.url
        if not url:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            pid, url = stack.enter_context(house(asked.port, folder, FREE)), f"http://127.0.0.1:{asked.port}"
        result = uvloop.run(drive(url, asked, pid))
    if asked.json:
        print(json.dumps(result))
    else:
        for name, value in result.items():
            print(f"{name:20} {value}")


if __name__ == "__main__":
    main()
