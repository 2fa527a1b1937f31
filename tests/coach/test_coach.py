"""The coach: what adds up, what costs nothing, and whether its figures are those of very many games."""

from itertools import pairwise, product
from random import Random
from typing import Any, cast

import numpy as np
import pytest

from cheeseboard.bots import ask, player
from cheeseboard.coach import (
    Done,
    Moment,
    Views,
    Weighed,
    analyse,
    beliefs,
    calculated,
    judge,
    moments,
    of_the_win,
    read,
)
from cheeseboard.games import GAMES
from cheeseboard.games.core import LUCK, OVER, Game, Refusal, State, count, members, new
from cheeseboard.table import Log, Table

GEIER = GAMES["geier"]
PARTS = ("deal", "skill", "draw")


def played(game: str, bots: list[str], seed: int, **options: Any) -> Log:
    table, rng = Table(GAMES[game], len(bots), luck=seed, **options), np.random.default_rng(seed)
    while not table.over:
        seat = table.waiting()[0]
        table.play(seat, ask(player(table.game, bots[seat]), table.game, table.view(seat), seat, rng, ()))
    return table.log


class Naive:
    """Gives everybody the same chance, and thinks that the lowest card is always right and each other costs a bit."""

    def chances(self, game: Game, state: State) -> list[float]:
        return of_the_win(game, state) if state.phase == OVER else [1 / state.seats] * state.seats

    def weighed(self, game: Game, views: Views, done: Done) -> dict[int, Weighed]:
        found = {}
        for seat, view in views.items():
            cards = members(game.legal(view, seat))
            worth = [1 / view.seats - 0.01 * n for n in range(len(cards))]
            found[seat] = calculated(cards, [float(card == cards[0]) for card in cards], worth)
        return found

    def round(self, view: State) -> int:
        return int(view.cards) - count(view.left)

    def stake(self, view: State) -> int:
        return int(view.pot)


def add_up(talk: list[Moment], seats: int) -> None:
    assert talk[0].before == pytest.approx([1 / seats] * seats, abs=0.05)
    for moment, then in pairwise(talk):
        assert moment.after == then.before
        assert moment.end == then.n
    for moment in talk:
        for seat in range(seats):
            changed = sum(getattr(moment, part)[seat] for part in PARTS)
            assert moment.before[seat] + changed == pytest.approx(moment.after[seat], abs=1e-12)
    whole = [sum(getattr(moment, part)[seat] for moment in talk for part in PARTS) for seat in range(seats)]
    ends = [new - old for new, old in zip(talk[-1].after, talk[0].before, strict=True)]
    assert whole == pytest.approx(ends, abs=1e-12)


@pytest.mark.parametrize("bots", [["cat", "rank"], ["cat", "level1", "mouse"]])
def test_luck_and_skill_add_up_exactly(bots):
    log = played("geier", bots, seed=3, cards=8 if len(bots) == 2 else 4)
    talk = analyse(log)
    assert [moment.round for moment in talk] == list(range(1, log.options["cards"] + 1))
    assert beliefs(log) == []  # all that was played lies open
    assert [len(moment.choices) for moment in talk] == [len(bots)] * len(talk)
    add_up(talk, len(bots))
    places = list(GEIER.rank(Table.replay(log).state))
    assert talk[-1].after == [1 / places.count(1) if place == 1 else 0 for place in places]
    assert [moment.stake for moment in talk if moment.deal != [0.0] * len(bots)]
    for moment in talk:
        for choice in moment.choices:
            assert choice.cost >= 0
            assert sum(choice.weighed.mix.values()) == pytest.approx(1)
            assert choice.action in choice.weighed.worth


def test_what_the_deal_gives_one_it_takes_from_others():
    """Also with so many players that bids are drawn and not all looked at."""
    talk = analyse(played("geier", ["cat", "rank", "mouse", "tiers"], seed=3, cards=10))
    add_up(talk, 4)
    assert all(sum(moment.deal) == pytest.approx(0, abs=1e-9) for moment in talk)
    assert max(talk[1].deal) > 0.001


def test_prizes_are_no_luck_on_average():
    """Three players: what each prize would do to a seat adds up to nothing, over all that may be turned."""
    log, coach = played("geier", ["cat", "dog", "mouse"], seed=6, cards=8), cast("Any", judge("geier"))
    for moment, then in pairwise(analyse(log)):
        there = Table.replay(Log(log.game, log.version, log.seats, log.options, log[: moment.end])).state
        before, lucks = np.array(coach.expected(GEIER, there, moment.after)), {}
        for prize in members(GEIER.legal(there, LUCK)):
            turned = there.copy()
            GEIER.apply(turned, LUCK, prize, None)
            found = coach.weighed(GEIER, dict.fromkeys(range(3), turned), {})
            lucks[prize] = np.array([found[seat].value for seat in range(3)]) - before
        assert sum(lucks.values()) == pytest.approx(np.zeros(3), abs=1e-9)
        assert then.deal == pytest.approx(lucks[log[then.n][1]], abs=1e-12), "what is told"


