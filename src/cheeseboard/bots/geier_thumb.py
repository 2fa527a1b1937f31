"""Rules of thumb for Hol's der Geier, as people have them.

The words of the literature: level 0 bids the card that has the rank of the prize, level 1 expects level 0 and overbids
it by one, level 2 expects level 1. Others go by tiers: high cards for great prizes, low ones for small ones."""

from cheeseboard.games.core import State, members

TIERS = (0.45, 0.75)  # shares of the greatest prize from which a pot is middling, and great


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
