"""Those who play Mausen: legal, repeatable, blind to what is laid face down, the same for everybody at every seat."""

import itertools
import subprocess
import sys
from importlib.resources import files

import numpy as np
import pytest

from cheeseboard.bots import LEVELS, mausen
from cheeseboard.bots.mausen_nets import desk, judge, lay_out
from cheeseboard.games import GAMES, core
from cheeseboard.games.compiled import machine_code
from cheeseboard.games.core import EMPTY, OVER, members
from cheeseboard.games.mausen.rules import ACTIONS, REFILL
from cheeseboard.lab.driver import SHARES
from cheeseboard.lab.simulate import bots_game
from cheeseboard.lab.train import mausen as training
from tests.games import laws

GAME = GAMES["mausen"]
SEATS = pytest.mark.parametrize("seats", [3, 4, 5, 6])
EACH = pytest.mark.parametrize("name", mausen.PLAYERS)
BUDGET = 300  # enough to see that it thinks
DECK = [animal + value for animal in "EDCM" for value in "1234"]


def hand(cards):
    return sum(1 << DECK.index(card) for card in cards.split())


def choose(name, view, seat, seed=5):
    who = mausen.PLAYERS[name]
    return who.choose(GAME, view.copy(), seat, np.random.default_rng(seed), min(who.budget, BUDGET))


def ways(seats):
    """Every choice of every option with every other."""
    options = core.about(GAME)["options"]
    return [
        laws.Way(seats, dict(zip(options, choices, strict=True))) for choices in itertools.product(*options.values())
    ]


@SEATS
@EACH
def test_legal_and_repeatable(name, seats):
    """Also where a card has been laid already and may be exchanged."""
    for n, way in enumerate(ways(seats)):
        for step, (state, seat, _) in enumerate(laws.walk(GAME, way, laws.seeded(n))):
            if step % 17 == n or state.phase == REFILL:
                view = core.view(GAME, state, seat)
                chosen = choose(name, view, seat)
                assert chosen == choose(name, view, seat)
                assert GAME.legal(state, seat) >> chosen & 1


@EACH
def test_a_planted_secret_changes_nothing(name):
    """What lies face down before others is not seen, whatever it is."""
    for seed in range(3):
        state = next(
            state
            for state, _, _ in laws.walk(GAME, laws.Way(4, {}), laws.seeded(seed))
            if len(members(state.hand[0])) == 9
        )
        state.choice, state.missing = [EMPTY] * 6, 0b1111
        chosen = set()
        for high in (False, True):
            world = state.copy()
            for seat in (1, 2):
                cards = members(GAME.legal(world, seat))
                GAME.apply(world, seat, max(cards) if high else min(cards), None)
            chosen.add(choose(name, core.view(GAME, world, 0), 0))
        assert len(chosen) == 1


@SEATS
def test_whoever_sits_where_thinks_the_same(seats):
    """Exchanging the seats exchanges the mixes, to the last bit."""
    for step, (state, _, _) in enumerate(laws.walk(GAME, laws.Way(seats, {}), laws.seeded(seats))):
        if step % 40 == 20:
            here = mausen.thoughts(GAME, state, BUDGET)
            turned = state.copy()
            for field in ("hand", "scores", "won", "pile", "last"):
                whole = getattr(state, field)
                setattr(turned, field, [*whole[1:seats], whole[0], *whole[seats:]])
            there = mausen.thoughts(GAME, turned, BUDGET)
            for mine, other in zip(here, there, strict=True):
                assert np.roll(mine[:seats], -1, axis=0).tobytes() == other[:seats].tobytes()


@SEATS
def test_thoughts(seats):
    """The mixes are mixes over the hand, and the chances of all add up to one win."""
    for step, (state, _, _) in enumerate(laws.walk(GAME, laws.Way(seats, {}), laws.seeded(3))):
        if step % 40 == 20:
            found = mausen.thoughts(GAME, state, BUDGET)
            size = len(members(state.hand[0]))
            assert found.mix[:seats].sum(axis=1) == pytest.approx(1)
            assert (found.mix[:seats, size:] == 0).all()
            assert found.value.sum() == pytest.approx(1)
            assert (found.good >= 0).all()
            assert (found.good <= 1 + 1e-9).all()


