"""Memento's bots: what they remember, what they plan, that nothing hidden moves them, and that thinking pays."""

from math import inf
from types import SimpleNamespace

import numpy as np
import pytest

from cheeseboard.bots import LEVELS, ask, player, players, search
from cheeseboard.bots.memento import advise, expected, judge
from cheeseboard.bots.memento_memory import Memory, Take, kept, recall, seen, told, watched_by
from cheeseboard.bots.memento_plan import choose, collect, grab, look, plan, survey, weigh
from cheeseboard.bots.memento_tables import KIND, MANY, TURNS, mind, plain_mind
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import EMPTY, HIDDEN, OVER, State
from cheeseboard.games.memento.rules import CATEGORIES, COPIES, DESIGNS, MOST, PASS, SHAPES, score
from cheeseboard.lab.driver import SHARES
from cheeseboard.lab.simulate import bots_game
from cheeseboard.table import Table

GAME = GAMES["memento"]
QUICK = [name for name in players(GAME) if player(GAME, name).budget == 0 and name != "random"]


class Scene(SimpleNamespace):
    """A state, who is to act, and what that seat was told."""


def scenes(seats, seed=1, **options):
    """All moments of a game in which everybody takes anything, and passes now and then."""
    table, rng = Table(GAME, seats, seed, **options), np.random.default_rng(seed)
    heard = [[step.told(seat) for step in table.opening] for seat in range(seats)]
    found = []
    while not table.over:
        seat = table.waiting()[0]
        found.append(Scene(state=table.state.copy(), seat=seat, past=list(heard[seat])))
        action = PASS if rng.random() < 0.05 else int(rng.choice(table.legal(seat)[:-1]))
        for step in table.play(seat, action):
            for listens in range(seats):
                heard[listens].append(step.told(listens))
    return found


SCENES = [*scenes(2)[::9], *scenes(4, deck="beginner")[::9], *scenes(3, memory="notebook")[::12]]


def view_of(scene):
    return core.view(GAME, scene.state, scene.seat)


def chosen(name, view, scene, seed=5, budget=None):
    who = player(GAME, name)
    who = who if budget is None else who._replace(budget=budget)
    return ask(who, GAME, view, scene.seat, np.random.default_rng(seed), scene.past)


# --- everybody ------------------------------------------------------------------------------------------------------


def test_the_four_levels_and_the_pool():
    assert set(players(GAME)) >= {*LEVELS, "greedy", "planner"}
    assert [name for name in LEVELS if player(GAME, name).budget] == ["elephant"], "the others answer at once"


@pytest.mark.parametrize("name", QUICK)
def test_legal_repeatable_and_no_dice(name):
    for scene in SCENES:
        action = chosen(name, view_of(scene), scene)
        assert GAME.legal(scene.state, scene.seat) >> action & 1
        assert action == chosen(name, view_of(scene), scene, seed=6)


@pytest.mark.parametrize("name", [*QUICK, "elephant"])
def test_a_planted_secret_changes_no_choice(name):
    """Another truth behind the same view: cards that others drew in secret, and what still lies."""
    planted = 0
    for n, scene in enumerate(SCENES[::2]):
        view = view_of(scene)
        other = view.copy()
        GAME.guess(other, np.random.default_rng(n))
        planted += other.secretly != scene.state.secretly
        twin = Scene(state=other, seat=scene.seat, past=scene.past)
        assert chosen(name, view, scene, budget=6) == chosen(name, view_of(twin), twin, budget=6)
    assert planted > 5


@pytest.mark.parametrize("name", ["mouse", "cat", "dog"])
def test_nobody_looks_at_collections_that_lie_face_down(name):
    """Not even at their own: planted collections, and with them a planted score of the round, change nothing."""
    for scene in scenes(3, seed=2)[::4]:
        view = view_of(scene)
        planted = view.copy()
        for seat in range(3):
            planted.openly[seat] = planted.openly[seat][::-1]
            planted.secretly[seat] = planted.secretly[seat][::-1]
        assert chosen(name, view, scene) == chosen(name, planted, scene)


# --- memory ---------------------------------------------------------------------------------------------------------


def test_who_forgets_nothing_knows_what_was_open():
    for scene in SCENES:
        thoughts, exact = plain_mind(scene.state.deck, scene.state.seats), {}
        view = view_of(scene)
        survey(view, thoughts)
        exact = {name: [row[:] for row in getattr(thoughts, name)] for name in ("count", "kinds", "have")}
        for past in (scene.past, ()):
            recall(view, scene.seat, past, Memory(1.0, 1.0), thoughts)
            assert {name: getattr(thoughts, name) for name in exact} == exact


