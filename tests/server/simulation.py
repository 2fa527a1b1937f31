"""A whole evening in one process and no time at all: a house, its disk, its guests and everything that goes wrong.

    python -m tests.server.simulation --seeds 2000            many evenings; stops at the first that goes wrong
    python -m tests.server.simulation --first 17 --seeds 1    this one again, byte by byte

Guests think with the real client's head (`client.Seat`) and speak over cables that delay and break. For ten minutes
everything happens that a swarm of faults, chosen anew for each seed, brings about. Then the faults stop, and every
table must come to its end. Afterwards the histories of all guests are held against the log (`promises.py`)."""

import argparse
import hashlib
import sys
from collections import deque
from collections.abc import Callable, Collection, Coroutine
from functools import partial
from random import Random
from typing import Any

import msgspec

from cheeseboard import client, verify
from cheeseboard.bundle import Bundle
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import CLOCK, SEATS, Refusal
from cheeseboard.server import limits, messages
from cheeseboard.server.house import House
from cheeseboard.server.limits import Bucket
from cheeseboard.server.line import FRAME, Line
from cheeseboard.server.race import has_races
from cheeseboard.server.refusals import no
from cheeseboard.server.room import Room
from cheeseboard.server.store import Entry, Group
from tests.server import promises, times
from tests.server.simulated import Entropy, Life, Often, SimBus, SimClock, SimKeeper, SimThinkers, empty_store

Then = Callable[[Any], None]
LIMITS = msgspec.structs.replace(limits.DEFAULT, tables_per_guest=1000, message_burst=30)
MINUTES = 10
PATIENCE_S = 4.0  # a guest without an answer sends again, or dials again
LAST_S = 7200.0  # by then every table has ended, or something is stuck
FAULTS = (
    "crash",
    "deaf disk",
    "two houses",
    "drain",
    "drops",
    "late news",
    "absent",
    "silent",
    "junk",
    "pause",
    "kick",
)
SOMETIMES = (
    "crash with uncommitted acts",
    "crash between commit and answer",
    "disk went deaf",
    "house was fenced off",
    "house went to sleep",
    "act sent again",
    "retry answered",
    "retry answered by the next house",
    "void deal attempt",
    "left out of the deal",
    "deal without anybody's seed",
    "stand-in played",
    "seat taken back",
    "time ran out",
    "race closed by the clock",
    "race closed by the last paw",
    "dead heat",
    "rematch",
    "reconnected with missed acts",
    "reconnected after too many acts",
    "gone before the table was found",
    "refused: illegal",
    "refused: bad-message",
    "refused: paused",
    "refused: wrong-seat",
    "refused: too-often",
    "hot seat",
    "looked from another seat",
    "watched",
    "swapped",
    "kicked",
    "closed by the host",
    "chat",
    "lobby told",
    "somebody never came back",
)


