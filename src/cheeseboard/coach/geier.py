"""Hol's der Geier: what cards and positions are worth, as the elephant sees it."""

from cheeseboard.bots import geier, geier_many
from cheeseboard.coach import Done, Views, Weighed, calculated, of_the_win
from cheeseboard.games.core import OVER, Game, State, count, members

ROUNDS = 400  # of regret matching, for three and more players


def chances(game: Game, state: State) -> list[float]:
    if state.phase == OVER:
        return of_the_win(game, state)
    return [geier.worth(state, seat) for seat in range(state.seats)]


def weighed(game: Game, views: Views, done: Done) -> dict[int, Weighed]:  # noqa: ARG001
    view = next(iter(views.values()))  # before the cards are laid all know the same
    if view.seats > 2:
        solved = list(zip(*geier_many.solved(view, ROUNDS), strict=True))
    else:
        solved = [geier.solved(view, seat, 0) for seat in range(view.seats)]
    return {seat: calculated(members(view.hand[seat]), *(part.tolist() for part in solved[seat])) for seat in views}


def round(view: State) -> int:  # noqa: A001
    return int(view.cards) - count(view.left)


def stake(view: State) -> int:
    """What a choice is about."""
    return int(view.pot)
