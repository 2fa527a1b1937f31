"""The end of a game of Hol's der Geier for two, solved exactly: what it is worth, and how to mix one's cards.

>>> from cheeseboard.games import GAMES, core
>>> game = GAMES["geier"]
>>> state = core.new(game, 2, cards=2, prizes=[1, 3])
>>> game.apply(state, core.LUCK, 1, None)  # the 3 is turned up
>>> answer = exact(state, seat=0, aim="points")
>>> answer.value, answer.mix[:2].tolist()
(0.0, [0.0, 1.0])

With up to five cards in each hand this takes a few milliseconds once it is compiled. The steps are machine code, one
by one, as `lab/solve` uses them for whole games; what goes from one to the next is not, for lists of arrays keep the
compiler busy."""

from typing import Any, NamedTuple

import numpy as np

from cheeseboard.bots.geier_stages import after as spot_after
from cheeseboard.bots.geier_stages import (
    children,
    draws,
    fill,
    final,
    hands_of,
    mirrors,
    next_hands,
    next_spots,
    placed,
    solve_stage,
    spot_of,
    starts,
    targets,
    widths,
)
from cheeseboard.bots.matrix import Numbers, read_mixes, solve_in_place, tableau
from cheeseboard.games.compiled import machine_code
from cheeseboard.games.core import State, count, members
from cheeseboard.games.geier.rules import ACTIONS, BID, GOOFSPIEL, HIGHEST_MOUSE, best_mouse

AIMS = ("points", "win")  # the difference in points; or 1 for a win, -1 for a loss, 0 if nobody wins alone


class Exact(NamedTuple):
    value: float  # for this seat, if both play on as well as can be: the difference at the end, or wins minus losses
    mix: Numbers  # how often to lay each card, by action; all 0 while no prize is turned up
    others: Numbers  # the same for the other one


def exact(view: State, seat: int, aim: str = "win") -> Exact:
    """The solution of the game as it stands. Both hands must be known, as they are to a perfect memory."""
    other = 1 - seat
    lead = view.scores[seat] - view.scores[other]
    mine, theirs = view.hand[seat], view.hand[other]
    payoffs, my_mix, their_mix = np.zeros((ACTIONS, ACTIONS)), np.zeros(ACTIONS), np.zeros(ACTIONS)
    value = endgame(
        mine,
        theirs,
        prizes_that_count([view.prizes[prize] for prize in members(view.left)], view.ties, view.ranking, aim),
        view.pot,
        lead,
        *mice_of(view, seat),
        view.phase == BID,
        aim == "win",
        view.ties != GOOFSPIEL,
        aim == "win" and view.ranking == HIGHEST_MOUSE,
        payoffs,
        my_mix,
        their_mix,
    )
    return Exact(value + (lead if aim == "points" else 0), _by_action(mine, my_mix), _by_action(theirs, their_mix))


def mice_of(view: State, seat: int) -> tuple[int, int, int]:
    """The best mouse in the pot, the best that anybody has, and whose it is."""
    lying = max([view.prizes[prize] for prize in members(view.lying)], default=0)
    mine, theirs = best_mouse(view, seat), best_mouse(view, 1 - seat)
    return max(lying, 0), max(mine, theirs), int(mine > theirs) - int(mine < theirs)


def prizes_that_count(prizes: list[int], ties: int, ranking: int, aim: str) -> Any:
    """Sorted. Where no pot is carried over and no mouse looked at in the end, a vulture is as good as a mouse."""
    alike = ties == GOOFSPIEL and not (aim == "win" and ranking == HIGHEST_MOUSE)
    return np.array(sorted(map(abs, prizes) if alike else prizes), np.int64)


def _by_action(hand: int, mix: Numbers) -> Numbers:
    spread = np.zeros(ACTIONS)
    cards = members(hand)
    spread[cards] = mix[: len(cards)]
    return spread