class Cable:
    """A connection. Each direction keeps its order, each frame takes its own time; when it breaks, what is on the way
    is lost or, on the way up, may still arrive."""

    def __init__(self, evening: "Evening", person: str, guest: "Guest | Watcher") -> None:
        self.evening, self.guest = evening, guest
        self.host = evening.host
        self.number = evening.numbered(self)
        self.line = Line(person, self._down, self._hang_up, Bucket(LIMITS.message_burst, LIMITS.messages_per_second))
        self.room: Room | None = None
        self.cut = self.closing = self.left = False
        self.up_queue: deque[bytes] = deque()
        self.down_queue: deque[bytes | tuple[int, str] | None] = deque()

    def dial(self, table: str, since: int | None, seat: int | None) -> None:
        def arrive() -> None:
            host = self.host
            if host and not host.life.ended and host.ready:
                host.house.connect(self.line, table, since, seat, self._found)
            else:
                self.lose()

        self.evening.later(self.evening.latency(), arrive)

    def _found(self, room: Room | Refusal) -> None:
        if isinstance(room, Refusal):
            refusal = no(room)
            self.evening.later(self.evening.latency(), lambda: self.guest.refused(refusal))
            return
        if self.line.gone:
            self.evening.often.sometimes("gone before the table was found")
            return
        self.room = room
        if has_races(GAMES[room.record.game], room.record.options):
            self.line.bucket = Bucket(LIMITS.realtime_burst, LIMITS.realtime_per_second)
        self.down_queue.append(None)
        self.evening.later(self.evening.latency(), self._deliver)

    def up(self, data: bytes) -> None:
        self.up_queue.append(data)
        self.evening.later(self.evening.latency(), self._arrive)

    def _arrive(self) -> None:
        data = self.up_queue.popleft() if self.up_queue else None
        if data is not None and self.room and self.host and not self.host.life.ended and not self.closing:
            self.host.house.receive(self.room, self.line, data)

    def _down(self, frame: bytes) -> None:
        if not self.closing:
            self.evening.note(self.number, frame)
            self.down_queue.append(frame)
            self.evening.later(self.evening.latency(), self._deliver)

    def _deliver(self) -> None:
        if self.cut or not self.down_queue:
            return
        what = self.down_queue.popleft()
        if isinstance(what, bytes):
            self.guest.hear(what)
        elif what is None:
            self.guest.connected()
        else:
            self.cut = True
            self.guest.lost()

    def _hang_up(self, code: int, reason: str) -> None:
        if not self.closing:
            self.closing = True
            self.evening.note(self.number, b"close %d %s" % (code, reason.encode()))
            self.down_queue.append((code, reason))
            self.evening.later(self.evening.latency(), self._deliver)
            self._house_hears_of_it(self.evening.latency())

    def lose(self, *, late_s: float = 0.0, arrives: bool = False) -> None:
        """It breaks. The house may hear of it late; what was sent may still arrive before."""
        if self.cut:
            return
        self.cut = True
        while arrives and self.up_queue:
            self._arrive()
        self.up_queue.clear()
        self.down_queue.clear()
        self._house_hears_of_it(late_s)
        self.evening.later(self.evening.latency(), self.guest.lost)

    def _house_hears_of_it(self, late_s: float) -> None:
        def hears() -> None:
            self.line.gone = True
            if self.room and self.host:
                self.host.house.disconnect(self.room, self.line)

        if self.host and not self.left:
            self.left = True
            self.host.life.later(late_s, hears)


class Answer:
    """What a guest waits for after an act: the place of a future, without a loop."""

    def __init__(self, evening: "Evening") -> None:
        self.evening, self.house = evening, evening.host
        self.again = False

    def done(self) -> bool:
        return False

    def set_result(self, _: int) -> None:
        often = self.evening.often
        often.sometimes("retry answered", when=self.again)
        often.sometimes("retry answered by the next house", when=self.house is not self.evening.host)

    def set_exception(self, _: BaseException) -> None: ...


