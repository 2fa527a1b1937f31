"""Who plays when nobody sits. A bot is a function; it sees a view and nothing else."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import NamedTuple, Protocol

import numpy as np

from cheeseboard.bots import simple
from cheeseboard.games import core
from cheeseboard.games.core import Event, Game, Refusal, State

Past = Sequence[Sequence[Event]]

LEVELS = ("mouse", "cat", "dog", "elephant")  # a child, a good casual player, a strong one, the best we can do


class Bot(Protocol):
    def __call__(self, game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:
        """Choose one of the seat's legal actions. The budget counts play-outs, not time: a seed repeats anywhere."""


class Listener(Protocol):
    def __call__(
        self, game: Game, view: State, seat: int, rng: np.random.Generator, budget: int, *, past: Past = ()
    ) -> int:
        """The same, for a bot that learns from this game: `past` is what the seat was told, act by act."""


class Delay(Protocol):
    def __call__(self, game: Game, view: State, seat: int, rng: np.random.Generator) -> float:
        """After how many seconds it acts."""


class Player(NamedTuple):
    """A bot, and how hard it thinks."""

    choose: Bot | Listener
    budget: int = 0  # play-outs for one choice; 0: it does not search, and answers at once
    past: bool = False  # whether it is told what happened before
    delay: Delay | None = None  # in real time: when it does what it chooses by the same dice


def ask(who: Player, game: Game, view: State, seat: int, rng: np.random.Generator, past: Past) -> int:
    """What the player chooses."""
    more = {"past": past} if who.past else {}
    return who.choose(game, view, seat, rng, who.budget, **more)


ANYWHERE = {"random": Player(simple.random), "thinker": Player(simple.thinker, 24)}


@cache
def players(game: Game) -> dict[str, Player]:
    """Everybody who can play this game: those who play any, and those of the file here that has the game's name."""
    own: dict[str, Player] = import_module(f"{__name__}.{core.name(game)}").PLAYERS
    return {**ANYWHERE, **own}


def seated(game: Game) -> list[str]:
    """Who sits at the tables of a house: the levels, and the fox where it knows the game; all others are for the lab.

    >>> from cheeseboard.games import GAMES
    >>> seated(GAMES["maus"])
    ['mouse', 'cat', 'dog', 'elephant']
    """
    return [name for name in (*LEVELS, "fox") if name in players(game)]


def player(game: Game, name: str) -> Player:
    """The one of that name.

    >>> from cheeseboard.games import GAMES
    >>> player(GAMES["maus"], "shark")
    Traceback (most recent call last):
    cheeseboard.games.core.Refusal: expected a bot (random, thinker, mouse, cat, dog, elephant), got 'shark'
    """
    if name not in players(game):
        raise Refusal(f"expected a bot ({', '.join(players(game))}), got {name!r}")
    return players(game)[name]
