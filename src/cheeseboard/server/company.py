"""Who sits at a table, who leads it, who only watches. Each act checks first and changes afterwards."""

from cheeseboard.bots import seated
from cheeseboard.games import GAMES
from cheeseboard.server import messages
from cheeseboard.server.line import Line
from cheeseboard.server.names import skeleton
from cheeseboard.server.record import OPEN_PHASES, Record, Seat
from cheeseboard.server.refusals import No
from cheeseboard.server.store import Name, NoName, Write


class Company:
    """The people of one table. What must be stored beside the record is put into `writes`."""

    writes: list[Write]

    def __init__(self, record: Record) -> None:
        self.record = record
        self.names: dict[int, str] = {}  # by seat; never in the log
        self.lines: list[Line] = []

    # --- who is there -----------------------------------------------------------------------------------------------

    def here(self, person: str) -> bool:
        return any(line.person == person for line in self.lines)

    def all_here(self) -> bool:
        """Nobody is missing: no open seat, and everybody who sits has come."""
        return (
            bool(self.lines)
            and not any(seat.open for seat in self.record.seats)
            and all(self.here(person) for person in self.record.people)
        )

    def by_bot(self, seat: int) -> str:
        """The level of the bot that plays this seat now; none if a person does."""
        place = self.record.seats[seat]
        return place.bot or (self.record.level if place.away else "")

    def table_info(self, n: int) -> messages.TableInfo:
        record = self.record
        hosts = record.seats_of(record.host)
        return messages.TableInfo(
            table=record.id,
            url=f"/t/{record.id}",
            game=record.game,
            options=record.options,
            seats=[self._seat_info(number) for number in range(len(record.seats))],
            host=hosts[0] if hosts else -1,
            phase=record.phase,
            public=record.public,
            start=record.start,
            paused=record.paused,
            move_s=record.move_s,
            grace_s=record.grace_s,
            free_text=record.free_text,
            hints=record.hints,
            referee=record.referee,
            level=record.level,
            watching=sum(not record.seats_of(line.person) for line in self.lines),
            series=record.series,
            played=record.played,
            before=record.before,
            next=record.next,
            made_ms=record.made_ms,
            n=n,
        )

    def _seat_info(self, number: int) -> messages.SeatInfo:
        seat = self.record.seats[number]
        if seat.open:
            return messages.SeatInfo("open")
        name = self.names.get(number, "")
        if seat.bot:
            return messages.SeatInfo("bot", name, level=seat.bot, handicap=seat.handicap)
        level, trust = self.record.level if seat.away else "", self.trust(number)
        here = self.here(seat.person)
        return messages.SeatInfo("person", name, seat.picture, level, here, seat.away, seat.handicap, trust)

    def trust(self, seat: int) -> messages.Trust:  # noqa: ARG002
        """How far the referee believes the seat's device; one that is not here has given no cause for doubt."""
        return "normal"

    # --- what people may do -----------------------------------------------------------------------------------------

    def sit(self, person: str, name: str, wish: messages.Sit) -> int:
        """Take a seat, an own one back, or one more for somebody on the same device."""
        asked, also = wish.seat, wish.also
        mine = self.record.seats_of(person)
        if person in self.record.kicked:
            raise No("kicked", f"the host of table {self.record.id} has asked you to leave", 403)
        if mine and not also and (asked is None or asked in mine):
            for place in mine:
                self.record.seats[place].away = False
            self.turn_to(person)
            return mine[0] if asked is None else asked
        if mine and not also:
            raise No("seated", f"you sit at seat {mine[0]}; expected `also` for one more on this device, or swap")
        self._only("gathering", what="sit down")
        free = [number for number, seat in enumerate(self.record.seats) if seat.open]
        if not free:
            raise No("full", f"expected an open seat at table {self.record.id}, all {len(self.record.seats)} are taken")
        seat = free[0] if asked is None else asked
        if seat not in free:
            raise No("taken", f"expected an open seat ({', '.join(map(str, free))}), got {seat}")
        self.record.host = self.record.host or person
        self.take(seat, person, name, wish.picture)
        self.turn_to(person)
        return seat

    def take(self, seat: int, person: str, name: str, picture: str) -> None:
        """The seat is theirs. Two at one table never look alike by name: the second gets a number."""
        taken = {skeleton(other) for number, other in self.names.items() if number != seat}
        free = (own for own in (name, *(f"{name[:16]} {count}" for count in range(2, 9))) if skeleton(own) not in taken)
        self.record.seats[seat] = Seat(person=person, picture=picture)
        self.names[seat] = next(free)
        self.writes.append(Name(self.record.id, seat, person, self.names[seat]))

    def turn_to(self, person: str) -> None:
        """Connections look from a seat of their person, or as spectators."""
        mine = self.record.seats_of(person)
        for line in self.lines:
            if line.person == person and line.look not in mine:
                line.look = mine[0] if mine else -1
                line.told = -1

    def stand(self, person: str, asked: int | None) -> None:
        """Before the game the seat is open again; during it a bot stands in and the seat can be taken back."""
        mine = self.record.seats_of(person)
        seats = mine if asked is None else [asked]
        if not mine or any(seat not in mine for seat in seats):
            raise No("not-seated", f"expected one of your seats ({', '.join(map(str, mine)) or 'none'}), got {asked}")
        self._only(*OPEN_PHASES, what="stand up")
        for seat in seats:
            if self.record.phase == "gathering":
                self._empty(seat)
            else:
                self.record.seats[seat].away = True
        self.turn_to(person)

    def swap(self, person: str, seat: int, other: int) -> None:
        self._only("gathering", what="change places")
        count = len(self.record.seats)
        if seat >= count or other >= count:
            raise No("no-seat", f"expected seats 0 to {count - 1}, got {seat} and {other}", 400)
        mine = self.record.seats_of(person)
        if person != self.record.host and not (seat in mine and self.record.seats[other].open):
            raise No("not-host", "expected your own seat and an open one; only the host changes places of others", 403)
        seats = self.record.seats
        seats[seat], seats[other] = seats[other], seats[seat]
        names = {seat: self.names.pop(other, ""), other: self.names.pop(seat, "")}
        for place, name in names.items():
            if name:
                self.names[place] = name
                self.writes.append(Name(self.record.id, place, seats[place].person, name))
            else:
                self.writes.append(NoName(self.record.id, place))
        self.record.deal.commits = []  # they were bound to the seats: every device commits anew
        for each in {seats[seat].person, seats[other].person} - {""}:
            self.turn_to(each)

    def start(self, person: str) -> None:
        """The host begins: open seats get bots, who is late finds a bot standing in."""
        self._host(person)
        self._only("gathering", what="start")
        for number, seat in enumerate(self.record.seats):
            if seat.open:
                self.place_bot(number, self.record.level)
        self.record.phase = "dealing"

    def place_bot(self, number: int, level: str) -> None:
        if level not in (levels := seated(GAMES[self.record.game])):
            raise No("no-level", f"expected a bot of level {', '.join(levels)}, got {level!r}", 400)
        self.record.seats[number] = Seat(bot=level)

    def kick(self, person: str, seat: int) -> str:
        """The host shows somebody the door; whoever it was may not come back to this table. Returns who it was."""
        self._host(person)
        self._only(*OPEN_PHASES, what="send somebody away")
        if seat >= len(self.record.seats) or not (gone := self.record.seats[seat].person):
            raise No("no-seat", f"expected a seat with a person, got {seat}")
        if gone == person:
            raise No("own-seat", "expected another seat than your own; to leave, stand up")
        self.record.kicked.append(gone)
        for number in self.record.seats_of(gone):
            self._empty(number)
            if self.record.phase != "gathering":
                self.place_bot(number, self.record.level)
        self.turn_to(gone)
        return gone

    def give_head_start(self, person: str, seat: int, ms: int) -> None:
        """The host gives a seat a head start in races, for all to see."""
        self._host(person)
        self._only("gathering", what="change a head start")
        if seat >= len(self.record.seats) or self.record.seats[seat].open:
            raise No("no-seat", f"expected a seat that is taken, got {seat}", 400)
        self.record.seats[seat].handicap = ms

    def pause(self, person: str, paused: bool) -> None:
        if not self.record.seats_of(person):
            raise No("not-seated", "expected somebody who sits at this table", 403)
        self._only("dealing", "playing", what="pause")
        self.record.paused = paused

    def mute(self, person: str, seat: int, muted: bool) -> None:
        self._host(person)
        if seat >= len(self.record.seats):
            raise No("no-seat", f"expected seats 0 to {len(self.record.seats) - 1}, got {seat}", 400)
        self.record.muted = sorted({*self.record.muted, seat} if muted else {*self.record.muted} - {seat})

    def _empty(self, seat: int) -> None:
        self.record.seats[seat] = Seat()
        self.names.pop(seat, None)
        self.writes.append(NoName(self.record.id, seat))
        deal = self.record.deal
        if deal.stage == "commit":  # later the roster is frozen, and what was dealt must stay verifiable
            deal.commits = [(number, commit) for number, commit in deal.commits if number != seat]

    def _host(self, person: str) -> None:
        if person != self.record.host:
            raise No("not-host", f"expected the host of table {self.record.id}", 403)

    def _only(self, *phases: str, what: str) -> None:
        if self.record.phase not in phases:
            expected = " or ".join(phases)
            raise No("wrong-phase", f"to {what}, expected the table to be {expected}, it is {self.record.phase}")
