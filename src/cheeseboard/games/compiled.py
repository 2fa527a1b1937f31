"""The same rules as machine code.

`compiled(game)` is a module with the names of the game whose functions run on records of an array. It is made from the
plain functions as they stand: nothing is written twice, nothing is marked. numba's own cache would serve old code
when a constant or another file changes, so every state of the sources has a cache folder of its own."""

import hashlib
import os
import platform
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from cheeseboard.games import core
from cheeseboard.games.core import Game

SOURCES = Path(__file__).parent.parent  # of the whole package: drivers and bots are compiled too


@cache
def compiled(game: Game) -> Any:
    """The game as a module of compiled functions."""
    twin = ModuleType(game.__name__)
    names = {"STATE": game.STATE, "ACTIONS": game.ACTIONS, "EVENTS": game.EVENTS, "odds": one, **vars(game)}
    made: dict[FunctionType, Any] = {core.count: _popcount()}
    for label, value in names.items():
        setattr(twin, label, _machine_code(value, made, core.name(game)) if isinstance(value, FunctionType) else value)
    return twin


def compile_for(game: Game, function: Callable[..., Any]) -> Any:
    """A function that calls the rules as `game.apply` and so on, compiled for this game."""
    return _compiled_for(game, function)


@cache
def _compiled_for(game: Game, function: Any) -> Any:
    return _machine_code(function, {core.count: _popcount()}, core.name(game), {"game": compiled(game)})


def one(state: Any, action: int) -> int:
    return 1


def _machine_code(function: FunctionType, made: dict[FunctionType, Any], folder: str, more: dict[str, Any] | None = None) -> Any:
    import numba  # here, not above: the table and the server never need it

    if function not in made:
        world = {**function.__globals__, **(more or {})}
        twin = FunctionType(function.__code__, world, function.__name__, function.__defaults__)
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(_cache_folder() / folder)
        try:
            made[function] = numba.njit(cache=True, nogil=True, error_model="numpy")(twin)
        finally:
            numba.config.CACHE_DIR = before
        for label in function.__code__.co_names:
            if isinstance(value := world.get(label), FunctionType):
                world[label] = _machine_code(value, made, folder, more)
    return made[function]


@cache
def _cache_folder() -> Path:
    import numba

    digest = hashlib.sha256(repr((sys.version, np.__version__, numba.__version__, platform.machine())).encode())
    for path in sorted(SOURCES.rglob("*")):
        if path.suffix in (".py", ".toml"):
            digest.update(path.relative_to(SOURCES).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return home / "cheeseboard" / "compiled" / digest.hexdigest()[:16]


@cache
def _popcount() -> Any:
    """`core.count` as the one instruction it is."""
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def count(typing_context: Any, bits: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(context.cast(builder, args[0], signature.args[0], types.int64))

        return types.int64(bits), code

    return count
