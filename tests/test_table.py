"""One game in play: the door all come in by, the log, and what happens to bad input."""

import json
import random
import subprocess
import sys
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from cheeseboard.games import GAMES, core
from cheeseboard.games.core import CLOCK, LUCK, NOBODY, Illegal, Refusal
from cheeseboard.table import Log, Table, drawn
from tests.games import laws

EACH = pytest.mark.parametrize("name", GAMES)


def table_of(name, seed=1, way=None):
    way = way or laws.ways(GAMES[name])[0]
    return Table(GAMES[name], way.seats, seed, **way.options)


def played(name, seed=1, way=None, moves=10**6):
    """A table after so many random moves of players and clock."""
    table, below = table_of(name, seed, way), laws.seeded(seed)
    while not table.over and moves:
        seat = laws.someone(table.game, table.state, below)
        table.play(seat, laws.choice(table.game, table.state, seat, below))
        moves -= 1
    return table


@EACH
def test_luck_has_done_its_part_when_people_may_act(name):
    table = table_of(name)
    assert LUCK not in table.waiting()
    assert [(step.seat, step.action) for step in table.opening] == table.log
    with pytest.raises(Illegal, match="luck may not do 0"):
        table.play(LUCK, 0)


@EACH
def test_replay(name):
    """The log, through JSON, gives the same bytes; and every part of it a table to play on."""
    for seed, way in enumerate(laws.ways(GAMES[name])):
        table = played(name, seed, way)
        log = Log.load(table.log.dump())
        assert log == table.log
        assert Table.replay(log).state.tobytes() == table.state.tobytes()
    half = Log(log.game, log.version, log.seats, log.options, log[: len(log) // 2])
    resumed = Table.replay(half, luck=9)
    assert resumed.log[: len(half)] == half
    assert not resumed.over
    assert resumed.waiting()


@EACH
def test_replay_in_another_process(name):
    """A log written here gives the same bytes in a process of its own, without numba as well."""
    table = played(name)
    code = """
import sys
sys.modules["numba"] = None
from cheeseboard.table import Log, Table, drawn
print(Table.replay(Log.load(sys.stdin.read())).state.tobytes().hex())
"""
    run = [sys.executable, "-c", code]
    out = subprocess.run(run, input=table.log.dump(), capture_output=True, text=True, check=True).stdout
    assert bytes.fromhex(out) == table.state.tobytes()


@EACH
def test_the_same_luck_gives_the_same_game(name):
    one, other = table_of(name, 3), table_of(name, np.random.default_rng(3))
    assert one.log == other.log
    seats = one.state.seats
    assert Table(GAMES[name], seats, random.Random(3)).log == Table(GAMES[name], seats, random.Random(3).randrange).log
    logs = {tuple(table_of(name, seed).log) for seed in range(20)}
    assert len(logs) > 1 or not one.log


def refused(table, seat, action, text):
    before, log = table.state.tobytes(), list(table.log)
    with pytest.raises(Illegal, match=text):
        table.play(seat, action)
    assert table.state.tobytes() == before
    assert table.log == log


@EACH
def test_bad_input_is_refused_and_changes_nothing(name):
    table = played(name, moves=3)
    actions = table.game.ACTIONS
    for seat in (-1, -7, table.state.seats, 60, 63, 10**9, "0", None, 0.0, True):
        refused(table, seat, 0, r"expected a seat of this table \(0 to \d\), got .*, after log entry \d+")
    for action in (-1, actions, 10**9, "0", None, 1.0, False, float("nan")):
        refused(table, 0, action, rf"expected an action of {name} \(0 to {actions - 1}\), got .*, after log entry \d+")
    for seat in [*range(table.state.seats), LUCK, CLOCK]:
        for action in set(range(actions)) - set(table.legal(seat)):
            refused(table, seat, action, "may not do")
    over = played(name)
    for seat in [*range(over.state.seats), LUCK, CLOCK]:
        refused(over, seat, 0, "the game is over")


@EACH
def test_numbers_of_numpy_are_numbers(name):
    """Researchers pick actions from masks: what comes out is the same game, and plain numbers in the log."""
    game, (least, _) = GAMES[name], core.about(GAMES[name])["players"]
    number: Any = np.int64
    table = Table(game, number(least), luck=np.random.default_rng(4))
    bare = core.new(game, least)
    rng = np.random.default_rng(5)
    while not table.over:
        seat = number(table.waiting()[0])
        table.play(seat, number(rng.choice(np.flatnonzero(core.legal_mask(game, table.state, seat)))))
    assert all(type(part) is int for entry in table.log for part in entry)
    for seat, action in table.log:
        assert core.legal_mask(game, bare, seat)[action]
        game.apply(bare, number(seat), number(action), core.events())
    assert bare.tobytes() == table.state.tobytes()


@EACH
def test_views(name):
    """A view is a copy: whoever writes into it changes nothing."""
    table = played(name, moves=3)
    before = table.state.tobytes()
    for seat in (0, NOBODY):
        view = table.view(seat, strict=True)
        view.scores[0] += 1
        assert table.state.tobytes() == before


def log_text(**changes):
    table = played(next(iter(GAMES)), moves=4)
    return json.dumps({**json.loads(table.log.dump()), **changes})


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("", "expected a log as JSON"),
        ("{", "expected a log as JSON"),
        ("[" * 100_000, "expected a log as JSON"),
        ("[]", "expected a log with game, log, options, seats, version; got list"),
        (log_text(more=1), "expected a log with"),
        (log_text(game="chess"), r"expected a log of a game \(.*\), got 'chess'"),
        (log_text(game=7), "expected game of the log to be str, got 7"),
        (log_text(version=99), "by rules version 1, got version 99"),
        (log_text(version="1"), "expected version of the log to be int"),
        (log_text(seats=7), "expected 2 to 5 players"),
        (log_text(seats=True), "expected seats of the log to be int, got True"),
        (log_text(options={"colour": "pink"}), "expected an option of"),
        (log_text(log=[[0]]), r"expected log entry 0 to be \[seat, action\], got \[0\]"),
        (log_text(log=[[62, 0], "x"]), "expected log entry 1"),
        (log_text(log=[[62, 0], [62, 0]]), "luck may not do 0"),
        (log_text(log=[[62, 99]]), "expected an action"),
    ],
)
def test_broken_logs(text, answer):
    with pytest.raises(Refusal, match=answer):
        Table.replay(Log.load(text))