class Guest(client.Seat):
    """A person's device at one table: the real client, with cables instead of sockets."""

    def __init__(self, person: "Person", table: str) -> None:
        super().__init__("", "", table, deal=True)
        self.person, self.evening = person, person.evening
        self.noted = self.evening.histories[table]
        self.cable: Cable | None = None
        self.says: int | None = None  # what we tell the house we have heard of, until the first view tells us more
        self.info: messages.TableInfo | None = None
        self.dealt: messages.Deal | None = None
        self.there = self.gone = False
        self.asked_at = 0.0
        self.was_away = False

    # --- the cable --------------------------------------------------------------------------------------------------

    def connect(self) -> None:
        assert self.cable is None
        self.cable = Cable(self.evening, self.person.id, self)
        self.says = self.n
        self.cable.dial(self.code, self.n if self.n >= 0 else None, self.wanted)

    def connected(self) -> None:
        self.there = True
        self.connections += 1
        for play, answer in tuple(self.open.values()):
            self._count_again(answer)
            run(self.send(play))

    def lost(self) -> None:
        self.cable, self.there = None, False

    def refused(self, refusal: Any) -> None:
        self.lost()
        self.gone = self.gone or refusal.code in client.GONE

    async def send(self, message: messages.FromClient) -> None:
        if isinstance(message, messages.Seed | messages.Commit) and self.person.silent(message):
            return
        if self.cable:
            if isinstance(message, messages.Play):
                self.noted.append(promises.Sent(message.id))
            self.cable.up(messages.encode(message))

    # --- hearing ----------------------------------------------------------------------------------------------------

    def hear(self, frame: bytes) -> None:
        message = client.decode(frame)
        known = self.n
        self._note(message, frame)
        try:
            run(self._hear(message))
        except client.Refused:
            self.gone = True
        self._notice(message, known)

    def _note(self, message: messages.FromHouse, frame: bytes) -> None:
        match message:
            case messages.View():
                assert len(frame) % FRAME == 0, "a frame that carries a view is not padded"
                if self.says is not None:
                    self.noted.append(promises.Connected(self.person.id, self.says))
                    self.says = None
                self.noted.append(promises.Seen(self.person.id, message))
            case messages.Done():
                self.noted.append(promises.Done(message.id, message.n))
            case messages.Refused() if message.id:
                self.noted.append(promises.Refused(message.id, message.code))
            case _:
                pass

    async def _contribute(self, deal: messages.Deal, seat: int) -> None:
        """The client draws its seeds from the machine; here they come from the evening's seed."""
        if deal.stage == "commit":
            self.seeds.setdefault((deal.attempt, seat), self.evening.entropy(32))
        await super()._contribute(deal, seat)

    def _notice(self, message: messages.FromHouse, known: int) -> None:
        often = self.evening.often
        match message:
            case messages.View():
                while not self.views.empty():
                    self.views.get_nowait()
                often.sometimes("reconnected with missed acts", when=0 <= known == message.since < message.n - 1)
                often.sometimes("reconnected after too many acts", when=0 <= known < message.since)
                kinds = {event.kind for event in message.events}
                often.sometimes("dead heat", when="reached" in kinds and not message.view["calm"])
            case messages.Table():
                self.info = message.table
                away = any(message.table.seats[seat].away for seat in message.you)
                often.sometimes("seat taken back", when=self.was_away and not away)
                self.was_away = away
                often.sometimes("hot seat", when=len(message.you) > 1)
                often.sometimes("watched", when=not message.you and message.table.phase == "playing")
            case messages.Deal():
                self.dealt = message
                often.sometimes("void deal attempt", when=bool(message.voids))
                often.sometimes("deal without anybody's seed", when=bool(message.transcript) and not message.seeds)
            case messages.Refused():
                often.sometimes(f"refused: {message.code}")
                often.sometimes("left out of the deal", when=message.code == "deal-left-out")
            case messages.Said():
                often.sometimes("chat")
            case messages.Bye():
                often.sometimes("house was fenced off", when=message.code == "moved-house")
                often.sometimes("house went to sleep", when=message.code == "going-away")
                often.sometimes("kicked", when=message.code == "kicked")
            case messages.Moved():
                often.sometimes("rematch")
            case _:
                pass

    # --- acting -----------------------------------------------------------------------------------------------------

    @property
    def can_act(self) -> bool:
        view = self.view
        return bool(self.there and view and view.legal and (view.you in view.waiting or not view.waiting))

    def play(self, action: int, seat: int | None = None) -> None:
        evening = self.evening
        if seat is None and self.seats != [self.you]:
            seat = max(self.you, 0)  # who has just asked to look from another seat says for which one this is
        play = messages.Play(f"{self.person.id}-{next(evening.order)}", action, seat)
        spoken_for = self.you if seat is None else seat
        self.noted.append(promises.Invoked(play.id, spoken_for, action))
        self.open[play.id] = (play, Answer(evening))  # type: ignore[assignment]  # it is asked for no more
        self.asked_at = evening.clock.now
        run(self.send(play))

    def again(self) -> None:
        """No answer for long: the same act under the same id."""
        self.asked_at = self.evening.clock.now
        for play, answer in tuple(self.open.values()):
            self._count_again(answer)
            run(self.send(play))

    def _count_again(self, answer: Any) -> None:
        answer.again = True
        self.evening.often.sometimes("act sent again")

    async def look(self, seat: int) -> None:
        self.noted.append(promises.Looked(self.person.id))
        await super().look(seat)

    def other_seat(self) -> int | None:
        """At a hot seat: another of mine for which the game waits."""
        view = self.view
        waiting = view.waiting if view else []
        return next((seat for seat in self.seats if seat != self.you and seat in waiting), None)