def endgame(
    mine: int,
    theirs: int,
    prizes: Any,
    pot: int,
    lead: int,
    lying: int,
    top: int,
    holder: int,
    turned: bool,
    win: bool,
    carried: bool,
    mice: bool,
    payoffs: Any,
    my_mix: Any,
    their_mix: Any,
) -> float:
    """What the rest of the game is worth to me: points still to come, or the win.

    `mine` and `theirs`: the cards as sets; `prizes`: all not turned up yet, sorted, as `prizes_that_count` gives them;
    `pot`: with the prize in it that is `turned` up, if one is; `lying`: its best mouse; `top`: the best mouse that
    anybody has, `holder`: 1 if it is mine, -1 if it is theirs, 0 if there is none or both have one; `win`: the win
    counts, not the points; `carried`: a tied pot stays; `mice`: the win counts, and the highest mouse decides between
    equal scores. If a prize is turned up, three things are written, from the lowest card of each hand: what each of my
    cards is worth against each of theirs, and both mixes."""
    cards, fold = count(mine), not win
    left = (1 << len(prizes)) - 1
    if not win:
        lead, lying, top, holder = 0, 0, 0, 0
    hands, needs, spots = np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64)
    hands[0], spots[0] = hands_of(mine, theirs), spot_of(left, pot, lead, lying, top, holder)
    ranks = count(mine | theirs)
    first, weight, gain, then = machine_code(draws)(prizes, spots, win, carried, mice)
    if turned:  # it is the only prize that can be turned
        first, weight, gain, then = np.zeros(2, np.int64), np.empty(1), np.empty(1), np.empty((1, 3), np.int64)
        first[1], weight[0], gain[0] = 1, cards, 0.0 if win else abs(pot)
        for result in range(3):
            then[0, result] = spot_after(prizes, left, pot, lead, lying, top, holder, result, win, carried, mice)
    # forwards: which hands and spots there can be, in all stages from the first to the last
    all_hands, all_begin, all_spots, all_mirror = (
        [hands],
        [machine_code(starts)(hands, ranks, machine_code(widths)(needs))],
        [spots],
        [needs],
    )
    all_first, all_weight, all_gain, all_to = [first], [weight], [gain], [then]
    for stage in range(cards - 1, -1, -1):
        spots, needs, place = machine_code(next_spots)(needs, first, then, win)
        all_to[-1] = machine_code(targets)(then, spots, place)
        hands = machine_code(next_hands)(hands, fold)
        all_hands.append(hands)
        all_begin.append(machine_code(starts)(hands, ranks, machine_code(widths)(needs)))
        all_mirror.append(machine_code(mirrors)(spots, place, fold))
        spots, needs = machine_code(placed)(spots, place), machine_code(placed)(needs, place)
        all_spots.append(spots)
        if stage:
            first, weight, gain, then = machine_code(draws)(prizes, spots, win, carried, mice)
            all_first.append(first)
            all_weight.append(weight)
            all_gain.append(gain)
            all_to.append(then)
    # backwards: what they are worth
    values = np.empty(len(spots))
    for s in range(len(spots)):
        values[s] = final(spots[s])
    after = values
    for stage in range(1, cards + 1):
        n = cards - stage
        after, values = values, np.empty(all_begin[n][-1])
        machine_code(solve_stage)(
            stage,
            fold,
            all_hands[n],
            all_begin[n],
            0,
            len(all_hands[n]),
            all_spots[n],
            all_mirror[n],
            all_first[n],
            all_weight[n],
            all_gain[n],
            all_to[n],
            all_hands[n + 1],
            all_begin[n + 1],
            all_mirror[n + 1],
            after,
            values,
        )
    if turned:
        table, order = tableau(cards, cards)
        base, kind = np.empty((cards, cards), np.int64), np.empty((cards, cards), np.int64)
        place, plus = np.empty(6, np.int64), np.empty(3)
        machine_code(children)(all_hands[0][0], fold, all_hands[1], all_begin[1], base, kind)
        machine_code(fill)(table, cards, base, kind, all_gain[0][0], all_to[0][0], all_mirror[1], after, place, plus)
        payoffs[:cards, :cards] = table[:cards, :cards]
        machine_code(solve_in_place)(table, order, cards, cards)
        machine_code(read_mixes)(table, order, cards, cards, my_mix, their_mix)
    return float(values[0])
