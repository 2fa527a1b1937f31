"""Three and more players: each round is solved for its symmetric equilibrium (`symmetric`), on what it leads to.

What a position is worth to each is the share of the win. With very few cards left it is found by playing on in all
ways; with more, nets know it about (`geier_nets`). Sums depend on their order, so everything is done in an order of the
players that does not depend on who sits where."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cheeseboard.bots.agreement import agreement, cooled
from cheeseboard.bots.geier_course import follow, room_for, shares, turn
from cheeseboard.bots.geier_nets import (
    BY_MOUSE,
    CARRY,
    FACTS,
    GOOFSPIEL,
    MOST,
    TOP_LYING,
    buffers_for,
    even_out,
    guessed,
    net_of,
)
from cheeseboard.bots.geier_thumb import people
from cheeseboard.bots.geier_two import best_mouse
from cheeseboard.bots.symmetric import against, learn, order, settle, solve, throw
from cheeseboard.games.compiled import machine_code
from cheeseboard.games.core import State, members

Floats = npt.NDArray[np.float64]

LEAST = 0.02  # of a mix: what is bid more rarely was only tried out
EXACT = {3: 4, 4: 3, 5: 3}  # cards in a hand, by players, up to which all is played out
ROUNDS = 100  # of regret matching, for each card but one, where all is played out


class Effort(NamedTuple):
    """How to think about a round."""

    exact: int  # with so many cards in a hand, or fewer, all is played out; else what follows is the net's
    whole: int = 16_384  # if it takes no more questions to the net, all joint bids are looked at; else some are drawn
    rounds: int = 0  # of regret matching
    meetings: int = 1000  # joint bids of the others that are looked at, if drawn, to know what a card is worth
    cool: bool = False  # players cool down instead of matching regrets, where all joint bids are looked at


def sort_players(hands: Any, scores: Any, tops: Any, seats: Any, kind: Any) -> int:
    """An order of the players by their situations, and who is in the same one; how many kinds there are."""
    n, k = hands.shape
    keys = np.zeros(n, np.int64)
    for who in range(n):
        for at in range(k):
            keys[who] |= 1 << hands[who, at]
        keys[who] |= (scores[who] + 2048) << 16 | tops[who] << 32
    return order(keys, seats, kind)


def sorted_by(seats: Any, hands: Any, scores: Any, tops: Any) -> Any:
    """What each has, in this order of the players. By loops: other ways keep the compiler busy for seconds."""
    n, k = hands.shape
    hands_now, scores_now, tops_now = np.empty((n, k), np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    for place in range(n):
        scores_now[place], tops_now[place] = scores[seats[place]], tops[seats[place]]
        for card in range(k):
            hands_now[place, card] = hands[seats[place], card]
    return hands_now, scores_now, tops_now


def solve_round(
    hands: Any, scores: Any, tops: Any, values: Any, pot: int, mouse: int, facts: Any, net: Any, effort: Any,
    habits: Any, mixes: Any, worths: Any,
) -> None:  # fmt: skip
    """The mixes of all for this pot, and what each of their cards is worth. `values` are the prizes left after it.

    If joint bids are drawn, `habits` say how often, of all times, each bids which card without looking for the best.
    Where all is played out the number of rounds is fixed, for what is expected of a position must be what is done when
    it comes."""
    n, k = hands.shape
    hands_then, scores_then, tops_then = np.zeros((n, k - 1), np.int64), np.zeros_like(scores), np.zeros_like(tops)
    then, bids, share = np.zeros_like(facts), np.zeros(n, np.int64), np.zeros(n)
    if k == 1:
        follow(hands, scores, tops, bids, pot, mouse, facts, hands_then, scores_then, tops_then, then)
        shares(scores_then, tops_then, then, share)
        for who in range(n):
            mixes[who, 0] = 1.0
            worths[who, 0] = share[who]
        return
    seats, kind = np.zeros(n, np.int64), np.zeros(n, np.int64)
    kinds = sort_players(hands, scores, tops, seats, kind)
    hands, scores, tops = sorted_by(seats, hands, scores, tops)
    mix = np.zeros((kinds, k))
    if k > effort.exact and k**n * n > effort.whole:
        by_draws(hands, scores, tops, values, pot, mouse, facts, net, effort, habits, kind, mix, seats, worths)
    else:
        table = np.zeros((n, k**n))
        mixes_then, worths_then = np.zeros((n, k - 1)), np.zeros((n, k - 1))
        left = np.zeros(k - 2, np.int64)
        buffers = buffers_for(net)
        for joint in range(k**n):
            code = joint
            for who in range(n - 1, -1, -1):
                bids[who] = code % k
                code //= k
            follow(hands, scores, tops, bids, pot, mouse, facts, hands_then, scores_then, tops_then, then)
            if k <= effort.exact:
                share[:] = 0.0
                for up in range(k - 1):
                    pot_then, mouse_then = turn(values, up, then, left)
                    solve_round(hands_then, scores_then, tops_then, left, pot_then, mouse_then, then, net, effort,
                                habits, mixes_then, worths_then)  # fmt: skip
                    for who in range(n):
                        for card in range(k - 1):
                            share[who] += mixes_then[who, card] * worths_then[who, card] / (k - 1)
            else:
                for who in range(n):
                    share[who] = guessed(hands_then, scores_then, tops_then, values, then, who, net, buffers)
                even_out(share)
            for who in range(n):
                table[who, joint] = share[who]
        moves, scratch = np.full(n, k, np.int64), np.zeros(k**n)
        if effort.cool:
            cooled(table, kind, mix)
        elif k <= effort.exact:
            agreement(table, kind, ROUNDS * (k - 1), mix)
        else:
            solve(table, moves, kind, effort.rounds, mix)
        for place in range(n):
            if place and kind[place] == kind[place - 1]:  # by another order of the others something tiny would differ
                worths[seats[place]] = worths[seats[place - 1]]
            else:
                against(table[place], moves, kind, mix, place, worths[seats[place]], scratch)
    for place in range(n):
        for card in range(k):
            mixes[seats[place], card] = mix[kind[place], card]


def look_ahead(
    hands: Any, scores: Any, tops: Any, values: Any, facts: Any, ups: Any, net: Any, effort: Any, worths: Any
) -> None:
    """What the position is worth between two rounds, on average of these prizes that may be turned: each round is
    solved."""
    n, k = hands.shape
    habits, mixes, of_cards = np.zeros((n, k)), np.zeros((n, k)), np.zeros((n, k))
    rest = np.zeros(k - 1, np.int64)
    worths[:] = 0.0
    for up in ups:
        pot, mouse = turn(values, up, facts, rest)
        solve_round(hands, scores, tops, rest, pot, mouse, facts, net, effort, habits, mixes, of_cards)
        for who in range(n):
            for card in range(k):
                worths[who] += mixes[who, card] * of_cards[who, card] / len(ups)


def by_draws(
    hands: Any, scores: Any, tops: Any, values: Any, pot: int, mouse: int, facts: Any, net: Any, effort: Any,
    habits: Any, kind: Any, mix: Any, seats: Any, worths: Any,
) -> None:  # fmt: skip
    """Too many joint bids to look at all: draw what the others bid, and learn what each card would have brought."""
    n, k = hands.shape
    kinds = len(mix)
    regret, average, values_of = np.zeros((kinds, k)), np.zeros((kinds, k)), np.zeros((n, k))
    hands_then, scores_then, tops_then, then = room_for(n, k - 1)
    bids, tried, likely = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(k)
    buffers = buffers_for(net)
    dice = np.zeros(1, np.uint64)  # the same for all who look at this position: they agree on what to expect
    mix[:] = 1 / k
    for number in range(effort.rounds):
        for who in range(n):
            habit = habits[seats[who]]
            looking = 1 - habit.sum()
            for card in range(k):
                likely[card] = habit[card] + looking * mix[kind[who], card]
            bids[who] = throw(likely, k, dice)
        for who in range(n):
            for other in range(n):
                tried[other] = bids[other]
            for card in range(k):
                tried[who] = card
                follow(hands, scores, tops, tried, pot, mouse, facts, hands_then, scores_then, tops_then, then)
                values_of[who, card] = guessed(hands_then, scores_then, tops_then, values, then, who, net, buffers)
        for who in range(n):
            learn(regret[kind[who]], average[kind[who]], mix[kind[who]], values_of[who], k, number + 1.0, 0.0)
    for which in range(kinds):
        settle(average[which], k, LEAST, mix[which])
    measure(hands, scores, tops, values, pot, mouse, facts, net, effort.meetings, kind, mix, seats, worths)


def measure(
    hands: Any, scores: Any, tops: Any, values: Any, pot: int, mouse: int, facts: Any, net: Any, meetings: int,
    kind: Any, mix: Any, seats: Any, worths: Any,
) -> None:  # fmt: skip
    """What each card is worth when the mixes are found: against all that the others may bid, or against many draws.

    Not by the draws that the mixes were learnt from: these suit the mixes too well."""
    n, k = hands.shape
    room, bids, buffers = room_for(n, k - 1), np.zeros(n, np.int64), buffers_for(net)
    dice, whole = np.ones(1, np.uint64), 0.0
    for me in range(n):
        row = worths[seats[me]]
        if me and kind[me] == kind[me - 1]:
            row[:] = worths[seats[me - 1]]
        else:
            row[:] = 0.0
            ways = ways_of_others(me, kind, mix)
            for way in range(min(ways, meetings)):
                share = meeting(way if ways <= meetings else -1, me, kind, mix, bids, dice)
                for card in range(k):
                    bids[me] = card
                    follow(hands, scores, tops, bids, pot, mouse, facts, *room)
                    hands_then, scores_then, tops_then, then = room
                    row[card] += share * guessed(hands_then, scores_then, tops_then, values, then, me, net, buffers)
            row /= meetings if ways > meetings else 1
        whole += (mix[kind[me]] * row).sum()
    for who in range(n):  # as in `even_out`
        worths[who] /= whole


def ways_of_others(me: int, kind: Any, mix: Any) -> int:
    """How many joint bids of the others there are."""
    ways = 1
    for other in range(len(kind)):
        if other != me:
            ways *= (mix[kind[other]] > 0).sum()
    return ways


def meeting(way: int, me: int, kind: Any, mix: Any, bids: Any, dice: Any) -> float:
    """What the others bid: the way of this number, and how often it comes; or any, drawn, if it is -1."""
    share = 1.0
    for other in range(len(kind)):
        if other == me:
            continue
        row = mix[kind[other]]
        if way < 0:
            bids[other] = throw(row, len(row), dice)
        else:
            size = (row > 0).sum()
            bids[other] = nth_bid(row, way % size)
            way //= size
            share *= row[bids[other]]
    return share


def nth_bid(mix: Any, number: int) -> int:
    """The card that is the n-th of those that are bid at all."""
    card = 0
    while mix[card] == 0 or number > 0:
        number -= int(mix[card] > 0)
        card += 1
    return card


def meet(
    hands: Any, scores: Any, tops: Any, values: Any, pot: int, mouse: int, facts: Any, net: Any, me: int, mixes: Any,
    rounds: int, worths: Any,
) -> None:  # fmt: skip
    """What each of my cards is worth on average against bids drawn from these mixes."""
    n, k = hands.shape
    hands_then, scores_then, tops_then, then = room_for(n, k - 1)
    bids = np.zeros(n, np.int64)
    buffers = buffers_for(net)
    dice = np.zeros(1, np.uint64)
    for _ in range(rounds):
        for who in range(n):
            bids[who] = throw(mixes[who], k, dice)
        for card in range(k):
            bids[me] = card
            follow(hands, scores, tops, bids, pot, mouse, facts, hands_then, scores_then, tops_then, then)
            worths[card] += guessed(hands_then, scores_then, tops_then, values, then, me, net, buffers) / rounds


# --- from a view ----------------------------------------------------------------------------------------------------


class Rounds(NamedTuple):
    """A round solved: for each seat how often to bid which card, in the order of its hand, and what each is worth."""

    mixes: Floats
    worths: Floats


def position(view: State) -> tuple[Any, ...]:
    """The arguments that most functions here begin with: hands, scores, top mice, prizes, pot, its mouse, facts."""
    seats = range(view.seats)
    facts = np.zeros(FACTS, np.int64)
    facts[GOOFSPIEL], facts[BY_MOUSE] = view.ties, view.ranking
    return (
        np.array([members(view.hand[seat]) for seat in seats], np.int64),
        np.array(view.scores[: view.seats], np.int64),
        np.array([best_mouse(view, view.won[seat]) * view.ranking for seat in seats], np.int64),
        np.sort(np.array([view.prizes[prize] for prize in members(view.left)], np.int64)),
        view.pot,
        best_mouse(view, view.lying) * view.ranking,
        facts,
    )


def solved(view: State, rounds: int, share: float = 0.0, *, cool: bool = False, meetings: int = 1000) -> Rounds:
    """`share`: of all bids are expected to be people's. `cool` and `meetings`: see `Effort`."""
    at = position(view)
    n, k = at[0].shape
    mixes, worths, habits = np.zeros((n, k)), np.zeros((n, k)), np.zeros((n, k))
    effort = Effort(EXACT[n], rounds=rounds, meetings=meetings, cool=cool)
    if share:
        effort = effort._replace(whole=0)
        bids = people(view)
        for seat, hand in enumerate(at[0]):
            habits[seat] = share * bids[seat, hand]
    machine_code(solve_round)(*at, net_of(n, k - 1, cool=cool), effort, habits, mixes, worths)
    return Rounds(mixes, worths)


