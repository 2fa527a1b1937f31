"""Hol's der Geier: every bot is legal, repeatable, blind to sealed cards and indifferent to who sits where; the ends
are exact, and the nets answer as they should."""

from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cheeseboard.bots import (
    LEVELS,
    agreement,
    ask,
    geier,
    geier_course,
    geier_many,
    geier_nets,
    geier_rounds,
    geier_two,
    nets,
    players,
)
from cheeseboard.bots.geier_endgame import exact
from cheeseboard.bots.geier_thumb import HEAT, STEPS, bid_of_level, people, weighed
from cheeseboard.games import GAMES, core
from cheeseboard.games.compiled import machine_code
from cheeseboard.games.core import LUCK, members
from cheeseboard.games.geier.rules import ACTIONS
from cheeseboard.lab.arena import arena
from cheeseboard.lab.solve.geier_response import best_response
from tests.games import laws

GEIER = GAMES["geier"]
OWN = [name for name in players(GEIER) if name not in ("random", "thinker")]
DATA = Path(nets.__file__).parent / "data"
DECKS: list[dict[str, Any]] = [
    {},
    {"cards": 9, "ties": "goofspiel"},
    {"cards": 6, "ranking": "highest-mouse"},
    {"prizes": [99, -99, 0, 3, 3, 0, -1, 50]},
    {"cards": 2},
]


def bids(seats, seed, **options):
    """All states of a random game in which somebody is to bid, with the seat."""
    way = laws.Way(seats, options)
    return [(state.copy(), seat) for state, seat, _ in laws.walk(GEIER, way, laws.seeded(seed)) if seat < core.SEATS]


def choice(name, state, seat, seed=5):
    who = players(GEIER)[name]
    small = who._replace(budget=min(who.budget, 12))
    return ask(small, GEIER, core.view(GEIER, state, seat), seat, np.random.default_rng(seed), ())


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("seats", range(2, 6))
def test_legal_and_repeatable(name, seats):
    every = 5 if players(GEIER)[name].budget == 0 else 19
    for deck in DECKS:
        for state, seat in bids(seats, seats, **deck)[::every]:
            first = choice(name, state, seat)
            assert GEIER.legal(state, seat) >> first & 1
            assert choice(name, state, seat) == first


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("seats", [2, 3])
def test_a_sealed_bid_changes_nothing(name, seats):
    """Two worlds that differ only in the card that the other has laid."""
    state = core.new(GEIER, seats, cards=6)
    GEIER.apply(state, LUCK, 4, None)
    worlds = []
    for card in (0, 5):
        world = state.copy()
        GEIER.apply(world, 1, card, None)
        worlds.append(world)
    for seed in range(3):
        assert len({choice(name, world, 0, seed) for world in worlds}) == 1


def test_children_need_no_compiler():
    """A house starts at once: its small levels wait for nothing."""
    assert [players(GEIER)[name].budget == 0 for name in LEVELS] == [True, True, True, False]


# --- rules of thumb -------------------------------------------------------------------------------------------------


def test_levels_of_thought():
    """Level 0 matches the prize, level 1 overbids that by one and gives up what cannot be had, level 2 overbids it."""
    state = core.new(GEIER, 2, prizes=[1, 2, 3, 4, 5])
    GEIER.apply(state, LUCK, 2, None)  # the 3
    assert [bid_of_level(state, 0, level, [0, 1, 2, 3, 4]) for level in range(3)] == [2, 3, 4]
    state = core.new(GEIER, 2, prizes=[1, 2, 3, 4, 5])
    GEIER.apply(state, LUCK, 4, None)  # the 5: nothing is above the highest card
    assert [bid_of_level(state, 0, level, [0, 1, 2, 3, 4]) for level in range(3)] == [4, 0, 1]


def test_a_vulture_for_many_is_had_by_the_lowest():
    state = core.new(GEIER, 3, prizes=[-3, 1, 2])
    GEIER.apply(state, LUCK, 0, None)
    state.hand[1], state.hand[2] = 0b101, 0b110
    assert bid_of_level(state, 0, 0, [0, 1, 2]) == 2, "the greatest of three prizes"
    assert bid_of_level(state, 0, 1, [0, 1, 2]) == 0, "both others are expected to bid their highest card"


@pytest.mark.parametrize("steps", [1, 8])
def test_the_dog_weighs_all_hands(steps):
    """Everybody's shares are of cards they hold; the greater the prize, the higher the cards."""
    means = []
    for prize in (5, 9):  # mice of 1 and 5
        state = core.new(GEIER, 4)
        state.hand[:4] = [0x7FFF & ~(1 << seat) for seat in range(4)]
        GEIER.apply(state, LUCK, prize, None)
        state.left &= ~1
        bids = weighed(state, steps, HEAT)
        assert bids.sum(1) == pytest.approx(np.ones(4))
        assert np.diag(bids).tolist() == [0] * 4
        means.append((bids[0] * np.arange(15)).sum())
    assert means[0] < means[1]


