"""Three and more players who bid at a glance: one small net tells how often to lay which card, with any number of them.

It has learnt from very many rounds that were solved (`geier_many`), and answers thousands of times as fast. So games
can be played on from a position very often, and what comes of them is what the position is worth to each."""

from functools import cache
from typing import Any

import numpy as np

from cheeseboard.bots.cooling import eliminated, power
from cheeseboard.bots.dice import chance
from cheeseboard.bots.geier_course import follow, taker, turn
from cheeseboard.bots.geier_many import Effort, Floats, between, look_ahead, sort_players, sorted_by
from cheeseboard.bots.geier_nets import (
    BY_MOUSE,
    EDGE,
    FACTS,
    GOOFSPIEL,
    SIZE,
    WILD,
    measured,
    net_of,
    next_of,
)
from cheeseboard.bots.nets import layer, load
from cheeseboard.bots.symmetric import throw
from cheeseboard.games.compiled import machine_code
from cheeseboard.games.core import State

END = Effort(exact=2, cool=True)  # with two cards in each hand all goes on as it should, which is found quickly
STEPS = 8  # inputs that tell the prizes to come, from the least to the greatest
BY_OTHER = 2  # inputs for each other player, besides the hand
ALONE = 12  # inputs that describe the round as a whole
LUCKS = 3  # kinds of luck that are taken out of a game, for each player
THROWS = 8  # of other bids, to know what they lead to on average
FIRST = 300  # games that tell how many more are needed
DICE = np.uint64(0xD1342543DE82EF95)  # so far apart are the seeds of two games
STILL = 1e-6  # of itself is added to how much a luck varies: two may vary together, or one not at all


def inputs(players: int) -> int:
    return SIZE * players + BY_OTHER * (players - 1) + STEPS + ALONE


def look(
    hands: Any, strength: Any, cards: Any, scores: Any, tops: Any, values: Any, pot: int, mouse: int, facts: Any,
    me: int, seen: Any,
) -> None:  # fmt: skip
    """What the net sees with the eyes of one player: who holds what, my own cards first. `values` are the prizes left
    after the one that was turned, sorted."""
    n, k = hands.shape
    seen[:] = 0
    for card in hands[me]:
        seen[card] = 1
    most, squares, smaller = abs(pot), float(pot * pot), 0
    for value in values:
        most += abs(value)
        squares += value * value
        smaller += (abs(value), value) < (abs(pot), pot)
    scale, spread = 3.0 / max(most, 1), np.sqrt(max(squares, 1.0))
    best, top, ahead = -(1 << 30), 0, 0
    placed, at = 1 << me, SIZE * n
    for place in range(1, n):
        other = next_of(scores, strength, cards, placed)
        placed |= 1 << other
        for card in hands[other]:
            seen[SIZE * place + card] = 1
        lead = scores[me] - scores[other]
        seen[at] = clipped(lead * scale)
        seen[at + 1] = int(lead == 0)
        best, top = max(best, scores[other]), max(top, tops[other])
        ahead += lead < 0
        at += BY_OTHER
    for step in range(STEPS):
        exactly = step * (k - 2) / (STEPS - 1)
        lower = int(exactly)
        upper = min(lower + 1, k - 2)
        between = values[lower] + (values[upper] - values[lower]) * (exactly - lower)
        seen[at + step] = between * scale * k / 3
    at += STEPS
    seen[at] = k / SIZE
    seen[at + 1] = pot * scale * k / 6
    seen[at + 2] = abs(pot) * scale * k / 6
    seen[at + 3] = smaller / (k - 1)
    seen[at + 4] = int(pot >= 0)
    seen[at + 5] = facts[GOOFSPIEL]
    seen[at + 6] = facts[BY_MOUSE]
    seen[at + 7] = facts[BY_MOUSE] * ((tops[me] > top) - (tops[me] < top))
    seen[at + 8] = facts[BY_MOUSE] * int(mouse > max(tops[me], top))
    seen[at + 9] = ahead / n
    seen[at + 10] = clipped((scores[me] - best) / spread)
    seen[at + 11] = clipped((scores[me] + pot - best) / spread)


def clipped(number: float) -> float:
    return min(max(number, -3.0), 3.0)


