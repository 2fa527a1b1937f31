"""Hol's der Geier: what cards and positions are worth in an equilibrium, about as the elephant sees it."""

from cheeseboard.bots import geier, geier_many
from cheeseboard.bots.geier_many import COOL
from cheeseboard.coach import Done, Views, Weighed, calculated, of_the_win
from cheeseboard.games.core import OVER, Game, State, count, members

# Of regret matching, by players. Who cools down is harder to tempt from the mix, and what that leads to is easier to
# foresee: so chances are nearer to the truth. Yet dogs lose less to such a player than to the elephant.
ROUNDS = {3: COOL, 4: 400, 5: 400}


def chances(game: Game, state: State) -> list[float]:
    """With three players on average of all prizes that may be turned, which is nearer to the truth than what a net says
    of the position itself; and so the luck of a prize is 0 on average. With more that would take too long, and with two
    the net is right."""
    if state.phase == OVER or state.seats != 3 or count(state.left) == state.cards:
        return glance(game, state)
    return [float(share) for share in geier_many.worths_ahead(state, ROUNDS[3])]


def glance(game: Game, state: State) -> list[float]:
    """The same at first sight: what the solver believes that a round leads to."""
    if state.phase == OVER:
        return of_the_win(game, state)
    if state.seats > 2:
        return [float(share) for share in geier_many.worths_between(state, ROUNDS[state.seats])]
    return [geier.worth(state, seat) for seat in range(2)]


def weighed(game: Game, views: Views, done: Done) -> dict[int, Weighed]:  # noqa: ARG001
    view = next(iter(views.values()))  # before the cards are laid all know the same
    if view.seats > 2:
        solved = list(zip(*geier_many.solved(view, ROUNDS[view.seats]), strict=True))
    else:
        solved = [geier.solved(view, seat, 0) for seat in range(view.seats)]
    return {seat: calculated(members(view.hand[seat]), *(part.tolist() for part in solved[seat])) for seat in views}


def round(view: State) -> int:  # noqa: A001
    return int(view.cards) - count(view.left)


def stake(view: State) -> int:
    """What a choice is about."""
    return int(view.pot)
