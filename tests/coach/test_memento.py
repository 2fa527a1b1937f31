"""Memento's coach: figures against all ways a small end can go and against many play-outs; and what was remembered."""

import numpy as np
import pytest

from cheeseboard.bots.memento import planner
from cheeseboard.bots.memento_memory import Memory
from cheeseboard.coach import Finished, Moment, analyse, beliefs, judge, of_the_win
from cheeseboard.coach import memento as coach
from cheeseboard.games import GAMES
from cheeseboard.games.core import EMPTY, HIDDEN, LUCK, OVER, Illegal, State, members, view
from cheeseboard.games.memento.rules import FACE_DOWN, OPEN, PASS, PLAY
from cheeseboard.server.coaching import advice
from cheeseboard.table import Log, Table
from cheeseboard.terminal import coaching
from tests.coach.test_coach import add_up

GAME = GAMES["memento"]


def by_plan(state: State) -> int:
    return planner(GAME, state, state.turn, np.random.default_rng(0), 0)


@pytest.fixture(scope="module")
def log() -> Log:
    """Somebody who plans against somebody who takes anything, but takes: that costs."""
    table, rng = Table(GAME, 2, luck=4, deck="beginner"), np.random.default_rng(4)
    while not table.over:
        seat = table.waiting()[0]
        table.play(seat, by_plan(table.view(0)) if seat == 0 else rng.choice(table.legal(1)[:-1]))
    return table.log


@pytest.fixture(scope="module")
def talk(log) -> list[Moment]:
    return analyse(log)


def begun(log: Log, n: int) -> Log:
    return Log(log.game, log.version, log.seats, log.options, log[:n])


def positions(log: Log) -> list[State]:
    """Before each choice."""
    table, found = Table.replay(begun(log, 0)), []
    for act in log:
        if act[0] != LUCK:
            found.append(table.state.copy())
        table.play(*act)
    return found


def late(log: Log) -> State:
    """In the last round with one card on each pile: what luck can still do is one card."""
    state = [state for state in positions(log) if state.lap == 2 and min(state.lying) > 0][-1]
    state.lying = [1] * len(state.lying)
    return state


def expected(state: State) -> list[float]:
    """Everybody's share of the win among planners: over all that luck could do."""
    if state.phase == OVER:
        return of_the_win(GAME, state)
    if state.phase == PLAY:
        ways = {by_plan(state): 1}
    else:
        ways = {card: GAME.odds(state, card) for card in members(GAME.legal(state, LUCK))}  # type: ignore[attr-defined]
    total = np.zeros(state.seats)
    for action, odds in ways.items():
        then = state.copy()
        GAME.apply(then, state.turn if state.phase == PLAY else LUCK, action, None)
        total += np.array(expected(then)) * odds / sum(ways.values())
    return [float(share) for share in total]


def test_luck_and_skill_add_up_exactly(log, talk):
    add_up(talk, 2)
    assert talk[0].before == [0.5, 0.5]
    assert talk[-1].after == of_the_win(GAME, Table.replay(log).state)
    assert [moment.round for moment in talk] == sorted(moment.round for moment in talk)
    assert {moment.round for moment in talk} == {1, 2, 3}
    for part in ("before", "deal", "after"):
        for moment in talk:
            whole = 0 if part == "deal" else 1
            assert sum(getattr(moment, part)) == pytest.approx(whole, abs=1e-9)


def test_whoever_takes_anything_gives_away_and_who_plans_does_not(talk):
    planned, random = (sum(moment.skill[seat] for moment in talk) for seat in (0, 1))
    assert planned == 0
    assert random < -0.2
    for moment in talk:
        (choice,) = moment.choices
        weighed = choice.weighed
        assert sum(weighed.mix.values()) == 1
        assert weighed.mix.keys() == weighed.worth.keys() == weighed.faces.keys()
        assert weighed.error > 0
        best = max(weighed.worth.values())
        assert choice.cost in (0, best - weighed.worth[choice.action])
        assert choice.cost == 0 or choice.cost >= 2 * weighed.error


