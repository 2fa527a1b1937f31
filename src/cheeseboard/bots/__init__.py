"""Who plays when nobody sits. A bot is a function; it sees a view and nothing else."""

from typing import Protocol

import numpy as np

from cheeseboard.bots import simple
from cheeseboard.games.core import Game, Refusal, State


class Bot(Protocol):
    def __call__(self, game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:
        """Choose one of the seat's legal actions. The budget counts play-outs, not time: a seed repeats anywhere."""


BOTS: dict[str, Bot] = {
    "random": simple.random,
    "thinker": simple.thinker,
}


LEVELS: dict[str, tuple[str, int]] = {  # how well a guest of the house plays: a bot and its budget of play-outs
    "mouse": ("random", 0),
    "cat": ("thinker", 16),
    "dog": ("thinker", 48),
    "elephant": ("thinker", 96),
}


def bot(name: str) -> Bot:
    """The bot of that name.

    >>> bot("shark")
    Traceback (most recent call last):
    cheeseboard.games.core.Refusal: expected a bot (random, thinker), got 'shark'
    """
    if name not in BOTS:
        raise Refusal(f"expected a bot ({', '.join(BOTS)}), got {name!r}")
    return BOTS[name]
