"""Hol's der Geier at a glance: mixes of the hand, games without luck, and chances that do not depend on the seat."""

from itertools import permutations

import numpy as np
import pytest

from cheeseboard.bots import geier_quick
from cheeseboard.bots.geier_many import between, position
from cheeseboard.bots.geier_nets import FACTS, SIZE, measured
from cheeseboard.bots.geier_quick import LUCKS, lucky, played, quick_net, steadied, tried
from cheeseboard.games import GAMES
from cheeseboard.games.compiled import machine_code
from cheeseboard.games.core import LUCK, State, count, members
from cheeseboard.table import Table

GEIER = GAMES["geier"]
MANY = [3, 4, 5]


def some(seats: int, left: int, seed: int, **options: object) -> State:
    """Some state of a random game before a prize is turned."""
    rng = np.random.default_rng(seed)
    table = Table(GEIER, seats, rng, **options)
    before = table.state
    while count(table.state.left) >= left:  # in the end luck has turned the next one already
        before = table.state.copy()
        seat = table.waiting()[0]
        table.play(seat, int(rng.choice(table.legal(seat))))
    GEIER.apply(before, seats - 1, table.log[-2][1], None)
    assert members(GEIER.waiting(before)) == [LUCK]
    assert count(before.left) == left
    return before


@pytest.mark.parametrize("seats", MANY)
def test_cards_of_the_hand_and_no_others(seats):
    rng = np.random.default_rng(seats)
    net = quick_net(seats)
    room = tuple(np.zeros(size, np.float32) for size in (geier_quick.inputs(seats), *(len(net[n]) for n in (1, 3, 5))))
    for cards in range(2, SIZE):
        hand = np.sort(rng.choice(SIZE, cards, replace=False))
        room[0][:] = rng.normal(size=len(room[0]))
        mix = np.zeros(cards)
        machine_code(geier_quick.mix_of)(hand, net, room, mix)
        assert mix.sum() == pytest.approx(1)
        assert mix.min() >= 0


@pytest.mark.parametrize("pot", [7, -4])
def test_luck_is_nothing_on_average(pot):
    """Over very many bids, each as often as it comes; but somebody is lucky each time."""
    rng, dice = np.random.default_rng(1), np.zeros(1, np.uint64)
    hands = np.array([[0, 3, 9], [3, 4, 14], [0, 3, 10]])
    mixes = rng.random((3, 3))
    mixes /= mixes.sum(1, keepdims=True)
    at = hands, np.array([-0.1, 0.1, 0.0]), np.array([3, 0, 5]), np.array([2, 6])
    lucks = np.zeros((20_000, 3 * LUCKS))
    for row in lucks:
        bids = np.array([rng.choice(3, p=mix) for mix in mixes])
        machine_code(lucky)(*at, pot, np.zeros(FACTS, np.int64), mixes, bids, dice, row)
    error = lucks.std(0) / len(lucks) ** 0.5
    assert (abs(lucks.mean(0)) < 4 * error).all()
    assert (lucks.std(0) > 0).all()
    assert lucks[:, ::LUCKS].sum(1) == pytest.approx(np.zeros(20_000), abs=1e-9), "what one has the others have not"


@pytest.mark.parametrize("seats", MANY)
def test_a_greater_prize_is_worth_a_higher_card(seats):
    hands, scores, tops, values, _, _, facts = position(some(seats, 14, seats))
    net, heights = quick_net(seats), []
    room = tuple(np.zeros(size, np.float32) for size in (geier_quick.inputs(seats), *(len(net[n]) for n in (1, 3, 5))))
    strength, sets, mix = np.zeros(seats), np.zeros(seats, np.int64), np.zeros(14)
    machine_code(measured)(hands, np.zeros(SIZE + 1, np.int64), np.zeros(SIZE, np.int64), strength, sets)
    for prize in (values[values > 0].min(), values.max()):
        turned = values[values != prize], int(prize), 0, facts
        machine_code(geier_quick.look)(hands, strength, sets, scores, tops, *turned, 0, room[0])
        machine_code(geier_quick.mix_of)(hands[0], net, room, mix)
        heights.append((mix * hands[0]).sum())
    assert heights[0] + 2 < heights[1]


@pytest.mark.parametrize(("seats", "left"), [(3, 9), (4, 7), (5, 6)])
def test_who_sits_where_does_not_matter(seats, left):
    """To the last bit; and who is in the same situation is told the same."""
    state = some(seats, left, 5)
    state.hand[1], state.scores[1], state.won[1] = state.hand[0], state.scores[0], state.won[0]
    here = tried(state, 1, 0)
    assert here[0] == here[1]
    assert here.sum() == pytest.approx(1)
    for order in list(permutations(range(seats)))[:: seats * 2]:
        other = state.copy()
        for field in ("scores", "won", "hand"):
            values = getattr(state, field)
            getattr(other, field)[:seats] = [values[seat] for seat in order]
        assert (tried(other, 1, 0) == here[list(order)]).all()


@pytest.mark.parametrize(
    ("seats", "left", "options"),
    [(3, 12, {}), (4, 9, {}), (5, 7, {}), (3, 8, {"ties": "goofspiel"}), (4, 6, {"ranking": "highest-mouse"}),
     (3, 6, {"prizes": [99, -99, 0, 3, 3, 0, -1, 50]})],
)  # fmt: skip
def test_what_is_tried_comes_of_very_many_games(seats, left, options):
    state = some(seats, left, 7, **options)
    shares, _ = played(between(state), 20_000, 10**9)
    assert tried(state, 0.005, 3000) == pytest.approx(shares.mean(0), abs=0.02)


@pytest.mark.parametrize("seats", MANY)
def test_without_luck_fewer_games_are_enough(seats):
    """The means of many small samples: those of steadied ones lie closer together, and around the same."""
    state = some(seats, 10, 8)
    shares, lucks = played(between(state), 200 * 100, 10**9)
    plain, steady = shares.reshape(100, 200, seats).mean(1), np.zeros((100, seats))
    errors = []
    for sample, row in enumerate(steady):
        part = slice(200 * sample, 200 * sample + 200)
        found = machine_code(steadied)(shares[part], lucks[part], row)
        errors.append(found)
    assert steady.std(0).mean() < 0.8 * plain.std(0).mean()
    assert steady.std(0).max() == pytest.approx(np.mean(errors), rel=0.3)
    assert steady.mean(0) == pytest.approx(plain.mean(0), abs=0.01)


@pytest.mark.parametrize("seats", MANY)
def test_who_cannot_be_caught_wins(seats):
    state = some(seats, 6, 9)
    state.scores[seats - 1] += 200
    assert tried(state, 1, 0)[seats - 1] > 0.97
