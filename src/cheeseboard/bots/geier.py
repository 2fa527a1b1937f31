"""Hol's der Geier: who bids how. Here are those who follow a rule of thumb; `geier_two` and `geier_many` calculate.

The words of the literature: level 0 bids the card that has the rank of the prize, level 1 expects level 0 and overbids
it by one, level 2 expects level 1. People are mixtures of these (cognitive hierarchy), with noise."""

import numpy as np

from cheeseboard.bots import Player
from cheeseboard.bots.simple import thinker
from cheeseboard.games.core import Game, State, members

DEEPEST = 2  # levels of thought above "the card of the prize's rank"
CAT_DEPTH = (0.35, 0.40, 0.25)  # how often the cat thinks how deep: nearly a Poisson mix of mean 1


def size(value: int) -> tuple[int, int]:
    """Prizes in the order of how much is at stake: what a vulture costs counts as much as a mouse brings."""
    return abs(value), value


def rank_of_pot(view: State) -> int:
    """How many of the prizes still to come are smaller than the pot: 0 for the smallest."""
    return sum(size(view.prizes[prize]) < size(view.pot) for prize in members(view.left))


def matching(hand: list[int], rank: int) -> int:
    """The card whose rank in the hand is the pot's among the prizes; the hand may lack the card that lies bid."""
    return hand[min(rank, len(hand) - 1)]


def over(hand: list[int], pot: int, expected: list[int]) -> int:
    """One more than what decides, if the others bid as expected; and if that cannot be had, as little as possible."""
    limit = max(expected) if pot >= 0 else min(expected)
    return next((card for card in hand if card > limit), hand[0])


def bid_of_level(view: State, seat: int, level: int, hand: list[int]) -> int:
    """What this seat bids if it thinks so many steps ahead."""
    if level == 0:
        return matching(hand, rank_of_pot(view))
    others = [other for other in range(view.seats) if other != seat]
    expected = [bid_of_level(view, other, level - 1, members(view.hand[other])) for other in others]
    return over(hand, view.pot, expected)


def rank(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    return bid_of_level(view, seat, 0, members(game.legal(view, seat)))


def level1(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    return bid_of_level(view, seat, 1, members(game.legal(view, seat)))


def level2(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    return bid_of_level(view, seat, 2, members(game.legal(view, seat)))


def tiers(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    """High cards for great prizes, middle ones for middling ones, low ones for the rest; which of them is left open."""
    hand = members(game.legal(view, seat))
    greatest = max(abs(value) for value in view.prizes[: view.cards])
    tier = 2 if abs(view.pot) >= 0.75 * greatest else 1 if abs(view.pot) >= 0.45 * greatest else 0
    first, end = tier * len(hand) // 3, (tier + 1) * len(hand) // 3
    return int(rng.choice(hand[first : max(end, first + 1)]))


def mouse(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    """A child: much for much and little for little, roughly, and without looking at what the others hold."""
    hand = members(game.legal(view, seat))
    about = rank_of_pot(view) + float(rng.normal(0, 0.35 * view.cards))
    return hand[min(max(round(about), 0), len(hand) - 1)]


def cat(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    """Thinks none, one or two steps ahead, looks at what the others can still bid, and is not always exact."""
    hand = members(game.legal(view, seat))
    meant = bid_of_level(view, seat, int(rng.choice(DEEPEST + 1, p=CAT_DEPTH)), hand)
    about = hand.index(meant) + float(rng.normal(0, 0.1 * len(hand)))
    return hand[min(max(round(about), 0), len(hand) - 1)]


PLAYERS = {
    "mouse": Player(mouse),
    "cat": Player(cat),
    "dog": Player(thinker, 48),
    "elephant": Player(thinker, 96),
    "rank": Player(rank),
    "level1": Player(level1),
    "level2": Player(level2),
    "tiers": Player(tiers),
}
