"""Who deals at one table: hears all devices' hashes and seeds in turn, waits for them, and tells everybody how far it
is. What the protocol says is in `dealing`; here it meets people who are slow, or gone, or back with another phone."""

from typing import TYPE_CHECKING

from cheeseboard import deal as protocol
from cheeseboard.server import dealing, faults, messages
from cheeseboard.server.clock import Timer
from cheeseboard.server.line import Line
from cheeseboard.server.refusals import No
from cheeseboard.server.store import Secret

if TYPE_CHECKING:
    from cheeseboard.server.room import Room

COMMIT_S, SEED_S = 2.0, 5.0  # how long a deal waits for the devices of those who are here


class Dealer:
    def __init__(self, room: "Room") -> None:
        self.room = room
        self.root = b""
        self.timer: Timer | None = None
        self.committers: dict[tuple[int, int], Line] = {}  # (attempt, seat) -> the device that takes part for the seat

    def draw_root(self) -> None:
        """The house's part of the deal, secret until the end, its hash open from the beginning."""
        room, record = self.room, self.room.record
        self.root = room.house.entropy(32)
        dealing.opened(record, self.root)
        room.writes.append(Secret(record.id, record.deal.attempt, self.root))

    def hear(self, line: Line, seat: int, message: messages.Commit | messages.Seed) -> None:
        room, record = self.room, self.room.record
        if isinstance(message, messages.Commit):
            first = self.committers.setdefault((message.attempt, seat), line)
            again = dict(record.deal.commits).get(seat) == message.hash  # the same device, back over a new line
            if first is not line and first in room.lines and not again:
                raise No("deal-taken", f"another device of yours has put in the hash of seat {seat}")
            self.committers[message.attempt, seat] = line
            fresh, step = dealing.take_commit(record, seat, message.attempt, message.hash), "deal-commit"
        else:
            fresh, step = dealing.take_seed(record, seat, message.attempt, message.seed), "deal-seed"
        if fresh:
            room.save(lambda: self.go_on(step))

    def go_on(self, step: str = "deal") -> None:
        """As far as the deal can go now; the rest waits for messages or for the timer."""
        faults.point(step)
        room, record, deal = self.room, self.room.record, self.room.record.deal
        if record.phase != "dealing" or room.storing:
            return
        if deal.stage == "commit" and not self._awaited():
            self.stop()
            deal.stage = "seed"
            room.save(lambda: self.go_on("deal-frozen"))
        elif deal.stage == "seed" and not dealing.silent(deal):
            self.stop()
            if dealing.missing(deal):
                self._void()
            else:
                self._deal()
        elif room.lines and not self.timer:
            wait = COMMIT_S if deal.stage == "commit" else SEED_S
            self.timer = room.clock.later(wait, lambda: room.enter(self._too_slow))
        if not room.storing:  # else it is told when it is on disk: who shows a seed must know that the roster stays
            self.tell()

    def _awaited(self) -> list[int]:
        """Seats of people whose devices have not committed yet, here or just on their way back."""
        deal = self.room.record.deal
        given = dict(deal.commits)
        return [
            n
            for n, seat in enumerate(self.room.record.seats)
            if seat.person and n not in given and dealing.takes_part(deal, n)
        ]

    def _too_slow(self) -> None:
        """Who has not committed by now is not in the roster; who does not reveal makes the attempt void, openly."""
        self.timer = None
        deal = self.room.record.deal
        if self.room.record.phase != "dealing":
            return
        if deal.stage == "commit":
            deal.stage = "seed"
            self.room.save(self.go_on)
        elif deal.stage == "seed" and dealing.missing(deal):
            self._void()

    def _void(self) -> None:
        dealing.voided(self.room.record, self.root)
        self.draw_root()
        self.room.save(self.go_on)

    def stop(self) -> None:
        if self.timer:
            self.timer.cancel()
            self.timer = None

    def _deal(self) -> None:
        """The stream is fixed: the game begins with it."""
        room = self.room
        entries = room.open(dealing.ready(room.record, self.root))

        def then() -> None:
            faults.point("deal-ready")
            self.tell()
            room.tell()

        room.save(then, *entries)

    def tell(self) -> None:
        message = self.message()
        for line in self.room.lines:
            line.send(message)

    def message(self) -> messages.Deal:
        """Everything everybody may know by now: the hashes when all are in, the seeds when all are shown."""
        record, deal = self.room.record, self.room.record.deal
        frozen, fixed = deal.stage != "commit", bool(deal.transcript)
        return messages.Deal(
            table=record.id,
            epoch=dealing.EPOCH,
            attempt=deal.attempt,
            stage=deal.stage,
            rules=dealing.rules(record),
            deck=dealing.deck(record).hex(),
            server=deal.server,
            commits=deal.commits if frozen else [],
            seeds=deal.seeds if fixed else [],
            transcript=deal.transcript,
            fingerprint=protocol.fingerprint(bytes.fromhex(deal.transcript)) if fixed else "",
            key_hash=deal.key_hash,
            key=deal.key,
            root=deal.root,
            voids=[messages.Voided(void.attempt, void.server, void.root, list(void.missing)) for void in deal.voids],
        )