def test_the_small_ones_need_no_compiler():
    """A house must not wait for it."""
    code = f"""
import sys
import numpy as np
from cheeseboard.bots import player
from cheeseboard.games import GAMES, core
game = GAMES["mausen"]
for name in {[name for name, who in mausen.PLAYERS.items() if not who.budget]}:
    player(game, name).choose(game, core.view(game, core.new(game, 5), 2), 2, np.random.default_rng(1), 0)
assert "numba" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    assert [bool(mausen.PLAYERS[level].budget) for level in LEVELS] == [False, False, True, True]


def test_the_greedy_one_takes_the_fattest_prey():
    state = core.new(GAME, 3)
    state.middle = [0] * ACTIONS
    state.middle[DECK.index("C4")] = 3
    state.middle[DECK.index("E4")] = 2
    assert DECK[choose("greedy", state, 0)] == "D4"
    state.hand[0] = hand("E1 M1 M3 C4")
    assert DECK[choose("greedy", state, 0)] == "M3"


def test_the_counter_knows_who_can_beat_it():
    """Everybody wants the cats, but two still hold dogs that are higher; nobody else holds a mouse."""
    state = core.new(GAME, 3)
    state.middle = [0] * ACTIONS
    state.middle[DECK.index("C4")] = 2
    state.middle[DECK.index("E3")] = 2
    state.hand[:3] = [hand("D1 M1"), hand("D2 D3"), hand("D3 D4")]
    assert DECK[choose("counter", state, 0)] == "M1"


@pytest.mark.parametrize("seats", [3, 6])
def test_the_cat_is_better_than_the_mouse(seats):
    """One of each in turn around the table; on average cats win three games of four."""
    who = ["cat", "mouse"] * 3
    won = np.sum([bots_game(GAME, seats, who[:seats], [3, n], {})[2] for n in range(24)], axis=0) / SHARES
    cats = won[:seats:2].sum() / 24
    assert cats > (seats + 1) // 2 / seats + 0.05


def test_what_ships_is_small():
    folder = files("cheeseboard.bots") / "data"
    sizes = [len(file.read_bytes()) for file in folder.iterdir() if file.name.startswith("mausen-")]
    assert len(sizes) == 4
    assert sum(sizes) <= 1_200_000


@SEATS
def test_the_net_says_what_was_trained(seats):
    """The loops that play and the matrices that were fitted are the same function."""
    rng = np.random.default_rng(seats)
    net, value = training.fresh(rng, *training.neurons(seats)), np.zeros(6)
    table = desk([part[None] for part in net])
    for state, _, _ in itertools.islice(laws.walk(GAME, laws.Way(seats, {}), laws.seeded(seats)), 20, 60, 13):
        after = state.records()
        before, bids = after.copy(), np.zeros(6, np.int64)
        for seat in range(seats):
            bids[seat] = int(rng.choice([card for card in range(ACTIONS) if not state.hand[seat] >> card & 1]))
            before["hand"][0][seat] |= 1 << bids[seat]
        machine_code(lay_out)(before[0], net[0], table)
        machine_code(judge)(after[0], bids, *net, table, value)
        said = training.forward(net, training.inputs(after, seats))[-1][0]
        assert value[:seats] == pytest.approx(said, abs=1e-4)


# --- a small game, exactly --------------------------------------------------------------------------------------------


def test_nobody_gains_by_deviating_in_a_small_game():
    """Three with E1 D2 C3 M4 each: the best that anybody can do against two elephants, over the rules as they are."""
    state = core.new(GAME, 3)
    state.hand[:3] = [hand("E1 D2 C3 M4")] * 3
    assert best(state, 0, {}) - 1 / 3 <= 0.005


def test_the_first_of_five_cards_is_chosen_as_the_rest_is_played():
    """Three with E1 E3 D2 C2 M2 each: what a card brings is what the elephants' play to the end makes of it."""
    state, budget = core.new(GAME, 3), mausen.PLAYERS["elephant"].budget
    state.hand[:3] = [hand("E1 E3 D2 C2 M2")] * 3
    mix, cards = mausen.thoughts(GAME, state, budget).mix[0], members(state.hand[0])
    brings = np.zeros(5)
    for joint in itertools.product(range(5), repeat=3):
        after = state.copy()
        for seat, move in enumerate(joint):
            GAME.apply(after, seat, cards[move], None)
        brings[joint[0]] += mix[joint[1]] * mix[joint[2]] * mausen.thoughts(GAME, after, budget).value[0]
    assert brings.max() - 1 / 3 <= 0.002


def best(state, seat, known):
    """How likely the seat wins if it always does what is best against the others' mixes."""
    if state.phase == OVER:
        place = list(GAME.rank(state))
        return (place[seat] == 1) / place.count(1)
    key = state.tobytes()
    if key not in known:
        mix = mausen.thoughts(GAME, state, mausen.PLAYERS["elephant"].budget).mix
        hands = [members(cards) for cards in state.hand[:3]]
        values = dict.fromkeys(hands[seat], 0.0)
        for joint in itertools.product(*hands):
            shares = [mix[other][hands[other].index(joint[other])] for other in range(3) if other != seat]
            if np.prod(shares) > 0:
                after = state.copy()
                for other, card in enumerate(joint):
                    GAME.apply(after, other, card, None)
                after.last, after.pile = [EMPTY] * 6, [0] * 6  # they do not matter, and fewer states differ
                values[joint[seat]] += np.prod(shares) * best(after, seat, known)
        known[key] = max(values.values())
    return known[key]
