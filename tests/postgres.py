"""A real PostgreSQL for the tests: found, or on Debian fetched, started in a folder of its own and stopped at the end.

Nothing has to be set up and nothing stays behind. If there is none and none can be had, the tests that need it fail."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

NOBODY = 65534  # PostgreSQL refuses to run as root


class Cluster:
    """A running server. It listens on a socket in its own folder only, so two of them never meet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._names = (f"house{n}" for n in count())

    def url(self, name: str) -> str:
        return f"postgresql://postgres@/{name}?host={self.folder}"

    @contextmanager
    def database(self) -> Iterator[str]:
        """The address of a new, empty database."""
        name = next(self._names)
        self._do(f"create database {name}")
        yield self.url(name)
        self._do(f"drop database {name} with (force)")

    def _do(self, order: Any) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as db:
            db.execute(order)


@contextmanager
def cluster() -> Iterator[Cluster]:
    folder = Path(tempfile.mkdtemp(prefix="cheese", dir="/tmp"))  # short: the path of a socket may have 107 characters
    data = folder / "data"
    try:
        data.mkdir(0o700)
        if os.geteuid() == 0:
            folder.chmod(0o755)
            for path in (folder, data):
                os.chown(path, NOBODY, NOBODY)
        call = [*unprivileged(), str(binaries() / "initdb"), "--auth=trust", "--username=postgres", "--no-sync"]
        subprocess.run([*call, "--encoding=UTF8", "--locale=C", str(data)], check=True, capture_output=True, cwd=folder)
        with started(folder, data):
            yield Cluster(folder)
    finally:
        shutil.rmtree(folder)


@contextmanager
def started(folder: Path, data: Path) -> Iterator[None]:
    settings = {
        "listen_addresses": "",
        "unix_socket_directories": str(folder),
        "fsync": "off",  # nobody pulls the plug of the tests
        "max_connections": "200",
    }
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    with (folder / "log").open("wb") as log:
        call = [*unprivileged(), str(binaries() / "postgres"), "-D", str(data), *options]
        server = subprocess.Popen(call, stdout=log, stderr=log, cwd=folder)
    try:
        wait(server, folder)
        yield
    finally:
        server.send_signal(signal.SIGQUIT)  # at once: nobody will look at these files again
        server.wait()


def wait(server: "subprocess.Popen[bytes]", folder: Path) -> None:
    for _ in range(600):
        if server.poll() is not None:
            break
        try:
            psycopg.connect(f"postgresql://postgres@/postgres?host={folder}").close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"expected PostgreSQL to start, got:\n{(folder / 'log').read_text()}")


def unprivileged() -> list[str]:
    """As root: run it as nobody; and let it end with us, even if we are killed."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--pdeathsig=INT"]


def binaries() -> Path:
    """The folder with initdb, postgres, pg_dump and pg_restore."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    return newest(Path("/")) or newest(cache()) or fetched()


def newest(root: Path) -> Path | None:
    found = [path.parent for path in root.glob("usr/lib/postgresql/*/bin/initdb")]
    return max(found, key=lambda path: float(path.parent.name), default=None)


def cache() -> Path:
    """Where root must not look into his own home, because the server runs as nobody."""
    return (Path("/var/cache") if os.geteuid() == 0 else Path.home() / ".cache") / "cheeseboard/postgresql"


def fetched() -> Path:
    """Unpack Debian's packages into the cache, without installing them."""
    for tool in ("apt-get", "dpkg"):
        if not shutil.which(tool):
            raise RuntimeError(f"expected PostgreSQL (initdb on PATH) or Debian's {tool} to fetch it, got neither")
    wanted = ["apt-get", "install", "--print-uris", "--yes", "--no-install-recommends", "postgresql"]
    listed = subprocess.run(wanted, check=True, capture_output=True, text=True).stdout
    packages = [line.split()[1].split("_")[0] for line in listed.splitlines() if line.startswith("'")]
    unpack(packages, cache())
    found = newest(cache())
    if not found:
        raise RuntimeError(f"expected PostgreSQL among Debian's packages, got {', '.join(packages)}")
    return found


def unpack(packages: list[str], target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["apt-get", "download", *packages], check=True, capture_output=True, cwd=folder)
        part = Path(folder, "all")
        for package in Path(folder).glob("*.deb"):
            subprocess.run(["dpkg", "-x", str(package), str(part)], check=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(part, target, symlinks=True, dirs_exist_ok=True)
