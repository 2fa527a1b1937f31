"""Warm-up: bots and coach who calculate need machine code, which a new version of the house has to make first.

That takes the compiler a minute and a half, once: what it makes is kept on the disk (`games/compiled`), and
from then on it is only read. So it is made when the house opens, not when the first guest waits for an elephant."""

from typing import Any

import numpy as np

from cheeseboard.bots import Player, ask, players, seated
from cheeseboard.coach import analyse, coached
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import SEATS, Game
from cheeseboard.table import Log, Table

LITTLE = 16  # budget: nobody looks at how well they play


def warm(name: str) -> None:
    """Do everything once that those who calculate in this game do. Where nobody does, nothing is loaded.

    Two numbers of players are enough: many games are solved in another way for the fewest."""
    game = GAMES[name]
    busy = [who._replace(budget=LITTLE) for each in seated(game) if (who := players(game)[each]).budget]
    fewest = core.about(game)["players"][0]
    for seats in (fewest, fewest + 1):
        logs = [played(game, seats, who) for who in busy]
        if logs and name in coached():
            analyse(logs[-1])


def played(game: Game, seats: int, who: Player, **options: Any) -> Log:
    """A game in which the first one thinks, and all others do anything."""
    rng = np.random.default_rng(1)
    table = Table(game, seats, rng, **options)
    past = [step.told(0) for step in table.opening]
    while not table.over:
        seat = table.waiting()[0]
        thinks = who if seat == 0 else players(game)["random"]
        steps = table.play(
            seat, ask(thinks, game, table.view(seat), seat, rng, past) if seat < SEATS else table.legal(seat)[0]
        )
        past += [step.told(0) for step in steps]
    return table.log
