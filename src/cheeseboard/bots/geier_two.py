"""Two players: nothing is hidden but the card of this round, so every round is a matrix game, and what it leads to has
a worth: the chance to win less the chance to lose. With few cards left the worth is exact (`geier_endgame`), with more
of them a small net for each number of cards knows it about (`lab/train/geier.py` made them, from the end backwards).

Only the order of the cards matters, and prizes only compared with each other: so the nets see places in the order, and
shares of all that is still to be had. That way they serve any deck."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cheeseboard.bots.geier_endgame import endgame
from cheeseboard.bots.matrix import solve_matrix
from cheeseboard.bots.nets import layer, load, total
from cheeseboard.games.compiled import machine_code
from cheeseboard.games.core import State, members
from cheeseboard.games.geier.rules import BID

Cards = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# what there is to know besides cards and prizes, as a list of numbers
CARRY, LEAD, GOOFSPIEL, BY_MOUSE, TOP_MINE, TOP_THEIRS, TOP_LYING, POINTS = range(8)
FACTS = 8
# CARRY: the pot that lies from before. LEAD: my points less theirs. GOOFSPIEL: whether a tie discards the prize.
# BY_MOUSE: whether the highest mouse decides between equal scores; TOP_...: that mouse, 0 for none, and all 0 if not.
# POINTS: whether points are what counts (worth is in points), or the win (worth is the chance to win less to lose).

EXACT, EXACT_POINTS = 7, 8  # cards in a hand up to which a round is solved exactly: for points no lead matters
MOST = 14  # cards for which there is a net: the whole game is worth nothing to both
ALONE = 10  # inputs that describe the position as a whole; six more for each card in a hand


def inputs(cards: int) -> int:
    return 6 * cards + ALONE


def swing(values: Any, facts: Any) -> Any:
    """The most that the lead can still change."""
    most = abs(facts[CARRY])
    for value in values:
        most += abs(value)
    return most


def describe(mine: Any, theirs: Any, values: Any, facts: Any, seen: Any) -> None:
    """What a net sees: `seen[0]` with my eyes, `seen[1]` with the other's.

    The prizes must be sorted by size. Every number lies near 0 and near 1 in size."""
    k = len(mine)
    squares = float(facts[CARRY] * facts[CARRY])
    for value in values:
        squares += value * value
    most = float(max(swing(values, facts), 1))
    below, below_other = 0, 0
    for n in range(k):
        while below < k and theirs[below] < mine[n]:
            below += 1
        while below_other < k and mine[below_other] < theirs[n]:
            below_other += 1
        equal = int(below < k and theirs[below] == mine[n])
        equal_other = int(below_other < k and mine[below_other] == theirs[n])
        seen[0, n] = seen[1, k + n] = below / k
        seen[0, k + n] = seen[1, n] = below_other / k
        seen[0, 2 * k + n] = seen[1, 3 * k + n] = equal
        seen[0, 3 * k + n] = seen[1, 2 * k + n] = equal_other
        seen[0, 4 * k + n] = seen[1, 4 * k + n] = abs(values[n]) * k / most
        seen[0, 5 * k + n] = seen[1, 5 * k + n] = values[n] * k / most
    best = 0
    for value in values:
        best = max(best, value)
    best = max(best, facts[TOP_LYING])
    ahead = (facts[TOP_MINE] > facts[TOP_THEIRS]) - (facts[TOP_MINE] < facts[TOP_THEIRS])
    settled = best < max(facts[TOP_MINE], facts[TOP_THEIRS])
    lead = 0 if facts[POINTS] else facts[LEAD]  # what is won is won
    n = 6 * k
    for eyes in range(2):
        sign = 1 - 2 * eyes
        seen[eyes, n] = 3 * sign * lead / most
        seen[eyes, n + 1] = sign * lead / np.sqrt(max(squares, 1.0))
        seen[eyes, n + 2] = facts[CARRY] * 2 / most
        seen[eyes, n + 3] = abs(facts[CARRY]) * 2 / most
        seen[eyes, n + 4] = facts[GOOFSPIEL]
        seen[eyes, n + 5] = facts[BY_MOUSE]
        seen[eyes, n + 6] = facts[BY_MOUSE] * sign * ahead
        seen[eyes, n + 7] = facts[BY_MOUSE] * sign * ahead * settled
        seen[eyes, n + 8] = np.sqrt(max(squares, 1.0)) / most
        seen[eyes, n + 9] = abs(lead) * 3 / most


def result(lead: int, top: int, top_other: int, points: int) -> float:
    """What the end is worth."""
    if points:
        return float(lead)
    if lead == 0:
        lead = top - top_other
    return float((lead > 0) - (lead < 0))


def known(values: Any, facts: Any, worth: Any) -> bool:
    """Write the worth if it is certain: the end, or a lead too great to lose."""
    if len(values) == 0:
        worth[0] = result(facts[LEAD], facts[TOP_MINE], facts[TOP_THEIRS], facts[POINTS])
        return True
    most = swing(values, facts)
    if facts[POINTS] or abs(facts[LEAD]) <= most:
        return False
    worth[0] = 1.0 if facts[LEAD] > 0 else -1.0
    return True


def read(raw: float, raw_other: float, values: Any, facts: Any) -> Any:
    """What the net's two answers mean: the worth changes its sign with the eyes."""
    answer = 0.5 * (float(raw) - float(raw_other))
    if facts[POINTS]:
        return answer * swing(values, facts) + facts[LEAD]
    return answer / np.sqrt(1.0 + answer * answer)  # a square root is exact everywhere, tanh is not


