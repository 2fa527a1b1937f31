"""The symmetric equilibrium of one simultaneous choice among several players, by regret matching+.

With three or more players many equilibria exist, and parts of different ones do not fit together: two copies of a bot
that expect each other elsewhere both lose. So players in equal situations share one memory of regrets and with it one
mix. Everything here is plain functions on arrays, to be compiled with whatever calls them.

A *kind* is a set of seats in equal situations; `kind[seat]` says which. A mix has one row for each kind. Sums of
floating-point numbers depend on their order: who wants the same mixes whatever the seats must bring the seats into an
order of their own first (see `order`).

Few players: `solve` on the table of all joint choices. Many: draw joint choices with `throw`, find out what each seat
could have had with each of its moves, and `learn` from it; `settle` gives the mix in the end. `sift` leaves
out beforehand what nobody would do, and `duel` knows the answer where only two have to choose between two moves."""

from typing import Any

import numpy as np

from cheeseboard.bots.dice import chance

LEVEL = 1e-9  # who gains no more than that gains nothing: so much may come from adding up in another order


def order(keys: Any, seats: Any, kind: Any) -> int:
    """Sort the seats by their situations, one number each, and number the kinds. Gives how many kinds there are."""
    for place in range(len(keys)):
        seats[place] = place
        at = place
        while at > 0 and keys[seats[at - 1]] > keys[place]:
            seats[at] = seats[at - 1]
            at -= 1
        seats[at] = place
    kinds = 0
    for place in range(len(keys)):
        kinds += int(place == 0 or keys[seats[place]] != keys[seats[place - 1]])
        kind[place] = kinds - 1
    return kinds


def learn(regret: Any, average: Any, mix: Any, values: Any, moves: int, weight: float, ahead: float) -> None:
    """`values`: what each move would have brought. The mix of this time counts with `weight`; then it changes.

    `ahead` 1: the next mix expects to be taught the same lesson once more. Where values are exact that ends the
    circling of mixes around each other; where they are drawn it would chase the luck of one draw, and 0 is right."""
    had = 0.0
    for move in range(moves):
        had += mix[move] * values[move]
        average[move] += weight * mix[move]
    total = 0.0
    for move in range(moves):
        lesson = values[move] - had
        regret[move] = max(0.0, regret[move] + lesson)
        mix[move] = max(0.0, regret[move] + ahead * lesson)
        total += mix[move]
    for move in range(moves):
        mix[move] = mix[move] / total if total > 0 else 1 / moves


def settle(average: Any, moves: int, least: float, mix: Any) -> None:
    """The mix that was played on average, without the moves that were hardly ever made (but the most frequent)."""
    total, most = 0.0, 0.0
    for move in range(moves):
        total += average[move]
        most = max(most, average[move])
    kept = 0.0
    for move in range(moves):
        mix[move] = average[move] if average[move] >= min(most, least * total) else 0.0
        kept += mix[move]
    for move in range(moves):
        mix[move] = mix[move] / kept if kept > 0 else 1 / moves


def throw(mix: Any, moves: int, dice: Any) -> int:
    """One of the moves, each as often as the mix says."""
    left = chance(dice)
    last = 0
    for move in range(moves):
        if mix[move] > 0:
            last = move
            left -= mix[move]
            if left < 0:
                return move
    return last  # the shares need not add up to exactly 1


def solve(worth: Any, moves: Any, kind: Any, rounds: int, mix: Any) -> None:
    """Fill `mix` with a row for each kind.

    `worth[seat]` is what each joint choice brings the seat, the choice of the last seat running fastest; `moves` are
    how many moves each seat has. Seats of one kind have equally many, and exchanging them changes nothing."""
    for seat in range(len(moves)):
        for move in range(moves[seat]):
            mix[kind[seat], move] = 1 / moves[seat]
    go_on(worth, moves, kind, rounds, 1.0, mix)


def go_on(worth: Any, moves: Any, kind: Any, rounds: int, ahead: float, mix: Any) -> None:
    """The same from a mix that there is already, with no memory of how it came about."""
    seats, kinds, most = len(moves), mix.shape[0], mix.shape[1]
    regret, average = np.zeros((kinds, most)), np.zeros((kinds, most))
    values, scratch = np.zeros((kinds, most)), np.zeros(worth.shape[1])
    first, size = np.zeros(kinds, np.int64), np.zeros(kinds, np.int64)
    for seat in range(seats - 1, -1, -1):
        first[kind[seat]] = seat
        size[kind[seat]] = moves[seat]
    for number in range(rounds):
        for which in range(kinds):  # all before any mix changes: nobody moves first
            against(worth[first[which]], moves, kind, mix, first[which], values[which], scratch)
        for which in range(kinds):
            learn(regret[which], average[which], mix[which], values[which], size[which], number + 1.0, ahead)
    for which in range(kinds):
        settle(average[which], size[which], 0.0, mix[which])


def against(worth: Any, moves: Any, kind: Any, mix: Any, seat: int, values: Any, scratch: Any) -> None:
    """What each move of the seat brings it on average, the others playing their mixes.

    One player after the other is averaged out of the table, the first first: so the inner loop runs along memory."""
    left, right = 1, len(worth)
    copied = False
    for other in range(len(moves)):
        size = moves[other]
        right //= size
        if other == seat:
            left = size
            continue
        share = mix[kind[other]]
        for a in range(left):
            for move in range(size):
                start, end = (a * size + move) * right, a * right
                p = share[move]
                if move == 0:
                    for b in range(right):
                        scratch[end + b] = p * (scratch[start + b] if copied else worth[start + b])
                elif p > 0 and copied:
                    for b in range(right):
                        scratch[end + b] += p * scratch[start + b]
                elif p > 0:
                    for b in range(right):
                        scratch[end + b] += p * worth[start + b]
        copied = True
    for move in range(moves[seat]):
        values[move] = scratch[move]


def agreement(worth: Any, kind: Any, rounds: int, mix: Any) -> None:
    """Fill `mix` like `solve`, all seats having as many moves as it has columns; quicker where the table is small.

    Whoever plays a choice through in advance must come to the same mixes as those who then have to make it, so there is
    one way for both: where something is level, another way might lead to another equilibrium."""
    seats, size = len(kind), mix.shape[1]
    moves, cares = equally(seats, size), np.zeros(seats, np.bool_)
    kept, few = np.ones((seats, size), np.bool_), np.zeros(mix.shape)
    sift(worth, moves, kept, cares)
    small = narrowed(worth, moves, kept)
    if not duel(small, moves, kind, cares, few):
        solve(small, moves, kind, rounds, few)
    for seat in range(seats):
        at = 0
        for move in range(size):
            mix[kind[seat], move] = few[kind[seat], at] if kept[seat, move] else 0.0
            at += int(kept[seat, move])


def equally(seats: int, size: int) -> Any:
    """How many moves each seat has: all the same. By hand, for NumPy's own would take the compiler a second."""
    moves = np.zeros(seats, np.int64)
    for seat in range(seats):
        moves[seat] = size
    return moves


def temptation(worth: Any, moves: Any, kind: Any, mix: Any) -> float:
    """The most that anybody would gain by another move."""
    values, scratch, most = np.zeros(mix.shape[1]), np.zeros(worth.shape[1]), 0.0
    for seat in range(len(moves)):
        against(worth[seat], moves, kind, mix, seat, values, scratch)
        had, best = 0.0, values[0]
        for move in range(moves[seat]):
            had += mix[kind[seat], move] * values[move]
            best = max(best, values[move])
        most = max(most, best - had)
    return most


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