def test_the_dog_pays_no_more_than_it_must():
    """Against low cards the first that is higher than all is enough, and the vulture goes to those below."""
    for prize in (14, 0):  # the mouse of 10, the vulture of 5
        state = core.new(GEIER, 3)
        for seat, hand in enumerate(([0, 7, 13, 14], [1, 2, 4, 5], [1, 3, 4, 6])):
            state.hand[seat] = sum(1 << card for card in hand)
        GEIER.apply(state, LUCK, prize, None)
        state.left = 0b111 << 8  # mice of 4, 5 and 6
        assert weighed(state, STEPS[3], HEAT)[0].argmax() == 7


@pytest.mark.parametrize(("higher", "lower"), [("cat", "mouse"), ("dog", "cat")])
def test_levels_stand_apart_at_a_full_table(higher, lower):
    """Where nobody can be foreseen, too. Few games, but always the same; `bench/geier_bots.py levels` tells more."""
    found = arena(GEIER, [higher, lower], 60, 3, seats=4, cores=1, count="wins")
    assert found.bots[0].bot == higher
    assert found.pairs[0].gap.value > 60


# --- two players ----------------------------------------------------------------------------------------------------


def ends(cards, count, **options):
    """States of games for two with so many cards left, the prize turned."""
    found: list[core.State] = []
    seed = 0
    while len(found) < count:
        seed += 1
        for state, _ in bids(2, seed, **options):
            if core.count(state.hand[0]) == cards and state.missing == 0b11:
                found.append(state)
                break
    return found


@pytest.mark.parametrize("options", [{}, {"ties": "goofspiel"}, {"ranking": "highest-mouse"}])
def test_the_end_is_exact(options):
    """The bot's way and the solver's agree, for the win and for points, with a prize turned and before."""
    for cards in (1, 2, 3, 4, 5):
        for state in ends(cards, 4, **options):
            for points, aim in ((False, "win"), (True, "points")):
                mine = geier_two.solve(geier_two.position(state, 0, points=points))
                assert mine.worth == pytest.approx(exact(state, 0, aim).value, abs=1e-9)
            for seat in range(2):
                GEIER.apply(state, seat, members(state.hand[seat])[0], None)
            if state.left:
                assert geier.worth(state, 0) == pytest.approx(0.5 + 0.5 * exact(state, 0).value, abs=1e-9)


def test_a_mix_of_the_end_guarantees_its_worth():
    for state in ends(4, 5):
        worth, mix, mix_other, payoffs = geier_two.solve(geier_two.position(state, 0))
        assert (mix @ payoffs).min() == pytest.approx(worth, abs=1e-9)
        assert (payoffs @ mix_other).max() == pytest.approx(worth, abs=1e-9)


def test_what_is_good_for_one_is_bad_for_the_other():
    """With nets and without: the table of one is the other's with the sign and the sides exchanged."""
    for state in ends(9, 2) + ends(4, 2) + ends(8, 1, ranking="highest-mouse"):
        mine, theirs = (geier_two.solve(geier_two.position(state, seat)).payoffs for seat in range(2))
        assert np.abs(mine + theirs.T).max() < 1e-6


def test_a_lead_too_great_to_lose():
    state = ends(8, 1)[0]
    state.scores[0] = 500
    assert (geier_two.solve(geier_two.position(state, 0)).payoffs == 1).all()


def test_sure_things():
    """The last card decides; whoever holds all the higher cards takes all."""
    for cards in (2, 6, 9):
        state = core.new(GEIER, 2)
        state.hand[0], state.hand[1] = 0b111111111 << 15 - cards & 0x7FFF, (1 << cards) - 1
        state.hand[0] &= ~((1 << 15 - cards) - 1)
        state.left = ((1 << cards - 1) - 1) << 5
        GEIER.apply(state, LUCK, 14, None)
        state.left &= ~(1 << 14)
        worth = geier_two.solve(geier_two.position(state, 0)).worth
        assert worth > 0.9, "all my cards are higher"


def test_what_a_round_is_worth_is_what_comes_after_it():
    """Between two rounds the net says what the rounds around it go by: with many cards about the same, seen twice."""
    state = ends(10, 1)[0]
    mix, worths = geier.solved(state, 0, 1)
    assert mix.sum() == pytest.approx(1)
    assert worths.max() == pytest.approx((mix * worths).sum(), abs=1e-6), "nobody has a better bid than the mix"
    for seat in range(2):
        GEIER.apply(state, seat, members(state.hand[seat])[4], None)
    assert geier.worth(state, 0) == pytest.approx(1 - geier.worth(state, 1), abs=1e-6)
    assert geier.worth(core.new(GEIER, 2), 0) == 0.5


