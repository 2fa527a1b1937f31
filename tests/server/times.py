"""When things stand in a log that was written under one clock: never back in time, and no race is closed too early."""

from cheeseboard import deal
from cheeseboard.bundle import Bundle
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import CLOCK, LUCK, SEATS
from cheeseboard.table import Table
from tests.server.simulated import Often


def check(bundle: Bundle, often: Often) -> None:
    """As long as nobody has slapped and somebody could, the clock waits for the seconds that were agreed."""
    times = [row.at_ms for row in bundle.log]
    assert times == sorted(times), f"the log of table {bundle.table} goes back in time"
    game = GAMES[bundle.game]
    race = core.about(game).get("race")
    if race is None:
        return
    table = Table(game, bundle.seats, deal.Stream(bytes.fromhex(bundle.deal.key), "luck"), **bundle.options)
    opened_ms, slapped = 0, False
    for row in bundle.log:
        racing = bool(game.waiting(table.state) >> CLOCK & 1)
        ready = [seat for seat in range(bundle.seats) if table.legal(seat)]
        if row.seat != LUCK:
            table.play(row.seat, row.action)
        if racing and row.seat == CLOCK and not slapped:
            waited = row.at_ms - opened_ms
            wanted = 1000 * getattr(table.state, race["seconds"]) if ready else 0
            assert waited >= wanted - 1, f"nobody had slapped, and the clock closed after {waited} ms"
        slapped = slapped or (row.seat < SEATS and row.action not in race["passes"])
        if row.seat in {LUCK, CLOCK} or ready == [row.seat]:
            often.sometimes("race closed by the last paw", when=racing and row.seat < SEATS)
            opened_ms, slapped = row.at_ms, False
