"""Hol's der Geier: what cards and positions are worth, as the elephant sees it."""

from cheeseboard.bots import geier, geier_many
from cheeseboard.bots.geier_two import Floats
from cheeseboard.coach import Weighed, of_the_win
from cheeseboard.games.core import OVER, Game, State, members

ROUNDS = 400  # of regret matching, for three and more players


def chances(game: Game, state: State) -> list[float]:
    if state.phase == OVER:
        return of_the_win(game, state)
    return [geier.worth(state, seat) for seat in range(state.seats)]


def weighed(game: Game, view: State) -> dict[int, Weighed]:
    if view.seats > 2:
        solved = list(zip(*geier_many.solved(view, ROUNDS), strict=True))
    else:
        solved = [geier.solved(view, seat, 0) for seat in range(view.seats)]
    return {seat: _by_card(view, seat, *solved[seat]) for seat in members(game.waiting(view))}


def _by_card(view: State, seat: int, mix: Floats, worth: Floats) -> Weighed:
    cards = members(view.hand[seat])
    return Weighed(
        dict(zip(cards, mix.tolist(), strict=True)),
        dict(zip(cards, worth.tolist(), strict=True)),
    )


def stake(view: State) -> int:
    """What a choice is about."""
    return int(view.pot)