def test_without_luck_there_is_no_deal():
    log = played("mausen", ["cat", "greedy", "mouse"], seed=3)
    talk = analyse(log)
    assert [moment.round for moment in talk] == list(range(1, len(talk) + 1))
    add_up(talk, 3)
    assert all(moment.deal == pytest.approx([0, 0, 0], abs=1e-9) for moment in talk)
    assert all(sum(moment.skill[seat] for moment in talk) < 0.02 for seat in range(3))


def test_whoever_mixes_well_gives_nothing_away():
    log = played("geier", ["cat", "rank"], seed=4, cards=6)
    for moment in analyse(log):
        for choice in moment.choices:
            best = max(choice.weighed.worth.values())
            for action, often in choice.weighed.mix.items():
                if often > 1e-6:
                    assert choice.weighed.worth[action] == pytest.approx(best, abs=1e-6)
            assert choice.weighed.value == pytest.approx(best, abs=1e-6)
            assert choice.cost == pytest.approx(best - choice.weighed.worth[choice.action])


def expected(state: State, memory: dict[bytes, list[float]]) -> list[float]:
    """Everybody's share of the win if all play the coach's mixes: over all that luck and they could do."""
    if state.phase == OVER:
        return of_the_win(GEIER, state)
    if state.tobytes() in memory:
        return memory[state.tobytes()]
    ways: list[tuple[float, list[tuple[int, int]]]] = []
    if legal := members(GEIER.legal(state, LUCK)):
        ways = [(1 / len(legal), [(LUCK, prize)]) for prize in legal]
    else:
        weighed = judge("geier").weighed(GEIER, dict.fromkeys(range(state.seats), state), {})
        for bids in product(*(weighed[seat].mix.items() for seat in range(state.seats))):
            odds = float(np.prod([often for _, often in bids]))
            if odds > 1e-9:
                ways.append((odds, [(seat, card) for seat, (card, _) in enumerate(bids)]))
    total = [0.0] * state.seats
    for odds, acts in ways:
        then = state.copy()
        for seat, action in acts:
            GEIER.apply(then, seat, action, None)
        for seat, share in enumerate(expected(then, memory)):
            total[seat] += odds * share
    memory[state.tobytes()] = total
    return total


@pytest.mark.parametrize(("seats", "cards", "within"), [(2, 4, 1e-6), (3, 3, 0.02)])
def test_the_chances_are_those_of_all_games_there_are(seats, cards, within):
    """No sample: every way the game can go on is counted, as often as it comes."""
    memory: dict[bytes, list[float]] = {}
    rng = Random(5)
    for seed in range(3):
        table = Table(GEIER, seats, luck=seed, cards=cards)
        while not table.over:
            if table.waiting() == list(range(seats)):
                weighed = judge("geier").weighed(GEIER, {seat: table.view(seat) for seat in range(seats)}, {})
                told = [weighed[seat].value for seat in range(seats)]
                assert told == pytest.approx(expected(table.state.copy(), memory), abs=within)
            seat = table.waiting()[0]
            table.play(seat, rng.choice(table.legal(seat)))


def test_what_was_taken_back_does_not_count():
    table = Table(GEIER, 2, luck=1, cards=3)
    table.play(0, 0)
    table.play(0, 2)
    table.play(1, 1)
    (moment,) = moments(table.log, Naive())
    assert [(choice.seat, choice.action) for choice in moment.choices] == [(0, 2), (1, 1)]
    assert moment.skill == pytest.approx([-0.02, -0.01])
    assert [choice.cost for choice in moment.choices] == pytest.approx([0.02, 0.01])
    assert moment.stake == table.state.prizes[table.log[0][1]]


def test_a_game_broken_off_is_told_as_far_as_it_went():
    table = Table(GEIER, 2, luck=1, cards=3)
    table.play(0, 0)
    assert list(moments(table.log, Naive())) == []
    table.play(1, 1)
    assert len(list(moments(table.log, Naive()))) == 1


def test_a_log_and_nothing_else_is_read():
    log = played("geier", ["random", "random"], seed=1, cards=3)
    assert read(log.dump()) == (log, {})
    with pytest.raises(Refusal, match="expected a log"):
        read("[]")


def test_a_game_the_coach_does_not_know_is_refused():
    with pytest.raises(Refusal, match=r"expected a game that the coach knows \(.*geier.*\), got 'maus'"):
        analyse(played("maus", ["random", "random"], seed=1))


def test_sealed_cards_change_no_figure():
    """The coach looks at what every seat knows: a card that lies face down is not among it."""
    before = new(GEIER, 2, cards=5)
    GEIER.apply(before, LUCK, 0, None)
    sealed = before.copy()
    GEIER.apply(sealed, 0, 3, None)
    table = Table(GEIER, 2, luck=1, cards=5)
    table.state = sealed
    weighed = judge("geier").weighed
    assert weighed(GEIER, {1: table.view(1)}, {}) == weighed(GEIER, {1: before}, {})
