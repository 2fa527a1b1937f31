"""A nest from which houses hatch in a blink: everything is imported once, and each life is a fork of it.

To die and come back a hundred times a house would need minutes, nearly all of them for importing the same modules. The
nest is a process of its own: a line on its stdin says how to start a house; the process id is the answer, and when the
house has ended, its exit code. One house at a time."""

import importlib
import json
import os
import select
import signal
import subprocess
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn, Self

from tests.server.running import Running


class Nest:
    def __enter__(self) -> Self:
        command, root = [sys.executable, "-m", "tests.server.nest"], Path(__file__).parents[2]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, cwd=root)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.mouth, self.ear = self.process.stdin, self.process.stdout
        return self

    def __exit__(self, *error: object) -> None:
        self.mouth.close()
        self.process.wait(30)
        self.ear.close()

    def say(self, how: dict[str, Any]) -> None:
        self.mouth.write(json.dumps(how).encode() + b"\n")

    def hear(self, seconds: float) -> int:
        if not select.select([self.ear], [], [], seconds)[0]:
            raise subprocess.TimeoutExpired("a house from the nest", seconds)
        return int(self.ear.readline())


class Life:
    """One life of a house, with as much of the face of `subprocess.Popen` as `Running` looks at."""

    def __init__(self, nest: Nest, how: dict[str, Any]) -> None:
        self.nest = nest
        nest.say(how)
        self.pid = nest.hear(60)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, seconds: float) -> int:
        if self.returncode is None:
            self.returncode = self.nest.hear(seconds)
        return self.returncode

    def send_signal(self, how: int) -> None:
        os.kill(self.pid, how)


class Hatched(Running):
    """A house as `Running` has it, only quick to start."""

    def __init__(self, nest: Nest, data: Path, database: str = "", env: Mapping[str, str] | None = None) -> None:
        super().__init__(data, database, env)
        self.nest = nest

    def launch(self, **env: str) -> None:
        assert not self.alive, "expected one house at a time from a nest"
        how = {"arguments": self.arguments, "env": self.env | env, "log": str(self.log_file)}
        self.process: Any = Life(self.nest, how)


def brood() -> None:
    """Import what a house needs, then hatch one after the other."""
    for module in ("cheeseboard.cli", "cheeseboard.server.serve", "uvloop", "psycopg", "sqlalchemy.dialects.sqlite"):
        importlib.import_module(module)
    for line in sys.stdin.buffer:
        pid = os.fork()
        if pid == 0:
            live(**json.loads(line))
        os.write(1, b"%d\n" % pid)
        _, status = os.waitpid(pid, 0)
        os.write(1, b"%d\n" % os.waitstatus_to_exitcode(status))


def live(arguments: list[str], env: dict[str, str], log: str) -> NoReturn:
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
    code = 70  # if it ends by an exception
    try:
        code = cli.main(arguments)
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    brood()
