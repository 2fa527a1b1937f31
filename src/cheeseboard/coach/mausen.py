"""Mausen: what cards and positions are worth, as the elephant sees it. The only luck are the others."""

from cheeseboard.bots import mausen
from cheeseboard.coach import Weighed, of_the_win
from cheeseboard.games.core import OVER, Game, State, members

BUDGET = 10_000  # joint choices looked at, for one round


def chances(game: Game, state: State) -> list[float]:
    if state.phase == OVER:
        return of_the_win(game, state)
    asked = weighed(game, state)
    return [asked[seat].value for seat in range(state.seats)]


def weighed(game: Game, view: State) -> dict[int, Weighed]:
    found = mausen.thoughts(game, view, BUDGET)
    mixes, worths = found.mix.tolist(), found.good.tolist()
    return {
        seat: Weighed(
            dict(zip(members(view.hand[seat]), mixes[seat], strict=False)),  # as long as a full hand
            dict(zip(members(view.hand[seat]), worths[seat], strict=False)),
        )
        for seat in range(view.seats)
    }


def stake(view: State) -> int:  # noqa: ARG001
    """Nothing that one number could tell: the whole middle lies open."""
    return 0
