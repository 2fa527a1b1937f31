"""The symmetric equilibrium of one simultaneous choice, by slow cooling: for tables of all joint choices.

Hot players do anything equally often. The cooler they are, the more surely each does what is best against the others:
at a given heat a move that is worse by so much is made e times less often (the logit equilibrium). From great heat,
where there is just one such equilibrium, down to little heat it is followed step by step with Newton's method.

Compared with regret matching: mixes do not circle around each other, so that nobody is tempted to deviate by much more
than the heat; and if the table changes a little the mixes change a little, because somebody to whom all moves are
nearly equal makes all of them. So a net can learn what such choices are worth. Plain functions, to be compiled with
whatever calls them; seats and kinds as in `symmetric`."""

from typing import Any

import numpy as np

from cheeseboard.bots.symmetric import averaged

HOT = 0.5  # of a win: moves differ by less, so at this heat all are made about equally often
STEPS, TRIES = 80, 8  # of cooling, and of Newton's method at each
STRIDE, SHORTEST = 0.3, 0.97  # the heat after a step, as a part of that before: at the least, and when it is given up
SMOOTH = 0.8  # after a step that succeeded the next one is so much longer
CLOSE = 1e-4  # in powers of e
FAR = 4.0  # no leaning changes by more at once


def power(x: float) -> float:
    """The power of e, for x up to 0: the same bits on every machine, which a mathematics library does not promise."""
    y = 1.0 + max(x, -500.0) / 1024.0
    for _ in range(10):
        y *= y
    return y


def cool(worth: Any, moves: Any, kind: Any, heat: float, mix: Any) -> None:
    """Fill `mix` with a row for each kind; all seats have as many moves as it has columns.

    Where players cannot follow when it gets cooler, because the equilibrium bends back, they stay as warm as they
    are."""
    kinds, size = mix.shape
    leaning, before, now = np.zeros((kinds, size)), np.zeros((kinds, size)), HOT
    room = np.zeros((kinds * size, kinds * size + 1)), np.zeros((2, worth.shape[1]))
    balance(worth, moves, kind, now, leaning, mix, room)
    stride = 0.5
    for _ in range(STEPS):
        if now <= heat or stride > SHORTEST:
            break
        cooler = max(heat, now * stride)
        for which in range(kinds):
            for move in range(size):
                before[which, move] = leaning[which, move]
                leaning[which, move] *= now / cooler
        if balance(worth, moves, kind, cooler, leaning, mix, room):
            now = cooler
            stride = max(STRIDE, stride * SMOOTH)
        else:
            leaning[:] = before
            stride = stride**0.4
    mixed(leaning, mix)


def mixed(leaning: Any, mix: Any) -> None:
    """How often to make each move, if each is e times likelier than one to which one leans less by 1."""
    for which in range(len(leaning)):
        most, total = leaning[which, 0], 0.0
        for move in range(leaning.shape[1]):
            most = max(most, leaning[which, move])
        for move in range(leaning.shape[1]):
            mix[which, move] = power(leaning[which, move] - most)
            total += mix[which, move]
        for move in range(leaning.shape[1]):
            mix[which, move] /= total


def balance(worth: Any, moves: Any, kind: Any, heat: float, leaning: Any, mix: Any, room: Any) -> bool:
    """Change the leanings until they fit what the moves bring at this heat; False if they do not come to that."""
    kinds, size = leaning.shape
    system, _ = room
    last = kinds * size
    for _ in range(TRIES):
        mixed(leaning, mix)
        if linear(worth, moves, kind, heat, leaning, mix, room) < CLOSE:
            return True
        if not eliminated(system):
            return False
        farthest = FAR
        for row in range(last):
            farthest = max(farthest, abs(system[row, last]))
        for which in range(kinds):
            for move in range(size):
                leaning[which, move] += system[which * size + move, last] * FAR / farthest
    return False


def linear(worth: Any, moves: Any, kind: Any, heat: float, leaning: Any, mix: Any, room: Any) -> float:
    """Write the equations for a better leaning, its change in the last column; how far off the leanings are now."""
    kinds, size = leaning.shape
    system, scratch = room
    system[:] = 0.0
    last, off = kinds * size, 0.0
    for seat in range(len(kind) - 1, -1, -1):
        first = True
        for other in range(seat):
            first &= kind[other] != kind[seat]
        if not first:
            continue
        top = kind[seat] * size
        brings = scratch[1]
        for other in range(len(kind)):
            if other == seat:
                continue
            averaged(worth[seat], moves, kind, mix, seat, other, scratch[0])
            across, along = (size, 1) if seat < other else (1, size)
            share, left = mix[kind[other]], kind[other] * size
            for move in range(size):
                mean = 0.0
                for answer in range(size):
                    mean += share[answer] * scratch[0, move * across + answer * along]
                for answer in range(size):
                    more = scratch[0, move * across + answer * along] - mean
                    system[top + move, left + answer] -= share[answer] * more / heat
                brings[move] = mean
        usual, middle = 0.0, 0.0
        for move in range(size):
            usual += brings[move] / size
            middle += leaning[kind[seat], move] / size
        for move in range(size):
            leaning[kind[seat], move] -= middle  # only differences count
            change = (brings[move] - usual) / heat - leaning[kind[seat], move]
            system[top + move, top + move] += 1.0
            system[top + move, last] = change
            off = max(off, abs(change) * (mix[kind[seat], move] + 0.001))  # what is never done may be off
    return off


def eliminated(system: Any) -> bool:
    """Solve the equations by Gauss; the solution is in the last column. False if there is none."""
    size = len(system)
    for column in range(size):
        best = column
        for row in range(column + 1, size):
            if abs(system[row, column]) > abs(system[best, column]):
                best = row
        if system[best, column] == 0.0:
            return False
        for at in range(column, size + 1):
            system[column, at], system[best, at] = system[best, at], system[column, at]
        for row in range(column + 1, size):
            part = system[row, column] / system[column, column]
            if part != 0.0:
                for at in range(column + 1, size + 1):
                    system[row, at] -= part * system[column, at]
    for row in range(size - 1, -1, -1):
        rest = system[row, size]
        for at in range(row + 1, size):
            rest -= system[row, at] * system[at, size]
        system[row, size] = rest / system[row, row]
    return True
