"""The house: all tables, all guests, one door. No socket, no file and no clock of its own: all are handed in."""

import logging
import math
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from cheeseboard import bundle as formats
from cheeseboard.bots import seated
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import Refusal
from cheeseboard.referee import Verdict
from cheeseboard.server import dealing, messages, phrases
from cheeseboard.server.bus import Bus
from cheeseboard.server.clock import Clock
from cheeseboard.server.company import Company
from cheeseboard.server.guests import Thinkers
from cheeseboard.server.handicaps import RACES, proposals
from cheeseboard.server.journal import Keeper
from cheeseboard.server.lag import Lag
from cheeseboard.server.limits import Limits, Window
from cheeseboard.server.line import Line
from cheeseboard.server.metrics import Metrics
from cheeseboard.server.names import free_text
from cheeseboard.server.people import People
from cheeseboard.server.record import OPEN_PHASES, Record, Seat, unpack
from cheeseboard.server.refusals import No, no
from cheeseboard.server.room import Answer, Room
from cheeseboard.server.store import Claimed, Entry, Judgement, Name, Person, Store, TableRow

LETTERS = "abcdefghkmnpqrstuwxyz2346789"  # said aloud and read from a screen, none is taken for another
CODE = 5
LISTED = 100  # tables in the lobby, newest first
OWN_SEATS = 4
LOBBY_S, SWEEP_S = 0.5, 60.0
EVENTS = {"gathering": "table-laid", "playing": "table-started", "over": "table-ended", "closed": "table-closed"}
log = logging.getLogger("cheeseboard.house")


