"""Real time without a clock: everybody acts after their own time, and what is in time counts."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from cheeseboard.bots import Player, ask
from cheeseboard.games import core
from cheeseboard.games.core import Game, State
from cheeseboard.table import Table

Dice = np.random.Generator


class Plan(NamedTuple):
    at: float  # seconds after the race has begun
    seat: int
    action: int


def plans(table: Table, bots: list[Player], dice: list[Dice], pasts: dict[int, list[list[core.Event]]]) -> list[Plan]:
    """What all who may act are going to do."""
    made = []
    for seat in range(table.state.seats):
        if table.legal(seat):
            who, view, seed = bots[seat], table.view(seat), int(dice[seat].integers(0, 1 << 62))
            action = ask(who, table.game, view, seat, np.random.default_rng(seed), pasts.get(seat, ()))
            again = np.random.default_rng(seed)  # the same dice: the time that belongs to this action
            made.append(Plan(who.delay(table.game, view, seat, again) if who.delay else any_time(again), seat, action))
    return made


def any_time(dice: Dice) -> float:
    """Of somebody whose paw nothing is known of: hardly ever under a second, mostly within three."""
    return 0.7 + max(0.2, float(dice.normal(0.8, 0.25))) + float(dice.exponential(0.9))


def in_time(game: Game, state: State, made: list[Plan]) -> Iterator[Plan]:
    """Those that come before the clock closes: shortly after the first slap at the latest."""
    terms = core.about(game)["race"]
    due, heat = float(getattr(state, terms["seconds"])), getattr(state, terms["heat_ms"]) / 1000
    for plan in sorted(made):
        if plan.at > due:
            return
        yield plan
        if plan.action not in terms["passes"]:
            due = min(due, plan.at + heat)
