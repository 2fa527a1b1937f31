"""A race in the house, under a virtual clock: who may see what when, which paw counts, and what is kept of it."""

from collections.abc import Sequence
from itertools import count
from random import Random
from typing import Any

import msgspec
import pytest

from cheeseboard import deal as protocol
from cheeseboard import referee, verify
from cheeseboard.games import GAMES
from cheeseboard.games.core import CLOCK
from cheeseboard.games.flippt.rules import LET_GO
from cheeseboard.server import messages
from cheeseboard.server.course import TURN_S
from cheeseboard.server.guests import think
from cheeseboard.server.handicaps import ENOUGH, proposals
from cheeseboard.server.house import House, bundle
from cheeseboard.server.limits import DEFAULT, Bucket
from cheeseboard.server.line import Line, Way
from cheeseboard.server.race import has_races
from cheeseboard.server.record import Record, Seat
from cheeseboard.server.tales import races_of
from tests.server.simulated import Entropy, Life, SimBus, SimClock, SimKeeper, SimThinkers, empty_store

decode = msgspec.json.Decoder(messages.FromHouse).decode
encode = msgspec.json.encode


class Device:
    """Somebody's phone, `way_s` away in each direction. What it paints it paints at once."""

    def __init__(self, evening: "Evening", person: str, way_s: float, kernel: float | None) -> None:
        self.evening, self.way_s = evening, way_s
        self.heard: list[Any] = []
        self.at: list[float] = []
        self.ids = count()
        way = Way(lambda: kernel)
        way.note(0.0, 2000 * way_s)
        self.line = Line(person, self._sent, lambda *_: None, Bucket(1000, 1000), way=way)

    def _sent(self, frame: bytes) -> None:
        self.evening.clock.later(self.way_s, lambda: self._hear(frame))

    def _hear(self, frame: bytes) -> None:
        self.heard.append(decode(frame))
        self.at.append(self.evening.clock.now)

    def say(self, message: messages.FromClient) -> None:
        house, room = self.evening.house, self.evening.room
        self.evening.clock.later(self.way_s, lambda: house.receive(room, self.line, messages.encode(message)))

    def of(self, kind: type) -> list[Any]:
        return [message for message in self.heard if isinstance(message, kind)]

    @property
    def view(self) -> messages.View:
        found: messages.View = self.of(messages.View)[-1]
        return found

    def slap(self, after_s: float, action: int | None = None, **told: Any) -> str:
        """So long after it was shown, with any card; returns the id."""
        shown = max(at for message, at in zip(self.heard, self.at, strict=True) if is_reveal(message))
        e = next(message.n for message in reversed(self.heard) if is_reveal(message))
        name = f"{self.line.person}-{next(self.ids)}"
        slap = messages.Slap(**{"e": e, "ms": round(after_s * 1000, 1), "input": "key", "step": 0.1, **told})
        card = self.view.legal[0] if action is None else action
        wait = shown + after_s - self.evening.clock.now
        assert wait >= 0, "the time for this paw has passed"
        self.evening.clock.later(wait, lambda: self.say(messages.Play(name, card, None, slap)))
        return name


def is_reveal(message: Any) -> bool:
    return isinstance(message, messages.View) and message.part == "revealed"


