"""The fit of Memento's planner: small steps within bounds, only winners stay, and a stopped run goes on."""

import numpy as np
import pytest

from cheeseboard.bots.memento_tables import FITTED, Model
from cheeseboard.lab.train import memento


def test_a_step_changes_a_few_numbers_within_bounds():
    rng = np.random.default_rng(1)
    for _ in range(200):
        new = memento.changed(FITTED, 0.4, rng)
        assert 1 <= sum(a != b for a, b in zip(new, FITTED, strict=True)) <= 3
        assert all(getattr(new, name) <= most for name, most in memento.MOST.items())


@pytest.mark.parametrize("stop", [2, 17])
def test_only_winners_stay_and_a_stopped_run_goes_on(stop, tmp_path, monkeypatch):
    """Who has the larger offer wins: the offer must grow, and where the run was stopped must not matter."""
    monkeypatch.setattr(memento, "RUNS", tmp_path / "one")
    monkeypatch.setattr(memento, "score", lambda new, old, *_: 0.4 + 0.2 * (new.offer > old[-1].offer))
    whole = memento.fit(2, 40)
    monkeypatch.setattr(memento, "RUNS", tmp_path / "two")
    memento.fit(2, stop)
    assert memento.fit(2, 40) == whole
    assert isinstance(whole, Model)
    assert whole.offer > FITTED.offer
