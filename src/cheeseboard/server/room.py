"""One table of the house: the company, their connections, the game in play. One thing after another.

Whatever reaches a table waits in its queue; a job is finished, stored and told before the next one begins. Store, then
tell: what nobody may hear before it is on disk is said in `then`, which runs when the journal has it."""

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from cheeseboard import deal as protocol
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import LUCK, NOBODY, Refusal
from cheeseboard.server import dealing, faults, messages
from cheeseboard.server.company import Company
from cheeseboard.server.course import Act, Course
from cheeseboard.server.dealer import Dealer
from cheeseboard.server.limits import Bucket
from cheeseboard.server.line import Line, padded
from cheeseboard.server.plans import Plans
from cheeseboard.server.record import Record, pack
from cheeseboard.server.refusals import No, no
from cheeseboard.server.store import Claimed, Entry, Group, TableRow, Write
from cheeseboard.server.tales import result
from cheeseboard.table import Step, Table

if TYPE_CHECKING:
    from cheeseboard.server.house import House

Answer = Callable[[Any], None]  # takes the result, or the Refusal

EVERY_SEAT = (1 << core.SEATS) - 1
RECENT = 64  # acts a returning connection can be told of one by one


class Eyes(NamedTuple):
    """Whose view of the table, since which act; and in a race: still covered, or being revealed."""

    seat: int
    since: int
    part: Literal["whole", "covered", "revealed"] = "whole"


Answered = tuple[Line, messages.FromHouse]