class Evening:
    def __init__(
        self, *ways_s: float, kernel: bool = True, pace: float = 1.0, bots: Sequence[str] = (), **wishes: Any
    ) -> None:
        self.clock = SimClock(Random(1))
        life, self.store = Life(self.clock), empty_store()
        keeper = SimKeeper(self.store, life, lambda: 0.001, lambda _: None)
        thinkers, bus = SimThinkers(life, lambda: 0.0), SimBus(life, Random(1))
        self.house = House(keeper, life, Entropy("race"), thinkers, bus, DEFAULT, pace)
        people = [self.ask(lambda answer, n=n: self.house.people.greet(f"P{n}", answer)).id for n in range(len(ways_s))]
        wish = messages.NewTable("flippt", ["me", *["open"] * (len(ways_s) - 1), *bots], **wishes)
        self.table = self.ask(lambda answer: self.house.lay(people[0], "P0", wish, None, answer)).table
        sit = messages.Sit()
        for person in people[1:]:
            self.ask(lambda answer, p=person: self.house.at(self.table, lambda room: room.sit(p, p[:9], sit), answer))
        self.devices = [
            Device(self, person, way_s, 2000 * way_s if kernel else None)
            for person, way_s in zip(people, ways_s, strict=True)
        ]
        self.host = people[0]
        self.before()
        for device in self.devices:
            self.ask(lambda answer, d=device: self.house.connect(d.line, self.table, None, None, answer))

    def before(self) -> None:
        """What is agreed before all are here."""

    def ask(self, ask: Any) -> Any:
        answers: list[Any] = []
        ask(lambda *answer: answers.append(answer[0]))
        self.run(0.2)
        return answers[0]

    def run(self, seconds: float) -> None:
        self.clock.run(self.clock.now + seconds)

    @property
    def room(self) -> Any:
        return self.house.rooms[self.table]

    def revealed(self) -> int:
        """Wait for the next mouse; its race's number."""
        before = [sum(map(is_reveal, device.heard)) for device in self.devices]
        for _ in range(2000):
            self.run(0.01)
            if all(sum(map(is_reveal, d.heard)) > seen for d, seen in zip(self.devices, before, strict=True)):
                e: int = self.room.course.race.e
                return e
        raise AssertionError("no mouse came")

    def bundle(self) -> Any:
        return bundle(self.room.record, self.store.entries(self.table), self.store.races(self.table))


def verdict(device: Device) -> referee.Verdict:
    found: referee.Verdict = device.of(messages.Judged)[-1].verdict
    return found


# --- who may see what when ------------------------------------------------------------------------------------------


def test_nobody_races_at_a_calm_table_nor_in_another_game():
    assert has_races(GAMES["flippt"], {})
    assert has_races(GAMES["flippt"], {"calm": "off", "heat": 20})
    assert not has_races(GAMES["flippt"], {"calm": "on"})
    assert not has_races(GAMES["geier"], {})


def test_the_next_mouse_is_nowhere_on_the_wire_before_it_is_revealed_to_all():
    evening = Evening(0.001, 0.04)
    near, _ = evening.devices
    for _ in range(5):
        evening.revealed()
        mouse = evening.room.table.state.shown
        for device in evening.devices:
            shown = [message for message in device.of(messages.View) if not is_reveal(message)]
            assert shown[-1].part == "covered"
            assert (shown[-1].view["shown"], shown[-1].legal) == (-1, [])
            assert not any(event.kind == "turned" for event in shown[-1].events)
            assert device.view.view["shown"] == mouse
            assert [event.kind for event in device.view.events] == ["turned"]
            assert device.view.legal
        near.slap(0.5)
        evening.run(0.6)


def test_all_see_it_together_however_long_their_way():
    evening = Evening(0.001, 0.03, 0.07)
    evening.revealed()
    seen = [max(at for message, at in zip(d.heard, d.at, strict=True) if is_reveal(message)) for d in evening.devices]
    assert max(seen) - min(seen) < 0.001


def test_the_rest_before_a_mouse_cannot_be_foreseen_and_is_never_too_short():
    evening = Evening(0.001, 0.001)
    rests = []
    for _ in range(12):
        evening.revealed()
        at = evening.clock.now
        evening.devices[0].slap(0.4)
        evening.revealed()
        rests.append(evening.clock.now - at)
        evening.devices[0].slap(0.4)
        evening.run(0.5)
    assert min(rests) > 0.6
    assert len({round(rest, 1) for rest in rests}) > 5


def test_a_pause_covers_the_mouse_again():
    evening = Evening(0.001, 0.001)
    evening.revealed()
    evening.ask(lambda answer: evening.house.at(evening.table, lambda room: room.pause(evening.host, True), answer))
    assert all(device.view.part == "covered" for device in evening.devices)
    evening.ask(lambda answer: evening.house.at(evening.table, lambda room: room.pause(evening.host, False), answer))
    assert not is_reveal(evening.devices[0].heard[-1])
    evening.revealed()


def test_who_comes_back_during_a_rest_sees_no_more_than_the_others():
    evening = Evening(0.001, 0.001)
    evening.revealed()
    evening.devices[0].slap(0.4)
    evening.run(0.6)
    again = Device(evening, evening.devices[1].line.person, 0.001, 2.0)
    evening.ask(lambda answer: evening.house.connect(again.line, evening.table, 0, None, answer))
    assert again.view.part == "covered"
    assert again.view.view["shown"] == -1


# --- which paw counts -----------------------------------------------------------------------------------------------