def test_after_a_planners_choice_all_stands_as_before(log, talk):
    """Such a choice brings the others nothing: until the round is counted, all the rest is luck."""
    states = positions(log)
    as_planned = [
        (moment, state)
        for moment, then, state in zip(talk, talk[1:], states, strict=False)
        if then.round == moment.round
        and moment.choices[0].action == planner(GAME, state, state.turn, np.random.default_rng(0), 0)
    ]
    assert len(as_planned) > len(talk) / 4
    for moment, state in as_planned:
        assert moment.draw[1 - state.turn] == pytest.approx(0, abs=1e-9)


def test_where_nothing_is_hidden_what_becomes_of_a_choice_is_what_it_was_worth(log, talk):
    """The others' doing is nothing in the own turn, unless they had drawn what nobody else could know."""
    seen = 0
    for moment, then, state in zip(talk, talk[1:], positions(log), strict=False):
        if then.round == moment.round and not sum(state.secretly[1 - state.turn]):
            assert moment.draw[state.turn] == pytest.approx(0, abs=1e-9)
            seen += 1
    assert seen > 9


def test_the_end_is_what_all_ways_to_it_come_to(log):
    state = late(log)
    for turn in (0, 1):
        state.turn = turn
        exact = expected(state)
        found = coach.played(GAME, state.records(), EMPTY, range(2000))
        assert found.mean(axis=0) == pytest.approx(exact, abs=4 * 0.5 / 2000**0.5)
        assert coach.chances(GAME, state) == pytest.approx(exact, abs=4 * coach.AIM)


def test_an_action_is_worth_what_comes_of_it(log):
    state = late(log)
    for card, number in enumerate(state.secretly[1 - state.turn]):  # back to the piles: nothing else is hidden
        state.secretly[1 - state.turn][card] = 0
        state.pool[card] += number
        state.kinds |= int(number > 0) << card
    state.cards[1 - state.turn] = sum(state.openly[1 - state.turn])
    for done in range(PASS + 1):
        weighed = coach.weighed(GAME, {state.turn: view(GAME, state, state.turn)}, {state.turn: done})[state.turn]
        for action, worth in weighed.worth.items():
            exact = expected(coach.after(GAME, state, action))[state.turn]
            few = 0 if action == done else 4 * 0.5 / coach.FIRST[2] ** 0.5
            assert worth == pytest.approx(exact, abs=4 * coach.AIM + few)
    assert weighed.faces == {
        action: state.top[action] if action < OPEN else coach.UNSEEN if action == FACE_DOWN else coach.PASSING
        for action in (*range(OPEN), FACE_DOWN, PASS)
    }


def test_points_tell_who_will_win(log):
    """A play-out ends with its round; what is told from there is what comes of it when all rounds are played."""
    for state in positions(log)[8::16][:3]:
        short = coach.played(GAME, state.records(), EMPTY, range(1500)).mean(axis=0)
        whole = coach.played(GAME, state.records(), EMPTY, range(1500), laps=3).mean(axis=0)
        assert short == pytest.approx(whole, abs=4 * 0.5 / 1500**0.5)


def test_chances_are_those_of_many_more_play_outs(log):
    for state in positions(log)[4::16]:
        many = coach.reference(GAME, state, 4000)
        far = 4 * (coach.AIM**2 + many.var(axis=0).max() / 4000) ** 0.5
        assert coach.chances(GAME, state) == pytest.approx(many.mean(axis=0), abs=far)


def test_a_decided_game_is_tried_less_often(log):
    """Only as often as it takes; but a rare win is looked for."""
    first, last = positions(log)[3], coach.after(GAME, late(log), FACE_DOWN)
    assert len(coach.shares(GAME, first)) > 2 * coach.FEW[2]
    for state in (first, last):
        state.scores[0] += 99
    assert len(coach.shares(GAME, first)) == coach.FEW[2] < len(coach.shares(GAME, last))


