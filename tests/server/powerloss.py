"""A disk whose plug can be pulled, for SQLite: what was written and not yet synced is lost then, or half of it is.

`kill -9` proves nothing about power: the operating system still writes what the dead process gave it. So SQLite gets a
file system of ours (APSW lets Python be one), which keeps a second copy of each file: how it would look after the cut.
SQLAlchemy speaks to the standard driver, so there is also just as much of that driver as the store asks for."""

import sqlite3
from collections.abc import Container, Iterable, Sequence
from contextlib import suppress
from itertools import count
from random import Random
from typing import Any, NamedTuple

import apsw

from cheeseboard.server.store import Store

SECTOR = 512
URL = "sqlite:////house.db"
CALM = {"wal_autocheckpoint=4000": "wal_autocheckpoint=16"}  # so that a short test sees many checkpoints


class Op(NamedTuple):
    """Something done to a file that is not yet on the platter."""

    file: str
    do: str  # write, truncate or delete
    at: int = 0
    data: bytes = b""

    def to(self, files: dict[str, bytearray]) -> None:
        if self.do == "delete":
            files.pop(self.file, None)
            return
        content = files.setdefault(self.file, bytearray())
        if self.do == "truncate":
            del content[self.at :]
        else:
            content.extend(bytes(max(0, self.at - len(content))))
            content[self.at : self.at + len(self.data)] = self.data

    def sectors(self) -> Iterable["Op"]:
        """A write as the disk does it: sector by sector, in any order."""
        if self.do != "write":
            yield self
            return
        start = self.at
        while start < self.at + len(self.data):
            end = min((start // SECTOR + 1) * SECTOR, self.at + len(self.data))
            yield Op(self.file, "write", start, self.data[start - self.at : end - self.at])
            start = end


class Disk:
    """Steps are writes, syncs, truncations, deletions. `fails`: which of them do, from 1 on. `room`: bytes it holds."""

    def __init__(self, files: dict[str, bytearray] | None = None, fails: Container[int] = ()) -> None:
        self.files = {name: bytearray(content) for name, content in (files or {}).items()}  # as the system shows them
        self.synced = {name: bytearray(content) for name, content in self.files.items()}  # as they survive
        self.unsynced: list[Op] = []
        self.fails, self.steps, self.room = fails, 0, 1 << 40

    def step(self) -> None:
        self.steps += 1
        if self.steps in self.fails:
            raise apsw.IOError(f"step {self.steps} fails")

    def act(self, op: Op) -> None:
        self.step()
        used = sum(map(len, self.files.values()))
        if op.do == "write" and used + max(0, op.at + len(op.data) - len(self.files[op.file])) > self.room:
            raise apsw.FullError("the disk is full")
        op.to(self.files)
        self.unsynced.append(op)

    def sync(self, file: str) -> None:
        """The first sync of a new file is one of its folder too, as under Unix; so deletions are safe then as well."""
        self.step()
        folder = file not in self.synced
        waiting, self.unsynced = self.unsynced, []
        for op in waiting:
            if op.file == file or (folder and op.do == "delete"):
                op.to(self.synced)
            else:
                self.unsynced.append(op)

    def after_cut(self, rng: Random) -> dict[str, bytearray]:
        """The files when the power is back: of what was not synced nothing, all, a beginning, or any sectors."""
        files = {name: bytearray(content) for name, content in self.synced.items()}
        pieces = [piece for op in self.unsynced for piece in op.sectors()]
        match rng.randrange(4):
            case 0:
                pieces = []
            case 1:
                pieces = pieces[: rng.randint(0, len(pieces))]
            case 2:
                share = rng.random()
                pieces = [piece for piece in pieces if rng.random() < share]
        for piece in pieces:
            piece.to(files)
        return files


class System(apsw.VFS):
    """The disk as SQLite sees it."""

    numbers = count()

    def __init__(self, disk: Disk) -> None:
        self.disk, self.name = disk, f"disk{next(self.numbers)}"
        super().__init__(self.name, "")

    def xOpen(self, name: Any, flags: list[int]) -> Any:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name or f"temporary{next(self.numbers)}"
        self.disk.files.setdefault(path, bytearray())
        flags[1] = flags[0]
        return File(self.disk, path)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        self.disk.act(Op(filename, "delete"))
        if syncdir:
            self.disk.sync(filename)

    def xAccess(self, pathname: str, flags: int) -> bool:
        return pathname in self.disk.files

    def xFullPathname(self, name: str) -> str:
        return name


class File:
    def __init__(self, disk: Disk, path: str) -> None:
        self.disk, self.path = disk, path

    def xRead(self, amount: int, offset: int) -> bytes:
        return bytes(self.disk.files[self.path][offset : offset + amount])

    def xWrite(self, data: Any, offset: int) -> None:
        self.disk.act(Op(self.path, "write", offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        self.disk.act(Op(self.path, "truncate", newsize))

    def xSync(self, flags: int) -> None:
        self.disk.sync(self.path)

    def xFileSize(self) -> int:
        return len(self.disk.files.get(self.path, b""))

    def xDeviceCharacteristics(self) -> int:
        return apsw.SQLITE_IOCAP_POWERSAFE_OVERWRITE  # what SQLite assumes of every disk under Unix

    def xSectorSize(self) -> int:
        return 4096

    def xLock(self, level: int) -> None: ...

    def xUnlock(self, level: int) -> None: ...

    def xCheckReservedLock(self) -> bool:
        return False

    def xFileControl(self, op: int, ptr: int) -> bool:
        return False

    def xClose(self) -> None: ...


class Connection:
    """As much of `sqlite3.Connection` as SQLAlchemy and the store ask for. `swaps`: pragmas to be replaced."""

    isolation_level = None

    def __init__(self, system: System, swaps: dict[str, str]) -> None:
        self.db = apsw.Connection("/house.db", vfs=system.name)
        self.swaps = swaps
        self.cursor().execute(
            "pragma locking_mode=exclusive"
        )  # one connection needs no shared memory, and we have none

    def create_function(self, *_: Any, **__: Any) -> None:
        """SQLAlchemy offers one for regular expressions."""

    def cursor(self) -> "Cursor":
        return Cursor(self)

    def commit(self) -> None:
        if self.db.in_transaction:
            self.cursor().execute("commit")

    def rollback(self) -> None:
        if self.db.in_transaction:
            self.cursor().execute("rollback")

    def close(self) -> None:
        with suppress(apsw.Error):  # it would like to tidy up; without power or room it cannot
            self.db.close()


class Cursor:
    """As much of `sqlite3.Cursor` as is asked for."""

    lastrowid, arraysize = None, 1

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.description: Any = None
        self.rows: list[Any] = []
        self.rowcount = -1

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> "Cursor":
        for asked, given in self.connection.swaps.items():
            sql = sql.replace(asked, given)
        cursor = self.connection.db.cursor()
        cursor.exec_trace = self._describe
        try:
            self.rows = list(cursor.execute(sql, tuple(parameters)))
        except apsw.ConstraintError as error:
            raise sqlite3.IntegrityError(str(error)) from error
        except apsw.Error as error:
            raise sqlite3.OperationalError(str(error)) from error
        self.rowcount = self.connection.db.changes()
        return self

    def _describe(self, cursor: Any, sql: str, bindings: Any) -> bool:
        self.description = [(name, *[None] * 6) for name, _ in cursor.get_description()] or None
        return True

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]]) -> None:
        for one in parameters:
            self.execute(sql, one)

    def fetchone(self) -> Any:
        return self.rows.pop(0) if self.rows else None

    def fetchall(self) -> list[Any]:
        rows, self.rows = self.rows, []
        return rows

    def fetchmany(self, size: int = 1) -> list[Any]:
        rows, self.rows = self.rows[:size], self.rows[size:]
        return rows

    def close(self) -> None: ...


def store_on(disk: Disk, swaps: dict[str, str] | None = None) -> Store:
    """The store itself, on this disk."""
    system = System(disk)
    return Store(URL, creator=lambda: Connection(system, CALM | (swaps or {})))


def intact(store: Store) -> bool:
    with store.engine.connect() as db:
        return db.exec_driver_sql("pragma integrity_check").scalars().all() == ["ok"]
