"""What the guests of one table have seen and done, held against its log: nothing is lost, twice or made up."""

from collections.abc import Sequence
from typing import Any

from cheeseboard import deal, verify
from cheeseboard.bundle import Bundle, Receipt
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import CLOCK, LUCK, SEATS
from cheeseboard.server import messages
from cheeseboard.server.line import FRAME
from cheeseboard.server.store import Entry
from cheeseboard.table import Step, Table
from tests.server.simulated import Often


class Act:
    """What somebody wanted to do, and what came of it."""

    def __init__(self, id: str, seat: int, action: int, invoked_at: int, house: object) -> None:  # noqa: A002
        self.id, self.seat, self.action = id, seat, action
        self.invoked_at, self.house = invoked_at, house
        self.sent = 1
        self.n, self.done_at = 0, 0
        self.refused = ""


class History:
    def __init__(self, table: str) -> None:
        self.table = table
        self.acts: list[Act] = []
        self.views: dict[int, list[messages.View]] = {}

    def saw(self, view: messages.View, frame: bytes) -> None:
        assert len(frame) % FRAME == 0, "a frame that carries a view is not padded"
        self.views.setdefault(view.n, []).append(view)

    def check(self, bundle: Bundle, entries: list[Entry], receipts: Sequence[Receipt], often: Often) -> None:
        self._log_is_a_log(entries)
        self._acknowledged_is_done_once(entries)
        self._acknowledged_comes_first()
        if not bundle.deal.transcript:
            assert bundle.closed
            assert not self.views, "there were views before there was a deal"
            return
        report = verify.check(bundle, receipts)
        assert report.verdict == "ok", f"table {self.table}: {report.checks}"
        self._views_are_the_log(bundle, often)

    def _log_is_a_log(self, entries: list[Entry]) -> None:
        assert [entry.n for entry in entries] == list(range(1, len(entries) + 1)), "the log has a gap"
        epochs = [entry.epoch for entry in entries]
        assert epochs == sorted(epochs), "a house that had lost the table wrote on"
        times = [entry.at_ms for entry in entries]
        assert times == sorted(times), "the log goes back in time"

    def _acknowledged_is_done_once(self, entries: list[Entry]) -> None:
        rows: dict[str, list[Entry]] = {}
        for entry in entries:
            if entry.id:
                rows.setdefault(entry.id, []).append(entry)
        for act in self.acts:
            found = rows.pop(act.id, [])
            assert len(found) <= 1, f"{act.id} was done twice"
            if act.n:
                assert [(row.n, row.seat, row.action) for row in found] == [(act.n, act.seat, act.action)], (
                    f"{act.id} was acknowledged as number {act.n} of {self.table} and is not there"
                )
            elif (
                act.refused and act.sent == 1
            ):  # of two copies one may come when it is not allowed, the other when it is
                assert not found, f"{act.id} was refused ({act.refused}) and done"
        assert not rows, f"nobody has ever wanted to do {rows}"

    def _acknowledged_comes_first(self) -> None:
        """What was acknowledged before something else was begun has the smaller number."""
        done = sorted((act.done_at, act.n) for act in self.acts if act.n)
        highest, at = 0, 0
        for act in sorted((act for act in self.acts if act.n), key=lambda act: act.invoked_at):
            while at < len(done) and done[at][0] < act.invoked_at:
                highest, at = max(highest, done[at][1]), at + 1
            assert act.n > highest, f"{act.id} got number {act.n}, {highest} had been acknowledged before it was begun"

    def _views_are_the_log(self, bundle: Bundle, often: Often) -> None:
        """Every view that anybody got is what the log, played again, shows from that seat."""
        game = GAMES[bundle.game]
        table = Table(game, bundle.seats, deal.Stream(bytes.fromhex(bundle.deal.key), "luck"), **bundle.options)
        told: list[Sequence[Step]] = [[]]
        last, opened_ms, slapped = len(bundle.log), 0, False
        race = core.about(game).get("race", {})
        if not table.opening:
            for view in self.views.pop(0, []):
                self._view_is(table, view, told, bundle, closed=bundle.closed and last == 0)
        for row in bundle.log:
            racing = bool(game.waiting(table.state) >> CLOCK & 1)
            ready = [seat for seat in range(bundle.seats) if table.legal(seat)]
            steps: Sequence[Step] = table.opening if row.seat == LUCK else table.play(row.seat, row.action)
            told.append(steps)
            if racing and row.seat == CLOCK and not slapped:
                waited = row.at_ms - opened_ms
                wanted = 1000 * getattr(table.state, race["seconds"]) if ready else 0
                assert waited >= wanted - 1, f"nobody had slapped, and the clock closed after {waited} ms"
            slapped = slapped or (row.seat < SEATS and row.action not in race.get("passes", []))
            if row.seat in {LUCK, CLOCK} or ready == [row.seat]:
                often.sometimes("race closed by the last paw", when=racing and row.seat < SEATS)
                opened_ms, slapped = row.at_ms, False
            for view in self.views.pop(row.n, []):
                self._view_is(table, view, told, bundle, closed=bundle.closed and row.n == last)
        assert not self.views, f"somebody saw acts that are not in the log: {sorted(self.views)}"

    def _view_is(
        self, table: Table, view: messages.View, told: list[Sequence[Step]], bundle: Bundle, *, closed: bool
    ) -> None:
        where = f"table {self.table}, after {view.n}, seat {view.you}"
        events = [event for steps in told[view.since + 1 :] for step in steps for event in step.told(view.you)]
        legal = table.legal(view.you) if view.you >= 0 else []
        expected: dict[str, Any] = {
            "view": vars(table.view(view.you, strict=True)),
            "legal": legal,
            "waiting": [seat for seat in table.waiting() if seat < SEATS],
            "events": list(events),
            "over": table.over,
            "result": bundle.result if table.over else None,
        }
        for part, value in expected.items():
            got = getattr(view, part)
            assert got == value or (closed and part == "legal" and got == []), f"{where}: {part} is {got}, not {value}"
        assert 0 <= view.since <= view.n, where