def share(memory, since, seat, halves):
    """How often so many halves of a card that seat took are still known to seat 0, over many cards and tables."""
    view = core.new(GAME, 2)
    found = 0
    for n in range(1500):
        view.scores[0] = n
        found += len(kept(view, 0, Take(seat, n % DESIGNS, 0), since, memory)) == halves
    return found / 1500


def test_cards_fade_by_half_lives():
    memory = Memory(0.9, 0.5, lasts=8)
    assert share(memory, 0, 0, 2) == pytest.approx(0.9, abs=0.04)
    assert share(memory, 0, 1, 2) == pytest.approx(0.5, abs=0.04)
    assert share(memory, 8, 1, 2) == pytest.approx(0.25, abs=0.04), "half of it after as many takes as it lasts"
    assert share(memory, 24, 0, 2) == pytest.approx(0.45, abs=0.04), "one's own last three times as long"
    assert share(memory, 8, 1, 1) == pytest.approx(0.5 * 0.5 * np.log(2), abs=0.04), "then a half of the card"
    assert share(Memory(1.0, 1.0), 60, 1, 2) == 1


def test_what_is_forgotten_stays_forgotten():
    view, memory = core.new(GAME, 2), Memory(0.9, 0.5, lasts=8)
    steps = set()
    for n in range(300):
        view.scores[0] = n
        before = kept(view, 0, Take(1, 6, 0), 0, memory)
        for since in range(1, 40):
            now = kept(view, 0, Take(1, 6, 0), since, memory)
            assert now <= before
            steps.add((len(before), len(now)))
            before = now
    assert {(2, 1), (1, 0)} <= steps


def test_few_colours_and_shapes_are_watched_first_those_that_compare():
    for scene in SCENES:
        watched = watched_by(scene.state, Memory(1.0, 1.0, inf, 3))
        compare = {c for c in range(CATEGORIES) if scene.state.laid[c] != EMPTY and KIND[scene.state.laid[c]] >= MOST}
        assert len(watched) == 3
        assert compare <= watched or watched <= compare


def test_without_having_been_told_the_cards_are_the_same():
    """Only their order is not known; it stays as it is when more cards come."""
    for scene in scenes(2, seed=4)[::6]:
        view = view_of(scene)
        assert sorted(seen(view, scene.seat)) == sorted(take for take in told(scene.past) if take.card != HIDDEN)
        before = seen(view, scene.seat)
        view.openly[scene.seat][3] += 1
        assert [take for take in seen(view, scene.seat) if take in before] == before


# --- plans ----------------------------------------------------------------------------------------------------------


def test_what_a_card_adds_now_is_what_the_rules_say():
    checked = 0
    for scene in SCENES:
        state, thoughts = scene.state, plain_mind(scene.state.deck, scene.state.seats)
        survey(state, thoughts)
        weigh(state, scene.seat, 0, thoughts)
        for card in range(DESIGNS):
            if thoughts.have[scene.seat][card] < COPIES[state.deck][card]:
                points = []
                for more in range(2):
                    end = state.copy()
                    end.openly[scene.seat][card] += more
                    score(end)
                    points.append(end.points[scene.seat][end.lap])
                assert thoughts.gain[scene.seat][card] == pytest.approx(points[1] - points[0], abs=1e-5)
                checked += points[0] != points[1]
    assert checked > 100


@pytest.mark.parametrize("seats", [2, 3])
def test_a_mind_that_follows_the_game_plans_as_one_that_looks_again(seats):
    """As play-outs do it: what everybody has and has not seen is kept up, and only what changed is weighed again."""
    table, rng = Table(GAME, seats, 7), np.random.default_rng(7)
    anew, kept = (plain_mind(0, seats).copy() for _ in range(2))
    while not table.over:
        state, seat, lap = table.state, table.state.turn, table.state.lap
        if not sum(state.cards):
            survey(state, kept)
            look(state, kept)
        survey(state, anew)
        action = plan(state, seat, anew)
        assert choose(state, seat, kept) == action
        assert kept.option == anew.option
        had, unseen = [state.openly[seat][:], state.secretly[seat][:]], state.pool[:]
        table.play(seat, action if rng.random() < 0.7 else int(rng.choice(table.legal(seat))))
        state = table.state
        if state.lap == lap and not table.over:
            for card in range(DESIGNS):
                if state.openly[seat][card] + state.secretly[seat][card] > had[0][card] + had[1][card]:
                    collect(state, seat, card, kept)
                kept.unseen[card] -= unseen[card] - state.pool[card]