class Room(Company):
    def __init__(self, house: "House", record: Record, epoch: int) -> None:
        super().__init__(record)
        self.house, self.clock = house, house.clock
        self.epoch = epoch
        self.key = b""
        self.table: Table | None = None
        self.n = 0
        self.chain = b""
        self.ids: dict[str, tuple[int, int, int]] = {}  # action id -> (n, seat, action): a retry is answered, not done
        self.recent: deque[tuple[int, Sequence[Step]]] = deque(maxlen=RECENT)
        self.queue: deque[Callable[[], None]] = deque()
        self.storing = False
        self.writes: list[Write] = []  # to be stored with the record
        self.grace_timers: dict[str, Any] = {}
        self.dealer = Dealer(self)
        self.course = Course(self)
        self.plans = Plans(self)
        self.quiet_since = self.clock.monotonic()  # when the last connection went
        self.chat: dict[str, Bucket] = {}
        self.logged = ""  # the phase that the log of the house has heard of

    # --- one after another ------------------------------------------------------------------------------------------

    def enter(self, job: Callable[[], None]) -> None:
        self.queue.append(job)
        self._work()

    def _work(self) -> None:
        while self.queue and not self.storing:
            self.queue.popleft()()

    def change(self, act: Callable[[], Any], answer: Answer) -> None:
        """Change who sits where or what was agreed: in turn, and stored before it is answered."""

        def job() -> None:
            try:
                result = act()
            except Refusal as refusal:
                self.writes.clear()
                answer(no(refusal))
                return
            self.save(
                lambda: answer(result), lost=lambda: answer(No("moved-house", "this table is served elsewhere now"))
            )

        self.enter(job)

    def save(self, then: Callable[[], None], *entries: Write, lost: Callable[[], None] = lambda: None) -> None:
        """Store the record with all that belongs to it, then tell everybody who sits where now."""
        row = self.row()
        writes = (*self.writes, *entries, row)
        self.writes = []

        def stored() -> None:
            then()
            self.tell_table()
            self.house.changed(self)
            self.stir()

        self._store(writes, stored, lost)

    def _store(
        self, writes: tuple[Write, ...], then: Callable[[], None], lost: Callable[[], None] = lambda: None
    ) -> None:
        self.storing = True

        def done(stored: bool) -> None:
            self.storing = False
            if not stored:
                self.house.lost(self)  # another house has claimed the table: what we hold is stale
                lost()
            else:
                then()
            self._work()

        self.house.keeper.write(Group(self.record.id, self.epoch, writes), done)

    def row(self) -> TableRow:
        record = self.record
        now = self.clock.now_ms()
        return TableRow(
            record.id, record.game, record.phase, record.public, record.host, record.made_ms, now, pack(record)
        )

    # --- connections ------------------------------------------------------------------------------------------------

    def join(self, line: Line, since: int | None, seat: int | None) -> None:
        """Somebody has connected: to a seat of their own, or to watch."""
        if line.gone:
            return
        mine = self.record.seats_of(line.person)
        line.look = seat if seat in mine else mine[0] if mine else NOBODY
        self.lines.append(line)
        self._cancel_grace(line.person)
        line.send(self.table_message(line))
        line.send(self.dealer.message())
        if self.table:
            known = since is not None and self.told_from() <= since <= self.n
            line.told = since if known and since is not None else self.n
            self.course.shown(line)
            self.show(line, {})
        if any(self.record.seats[place].away for place in mine):
            for place in mine:
                self.record.seats[place].away = False
            self.save(lambda: None)
        else:
            self.tell_table()
            self.stir()

    def leave(self, line: Line) -> None:
        if line not in self.lines:
            return
        self.lines.remove(line)
        self.quiet_since = self.clock.monotonic()
        self.tell_table()
        self.stir()

    def _grace(self) -> None:
        """Who sits here and is not connected is waited for: since they left, since the game began without them, or
        since the house came back."""
        for seat in self.record.seats:
            who = seat.person
            if who and not seat.away and who not in self.grace_timers and not self.here(who):
                absent = partial(self.enter, partial(self._stand_in, who))
                self.grace_timers[who] = self.clock.later(self.record.grace_s, absent)

    def _stand_in(self, person: str) -> None:
        """The grace time is over: a bot plays on until the person is back."""
        self.grace_timers.pop(person, None)
        mine = [seat for seat in self.record.seats if seat.person == person]
        if self.record.phase == "playing" and not self.here(person) and not all(seat.away for seat in mine):
            for seat in mine:
                seat.away = True
            self.save(lambda: None)

    def _cancel_grace(self, person: str) -> None:
        timer = self.grace_timers.pop(person, None)
        if timer:
            timer.cancel()

    # --- what is said -----------------------------------------------------------------------------------------------

    def hear(self, line: Line, message: messages.FromClient, came: float) -> None:
        """A message from a connection, in its turn, and when it came in."""
        if line not in self.lines:
            return
        line.heard_at = came
        try:
            if isinstance(message, messages.Play):
                self.hear_play(line, message)
            elif isinstance(message, messages.Seen):
                self.course.seen(line, message)
            elif isinstance(message, messages.Commit | messages.Seed):
                self.dealer.hear(line, self._own_seat(line, message.seat), message)
            elif isinstance(message, messages.Look):
                line.look = self._own_seat(line, message.seat)
                if self.table:
                    line.told = self.n
                    self.show(line, {})
            elif isinstance(message, messages.Say):
                self.hear_say(line, message)
        except Refusal as refusal:
            answer = no(refusal)
            line.send(messages.Refused(_id(message), answer.code, str(answer)))

    def _own_seat(self, line: Line, asked: int | None) -> int:
        """The seat a message speaks for: the one it names, else the one the connection looks from."""
        seat, seats = line.look if asked is None else asked, self.record.seats
        if line.person and 0 <= seat < len(seats) and seats[seat].person == line.person:
            return seat
        mine = self.record.seats_of(line.person)
        if not mine:
            raise No("not-seated", f"expected somebody who sits at table {self.record.id}, got a spectator", 403)
        raise No("wrong-seat", f"expected one of your seats ({', '.join(map(str, mine))}), got {seat}", 403)

    def hear_play(self, line: Line, message: messages.Play) -> None:
        seat = self._own_seat(line, message.seat)
        first = self.ids.get(message.id)
        if first:
            if first[1:] != (seat, message.action):
                raise No("id-used", f"expected a new id for each move, got {message.id!r} again for another one")
            line.send(messages.Done(message.id, first[0]))
            return
        self._playable()
        if self.course.racing():
            self.course.slap(line, seat, message)
            return
        waited = self.table is not None and self.table.game.waiting(self.table.state) >> seat & 1
        self.act(seat, message.action, message.id, line)
        if waited:  # a game waits for a seat only so often: however quick, that is no flood; to choose again may be one
            line.bucket.give_back()

    def _playable(self) -> Table:
        if self.record.paused:
            raise No("paused", f"table {self.record.id} is paused")
        if self.record.phase != "playing" or not self.table:
            raise No("not-playing", f"expected a game in play at table {self.record.id}, it is {self.record.phase}")
        return self.table

    def act(self, seat: int, action: int, id: str = "", line: Line | None = None) -> None:  # noqa: A002
        """Raises Illegal, and nothing has changed then."""
        self.acts([Act(seat, action, id, line)])

    def acts(
        self,
        acts: Sequence[Act],
        said: Sequence[messages.FromHouse] = (),
        answers: Sequence[Answered] = (),
        writes: Sequence[Write] = (),
    ) -> None:
        """The one door: people, bots and clock come in here, one at a time or as many as were equally fast. `said` is
        told to all before the view, `answers` to single ones after it, `writes` are stored with the acts."""
        heard_at = next((act.line.heard_at for act in acts if act.line), self.clock.monotonic())
        table = self._playable()
        entries: list[Entry] = []
        done: list[Answered] = []
        for seat, action, id, line in acts:  # noqa: A001
            steps = table.play(seat, action)
            self.plans.acted(seat, steps)
            entries.append(self._entry(steps, id))
            if id:
                self.ids[id] = (self.n, seat, action)
            if line:
                done.append((line, messages.Done(id, self.n)))
        faults.point("before-store")

        def then() -> None:
            faults.point("stored")
            for message in said:
                for line in self.lines:
                    line.send(message)
            self.tell((*done, *answers))
            faults.point("told")
            self.house.metrics.moved(self.clock.monotonic() - heard_at)
            self.plans.stir()  # nobody has come or gone

        if table.over:
            self._finish()
            self.save(then, *entries, *writes)
        else:
            self._store((*entries, *writes), then)

    def keep(self, write: Write, then: Callable[[], None]) -> None:
        """Store something beside the game."""
        self._store((write,), then)

    def lines_of(self, seat: int) -> list[Line]:
        """The connections of the person on this seat, unless a bot plays it."""
        person = self.record.seats[seat].person
        return [line for line in self.lines if person and line.person == person and not self.by_bot(seat)]

    def trust(self, seat: int) -> messages.Trust:
        return self.course.trust(seat)

    def asked(self, person: str, seat: int) -> dict[str, Any]:
        """What the seat knows, for its hint. Only where all have agreed to it, and only to whoever has to choose."""
        table = self._playable()
        if not self.record.hints:
            raise No("no-hints", f"table {self.record.id} was laid without hints", 403)
        if seat not in self.record.seats_of(person):
            raise No("not-seated", f"expected a seat of yours, got {seat}", 403)
        if not table.game.waiting(table.state) >> seat & 1:
            raise No("not-now", f"expected seat {seat} to have a choice to make")
        return vars(table.view(seat))

    def _entry(self, steps: Sequence[Step], id: str) -> Entry:  # noqa: A002
        """The next row of the log: an act and the luck that followed it."""
        first, luck = steps[0], bytes(step.action for step in steps[1:])
        self.n += 1
        at_ms = self.clock.now_ms()
        self.chain = protocol.chain_next(self.chain, self.n, first.seat, first.action, luck, at_ms, id)
        self.recent.append((self.n, steps))
        self.plans.happen(steps)
        return Entry(self.record.id, self.n, first.seat, first.action, luck, at_ms, id, self.epoch, self.chain)

    def _finish(self) -> None:
        """The game is over: who won, what was dealt, and one more game of the series."""
        record, table = self.record, self.table
        assert table is not None
        record.result = result(table)
        record.phase = "over"
        record.played += 1
        record.series = [wins + (place == 1) for wins, place in zip(record.series, record.result.places, strict=True)]
        dealing.shown(record, self.dealer.root)

    def hear_say(self, line: Line, message: messages.Say) -> None:
        seat = self._own_seat(line, None)
        if seat in self.record.muted:
            raise No("muted", "the host has muted this seat", 403)
        phrase, text = self.house.said(message, free=self.record.free_text)
        limits = self.house.limits
        bucket = self.chat.setdefault(line.person, Bucket(limits.chat_count, limits.chat_count / limits.chat_seconds))
        if not bucket.take(self.clock.monotonic()):
            expected = f"at most {limits.chat_count} messages in {limits.chat_seconds} s"
            raise No("too-often", f"expected {expected}, got one more", 429)
        said = messages.Said(seat, self.names.get(seat, ""), phrase, text, self.clock.now_ms())
        for other in self.lines:
            other.send(said)

    # --- the game ---------------------------------------------------------------------------------------------------

    def open(self, key: bytes) -> list[Entry]:
        """The deal is fixed: lay out the game with it. What luck does before anybody can act is row 1 of the log."""
        self.key = key
        table = self._open_table()
        self.record.phase = "playing"
        return [self._entry(table.opening, "")] if table.opening else []

    def _open_table(self) -> Table:
        record = self.record
        luck = protocol.Stream(self.key, "luck")
        table = self.table = Table(GAMES[record.game], len(record.seats), luck, **record.options)
        self.chain = protocol.chain_start(record.id, bytes.fromhex(record.deal.transcript))
        self.n = 0
        return table

    def restore(self, claimed: Claimed) -> None:
        """Back from the disk: the same deal again, every act again, and luck must fall as the log says it fell."""
        record = self.record
        self.logged = record.phase
        self.dealer.root = claimed.secrets.get(record.deal.attempt, b"")
        self.names = {seat: name.name for seat, name in claimed.names.items()}
        if not record.deal.transcript:
            return
        self.key = protocol.deal_key(self.dealer.root, bytes.fromhex(record.deal.transcript))
        table = self._open_table()
        for entry in claimed.entries:
            steps = table.opening if entry.seat == LUCK else table.play(entry.seat, entry.action)
            self.n += 1
            self.chain = protocol.chain_next(
                self.chain, entry.n, entry.seat, entry.action, entry.luck, entry.at_ms, entry.id
            )
            fell = bytes(step.action for step in steps[1:])
            where = f"table {record.id}, log row {entry.n}"
            is_so = (self.n, steps[0].action, fell)
            assert is_so == (entry.n, entry.action, entry.luck), f"the deal differs at {where}"
            assert entry.chain == self.chain, f"the chain is broken at {where}"
            self.recent.append((self.n, steps))
            self.plans.happen(steps)
            if entry.id:
                self.ids[entry.id] = (entry.n, entry.seat, entry.action)

    # --- what is told -----------------------------------------------------------------------------------------------

    def told_from(self) -> int:
        """The lowest number from which on everything can still be told."""
        return self.recent[0][0] - 1 if self.recent else self.n

    def tell(self, answers: Sequence[Answered] = ()) -> None:
        """Show everybody the table as it is now; then those who acted that it is done."""
        frames: dict[Eyes, bytes] = {}
        for line in self.lines:
            self.show(line, frames)
        for line, answer in answers:
            line.send(answer)
        if self.record.phase == "over":
            self.dealer.tell()

    def show(self, line: Line, frames: dict[Eyes, bytes]) -> None:
        """One view for each pair of eyes; who looks from the same seat gets the same bytes."""
        since = self.n if line.told < 0 else line.told
        eyes = Eyes(line.look, since, "covered" if self.course.covered(line) else "whole")
        frame = frames.get(eyes)
        if frame is None:
            frame = frames[eyes] = self.frame(eyes)
        line.told = self.n
        line.sink(frame)

    def revealing(self, line: Line) -> bytes:
        """The view that opens a race."""
        return self.frame(Eyes(line.look, self.n, "revealed"))

    def frame(self, eyes: Eyes) -> bytes:
        table = self.table
        assert table is not None
        seat, since, part = eyes
        view, playing = vars(table.view(seat, strict=True)), self.record.phase == "playing"
        events = [event for step in self._steps(since) for event in step.told(seat)]
        if part == "covered":
            view, playing, events = self.course.cover(view), False, self.course.before_reveal(events)
        elif part == "revealed":
            events = self.course.held_back(seat)
        told = messages.View(
            self.n,
            since,
            seat,
            view,
            table.legal(seat) if seat >= 0 and playing else [],
            core.members(table.game.waiting(table.state) & EVERY_SEAT),
            events,
            table.over,
            self.record.result,
            part,
        )
        return padded(messages.encode(told))

    def _steps(self, since: int) -> Sequence[Step]:
        """What was done after act `since`; nearly always the last act alone."""
        if since == self.n - 1:
            return self.recent[-1][1]
        return [step for n, steps in self.recent if n > since for step in steps]

    def tell_table(self) -> None:
        for line in self.lines:
            line.send(self.table_message(line))

    def table_message(self, line: Line) -> messages.Table:
        return messages.Table(self.info(), self.record.seats_of(line.person), line.person == self.record.host)

    def info(self) -> messages.TableInfo:
        return self.table_info(self.n)

    # --- what goes on by itself -------------------------------------------------------------------------------------

    def stir(self) -> None:
        """After every change: begin if all are here, let the deal go on, send for bots, wind the clock."""
        if self.storing:
            return
        if self.record.phase == "gathering" and self.record.start == "auto" and self.all_here():
            self.begin()
            self.save(self.dealer.go_on)
        elif self.record.phase == "dealing":
            self.dealer.go_on()
        else:
            if self.record.phase == "playing":
                self._grace()
            self.plans.stir()

    def begin(self) -> None:
        """Everybody is here: deal as soon as all devices have put in their hashes."""
        self.record.phase = "dealing"

    def say_bye(self, code: int, message: messages.Bye) -> None:
        """The table ends for everybody who is connected."""
        for line in tuple(self.lines):
            line.send(message)
            line.hang_up(code, message.code)

    def rest(self) -> None:
        """Stop everything that would go on by itself: the room is about to leave the memory."""
        self.dealer.stop()
        self.plans.stop()
        for timer in self.grace_timers.values():
            timer.cancel()
        self.grace_timers.clear()


def _id(message: messages.FromClient) -> str:
    """Which message a refusal answers: a move by its id, a hash by what it was for."""
    if isinstance(message, messages.Commit):
        return f"commit/{message.attempt}/{message.seat}"
    return getattr(message, "id", "")