def mix_of(hand: Any, net: Any, room: Any, mix: Any) -> None:
    """How often to lay each card of this hand, by what is seen."""
    w1, b1, w2, b2, w3, b3 = net
    seen, first, second, last = room
    layer(seen, w1, b1, first)
    layer(first, w2, b2, second)
    last[:] = b3
    for i in range(len(second)):
        if second[i] != 0:
            for card in range(SIZE):
                last[card] += second[i] * w3[i, card]
    most, whole = last[hand[0]], 0.0
    for card in hand:
        most = max(most, last[card])
    for at in range(len(hand)):
        mix[at] = power(last[hand[at]] - most)
        whole += mix[at]
    for at in range(len(hand)):
        mix[at] /= whole


def lucky(
    hands: Any, strength: Any, scores: Any, values: Any, pot: int, facts: Any, mixes: Any, bids: Any, dice: Any,
    lucks: Any,
) -> None:  # fmt: skip
    """How lucky everybody was with these bids: what is counted is 0 on average.

    How likely each is to win after this pot by a rule of thumb, less the mean of that with other bids from the same
    mixes; the card that was spent, less the mean card; and its square likewise, for the highest cards are worth more
    than they are high."""
    n, k = hands.shape
    most, squares = 0, 0.0
    for value in values:
        most += abs(value)
        squares += value * value
    often, others, likely = np.zeros(n + 1), np.zeros(n, np.int64), np.zeros(n)
    for _ in range(THROWS):
        for who in range(n):
            others[who] = throw(mixes[who], k, dice)
        often[taker(hands, others, pot, facts[GOOFSPIEL])] += 1 / THROWS  # -1 is nobody, and the last place
    taken = taker(hands, bids, pot, facts[GOOFSPIEL])
    for winner in range(-1, n):
        more = int(winner == taken) - often[winner]
        if more != 0:
            standing(strength, scores, most, squares, winner, pot, likely)
            for who in range(n):
                lucks[LUCKS * who] += more * likely[who]
    for who in range(n):
        card = hands[who, bids[who]]
        height, square = card + 0.0, card * card + 0.0
        for at in range(k):
            height -= mixes[who, at] * hands[who, at]
            square -= mixes[who, at] * hands[who, at] * hands[who, at]
        lucks[LUCKS * who + 1] += height
        lucks[LUCKS * who + 2] += square


def standing(strength: Any, scores: Any, most: int, squares: float, winner: int, pot: int, likely: Any) -> None:
    """As `thumbed` for all at once, when one of them has taken the pot."""
    n = len(scores)
    luck = WILD * np.sqrt(max(squares, 1.0) * (n - 1)) / n
    best, whole = -1e9, 0.0
    for who in range(n):
        likely[who] = (scores[who] + pot * (who == winner) + EDGE * most * strength[who]) / luck
        best = max(best, likely[who])
    for who in range(n):
        likely[who] = power(likely[who] - best)
        whole += likely[who]
    for who in range(n):
        likely[who] /= whole


def play_on(
    hands: Any, scores: Any, tops: Any, values: Any, facts: Any, net: Any, end: int, first: int, dice: Any, lucks: Any
) -> Any:
    """One game from between two rounds on, until so many cards are left: the position then. `first` is the place of the
    prize that is turned first."""
    n, k = hands.shape
    room = np.zeros(inputs(n), np.float32), np.zeros_like(net[1]), np.zeros_like(net[3]), np.zeros_like(net[5])
    mixes, bids = np.zeros((n, k)), np.zeros(n, np.int64)
    lucks[:] = 0.0
    up = first
    while k > end:
        rest = np.empty(k - 1, np.int64)
        pot, mouse = turn(values, up, facts, rest)
        strength, cards = np.zeros(n), np.zeros(n, np.int64)
        measured(hands, np.zeros(SIZE + 1, np.int64), np.zeros(SIZE, np.int64), strength, cards)
        for who in range(n):
            look(hands, strength, cards, scores, tops, rest, pot, mouse, facts, who, room[0])
            mix_of(hands[who], net, room, mixes[who])
            bids[who] = throw(mixes[who], k, dice)
        lucky(hands, strength, scores, rest, pot, facts, mixes, bids, dice, lucks)
        then = np.empty((n, k - 1), np.int64), np.empty(n, np.int64), np.empty(n, np.int64), np.empty(FACTS, np.int64)
        follow(hands, scores, tops, bids, pot, mouse, facts, *then)
        hands, scores, tops, facts = then
        values = rest
        k -= 1
        up = int(chance(dice) * k)
    return hands, scores, tops, values, facts


