"""Players who cool down: where they come to nobody wants to leave, and a small change of the table changes little."""

from itertools import product

import numpy as np
import pytest

from cheeseboard.bots.cooling import cool, power
from cheeseboard.bots.symmetric import averaged
from cheeseboard.games.compiled import machine_code
from tests.bots.joint import gains, play

RNG = np.random.default_rng
HEAT = 0.002


def cooled(worth, size, kind, heat=HEAT):
    """The mix of each seat."""
    kind = np.asarray(kind)
    mix = np.zeros((kind.max() + 1, size))
    machine_code(cool)(np.ascontiguousarray(worth), np.full(len(kind), size), kind, heat, mix)
    return mix[kind]


def test_powers_of_e():
    for x in (0.0, -0.01, -1.0, -3.0):
        assert power(x) == pytest.approx(np.exp(x), rel=0.01)
    assert 0 <= power(-1e9) < power(-100.0) < 1e-40


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_seats_are_left_when_the_others_are_averaged_out(seats):
    moves, worth = [2, 3, 4, 2][:seats], RNG(seats).random(np.prod([2, 3, 4, 2][:seats]))
    mixes = [RNG(n).dirichlet(np.ones(4)[:size]) for n, size in enumerate(moves)]
    mix = np.array([np.pad(row, (0, 4 - len(row))) for row in mixes])
    for one, other in product(range(seats), repeat=2):
        scratch = np.zeros(len(worth))
        machine_code(averaged)(worth, np.array(moves), np.arange(seats), mix, one, other, scratch)
        table = worth.reshape(moves)
        for place in reversed(range(seats)):
            if place not in (one, other):
                table = np.tensordot(table, mixes[place], (place, 0))
        assert scratch[: table.size] == pytest.approx(table.ravel())


def test_rock_paper_scissors():
    """The same mix for equal players and for players who do not know that they are equal."""
    beats = np.array([[0, -1, 2], [1, 0, -1], [-2, 1, 0]], float) / 4  # the stone counts double against the scissors
    worth = np.stack([beats, -beats]).reshape(2, 9)
    for kind in ([0, 0], [0, 1]):
        assert cooled(worth, 3, kind) == pytest.approx(np.array([[1, 2, 1]] * 2) / 4, abs=0.01)


def test_what_is_better_by_the_heat_is_done_e_times_as_often():
    worth = np.zeros((2, 4))
    worth[0] = [0.5, 0.5, 0.52, 0.52]
    mine, theirs = cooled(worth, 2, [0, 1], heat=0.02)
    assert mine[1] / mine[0] == pytest.approx(np.e, rel=0.01)
    assert theirs == pytest.approx([0.5, 0.5])  # to whom all is equal, who does everything


def chances(seed, size):
    """Three who may win, depending on what all do."""
    raw = RNG(seed).random((3, size**3)) ** 3
    return raw / raw.sum(axis=0)


@pytest.mark.parametrize("size", [2, 3, 6])
def test_nobody_gains_much_by_deviating(size):
    """Not in all of many tables: some equilibria bend back, and there players stay warm."""
    tempted = [gains(table := chances(seed, size), [size] * 3, cooled(table, size, [0, 1, 2])) for seed in range(60)]
    most = np.max(tempted, axis=1)
    assert np.median(most) <= HEAT
    assert most.mean() <= 3 * HEAT


def test_a_little_less_heat_or_another_table_makes_little_difference():
    """Where regret matching would jump from one equilibrium to another."""
    moved = []
    for seed in range(40):
        table = chances(seed, 5)
        near = table + RNG(seed).normal(0, 0.002, table.shape)
        before, after = (play(table, [5] * 3, cooled(each, 5, [0, 1, 2])) for each in (table, near))
        moved.append(abs(after - before).max())
    assert np.median(moved) <= 0.004


def test_equal_players_share_one_mix():
    """Everybody names one of four plates; who is alone takes what lies on it."""
    worth = np.zeros((3, 64))
    for number, joint in enumerate(product(range(4), repeat=3)):
        for seat, plate in enumerate(joint):
            worth[seat, number] = (0.4, 0.3, 0.2, 0.1)[plate] * (joint.count(plate) == 1)
    mixes = cooled(worth, 4, [0, 0, 0])
    assert (gains(worth, [4] * 3, mixes) <= HEAT).all()
    assert mixes[0].max() < 0.6
    assert mixes == pytest.approx(cooled(worth, 4, [0, 1, 2]), abs=1e-6)
