"""What a table will do by itself: bots on their way to a move, and time that runs out.

A plan is made when the game begins to wait for a seat and holds until the seat has acted. How long a bot takes says
nothing about what it holds: the delay is drawn before it looks at its cards. Only in a race it is the bot's own: there
eyes and paws are what it plays with."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cheeseboard import deal as protocol
from cheeseboard.bots import players
from cheeseboard.games import GAMES
from cheeseboard.games.core import CLOCK, Event, Illegal
from cheeseboard.server.clock import Timer
from cheeseboard.server.race import thinking_s
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
        self.seconds = 0.0  # a race's: after how long
        self.dropped = False


class Plans:
    def __init__(self, room: "Room") -> None:
        self.room = room
        self.by_seat: dict[int, Plan] = {}
        self.happened: list[Step] = []  # since the game began, where there are bots who listen

    def stop(self) -> bool:
        """Nothing goes on by itself any more; whether somebody had seen a race."""
        for seat in tuple(self.by_seat):
            self.drop(seat)
        return self.room.course.stop()

    def happen(self, steps: Sequence[Step]) -> None:
        """For those who listen; whoever sits down later is told all of it."""
        if any(bot.past for bot in players(GAMES[self.room.record.game]).values()):
            self.happened += steps

    def acted(self, seat: int, steps: Sequence[Step]) -> None:
        """A seat has acted: its plan is done."""
        self.drop(seat)
        self.room.course.acted(seat, steps)

    def stir(self) -> None:
        """Bring the plans in line with whom the game waits for now. Without an audience, or paused, all rest."""
        room, table = self.room, self.room.table
        if room.record.phase != "playing" or room.record.paused or not room.lines or not table:
            if self.stop() and room.lines:
                room.tell()  # a pause is no time to look for the right card
            return
        waiting = table.game.waiting(table.state)
        racing, course = bool(waiting >> CLOCK & 1), room.course
        if racing and not course.race:
            course.begin(table)
        race = course.race
        if racing and not (race and race.open):
            return  # nobody acts before there is something to see
        wanted = []
        for seat in range(len(room.record.seats)):
            asked = table.game.legal(table.state, seat) != 0 if racing else waiting >> seat & 1
            held = race is not None and seat in race.held
            if asked and not held and (room.by_bot(seat) or (room.record.move_s and not racing)):
                wanted.append(seat)
        if self.by_seat:
            for seat in self.by_seat.keys() - {*wanted}:
                self.drop(seat)
        for seat in wanted:
            self._plan(table, seat)
        course.wind()  # who has come or gone may be waited for, or not any more

    def _plan(self, table: Table, seat: int) -> None:
        room = self.room
        level = room.by_bot(seat)
        plan = self.by_seat.get(seat)
        if plan and plan.level == level:
            return
        self.drop(seat)
        plan = self.by_seat[seat] = Plan(level)
        if level:
            self._think(table, seat, plan, level)
        if not room.course.race:
            seconds = thinking_s(room.house.entropy) * room.house.pace if level else float(room.record.move_s)
            plan.timer = room.clock.later(seconds, lambda: room.enter(lambda: self._due(seat, plan)))

    def _think(self, table: Table, seat: int, plan: Plan, level: str) -> None:
        """Ask a bot. It sees what the seat knows, and its luck comes from the deal too: the game can be told again."""
        room, race = self.room, self.room.course.race
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
        if not plan.level and self.room.table:
            self._think(self.room.table, seat, plan, self.room.record.level)
        elif plan.action is not None:
            self._play(seat, plan)

    def _play(self, seat: int, plan: Plan) -> None:
        if plan.dropped or plan.action is None:
            return
        course = self.room.course
        try:
            if course.race and plan.action not in course.rules.passes:
                course.bot_slaps(seat, plan.action, plan.seconds)
            else:
                self.room.act(seat, plan.action)
        except Illegal:  # what was right when it was thought of is not any more, such as a race that is over
            self.drop(seat)
            self.room.stir()

    def drop(self, seat: int) -> None:
        plan = self.by_seat.pop(seat, None)
        if plan:
            plan.dropped = True
            if plan.timer:
                plan.timer.cancel()
