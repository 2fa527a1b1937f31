"""Positions to learn from: games for two that were played by people of all kinds, up to a number of cards left.

The nets must also know what nobody would play, for every round looks at every card. So players are mixed, often make
a blunder right at the end, and the lead is sometimes anything."""

from typing import Any

import numpy as np

from cheeseboard.bots.dice import chance
from cheeseboard.bots.geier_two import (
    BY_MOUSE,
    CARRY,
    FACTS,
    GOOFSPIEL,
    LEAD,
    POINTS,
    TOP_LYING,
    follow,
    swing,
    without,
)

CARDS = 15
DECK = np.array([1, 2, -1, 3, 4, -2, 5, 6, -3, 7, 8, -4, 9, 10, -5])  # a smaller deck is the first so many of it
ANY, MATCHING, OVER, OVER_OVER, TIERS = range(5)  # kinds of players
KINDS = 5


def below(limit: int, dice: Any) -> int:
    return int(chance(dice) * limit)


def noise(dice: Any) -> float:
    """Nearly normal, of standard deviation 1."""
    return (chance(dice) + chance(dice) + chance(dice) + chance(dice) - 2.0) * 1.732


def sort_by_size(values: Any) -> None:
    for n in range(1, len(values)):
        value, at = values[n], n
        while at > 0 and (abs(values[at - 1]), values[at - 1]) > (abs(value), value):
            values[at] = values[at - 1]
            at -= 1
        values[at] = value


def deal(cards: int, dice: Any, values: Any) -> None:
    """Prizes of a deck: the usual ones, any of the usual ones, or 1, 2, 3 and so on."""
    kind = below(4, dice)
    for n in range(cards):
        values[n] = n + 1 if kind == 0 and cards < CARDS else DECK[n]
    if kind >= 2 and cards < CARDS:
        every = DECK.copy()
        for n in range(cards):
            other = n + below(CARDS - n, dice)
            every[n], every[other] = every[other], every[n]
            values[n] = every[n]
    sort_by_size(values[:cards])


def bid(kind: int, wild: float, slack: float, mine: Any, theirs: Any, rank: int, weight: float, dice: Any) -> int:
    """The place in the hand of the card that a player of this kind lays. `weight`: the pot by the greatest prize."""
    k = len(mine)
    if kind == ANY or chance(dice) < wild:
        return below(k, dice)
    at = min(rank, k - 1)
    if kind == TIERS:
        tier = (weight >= 0.75) + (weight >= 0.45)
        first = tier * k // 3
        return first + below(max((tier + 1) * k // 3 - first, 1), dice)
    if kind == OVER:
        at = first_above(mine, theirs[at])
    elif kind == OVER_OVER:
        at = first_above(mine, theirs[first_above(theirs, mine[at])])
    return min(max(int(at + noise(dice) * slack * k + 0.5), 0), k - 1)


def first_above(hand: Any, card: int) -> int:
    for n in range(len(hand)):
        if hand[n] > card:
            return n
    return 0


def one(k: int, points: int, dice: Any, mine_out: Any, theirs_out: Any, values_out: Any, facts: Any) -> Any:
    """Play until k cards are left; False if the game is decided by then."""
    n = CARDS if chance(dice) < 0.6 else k + below(CARDS - k + 1, dice)
    mine, theirs, values = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    for card in range(n):
        mine[card] = theirs[card] = card
    deal(n, dice, values)
    greatest = abs(values[n - 1])
    facts[:] = 0
    facts[GOOFSPIEL] = chance(dice) < 0.15
    facts[BY_MOUSE] = not points and chance(dice) < 0.15
    facts[POINTS] = points
    kinds = (below(KINDS, dice), below(KINDS, dice))
    wild = (0.5 * chance(dice) * chance(dice), 0.5 * chance(dice) * chance(dice))
    slack = (0.4 * chance(dice) * chance(dice), 0.4 * chance(dice) * chance(dice))
    blunders = chance(dice) < 0.6  # in the last round before the position
    then = np.empty(FACTS, np.int64)
    while n > k:
        up = below(n, dice)
        pot = facts[CARRY] + values[up]
        rank = 0
        for value in values:
            rank += (abs(value), value) < (abs(pot), pot)
        rank -= (abs(values[up]), values[up]) < (abs(pot), pot)
        weight = abs(pot) / max(greatest, 1)
        anything = blunders and n == k + 1
        a = bid(ANY if anything else kinds[0], wild[0], slack[0], mine, theirs, rank, weight, dice)
        b = bid(ANY if anything else kinds[1], wild[1], slack[1], theirs, mine, rank, weight, dice)
        if n == k + 1 and chance(dice) < 0.05:  # a tie, so that what lies is well known
            for c in range(n):
                for d in range(n):
                    if mine[c] == theirs[d] and below(n, dice) == 0:
                        a, b = c, d
        hand, other, rest = np.empty(n - 1, np.int64), np.empty(n - 1, np.int64), np.empty(n - 1, np.int64)
        without(values, up, rest)
        follow(mine, theirs, a, b, values[up], facts, hand, other, then)
        facts[:] = then
        mine, theirs, values = hand, other, rest
        n -= 1
    if chance(dice) < 0.25:
        most = swing(values, facts)
        facts[LEAD] = below(2 * most + 1, dice) - most
    mine_out[:] = mine
    theirs_out[:] = theirs
    values_out[:] = values
    if points:
        facts[LEAD] = 0
        return True
    if not facts[BY_MOUSE]:
        facts[TOP_LYING] = 0
    share = abs(facts[LEAD]) / max(swing(values, facts), 1)
    return share <= 1 and share < 0.05 + 1.25 * chance(dice)  # the less open, the fewer


def many(seed: int, points: int, mine: Any, theirs: Any, values: Any, facts: Any) -> None:
    """Fill the rows with positions that are still open."""
    dice = np.zeros(1, np.uint64)
    dice[0] = np.uint64(seed) * np.uint64(0xD1342543DE82EF95)
    for n in range(len(mine)):
        while not one(mine.shape[1], points, dice, mine[n], theirs[n], values[n], facts[n]):
            pass
