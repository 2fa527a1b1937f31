"""Whole games solved exactly. A game that can be solved has a file here with its name, and in it `solve`."""

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from cheeseboard.games import GAMES, core
from cheeseboard.games.core import Game, Refusal

AIMS = ("points", "win")


class Solution(Protocol):
    """What `solve` finds."""

    def lines(self) -> Iterator[str]:
        """As a person reads it."""

    def facts(self) -> dict[str, Any]:
        """As JSON."""


Solver = Callable[..., Solution]


def solver(game: Game) -> Solver:
    """The function that solves this game.

    >>> solver(GAMES["maus"])
    Traceback (most recent call last):
    cheeseboard.games.core.Refusal: expected a game that can be solved exactly (geier), got 'maus'
    """
    able = [name for name in GAMES if find_spec(f"{__name__}.{name}")]
    if core.name(game) not in able:
        raise Refusal(f"expected a game that can be solved exactly ({', '.join(able)}), got {core.name(game)!r}")
    solve: Solver = import_module(f"{__name__}.{core.name(game)}").solve
    return solve