def test_the_same_game_has_the_same_figures(log, talk):
    assert analyse(begun(log, 60)) == talk[: len(analyse(begun(log, 60)))]


def test_what_the_seat_cannot_know_changes_no_figure(log):
    """Somebody has drawn face down; another card would look the same."""
    state = next(state for state in positions(log) if sum(state.secretly[1 - state.turn]) > 0)
    seat, other = state.turn, 1 - state.turn
    drawn = next(card for card, number in enumerate(state.secretly[other]) if number)
    instead = next(card for card, number in enumerate(state.pool) if number and card != drawn)
    swapped = state.copy()
    swapped.secretly[other][drawn] -= 1
    swapped.secretly[other][instead] += 1
    swapped.pool[drawn] += 1
    swapped.pool[instead] -= 1
    views = [view(GAME, each, seat) for each in (state, swapped)]
    assert views[0].secretly[other][drawn] == HIDDEN
    for done in (EMPTY, PASS):
        assert coach.weighed(GAME, {seat: views[0]}, {seat: done}) == coach.weighed(
            GAME, {seat: views[1]}, {seat: done}
        )
    hint = advice("memento", vars(views[0]), seat)
    assert (hint.action, hint.faces[-1]) == (-1, coach.PASSING)
    assert hint.mix == list(coach.weighed(GAME, {seat: views[1]}, {})[seat].mix.values())


def test_a_game_broken_off_is_told_as_far_as_it_went(log, talk):
    choice = talk[3]
    assert len(analyse(begun(log, choice.end - 1))) == 3
    assert len(analyse(begun(log, choice.end))) == 4
    assert beliefs(begun(log, choice.end)) == []
    with pytest.raises(Illegal, match="seat 0 may not do"):
        analyse(Log(log.game, log.version, log.seats, log.options, [*log[: choice.end], (0, 17)]))


def test_what_was_believed_and_what_was_held(log):
    found = beliefs(log)
    assert [(belief.round, belief.seat) for belief in found] == [(lap, seat) for lap in (1, 2, 3) for seat in (0, 1)]
    table = Table.replay(log)
    for belief in found:
        assert len(belief.kinds) == 6  # no blue, no squares
        assert sum(belief.points) == table.state.points[belief.seat][belief.round - 1]
        assert sum(belief.held[:3]) == sum(belief.held[3:])
        for counts in belief.known.values():
            assert all(known <= held for known, held in zip(counts, belief.held, strict=True))
    last = found[-1]
    assert last.held == [table.state.held[last.seat][kind] for kind in last.kinds]
    mouse, cat, dog = (sum(sum(belief.known[level]) for belief in found) for level in ("mouse", "cat", "dog"))
    assert mouse < cat < dog <= sum(sum(belief.held) for belief in found)


def test_whoever_forgets_nothing_believes_what_is_true(log, monkeypatch):
    monkeypatch.setattr(coach, "memories", lambda: {"ours": Memory(1, 1)})
    assert all(belief.known["ours"] == belief.held for belief in judge("memento").beliefs(log))  # type: ignore[attr-defined]


def test_the_coach_talks_about_it(log, talk, capsys, monkeypatch):
    """Round by round, what cost most, and what was in the pile; over several games what was done at what cost."""
    monkeypatch.setattr(coaching, "analyse", lambda _: talk)
    coaching.coach([Finished(log, {})] * 2, 1, "en")
    told = capsys.readouterr().out
    lines = [line.split() for line in told.splitlines()]
    assert [line[0] for line in lines if line and line[-1] == "%"][:4] == ["1", "2", "3", "Σ"]
    (worst, *_) = sorted((moment.choices[0].cost for moment in talk if moment.choices[0].seat == 1), reverse=True)
    assert f"cost you {round(100 * worst)} % of the game (give or take" in " ".join(told.split())
    yellow = [line for line in lines if line[:1] == ["Yellow"]]
    held = [belief.held[0] for belief in beliefs(log) if belief.seat == 1]
    assert [int(line[1]) for line in yellow] == held * 2
    assert "Taking" in told[told.index("Over all games") :]