def elephants_mix(view, seat):
    mix = np.zeros(ACTIONS)
    mix[members(view.hand[seat])] = geier.solved(view, seat, 1)[0]
    return mix


def mix_for_points(view, seat):
    mix = np.zeros(ACTIONS)
    mix[members(view.hand[seat])] = geier_two.solve(geier_two.position(view, seat, points=True)).mix
    return mix


def test_little_is_to_be_gained_against_the_elephant():
    """Eight cards: the first round goes by a net, all others are exact. `bench/geier_bots.py exploit` tells more."""
    found = best_response(elephants_mix, "win", solved=geier_two.EXACT, cards=8)
    assert found.asked == 8
    assert found.value < 0.02


def test_nothing_is_to_be_gained_against_the_one_who_counts_points():
    """With eight cards it plays a solution from the first round on."""
    found = best_response(mix_for_points, "points", solved=geier_two.EXACT, cards=8)
    assert found.asked == 8
    assert found.value < 1e-6


def test_who_counts_points_goes_on_when_the_game_is_decided():
    """To the elephant all bids are the same then."""
    state = ends(9, 1)[0]
    plain = geier_two.solve(geier_two.position(state, 0, points=True))
    lead = state.scores[0] - state.scores[1]
    state.scores[0] += 500
    ahead = geier_two.solve(geier_two.position(state, 0, points=True))
    assert np.ptp(plain.payoffs) > 1
    assert ahead.payoffs == pytest.approx(plain.payoffs + 500, abs=1e-3)
    assert ahead.worth == pytest.approx(plain.worth + 500, abs=1e-3)
    assert abs(plain.worth - lead) < 40


# --- many players ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "cards", "cool"), [(3, 7, False), (3, 3, False), (3, 7, True), (3, 3, True), (4, 6, True)]
)
def test_who_sits_where_does_not_matter(seats, cards, cool):
    """Seats exchanged: mixes exchanged, to the last bit."""
    for state, _ in bids(seats, 4, cards=cards)[::7]:
        here = geier_many.solved(core.view(GEIER, state, core.NOBODY), 20, cool=cool)
        for order in permutations(range(seats)):
            other = state.copy()
            for field in ("scores", "won", "hand"):
                values = getattr(state, field)
                getattr(other, field)[:seats] = [values[seat] for seat in order]
            there = geier_many.solved(core.view(GEIER, other, core.NOBODY), 20, cool=cool)
            assert (there.mixes == here.mixes[list(order)]).all()
            assert (there.worths == here.worths[list(order)]).all()


def test_who_cools_down_is_hardly_tempted():
    """With many cards and where all is played out; few equilibria bend back, and there players stay warm."""
    for seats, cards in ((3, 4), (3, 9), (4, 3), (4, 6), (5, 3), (5, 5)):
        gains: list[float] = []
        for state, _ in bids(seats, 8, cards=cards)[::seats]:
            mixes, worths = geier_many.solved(core.view(GEIER, state, core.NOBODY), 0, cool=True)
            gains += list(worths.max(1) - (mixes * worths).sum(1))
        assert np.median(gains) <= agreement.HEAT
        assert np.mean(gains) <= 2 * agreement.HEAT


@pytest.mark.parametrize(("seats", "cards"), [(3, 6), (4, 10), (5, 7), (5, 3)])
def test_together_all_have_one_win(seats, cards):
    """Also where the mixes are learnt from drawn bids: these must not make all of them look better than they are."""
    for state, _ in bids(seats, 5, cards=cards)[::9]:
        found = geier_many.solved(core.view(GEIER, state, core.NOBODY), 60)
        assert (found.mixes * found.worths).sum() == pytest.approx(1)
        assert found.mixes.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("seats", [4, 5])
def test_among_people_alone_the_elephant_answers_them(seats):
    """If all bids are people's there is a best card against them, and hardly another one is bid."""
    lost = []
    for state, _ in bids(seats, 6, cards=9)[: 9 * seats : 2 * seats]:
        view = core.view(GEIER, state, core.NOBODY)
        if core.count(view.hand[0]) > geier_many.EXACT[seats]:
            habits = np.array([people(view)[seat, members(view.hand[seat])] for seat in range(seats)])
            mix = geier_many.solved(view, 1000, 1.0).mixes[0]
            worths = geier_many.worths_against(view, 0, habits, 4000)
            lost.append(worths.max() - (mix * worths).sum())
    assert len(lost) >= 3
    assert np.mean(lost) < 0.01


