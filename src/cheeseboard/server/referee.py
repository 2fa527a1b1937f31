"""Who was first, in games played in real time, and how quick a bot's paw is. Slaps count by arrival.

The rules know no milliseconds: what reaches them before CLOCK closes is a dead heat, in its order. This file decides
when CLOCK closes. A game says in its `game.toml` under [race] which options hold the times and which actions are no
slap."""

from collections.abc import Callable
from math import log, sqrt

from cheeseboard.games import core
from cheeseboard.games.core import Game, State

Entropy = Callable[[int], bytes]


class Race:
    """One card that everybody races for: open until `due`, shortly after the first slap at the latest, or until all who
    are `ready` have acted, each once."""

    def __init__(self, game: Game, state: State, now: float, ready: set[int]) -> None:
        self.ready = ready
        terms = core.about(game).get("race", {})
        self.passes: list[int] = terms.get("passes", [])
        self.heat_s = getattr(state, terms["heat_ms"]) / 1000 if terms else 0.0
        seconds = float(getattr(state, terms["seconds"])) if terms else 0.0
        self.due = now + seconds if ready else now  # nobody can act: there is nothing to wait for

    def slap(self, action: int, now: float) -> bool:
        """Somebody has acted. True: the race ends earlier now."""
        if action in self.passes or now + self.heat_s >= self.due:
            return False
        self.due = now + self.heat_s
        return True


def chance(entropy: Entropy) -> float:
    """A number between 0 and 1, never 0."""
    return (int.from_bytes(entropy(6), "big") + 1) / (1 << 48)


def thinking_s(entropy: Entropy) -> float:
    """A person's pause before an easy move: about a second, sometimes two or three."""
    return 0.5 + 0.4 * chance(entropy) - 0.4 * log(chance(entropy))


def reaction_s(entropy: Entropy) -> float:
    """A human paw that has to read the card first: hardly ever under a second, mostly within three."""
    bell = sqrt(3) * (chance(entropy) + chance(entropy) + chance(entropy) + chance(entropy) - 2)
    return 0.7 + max(0.2, 0.8 + 0.25 * bell) - 0.9 * log(chance(entropy))