def follow(mine: Any, theirs: Any, a: int, b: int, up: int, facts: Any, hand: Any, other: Any, then: Any) -> None:
    """What becomes of the position when a and b are bid for the prize `up`: the hands and facts after it."""
    for n in range(len(hand)):
        hand[n] = mine[n + (n >= a)]
        other[n] = theirs[n + (n >= b)]
    for fact in range(FACTS):  # a slice would take the compiler four seconds
        then[fact] = facts[fact]
    pot = facts[CARRY] + up
    lying = max(facts[TOP_LYING], up * facts[BY_MOUSE])
    then[CARRY] = 0
    then[TOP_LYING] = 0
    if mine[a] == theirs[b]:
        if not facts[GOOFSPIEL]:
            then[CARRY] = pot
            then[TOP_LYING] = lying
        return
    then[LEAD] += abs(pot) if mine[a] > theirs[b] else -abs(pot)
    taker = TOP_MINE if (mine[a] > theirs[b]) == (pot >= 0) else TOP_THEIRS
    then[taker] = max(then[taker], lying)


def without(values: Any, up: int, rest: Any) -> None:
    for n in range(len(rest)):
        rest[n] = values[n + (n >= up)]


def buffers_for(net: Any) -> Any:
    """Room to ask a net in."""
    w1, w2 = net[0], net[2]
    return (
        np.empty((2, w1.shape[0]), np.float32),
        np.empty(w1.shape[1], np.float32),
        np.empty(w2.shape[1], np.float32),
        np.empty(2),
    )


def worth_by_net(mine: Any, theirs: Any, values: Any, facts: Any, net: Any, buffers: Any) -> Any:
    """The worth of a position before the next prize is turned, by the net for so many cards."""
    w1, b1, w2, b2, w3 = net
    seen, first, second, raw = buffers
    if known(values, facts, raw):
        return raw[0]
    describe(mine, theirs, values, facts, seen)
    for eyes in range(2):
        layer(seen[eyes], w1, b1, first)
        layer(first, w2, b2, second)
        raw[eyes] = total(second, w3)
    return read(raw[0], raw[1], values, facts)


def matrix_by_net(mine: Any, theirs: Any, values: Any, up: int, facts: Any, net: Any, table: Any) -> None:
    """What each card is worth against each, for the prize `values[up]`, by the net for one card less."""
    k = len(mine)
    hand, other, rest = np.empty(k - 1, np.int64), np.empty(k - 1, np.int64), np.empty(k - 1, np.int64)
    then, buffers = np.empty(FACTS, np.int64), buffers_for(net)
    without(values, up, rest)
    for a in range(k):
        for b in range(k):
            follow(mine, theirs, a, b, values[up], facts, hand, other, then)
            table[a, b] = worth_by_net(hand, other, rest, then, net, buffers)


# --- from a view ----------------------------------------------------------------------------------------------------


class Position(NamedTuple):
    """What a seat sees of a game for two."""

    mine: Cards
    theirs: Cards
    values: Cards  # the prizes left and the one just turned, by size
    up: int | None  # the place of the latter
    facts: Cards