def test_tables_end_with_the_rules_and_stay_within_reach():
    tables = mind(0, 2)[0]
    assert np.isfinite(tables.worth).all()
    for card in range(len(KIND)):
        table = tables.worth[card] if KIND[card] < MOST - 2 else tables.lead[card]
        assert table.shape[0] == TURNS + 1
        assert np.abs(table).max() <= max(np.abs(table[0]).max(), MANY)


def test_who_would_lose_by_any_card_passes():
    state = scenes(2)[0].state
    state.laid = [1 if category < COPIES.shape[1] // SHAPES else EMPTY for category in range(CATEGORIES)]  # -1 a card
    view, thoughts = core.view(GAME, state, state.turn), plain_mind(0, 2)
    survey(view, thoughts)
    assert plan(view, state.turn, thoughts) == PASS
    assert grab(view, state.turn, thoughts) == PASS


def wins(first, second, games):
    """Of the first one's games against the second, on the same deals from both seats."""
    shares = 0
    for deal in range(games // 2):
        for names, seat in (([first, second], 0), ([second, first], 1)):
            shares += bots_game(GAME, 2, names, [3, deal], {})[2][seat]
    return shares / SHARES


@pytest.mark.parametrize(("better", "worse", "least"), [("planner", "greedy", 6), ("dog", "mouse", 5)])
def test_the_better_one_wins(better, worse, least):
    assert wins(better, worse, 8) >= least


# --- the elephant ---------------------------------------------------------------------------------------------------


class Room(list[State]):
    """A record to be written over, for plain functions."""

    def __setitem__(self, at, record):
        vars(self[at]).update(vars(State.of(record)))


def test_machine_code_tries_out_as_the_plain_functions(monkeypatch):
    """Play-outs, advice and judgement, to the last bit: so the same seed gives the same move on every machine."""
    monkeypatch.setattr(search, "game", SimpleNamespace(**vars(GAME), advise=advise, judge=judge))
    for scene in SCENES[::6]:
        view, rng = view_of(scene), np.random.default_rng(3)
        worlds = np.concatenate([search.guessed(GAME, view, rng) for _ in range(2)])
        minds, thoughts = mind(view.deck, view.seats).copy(), plain_mind(view.deck, view.seats)
        minds[0].lap = thoughts.lap = view.lap
        both = []
        for tries, ends, known in (
            (search.searcher(GAME, advise, judge), worlds[:1].copy(), minds),
            (search.try_out, Room([view.copy()]), [thoughts]),
        ):
            worth, dice, chances = expected(view, scene.seat), np.zeros(1, np.uint64), np.zeros(core.SEATS)
            with np.errstate(over="ignore"):
                tries(worlds, ends, dice, chances, GAME.legal(view, scene.seat), scene.seat, known, 7, 0, 2, worth)
            both.append(worth.tolist())
        assert both[0] == both[1]


def test_the_elephant_is_legal_and_repeatable():
    for scene in SCENES[::4]:
        view = view_of(scene)
        first, again = (chosen("elephant", view, scene, budget=20) for _ in range(2))
        assert first == again
        assert GAME.legal(view, scene.seat) >> first & 1


def test_the_elephant_sees_that_passing_wins():
    """The other one has passed, the lead is sure, and all cards cost: to pass ends the game."""
    scene = [scene for scene in scenes(2, seed=3) if scene.state.lap == 2][20]
    scene.state.laid = [1] * 4 + [EMPTY] * 4
    scene.state.passes = 1
    scene.state.scores[scene.seat], scene.state.scores[1 - scene.seat] = 30, 0
    assert chosen("elephant", view_of(scene), scene, budget=200) == PASS


def test_judgement_of_an_end():
    chances, thoughts = np.zeros(6), mind(0, 3)[0]
    state = core.new(GAME, 3)
    state.scores[:3] = [20, 20, 10]
    state.lap = 2
    assert not judge(state, SimpleNamespace(lap=2), chances), "the round goes on"
    state.phase = OVER
    state.points[0][2], state.points[1][2] = 9, 8
    assert judge(state, thoughts, chances)
    assert chances.sum() == pytest.approx(1)
    assert chances[0] > chances[1] > chances[2] > 0
