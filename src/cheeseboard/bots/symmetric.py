"""The symmetric equilibrium of one simultaneous choice among several players, by regret matching+.

With three or more players many equilibria exist, and parts of different ones do not fit together: two copies of a bot
that expect each other elsewhere both lose. So players in equal situations share one memory of regrets and with it one
mix. Everything here is plain functions on arrays, to be compiled with whatever calls them.

A *kind* is a set of seats in equal situations; `kind[seat]` says which. A mix has one row for each kind. Sums of
floating-point numbers depend on their order: who wants the same mixes whatever the seats must bring the seats into an
order of their own first (see `order`).

Few players: `solve` on the table of all joint choices (or `cooling.cool`). Many: draw joint choices with `throw`, find
out what each seat could have had with each of its moves, and `learn` from it; `settle` gives the mix in the end."""

from typing import Any

import numpy as np

from cheeseboard.bots.dice import chance


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
            learn(regret[which], average[which], mix[which], values[which], size[which], number + 1.0, 1.0)
    for which in range(kinds):
        settle(average[which], size[which], 0.0, mix[which])


def against(worth: Any, moves: Any, kind: Any, mix: Any, seat: int, values: Any, scratch: Any) -> None:
    """What each move of the seat brings it on average, the others playing their mixes."""
    averaged(worth, moves, kind, mix, seat, seat, scratch)
    for move in range(moves[seat]):
        values[move] = scratch[move]


def averaged(worth: Any, moves: Any, kind: Any, mix: Any, seat: int, other: int, scratch: Any) -> None:
    """What the joint choices of two seats bring on average (or those of one, if both are the same), the rest playing
    their mixes. It is written to the beginning of `scratch`, the choice of the later seat running fastest.

    One player after the other is averaged out of the table, the first first: so the inner loop runs along memory."""
    left, right = 1, len(worth)
    copied = False
    for place in range(len(moves)):
        size = moves[place]
        right //= size
        if place in (seat, other):
            left *= size
            continue
        share = mix[kind[place]]
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
    if not copied:
        scratch[: len(worth)] = worth