class Watcher:
    """Somebody in the lobby."""

    def __init__(self, evening: "Evening") -> None:
        self.evening = evening
        self.cable: Cable | None = None

    def look_in(self) -> None:
        host = self.evening.host
        if self.cable is None and host and host.ready:
            self.cable = Cable(self.evening, "", self)
            host.house.watch_lobby(self.cable.line)
        self.evening.later(20.0, self.look_in)

    def hear(self, frame: bytes) -> None:
        told = client.decode(frame)
        self.evening.often.sometimes("lobby told", when=isinstance(told, messages.Lobby) and bool(told.tables))

    def connected(self) -> None: ...

    def refused(self, _: Any) -> None: ...

    def lost(self) -> None:
        self.cable = None


class Person:
    """Somebody with habits. At each beat they do what is to be done at their table, or something they should not."""

    def __init__(self, party: "Party", number: int, role: str) -> None:
        self.party, self.evening, self.role = party, party.evening, role
        rng = self.evening.rng
        self.id, self.name = f"p{self.evening.entropy(8).hex()}", f"Guest {number}"
        self.guest: Guest | None = None
        self.think_s = rng.uniform(1.0, 9.0)
        self.away_until = rng.uniform(0, 20)
        leaves = role == "guest" and "absent" in self.evening.faults and rng.random() < 0.4
        self.gone_at = rng.uniform(0, MINUTES * 20) if leaves else LAST_S  # and never comes back
        self.mute_deal = "silent" in self.evening.faults and rng.random() < 0.3
        self.evening.later(rng.uniform(0, 5), self.beat)

    def silent(self, message: messages.Seed | messages.Commit) -> bool:
        """Some never show their seed, most of them because their device sleeps."""
        return (
            self.mute_deal
            and not self.evening.calm
            and (isinstance(message, messages.Seed) or self.evening.rng.random() < 0.3)
        )

    @property
    def present(self) -> bool:
        if self.evening.clock.now > self.gone_at:
            self.evening.often.sometimes("somebody never came back")
            return False
        return self.evening.calm or self.evening.clock.now >= self.away_until

    def beat(self) -> None:
        evening, rng = self.evening, self.evening.rng
        if self.present:
            self._at_the_table()
        elif self.guest and self.guest.cable and evening.clock.now > self.gone_at:
            self.guest.cable.lose()
        quick = 0.3 if evening.calm else self.think_s
        if not self.party.ended:
            evening.later(rng.uniform(0.2, 2.0) * quick, self.beat)
        elif self.guest and self.guest.cable and evening.calm:
            self.guest.cable.lose()

    def _at_the_table(self) -> None:
        code = self.party.table
        if not code:
            if self.role == "host":
                self.party.lay(self)
            return
        if self.guest is None or self.guest.code != code:
            if self.guest and self.guest.cable:
                self.guest.cable.lose()
            self.guest = Guest(self, code)
        guest = self.guest
        if guest.gone:
            return
        if (
            self.role == "guest"
            and not guest.seats
            and self.party.phase == "gathering"
            and self.evening.rng.random() < 0.7
        ):
            self.evening.ask(
                lambda house, then: house.at(code, lambda room: room.sit(self.id, self.name, messages.Sit()), then)
            )
        if guest.cable is None:
            guest.connect()
        elif guest.there:
            self._play(guest)
            if not self.evening.calm:
                self._mischief(guest)

    def _play(self, guest: Guest) -> None:
        evening, rng = self.evening, self.evening.rng
        if self.role == "host":
            self.party.lead(self)
        if guest.info and guest.info.paused and guest.seats and (evening.calm or rng.random() < 0.4):
            evening.ask(lambda house, then: house.at(guest.code, lambda room: room.pause(self.id, False), then))
        if guest.open:
            if evening.clock.now - guest.asked_at > PATIENCE_S:
                if rng.random() < 0.5:
                    guest.again()
                elif guest.cable:
                    guest.cable.lose(arrives=True)
            elif "junk" in evening.faults and rng.random() < 0.2:
                guest.again()
        elif (seat := guest.other_seat()) is not None and (not guest.can_act or rng.random() < 0.5):
            if rng.random() < 0.8:
                evening.often.sometimes("looked from another seat")
                run(guest.look(seat))
            else:
                guest.play(rng.randrange(3), seat)
        elif guest.can_act and guest.view:
            guest.play(rng.choice(guest.view.legal))

    def _mischief(self, guest: Guest) -> None:
        evening, rng, faults = self.evening, self.evening.rng, self.evening.faults
        dice = rng.random()
        cable = guest.cable
        if cable is None:
            return
        if "drops" in faults and dice < 0.06:
            cable.lose(late_s=rng.uniform(0, 40) if "late news" in faults else 0.0, arrives=rng.random() < 0.5)
            if rng.random() < 0.3:
                self.away_until = evening.clock.now + rng.choice((5.0, 30.0, 90.0, 240.0))
        elif dice < 0.08:
            run(guest.say(rng.choice(("hello", "no such phrase"))) if rng.random() < 0.7 else guest.say(text="Miau!"))
        elif "junk" in faults and dice < 0.14:
            self._junk(guest, cable)
        elif "pause" in faults and dice < 0.15:
            evening.ask(lambda house, then: house.at(guest.code, lambda room: room.pause(self.id, True), then))
        elif "absent" in faults and dice < 0.16:
            evening.ask(lambda house, then: house.at(guest.code, lambda room: room.stand(self.id, None), then))
        elif dice < 0.18 and self.party.phase == "gathering":
            self._swap(guest)

    def _junk(self, guest: Guest, cable: Cable) -> None:
        rng = self.evening.rng
        match rng.randrange(5):
            case 0:
                guest.play(rng.randrange(62))
            case 1:
                guest.play(0, (guest.you + 1) % SEATS)
            case 2:
                cable.up(
                    rng.choice((b"{", b"[]", b'{"t":"play"}', b'{"t":"play","id":"x","action":99}', b"\xff\xfe", b""))
                )
            case 3:
                for _ in range(rng.choice((5, 50))):
                    run(guest.send(messages.Ping(1.0)))
            case _:
                dropped = Guest(self, guest.code)
                dropped.connect()
                assert dropped.cable is not None
                dropped.cable.lose()

    def _swap(self, guest: Guest) -> None:
        def swapped(result: Any) -> None:
            self.evening.often.sometimes("swapped", when=not isinstance(result, Refusal))

        seat, other = guest.you, self.evening.rng.randrange(len(self.party.wish.seats))
        if guest.seats and seat >= 0 and seat != other:
            self.evening.ask(
                lambda house, then: house.at(guest.code, lambda room: room.swap(self.id, seat, other), then), swapped
            )
        elif guest.seats:
            mine = guest.seats[0]
            self.evening.ask(
                lambda house, then: house.at(guest.code, lambda room: room.swap(self.id, mine, other), then), swapped
            )


