"""The same rules as machine code.

`compiled(game)` is a module with the names of the game whose functions run on records of an array. It is made from the
plain functions as they stand: nothing is written twice, nothing is marked. numba's own cache would serve old code
when a constant or another file changes, so every state of the sources has a cache folder of its own, and in it every
game as it is in memory."""

import hashlib
import os
import platform
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path
from threading import RLock
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from cheeseboard.games import core
from cheeseboard.games.core import Game

SOURCES = Path(__file__).parent.parent  # of the whole package: drivers and bots are compiled too
MONTH = 30 * 24 * 60 * 60.0  # seconds
_ONE_AT_A_TIME = RLock()


@cache
def compiled(game: Game) -> Any:
    """The game as a module of compiled functions."""
    return _Compiler(game, inline=False).module


@cache
def compile_for(game: Game, driver: Any, *, inline: bool = True) -> Any:
    """A function that calls the rules as `game.apply` and so on, compiled for this game.

    `inline`: all rules become part of it, without a call. That takes the compiler three times as long and nearly
    doubles the speed, which is worth it only in a loop over many games."""
    compiler = _Compiler(game, inline=inline, inside=True)
    return compiler.machine_code(driver, {"game": compiler.module})


@cache
def machine_code(function: Any) -> Any:
    """A plain function that needs no game, compiled with all functions it uses."""
    with _ONE_AT_A_TIME:  # else a thread might be given a function of which another one has prepared only half
        return _tools().machine_code(function)


@cache
def _tools() -> "_Tools":
    return _Tools(_writable(_folder_of_sources() / "plain"), inline=False)


class _Tools:
    """Makes machine code of plain functions and of all functions they use.

    `inside`: those used are called by nothing but machine code. They need no door for Python and no place in the
    cache, and are made in half the time."""

    def __init__(self, folder: str, *, inline: bool, inside: bool = False) -> None:
        self.inline = inline
        self.inside = inside
        self.folder = folder
        self.made = dict(_instructions())

    def machine_code(self, function: FunctionType, more: dict[str, Any] | None = None, *, inside: bool = False) -> Any:
        """The function in a world where every function it uses is machine code, and where `more` is known."""
        import numba  # here, not above: the table and the server never need it

        if function not in self.made:
            world = {**function.__globals__, **(more or {})}
            twin = FunctionType(function.__code__, world, function.__name__, function.__defaults__)
            doors: dict[str, Any] = {"no_cpython_wrapper": inside, "no_cfunc_wrapper": inside}
            code = numba.njit(nogil=True, error_model="numpy", forceinline=self.inline, **doors)(twin)
            config: Any = numba.config
            if self.folder and not inside and Path(function.__code__.co_filename).exists():
                before, config.CACHE_DIR = config.CACHE_DIR, self.folder
                code.enable_caching()
                config.CACHE_DIR = before
            self.made[function] = code
            for name in function.__code__.co_names:
                if isinstance(value := world.get(name), FunctionType):
                    world[name] = self.machine_code(value, more, inside=self.inside)
        return self.made[function]


class _Compiler(_Tools):
    """The same for the rules of a game."""

    def __init__(self, game: Game, *, inline: bool, inside: bool = False) -> None:
        super().__init__(_folder(game, inline=inline), inline=inline, inside=inside)
        self.module = ModuleType(game.__name__)
        names = {"odds": one, "EVEN": not hasattr(game, "odds"), **vars(game)}
        for name, value in names.items():
            if isinstance(value, FunctionType):
                value = self.machine_code(value, {"game": self.module}, inside=inside)  # noqa: PLW2901
            setattr(self.module, name, value)


def one(state: Any, action: int) -> int:  # noqa: ARG001
    return 1


@cache
def _folder(game: Game, *, inline: bool) -> str:
    """Where the machine code of this game is kept: one folder for these sources, in it one for these very rules."""
    digest = hashlib.sha256()
    for label, value in sorted(vars(game).items()):
        if isinstance(value, FunctionType):
            digest.update(repr((label, _code(value.__code__))).encode())
        elif isinstance(value, int | str | tuple):
            digest.update(repr((label, value)).encode())
        elif isinstance(value, np.ndarray):
            digest.update(label.encode() + value.tobytes())
    kind = "inline" if inline else "calls"  # numba's cache would not tell them apart
    return _writable(_folder_of_sources() / f"{core.name(game)}-{kind}-{digest.hexdigest()[:16]}")


def _writable(folder: Path) -> str:
    """The folder, made if need be.

    Empty if nothing can be written there: then nothing is kept, for numba would turn to a folder that goes stale."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return ""
    return str(folder)


def _code(code: CodeType) -> tuple[Any, ...]:
    """What a function does; without addresses, which differ from process to process."""
    return code.co_code, code.co_names, [_code(c) if isinstance(c, CodeType) else c for c in code.co_consts]


@cache
def _folder_of_sources() -> Path:
    import numba

    digest = hashlib.sha256(repr((sys.version, np.__version__, numba.__version__, platform.machine())).encode())
    for path in sorted(SOURCES.rglob("*")):
        if path.suffix in (".py", ".toml"):
            digest.update(path.relative_to(SOURCES).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = home / "cheeseboard" / "compiled" / digest.hexdigest()[:16]
    _tidy(folder)
    return folder


def _tidy(folder: Path) -> None:
    """Note that the folder is in use, and forget its neighbours, of other versions, that nobody has used for a month.

    It is no harm if that cannot be done: a cache that cannot be written to, or one that others are tidying, too."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        now = folder.stat().st_mtime
        for other in folder.parent.iterdir():
            if now - other.stat().st_mtime > MONTH:
                shutil.rmtree(other, ignore_errors=True)
    except OSError:
        return


@cache
def _instructions() -> dict[Any, Any]:
    """Functions of `core` that this processor has as instructions: counting a set, and finding its n-th member."""
    from llvmlite import binding, ir
    from numba import types
    from numba.extending import intrinsic

    def wide(context: Any, builder: Any, signature: Any, args: Any) -> list[Any]:
        return [context.cast(builder, arg, kind, types.int64) for arg, kind in zip(args, signature.args, strict=True)]

    @intrinsic
    def count(typing_context: Any, bits: Any) -> Any:  # noqa: ARG001
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(*wide(context, builder, signature, args))

        return types.int64(bits), code

    @intrinsic
    def nth(typing_context: Any, bits: Any, n: Any) -> Any:  # noqa: ARG001
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            cards, number = wide(context, builder, signature, args)
            word = ir.IntType(64)
            deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(word, [word, word]))
            alone = builder.call(deposit, [builder.shl(ir.Constant(word, 1), number), cards])
            return builder.cttz(alone, ir.Constant(ir.IntType(1), 0))

        return types.int64(bits, n), code

    if binding.get_host_cpu_features().get("bmi2"):
        return {core.count: count, core.nth: nth}
    return {core.count: count}
