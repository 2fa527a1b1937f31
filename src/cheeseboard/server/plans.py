"""What a table will do by itself: bots on their way to a move, time that runs out, the clock of a race.

A plan is made when the game begins to wait for a seat and holds until the seat has acted. How long a bot takes says
nothing about what it holds: the delay is drawn before it looks at its cards."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cheeseboard import deal as protocol
from cheeseboard.bots import players
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import CLOCK, LUCK, Event, Illegal
from cheeseboard.server import referee
from cheeseboard.server.clock import Timer
from cheeseboard.table import Step, Table

if TYPE_CHECKING:
    from cheeseboard.server.room import Room


class Plan:
    """One seat's next act: due at a time, by a bot of a level; the action as soon as the bot has made up its mind."""

    def __init__(self, level: str) -> None:
        self.level = level
        self.timer: Timer | None = None
        self.due = False
        self.action: int | None = None
        self.dropped = False


class Plans:
    def __init__(self, room: "Room") -> None:
        self.room = room
        self.by_seat: dict[int, Plan] = {}
        self.race: referee.Race | None = None
        self.happened: list[Step] = []  # since the game began, where there are bots who listen

    def stop(self) -> None:
        for seat in tuple(self.by_seat):
            self._drop(seat)
        self.race = None

    def happen(self, steps: Sequence[Step]) -> None:
        """For those who listen; whoever sits down later is told all of it."""
        if any(bot.past for bot in players(GAMES[self.room.record.game]).values()):
            self.happened += steps

    def acted(self, seat: int, action: int, steps: Sequence[Step]) -> None:
        """A seat has acted: its plan is done. After clock, new luck or the last who could act a race begins anew."""
        self._drop(seat)
        race = self.race
        if race is None:
            return
        race.ready.discard(seat)
        if not race.ready or seat == CLOCK or any(step.seat == LUCK for step in steps):
            self.stop()
        elif race.slap(action, self.room.clock.monotonic()):
            self._wind_clock(race)

    def stir(self) -> None:
        """Bring the plans in line with whom the game waits for now. Without an audience, or paused, all rest."""
        room, table = self.room, self.room.table
        if room.record.phase != "playing" or room.record.paused or not room.lines or not table:
            self.stop()
            return
        waiting = table.game.waiting(table.state)
        racing = bool(waiting >> CLOCK & 1)
        if racing and not self.race:
            self._new_race(table)
        wanted = []
        for seat in range(len(room.record.seats)):
            asked = table.game.legal(table.state, seat) != 0 if racing else waiting >> seat & 1
            if asked and (room.by_bot(seat) or (room.record.move_s and not racing)):
                wanted.append(seat)
        if self.by_seat:
            for seat in self.by_seat.keys() - {*wanted, CLOCK}:
                self._drop(seat)
        for seat in wanted:
            self._plan(table, seat, racing=racing)

    def _plan(self, table: Table, seat: int, *, racing: bool) -> None:
        room = self.room
        level = room.by_bot(seat)
        plan = self.by_seat.get(seat)
        if plan and plan.level == level:
            return
        self._drop(seat)
        plan = self.by_seat[seat] = Plan(level)
        if not level:
            seconds = float(room.record.move_s)
        else:
            pause = referee.reaction_s if racing else referee.thinking_s
            seconds = pause(room.house.entropy) * room.house.pace
            self._think(table, seat, plan, level)
        plan.timer = room.clock.later(seconds, lambda: room.enter(lambda: self._due(seat, plan)))

    def _think(self, table: Table, seat: int, plan: Plan, level: str) -> None:
        """Ask a bot. It sees what the seat knows, and its luck comes from the deal too: the game can be told again."""
        room = self.room
        seed = protocol.Stream(room.key, f"bot/{seat}/{room.n}").below(1 << 62)

        def thought(action: int) -> None:
            plan.action = action
            if plan.due:
                room.enter(lambda: self._play(seat, plan))

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
            self._clock_closes()
        elif not plan.level and self.room.table:
            self._think(self.room.table, seat, plan, self.room.record.level)
        elif plan.action is not None:
            self._play(seat, plan)

    def _play(self, seat: int, plan: Plan) -> None:
        if plan.dropped or plan.action is None:
            return
        try:
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

    # --- the clock of a race ----------------------------------------------------------------------------------------

    def _new_race(self, table: Table) -> None:
        """From now on everybody may act; the clock closes when it is due."""
        ready = {seat for seat in range(len(self.room.record.seats)) if table.legal(seat)}
        self.race = referee.Race(table.game, table.state, self.room.clock.monotonic(), ready)
        self._wind_clock(self.race)

    def _wind_clock(self, race: referee.Race) -> None:
        self._drop(CLOCK)
        plan = self.by_seat[CLOCK] = Plan("")
        seconds = max(0.0, race.due - self.room.clock.monotonic())
        plan.timer = self.room.clock.later(seconds, lambda: self.room.enter(lambda: self._due(CLOCK, plan)))

    def _clock_closes(self) -> None:
        table = self.room.table
        if table and self.room.record.phase == "playing" and table.game.waiting(table.state) >> CLOCK & 1:
            self.room.act(CLOCK, core.members(table.game.legal(table.state, CLOCK))[0])