def test_the_quicker_paw_wins_however_late_it_arrives():
    evening = Evening(0.001, 0.07)
    near, far = evening.devices
    evening.revealed()
    near.slap(0.450)
    far.slap(0.430)  # arrives 48 ms after the other
    evening.run(1)
    assert verdict(near).first == (1,)
    assert [paw.score for paw in verdict(near).paws] == [430.0, 450.0]
    assert verdict(near) == verdict(far)
    assert far.of(messages.Done)
    assert [answer.code for answer in near.of(messages.Refused)] == ["late"]
    assert near.of(messages.Refused)[0].text == "20.0 ms after the first"


def test_a_dead_heat_reaches_the_rules_as_one_in_an_order_drawn_by_lot():
    evening = Evening(0.001, 0.07, options={"heat": 8})
    orders = set()
    for _ in range(12):
        e = evening.revealed()
        for device, after_s in zip(evening.devices, (0.450, 0.4475), strict=True):
            device.slap(after_s)
        evening.run(1)
        first = verdict(evening.devices[0]).first
        lot = protocol.Stream(evening.room.key, f"tie/{e}").below
        assert first == ((0, 1) if lot(2) == (verdict(evening.devices[0]).paws[0].seat != 0) else (1, 0))
        rows = [entry.seat for entry in evening.store.entries(evening.table) if entry.n > e and entry.seat < 2]
        assert rows == list(first)
        orders.add(first)
    assert orders == {(0, 1), (1, 0)}


def test_the_verdict_is_given_as_soon_as_nobody_can_be_first_and_no_sooner():
    """Somebody with a way of 140 ms who slaps at the last possible moment is still heard."""
    evening = Evening(0.001, 0.07)
    near, far = evening.devices
    evening.revealed()
    near.slap(0.450)
    far.slap(0.457)
    evening.run(1)
    assert set(verdict(near).first) == {0, 1}
    evening.revealed()
    near.slap(0.4)
    evening.run(0.401 + 0.2)
    assert len(near.of(messages.Judged)) == 2, "nobody else slapped, and it took longer than their way can explain"


def test_a_house_that_is_late_hears_whoever_waits_and_keeps_nobody_waiting_for_it(monkeypatch):
    def judged_at(late_ms: float, *paws_s: float) -> float:
        evening = Evening(0.001, 0.001)
        evening.revealed()
        monkeypatch.setattr(evening.house.lag, "ms", lambda _: late_ms)
        begun = evening.clock.now
        for device, after_s in zip(evening.devices, paws_s, strict=False):
            device.slap(after_s)
        evening.run(1)
        near = evening.devices[0]
        times = [at for message, at in zip(near.heard, near.at, strict=True) if isinstance(message, messages.Judged)]
        return times[0] - begun

    assert judged_at(30.0, 0.4) == pytest.approx(judged_at(0.0, 0.4) + TURN_S)
    assert judged_at(30.0, 0.4, 0.41) == pytest.approx(judged_at(0.0, 0.4, 0.41)), "there is nobody to be heard"


def test_letting_it_go_is_no_slap_and_the_last_paw_ends_the_race_at_once():
    evening = Evening(0.001, 0.07)
    near, far = evening.devices
    evening.revealed()
    far.slap(0.3, LET_GO)
    near.slap(0.6)
    evening.run(0.61)
    assert verdict(near).first == (0,)
    assert len(verdict(near).paws) == 1


def test_a_false_start_does_not_count_and_the_paw_rests():
    evening = Evening(0.001, 0.001)
    near, other = evening.devices
    evening.revealed()
    near.slap(0.05)
    near.slap(0.2)
    evening.run(0.25)
    assert [answer.code for answer in near.of(messages.Refused)] == ["false-start", "locked-out"]
    near.slap(0.4)
    other.slap(0.5)
    evening.run(1)
    assert verdict(other).first == (0,)
    assert [paw.seat for paw in verdict(other).early] == [0]


def test_a_paw_for_another_mouse_never_counts_for_this_one():
    evening = Evening(0.001, 0.001)
    near, other = evening.devices
    first = evening.revealed()
    near.slap(0.3, e=first + 1)
    evening.run(0.35)
    assert near.of(messages.Refused)[-1].code == "future-slap"
    near.slap(0.4)
    evening.run(1)
    evening.revealed()
    n = evening.room.n
    other.slap(0.3, e=first)
    evening.run(0.5)
    assert other.of(messages.Refused)[-1].code == "late"
    assert evening.room.n == n


