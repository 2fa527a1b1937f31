"""The course of races at one table. A race is covered at first: the table sees what became of the last one, and its own
cards. Then it is revealed to all together, paws come down and are held, and when nobody can be first any more they
reach the rules in their fair order."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cheeseboard import deal as protocol
from cheeseboard import referee
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import CLOCK, EMPTY, LUCK, Event, Illegal
from cheeseboard.referee import PRESETS, Conduct, Paw, Terms, Verdict
from cheeseboard.server import messages
from cheeseboard.server.clock import Timer
from cheeseboard.server.line import Line
from cheeseboard.server.race import Held, Race, Times, chance, claimed, cut, holdbacks, rules
from cheeseboard.server.refusals import No
from cheeseboard.server.store import Judgement
from cheeseboard.table import Step, Table

if TYPE_CHECKING:
    from cheeseboard.server.room import Room

LATE_S = 0.001
TURN_S = 0.001  # a timer so short goes off a turn of the loop later: all that had come in by now is heard before it


class Act(NamedTuple):
    """Something to be done at the table, and whom to tell that it is done."""

    seat: int
    action: int
    id: str = ""
    line: Line | None = None


class Course:
    def __init__(self, room: "Room") -> None:
        self.room = room
        self.rules = rules(GAMES[room.record.game])
        self.race: Race | None = None
        self.before: Race | None = None  # the last one that was decided
        self.revealed_at = 0.0
        self.coming: list[Timer] = []  # lines that will be shown the race in a moment
        self.closing: Timer | None = None
        self.conducts: dict[tuple[int, str], Conduct] = {}

    def stop(self) -> bool:
        """Whatever was going on is over; whether somebody had seen it."""
        race, self.race = self.race, None
        for timer in self.coming:
            timer.cancel()
        self.coming = []
        self._unwind()
        seen = race is not None and race.open
        if seen:
            self.room.house.lag.end()
        return seen

    def acted(self, seat: int, steps: Sequence[Step]) -> None:
        """After the clock, new luck or the last who could act a race is over."""
        race = self.race
        if race is None:
            return
        race.ready.discard(seat)
        if not race.ready or seat == CLOCK or any(step.seat == LUCK for step in steps):
            self.before = race
            self.room.plans.stop()
        else:
            self.wind()

    def racing(self) -> bool:
        table = self.room.table
        return (
            table is not None
            and self.room.record.phase == "playing"
            and bool(table.game.waiting(table.state) >> CLOCK & 1)
        )

    def covered(self, line: Line) -> bool:
        """Whether there is a race that this line must not see yet."""
        return bool(self.rules.reveals) and self.racing() and not (self.race and line in self.race.sent)

    def terms(self) -> Terms:
        return PRESETS[self.room.record.referee]

    def conduct(self, seat: int) -> Conduct:
        key = seat, self.room.record.seats[seat].person
        if key not in self.conducts:
            self.conducts[key] = Conduct(self.terms())
        return self.conducts[key]

    def trust(self, seat: int) -> messages.Trust:
        """How far the referee believes the seat's device."""
        room = self.room
        worst: messages.Trust = "normal"
        if not self.rules.reveals:
            return worst
        for line in room.lines_of(seat):
            trip, _, kernel = line.way.measured(room.clock.monotonic(), (0.0, 0.0))
            tier = self.conduct(seat).tier(self.terms(), trip, kernel)
            if tier != "normal":
                return tier
            if kernel is None:
                worst = "unbound"
        return worst

    def _trusts(self) -> list[messages.Trust]:
        return [self.trust(seat) for seat in range(len(self.room.record.seats))]

    def begin(self, table: Table) -> None:
        """Something new to race for lies there, covered. All see it at once, after a while that nobody can foresee."""
        room, terms = self.room, self.terms()
        ready = {seat for seat in range(len(room.record.seats)) if table.legal(seat)}
        race = self.race = Race(table.game, table.state, terms, ready)
        own, now = race.rules, room.clock.monotonic()
        if self.before is None:
            rest = own.first_s
        else:
            verdict = self.before.verdict
            rest = own.rest_s * max(1, len(verdict.first) if verdict else 1)
        rest = max(rest + own.spread_s * chance(room.house.entropy), self.revealed_at + own.gap_s - now)
        if room.house.pace == 0:
            self._reveal(race)
        else:
            wait = rest * room.house.pace
            self.coming = [room.clock.later(wait, lambda: room.enter(lambda: self._reveal(race)))]

    def _reveal(self, race: Race) -> None:
        """Show it to every line, the longest way first, so that all see it together."""
        room = self.room
        if self.race is not race or race.open:
            return
        room.house.lag.begin()
        race.e = room.n
        now = self.revealed_at = room.clock.monotonic()
        back = holdbacks(room.lines, now)
        race.opened = now + max(back.values(), default=0.0)
        self.coming = []
        shuffled = sorted(back, key=lambda _: room.house.entropy(8))  # nobody is always first by place
        frames = [(line, room.revealing(line)) for line in shuffled]
        for line, frame in frames:
            if back[line]:
                show = partial(self._show, race, line)
                self.coming.append(room.clock.later(back[line], partial(room.enter, show)))
            else:
                race.show(line, room.clock.monotonic())
                line.sink(frame)
                line.push()
        room.plans.stir()

    def _show(self, race: Race, line: Line) -> None:
        if self.race is race and line in self.room.lines and line not in race.sent:
            self.shown(line)
            line.sink(self.room.revealing(line))
            line.push()

    def shown(self, line: Line) -> None:
        """A line is about to see the race, if it is open: one that has just come, for instance."""
        if self.race and self.race.open:
            self.race.show(line, self.room.clock.monotonic())

    def cover(self, view: dict[str, Any]) -> dict[str, Any]:
        """The view without what there is to race for."""
        return {**view, **dict.fromkeys(self.rules.covers, EMPTY)}

    def before_reveal(self, events: list[Event]) -> list[Event]:
        """What may be told while the race is covered."""
        return cut(events, self.rules.reveals)[0]

    def held_back(self, seat: int) -> list[Event]:
        """What the seat is told when it is revealed: the end of what happened last."""
        for _, steps in reversed(self.room.recent):
            told = cut([event for step in steps for event in step.told(seat)], self.rules.reveals)[1]
            if told:
                return told
        return []

    def seen(self, line: Line, message: messages.Seen) -> None:
        race = self.race
        if race and message.e == race.e and line in race.sent and line not in race.seen:
            race.seen[line] = (line.heard_at - race.sent[line]) * 1000

    def slap(self, line: Line, seat: int, message: messages.Play) -> None:
        """A paw has come down. Whether it was in time is found out later; whether it could be meant is asked now."""
        room, race, told = self.room, self.race, message.slap
        open_e = race.e if race and line in race.sent else -1
        if told and told.e > max(open_e, self.before.e if self.before else -1):
            raise No("future-slap", f"expected a race that was opened, got {told.e}")
        if not race or line not in race.sent or (told and told.e != open_e):
            self._too_late(line, seat, told)
            return
        table, action = room.table, message.action
        assert table is not None
        held = race.held.get(seat)
        if held and held.id == message.id:  # sent again, over a new line
            race.held[seat] = held._replace(line=line)
            return
        if held:
            raise No("acted", "expected one paw for each race, got another")
        if action not in table.legal(seat) or action in race.rules.passes:
            room.act(seat, action, message.id, line)  # raises, if it is not allowed
            return
        conduct = self.conduct(seat)
        loop = room.house.lag.ms(line.heard_at)
        handicap = room.record.seats[seat].handicap
        paw = claimed(race.measured(line, seat, line.heard_at, conduct, handicap, loop), told)
        if line.heard_at < conduct.locked:
            raise No(
                "locked-out", f"expected a pause of {race.terms.lockout:g} ms after a false start, got another paw"
            )
        if referee.too_soon(paw, race.terms):
            conduct.locked = line.heard_at + race.terms.lockout / 1000
            race.early.append(paw)
            raise No(
                "false-start", f"nobody reacts within {race.terms.false_start:g} ms: this paw cannot be meant for it"
            )
        self._hold(race, Held(paw, action, message.id, line))

    def _too_late(self, line: Line, seat: int, told: messages.Slap | None) -> None:
        """For a race that is decided: tell by how much, as exactly as for all others."""
        race = self.before
        if race and race.verdict and told and told.e == race.e and line in race.sent:
            handicap = self.room.record.seats[seat].handicap
            paw = claimed(race.measured(line, seat, line.heard_at, self.conduct(seat), handicap), told)
            self._add(race, race.verdict, referee.score(paw, race.terms), line)
        raise No("late", "there is nothing to slap now")

    def _add(self, race: Race, verdict: Verdict, paw: Paw, line: Line) -> None:
        """It changes nothing, but it was a paw, and it is kept with the others. Not if it would have been first: then
        its seat had been given up, and a bot stood in for it."""
        known = {other.seat for other in verdict.paws}
        if paw.seat not in known and paw.score > verdict.paws[0].score + race.heat_ms:
            paws = sorted((*verdict.paws, paw), key=lambda each: (each.score, each.seat))
            race.verdict = verdict = msgspec.structs.replace(verdict, paws=tuple(paws))
            judged = messages.Judged(verdict)
            self.room.keep(
                Judgement(self.room.record.id, race.e, msgspec.json.encode(verdict)), lambda: line.send(judged)
            )
        raise No("late", f"{paw.score - verdict.paws[0].score:.1f} ms after the first")

    def bot_slaps(self, seat: int, action: int, seconds: float) -> None:
        """A bot has no way to go: its time is its time."""
        assert self.race is not None
        handicap = float(self.room.record.seats[seat].handicap)
        paw = Paw(seat=seat, bot=True, elapsed=round(seconds * 1000, 1), handicap=handicap)
        self._hold(self.race, Held(paw, action))

    def _hold(self, race: Race, held: Held) -> None:
        self.room.plans.drop(held.paw.seat)  # a bot that stands in was slower
        race.held[held.paw.seat] = held
        self.wind()

    def wind(self) -> None:
        """The clock closes when nobody can be first any more, at the latest when the time is over."""
        race, room = self.race, self.room
        if not race or not race.open:
            return
        now = room.clock.monotonic()
        missing = race.ready - race.held.keys()
        due = race.ends(*self._rivals(race, missing, now)) if missing else now
        self._close_in(race, max(0.0, due - now))

    def _close_in(self, race: Race, seconds: float, *, for_good: bool = False) -> None:
        self._unwind()
        self.closing = self.room.clock.later(seconds, lambda: self.room.enter(lambda: self._due(race, for_good)))

    def _due(self, race: Race, for_good: bool) -> None:
        """If the house itself is late, paws may lie there that it has not looked at yet: they are heard first."""
        late = self.room.house.lag.ms(self.room.clock.monotonic()) / 1000
        if late > LATE_S and not for_good and race.ready - race.held.keys():
            self._close_in(race, TURN_S, for_good=True)
        else:
            self._close(race)

    def _unwind(self) -> None:
        if self.closing:
            self.closing.cancel()

    def _rivals(self, race: Race, missing: set[int], now: float) -> tuple[list[Times], list[Times]]:
        """Of those who have not slapped: people, by when they were shown it and all that could be taken off; bots, by
        when they will slap and with which score."""
        room = self.room
        people: list[Times] = []
        bots: list[Times] = []
        for seat in missing:
            handicap, plan = room.record.seats[seat].handicap, room.plans.by_seat.get(seat)
            if not room.by_bot(seat):
                for line in room.lines_of(seat):
                    if line in race.sent:
                        paw = race.measured(line, seat, now, self.conduct(seat), handicap)
                        people.append((race.sent[line], referee.allowed(paw, race.terms) + handicap))
            elif plan and plan.action is None:
                people.append((race.opened, handicap))
            elif plan and plan.action not in race.rules.passes:
                bots.append((race.opened + plan.seconds, plan.seconds * 1000 - handicap))
        return people, bots

    def _close(self, race: Race) -> None:
        """Nobody can be first any more. The fair order reaches the rules; whoever was slower keeps what they played."""
        room, table = self.room, self.room.table
        if self.race is not race or not table or not self.racing():
            return
        acts: list[Act] = []
        answers: list[tuple[Line, messages.FromHouse]] = []
        writes: list[Judgement] = []
        if race.held:
            lot = protocol.Stream(room.key, f"tie/{race.e}").below
            paws = [held.paw for held in race.held.values()]
            verdict = referee.judge(race.e, room.record.referee, race.heat_ms, paws, lot, tuple(race.early))
            race.verdict = verdict
            before = self._trusts()
            for paw in verdict.paws:
                if not paw.bot:
                    self.conduct(paw.seat).note(paw)
            if self._trusts() != before:
                answers += [(line, room.table_message(line)) for line in room.lines]
            for seat in verdict.first:
                held = race.held[seat]
                acts.append(Act(seat, held.action, held.id, held.line))
            writes.append(Judgement(room.record.id, race.e, msgspec.json.encode(verdict)))
            best = verdict.paws[0].score
            for paw in verdict.paws:
                held = race.held[paw.seat]
                if held.line and paw.seat not in verdict.first:
                    late = messages.Refused(held.id, "late", f"{paw.score - best:.1f} ms after the first")
                    answers.append((held.line, late))
        if not acts or race.ready - {act.seat for act in acts}:  # after the last one it closes by itself
            acts.append(Act(CLOCK, core.members(table.game.legal(table.state, CLOCK))[0]))
        said = [messages.Judged(race.verdict)] if race.verdict else []
        try:
            room.acts(acts, said, answers, writes)
        except Illegal as illegal:
            raise AssertionError(f"table {room.record.id}: what was held does not fit any more") from illegal
