"""Rules of thumb for Hol's der Geier, as people have them.

The words of the literature: level 0 bids the card that has the rank of the prize, level 1 expects level 0 and overbids
it by one, level 2 expects level 1. Others go by tiers: high cards for great prizes, low ones for small ones."""

import numpy as np
import numpy.typing as npt

from cheeseboard.games.core import State, members

Floats = npt.NDArray[np.float64]

TIERS = (0.45, 0.75)  # shares of the greatest prize from which a pot is middling, and great
GUESS = (0.7, 0.3)  # how often others are thought to bid the rank of the prize, and one step more
NEAR = 0.3  # of a hand: how far from there a card may still lie
STEPS = {3: 8, 4: 4, 5: 4}  # of thought about the others: the more there are, the harder it is to think on
HEAT = 0.1  # of what is at stake: how much worse a card may be and still be bid now and then


def size(value: int) -> tuple[int, int]:
    """Prizes in the order of how much is at stake: what a vulture costs counts as much as a mouse brings."""
    return abs(value), value


def rank_of_pot(view: State) -> int:
    """How many of the prizes still to come are smaller than the pot: 0 for the smallest."""
    return sum(size(view.prizes[prize]) < size(view.pot) for prize in members(view.left))


def over(hand: list[int], pot: int, expected: list[int]) -> int:
    """One more than what decides, if the others bid as expected; and if that cannot be had, as little as possible."""
    limit = max(expected) if pot >= 0 else min(expected)
    return next((card for card in hand if card > limit), hand[0])


def bid_of_level(view: State, seat: int, level: int, hand: list[int]) -> int:
    """What this seat bids if it thinks so many steps ahead. The hand may lack the card that lies bid already."""
    if level == 0:
        return hand[min(rank_of_pot(view), len(hand) - 1)]
    others = [other for other in range(view.seats) if other != seat]
    expected = [bid_of_level(view, other, level - 1, members(view.hand[other])) for other in others]
    return over(hand, view.pot, expected)


def tier(view: State, cards: int) -> tuple[int, int]:
    """The part of a hand of so many cards that goes with the pot: the first, and the one after the last."""
    greatest = max(abs(value) for value in view.prizes[: view.cards])
    height = sum(abs(view.pot) >= share * greatest for share in TIERS)
    first = height * cards // 3
    return first, max((height + 1) * cards // 3, first + 1)


def guessed(view: State) -> Floats:
    """What to expect of everybody at first, [seat, card]: about the rank of the prize, or one step more."""
    mix = np.zeros((view.seats, view.cards))
    for seat in range(view.seats):
        hand = members(view.hand[seat])
        for level, share in enumerate(GUESS):
            at = hand.index(bid_of_level(view, seat, level, hand))
            around = [max(0.0, 1 - abs(n - at) / max(NEAR * len(hand), 1.0)) for n in range(len(hand))]
            mix[seat, hand] += [share * part / sum(around) for part in around]
    return mix


def people(view: State) -> Floats:
    """How often each of three or more would bid which card, [seat, card], if they think as long as people do."""
    return weighed(view, STEPS[view.seats], HEAT)


def weighed(view: State, steps: int, heat: float) -> Floats:
    """How often each would bid which card, [seat, card], after so many steps of thought about all the others.

    A card brings the pot with the chance that all others lie below it, or takes the vulture with the chance that they
    lie above. It costs what is missing later: each smaller prize must do with the card below the one it would have had,
    which with k cards is about 1/k of the chance for it. In each step everybody answers what everybody did in the steps
    before, the better a card the likelier."""
    seats, held = range(view.seats), np.zeros((view.seats, view.cards), np.bool_)
    for seat in seats:
        held[seat, members(view.hand[seat])] = True
    later = sorted(abs(view.prizes[prize]) for prize in members(view.left))
    missing = np.cumsum([0.0, *later]) / (len(later) + 1)
    cost = missing[np.minimum(np.cumsum(held, 1) - held, len(later))]
    stakes = max(0.5 * abs(view.pot) + 0.5 * sum(later) / max(len(later), 1), 1.0)
    others = [[other for other in seats if other != seat] for seat in seats]
    expected = guessed(view)
    for step in range(steps):
        upto = np.cumsum(expected, 1)
        beaten = upto - expected if view.pot >= 0 else 1 - upto
        gain = np.where(held, view.pot * beaten[others].prod(1) - cost, -np.inf)
        bids = soft(gain, heat * stakes)
        expected = expected + (bids - expected) / (step + 2)
    return bids


def soft(worths: Floats, heat: float) -> Floats:
    """Logit response: the better the likelier. By multiplication only, for the same numbers on every machine."""
    weights = np.maximum(0.0, 1 + (worths - worths.max(-1, keepdims=True)) / heat / 64)
    for _ in range(6):
        weights = weights * weights
    normal: Floats = weights / weights.sum(-1, keepdims=True)
    return normal
