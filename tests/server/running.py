"""A real house in a process of its own, for tests that need sockets, a disk and sudden death.

Limits are generous, so that no test is throttled unless it asks to be: what `env` says comes last."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import httpx

START_S = 60.0  # a start takes about a second; a machine that is busy with other tests may take longer
GENEROUS = {
    "CHEESEBOARD_PACE": "0",
    "CHEESEBOARD_WARM": "0",  # a hundred houses would do nothing else
    "CHEESEBOARD_ADMIN_TOKEN": "admin-token-of-the-tests",
    "CHEESEBOARD_LIMIT_MESSAGE_BURST": "100000",
    "CHEESEBOARD_LIMIT_MESSAGES_PER_SECOND": "100000",
    "CHEESEBOARD_LIMIT_REALTIME_BURST": "100000",
    "CHEESEBOARD_LIMIT_REALTIME_PER_SECOND": "100000",
    "CHEESEBOARD_LIMIT_CONNECTIONS_PER_GUEST": "10000",
    "CHEESEBOARD_LIMIT_CONNECTIONS_PER_ADDRESS": "10000",
    "CHEESEBOARD_LIMIT_HANDSHAKES_PER_MINUTE": "1000000",
    "CHEESEBOARD_LIMIT_TABLES_PER_GUEST": "10000",
    "CHEESEBOARD_LIMIT_TABLES_PER_ADDRESS_HOUR": "1000000",
    "CHEESEBOARD_LIMIT_FREE_DISK_MIB": "1",
}


class Running:
    """`with Running(tmp_path) as house:` starts it and waits until it answers; it is gone at the end, whatever happens.

    The port stays the same over `stop`, `kill` and `start`, so that clients find their way back."""

    def __init__(self, data: Path, database: str = "", env: Mapping[str, str] | None = None) -> None:
        self.data = data
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.env = {name: text for name, text in os.environ.items() if not name.startswith("CHEESEBOARD_")}
        self.env |= {**GENEROUS, **(env or {}), "DATABASE_URL": database}
        self.arguments = ["serve", "--host", "127.0.0.1", "--port", str(self.port), "--data", str(data)]
        self.log_file = data.with_name(data.name + ".log")
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        assert self.process is not None, "expected a house that was started"
        return self.process.pid

    @property
    def log(self) -> str:
        """Everything it has said, over all starts."""
        return self.log_file.read_text("utf-8") if self.log_file.exists() else ""

    def launch(self, **env: str) -> None:
        """Start the process, and do not wait; `env` is for this life only."""
        command = [sys.executable, "-m", "cheeseboard", *self.arguments]
        with self.log_file.open("ab") as log:
            self.process = subprocess.Popen(command, env=self.env | env, stdout=log, stderr=log)

    def start(self, **env: str) -> None:
        self.launch(**env)
        until = time.monotonic() + START_S
        while not self.answers():
            assert self.alive, f"expected a house, it has ended with code {self.wait()}: {self.log[-4000:]}"
            assert time.monotonic() < until, f"expected a house within {START_S} s: {self.log[-4000:]}"
            time.sleep(0.02)

    def answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/healthz", timeout=5).status_code == httpx.codes.OK
        except httpx.TransportError:
            return False

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def stop(self, seconds: float = 30.0) -> int:
        """Ask it to close, as a supervisor would; returns the exit code."""
        return self._end(signal.SIGTERM, seconds)

    def kill(self) -> int:
        """Sudden death."""
        return self._end(signal.SIGKILL, 30.0)

    def wait(self, seconds: float = 30.0) -> int:
        """The exit code, when it has ended by itself."""
        assert self.process is not None, "expected a house that was started"
        return self.process.wait(seconds)

    def _end(self, how: signal.Signals, seconds: float) -> int:
        if self.process is None:
            return 0
        if self.alive:
            self.process.send_signal(how)
        return self.process.wait(seconds)


def free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])
