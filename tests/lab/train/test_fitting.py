"""Fitting small nets."""

import numpy as np
import pytest

from cheeseboard.lab.train.fitting import answers, fit, fit_mixes, shares


@pytest.mark.parametrize("seed", range(3))
def test_a_sure_net_comes_nearer_to_what_is_nearly_certain(seed):
    """Who leads by much wins nearly always: a net must learn to say so as quickly as anything else."""
    rng = np.random.default_rng(seed)
    lead = rng.normal(size=(60_000, 1)).astype(np.float32)
    goal, none = 30 * lead[:, 0] / np.sqrt(1 + (30 * lead[:, 0]) ** 2), np.zeros(60_000, np.int64)
    apart = {}
    for sure in (False, True):
        learner = np.random.default_rng(seed)
        net, _ = fit(lead, none, goal, learner, lambda _: None, epochs=8, hidden=(16, 8), paired=False, sure=sure)
        raw = answers(net, lead, none)
        clear = abs(lead[:, 0]) > 0.5
        apart[sure] = abs(raw / np.sqrt(1 + raw * raw) - goal)[clear].mean()
    assert apart[True] < apart[False] / 2
    assert apart[True] < 0.003


def test_a_net_learns_mixes_of_what_one_can_do():
    """Three actions: the more of the first number, the more of the first of those that can be done."""
    rng = np.random.default_rng(1)
    seen, can = rng.normal(size=(20_000, 2)).astype(np.float32), rng.random((20_000, 3)) < 0.7
    can[~can.any(1)] = True
    leaning = np.exp(seen[:, :1] * [[2, 0, -1]]) * can
    goal = (leaning / leaning.sum(1, keepdims=True)).astype(np.float32)
    net, off = fit_mixes(seen, goal, can, np.random.default_rng(2), lambda _: None, epochs=6, hidden=(16, 8))
    told = shares(net, seen, can)[2]
    assert off < 0.03
    assert np.abs(told - goal).sum(1).mean() / 2 == pytest.approx(off, abs=0.01)
    assert not told[~can].any()
