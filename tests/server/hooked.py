"""A house that is told how long its guests' lines are, for tests in which they come through a proxy of ours.

The kernel would know the way to that proxy, which is no way at all. Every line of the tests has a loopback address of
its own, and TRIPS in the environment says how many milliseconds are between it and the house. SLOW says how much slower
time goes by, for house, lines and people alike: on a busy machine a millisecond is then long enough to be kept to.
Everything else is the house as it always runs."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from unittest import mock

from cheeseboard import cli
from cheeseboard.server import serve
from cheeseboard.server.clock import LoopClock, Timer
from cheeseboard.server.socket import kernel_ms
from tests.server.running import Running

SLOW = float(os.environ.get("SLOW", "1"))


class Hooked(Running):
    def __init__(self, data: Path, trips: Mapping[str, float], env: Mapping[str, str] | None = None) -> None:
        super().__init__(data, env={**(env or {}), "TRIPS": json.dumps(dict(trips))})

    def launch(self, **env: str) -> None:
        command, root = [sys.executable, "-m", "tests.server.hooked", *self.arguments], Path(__file__).parents[2]
        with self.log_file.open("ab") as log:
            self.process = subprocess.Popen(command, env=self.env | env, stdout=log, stderr=log, cwd=root)


class SlowClock(LoopClock):
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self.monotonic = lambda: loop.time() / SLOW

    def later(self, seconds: float, call: Callable[[], None]) -> Timer:
        return super().later(seconds * SLOW, call)


def main() -> int:
    trips = json.loads(os.environ["TRIPS"])

    def told(transport: asyncio.Transport) -> float | None:
        trip: float | None = trips.get(transport.get_extra_info("peername")[0])
        return kernel_ms(transport) if trip is None else trip

    with mock.patch.multiple(serve, kernel_ms=told, LoopClock=LoopClock if SLOW == 1 else SlowClock):
        return cli.main(sys.argv[1:])


if __name__ == "__main__":
    raise SystemExit(main())
