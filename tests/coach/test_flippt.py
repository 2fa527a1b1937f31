"""Mausgeflippt's coach: figures of a game in which every paw is known, and of an evening in the house; and words."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import pytest

from cheeseboard.bots import LEVELS
from cheeseboard.bots.flippt import PAWS, reaction
from cheeseboard.bundle import Bundle
from cheeseboard.cli import main
from cheeseboard.coach import Finished, analyse, habit, raced, read, speeds, weighs
from cheeseboard.coach.flippt import CRY, GARMENT, reactions
from cheeseboard.coach.pace import Mark, Pace, Reach, pace, quarters
from cheeseboard.games import GAMES
from cheeseboard.games.core import CLOCK, Refusal, State, count, members
from cheeseboard.games.flippt.rules import CARRIES, LET_GO, RACE, SHOUT, WEARS
from cheeseboard.referee import Paw, Verdict
from cheeseboard.server.coaching import talk
from cheeseboard.table import Table
from tests.coach.test_memento import begun
from tests.server.test_race import Evening

GAME = GAMES["flippt"]
NOTHING: dict[str, Any] = {"n": 0, "seat": 0, "kind": 0, "to_win": True, "ms": None, "best": None, "early": 0}


class Mice:
    """A game on rails: what everybody does about each mouse, and after how many milliseconds."""

    def __init__(self, seats: int = 2, heat: float = 8.0) -> None:
        self.table = Table(GAME, seats, luck=5)
        self.heat, self.races = heat, dict[int, Verdict]()

    @property
    def state(self) -> State:
        return self.table.state

    def fits(self, seat: int) -> list[int]:
        return members(self.state.hand[seat][0] & int(WEARS[self.state.shown]))

    def right(self, seat: int) -> int:
        return self.fits(seat)[0] if self.fits(seat) else SHOUT

    def wrong(self, seat: int) -> int:
        held = members(self.state.hand[seat][0])
        return next(card for card in held if card not in self.fits(seat))

    @property
    def protected(self) -> bool:
        return bool(int(CARRIES[self.state.shown]) == self.state.cheese)

    def race(self, paws: dict[int, tuple[float, int]], passed: Sequence[int] = (), early: Sequence[int] = ()) -> None:
        """`paws`: by seat, when and with what. The slower ones are measured and nothing else, as in the house."""
        assert self.state.phase == RACE
        n, closed = len(self.table.log), False
        for seat in passed:
            self.table.play(seat, LET_GO)
        ranked = sorted((ms, seat) for seat, (ms, _) in paws.items())
        first = [seat for ms, seat in ranked if ms <= ranked[0][0] + self.heat]
        for seat in first:
            closed = count(self.state.ready) == 1
            self.table.play(seat, paws[seat][1])
        if not closed:
            self.table.play(CLOCK, 0)
        if ranked:
            came = tuple(Paw(seat=seat, elapsed=ms, score=ms) for ms, seat in ranked)
            starts = tuple(Paw(seat=seat, elapsed=50.0) for seat in early)
            self.races[n] = Verdict(e=n, preset="friends", heat=self.heat, paws=came, first=tuple(first), early=starts)

    def skip_protected(self) -> None:
        while self.protected:
            self.race({})

    @property
    def finished(self) -> Finished:
        return Finished(self.table.log, self.races)


@pytest.fixture
def mice() -> Mice:
    """Of seat 0: twice first and right, once first and wrong, late by 100 and by 300, one let go, one too slow."""
    rails = Mice()
    plan: list[tuple[float | None, float | None]] = [
        (600.0, None),
        (800.0, 1000.0),
        (400.0, None),
        (700.0, 600.0),
        (900.0, 600.0),
        (None, 650.0),
        (None, 650.0),
    ]
    for n, times in enumerate(plan):
        rails.skip_protected()
        does = {0: rails.wrong(0) if n == 2 else rails.right(0), 1: rails.right(1)}
        paws = {seat: (ms, does[seat]) for seat, ms in enumerate(times) if ms is not None}
        rails.race(paws, passed=[0] if n == 5 else [], early=[0] if n == 3 else [])
    return rails


def test_what_somebody_did_is_counted(mice):
    skipped = sum(each.seat == 0 for each in raced(mice.finished)) - 7
    ada, bo = speeds(mice.finished)
    assert (ada.seat, bo.seat, ada.races) == (0, 1, 7 + skipped)
    assert (ada.first, ada.late, ada.early, ada.behind) == (3, 2, 1, 200.0)
    assert (ada.wrong, ada.hasty) == (1, 1)
    assert [(mark.ms, mark.how, mark.behind) for mark in ada.marks] == [
        (600.0, "right", 0.0),
        (800.0, "right", 0.0),
        (400.0, "wrong", 0.0),
        (700.0, "late", 100.0),
        (900.0, "late", 300.0),
    ]
    assert (bo.first, bo.late, bo.behind, bo.wrong) == (4, 1, 200.0, 0)
    assert [sum(getattr(kind, name) for kind in ada.kinds) for name in ("chances", "right", "wrong", "late")] == [
        *(7, 2, 1, 2),
    ]
    assert sum(kind.passed for kind in ada.kinds) == 1
    assert sum(kind.idle for kind in ada.kinds) == 1
    assert sum(kind.idle for kind in bo.kinds) == 2
    assert analyse(mice.table.log) == []  # nobody can say how the chances went
    assert not weighs("flippt")


def test_times_are_told_by_what_the_hand_asked_for(mice):
    asked = {}
    for each in (each for each in raced(mice.finished) if each.seat == 0):
        at = Table.replay(begun(mice.table.log, each.n))
        fits = at.state.hand[0][0] & int(WEARS[at.state.shown])
        asked[each.n] = GARMENT if fits else CRY
        assert each.kind == asked[each.n]
        assert each.to_win == (int(CARRIES[at.state.shown]) != at.state.cheese)
    ada = speeds(mice.finished)[0]
    for kind in ada.kinds:
        times = [mark.ms for mark in ada.marks if asked[mark.n] == kind.kind]
        assert kind.paws == len(times)
        assert (kind.low, kind.middle, kind.high) == quarters(times)
        assert kind.chances == kind.right + kind.wrong + kind.late + kind.passed + kind.idle


def test_a_protected_mouse_is_nothing_to_win_and_a_paw_on_it_is_wrong():
    rails = Mice(seats=3)
    while not rails.protected:
        rails.race({})
    rails.race({0: (500.0, rails.right(0)), 1: (503.0, rails.right(1)), 2: (620.0, rails.right(2))})
    last = {each.seat: each for each in raced(rails.finished)[-3:]}
    assert [last[seat].how for seat in range(3)] == ["wrong", "late", "late"]  # only the first is stuck
    assert not any(each.to_win for each in last.values())
    assert speeds(rails.finished)[2].behind == 120.0


def test_a_head_start_is_none_of_the_players_time():
    rails = Mice()
    rails.skip_protected()
    rails.race({0: (700.0, rails.right(0)), 1: (600.0, rails.right(1))})
    (n, verdict), *_ = rails.races.items()
    paws = tuple(
        msgspec.structs.replace(paw, score=paw.elapsed - 300 * paw.seat, handicap=300.0 * paw.seat)
        for paw in verdict.paws
    )
    told = speeds(Finished(rails.table.log, {n: msgspec.structs.replace(verdict, paws=paws)}))
    assert [pace.marks[0].ms for pace in told] == [700.0, 600.0]
    assert told[0].behind == 400.0  # by so much the paw had to be quicker


def test_where_nobody_raced_there_is_nothing_to_tell():
    calm = Table(GAME, 2, luck=1, calm="on")
    assert speeds(Finished(calm.log, {})) == []
    assert habit([Finished(calm.log, {})], 0) is None
    rails = Mice()
    rails.skip_protected()
    rails.race({0: (500.0, rails.right(0))})
    assert speeds(Finished(rails.table.log, {})) == []  # a log of the terminal: nobody measured
    assert speeds(read(rails.table.log.dump())) == []


def test_races_of_another_game_are_refused(mice):
    (n, verdict), *_ = mice.races.items()
    with pytest.raises(Refusal, match=r"expected races for the mice of this game, got one after 3 entries"):
        speeds(Finished(mice.table.log, {**mice.races, 3: verdict}))
    with pytest.raises(Refusal, match=r"expected the paws that were first in the log"):
        speeds(Finished(mice.table.log, {**mice.races, n: msgspec.structs.replace(verdict, first=(1,))}))


def test_the_middle_half():
    assert quarters([]) == (None, None, None)
    assert quarters([500.0]) == (500.0, 500.0, 500.0)
    assert quarters([100.0, 200.0, 300.0, 400.0]) == (175.0, 250.0, 325.0)


# --- whose pace -----------------------------------------------------------------------------------------------------


def test_each_level_has_its_own_pace():
    """Alone, and where somebody quicker leaves it hardly a mouse."""
    rng = np.random.default_rng(1)
    for like in ((7, 1, 1), (7, 0, 1)):
        needed = [float(np.median(times[np.isfinite(times)])) for times in reactions(like).values()]
        assert needed == sorted(needed, reverse=True)
    for level in LEVELS:
        for rival in (None, "cat", "elephant"):
            found = []
            for n in range(60):
                like = (7, int(rng.integers(0, 3)), 1)
                ms = float(rng.choice(reactions(like)[level]))
                best = float(rng.choice(reactions(like)[rival])) if rival else np.inf
                seen = ms if ms < best else None
                how = "right" if seen else "idle"
                told = {**NOTHING, "n": n, "how": how, "ms": seen, "best": None if best == np.inf else min(ms, best)}
                found.append(Reach(**told, like=like))
            told_as = pace(found, reactions)
            if told_as.level:
                assert told_as.level == level, rival
            else:
                assert told_as.first < 5


def test_of_few_paws_nothing_is_said():
    found = [Reach(**{**NOTHING, "how": "right", "ms": 900.0}, like=(7, 1, 1)) for _ in range(4)]
    assert (pace(found, reactions).level, pace(found, reactions).levels) == ("", {})
    assert pace([*found, found[0]], reactions).levels.keys() == PAWS.keys()


# --- in the house ---------------------------------------------------------------------------------------------------


def evening() -> Bundle:
    """Two people with paws like a cat's and a mouse's, and a bot that does anything, under a virtual clock."""
    table = Evening(0.001, 0.03, bots=["bot:cat"])
    rng = np.random.default_rng(3)
    for _ in range(30):
        e = table.revealed()
        state = table.room.table.state
        for seat, (device, level) in enumerate(zip(table.devices, ("cat", "mouse"), strict=True)):
            action, ms = reaction(PAWS[level], state, seat, rng)
            if state.ready >> seat & 1:
                device.slap(ms / 1000, action)
        while table.room.n == e:
            table.run(0.1)
        if table.room.record.phase == "over":
            break
    if table.room.record.phase != "over":
        table.ask(lambda answer: table.house.close_table(table.table, answer, table.host))
    told: Bundle = table.bundle()
    return told


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return evening()


def test_an_evening_in_the_house_is_told(bundle):
    moments, beliefs, paces = talk(msgspec.json.encode(bundle).decode())
    assert (moments, beliefs) == ([], [])
    assert [quick.seat for quick in paces] == [0, 1, 2]
    assert sum(quick.first for quick in paces) == sum(len(race.first) for race in bundle.races)
    assert sum(len(quick.marks) for quick in paces) == sum(len(race.paws) for race in bundle.races)
    by_race = {race.e: {paw.seat: paw.score for paw in race.paws} for race in bundle.races}
    for quick in paces:
        assert len(quick.marks) == quick.first + quick.late == sum(kind.paws for kind in quick.kinds)
        assert quick.wrong == sum(mark.how == "wrong" for mark in quick.marks)
        assert 0 <= quick.hasty <= quick.wrong
        for mark in quick.marks:
            assert by_race[mark.n][quick.seat] == mark.ms
            if mark.how != "late":
                assert mark.behind == 0
        for kind in quick.kinds:
            assert kind.chances == kind.right + kind.wrong + kind.late + kind.passed + kind.idle
    assert [quick.level for quick in paces[:2]] == ["cat", "mouse"]


def test_in_words(bundle, tmp_path, capfd):
    file = tmp_path / "evening.json"
    file.write_bytes(msgspec.json.encode(bundle))
    assert main(["analyse", str(file)]) == 0
    told = capfd.readouterr().out
    for words in ("false starts", "Something fits:", "Nothing fits:", "Your pace is about that of: cat", "┃"):
        assert words in told
    assert main(["analyse", str(file), str(file), "--language", "de", "--seat", "1"]) == 0
    told = capfd.readouterr().out
    for words in ("Fehlstarts", "Etwas passt:", "Dein Tempo ist etwa das von: Maus", "Über alle Spiele"):
        assert words in told
    assert main(["analyse", str(file), "--json"]) == 0
    figures = json.loads(capfd.readouterr().out)
    assert figures["moments"] == []
    assert [pace["seat"] for pace in figures["paces"]] == [0, 1, 2]
    assert figures["paces"][0]["marks"][0].keys() == set(Mark._fields)
    assert figures["paces"][0].keys() == set(Pace._fields)


def test_in_words_without_races(bundle, tmp_path, capfd):
    file = tmp_path / "evening.json"
    file.write_bytes(msgspec.json.encode(msgspec.structs.replace(bundle, races=())))
    assert main(["analyse", str(file)]) == 0
    assert "there is nothing to tell" in capfd.readouterr().out
    strange = msgspec.structs.replace(bundle.races[0], e=9999)
    file.write_bytes(msgspec.json.encode(msgspec.structs.replace(bundle, races=(strange,))))
    assert main(["analyse", str(file)]) == 2
    assert "expected races after acts of the log, got one after act 9999" in capfd.readouterr().err
