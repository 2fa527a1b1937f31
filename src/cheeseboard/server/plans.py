"""What a table will do by itself: bots on their way to a move, time that runs out, the course of a race.

A plan is made when the game begins to wait for a seat and holds until the seat has acted. How long a bot takes says
nothing about what it holds: the delay is drawn before it looks at its cards. Only in a race it is the bot's own: there
eyes and paws are what it plays with.

A race is covered at first: the table sees what became of the last one, and its own cards. Then it is revealed to all
together, paws come down and are held, and when nobody can be first any more they reach the rules in their fair
order."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cheeseboard import deal as protocol
from cheeseboard import referee
from cheeseboard.bots import players
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import CLOCK, EMPTY, LUCK, Event, Illegal
from cheeseboard.referee import PRESETS, Conduct, Paw, Terms, Verdict
from cheeseboard.server import messages
from cheeseboard.server.clock import Timer
from cheeseboard.server.line import Line
from cheeseboard.server.race import Held, Race, chance, claimed, cut, holdbacks, rules, thinking_s
from cheeseboard.server.refusals import No
from cheeseboard.server.store import Judgement
from cheeseboard.table import Step, Table

if TYPE_CHECKING:
    from cheeseboard.server.room import Room


class Act(NamedTuple):
    """Something to be done at the table, and whom to tell that it is done."""

    seat: int
    action: int
    id: str = ""
    line: Line | None = None


class Plan:
    """One seat's next act: due at a time, by a bot of a level; the action as soon as the bot has made up its mind."""

    def __init__(self, level: str) -> None:
        self.level = level
        self.timer: Timer | None = None
        self.due = False
        self.action: int | None = None
        self.seconds = 0.0  # a race's: after how long
        self.dropped = False


