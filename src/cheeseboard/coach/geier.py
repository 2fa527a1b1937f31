"""Hol's der Geier: what cards and positions are worth in an equilibrium, about as the elephant sees it."""

from cheeseboard.bots import geier, geier_many
from cheeseboard.coach import Done, Views, Weighed, calculated, of_the_win
from cheeseboard.games.core import OVER, Game, State, count, members

# Of regret matching, where there are too many joint bids for all to be looked at. Where they are, players cool down: so
# they are harder to tempt from their mixes, and what that leads to is easier to foresee, which makes chances truer. Yet
# dogs lose less to such players than to the elephant.
ROUNDS = 400
AHEAD = {2: 0, 3: 14, 4: 8, 5: 7}  # cards, by players, up to which chances are those after one more round


def chances(game: Game, state: State) -> list[float]:
    """With three and more on average of all prizes that may be turned, which is nearer to the truth than what a net
    says of the position itself; and so the luck of a prize is 0 on average. With many cards that would take too long,
    with two players the net is right, and before the first round all are equal."""
    left = count(state.left)
    if state.phase == OVER or left == state.cards or left > AHEAD[state.seats]:
        return glance(game, state)
    return [float(share) for share in geier_many.worths_ahead(state, ROUNDS)]


def glance(game: Game, state: State) -> list[float]:
    """The same at first sight: what the solver believes that a round leads to."""
    if state.phase == OVER:
        return of_the_win(game, state)
    if state.seats > 2:
        return [float(share) for share in geier_many.worths_between(state, ROUNDS)]
    return [geier.worth(state, seat) for seat in range(2)]


def weighed(game: Game, views: Views, done: Done) -> dict[int, Weighed]:  # noqa: ARG001
    view = next(iter(views.values()))  # before the cards are laid all know the same
    if view.seats > 2:
        solved = list(zip(*geier_many.solved(view, ROUNDS, cool=True), strict=True))
    else:
        solved = [geier.solved(view, seat, 0) for seat in range(view.seats)]
    return {seat: calculated(members(view.hand[seat]), *(part.tolist() for part in solved[seat])) for seat in views}


def round(view: State) -> int:  # noqa: A001
    return int(view.cards) - count(view.left)


def stake(view: State) -> int:
    """What a choice is about."""
    return int(view.pot)
