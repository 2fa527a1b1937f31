"""Luck for compiled bots: the same numbers on every machine."""

from typing import Any

import numpy as np

GAMMA = np.uint64(0x9E3779B97F4A7C15)  # from one number's seed to the next one's


def chance(dice: Any) -> float:
    """The next random number from 0 to 1 (splitmix64)."""
    dice[0] += GAMMA
    z = dice[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64((z ^ (z >> np.uint64(31))) >> np.uint64(11)) * (1 / 9007199254740992)
