"""Three and more players: what a position between two rounds is worth, by small nets, one for each number of cards.

A net is asked once for each player, with that player's eyes, and answers with the share of the win."""

from functools import cache
from typing import Any

import numpy as np

from cheeseboard.bots.nets import layer, load, total

# what there is to know besides hands, scores and prizes, as a list of numbers; see `geier_two`
CARRY, GOOFSPIEL, BY_MOUSE, TOP_LYING = range(4)
FACTS = 4
SIZE = 15  # cards in a whole hand
MOST = 14  # cards for which there is a net
BY_CARD = 3  # inputs for each card of a hand
ALONE = 10  # inputs that describe the position as a whole
EDGE, WILD = 1.5, 0.8  # of the rule of thumb: how much high cards bring, and how much is luck


def inputs(players: int, cards: int, *, cool: bool = False) -> int:
    """`cool`: for a net that sees how each two hands compare."""
    by_card = 1 + players * (players - 1) if cool else BY_CARD
    return by_card * cards + 3 * (players - 1) + ALONE


def describe(hands: Any, scores: Any, tops: Any, values: Any, facts: Any, me: int, seen: Any) -> None:
    """What a net sees with the eyes of one player. Prizes are sorted by value.

    How my cards compare with those of all others together; or, if `seen` has room for it, how each two hands
    compare."""
    n, m = hands.shape
    below, held = np.zeros(SIZE + 1, np.int64), np.zeros(SIZE, np.int64)
    strength, cards = np.zeros(n), np.zeros(n, np.int64)
    measured(hands, below, held, strength, cards)
    most, squares = abs(facts[CARRY]), float(facts[CARRY] * facts[CARRY])
    for value in values:
        most += abs(value)
        squares += value * value
    scale = 3.0 / max(most, 1)
    for at in range(m):
        card = hands[me, at]
        seen[at] = (below[card] - at) / ((n - 1) * m)
        seen[m + at] = (held[card] - 1) / (n - 1)
        seen[2 * m + at] = values[at] * scale * m / 3
    best, mouse, ahead = -(1 << 30), 0, 0
    at = 3 * m
    placed, eyes = 1 << me, np.full(n, me)  # all others follow, in an order of their own
    for place in range(1, n):
        chosen = next_of(scores, strength, cards, placed)
        placed |= 1 << chosen
        lead = scores[me] - scores[chosen]
        seen[at] = min(max(lead * scale, -3.0), 3.0)
        seen[at + 1] = 4 * strength[chosen]
        seen[at + 2] = int(lead == 0)
        eyes[place] = chosen
        best = max(best, scores[chosen])
        mouse = max(mouse, tops[chosen])
        ahead += lead < 0
        at += 3
    seen[at] = 4 * strength[me]
    seen[at + 1] = facts[CARRY] * scale
    seen[at + 2] = abs(facts[CARRY]) * scale
    seen[at + 3] = facts[GOOFSPIEL]
    seen[at + 4] = facts[BY_MOUSE]
    seen[at + 5] = facts[BY_MOUSE] * ((tops[me] > mouse) - (tops[me] < mouse))
    seen[at + 6] = np.sqrt(squares) * scale / 3
    seen[at + 7] = ahead / n
    seen[at + 8] = min(max((scores[me] - best) / np.sqrt(max(squares, 1.0)), -3.0), 3.0)
    seen[at + 9] = int(lead_is_shared(scores, me))
    if len(seen) > at + ALONE:
        compare_all(hands, eyes, seen, at + ALONE)


def measured(hands: Any, below: Any, held: Any, strength: Any, cards: Any) -> None:
    """Of each card how many there are below it and of it, in all hands; and of each player how strong the hand is, and
    the hand as a set. All are 0 before."""
    n, m = hands.shape
    for who in range(n):
        for card in hands[who]:
            held[card] += 1
    for card in range(SIZE):
        below[card + 1] = below[card] + held[card]
    for who in range(n):
        for card in hands[who]:
            strength[who] += 2 * below[card] + held[card]
            cards[who] |= 1 << card
        strength[who] = strength[who] / (2 * n * m * m) - 0.5


def next_of(scores: Any, strength: Any, cards: Any, placed: int) -> int:
    """Of those who have no place yet the one with the highest score; of equal ones with the stronger hand. The cards
    decide in the end: who sits where must not."""
    chosen = -1
    for who in range(len(scores)):
        if (placed >> who) & 1 == 0:
            mine = scores[who], strength[who], cards[who]
            if chosen < 0 or mine > (scores[chosen], strength[chosen], cards[chosen]):
                chosen = who
    return chosen