class Plans:
    def __init__(self, room: "Room") -> None:
        self.room = room
        self.rules = rules(GAMES[room.record.game])
        self.by_seat: dict[int, Plan] = {}
        self.happened: list[Step] = []  # since the game began, where there are bots who listen
        self.race: Race | None = None
        self.before: Race | None = None  # the last one that was decided
        self.revealed_at = 0.0
        self.coming: list[Timer] = []  # lines that will be shown the race in a moment
        self.conducts: dict[tuple[int, str], Conduct] = {}

    def stop(self) -> None:
        for seat in tuple(self.by_seat):
            self._drop(seat)
        for timer in self.coming:
            timer.cancel()
        self.coming = []
        if self.race and self.race.sent:
            self.room.house.lag.end()
        self.race = None

    def happen(self, steps: Sequence[Step]) -> None:
        """For those who listen; whoever sits down later is told all of it."""
        if any(bot.past for bot in players(GAMES[self.room.record.game]).values()):
            self.happened += steps

    def acted(self, seat: int, steps: Sequence[Step]) -> None:
        """A seat has acted: its plan is done. After clock, new luck or the last who could act a race is over."""
        self._drop(seat)
        race = self.race
        if race is None:
            return
        race.ready.discard(seat)
        if not race.ready or seat == CLOCK or any(step.seat == LUCK for step in steps):
            self.before = race
            self.stop()
        else:
            self._wind_clock(race)

    def stir(self) -> None:
        """Bring the plans in line with whom the game waits for now. Without an audience, or paused, all rest."""
        room, table = self.room, self.room.table
        if room.record.phase != "playing" or room.record.paused or not room.lines or not table:
            open_race = self.race and self.race.sent
            self.stop()
            if open_race and room.lines:
                room.tell()  # a pause is no time to look for the right card
            return
        waiting = table.game.waiting(table.state)
        racing = bool(waiting >> CLOCK & 1)
        if racing and not self.race:
            self._rest(table)
        if racing and not (self.race and self.race.sent):
            return  # nobody acts before there is something to see
        wanted = []
        for seat in range(len(room.record.seats)):
            asked = table.game.legal(table.state, seat) != 0 if racing else waiting >> seat & 1
            held = self.race and seat in self.race.held
            if asked and not held and (room.by_bot(seat) or (room.record.move_s and not racing)):
                wanted.append(seat)
        if self.by_seat:
            for seat in self.by_seat.keys() - {*wanted, CLOCK}:
                self._drop(seat)
        for seat in wanted:
            self._plan(table, seat)
        if self.race:
            self._wind_clock(self.race)  # who has come or gone may be waited for, or not any more

    def _plan(self, table: Table, seat: int) -> None:
        room = self.room
        level = room.by_bot(seat)
        plan = self.by_seat.get(seat)
        if plan and plan.level == level:
            return
        self._drop(seat)
        plan = self.by_seat[seat] = Plan(level)
        if level:
            self._think(table, seat, plan, level)
        if not self.race:
            seconds = thinking_s(room.house.entropy) * room.house.pace if level else float(room.record.move_s)
            plan.timer = room.clock.later(seconds, lambda: room.enter(lambda: self._due(seat, plan)))

    def _think(self, table: Table, seat: int, plan: Plan, level: str) -> None:
        """Ask a bot. It sees what the seat knows, and its luck comes from the deal too: the game can be told again."""
        room, race = self.room, self.race
        seed = protocol.Stream(room.key, f"bot/{seat}/{room.n}").below(1 << 62)

        def thought(action: int, seconds: float) -> None:
            plan.action, plan.seconds = action, seconds * room.house.pace
            if plan.due:
                room.enter(lambda: self._play(seat, plan))
            elif race and not plan.dropped:
                wait = race.opened + plan.seconds - room.clock.monotonic()
                plan.timer = room.clock.later(max(0.0, wait), lambda: room.enter(lambda: self._due(seat, plan)))

        past: list[list[Event]] = []
        if players(table.game)[level].past:
            past = [step.told(seat) for step in self.happened]
            assert len(past) == len(table.log), f"table {room.record.id} forgot an act of {len(table.log)}"
        room.house.thinkers.choose(room.record.game, level, vars(table.view(seat)), seat, seed, past, thought)

    def _due(self, seat: int, plan: Plan) -> None:
        """The time has come. For a person whose time is up a bot makes this one move."""
        plan.due = True
        if plan.dropped:
            return
        if seat == CLOCK:
            self._close()
        elif not plan.level and self.room.table:
            self._think(self.room.table, seat, plan, self.room.record.level)
        elif plan.action is not None:
            self._play(seat, plan)

    def _play(self, seat: int, plan: Plan) -> None:
        if plan.dropped or plan.action is None:
            return
        race = self.race
        try:
            if race and plan.action not in race.rules.passes:
                handicap = float(self.room.record.seats[seat].handicap)
                paw = Paw(seat=seat, bot=True, elapsed=round(plan.seconds * 1000, 1), handicap=handicap)
                self._hold(race, Held(paw, plan.action))
            else:
                self.room.act(seat, plan.action)
        except Illegal:  # what was right when it was thought of is not any more, such as a race that is over
            self._drop(seat)
            self.room.stir()

    def _drop(self, seat: int) -> None:
        plan = self.by_seat.pop(seat, None)
        if plan:
            plan.dropped = True
            if plan.timer:
                plan.timer.cancel()

    # --- the course of a race ---------------------------------------------------------------------------------------

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
            trip, _ = line.way.measured(room.clock.monotonic(), (0.0, 0.0))
            kernel = line.way.kernel()
            tier = self.conduct(seat).tier(self.terms(), trip, kernel)
            if tier != "normal":
                return tier
            if kernel is None:
                worst = "unbound"
        return worst

    def _rest(self, table: Table) -> None:
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
        if self.race is not race or race.sent:
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
                race.sent[line] = room.clock.monotonic()
                line.sink(frame)
                line.push()
        self.stir()

    def _show(self, race: Race, line: Line) -> None:
        if self.race is race and line in self.room.lines and line not in race.sent:
            self.shown(line)
            line.sink(self.room.revealing(line))
            line.push()

    def shown(self, line: Line) -> None:
        """A line is about to see the race, if it is open: one that has just come, for instance."""
        if self.race and self.race.sent:
            self.race.sent[line] = self.room.clock.monotonic()

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
        """It changes nothing, but it was a paw, and it is kept with the others."""
        if paw.seat not in {other.seat for other in verdict.paws}:
            paws = sorted((*verdict.paws, paw), key=lambda each: (each.score, each.seat))
            race.verdict = verdict = msgspec.structs.replace(verdict, paws=tuple(paws))
            judged = messages.Judged(verdict)
            self.room.keep(
                Judgement(self.room.record.id, race.e, msgspec.json.encode(verdict)), lambda: line.send(judged)
            )
        raise No("late", f"{paw.score - verdict.paws[0].score:.1f} ms after the first")

    def _hold(self, race: Race, held: Held) -> None:
        self._drop(held.paw.seat)  # a bot that stands in was slower
        race.held[held.paw.seat] = held
        self._wind_clock(race)

    def _wind_clock(self, race: Race) -> None:
        """The clock closes when nobody can be first any more, at the latest when the time is over."""
        if not race.sent:
            return
        room, clock = self.room, self.room.clock
        rivals: list[tuple[float, float]] = []
        bots: list[tuple[float, float]] = []
        for seat in race.ready - race.held.keys():
            handicap, plan = room.record.seats[seat].handicap, self.by_seat.get(seat)
            if not room.by_bot(seat):
                for line in room.lines_of(seat):
                    if line in race.sent:
                        paw = race.measured(line, seat, clock.monotonic(), self.conduct(seat), handicap)
                        rivals.append((race.sent[line], referee.allowed(paw, race.terms) + handicap))
            elif plan and plan.action is None:
                rivals.append((race.opened, handicap))
            elif plan and plan.action not in race.rules.passes:
                bots.append((race.opened + plan.seconds, plan.seconds * 1000 - handicap))
        due = race.ends(rivals, bots)
        if not race.ready - race.held.keys():
            due = clock.monotonic()
        self._drop(CLOCK)
        clocked = self.by_seat[CLOCK] = Plan("")
        seconds = max(0.0, due - clock.monotonic())
        clocked.timer = clock.later(seconds, lambda: room.enter(lambda: self._due(CLOCK, clocked)))

    def _close(self) -> None:
        """Nobody can be first any more. The fair order reaches the rules; whoever was slower keeps what they played."""
        room, race, table = self.room, self.race, self.room.table
        if not race or not table or not self.racing():
            return
        acts: list[Act] = []
        answers: list[tuple[Line, messages.FromHouse]] = []
        writes: list[Judgement] = []
        if race.held:
            lot = protocol.Stream(room.key, f"tie/{race.e}").below
            paws = [held.paw for held in race.held.values()]
            verdict = referee.judge(race.e, room.record.referee, race.heat_ms, paws, lot, tuple(race.early))
            race.verdict = verdict
            for paw in verdict.paws:
                if not paw.bot:
                    self.conduct(paw.seat).note(paw)
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
