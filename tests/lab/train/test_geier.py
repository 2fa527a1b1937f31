"""The training of Hol's der Geier, with a handful of positions: every step of it runs, and goes on where it was broken
off. How good the nets are that ship is asked in tests/bots/test_geier.py."""

import numpy as np
import pytest

from cheeseboard.bots import geier_many, geier_nets
from cheeseboard.bots.geier_quick import inputs as inputs_at_a_glance
from cheeseboard.bots.geier_two import LEAD, Position, inputs, position
from cheeseboard.games import GAMES
from cheeseboard.lab.train import geier, geier_deviator, geier_quick, geier_response
from cheeseboard.lab.train import geier_many as many
from cheeseboard.table import Table

FEW = 256


def test_two_learn_from_the_end_backwards_and_go_on_where_they_were_broken_off(tmp_path, monkeypatch):
    monkeypatch.setattr(geier, "LAST", 4)
    geier.two(tmp_path, FEW, epochs=1, seed=1, points=True)
    first = (tmp_path / "net-4.npz").read_bytes()
    monkeypatch.setattr(geier, "LAST", 8)
    shipped = geier.two(tmp_path, FEW, epochs=1, seed=1, points=True)
    assert (tmp_path / "net-4.npz").read_bytes() == first, "what is learnt stays"
    assert {label.split("-")[0] for label in shipped} == {"8"}, "positions with fewer cards are solved when they come"
    assert shipped["8-0"].shape == (inputs(8), geier.HIDDEN[0])
    assert all(np.isfinite(weights).all() for weights in shipped.values())


def test_a_response_is_the_best_card_against_the_elephant(tmp_path, monkeypatch):
    monkeypatch.setattr(geier_response, "LAST", 9)
    nets = geier_response.learnt(tmp_path, FEW, epochs=1, seed=1)
    assert set(nets) == {8, 9}
    table = Table(GAMES["geier"], 2, np.random.default_rng(3), cards=10)
    at = position(table.view(0), 0)
    card, worth = geier_response.response(at, nets)
    assert 0 <= card < 10
    assert worth >= geier_response.response(at, {})[1] - 0.5
    ahead = Position(*at[:4], at.facts.copy())
    ahead.facts[LEAD] = 500
    assert geier_response.response(ahead, nets)[1] == -1, "nothing helps any more"


def test_many_learn_from_the_end_backwards(tmp_path, monkeypatch):
    monkeypatch.setattr(many, "LAST", 5)
    shipped = many.ladder("3", tmp_path, 64, epochs=1, seed=1)
    assert sorted(path.name for path in tmp_path.glob("net-*")) == ["net-3.npz", "net-4.npz", "net-5.npz"]
    assert {label.split("-")[1] for label in shipped} == {"4", "5"}, "what is played out needs no net"
    assert shipped["3-5-0"].shape == (geier_nets.inputs(3, 5), many.PLANS["3"].hidden[0])


def test_those_who_cool_down_learn_from_nets_that_see_more(tmp_path, monkeypatch):
    monkeypatch.setattr(many, "LAST", 4)
    shipped = many.ladder("cool-4", tmp_path, 6, epochs=1, seed=1)
    assert {label.split("-")[2] for label in shipped} == {"3", "4"}
    assert shipped["cool-4-4-0"].shape == (geier_nets.inputs(4, 4, cool=True), many.PLANS["cool-4"].hidden[0])


def test_rounds_that_were_solved_are_kept_and_not_solved_again(tmp_path, monkeypatch):
    monkeypatch.setattr(many, "LAST", 4)
    many.ladder("3", tmp_path, 20, epochs=1, seed=1)
    kept = many.rounds("3", 4, [], tmp_path, 20, seed=1)
    hands, _, _, values, _, ups, mixes, worths = kept
    assert hands.shape == mixes.shape == (60, 3, 4)
    assert values.shape == (60, 4)
    assert set(ups) == {0, 1, 2, 3}
    assert mixes.sum(2) == pytest.approx(1, abs=0.01)
    assert worths.sum(1) == pytest.approx(1, abs=1e-3)
    monkeypatch.setattr(many, "looked_ahead", None)
    (tmp_path / "net-4.npz").unlink()
    many.ladder("3", tmp_path, 20, epochs=1, seed=1)


def test_who_bids_at_a_glance_learns_from_rounds_that_were_solved(tmp_path, monkeypatch):
    monkeypatch.setattr(many, "LAST", 6)
    monkeypatch.setattr(geier_quick, "LAST", 6)
    many.ladder("cool-3", tmp_path / "cool-3", 6, epochs=1, seed=1)
    shipped = geier_quick.learnt(3, tmp_path / "cool-3", tmp_path, epochs=1, seed=1)
    assert [shipped[f"3-{part}"].shape[-1] for part in range(6)] == [128, 128, 64, 64, 15, 15]
    assert shipped["3-0"].shape[0] == inputs_at_a_glance(3)
    monkeypatch.setattr(geier_quick, "fit_mixes", None)
    again = geier_quick.learnt(3, tmp_path / "cool-3", tmp_path, epochs=1, seed=1)
    assert all((again[name] == weights).all() for name, weights in shipped.items()), "what is learnt stays"
    seen, goal = geier_quick.seen_in(tmp_path / "cool-3" / "rounds-5.npz")
    assert goal.sum(1) == pytest.approx(1, abs=1e-5)
    assert not goal[seen[:, :15] == 0].any(), "cards that are not in the hand"
    assert (seen[:, :15].sum(1) == 5).all()


def test_every_plan_says_how_many_positions_are_enough():
    for plan in many.PLANS.values():
        assert len(plan.enough) == many.LAST - plan.effort.exact + 1


def test_who_deviates_bids_what_is_worth_most_against_two_elephants(tmp_path, monkeypatch):
    monkeypatch.setattr(geier_deviator, "MOST", 6)
    nets = geier_deviator.learnt(tmp_path, 50, epochs=1, rounds=20, seed=1)
    assert set(nets) == {5, 6}
    assert geier_deviator.learnt(tmp_path, 50, epochs=1, rounds=20, seed=1).keys() == nets.keys(), "kept"
    state = Table(GAMES["geier"], 3, np.random.default_rng(3), cards=6).state
    mixes, worths = geier_many.solved(state, 50)
    for seat in range(3):
        now = geier_deviator.deviation(state, seat, mixes, {})
        assert now == pytest.approx(worths[seat], abs=1e-5), "if it goes on like an elephant"
    assert np.isfinite(geier_deviator.deviation(state, 0, mixes, nets)).all()
