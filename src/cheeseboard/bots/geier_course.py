"""Three and more players: how a game goes on. A prize is turned, all bid, somebody takes the pot; in the end, who has
what of the win. On arrays, to be compiled with whatever looks ahead; `facts` are those of `geier_nets`."""

from typing import Any

import numpy as np

from cheeseboard.bots.geier_nets import BY_MOUSE, CARRY, FACTS, GOOFSPIEL, TOP_LYING


def shares(scores: Any, tops: Any, facts: Any, share: Any) -> None:
    """The end: the win, or what each has of it."""
    n = len(scores)
    share[:n] = 0.0
    best, alone = -1, False
    if facts[BY_MOUSE]:
        winners = 0
        for who in range(n):
            if best < 0 or scores[who] * 128 + tops[who] > scores[best] * 128 + tops[best]:
                best = who
        for who in range(n):
            winners += scores[who] == scores[best] and tops[who] == tops[best]
        for who in range(n):
            share[who] = (scores[who] == scores[best] and tops[who] == tops[best]) / winners
        return
    for who in range(n):
        same = 0
        for other in range(n):
            same += scores[other] == scores[who]
        if same == 1 and (not alone or scores[who] > scores[best]):
            best, alone = who, True
    if alone:
        share[best] = 1.0
        return
    top = scores[0]
    for who in range(n):
        top = max(top, scores[who])
    winners = 0
    for who in range(n):
        winners += scores[who] == top
    for who in range(n):
        share[who] = (scores[who] == top) / winners


def taker(hands: Any, bids: Any, pot: int, goofspiel: int) -> int:
    """Who gets the pot; -1 is nobody. `bids` are places in the hands."""
    n = len(bids)
    best, extreme = -1, -1
    for who in range(n):
        card = hands[who, bids[who]]
        if extreme < 0 or (card > extreme if pot >= 0 else card < extreme):
            extreme = card
        again = 0
        for other in range(n):
            again += hands[other, bids[other]] == card
        if again == 1 and (best < 0 or (card > hands[best, bids[best]]) == (pot >= 0)):
            best = who
    if goofspiel and best >= 0 and hands[best, bids[best]] != extreme:
        return -1
    return best


def follow(
    hands: Any, scores: Any, tops: Any, bids: Any, pot: int, mouse: int, facts: Any,
    hands_then: Any, scores_then: Any, tops_then: Any, then: Any,
) -> None:  # fmt: skip
    """What becomes of the position with these bids. `mouse`: the highest in the pot."""
    n, k = hands.shape
    for who in range(n):
        scores_then[who] = scores[who]
        tops_then[who] = tops[who]
        for at in range(k - 1):
            hands_then[who, at] = hands[who, at + (at >= bids[who])]
    for fact in range(FACTS):
        then[fact] = facts[fact]
    then[CARRY] = 0
    then[TOP_LYING] = 0
    winner = taker(hands, bids, pot, facts[GOOFSPIEL])
    if winner >= 0:
        scores_then[winner] += pot
        tops_then[winner] = max(tops[winner], mouse)
    elif not facts[GOOFSPIEL]:
        then[CARRY] = pot
        then[TOP_LYING] = mouse


def turn(values: Any, up: int, facts: Any, rest: Any) -> Any:
    """A prize is turned: the pot, and the highest mouse in it. `rest` is filled with the prizes that are left."""
    for at in range(len(rest)):
        rest[at] = values[at + (at >= up)]
    return facts[CARRY] + values[up], max(facts[TOP_LYING], values[up] * facts[BY_MOUSE])


def room_for(players: int, cards: int) -> Any:
    """For what `follow` finds: hands, scores, top mice and facts."""
    return (
        np.zeros((players, cards), np.int64),
        np.zeros(players, np.int64),
        np.zeros(players, np.int64),
        np.zeros(FACTS, np.int64),
    )
