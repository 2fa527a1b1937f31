"""What nets see of a state of Mausen, and what they say: for each player how likely a win is. To be compiled.

One net for each number of cards still in hand; much of its first layer is the same for all joint choices of one round
and is added up once (`lay_out`)."""

from typing import Any

import numpy as np

from cheeseboard.bots.cooling import power
from cheeseboard.games.core import SEATS, count
from cheeseboard.games.mausen.rules import ACTIONS, ANIMALS, VALUES, mice, prey_of, worth

CARDS = ACTIONS
# rows of a net's first layer: cards of one's own, of all, what lies in the middle, is it empty, how one stands, what
# one may hunt
OWN, ALL, MIDDLE, NOTHING, STANDING, PROSPECTS, BIAS = 0, 16, 32, 36, 37, 42, 62
FACTS, ROWS = BIAS - STANDING, BIAS + 1
ZERO, TENTH = np.float32(0), np.float32(0.1)
TOP = np.array([cards.bit_length() for cards in range(1 << VALUES)])  # of a set of cards of one animal: the highest
SUM = np.array([sum(v + 1 for v in range(VALUES) if cards >> v & 1) for cards in range(1 << VALUES)])


def desk(nets: Any) -> Any:
    """Room for the sums of one evaluation."""
    return np.zeros((4 * SEATS + 3, max(nets[0].shape[2], nets[1].shape[2], FACTS)), np.float32)


def lay_out(state: Any, first: Any, table: Any) -> None:
    """The part of the first layer that is the same for all choices: the cards in all hands."""
    hidden = first.shape[1]
    for seat in range(state.seats):
        for h in range(hidden):
            table[seat, h] = first[BIAS, h]
    for seat in range(state.seats):
        for card in range(CARDS):
            if state.hand[seat] >> card & 1:
                for h in range(hidden):
                    table[seat, h] += first[OWN + card, h]
                for other in range(state.seats):
                    for h in range(hidden):
                        table[other, h] += first[ALL + card, h]


def standing(state: Any, facts: Any) -> None:
    """How each player stands to the others."""
    best, second, total = 0, 0, 0
    for seat in range(state.seats):
        mine = key(state, seat)
        second = max(second, min(best, mine))
        best = max(best, mine)
        total += state.scores[seat]
    for seat in range(state.seats):
        mine = key(state, seat)
        rival = second if mine == best else best
        lead = mine // 1024 - rival // 1024
        facts[seat, 0] = np.float32(lead) * TENTH
        facts[seat, 1] = np.float32(max(-6, min(6, lead))) * np.float32(0.25)
        facts[seat, 2] = (np.float32(mine // 1024) - np.float32(total) / np.float32(state.seats)) * TENTH
        facts[seat, 3] = np.float32(mine % 1024 - rival % 1024) * TENTH
        facts[seat, 4] = np.float32(mine > rival)


def prospects(state: Any, animal: int, facts: Any) -> None:
    """What each player may hunt with this animal: in the middle, if they hold one at all, if theirs is the highest, and
    by their share of all that are held; in the others' hands, if they hold one, and if theirs is the highest."""
    shift, beyond = animal * VALUES, prey_of(animal * VALUES)
    lies = np.float32(worth(state.middle, beyond)) * TENTH
    best, second, number, points = 0, 0, 0, 0
    for seat in range(state.seats):
        cards = state.hand[seat] >> shift & 15
        top = TOP[cards]
        second = max(second, min(best, top))
        best = max(best, top)
        number += count(cards)
        points += SUM[state.hand[seat] >> beyond & 15]
    for seat in range(state.seats):
        cards = state.hand[seat] >> shift & 15
        coming = np.float32(points - SUM[state.hand[seat] >> beyond & 15]) * TENTH
        some, sure = np.float32(cards != 0), np.float32(TOP[cards] > second)
        at = 5 + 5 * animal
        facts[seat, at] = some * lies
        facts[seat, at + 1] = sure * lies
        facts[seat, at + 2] = lies * np.float32(count(cards)) / np.float32(max(1, number))
        facts[seat, at + 3] = some * coming
        facts[seat, at + 4] = sure * coming


def key(state: Any, seat: int) -> int:
    """By what places are given: the score, then the mice."""
    return int(state.scores[seat] * 1024 + mice(state, seat))


def judge(state: Any, bids: Any, first: Any, second: Any, last: Any, table: Any, value: Any) -> None:
    """How likely each player wins. `table` holds what `lay_out` made of the hands before the bids."""
    weigh(state, bids, first, second, last, table, value)
    top, total = value[0], 0.0
    for seat in range(state.seats):
        top = max(top, value[seat])
    for seat in range(state.seats):
        value[seat] = power(value[seat] - top)
        total += value[seat]
    for seat in range(state.seats):
        value[seat] /= total


def weigh(state: Any, bids: Any, first: Any, second: Any, last: Any, table: Any, value: Any) -> None:
    """The net: a number for each player, the higher the better.

    Loops run along memory, and over the players inside of those over neurons: no sum has to wait for the one before."""
    seats, hidden, meeting = state.seats, first.shape[1], second.shape[1]
    alone, together = table[SEATS : 2 * SEATS + 1], table[2 * SEATS + 1 : 3 * SEATS + 2]
    facts, shared = table[3 * SEATS + 2 : 4 * SEATS + 2], table[4 * SEATS + 2]
    for h in range(hidden):
        shared[h] = ZERO
    nothing = True
    for animal in range(ANIMALS):
        lies = worth(state.middle, animal * VALUES)
        nothing &= lies == 0
        much = np.float32(lies) * TENTH
        for h in range(hidden):
            shared[h] += much * first[MIDDLE + animal, h]
        prospects(state, animal, facts)
    if nothing:
        for h in range(hidden):
            shared[h] += first[NOTHING, h]
    standing(state, facts)
    for seat in range(seats):
        for h in range(hidden):
            shared[h] -= first[ALL + bids[seat], h]
    for seat in range(seats):
        for h in range(hidden):
            alone[seat, h] = table[seat, h] + shared[h] - first[OWN + bids[seat], h]
    for fact in range(FACTS):
        for seat in range(seats):
            much = facts[seat, fact]
            for h in range(hidden):
                alone[seat, h] += much * first[STANDING + fact, h]
    part = np.float32(1) / np.float32(seats)
    for h in range(hidden):
        alone[seats, h] = ZERO
    for seat in range(seats):
        for h in range(hidden):
            alone[seat, h] = max(ZERO, alone[seat, h])
            alone[seats, h] += alone[seat, h] * part
    for place in range(seats + 1):
        for m in range(meeting):
            together[place, m] = ZERO
    for h in range(hidden):
        for seat in range(seats):
            much = alone[seat, h]
            for m in range(meeting):
                together[seat, m] += much * second[h, m]
        much = alone[seats, h]
        for m in range(meeting):
            together[seats, m] += much * second[hidden + h, m]
    for seat in range(seats):
        answer = ZERO
        for m in range(meeting):
            answer += max(ZERO, together[seat, m] + together[seats, m] + second[2 * hidden, m]) * last[m]
        value[seat] = answer