def test_one_paw_for_each_race_and_a_retry_of_it_is_the_same_paw():
    evening = Evening(0.001, 0.07)
    near, _ = evening.devices
    evening.revealed()
    name = near.slap(0.4)
    evening.run(0.401)
    e = evening.room.course.race.e
    card = near.view.legal[0]
    near.say(messages.Play(name, card, None, messages.Slap(e)))
    near.say(messages.Play("another", card, None, messages.Slap(e)))
    evening.run(1)
    assert [answer.id for answer in near.of(messages.Done)] == [name]
    assert [(answer.id, answer.code) for answer in near.of(messages.Refused)] == [("another", "acted")]
    near.say(messages.Play(name, card, None, messages.Slap(e)))
    evening.run(0.1)
    assert [answer.n for answer in near.of(messages.Done)] == [near.of(messages.Done)[0].n] * 2


def test_a_head_start_is_open_and_counts():
    class Agreed(Evening):
        def before(self) -> None:
            give = messages.Handicap(1, 300)
            self.ask(
                lambda answer: self.house.at(
                    self.table, lambda room: room.give_head_start(self.host, give.seat, give.ms), answer
                )
            )

    evening = Agreed(0.001, 0.001)
    near, slow = evening.devices
    assert near.of(messages.Table)[-1].table.seats[1].handicap == 300
    evening.revealed()
    near.slap(0.5)
    slow.slap(0.75)
    evening.run(1)
    assert verdict(near).first == (1,)
    assert [(paw.seat, paw.score) for paw in verdict(near).paws] == [(1, 450.0), (0, 500.0)]


def test_without_the_kernel_the_table_says_so_and_less_is_taken_off():
    evening = Evening(0.001, 0.1, kernel=False)
    near, far = evening.devices
    assert {seat.trust for seat in near.of(messages.Table)[-1].table.seats} == {"unbound"}
    evening.revealed()
    near.slap(0.5)
    far.slap(0.45)
    evening.run(1)
    paw = next(paw for paw in verdict(far).paws if paw.seat == 1)
    assert (paw.comp, "unbound" in paw.marks) == (120.0, True)


def test_who_looks_through_two_lines_gains_nothing_by_slapping_through_the_longer_one():
    evening = Evening(0.001, 0.001)
    near, other = evening.devices
    slow = Device(evening, near.line.person, 0.14, 280.0)
    evening.ask(lambda answer: evening.house.connect(slow.line, evening.table, None, None, answer))
    evening.revealed()
    evening.run(0.15)  # until the slow one has it, too
    slow.slap(0.3)  # which is 0.44 s after the first sight of it
    other.slap(0.43)
    evening.run(1)
    assert verdict(other).first == (1,)


def test_the_table_is_told_when_somebody_is_not_believed_any_more():
    evening = Evening(0.001, 0.001)
    near, other = evening.devices
    for _ in range(referee.WATCHED):
        evening.revealed()
        near.slap(0.45, ms=300.0)
        other.slap(0.9, LET_GO)
        evening.run(1)
    assert evening.room.record.phase == "playing"
    assert [seat.trust for seat in other.of(messages.Table)[-1].table.seats] == ["no-claim", "normal"]
    evening.revealed()
    near.slap(0.45, ms=300.0)
    evening.run(1)
    assert "no-claim" in verdict(other).paws[0].marks


# --- what is kept ---------------------------------------------------------------------------------------------------


def test_every_verdict_can_be_computed_again_from_what_is_kept():
    evening = Evening(0.001, 0.07, 0.02)
    dice = Random(3)
    for _ in range(8):
        evening.revealed()
        for device in evening.devices:
            device.say(messages.Seen(device.view.n, 17.0))
            device.slap(dice.uniform(0.3, 0.5), ms=None if dice.random() < 0.2 else round(dice.uniform(250, 500), 1))
        evening.run(1)
    kept = evening.bundle().races
    assert len(kept) == 8
    assert all(paw.seen is not None for race in kept for paw in race.paws)
    for race in kept:
        lot = protocol.Stream(evening.room.key, f"tie/{race.e}").below
        assert referee.again(race, lot) == race
        forged = msgspec.structs.replace(race, first=race.first[::-1] if len(race.first) > 1 else (9,))
        assert referee.again(forged, protocol.Stream(evening.room.key, f"tie/{race.e}").below) != forged


