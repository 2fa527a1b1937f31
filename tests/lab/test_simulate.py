"""Many games at once: seeds, cores, bots, and that the compiled games are the games of the table."""

import math

import numpy as np
import pytest

from cheeseboard.games import GAMES, core
from cheeseboard.games.compiled import compile_for
from cheeseboard.games.core import LUCK, Refusal
from cheeseboard.lab.driver import luck
from cheeseboard.lab.simulate import simulate
from tests.games import laws

EACH = pytest.mark.parametrize("name", GAMES)


@EACH
def test_the_same_seed_gives_the_same_result_on_any_number_of_cores(name):
    game, (least, _) = GAMES[name], core.about(GAMES[name])["players"]
    one, two = (simulate(game, least, 45_000, 7, cores=cores) for cores in (1, 2))
    for what in ("moves", "win_share", "mean_score", "games", "seed"):
        assert getattr(one, what) == getattr(two, what)
    assert simulate(game, least, 45_000, 8).mean_score != one.mean_score


@EACH
def test_wins_add_up_and_no_seat_is_better(name):
    """Each seat's share of wins is within five standard errors of an equal share: all play at random."""
    game, (least, most) = GAMES[name], core.about(GAMES[name])["players"]
    for seats in (least, most):
        result = simulate(game, seats, 20_000, 3)
        assert math.isclose(sum(result.win_share), 1)
        error = math.sqrt((1 / seats) * (1 - 1 / seats) / result.games)
        assert all(abs(share - 1 / seats) < 5 * error for share in result.win_share), result.win_share


def replay(state, log):
    """A driver as the laboratory has them: `game` is put in by `compile_for`."""
    for i in range(len(log)):
        game.apply(state, log[i][0], log[i][1], None)  # type: ignore[name-defined]  # noqa: F821
    return log[-1][0]


@EACH
def test_drivers_run_the_plain_rules(name):
    """What is compiled into a driver, all rules in one piece, gives the same bytes as plain rules, move for move."""
    game = GAMES[name]
    for seed, way in enumerate(laws.ways(game)):
        log = [(seat, action) for _, seat, action in laws.walk(game, way, laws.seeded(seed))]
        plain = core.new(game, way.seats, **way.options)
        records = plain.records()
        for seat, action in log:
            game.apply(plain, seat, action, None)
        compile_for(game, replay)(records[0], np.array(log))
        assert records.tobytes() == plain.tobytes()


@EACH
def test_progress_is_told(name):
    told: list[int] = []
    simulate(GAMES[name], core.about(GAMES[name])["players"][0], 50_000, progress=told.append)
    assert told == [20_000, 40_000, 50_000] or told[-1] == 50_000


@EACH
def test_bots_play(name):
    seats = core.about(GAMES[name])["players"][0]
    result = simulate(GAMES[name], seats, 2, 1, bots=["thinker", *["random"] * (seats - 1)], cores=2)
    assert result.bots[0] == "thinker"
    assert math.isclose(sum(result.win_share), 1)
    again = simulate(GAMES[name], seats, 2, 1, bots=["thinker", *["random"] * (seats - 1)], cores=1)
    assert (again.win_share, again.mean_score) == (result.win_share, result.mean_score)


@pytest.mark.parametrize(
    ("more", "answer"),
    [
        ({"games": 0}, "expected games as a whole number from 1"),
        ({"games": -1}, "expected games"),
        ({"games": 1.5}, "expected games"),
        ({"seed": -1}, "expected seed as a whole number from 0"),
        ({"seed": 2**63}, "expected seed"),
        ({"seats": 9}, "players"),
        ({"bots": ["random"]}, "expected one bot for each of 2 seats, got 1"),
        ({"bots": ["random", "shark"]}, r"expected a bot \(random, thinker, .*\), got 'shark'"),
        ({"colour": "pink"}, "expected an option"),
    ],
)
def test_what_cannot_be_is_refused(more, answer):
    asked = {"seats": 2, "games": 10, **more}
    with pytest.raises(Refusal, match=answer):
        simulate(GAMES[next(iter(GAMES))], **asked)


def draws(state, dice, counts, number):
    for _ in range(number):
        counts[luck(state, dice)] += 1


@EACH
def test_luck_is_fair(name):
    """Each card is drawn as often as there are cards of it: chi-square over many draws from the same pool."""
    game = GAMES[name]
    for state, seat, _ in laws.walk(game, laws.ways(game)[0], laws.seeded(3)):
        may = [game.legal(state, LUCK) >> card & 1 for card in range(game.ACTIONS)]
        odds = np.array([core.odds(game, state, card) * may[card] for card in range(game.ACTIONS)])
        if seat == LUCK and np.count_nonzero(odds) > 2:
            break
    else:
        return  # a game without luck
    total = 60_000
    counts = np.zeros(game.ACTIONS, np.int64)
    compile_for(game, draws)(state.records()[0], np.array([5], np.uint64), counts, total)
    expected = odds / odds.sum() * total
    drawn = odds > 0
    assert counts.sum() == total
    assert not counts[~drawn].any()
    freedom = np.count_nonzero(drawn) - 1
    chi = (((counts - expected) ** 2)[drawn] / expected[drawn]).sum()
    assert chi < freedom + 6 * math.sqrt(2 * freedom) + 10