class House:
    def __init__(
        self,
        keeper: Keeper,
        clock: Clock,
        entropy: Callable[[int], bytes],
        thinkers: Thinkers,
        bus: Bus,
        limits: Limits,
        pace: float = 1.0,
        free_mib: Callable[[], float] = lambda: math.inf,
        kernel_ms: Callable[[Any], float | None] = lambda _: None,
    ) -> None:
        self.keeper, self.clock, self.entropy, self.thinkers, self.bus = keeper, clock, entropy, thinkers, bus
        self.limits, self.pace, self.free_mib, self.kernel_ms = limits, pace, free_mib, kernel_ms
        self.people = People(keeper, clock, entropy)
        self.metrics = Metrics()
        self.lag = Lag(clock)
        self.rooms: dict[str, Room] = {}
        self.coming: dict[str, list[Answer]] = {}  # tables on their way from the disk, and who waits for them
        self.hosts: dict[str, str] = {}  # every open table, in memory or not, and its host
        self.listed: dict[str, messages.TableInfo] = {}  # what the lobby shows
        self.lobby: list[Line] = []
        self.lobby_due = False
        self.own = ""  # the house's own table
        self.closing = False
        self.tables_laid = Window(limits.tables_per_address_hour, 3600)
        bus.listen(self._hint)

    # --- opening and closing the house ------------------------------------------------------------------------------

    def open(self, ready: Callable[[], None]) -> None:
        """Look through the open tables of the last time; each comes back to life when somebody comes to it."""

        def look(store: Store) -> list[tuple[TableRow, dict[int, Name]]]:
            return [(row, store.names(row.id) if row.public else {}) for row in store.rows(OPEN_PHASES)]

        def looked(found: list[tuple[TableRow, dict[int, Name]]]) -> None:
            stale_ms = self.clock.now_ms() - self.limits.empty_table_minutes * 60_000
            for row, names in found:
                self.hosts[row.id] = row.host
                company = Company(unpack(row.record))
                company.names = {seat: name.name for seat, name in names.items()}
                if row.public:
                    self.listed[row.id] = company.table_info(0)
                if row.phase == "gathering" and not row.host:
                    self.own = row.id
                elif row.phase == "gathering" and row.changed_ms < stale_ms:
                    self.close_table(row.id, lambda _: None)
            self._lay_own(ready)

        self.people.open(lambda: self.keeper.ask(look, looked))
        self.clock.later(SWEEP_S, self._sweep)

    def _lay_own(self, ready: Callable[[], None]) -> None:
        """The house has one table of its own to join by code at once; who sits down first leads it."""

        def laid(result: messages.Laid | Refusal) -> None:
            if isinstance(result, messages.Laid):
                self.own = result.table
            ready()

        if self.own:
            ready()
        else:
            wish = messages.NewTable(next(iter(GAMES)), ["open"] * OWN_SEATS, public=True, start="host")
            self.lay("", "", wish, None, laid)

    def drain(self, told: Callable[[], None]) -> None:
        """The house goes to sleep: clocks stop, what was acknowledged is on disk, everybody is asked to come back."""
        self.closing = True
        for room in tuple(self.rooms.values()):
            room.rest()
            retry_s = 0.2 + 1.8 * self.entropy(1)[0] / 255
            room.say_bye(1012, messages.Bye("going-away", "the house restarts; come back in a moment", retry_s))
        for line in tuple(self.lobby):
            line.hang_up(1012, "going-away")
        self.keeper.ask(lambda _: None, lambda _: told())

    def _sweep(self) -> None:
        """Once a minute: empty tables that never began are closed, quiet ones leave the memory (not the disk)."""
        quiet_s = self.limits.empty_table_minutes * 60
        for room in tuple(self.rooms.values()):
            over = room.record.phase not in OPEN_PHASES  # whoever wants to see it again brings it back
            if not room.lines and not room.storing and (over or self.clock.monotonic() - room.quiet_since > quiet_s):
                if room.record.phase == "gathering" and room.record.host:
                    self.close_table(room.record.id, lambda _: None)
                else:
                    self._forget(room)
        here = {person for room in self.rooms.values() for person in room.record.people}
        self.people.strangers(here, self._unname)
        self.clock.later(SWEEP_S, self._sweep)

    def _forget(self, room: Room) -> None:
        room.rest()
        if self.rooms.get(room.record.id) is room:
            del self.rooms[room.record.id]
        self.metrics.rooms = len(self.rooms)

    def lost(self, room: Room) -> None:
        """Somebody else has claimed the table: forget it here, its guests reconnect to where it is now."""
        room.rest()
        self._forget(room)
        room.say_bye(1012, messages.Bye("moved-house", "this table is served elsewhere now; connect again", 0.2))

    # --- tables -----------------------------------------------------------------------------------------------------

    def room(self, table: str, then: Answer) -> None:
        """The table, from memory or from disk; a Refusal if there is none."""
        if table in self.rooms:
            then(self.rooms[table])
            return
        if table in self.coming:
            self.coming[table].append(then)
            return
        if len(table) != CODE or any(letter not in LETTERS for letter in table):
            then(No("no-table", f"expected the code of a table ({CODE} of {LETTERS}), got {table[:40]!r}", 404))
            return
        self.coming[table] = [then]
        self.keeper.ask(lambda store: store.claim(table), lambda claimed: self._arrived(table, claimed))

    def _arrived(self, table: str, claimed: Claimed | None) -> None:
        waiting = self.coming.pop(table)
        result: Room | Refusal
        if claimed is None:
            result = No("no-table", f"there is no table {table!r} in this house", 404)
        else:
            record = unpack(claimed.row.record)
            known = core.about(GAMES[record.game])["version"] if record.game in GAMES else 0
            if record.version != known:
                wrong = f"table {table} was begun with rules version {record.version}, this house plays {known}"
                result = No("old-rules", wrong, 410)
            else:
                result = room = Room(self, record, claimed.epoch)
                room.restore(claimed)
                self._seat(room)
        for then in waiting:
            then(result)

    def _seat(self, room: Room) -> None:
        self.rooms[room.record.id] = room
        self.metrics.rooms = len(self.rooms)

    def at(self, table: str, act: Callable[[Room], Any], answer: Answer) -> None:
        """Change something at a table, in its turn."""

        def found(room: Room | Refusal) -> None:
            if isinstance(room, Refusal):
                answer(room)
            else:
                room.change(lambda: act(room), answer)

        self.room(table, found)

    def look(self, table: str, see: Callable[[Room], Any], answer: Answer) -> None:
        """Look at a table, in its turn: nothing that is not stored yet is seen."""

        def found(room: Room | Refusal) -> None:
            if isinstance(room, Refusal):
                answer(room)
                return

            def job() -> None:
                try:
                    answer(see(room))
                except Refusal as refusal:
                    answer(no(refusal))

            room.enter(job)

        self.room(table, found)

    def lay(self, person: str, name: str, wish: messages.NewTable, address: str | None, answer: Answer) -> None:
        """Lay a new table. Everything is checked before anything is kept."""
        try:
            record = self._wished(person, wish)
            self._room_for_more(person, address)
        except Refusal as refusal:
            answer(no(refusal))
            return

        def coded(code: str) -> None:
            record.id = code
            room = Room(self, record, 1)
            for seat, kind in enumerate(wish.seats):
                if kind == "me":
                    room.take(seat, person, name, wish.picture)
            room.dealer.draw_root()
            self._seat(room)
            self.hosts[code] = person
            laid = messages.Laid(code, f"/t/{code}", record.seats_of(person), record.phase)
            room.save(lambda: answer(laid))

        self._new_code(coded)

    def check(self, wish: messages.NewTable) -> None:
        """Refuse what cannot be laid, before a guest is made for it."""
        self._wished("", wish)

    def _wished(self, person: str, wish: messages.NewTable) -> Record:
        if wish.game not in GAMES:
            raise No("no-game", f"expected a game ({', '.join(GAMES)}), got {wish.game!r}", 400)
        game = GAMES[wish.game]
        core.blank(game, len(wish.seats), **dict(wish.options))
        seats, levels = [], []
        for kind in wish.seats:
            level = kind.removeprefix("bot:")
            if kind not in {"me", "open"} and (level == kind or level not in seated(game)):
                expected = ", ".join(["me", "open", *(f"bot:{level}" for level in seated(game))])
                raise No("bad-seat", f"expected each seat to be one of {expected}, got {kind!r}", 400)
            seats.append(Seat(person=person if kind == "me" else "", bot=level if level != kind else ""))
            levels += [level] if level != kind else []
        return Record(
            id="",
            game=wish.game,
            version=core.about(game)["version"],
            options=dict(wish.options),
            seats=seats,
            host=person,
            public=wish.public,
            start=wish.start,
            move_s=wish.move_s,
            grace_s=wish.grace_s,
            free_text=wish.free_text,
            hints=wish.hints,
            referee=wish.referee if self.pace else "machines",
            level=levels[0] if levels else "cat",
            made_ms=self.clock.now_ms(),
            series=[0] * len(seats),
        )

    def _room_for_more(self, person: str, address: str | None) -> None:
        limits = self.limits
        if self.closing:
            raise No("closing", "the house is about to restart; try again in a moment", 429)
        mine = sum(host == person for host in self.hosts.values())
        if person and mine >= limits.tables_per_guest:
            most = limits.tables_per_guest
            raise No("too-many-tables", f"expected at most {most} open tables of yours, got one more", 429)
        if len(self.hosts) >= limits.tables:
            raise No("house-full", f"all {limits.tables} tables of this house are taken", 429)
        if self.free_mib() < limits.free_disk_mib:
            raise No("disk-full", "the disk of this house is nearly full: games go on, new tables have to wait", 429)
        if address and not self.tables_laid.allow(address, self.clock.monotonic()):
            most = limits.tables_per_address_hour
            raise No("too-often", f"expected at most {most} new tables an hour from one address, got one more", 429)

    def _new_code(self, then: Callable[[str], None]) -> None:
        """A code nobody has; those on their way to the disk are in `rooms` already."""
        code = "".join(LETTERS[byte % len(LETTERS)] for byte in self.entropy(4 * CODE)[:CODE])

        def known(taken: bool) -> None:
            if taken or code in self.rooms:
                self._new_code(then)
            else:
                then(code)

        self.keeper.ask(lambda store: store.taken(code), known)

    def rematch(self, table: str, person: str, answer: Answer) -> None:
        """The same company, the same options, one more game: at a new table, to which everybody is shown."""

        def again(room: Room, code: str) -> messages.Moves:
            old = room.record
            if not old.seats_of(person):
                raise No("not-seated", "expected somebody who sat at this table", 403)
            if old.phase not in {"over", "closed"}:
                raise No("wrong-phase", f"for a rematch, expected the game to be over, it is {old.phase}")
            if not old.next:
                now = self.clock.now_ms()
                record = msgspec.structs.replace(old, id=code, phase="gathering", paused=False, made_ms=now)
                record.seats = [msgspec.structs.replace(seat, away=False) for seat in old.seats]
                record.deal, record.result, record.before, record.next = type(old.deal)(), None, old.id, ""
                record.series, record.kicked, record.muted = list(old.series), list(old.kicked), list(old.muted)
                fresh = Room(self, record, 1)
                fresh.names = dict(room.names)
                fresh.dealer.draw_root()
                names = [Name(code, seat, record.seats[seat].person, name) for seat, name in fresh.names.items()]
                room.writes += [fresh.row(), *fresh.writes, *names]
                fresh.writes = []
                old.next = code
                self._seat(fresh)
                self.hosts[code] = record.host
            return messages.Moves(old.next, f"/t/{old.next}")

        def moved(result: messages.Moves | Refusal, room: Room) -> None:
            if isinstance(result, messages.Moves):
                if result.table in self.rooms:
                    self.changed(self.rooms[result.table])  # it was stored with the old one
                for line in room.lines:
                    line.send(messages.Moved(result.table))
            answer(result)

        def found(room: Room | Refusal) -> None:
            if isinstance(room, Refusal):
                answer(room)
            else:
                self._new_code(lambda code: room.change(lambda: again(room, code), lambda result: moved(result, room)))

        self.room(table, found)

    def kick(self, table: str, person: str, seat: int, answer: Answer) -> None:
        def act(room: Room) -> messages.Ok:
            gone = room.kick(person, seat)
            for line in [line for line in room.lines if line.person == gone]:
                line.send(messages.Bye("kicked", "the host has asked you to leave this table"))
                line.hang_up(1008, "kicked")
            return messages.Ok()

        self.at(table, act, answer)

    def close_table(self, table: str, answer: Answer, person: str | None = None) -> None:
        """The host (or the house) closes a table for good; what was dealt is shown like after a game."""

        def act(room: Room) -> messages.Ok:
            record = room.record
            if person is not None and person != record.host:
                raise No("not-host", f"expected the host of table {table}", 403)
            if record.phase in OPEN_PHASES:
                record.phase = "closed"
                dealing.shown(record, room.dealer.root)
                room.rest()
            return messages.Ok()

        self.at(table, act, answer)

    def changed(self, room: Room) -> None:
        """A record has been stored: the lobby may look different now."""
        record = room.record
        if record.phase != room.logged:
            room.logged = record.phase
            if record.phase in EVENTS:
                facts = {"table": record.id, "game": record.game, "seats": len(record.seats), "n": room.n}
                log.info(EVENTS[record.phase], extra=facts)
        if record.phase in OPEN_PHASES:
            if record.public:
                self.listed[record.id] = room.info()
        else:
            self.hosts.pop(record.id, None)
            self.listed.pop(record.id, None)
        if record.public:
            self.bus.hint(record.id)

    def tables(self) -> list[messages.TableInfo]:
        """Public tables that are open or running, newest first."""
        infos = [self.rooms[code].info() if code in self.rooms else info for code, info in self.listed.items()]
        return sorted(infos, key=lambda info: -info.made_ms)[:LISTED]

    def handicaps(self, table: str, answer: Answer) -> None:
        """Head starts that past races of those who sit here speak for."""

        def seen(record: Record | Refusal) -> None:
            if isinstance(record, Refusal):
                answer(record)
            else:
                self.keeper.ask(
                    lambda store: store.raced(record.people, RACES),
                    lambda raced: answer(messages.Proposals(proposals(record, raced))),
                )

        self.look(table, lambda room: room.record, seen)

    # --- the replay -------------------------------------------------------------------------------------------------

    def replay(self, table: str, answer: Answer) -> None:
        """Everything needed to replay and verify a table that has ended."""

        def see(room: Room) -> Record:
            if room.record.phase in OPEN_PHASES:
                raise No("not-over", f"the replay of table {table} can be had when its game is over")
            if not room.record.deal.transcript:
                raise No("never-dealt", f"table {table} was closed before cards were dealt: nothing to replay", 404)
            return room.record

        def seen(record: Record | Refusal) -> None:
            if isinstance(record, Refusal):
                answer(record)
            else:
                self.keeper.ask(
                    lambda store: (store.entries(table), store.races(table)),
                    lambda found: answer(bundle(record, *found)),
                )

        self.look(table, see, seen)

    # --- connections ------------------------------------------------------------------------------------------------

    def connect(self, line: Line, table: str, since: int | None, seat: int | None, answer: Answer) -> None:
        """A connection to a table; the answer is its Room, after the first messages have gone out, or a Refusal."""

        def found(room: Room | Refusal) -> None:
            if isinstance(room, Refusal):
                answer(room)
            elif line.person and line.person in room.record.kicked:
                answer(No("kicked", f"the host of table {table} has asked you to leave", 403))
            else:
                answer(room)
                room.enter(lambda: room.join(line, since, seat))

        self.room(table, found)

    def receive(self, room: Room, line: Line, data: bytes | str, came: float | None = None) -> None:
        """A message, and when it came in, if not just now. Too many: a warning, then the connection is cut off."""
        now = self.clock.monotonic() if came is None else came
        if not line.bucket.take(now):
            self.metrics.refused["too-often"] += 1
            if line.warned:
                self.metrics.cut["too-often"] += 1
                line.hang_up(1008, "too-often")
                return
            line.warned = True
            warning = "expected fewer messages a second; one more and the connection is closed"
            line.send(messages.Refused(_id_in(data), "too-often", warning))
            return
        line.warned = False
        try:
            message = messages.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self.metrics.refused["bad-message"] += 1
            line.send(messages.Refused(_id_in(data), "bad-message", f"expected a message of the protocol: {error}"))
            return
        if isinstance(message, messages.Ping):
            line.send(messages.Pong(message.at, self.clock.now_ms()))
            return
        if room.storing or room.queue:
            room.queue.append(lambda: room.hear(line, message, now))
        else:
            room.hear(line, message, now)

    def disconnect(self, room: Room, line: Line) -> None:
        room.enter(lambda: room.leave(line))

    def said(self, message: messages.Say, *, free: bool) -> tuple[str, str]:
        """A phrase by its id, or free text where the host allows it: one of the two."""
        if bool(message.phrase) == bool(message.text):
            raise No("bad-say", "expected either a phrase or a text", 400)
        if message.phrase and not phrases.known(message.phrase):
            raise No("no-phrase", f"expected the id of a preset phrase or emote, got {message.phrase!r}", 400)
        if message.text and not free:
            raise No("no-free-text", "expected a preset phrase: the host of this table has not allowed free text", 403)
        return message.phrase, free_text(message.text, self.limits.chat_characters) if message.text else ""

    def forget(self, person: Person, then: Callable[[], None]) -> None:
        """Somebody wants to be forgotten: their names leave the tables at once."""
        self._unname({person.id})
        self.people.forget(person, then)

    def _unname(self, people: set[str]) -> None:
        for room in self.rooms.values():
            seats = [seat for person in people for seat in room.record.seats_of(person) if seat in room.names]
            for seat in seats:
                del room.names[seat]
            if seats:
                room.tell_table()

    # --- the lobby --------------------------------------------------------------------------------------------------

    def watch_lobby(self, line: Line) -> None:
        self.lobby.append(line)
        line.send(messages.Lobby(self.tables()))

    def leave_lobby(self, line: Line) -> None:
        if line in self.lobby:
            self.lobby.remove(line)

    def _hint(self, _table: str) -> None:
        """Many changes make one message."""
        if self.lobby and not self.lobby_due:
            self.lobby_due = True
            self.clock.later(LOBBY_S, self._tell_lobby)

    def _tell_lobby(self) -> None:
        self.lobby_due = False
        message = messages.Lobby(self.tables())
        for line in self.lobby:
            line.send(message)