class Party:
    """The company of one table and of its rematches."""

    def __init__(self, evening: "Evening", number: int, game: str) -> None:
        self.evening, self.rng = evening, evening.rng
        self.wish = self._wish(game)
        self.table = ""
        self.asked_at = -100.0
        people = 1 + self.wish.seats.count("open") + (self.rng.random() < 0.4)  # one may find no seat, and watches
        roles = ["host", *["guest"] * (people - 1)]
        self.people = [Person(self, 10 * number + seat, role) for seat, role in enumerate(roles)]

    def _wish(self, game: str) -> messages.NewTable:
        rng = self.rng
        least, most = core.about(GAMES[game])["players"]
        count = rng.randint(least, min(4, most))
        others = [
            rng.choice(("open", "open", "bot:mouse", "me" if rng.random() < 0.3 else "open")) for _ in range(count - 1)
        ]
        short: dict[str, dict[str, Any]] = {
            "geier": {"cards": rng.randint(4, 9)},
            "maus": {},
            "mausen": {},
            "memento": {"deck": "beginner", "memory": rng.choice(("strict", "strict", "notebook"))},
            "flippt": {"seconds": 5, "heat": rng.choice((8, 100)), "calm": rng.choice(("off", "off", "off", "on"))},
        }
        return messages.NewTable(
            game,
            ["me", *others],
            options=short[game],
            public=rng.random() < 0.7,
            start=rng.choice(("auto", "auto", "host")),
            move_s=rng.choice((0, 0, 3, 20)),
            grace_s=rng.choice((0, 3, 20, 60)),
            free_text=rng.random() < 0.5,
        )

    @property
    def phase(self) -> str:
        tables = [person.guest.info for person in self.people if person.guest and person.guest.code == self.table]
        return next((table.phase for table in tables if table), "gathering" if self.table else "")

    @property
    def ended(self) -> bool:
        return self.evening.calm and self.phase in {"over", "closed"}

    def lay(self, host: Person) -> None:
        def laid(result: messages.Laid | Refusal) -> None:
            if isinstance(result, messages.Laid) and not self.table:  # else the house is about to restart: again then
                self._sit_at(result.table)

        if self.evening.clock.now - self.asked_at > PATIENCE_S:
            self.asked_at = self.evening.clock.now
            self.evening.ask(lambda house, then: house.lay(host.id, host.name, self.wish, None, then), laid)

    def _sit_at(self, table: str) -> None:
        self.table = table
        self.evening.histories[table] = []

    def lead(self, host: Person) -> None:
        """What only the host does."""
        evening, rng, table = self.evening, self.rng, self.table
        phase = self.phase
        if phase == "gathering" and (evening.calm or (self.wish.start == "host" and rng.random() < 0.15)):
            evening.ask(lambda house, then: house.at(table, lambda room: room.start(host.id), then))
        elif phase == "playing" and "kick" in evening.faults and not evening.calm and rng.random() < 0.02:
            evening.ask(lambda house, then: house.kick(table, host.id, rng.randrange(3), then))
        elif phase == "playing" and "kick" in evening.faults and not evening.calm and rng.random() < 0.006:
            evening.often.sometimes("closed by the host")
            evening.ask(lambda house, then: house.close_table(table, then, host.id))
        elif phase in {"over", "closed"} and not evening.calm and rng.random() < 0.02:
            evening.ask(lambda house, then: house.rematch(table, host.id, then), partial(self._moved, table))

    def _moved(self, table: str, result: messages.Moves | Refusal) -> None:
        if isinstance(result, messages.Moves) and self.table == table:
            self._sit_at(result.table)