def test_whoever_doubts_a_verdict_finds_a_forged_one():
    evening = Evening(0.001, 0.07)
    near, far = evening.devices
    for _ in range(3):
        evening.revealed()
        near.slap(0.45)
        far.slap(0.4)
        evening.run(1)
    evening.ask(lambda answer: evening.house.close_table(evening.table, answer, evening.host))
    honest = evening.bundle()
    assert {finding.id: finding.ok for finding in verify.check(honest).checks}["races"] is True
    assert verify.check(honest).verdict == "ok"
    for n, race in races_of(honest):
        ended = honest.log[n - 1]
        assert (n > race.e, ended.seat in {CLOCK, *race.first}) == (True, True)
        assert n in {each.e for each in honest.races} | {len(honest.log)}, "with the next mouse"
    first, *others = honest.races
    quicker = tuple(msgspec.structs.replace(paw, score=paw.score - 100) for paw in first.paws)
    swapped = tuple(msgspec.structs.replace(paw, seat=1 - paw.seat) for paw in first.paws)
    for forged in (
        msgspec.structs.replace(first, paws=quicker),  # figures that do not follow from each other
        msgspec.structs.replace(first, first=(0,)),
        msgspec.structs.replace(first, paws=swapped, first=(0,)),  # they do, but the log says who acted
    ):
        told = verify.check(msgspec.structs.replace(honest, races=(forged, *others)))
        assert [finding.id for finding in told.checks if finding.ok is False] == ["races"]
    newer = msgspec.structs.replace(honest, races=(msgspec.structs.replace(first, version=99), *others))
    assert verify.check(newer).verdict == "cannot be checked"


def test_a_paw_that_comes_too_late_is_told_by_how_much_and_kept():
    evening = Evening(0.001, 0.001)
    near, other = evening.devices
    evening.revealed()
    near.slap(0.3)
    other.slap(0.7)
    evening.run(0.69)
    assert len(verdict(near).paws) == 1
    evening.run(0.2)
    assert [paw.score for paw in verdict(other).paws] == [300.0, 700.0]
    assert other.of(messages.Refused)[-1].text == "400.0 ms after the first"
    assert evening.bundle().races[0] == verdict(other)
    assert len(near.of(messages.Judged)) == 1, "what changes nothing is told only to whom it concerns"


# --- head starts ----------------------------------------------------------------------------------------------------


def raced(person: str, seat: int, *times: float) -> list[tuple[str, int, bytes]]:
    paws = [referee.Paw(seat=seat, elapsed=time, score=time - 100, handicap=100.0) for time in times]
    one = referee.Verdict(e=1, preset="friends", heat=8.0, paws=(), first=())
    return [(person, seat, encode(msgspec.structs.replace(one, paws=(paw,)))) for paw in paws]


def test_head_starts_make_the_middle_of_everybodys_times_the_same():
    seats = [Seat(person="ann"), Seat(person="ben"), Seat(bot="cat"), Seat(person="new")]
    record = Record("k7q2m", "flippt", 1, {}, seats, "ann", False, "auto", 0, 60, False, "cat", 0)
    past = [
        *raced("ann", 0, *[500.0] * ENOUGH),
        *raced("ben", 3, *[740.0] * ENOUGH, 5000.0, 5000.0),
        *raced("new", 1, *[900.0] * (ENOUGH - 1)),
    ]
    assert proposals(record, past) == [
        messages.Proposal(0, ENOUGH, 500, 0),
        messages.Proposal(1, ENOUGH + 2, 740, 250),
    ]
    assert proposals(record, []) == []


def test_a_bots_paw_needs_a_persons_time_and_chooses_by_the_same_dice():
    evening = Evening(0.001, 0.001)
    evening.revealed()
    view = vars(evening.room.table.view(0))
    for level, least_s in (("elephant", 0.35), ("mouse", 0.5)):
        chosen = [think("flippt", level, view, 0, seed) for seed in range(60)]
        assert chosen == [think("flippt", level, view, 0, seed) for seed in range(60)]
        assert min(seconds for _, seconds in chosen) >= least_s
    quick, slow = (
        sorted(think("flippt", level, view, 0, seed)[1] for seed in range(60))[30] for level in ("elephant", "mouse")
    )
    assert quick < slow / 1.5