def compare_all(hands: Any, eyes: Any, seen: Any, rest: int) -> None:
    """Each two hands, in this order of the players: the first two at the beginning, all others from `rest` on."""
    at = 0
    for later in range(1, len(eyes)):
        for earlier in range(later):
            compare(hands[eyes[earlier]], hands[eyes[later]], seen[at:])
            at = max(rest, at + 2 * hands.shape[1])


def compare(mine: Any, theirs: Any, seen: Any) -> None:
    """For each of my cards, how many of theirs are lower, and then whether they have the same. Both are sorted."""
    m = len(mine)
    lower = 0
    for at in range(m):
        while lower < m and theirs[lower] < mine[at]:
            lower += 1
        seen[at] = lower / m
        seen[m + at] = int(lower < m and theirs[lower] == mine[at])


def lead_is_shared(scores: Any, me: int) -> bool:
    """Whether two others share a score above mine: as it stands, they would cancel each other out."""
    for a in range(len(scores)):
        for b in range(a):
            if scores[a] == scores[b] and scores[a] > scores[me] and me not in (a, b):
                return True
    return False


def guessed(hands: Any, scores: Any, tops: Any, values: Any, facts: Any, me: int, net: Any, buffers: Any) -> Any:
    """The share of the win by the net; by a rule of thumb if there is none."""
    if len(net[0]) == 1:
        return thumbed(hands, scores, values, facts, me)
    answer = asked(hands, scores, tops, values, facts, me, net, buffers)
    return 0.5 + 0.5 * answer / np.sqrt(1.0 + answer * answer)


def even_out(share: Any) -> None:
    """The net is asked by each for itself; together they have the win, no more and no less."""
    whole = 0.0
    for part in share:
        whole += part
    for who in range(len(share)):
        share[who] /= whole


def asked(hands: Any, scores: Any, tops: Any, values: Any, facts: Any, me: int, net: Any, buffers: Any) -> float:
    """What the net says, as it is."""
    w1, b1, w2, b2, w3 = net
    seen, first, second = buffers
    describe(hands, scores, tops, values, facts, me, seen)
    layer(seen, w1, b1, first)
    layer(first, w2, b2, second)
    return float(total(second, w3))


def thumbed(hands: Any, scores: Any, values: Any, facts: Any, me: int) -> Any:
    """Who holds higher cards than the others will get more of what is to come; the rest is luck."""
    n = len(hands)
    most, squares = abs(facts[CARRY]), float(facts[CARRY] * facts[CARRY])
    for value in values:
        most += abs(value)
        squares += value * value
    luck = WILD * np.sqrt(max(squares, 1.0) * (n - 1)) / n
    mine = scores[me] + EDGE * most * strength(hands, me)
    weights = 0.0
    for who in range(n):
        weight = max(0.0, 1 + (scores[who] + EDGE * most * strength(hands, who) - mine) / (16 * luck))
        for _ in range(4):  # nearly the exponential function, which is not the same on every machine
            weight *= weight
        weights += weight
    return 1 / weights


def strength(hands: Any, who: int) -> Any:
    """How often a card of this player is higher than one of another, less a half."""
    n, m = hands.shape
    higher = 0
    for other in range(n):
        if other != who:
            at = 0
            for card in hands[who]:  # both are sorted
                while at < m and hands[other, at] < card:
                    at += 1
                higher += 2 * at + int(at < m and hands[other, at] == card)
    return higher / (2 * m * m * (n - 1)) - 0.5


def buffers_for(net: Any) -> Any:
    return (
        np.zeros(net[0].shape[0], np.float32),
        np.zeros(net[0].shape[1], np.float32),
        np.zeros(net[2].shape[1], np.float32),
    )


@cache
def net_of(players: int, cards: int, *, cool: bool = False) -> tuple[Any, ...]:
    """With so few cards that all is played out there is none, and none is asked. `cool`: one that was learnt from
    rounds of players who cool down."""
    weights = load("geier-many")
    empty = np.zeros(1, np.float32)
    absent = (np.zeros((1, 1), np.float32), empty, np.zeros((1, 1), np.float32), empty, empty)
    return tuple(weights.get(f"{'cool-' * cool}{players}-{cards}-{n}", absent[n]) for n in range(5))
