"""A game in real time by key press: everybody acts when they like, the first paw closes the mouse."""

import time
from typing import TYPE_CHECKING

import numpy as np

from cheeseboard.games.core import CLOCK
from cheeseboard.table import Step
from cheeseboard.terminal.keys import key_until, single_keys

if TYPE_CHECKING:
    from cheeseboard.terminal.seat import Seat

KEYS = "1234567890abcdefghijklmnop"


def race(seat: "Seat") -> list[Step]:
    """One mouse, until it is closed: by the clock, or because all have acted."""
    table, you = seat.table, seat.you
    pending = {who for who in range(table.state.seats) if table.legal(who)}
    if not pending:  # nobody holds a card any more: there is nothing to wait for
        return table.play(CLOCK, 0)
    plans = {who: seat.bot_action(who) for who in pending - {you}}  # before the clock runs: thinking is not a slow paw
    seat.answer(seat.words["ready"])
    seat.show_table()
    keys = dict(zip(KEYS, table.legal(you), strict=False))
    seat.show_keys(keys)
    seat.last = []
    seat.console.print(seat.words["quick"].format(seconds=table.state.seconds), style="bold")
    begun = time.monotonic()
    due = begun + table.state.seconds
    paws = sorted((begun + reaction_s(seat.rng), who) for who in plans)
    steps: list[Step] = []
    with single_keys():
        while pending:
            next_paw = paws[0][0] if paws else due
            key = key_until(min(due, next_paw)) if you in pending and keys else _wait(min(due, next_paw))
            if key == "":
                keys = {}  # the input has ended: this seat does nothing any more
            elif key in keys:
                who, action = you, keys[key]
            elif key is None and next_paw < due:
                who = paws.pop(0)[1]
                action = plans[who]
            elif key is None:
                return steps + table.play(CLOCK, 0)
            if key is None or key in keys:
                steps += table.play(who, action)
                pending.remove(who)
                if action != seat.looks.LET_GO:
                    due = min(due, time.monotonic() + table.state.heat / 1000)
        return steps


def _wait(due: float) -> str | None:
    time.sleep(max(0.0, due - time.monotonic()))
    return None


def reaction_s(rng: np.random.Generator) -> float:
    """A human paw: hardly ever under a second for reading a mouse, mostly within three, now and then a long look."""
    return 0.7 + max(0.2, float(rng.normal(0.8, 0.25))) + float(rng.exponential(0.9))
