"""Mausen's nets: learnt from the end backwards, and one who deviates from what they say."""

import numpy as np
import pytest

from cheeseboard.bots.mausen_nets import STANDING
from cheeseboard.games.compiled import machine_code
from cheeseboard.games.core import members
from cheeseboard.lab.train import mausen, mausen_deviator

SMALL = {"turns": 2, "games": 6, "effort": 0, "budget": 64, "epochs": 1}


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Nets of a few games: they know little, but all of them are there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mausen, "RUNS", tmp_path_factory.mktemp("runs"))
        mausen.train(3, **SMALL)
        yield mausen.RUNS / "3"


def read(path):
    return mausen.nets_of(path, *mausen.neurons(3))


def states_of(folder, turn):
    return mausen.states_for(folder, 3, turn, 0, 0, print)


def test_there_is_a_net_for_every_number_of_cards(trained):
    nets = read(trained / "nets-1.npz")
    for stage in mausen.STAGES:
        assert all(np.isfinite(part[stage]).all() and part[stage].any() for part in nets)


def test_states_have_as_many_cards_as_their_stage(trained):
    for turn in (0, 1):
        states = states_of(trained, turn)
        for stage in mausen.STAGES:
            given = states[stage]
            assert len(given) == SMALL["games"] * mausen.BRANCHES
            assert {len(members(int(cards))) for state in given for cards in state["hand"][:3]} == {stage}
            assert len({state.tobytes() for state in given}) > len(given) // 2


def test_a_run_goes_on_where_it_was_broken_off(trained, tmp_path, monkeypatch):
    """Nets that are there are not learnt again, and what is missing comes out the same."""
    whole = read(trained / "nets-1.npz")
    monkeypatch.setattr(mausen, "RUNS", tmp_path)
    folder = tmp_path / "3"
    folder.mkdir()
    for name in ("nets-0.npz", "states-0.npy", "states-1.npy"):
        (folder / name).write_bytes((trained / name).read_bytes())
    part = tuple(half.copy() for half in whole)
    for half in part:
        half[4:] = 0
    mausen.save(folder / "part-1.npz", part)
    mausen.train(3, **SMALL)
    again = read(folder / "nets-1.npz")
    for half, other in zip(whole, again, strict=True):
        assert (half[:4] == other[:4]).all()
        assert other[4:16].any(axis=tuple(range(1, other.ndim))).all()
    assert not (folder / "part-1.npz").exists()


def test_the_fit_comes_closer(trained):
    """To what it is told: that whoever leads wins, the surer the more they lead."""
    rng, states = np.random.default_rng(1), states_of(trained, 0)[6]
    seen = np.repeat(mausen.inputs(states, 3), 60, axis=0)
    target = mausen.one_winner(3 * seen[:, :, STANDING])
    off, equal = mausen.fit(mausen.fresh(rng, 16, 8), seen, target, 30, rng)
    assert off < equal / 3


def test_who_deviates_does_at_least_as_well_by_what_the_nets_say(trained):
    """With the elephant's own nets: the best card brings no less than the elephant's mix."""
    nets, states = read(trained / "nets-1.npz"), states_of(trained, 1)[6][:4]
    told, found = np.zeros((4, 6)), np.zeros((4, 3))
    machine_code(mausen.work_out)(states, nets, 4, 216, np.ones(1, np.uint64), told)
    machine_code(mausen_deviator.temptations)(states, nets, nets, 216, found)
    assert (found >= told[:, :3] - 1e-3).all()
    assert found == pytest.approx(told[:, :3], abs=0.02)