def between(view: State) -> tuple[Any, ...]:
    """Hands, scores, top mice, prizes and facts between two rounds."""
    hands, scores, tops, values, carry, mouse, facts = position(view)
    facts[CARRY], facts[TOP_LYING] = carry, mouse
    return hands, scores, tops, values, facts


def worths_between(view: State, rounds: int) -> Floats:
    """What the position is worth to each seat between two rounds, before a prize is turned, if all cool down."""
    hands, scores, tops, values, facts = between(view)
    n, k = hands.shape
    net, worths = net_of(n, k, cool=True), np.zeros(n)
    if k > MOST:
        worths[:] = 1 / n  # nobody has played a card
    elif k >= EXACT[n]:
        for who in range(n):
            worths[who] = machine_code(guessed)(hands, scores, tops, values, facts, who, net, buffers_for(net))
        even_out(worths)
    elif k == 0:
        shares(scores, tops, facts, worths)
    else:
        return worths_ahead(view, rounds)
    return worths


def worths_ahead(view: State, rounds: int) -> Floats:
    """The same on average of all prizes that may be turned, each of their rounds solved."""
    at = between(view)
    n, k = at[0].shape
    worths = np.zeros(n)
    effort = Effort(EXACT[n], rounds=rounds, cool=True)
    machine_code(look_ahead)(*at, np.arange(k), net_of(n, k - 1, cool=True), effort, worths)
    return worths


def worths_against(view: State, seat: int, mixes: Floats, rounds: int) -> Floats:
    """What each card of the seat is worth if the others bid by these mixes."""
    at = position(view)
    n, k = at[0].shape
    if k <= 2:  # there is no net for what follows
        worths: Floats = solved(view, rounds).worths[seat]
        return worths
    worths = np.zeros(k)
    machine_code(meet)(*at, net_of(n, k - 1), seat, mixes, rounds, worths)
    return worths
