"""Small tables: what is left out is missed by nobody, and duels are decided as they must be."""

import numpy as np
import pytest

from cheeseboard.bots.agreement import duel, narrowed, sift
from cheeseboard.games.compiled import machine_code
from tests.bots.joint import gains, solved

RNG = np.random.default_rng


def sifted(worth, moves):
    """What is kept of each seat's moves, who cares, and the table of it."""
    kept, cares, fewer = np.ones((len(moves), max(moves)), np.bool_), np.zeros(len(moves), np.bool_), np.array(moves)
    machine_code(sift)(worth, fewer, kept, cares)
    small = machine_code(narrowed)(worth, fewer, kept)
    assert fewer.tolist() == [row[:size].sum() for row, size in zip(kept, moves, strict=True)]
    return [np.flatnonzero(row[:size]).tolist() for row, size in zip(kept, moves, strict=True)], cares, small


def test_what_is_pointless_is_left_out_again_and_again():
    """The second one would never play 2; then the first one would not play 1; then the second one plays 0."""
    first = np.array([[5, 5, 0], [4, 4, 9]], float)
    second = np.array([[3, 2, 1], [1, 2, 0]], float)
    kept, cares, small = sifted(np.stack([first, second]).reshape(2, 6), (2, 3))
    assert kept == [[0], [0]]
    assert not cares.any()
    assert small.tolist() == [[5], [3]]


def test_who_is_indifferent_keeps_all_moves():
    worth = np.zeros((2, 4))
    worth[0] = [1, 0, 1, 0]  # the second one decides what the first one gets, and does not care
    kept, cares, _ = sifted(worth, (2, 2))
    assert kept == [[0, 1], [0, 1]]
    assert not cares.any()


@pytest.mark.parametrize("seed", range(20))
def test_nobody_misses_what_was_left_out(seed):
    """Wins and losses of three, so that much is level: an equilibrium of what is left is one of the whole."""
    moves, worth = (3, 2, 3), RNG(seed).integers(0, 3, (3, 18)) / 2.0
    kept, _, small = sifted(worth, moves)
    fewer = [len(row) for row in kept]
    assert small.shape == (3, np.prod(fewer))
    mixes, rows = np.zeros((3, 3)), solved(small, fewer, [0, 1, 2], 3000)
    for seat, moved in enumerate(kept):
        mixes[seat, moved] = rows[seat, : fewer[seat]]
    assert gains(worth, moves, mixes).max() <= gains(small, fewer, rows).max() + 1e-9


@pytest.mark.parametrize("seed", range(40))
def test_duels_are_decided_at_once(seed):
    """Two who choose between two moves, and a third one who does not care, or who has no choice."""
    rng = RNG(seed)
    moves = (2, 1 + seed % 2, 2)
    worth = rng.integers(0, 3, (3, np.prod(moves))) / 2.0
    worth[1] = 0.5
    mixes, kind = np.zeros((3, 2)), np.arange(3)
    cares = np.array([True, False, True])
    assert machine_code(duel)(worth, np.array(moves), kind, cares, mixes)
    assert mixes.sum(axis=1) == pytest.approx(1)
    assert gains(worth, moves, mixes).max() <= 1e-6


def test_three_who_care_are_no_duel():
    mixes, three = np.zeros((3, 2)), np.ones(3, np.bool_)
    assert not machine_code(duel)(RNG(1).random((3, 8)), np.array([2, 2, 2]), np.arange(3), three, mixes)
    assert not mixes.any()