def bundle(record: Record, entries: list[Entry], races: Sequence[Judgement] = ()) -> formats.Bundle:
    deal = record.deal
    return formats.Bundle(
        table=record.id,
        game=record.game,
        version=record.version,
        seats=len(record.seats),
        options=record.options,
        deal=formats.Deal(
            epoch=dealing.EPOCH,
            attempt=deal.attempt,
            server=deal.server,
            deck=dealing.deck(record).hex(),
            commits=tuple(deal.commits),
            seeds=tuple(deal.seeds),
            transcript=deal.transcript,
            key_hash=deal.key_hash,
            key=deal.key,
            root=deal.root,
            voids=tuple(deal.voids),
        ),
        log=tuple(
            formats.Row(entry.n, entry.seat, entry.action, tuple(entry.luck), entry.at_ms, entry.id, entry.chain.hex())
            for entry in entries
        ),
        races=tuple(msgspec.json.decode(race.verdict, type=Verdict) for race in races),
        closed=record.phase == "closed",
        result=record.result,
    )


def _id_in(data: bytes | str) -> str:
    """The id of a message that could not be read as a whole, so that its sender knows which one is meant."""
    try:
        found = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
    name = found.get("id", "") if isinstance(found, dict) else ""
    return name[:64] if isinstance(name, str) else ""
