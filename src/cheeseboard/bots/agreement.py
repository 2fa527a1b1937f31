"""The symmetric equilibrium where the table of joint choices is small: quicker than by regret matching alone.

`sift` leaves out what nobody would do, `duel` knows the answer where only two have to choose between two moves, and
what is left is solved as ever (`symmetric.solve`). To be compiled with whatever calls it."""

from typing import Any

import numpy as np

from cheeseboard.bots.cooling import cool
from cheeseboard.bots.symmetric import solve

HEAT = 0.002  # of a win: how cool players are in the end
FEW = 2  # moves among which most choices are decided at once
LEVEL = 1e-9  # who gains no more than that gains nothing: so much may come from adding up in another order


def agreement(worth: Any, kind: Any, rounds: int, mix: Any) -> bool:
    """Fill `mix` like `solve`, all seats having as many moves as it has columns; quicker where the table is small.

    With no `rounds` only if the answer is known at once; else `mix` stays as it is, and False says so. Whoever plays a
    choice through in advance must come to the same mixes as those who then have to make it, so there is one way for
    both: where something is level, another way might lead to another equilibrium."""
    seats, size = len(kind), mix.shape[1]
    moves, cares = equally(seats, size), np.zeros(seats, np.bool_)
    kept, few = np.ones((seats, size), np.bool_), np.zeros(mix.shape)
    sift(worth, moves, kept, cares)
    small = narrowed(worth, moves, kept)
    if not duel(small, moves, kind, cares, few):
        if rounds == 0:
            return False
        solve(small, moves, kind, rounds, few)
    for seat in range(seats):
        at = 0
        for move in range(size):
            mix[kind[seat], move] = few[kind[seat], at] if kept[seat, move] else 0.0
            at += int(kept[seat, move])
    return True


def cooled(worth: Any, kind: Any, mix: Any) -> None:
    """Fill `mix` likewise, by cooling down if the answer is not known at once."""
    if mix.shape[1] > FEW or not agreement(worth, kind, 0, mix):
        cool(worth, equally(len(kind), mix.shape[1]), kind, HEAT, mix)


def equally(seats: int, size: int) -> Any:
    """How many moves each seat has: all the same. By hand, for NumPy's own would take the compiler a second."""
    moves = np.zeros(seats, np.int64)
    for seat in range(seats):
        moves[seat] = size
    return moves


def sift(worth: Any, moves: Any, kept: Any, cares: Any) -> None:
    """Leave in `kept` [seat, move] what is not pointless: never better than another move, and sometimes worse.

    All seats leave out theirs at once, again and again, so those of one kind leave out the same. An equilibrium of what
    is left is one of the whole: whatever was left out, something at least as good was not. `cares` says afterwards to
    whom it is not all the same which of its moves it makes."""
    pointless = np.zeros(kept.shape, np.bool_)
    more = True
    while more:
        more = False
        for seat in range(len(moves)):
            cares[seat] = False
            for move in range(moves[seat]):
                for other in range(moves[seat]):
                    if other != move and kept[seat, move] and kept[seat, other]:
                        better, worse = compare(worth[seat], moves, kept, seat, move, other)
                        cares[seat] |= worse
                        pointless[seat, move] |= worse and not better
        for seat in range(len(moves)):
            for move in range(moves[seat]):
                more |= kept[seat, move] and pointless[seat, move]
                kept[seat, move] &= not pointless[seat, move]


def compare(worth: Any, moves: Any, kept: Any, seat: int, move: int, other: int) -> tuple[bool, bool]:
    """Is the move ever better for the seat than the other one, is it ever worse? As long as all do what is kept."""
    stride = 1
    for place in range(seat + 1, len(moves)):
        stride *= moves[place]
    better = worse = False
    for start in range(move * stride, len(worth), stride * moves[seat]):
        for joint in range(start, start + stride):
            more = worth[joint] - worth[joint + (other - move) * stride]
            if abs(more) > LEVEL and possible(joint, moves, kept):
                better |= more > 0
                worse |= more < 0
        if better and worse:
            break
    return better, worse


def possible(joint: int, moves: Any, kept: Any) -> bool:
    for place in range(len(moves)):
        seat = len(moves) - 1 - place
        if not kept[seat, joint % moves[seat]]:
            return False
        joint //= moves[seat]
    return True


def narrowed(worth: Any, moves: Any, kept: Any) -> Any:
    """The table of those joint choices alone that are kept; `moves` becomes how many each seat has there."""
    number, at = 1, 0
    for seat in range(len(moves)):
        left = 0
        for move in range(moves[seat]):
            left += int(kept[seat, move])
        number *= left
    if number == worth.shape[1]:
        return worth
    small = np.zeros((len(moves), number))
    for joint in range(worth.shape[1]):
        if possible(joint, moves, kept):
            for seat in range(len(moves)):
                small[seat, at] = worth[seat, joint]
            at += 1
    for seat in range(len(moves)):
        left = 0
        for move in range(moves[seat]):
            left += int(kept[seat, move])
        moves[seat] = left
    return small


def duel(worth: Any, moves: Any, kind: Any, cares: Any, mix: Any) -> bool:
    """Fill `mix` at once if at most two seats care what they do, and have two moves. Else nothing is changed.

    All others do anything equally often. Of the two, who has a move that is never worse makes it, and the other one
    answers; have neither, each mixes so that the other does not care."""
    one, other = -1, -1
    for seat in range(len(moves)):
        if cares[seat]:
            if one >= 0 or moves[seat] > 2:
                return False
            one, other = other, seat
    gains = np.zeros((2, 2))  # of the second move over the first, by what the rival does
    for joint in range(worth.shape[1]):
        first = second = 0
        rest = joint
        for place in range(len(moves)):
            seat = len(moves) - 1 - place
            first = rest % moves[seat] if seat == one else first
            second = rest % moves[seat] if seat == other else second
            rest //= moves[seat]
        if one >= 0:
            gains[0, second] += worth[one, joint] * (2 * first - 1)
        if other >= 0:
            gains[1, first] += worth[other, joint] * (2 * second - 1)
    for seat in range(len(moves)):
        for move in range(moves[seat]):
            mix[kind[seat], move] = 1 / moves[seat]
    mine, theirs = never_worse(gains[0]), never_worse(gains[1])
    if mine < 0 and theirs < 0:
        mine, theirs = indifference(gains[1]), indifference(gains[0])
    elif mine < 0:
        mine = answer(gains[0], theirs)
    elif theirs < 0:
        theirs = answer(gains[1], mine)
    if one >= 0:
        mix[kind[one], 0], mix[kind[one], 1] = 1 - mine, mine
    if other >= 0:
        mix[kind[other], 0], mix[kind[other], 1] = 1 - theirs, theirs
    return True


def never_worse(gains: Any) -> float:
    """How often to make the second move, if that does not depend on the rival; else -1."""
    if min(gains[0], gains[1]) < -LEVEL and max(gains[0], gains[1]) > LEVEL:
        return -1.0
    return better_of(gains[0] + gains[1])


def answer(gains: Any, share: float) -> float:
    """How often to make the second move against a rival who does so that often."""
    return better_of((1 - share) * gains[0] + share * gains[1])


def better_of(gain: float) -> float:
    if abs(gain) <= LEVEL:
        return 0.5
    return 1.0 if gain > 0 else 0.0


def indifference(gains: Any) -> float:
    """How often to make the second move so that a rival with these gains does not care."""
    return float(gains[0] / (gains[0] - gains[1]))