class Host:
    """One life of a house."""

    def __init__(self, evening: "Evening") -> None:
        self.life = Life(evening.clock)
        self.keeper = SimKeeper(evening.store, self.life, evening.disk_s, evening.kept)
        thinkers = SimThinkers(self.life, lambda: evening.rng.uniform(0, 0.3))
        bus = SimBus(self.life, evening.rng)
        pace = evening.rng.choice((0.0, 1.0))
        self.house = House(self.keeper, self.life, evening.entropy, thinkers, bus, LIMITS, pace)
        self.ready = False

        def ready() -> None:
            self.ready = True

        self.house.open(ready)


class Evening:
    def __init__(self, seed: int, tables: int = 0, faults: Collection[str] | None = None) -> None:
        self.seed, self.rng = seed, Random(f"evening/{seed}")
        self.often = Often()
        self.clock = SimClock(self.rng)
        self.later = self.clock.later
        self.entropy = Entropy(f"evening/{seed}")
        self.store = empty_store()
        self.digest = hashlib.sha256()
        self.order = iter(range(1 << 60))
        self.cables: list[Cable] = []
        self.cable_count = 0
        self.histories: dict[str, promises.History] = {}
        swarm = {fault for fault in FAULTS if self.rng.random() < 0.5}
        self.faults = swarm if faults is None else {*faults}
        self.calm = False
        self.slow_disk = self.rng.random() < 0.3
        self.host: Host | None = Host(self)
        games = list(GAMES)
        shift, number = self.rng.randrange(len(games)), tables or self.rng.randint(3, 5)
        self.parties = [Party(self, n, games[(shift + n) % len(games)]) for n in range(number)]
        Watcher(self).look_in()
        self.later(self.rng.uniform(5, 60), self._trouble)

    # --- what everything shares -------------------------------------------------------------------------------------

    def latency(self) -> float:
        return (
            self.rng.choice((0.0, 0.001, 0.02, 0.08))
            if self.calm or self.rng.random() < 0.95
            else self.rng.uniform(0, 3)
        )

    def disk_s(self) -> float:
        """What a commit takes; now and then a disk holds its breath."""
        pause = self.slow_disk and not self.calm and self.rng.random() < 0.2
        return self.rng.uniform(0.2, 4.0) if pause else self.rng.uniform(0.0005, 0.02)

    def note(self, cable: int, frame: bytes) -> None:
        self.digest.update(b"%.6f %d %d " % (self.clock.now, cable, len(frame)) + frame)

    def numbered(self, cable: Cable) -> int:
        self.cables = [each for each in self.cables if not each.cut] + [cable]
        self.cable_count += 1
        return self.cable_count

    def ask(self, call: Callable[[House, Then], None], then: Then = lambda _: None) -> None:
        """A request by HTTP: there and back. If the house dies meanwhile, nobody answers."""

        def arrive() -> None:
            host = self.host
            if host and host.ready and not host.life.ended:
                house, life = host.house, host.life

                def back(result: Any) -> None:
                    life.later(self.latency(), lambda: then(result))

                call(house, back)

        self.later(self.latency(), arrive)

    def kept(self, group: Group) -> None:
        """Something is on the disk."""
        rooms = self.host.house.rooms if self.host else {}
        for write in group.writes:
            if type(write) is not Entry or write.table not in rooms:
                continue
            self.often.sometimes("race closed by the clock", when=write.seat == CLOCK)
            if write.seat < SEATS and not write.id:
                seat = rooms[write.table].record.seats[write.seat]
                self.often.sometimes("stand-in played", when=bool(seat.person) and seat.away)
                self.often.sometimes("time ran out", when=bool(seat.person) and not seat.away)

    # --- trouble ----------------------------------------------------------------------------------------------------

    def _trouble(self) -> None:
        """One of the faults of this evening, then another one after a while."""
        if self.calm:
            return
        host, rng = self.host, self.rng
        kinds = sorted({"crash", "deaf disk", "two houses", "drain"} & self.faults)
        if kinds and host and host.ready:
            kind = rng.choice(kinds)
            if kind == "crash" and rng.random() < 0.5:
                host.keeper.fuse = lambda: self._crash(host)
            elif kind == "crash":
                self._crash(host)
            elif kind == "deaf disk":
                host.keeper.stuck = True
                self.often.sometimes("disk went deaf")
                self.later(rng.uniform(0.5, 6), lambda: self._crash(host))
            elif kind == "two houses":
                self.host = Host(self)
                self.later(rng.uniform(1, 60), lambda: self._die(host))
            else:
                host.house.drain(lambda: self._crash(host))
        self.later(rng.uniform(10, 120), self._trouble)

    def _crash(self, host: Host) -> None:
        self._die(host)
        if self.host is host:
            self.host = None
            self.later(0.0 if self.calm else self.rng.uniform(0.1, 10), self._open_again)

    def _die(self, host: Host) -> None:
        if host.life.ended:
            return
        lost, untold = host.keeper.crash()
        self.often.sometimes("crash with uncommitted acts", when=lost > 0)
        self.often.sometimes("crash between commit and answer", when=untold > 0)
        for cable in self.cables:
            if cable.host is host:
                cable.lose()

    def _open_again(self) -> None:
        if self.host is None:
            self.host = Host(self)

    # --- the evening ------------------------------------------------------------------------------------------------

    def run(self) -> None:
        self.clock.run(MINUTES * 60)
        self.calm = True
        if self.host is None or self.host.keeper.stuck:
            if self.host:
                self._die(self.host)
            self.host = Host(self)
        self.host.keeper.fuse = None  # one that was laid before would wait for the next commit, however late that is
        while not all(party.ended for party in self.parties) and self.clock.now < LAST_S:
            self.clock.run(self.clock.now + 10)
        stuck = [f"{party.table} ({party.wish.game}, {party.phase})" for party in self.parties if not party.ended]
        assert not stuck, f"the faults have stopped, and these tables do not come to their end: {', '.join(stuck)}"
        self.clock.run(self.clock.now + 120)

    def bundles(self) -> dict[str, Bundle]:
        """The replay of every table that somebody has known."""
        found: dict[str, Any] = {}
        for table in self.histories:
            self.ask(lambda house, then, table=table: house.replay(table, then), partial(found.__setitem__, table))  # type: ignore[misc]
        self.clock.run(self.clock.now + 60)
        assert set(found) == set(self.histories)
        return found


