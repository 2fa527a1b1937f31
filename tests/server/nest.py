"""A nest from which houses hatch in a blink: everything is imported once, and each life is a fork of it.

To die and come back a hundred times a house would need minutes, nearly all of them for importing the same modules. Run
as a process of its own: a line with an environment on stdin starts a house; its process id is the answer, and when it
has ended, its exit code."""

import importlib
import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

from tests.server.running import Running


class Life:
    """One life of a house, with as much of the face of `subprocess.Popen` as `Running` looks at."""

    def __init__(self, nest: "subprocess.Popen[bytes]", env: dict[str, str]) -> None:
        assert nest.stdin is not None
        self.nest = nest
        nest.stdin.write(json.dumps(env).encode() + b"\n")
        self.pid = self._read(60)
        self.returncode: int | None = None

    def _read(self, seconds: float) -> int:
        assert self.nest.stdout is not None
        if not select.select([self.nest.stdout], [], [], seconds)[0]:
            raise subprocess.TimeoutExpired("a house from the nest", seconds)
        return int(self.nest.stdout.readline())

    def poll(self) -> int | None:
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, seconds: float) -> int:
        if self.returncode is None:
            self.returncode = self._read(seconds)
        return self.returncode

    def send_signal(self, how: int) -> None:
        os.kill(self.pid, how)


class Hatched(Running):
    """A house as `Running` has it, only quick to start. It looks for its own nest when it is entered."""

    nest: "subprocess.Popen[bytes]"

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "tests.server.nest", str(self.log_file), *self.arguments]
        root = Path(__file__).parents[2]
        self.nest = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, cwd=root)
        super().__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        assert self.nest.stdin is not None
        assert self.nest.stdout is not None
        self.nest.stdin.close()
        self.nest.wait(30)
        self.nest.stdout.close()

    def launch(self, **env: str) -> None:
        assert not self.alive, "expected one house at a time from a nest"
        self.process: Any = Life(self.nest, self.env | env)


def brood(log: str, arguments: list[str]) -> None:
    """Import what a house needs, then hatch one after the other."""
    for module in ("cheeseboard.cli", "cheeseboard.server.serve", "uvloop", "psycopg", "sqlalchemy.dialects.sqlite"):
        importlib.import_module(module)
    for line in sys.stdin.buffer:
        pid = os.fork()
        if pid == 0:
            live(log, arguments, json.loads(line))
        os.write(1, b"%d\n" % pid)
        _, status = os.waitpid(pid, 0)
        os.write(1, b"%d\n" % os.waitstatus_to_exitcode(status))


def live(log: str, arguments: list[str], env: dict[str, str]) -> None:
    from cheeseboard import cli
    from cheeseboard.server import faults

    os.environ.clear()
    os.environ.update(env)
    importlib.reload(faults)  # it looks at the environment when it is imported
    sys.stdin.close()
    out = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    os.dup2(out, 1)
    os.dup2(out, 2)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    code = 70
    try:
        code = cli.main(arguments)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    brood(sys.argv[1], sys.argv[2:])
