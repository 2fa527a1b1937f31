"""Mausen: what cards and positions are worth, as the elephant sees it. The only luck are the others."""

from cheeseboard.bots import mausen
from cheeseboard.coach import Done, Views, Weighed, calculated, of_the_win
from cheeseboard.games.core import OVER, Game, State, count, members
from cheeseboard.games.mausen.rules import ACTIONS

BUDGET = 10_000  # joint choices looked at, for one round


def chances(game: Game, state: State) -> list[float]:
    if state.phase == OVER:
        return of_the_win(game, state)
    asked = weighed(game, dict.fromkeys(range(state.seats), state), {})
    return [asked[seat].value for seat in range(state.seats)]


def weighed(game: Game, views: Views, done: Done) -> dict[int, Weighed]:  # noqa: ARG001
    view = next(iter(views.values()))  # before the cards are laid all know the same
    found = mausen.thoughts(game, view, BUDGET)
    mixes, worths = found.mix.tolist(), found.good.tolist()
    return {seat: calculated(members(view.hand[seat]), mixes[seat], worths[seat]) for seat in views}


def round(view: State) -> int:  # noqa: A001
    return ACTIONS + 1 - count(view.hand[0])


def stake(view: State) -> int:  # noqa: ARG001
    """Nothing that one number could tell: the whole middle lies open."""
    return 0
