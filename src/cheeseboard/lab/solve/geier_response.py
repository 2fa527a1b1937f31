"""How much can be won against somebody who mixes the cards in a known way: the best response, exactly.

A policy is a function `policy(view, seat) -> mix`: it sees what a bot sees and says how often it lays each card, by
action. It may look at hands, prizes left, pot, lead and highest mice, not at how they came about.

>>> def any_card(view, seat):
...     return core.legal_mask(GAMES["geier"], view, seat) / core.count(view.hand[seat])
>>> round(best_response(any_card, by_lead=False, prizes=[1, 2, 3, 4], ties="goofspiel").value, 9)  # (4 * 4 - 1) / 6
2.5
"""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any, NamedTuple

from cheeseboard.bots.geier_endgame import mice_of
from cheeseboard.bots.matrix import Numbers
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import LUCK, State, count, members
from cheeseboard.games.geier.rules import HIGHEST_MOUSE
from cheeseboard.lab.solve.geier import Tables, ending, solve_all

Policy = Callable[[State, int], Numbers]
POLICY, FOE = 0, 1  # the seats
NEVER = 1e-12  # a card that is laid less often than this is not laid

Position = tuple[int, ...]  # all that matters before a prize is turned up


class Response(NamedTuple):
    value: float  # what the best response gains: points, or wins minus losses
    asked: int  # in how many positions the policy was asked


class Bid(NamedTuple):
    """One decision of the policy: how often it lays each card, and for each card of the foe what follows."""

    mix: list[float]
    gains: list[list[float]]  # of the foe, by its card and by the policy's
    then: list[list[Position]]


def best_response(
    policy: Policy,
    aim: str = "points",
    *,
    solved: int = 0,
    by_lead: bool = True,
    cores: int = 1,
    progress: Callable[[int, int], object] = max,  # told how many rounds are looked through, of how many
    **options: Any,
) -> Response:
    """What the best response gains against the policy in the game with these options.

    `solved`: with so many cards or fewer in each hand the policy is known to play a solution for this aim, against
    which nothing can be gained. `by_lead=False`: the policy does not look at the lead; if points count that saves most
    of the work. With more than one core the policy must be a function that other processes can import."""
    state = core.new(GAMES["geier"], 2, **options)
    by_lead = by_lead or aim == "win"
    rounds = state.cards - solved
    positions = {position(state, by_lead): state}
    stages = []
    for done in range(rounds):
        stage, positions = look_ahead(positions, policy, aim, by_lead, cores)
        stages.append(stage)
        progress(done + 1, rounds)
    tables = solve_all(aim, keep=True, **options)[1] if solved else None
    worth = {where: -rest(state, aim, tables) for where, state in positions.items()}
    for stage in reversed(stages):
        worth = {where: sum(best(bid, worth) for bid in bids) / len(bids) for where, bids in stage.items()}
    (value,) = worth.values()
    return Response(value, sum(len(bids) for stage in stages for bids in stage.values()))


def position(state: State, by_lead: bool) -> Position:
    lead = state.scores[POLICY] - state.scores[FOE] if by_lead else 0
    mice = mice_of(state, POLICY) if state.ranking == HIGHEST_MOUSE else ()
    return (state.hand[POLICY], state.hand[FOE], state.left, state.pot, lead, *mice)


def look_ahead(
    positions: dict[Position, State], policy: Policy, aim: str, by_lead: bool, cores: int
) -> tuple[dict[Position, list[Bid]], dict[Position, State]]:
    """All bids of one round, and all positions after it."""
    turned = [
        (where, after(state, (LUCK, prize))) for where, state in positions.items() for prize in members(state.left)
    ]
    views = [core.view(GAMES["geier"], state, POLICY) for _, state in turned]
    ask = partial(policy_at, policy)
    if cores > 1:
        with ProcessPoolExecutor(cores) as crew:
            mixes = list(crew.map(ask, views, chunksize=64))
    else:
        mixes = [ask(view) for view in views]
    stage: dict[Position, list[Bid]] = {where: [] for where in positions}
    following: dict[Position, State] = {}
    for (where, state), mix in zip(turned, mixes, strict=True):
        bid = Bid([share for _, share in mix], [], [])
        for card in members(state.hand[FOE]):
            ends = [after(state, (POLICY, own), (FOE, card)) for own, _ in mix]
            bid.then.append([position(end, by_lead) for end in ends])
            bid.gains.append([gained(state, end) if aim == "points" else 0.0 for end in ends])
            following.update(zip(bid.then[-1], ends, strict=True))
        stage[where].append(bid)
    return stage, following


def policy_at(policy: Policy, view: State) -> list[tuple[int, float]]:
    """The cards that the policy lays, and how often."""
    mix = policy(view, POLICY)
    laid = [(card, float(mix[card])) for card in members(view.hand[POLICY]) if mix[card] > NEVER]
    whole = sum(share for _, share in laid)
    assert abs(whole - 1) < 1e-6, f"expected a mix of the cards in hand, got {mix} for {view}"
    return [(card, share / whole) for card, share in laid]


def after(state: State, *moves: tuple[int, int]) -> State:
    end = state.copy()
    for seat, action in moves:
        GAMES["geier"].apply(end, seat, action, None)
    return end


def gained(before: State, end: State) -> float:
    """The points that the foe has won on the policy."""
    mine, theirs = (end.scores[seat] - before.scores[seat] for seat in (FOE, POLICY))
    return float(mine - theirs)


def rest(state: State, aim: str, tables: Tables | None) -> float:
    """What the rest of the game is worth to the policy, if there is a rest and both play it as well as can be."""
    if count(state.hand[POLICY]) and tables:
        return tables.value(state)
    return ending(state) if aim == "win" else 0.0


def best(bid: Bid, worth: dict[Position, float]) -> float:
    return max(
        sum(share * (gain + worth[where]) for share, gain, where in zip(bid.mix, gains, then, strict=True))
        for gains, then in zip(bid.gains, bid.then, strict=True)
    )