def test_luck_is_checked():
    """Luck that gives a number outside of what was asked is our fault, not a player's: a crash with a trace."""
    with pytest.raises(AssertionError, match="too large"):
        Table(GAMES[next(iter(GAMES))], 2, luck=lambda n: n)


def the_number(k, n):
    assert k < n
    return k


def test_odds():
    """Luck is asked for one number below the sum of the odds, and each card gets its share of them."""
    for game in GAMES.values():
        way = laws.ways(game)[0]
        for state, seat, _ in laws.walk(game, way, laws.seeded(4)):
            if seat == LUCK:
                cards = core.members(game.legal(state, LUCK))
                odds = [core.odds(game, state, card) for card in cards]
                picks = [drawn(game, state, partial(the_number, k)) for k in range(sum(odds))]
                assert [picks.count(card) for card in cards] == odds


class TableMachine(RuleBasedStateMachine):
    """Anybody does anything at any time; what is legal is done, all else is refused; the log always replays."""

    @rule(name=st.sampled_from(sorted(GAMES)), seed=st.integers(0, 10**6), data=st.data())
    def sit_down(self, name, seed, data):
        self.table = table_of(name, seed, data.draw(st.sampled_from(laws.ways(GAMES[name]))))

    @precondition(lambda self: hasattr(self, "table"))
    @rule(seat=st.sampled_from([0, 1, 2, 3, 4, 5, CLOCK, LUCK]), action=st.integers(-1, 40))
    def anything(self, seat, action):
        before, legal = self.table.state.tobytes(), self.table.legal(seat) if seat < 6 or seat in (CLOCK, LUCK) else []
        try:
            self.table.play(seat, action)
        except Illegal:
            assert action not in legal
            assert self.table.state.tobytes() == before
        else:
            assert action in legal

    @precondition(lambda self: hasattr(self, "table"))
    @rule(seed=st.integers(0, 10**6))
    def something_legal(self, seed):
        if not self.table.over:
            below = laws.seeded(seed)
            seat = laws.someone(self.table.game, self.table.state, below)
            self.table.play(seat, laws.choice(self.table.game, self.table.state, seat, below))

    @invariant()
    def replays(self):
        if hasattr(self, "table"):
            assert Table.replay(self.table.log).state == self.table.state


TestTableMachine = TableMachine.TestCase
TestTableMachine.settings = settings(max_examples=40, stateful_step_count=30, deadline=None, derandomize=True)


def test_an_option_is_a_whole_number_or_a_word():
    """15.0 is in a list with 15, and would be taken for its place there."""
    with pytest.raises(core.Refusal, match="expected cards of geier to be one of"):
        core.new(GAMES["geier"], 2, cards=15.0)
