"""Tables of joint choices for the tests: solved by regret matching, and what somebody gains who deviates."""

import numpy as np

from cheeseboard.bots.symmetric import solve
from cheeseboard.games.compiled import machine_code


def solved(worth, moves, kind, rounds=1000):
    """The mix of each seat."""
    kind = np.asarray(kind)
    mix = np.zeros((kind.max() + 1, max(moves)))
    machine_code(solve)(np.ascontiguousarray(worth), np.array(moves), kind, rounds, mix)
    return mix[kind]


def together(moves, mixes):
    """How often each joint choice is made."""
    joint = np.ones(())
    for mix, size in zip(mixes, moves, strict=True):
        joint = np.multiply.outer(joint, mix[:size])
    return joint


def play(worth, moves, mixes):
    """What the mixes bring each seat."""
    return worth @ together(moves, mixes).ravel()


def gains(worth, moves, mixes):
    """What each seat could win by changing its mix alone."""
    joint = together(moves, mixes)
    found = []
    for seat, table in enumerate(worth.reshape(len(moves), *moves)):
        others = joint.sum(axis=seat, keepdims=True)
        values = (table * others).sum(axis=tuple(axis for axis in range(len(moves)) if axis != seat))
        found.append(values.max() - (table * joint).sum())
    return np.array(found)
