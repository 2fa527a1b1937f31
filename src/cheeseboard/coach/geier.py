"""Hol's der Geier: what cards and positions are worth in an equilibrium, about as the elephant sees it."""

from cheeseboard.bots import geier, geier_many, geier_quick
from cheeseboard.coach import Done, Views, Weighed, calculated, of_the_win
from cheeseboard.games.core import OVER, Game, State, count, members

# Of regret matching, where there are too many joint bids for all to be looked at. Where they are, players cool down: so
# they are harder to tempt from their mixes, and what that leads to is easier to foresee. Yet dogs lose less to such
# players than to the elephant.
ROUNDS = 400
MEETINGS = {3: 1000, 4: 1000, 5: 300}  # by players; with 300 costs are off by 0.5 % of the win, with 1000 by 0.2 %
AHEAD = {3: 14, 4: 8, 5: 5}  # cards, by players, up to which a round is expected to be what its prizes lead to
ERROR = 0.006  # the standard error of a chance, where it can be had
TRIES = {3: 1800, 4: 1500, 5: 1000}  # games, by players, that are played on for it at most


def chances(game: Game, state: State) -> list[float]:
    """With three and more, as long as there is much to come, tried out by players who bid at a glance: nets that tell
    what positions are worth are wrong by a few percent, and over a whole game that adds up."""
    if state.phase == OVER or state.seats == 2:
        return glance(game, state)
    left = count(state.left)
    if left == state.cards:
        return [1 / state.seats] * state.seats
    if left <= geier_many.EXACT[state.seats]:
        return ahead(state)
    return [float(share) for share in geier_quick.tried(state, ERROR, TRIES[state.seats])]


def expected(game: Game, state: State, told: list[float]) -> list[float]:
    """By what `weighed` goes by. With three and more on average of all prizes that may be turned, so that the luck of a
    prize is 0 on average; with many cards that would take too long. Before the first round all are equal."""
    left = count(state.left)
    if state.seats == 2 or left == state.cards or left <= geier_many.EXACT[state.seats]:
        return told
    return ahead(state) if left <= AHEAD[state.seats] else glance(game, state)


def ahead(state: State) -> list[float]:
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
        solved = list(zip(*geier_many.solved(view, ROUNDS, cool=True, meetings=MEETINGS[view.seats]), strict=True))
    else:
        solved = [geier.solved(view, seat, 0) for seat in range(view.seats)]
    return {seat: calculated(members(view.hand[seat]), *(part.tolist() for part in solved[seat])) for seat in views}


def round(view: State) -> int:  # noqa: A001
    return int(view.cards) - count(view.left)


def stake(view: State) -> int:
    """What a choice is about."""
    return int(view.pot)
