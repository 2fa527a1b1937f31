"""Hol's der Geier: who bids how."""

from collections.abc import Sequence

import numpy as np

from cheeseboard.bots import Past, Player, geier_rounds, geier_two
from cheeseboard.bots.geier_fox import answer
from cheeseboard.bots.geier_roll import rollouts
from cheeseboard.bots.geier_search import searched
from cheeseboard.bots.geier_thumb import bid_of_level, people, rank_of_pot, soft, tier
from cheeseboard.bots.geier_two import Floats, sums
from cheeseboard.games.core import Game, State, members

MOUSE_SLIP = 0.75  # of all cards: how far a child's card lies from the one that would go with the prize
CAT_DEPTH = (0.75, 0.25)  # how often the cat thinks how many steps ahead
CAT_SLIP = (0.055, 0.046)  # of the cards in hand, at small tables and at full ones: cats that bid the same cancel out
DOG_DEPTH = (0.0, 0.35, 0.65)  # with two
DOG_SLIP = 0.08
FOX_HEAT = 0.01
CAUTION = 0.2  # of the fox's bids are the elephant's, however well the others are known

ROUNDS = 1000  # of regret matching
SECOND = 400_000  # walks down a tree for which one core needs about a second, and the tree a gigabyte

# --- rules of thumb -------------------------------------------------------------------------------------------------


def rank(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    return bid_of_level(view, seat, 0, members(game.legal(view, seat)))


def level1(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    return bid_of_level(view, seat, 1, members(game.legal(view, seat)))


def level2(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    return bid_of_level(view, seat, 2, members(game.legal(view, seat)))


def tiers(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    hand = members(game.legal(view, seat))
    return hand[int(rng.integers(*tier(view, len(hand))))]


def slipped(hand: list[int], at: int, slip: float, rng: np.random.Generator) -> int:
    """The card at that place of the hand, or about there."""
    return hand[min(max(round(at + rng.normal(0, slip)), 0), len(hand) - 1)]


def mouse(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    """A child: much for much and little for little, roughly, and without looking at what the others hold."""
    hand = members(game.legal(view, seat))
    return slipped(hand, rank_of_pot(view), MOUSE_SLIP * view.cards, rng)


def thought(game: Game, view: State, seat: int, rng: np.random.Generator, depth: Sequence[float], slip: float) -> int:
    """The bid of somebody who thinks so many steps ahead, each number with its chance, and is not always exact."""
    hand = members(game.legal(view, seat))
    meant = bid_of_level(view, seat, int(rng.choice(len(depth), p=depth)), hand)
    return slipped(hand, hand.index(meant), slip * len(hand), rng)


def cat(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    """Bids the rank of the prize, with a sure paw, and sometimes one step ahead of those who do the same."""
    return thought(game, view, seat, rng, CAT_DEPTH, CAT_SLIP[view.seats > 3])


def dog(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    """With two it thinks one or two steps ahead: what will they bid who bid the rank, or who expect others to?

    More cannot be foreseen that way: then it weighs what a card brings, as all who think so might bid, and costs."""
    if view.seats == 2:
        return thought(game, view, seat, rng, DOG_DEPTH, DOG_SLIP)
    hand = members(view.hand[seat])
    return drawn(game, view, seat, people(view)[seat, hand], rng)


# --- calculated -----------------------------------------------------------------------------------------------------


def solved(view: State, seat: int, rounds: int) -> tuple[Floats, Floats]:
    """How often to bid each card of the hand, and what each is worth against those who do so: a share of the win.

    Both go from the lowest card to the highest, a card that lies bid already included. A prize must be turned up. What
    the position is worth to the seat is the mean of the worths by the mix. `rounds`: how long to think, for three and
    more players; two are solved in one go."""
    if view.seats > 2:
        mixes, worths = geier_rounds.many(view, rounds)
        return mixes[seat], worths[seat]
    solution = geier_rounds.two(view, seat)
    return solution.mix, 0.5 + 0.5 * sums(solution.payoffs, solution.mix_other)


def worth(view: State, seat: int) -> float:
    """What a position of two players is worth between two rounds, before a prize is turned up: a share of the win."""
    return 0.5 + 0.5 * geier_two.worth(geier_two.position(view, seat))


def drawn(game: Game, view: State, seat: int, mix: Floats, rng: np.random.Generator) -> int:
    """A card, each as often as the mix says; of those that may be bid, if one of them lies already."""
    cards, shares = members(view.hand[seat]), mix.tolist()
    may = [(card, share) for card, share in zip(cards, shares, strict=True) if game.legal(view, seat) >> card & 1]
    left = rng.random() * sum(share for _, share in may)
    for card, share in may:
        left -= share
        if left < 0:
            return card
    return may[-1][0]


def elephant(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:
    """The equilibrium: against it nobody has a better bid than its own.

    With four and more players that alone is not the best: see `geier_rounds.PEOPLE`."""
    return drawn(game, view, seat, solved(view, seat, budget)[0], rng)


def fox(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int, *, past: Past = ()) -> int:
    """Answers the others' habits, as far as it knows them; else like the elephant."""
    mix, worths, known = answer(game, view, seat, past, budget)
    trust = known * (1 - CAUTION)
    return drawn(game, view, seat, trust * soft(worths, FOX_HEAT) + (1 - trust) * mix, rng)


def points(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:
    """For two: the elephant, if points counted and not the win. For more there is none: then it is the elephant."""
    if view.seats > 2:
        return elephant(game, view, seat, rng, budget)
    return drawn(game, view, seat, geier_two.solve(geier_two.position(view, seat, points=True)).mix, rng)


def search(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:
    """For two: regret matching in a tree, without knowledge. For more it rolls out."""
    if view.seats > 2:
        return rollouts(game, view, seat, rng, budget // 20)  # each of them tries all cards
    return drawn(game, view, seat, searched(view, seat, budget, int(rng.integers(0, 1 << 62))), rng)


PLAYERS = {
    "mouse": Player(mouse),
    "cat": Player(cat),
    "dog": Player(dog),
    "elephant": Player(elephant, ROUNDS),
    "fox": Player(fox, ROUNDS, past=True),
    "points": Player(points, ROUNDS),
    "rank": Player(rank),
    "level1": Player(level1),
    "level2": Player(level2),
    "tiers": Player(tiers),
    "rollouts": Player(rollouts, 300),
    "search": Player(search, SECOND),
}