def position(view: State, seat: int, *, points: bool = False) -> Position:
    """`up` is None between two rounds: then `values` are the prizes left, and all of the pot is carried over."""
    other = 1 - seat
    prizes, up = members(view.left), None
    if view.phase == BID:
        up = latest(view)
        prizes.append(up)
    prizes.sort(key=lambda prize: (abs(view.prizes[prize]), view.prizes[prize]))
    facts = np.zeros(FACTS, np.int64)
    facts[CARRY] = view.pot - (0 if up is None else view.prizes[up])
    facts[LEAD] = view.scores[seat] - view.scores[other]
    facts[GOOFSPIEL] = view.ties
    facts[POINTS] = points
    if view.ranking and not points:
        facts[BY_MOUSE] = 1
        facts[TOP_MINE] = best_mouse(view, view.won[seat])
        facts[TOP_THEIRS] = best_mouse(view, view.won[other])
        facts[TOP_LYING] = best_mouse(view, view.lying)
    mine, theirs = (np.array(members(view.hand[who]), np.int64) for who in (seat, other))
    values = np.array([view.prizes[prize] for prize in prizes], np.int64)
    return Position(mine, theirs, values, None if up is None else prizes.index(up), facts)


def latest(view: State) -> int:
    """The prize just turned. Which of several in the pot it was is forgotten and does not matter: any will do."""
    return members(view.lying)[-1]


def best_mouse(view: State, prizes: int) -> int:
    return max([0, *(int(view.prizes[prize]) for prize in members(prizes))])


class Round(NamedTuple):
    """A round solved: how often to bid which card (in the order of the hands), and what it is worth."""

    worth: float
    mix: Floats
    mix_other: Floats
    payoffs: Floats  # what each card is worth against each


def solve(at: Position) -> Round:
    """Exact with few cards; by the nets with more."""
    k = len(at.mine)
    payoffs, mix, mix_other = np.zeros((k, k)), np.zeros(k), np.zeros(k)
    if k <= exact_up_to(at.facts):
        worth = endgame(*(*end_of(*at), payoffs, mix, mix_other))
        if at.facts[POINTS]:  # what is still to come, so far
            payoffs += at.facts[LEAD]
            worth += at.facts[LEAD]
    else:
        nets = "geier-points" if at.facts[POINTS] else "geier-two"
        machine_code(matrix_by_net)(*at, net_of(nets, k - 1), payoffs)
        worth, mix, mix_other = machine_code(solve_matrix)(payoffs)
    return Round(worth, mix, mix_other, payoffs)


def exact_up_to(facts: Cards) -> int:
    return EXACT_POINTS if facts[POINTS] else EXACT


def end_of(mine: Cards, theirs: Cards, values: Cards, up: int | None, facts: Cards) -> tuple[Any, ...]:
    """What `endgame` wants to know. `up` is None while no prize is turned."""
    carried, mice = not facts[GOOFSPIEL], bool(facts[BY_MOUSE])
    prizes = values if up is None else np.delete(values, up)
    if not (carried or mice):
        prizes = abs(prizes)  # a vulture is as good as a mouse there
    turned = 0 if up is None else int(values[up])
    top, top_other = int(facts[TOP_MINE]), int(facts[TOP_THEIRS])
    return (
        sum(1 << card for card in mine.tolist()),
        sum(1 << card for card in theirs.tolist()),
        np.sort(prizes),
        int(facts[CARRY]) + turned,
        int(facts[LEAD]),
        max(int(facts[TOP_LYING]), turned) if mice else 0,
        max(top, top_other),
        (top > top_other) - (top < top_other),
        up is not None,
        not facts[POINTS],
        carried,
        mice,
    )


def worth_exact(mine: Cards, theirs: Cards, values: Cards, facts: Cards) -> float:
    """The worth of a position before the next prize is turned, played out in all ways."""
    nothing = np.zeros((0, 0)), np.zeros(0), np.zeros(0)
    worth = endgame(*(*end_of(mine, theirs, values, None, facts), *nothing))
    return float(worth + facts[LEAD] * facts[POINTS])


def worth(at: Position) -> float:
    """The worth between two rounds: exact if few cards are left, else by the net that all rounds before go by."""
    k = len(at.mine)
    if k < exact_up_to(at.facts):
        return worth_exact(at.mine, at.theirs, at.values, at.facts)
    if k > MOST:
        return 0.0  # nobody has played a card
    net = net_of("geier-points" if at.facts[POINTS] else "geier-two", k)
    return float(machine_code(worth_by_net)(at.mine, at.theirs, at.values, at.facts, net, buffers_for(net)))


@cache
def net_of(nets: str, cards: int) -> tuple[Any, ...]:
    weights = load(nets)
    return tuple(weights[f"{cards}-{n}"] for n in range(5))


def sums(table: Floats, mix: Floats) -> Floats:
    """The mean of each row. Not by `@`, which may add up in another order on another machine."""
    total = np.zeros(len(table))
    for column, share in enumerate(mix):
        total += table[:, column] * share
    return total
