"""Mausen: who hunts how. Here are those who follow their nose; `mausen_values` calculates.

Whoever looks only at the middle goes for the fattest prey. But there all the others go, too, and where all go nobody
gets anything: who is hard to foresee wins. All of them add up in plain loops, for a library might do it in another
order on another machine."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cheeseboard.bots import Player
from cheeseboard.bots.cooling import power
from cheeseboard.bots.mausen_values import ROOM, think
from cheeseboard.bots.nets import load
from cheeseboard.games.compiled import machine_code
from cheeseboard.games.core import EMPTY, SEATS, Game, State, members
from cheeseboard.games.mausen.rules import ACTIONS, ANIMALS, REFILL, VALUES, prey_of, worth

Array = npt.NDArray[Any]
Each = list[float]  # a number for each card

# Those who follow their nose: how many points of prey a point on their own card is worth to them, and by how many
# points a card may be worse and is still taken now and then.
MOUSE_FOND, MOUSE_HEAT = 1.0, 0.3
CAT_FOND, CAT_HEAT = 0.5, 0.45
DOG_NOSE = 0.6  # how often the dog does what the cat would do

HARD = 10_000  # joint choices: who looks at so many has also the patience to play the last cards through
THROUGH, THROUGH_LEAST = {3: 4, 4: 3}, 2  # with so many cards in each hand; more would take longer than a second


class Thoughts(NamedTuple):
    """Of all seats: how often to play each card in hand, what each of them brings (win probability), and the whole."""

    mix: Array
    good: Array
    value: Array


def value(card: int) -> int:
    return card % VALUES + 1


def prey(view: State) -> Each:
    """For each card, what its prey in the middle is worth."""
    lies = [worth(view.middle, prey_of(animal * VALUES)) for animal in range(ANIMALS)]
    return [float(lies[card // VALUES]) for card in range(ACTIONS)]


def nose(view: State, fond: float) -> Each:
    """How good each card smells to one who is so fond of big cards. A new middle is made of what one can spare."""
    if view.phase == REFILL:
        return [-float(value(card)) for card in range(ACTIONS)]
    return [fat + fond * value(card) for card, fat in enumerate(prey(view))]


def softly(cards: Sequence[int], good: Each, heat: float) -> Each:
    """How often to play each card: the better the likelier (logit); with little heat nearly always the best."""
    best = max(good[card] for card in cards)
    shares = [0.0] * len(good)
    for card in cards:
        shares[card] = power((good[card] - best) / heat)
    total = sum(shares)
    return [share / total for share in shares]


def throw(cards: Sequence[int], shares: Each, rng: np.random.Generator) -> int:
    """One of the cards, each as often as its share says; are all 0, any."""
    total = sum(shares[card] for card in cards)
    left = rng.random() * (total or len(cards))
    for card in cards:
        left -= shares[card] if total else 1.0
        if left < 0:
            return card
    return max(cards, key=shares.__getitem__)  # the shares need not add up exactly


def expected(view: State, seat: int) -> Each:
    """What each card would bring the seat on average, if each of the others plays any of theirs."""
    good = prey(view)
    hands = [members(view.hand[other]) for other in range(view.seats) if other != seat]
    for card in range(ACTIONS):
        prey_there, alone = good[card], 1.0
        for hand in hands:
            prey_there += sum(value(held) for held in hand if held // VALUES == prey_of(card) // VALUES) / len(hand)
            as_high = sum(held // VALUES == card // VALUES and held >= card for held in hand)
            alone *= 1.0 - as_high / len(hand)
        good[card] = alone * prey_there
    return good


def greedy(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    """The highest card of the animal with the fattest prey; so does everybody else who thinks like this."""
    cards = members(game.legal(view, seat))
    if view.phase == REFILL:
        return min(cards, key=value)
    fat = prey(view)
    return max(cards, key=lambda card: (fat[card], value(card), rng.random()))


def counter(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    """Counts what the others still hold, and believes that they may play any of it."""
    cards = members(game.legal(view, seat))
    if view.phase == REFILL:
        return min(cards, key=value)
    good = expected(view, seat)
    return max(cards, key=lambda card: (good[card], rng.random()))


def mouse(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    """A child: goes where most lies, nearly always, and meets all the others there."""
    cards = members(game.legal(view, seat))
    return throw(cards, softly(cards, nose(view, MOUSE_FOND), MOUSE_HEAT), rng)


def cat(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    """Goes for fat prey, but not always for the fattest: nobody can be sure where it will be."""
    cards = members(game.legal(view, seat))
    return throw(cards, softly(cards, nose(view, CAT_FOND), CAT_HEAT), rng)


def dog(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:
    """Calculates, but now and then its nose carries it away."""
    return (cat if rng.random() < DOG_NOSE else elephant)(game, view, seat, rng, budget)


def elephant(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:
    """Plays so that nobody can do better against it; what all others play as well is the only thing it assumes."""
    cards = members(game.legal(view, seat))
    return throw(cards, in_hand(view, seat, thoughts(game, view, budget).mix), rng)


def in_hand(view: State, seat: int, found: Array) -> Each:
    """A number for each card, from numbers for each card in hand."""
    numbers = [0.0] * ACTIONS
    for at, card in enumerate(members(view.hand[seat])):
        numbers[card] = float(found[seat, at])
    return numbers


def thoughts(game: Game, view: State, budget: int) -> Thoughts:
    """What there is to know about this choice; whether somebody has already laid a card is not.

    No dice of the seat's own are used: all who think about the same situation think the same."""
    open_to_all = view.copy()
    open_to_all.choice = [EMPTY] * SEATS
    return _thoughts(game, open_to_all.tobytes(), budget)


def through(seats: int, budget: int) -> int:
    """With how many cards in hand the rest of the game is played through, if it is thought about so hard."""
    return THROUGH.get(seats, THROUGH_LEAST) if budget >= HARD else THROUGH_LEAST


@lru_cache(maxsize=64)  # several at one table think about the same, and all games begin alike
def _thoughts(game: Game, situation: bytes, budget: int) -> Thoughts:
    states = np.zeros(ROOM, game.STATE)
    states[0] = np.frombuffer(situation, game.STATE)[0]
    seats = int(states[0].seats)
    found = Thoughts(np.zeros((SEATS, ACTIONS)), np.zeros((SEATS, ACTIONS)), np.zeros(SEATS))
    machine_code(think)(states, nets(seats), through(seats, budget), budget, np.array([1], np.uint64), *found)
    return found


@cache
def nets(seats: int) -> Any:
    found = load(f"mausen-{seats}")
    return found["first"], found["second"], found["last"]


PLAYERS = {
    "mouse": Player(mouse),
    "cat": Player(cat),
    "dog": Player(dog, 1_000),
    "elephant": Player(elephant, 16**4),  # all joint choices of four
    "greedy": Player(greedy),
    "counter": Player(counter),
}