def play_on_often(
    hands: Any, scores: Any, tops: Any, values: Any, facts: Any, net: Any, no_net: Any, effort: Any, begin: int,
    shares: Any, lucks: Any,
) -> None:  # fmt: skip
    """Each of many games, counted from `begin` on, and what each has of the win at its end. Every prize is turned first
    equally often."""
    dice, last = np.zeros(1, np.uint64), np.zeros(1, np.int64)
    for row in range(len(shares)):
        dice[0] = np.uint64(begin + row) * DICE
        up = (begin + row) % len(values)
        hands_then, scores_then, tops_then, rest, then = play_on(
            hands, scores, tops, values, facts, net, effort.exact, up, dice, lucks[row]
        )
        last[0] = int(chance(dice) * len(rest))
        look_ahead(hands_then, scores_then, tops_then, rest, then, last, no_net, effort, shares[row])


def steadied(shares: Any, lucks: Any, means: Any) -> float:
    """The mean share of each, less what luck has done to it on average of these games: shares change with each luck by
    so much, as the least squares tell. The answer is the greatest standard error of these means."""
    games, size = lucks.shape
    n, worst = shares.shape[1], 0.0
    usual, system, alike = np.zeros(size), np.zeros((size, size + 1)), np.zeros((size, size))
    for luck in range(size):
        usual[luck] = lucks[:, luck].mean()
    for who in range(n):
        means[who] = shares[:, who].mean()
    for a in range(size):
        for b in range(a + 1):
            both = 0.0
            for row in range(games):
                both += (lucks[row, a] - usual[a]) * (lucks[row, b] - usual[b])
            alike[a, b] = alike[b, a] = both
        alike[a, a] += alike[a, a] * STILL + STILL
    for who in range(n):
        mean, left = means[who], 0.0
        system[:, :size] = alike
        together = np.zeros(size)
        for row in range(games):
            apart = shares[row, who] - mean
            left += apart * apart
            for luck in range(size):
                together[luck] += (lucks[row, luck] - usual[luck]) * apart
        system[:, size] = together
        eliminated(system)
        for luck in range(size):
            means[who] -= system[luck, size] * usual[luck]
            left -= system[luck, size] * together[luck]
        worst = max(worst, left)
    return float(np.sqrt(max(worst, 0.0)) / games)


# --- from a view ----------------------------------------------------------------------------------------------------


def tried(view: State, error: float, most: int) -> Floats:
    """Each seat's share of the win between two rounds, by games that are played on: as many as this standard error
    takes, and no more than `most`. Whoever sits where, and equal to the last bit for those who are in the same
    situation."""
    hands, scores, tops, *others = between(view)
    n = len(hands)
    seats, kind, means = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n)
    kinds = machine_code(sort_players)(hands, scores, tops, seats, kind)
    at = (*machine_code(sorted_by)(seats, hands, scores, tops), *others)
    shares, lucks = played(at, FIRST, 0)
    found = machine_code(steadied)(shares, lucks, means)
    if found > error:
        more = played(at, min(most, int(FIRST * (found / error) ** 2)) - FIRST, FIRST)
        machine_code(steadied)(np.concatenate([shares, more[0]]), np.concatenate([lucks, more[1]]), means)
    of_kind = np.array([max(means[kind == which].mean(), 0.0) for which in range(kinds)])[kind]
    means[seats] = of_kind / of_kind.sum()
    return means


def played(at: tuple[Any, ...], games: int, begin: int) -> tuple[Floats, Floats]:
    """What everybody has of the win in games that are played on, of these numbers; and how lucky they were."""
    n = len(at[0])
    shares, lucks = np.zeros((games, n)), np.zeros((games, LUCKS * n))
    machine_code(play_on_often)(*at, quick_net(n), net_of(n, 0), END, begin, shares, lucks)
    return shares, lucks


@cache
def quick_net(players: int) -> tuple[Any, ...]:
    weights = load("geier-quick")
    return tuple(weights[f"{players}-{n}"] for n in range(6))