def run(said: Coroutine[Any, Any, None]) -> None:
    """The client's head never waits for anything but its socket, and a cable takes everything at once."""
    try:
        said.send(None)
    except StopIteration:
        return
    raise AssertionError("expected the client to go on, it waits")


class Tale:
    """What is known of an evening afterwards."""

    def __init__(self, seed: int, tables: int = 0, faults: Collection[str] | None = None) -> None:
        evening = Evening(seed, tables, faults)
        evening.run()
        self.bundles = evening.bundles()
        for table, told in evening.histories.items():
            guests = [person.guest for party in evening.parties for person in party.people if person.guest]
            receipts = [
                guest.receipt(seat)
                for guest in guests
                if guest.code == table and guest.dealt and guest.dealt.transcript
                for seat, _ in guest.dealt.commits
                if seat in guest.seats and (guest.dealt.attempt, seat) in guest.seeds
            ]
            wrongs = promises.check(told, promises.final(evening.store, table))
            assert not wrongs, "\n".join(wrongs)
            bundle = self.bundles[table]
            if bundle.deal.transcript:
                report = verify.check(bundle, receipts)
                assert report.verdict == "ok", f"table {table}: {report.checks}"
                times.check(bundle, evening.often)
            else:
                assert bundle.closed, f"table {table} has ended without a deal"
        self.often = evening.often
        self.minutes = evening.clock.now / 60
        self.trace = evening.digest.hexdigest()
        evening.store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--tables", type=int, default=0, help="at each evening; 3 to 5 if not given")
    wish = parser.parse_args()
    often, tables, minutes = Often(), 0, 0.0
    for number, seed in enumerate(range(wish.first, wish.first + wish.seeds), 1):
        try:
            tale = Tale(seed, wish.tables)
        except BaseException:
            again = f"python -m tests.server.simulation --first {seed} --seeds 1"
            sys.stderr.write(f"\nseed {seed} goes wrong; again: {again}\n")
            raise
        often.update(tale.often)
        tables, minutes = tables + len(tale.bundles), minutes + tale.minutes
        told = f"\r{number} evenings, {tables} tables, {minutes / 60:.0f} hours"
        sys.stdout.write(told if wish.seeds > 1 else tale.trace)
        sys.stdout.flush()
    if wish.seeds > 1:
        sys.stdout.write("".join(f"\n{often[point]:8} {point}" for point in SOMETIMES) + "\n")
        never = [point for point in SOMETIMES if not often[point]]
        if never:
            sys.exit(f"never: {', '.join(never)}")


if __name__ == "__main__":
    main()