@pytest.mark.parametrize(("seats", "share"), [(3, 0.0), (4, geier_rounds.PEOPLE[4]), (5, geier_rounds.PEOPLE[5])])
def test_from_four_players_on_the_elephant_expects_people(seats, share):
    state = bids(seats, 2)[0][0]
    found, asked = geier_rounds.many(state, 100), geier_many.solved(state, 100, share)
    assert (found.mixes == asked.mixes).all()
    assert (found.mixes == geier_many.solved(state, 100).mixes).all() == (seats == 3)


@pytest.mark.parametrize("ranking", ["rulebook", "highest-mouse"])
def test_the_end_is_shared_as_the_rules_say(ranking):
    for seed in range(60):
        state = laws.random_rounds(GEIER, seed, 3 + seed % 3, lambda _: None, cards=3, ranking=ranking)
        tops = np.array([geier_two.best_mouse(state, won) for won in state.won[: state.seats]])
        facts = np.array([0, 0, state.ranking, 0])
        share = np.zeros(state.seats)
        geier_course.shares(np.array(state.scores[: state.seats]), tops * state.ranking, facts, share)
        place = list(GEIER.rank(state))
        assert share.tolist() == [(p == 1) / place.count(1) for p in place]


def test_a_round_follows_the_rules():
    """What the bots think becomes of a position is what the rules make of it."""
    for ties in ("rulebook", "goofspiel"):
        for seats in (3, 4, 5):
            states = [state for state, _ in bids(seats, seats, ties=ties) if state.missing == (1 << seats) - 1]
            for before, after in pairwise(states):
                laid = [members(before.hand[seat] & ~after.hand[seat])[0] for seat in range(seats)]
                hands, scores, tops, _, pot, mouse, facts = geier_many.position(before)
                at = np.array([members(before.hand[seat]).index(laid[seat]) for seat in range(seats)])
                then = np.zeros((seats, hands.shape[1] - 1), np.int64), np.zeros_like(scores), np.zeros_like(tops)
                facts_then = np.zeros_like(facts)
                geier_course.follow(hands, scores, tops, at, pot, mouse, facts, *then, facts_then)
                assert then[0].tolist() == [members(after.hand[seat]) for seat in range(seats)]
                assert then[1].tolist() == after.scores[:seats]
                turned = members(before.left & ~after.left)[0]
                assert facts_then[geier_nets.CARRY] == after.pot - after.prizes[turned]


# --- nets -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cool", [False, True])
def test_a_net_sees_the_same_whoever_sits_where(cool):
    """Even if two others have the same score and hands of the same strength."""
    hands, scores, tops = np.array([[5, 6], [0, 3], [1, 2]]), np.array([3, 1, 1]), np.zeros(3, np.int64)
    found = set()
    for order in permutations(range(3)):
        at, seen = list(order), np.zeros(geier_nets.inputs(3, 2, cool=cool), np.float32)
        me = order.index(0)
        machine_code(geier_nets.describe)(
            hands[at], scores[at], tops, np.array([-2, 4]), np.zeros(4, np.int64), me, seen
        )
        found.add(seen.tobytes())
    assert len(found) == 1


def test_hands_are_compared_card_by_card():
    seen = np.zeros(6)
    geier_nets.compare(np.array([1, 4, 8]), np.array([1, 2, 9]), seen)
    assert seen == pytest.approx([0, 2 / 3, 2 / 3, 1, 0, 0])


def test_a_layer_is_what_it_should_be():
    rng = np.random.default_rng(3)
    inputs, weights, bias = (rng.normal(size=shape).astype(np.float32) for shape in (7, (7, 5), 5))
    inputs[2] = 0
    outputs = np.zeros(5, np.float32)
    machine_code(nets.layer)(inputs, weights, bias, outputs)
    assert outputs == pytest.approx(np.maximum(inputs @ weights + bias, 0), abs=1e-5)


def test_what_ships_is_small_and_whole():
    assert sum(path.stat().st_size for path in DATA.iterdir()) < 3_000_000, "of all games together"
    for name, least in (("geier-two", geier_two.EXACT), ("geier-points", geier_two.EXACT_POINTS)):
        for cards in range(least, geier_two.MOST + 1):
            assert geier_two.net_of(name, cards)[0].shape[0] == geier_two.inputs(cards)
    for label in nets.load("geier-many"):
        seats, cards, part = map(int, label.removeprefix("cool-").split("-"))
        cool = label.startswith("cool-")
        net = geier_nets.net_of(seats, cards, cool=cool)
        assert net[part].any()
        assert net[0].shape[0] == geier_nets.inputs(seats, cards, cool=cool)
    for name in ("geier-two", "geier-points", "geier-many"):
        assert all(np.isfinite(weights).all() for weights in nets.load(name).values())
