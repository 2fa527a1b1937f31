"""Hol's der Geier for two, solved backwards from the last card: the steps, as plain functions that numba compiles.

A stage is the number of cards that both still hold. What matters in a stage has two halves that move independently:

- the *hands*: only the order of the cards counts, so two hands are the ranks of their cards among all that are left,
  packed into one number. With `fold` one of each pair of mirror images stands for both: what is good for one player
  is as bad for the other.
- the *spot*: prizes left, pot carried over, lead, and where the highest mouse decides, who has it; one number as well.
  If points are what counts, the lead is left out; if winning counts, all spots in which nobody can turn the game any
  more are two: WON and LOST.

The higher card gains |pot| on the lower one, whether the pot is good or bad. A carried pot needs as many ties as it
has cards, and every tie takes a rank away: spots are sorted by that `need`, and hands with little `room` for ties have
values for the first of them only."""

from typing import Any

import numpy as np

from cheeseboard.bots.matrix import solve_in_place, tableau
from cheeseboard.games.core import count

HIGHER, LOWER, EQUAL = range(3)  # my card, seen from theirs
LOST, WON = 0, 1  # spots; all others are greater
ROOMS = 16  # more ties than cards there cannot be
RANKS = 15
SPOT = 1 << 55
ZERO = 2048  # of numbers that may be negative


# --- spots ----------------------------------------------------------------------------------------------------------


def spot_of(left: int, pot: int, lead: int, lying: int, top: int, holder: int) -> int:
    """`lying`: the best mouse of the pot; `top`: the best mouse that anybody has; `holder`: 1 I, -1 they, 0 both."""
    return SPOT | left | (pot + ZERO) << 15 | (lead + ZERO) << 27 | lying << 39 | top << 46 | (holder + 1) << 53


def left_of(spot: int) -> int:
    return spot & 0x7FFF


def pot_of(spot: int) -> int:
    return ((spot >> 15) & 0xFFF) - ZERO


def lead_of(spot: int) -> int:
    return ((spot >> 27) & 0xFFF) - ZERO


def lying_of(spot: int) -> int:
    return (spot >> 39) & 0x7F


def top_of(spot: int) -> int:
    return (spot >> 46) & 0x7F


def holder_of(spot: int) -> int:
    return ((spot >> 53) & 3) - 1


def mirrored(spot: int) -> int:
    """The same spot with the seats changed."""
    if spot <= WON:
        return WON + LOST - spot
    return spot_of(left_of(spot), pot_of(spot), -lead_of(spot), lying_of(spot), top_of(spot), -holder_of(spot))


def after(
    prizes: Any,
    left: int,
    pot: int,
    lead: int,
    lying: int,
    top: int,
    holder: int,
    result: int,
    win: bool,
    carried: bool,
    mice: bool,
) -> int:
    """The spot after the cards are shown, pot and `lying` with the new prize in them."""
    if result == EQUAL:
        if not carried:
            pot, lying = 0, 0
    else:
        side = 1 if result == HIGHER else -1
        lead += side * abs(pot)
        if mice:
            taker = side if pot >= 0 else -side
            if lying > top:
                top, holder = lying, taker
            elif lying == top and holder == -taker:
                holder = 0
        pot, lying = 0, 0
    if left == 0:
        pot, lying = 0, 0  # lost
    return settled(prizes, left, pot, lead, lying, top, holder, win, mice)


def settled(
    prizes: Any, left: int, pot: int, lead: int, lying: int, top: int, holder: int, win: bool, mice: bool
) -> int:
    """The spot before a prize is turned, without what does not matter any more."""
    if not win:
        return spot_of(left, pot, 0, 0, 0, 0)
    reach, best = abs(pot), lying
    for prize in range(len(prizes)):
        if (left >> prize) & 1:
            reach += abs(prizes[prize])
            best = max(best, prizes[prize])
    if lead > reach:
        return WON
    if lead < -reach:
        return LOST
    if not mice:
        return spot_of(left, pot, lead, 0, 0, 0)
    if lying < top:
        lying = 0
    if best < top:
        top = 127  # nobody can better it, so it does not matter which it is
    return spot_of(left, pot, lead, lying, top, holder)


def final(spot: int) -> float:
    """What a spot is worth when no card is left: a lead is WON or LOST, level scores go to the highest mouse."""
    if spot <= WON:
        return 1.0 if spot == WON else -1.0
    return float(holder_of(spot))


def draws(prizes: Any, spots: Any, win: bool, carried: bool, mice: bool) -> Any:
    """Every prize that may be turned in every spot, equal prizes as one: `first` (of each spot, and behind the last),
    `weight` (how many equal ones), `gain` in points and the three spots `then` if my card is higher, lower, equal."""
    first = np.zeros(len(spots) + 1, np.int64)
    for s in range(len(spots)):
        first[s + 1] = first[s]
        if spots[s] > WON:
            for prize in range(len(prizes)):
                first[s + 1] += int(equal_ones(prizes, left_of(spots[s]), prize) > 0)
    weight, gain = np.empty(first[-1]), np.empty(first[-1])
    then = np.empty((first[-1], 3), np.int64)
    draw = 0
    for s in range(len(spots)):
        if spots[s] > WON:
            left, lead, top, holder = left_of(spots[s]), lead_of(spots[s]), top_of(spots[s]), holder_of(spots[s])
            for prize in range(len(prizes)):
                number = equal_ones(prizes, left, prize)
                if number:
                    pot, rest = pot_of(spots[s]) + prizes[prize], left & ~(1 << prize)
                    lying = max(lying_of(spots[s]), prizes[prize]) if mice else 0
                    weight[draw] = number
                    gain[draw] = 0.0 if win else abs(pot)
                    for result in range(3):
                        then[draw, result] = after(
                            prizes, rest, pot, lead, lying, top, holder, result, win, carried, mice
                        )
                    draw += 1
    return first, weight, gain, then


def equal_ones(prizes: Any, left: int, prize: int) -> int:
    """How many equal prizes are left, told by the one with the highest number; 0 from all others. That one is turned
    first: so sets of equal prizes are the same set."""
    beyond = prize + 1
    if not (left >> prize) & 1 or (beyond < len(prizes) and prizes[beyond] == prizes[prize] and (left >> beyond) & 1):
        return 0
    number = 0
    for other in range(beyond):
        number += int(prizes[other] == prizes[prize])
    return number


def next_spots(needs: Any, first: Any, then: Any, win: bool) -> Any:
    """All spots that the draws lead to, sorted; how many ties each needs at the least; their places by that need."""
    extra = 2 if win else 0
    found = np.empty(then.size + extra, np.int64)
    at = 0
    for s in range(len(needs)):
        for draw in range(first[s], first[s + 1]):
            for result in range(3):
                need = needs[s] + 1 if result == EQUAL and then[draw, result] > WON else 0
                found[at] = then[draw, result] << 4 | need
                at += 1
    if win:
        found[at], found[at + 1] = LOST << 4, WON << 4
    found = in_order(found)
    number = 0
    for n in range(len(found)):
        if n == 0 or found[n] >> 4 != found[number - 1] >> 4:
            found[number] = found[n]
            number += 1
    spots, need_of = np.empty(number, np.int64), np.empty(number, np.int64)
    for s in range(number):
        spots[s], need_of[s] = found[s] >> 4, found[s] & 15
    place, at = np.empty(number, np.int64), 0
    for need in range(ROOMS):
        for s in range(number):
            if need_of[s] == need:
                place[s] = at
                at += 1
    return spots, need_of, place


def targets(then: Any, spots: Any, place: Any) -> Any:
    """The spots that the draws lead to, as places."""
    to = np.empty(then.shape, np.int64)
    for draw in range(len(then)):
        for result in range(3):
            to[draw, result] = place[find(spots, then[draw, result])]
    return to


def mirrors(spots: Any, place: Any, fold: bool) -> Any:
    """For each place that of the mirrored spot; nobody asks if nothing is folded."""
    to = np.zeros(len(spots), np.int64)
    if fold:
        for s in range(len(spots)):
            to[place[s]] = place[find(spots, mirrored(spots[s]))]
    return to


def placed(values: Any, place: Any) -> Any:
    """In the order of places."""
    ordered = np.empty(len(values), np.int64)
    for n in range(len(values)):
        ordered[place[n]] = values[n]
    return ordered


def widths(needs: Any) -> Any:
    """How many spots there are for hands with room for 0, 1, 2 ... ties."""
    wide = np.zeros(ROOMS, np.int64)
    for need in needs:
        for room in range(need, ROOMS):
            wide[room] += 1
    return wide


def in_order(numbers: Any) -> Any:
    """Sorted, by merging ever longer runs. numba's own sort does the same in a quarter of a line and takes the compiler
    three seconds."""
    size, run = len(numbers), 1
    other = np.empty(size, np.int64)
    while run < size:
        for low in range(0, size, 2 * run):
            one, two = low, min(low + run, size)
            middle, end = two, min(low + 2 * run, size)
            for at in range(low, end):
                if two >= end or (one < middle and numbers[one] <= numbers[two]):
                    other[at] = numbers[one]
                    one += 1
                else:
                    other[at] = numbers[two]
                    two += 1
        numbers, other = other, numbers
        run *= 2
    return numbers


def find(ordered: Any, wanted: int) -> int:
    low, high = 0, len(ordered) - 1
    while low < high:
        middle = (low + high) >> 1
        if ordered[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


# --- hands ----------------------------------------------------------------------------------------------------------


def hands_of(mine: int, theirs: int) -> int:
    """Two hands as one number, ranks that nobody holds left out."""
    low, high, rank = 0, 0, 0
    for card in range(RANKS):
        low |= ((mine >> card) & 1) << rank
        high |= ((theirs >> card) & 1) << rank
        rank += ((mine | theirs) >> card) & 1
    return low | high << RANKS


def mine_of(hands: int) -> int:
    return hands & 0x7FFF


def theirs_of(hands: int) -> int:
    return hands >> RANKS


def folded(hands: int, fold: bool) -> int:
    """The one that stands for both mirror images."""
    if fold and mine_of(hands) > theirs_of(hands):
        return theirs_of(hands) | mine_of(hands) << RANKS
    return hands


def next_hands(hands: Any, fold: bool) -> Any:
    """All hands after both have laid a card, sorted. One player after the other: sorting half-way saves most of it."""
    half = fewer(hands, 0, False)
    return fewer(half, RANKS, fold)


def fewer(hands: Any, whose: int, fold: bool) -> Any:
    """All hands when one card is taken from the one whose ranks begin at bit `whose`."""
    total = 0
    for h in range(len(hands)):
        total += count((hands[h] >> whose) & 0x7FFF)
    found = np.empty(total, np.int64)
    at = 0
    for h in range(len(hands)):
        for rank in range(RANKS):
            if (hands[h] >> (whose + rank)) & 1:
                rest = hands[h] & ~(1 << (whose + rank))
                found[at] = folded(hands_of(mine_of(rest), theirs_of(rest)), fold)
                at += 1
    found = in_order(found)
    number = 0
    for n in range(total):
        if n == 0 or found[n] != found[number - 1]:
            found[number] = found[n]
            number += 1
    return found[:number].copy()


def starts(hands: Any, ranks: int, wide: Any) -> Any:
    """Where the values of each hands begin, and behind the last. `ranks`: how many there were at the beginning."""
    begin = np.zeros(len(hands) + 1, np.int64)
    for h in range(len(hands)):
        room = ranks - count(mine_of(hands[h]) | theirs_of(hands[h]))
        begin[h + 1] = begin[h] + wide[min(room, ROOMS - 1)]
    return begin


# --- values ---------------------------------------------------------------------------------------------------------


def children(hands: int, fold: bool, next_ones: Any, next_starts: Any, base: Any, kind: Any) -> None:
    """For each pair of cards, lowest first: where the values begin of the hands that are left, and the result of the
    cards, plus 4 if those hands are folded over."""
    mine, theirs = mine_of(hands), theirs_of(hands)
    i = 0
    for own in range(RANKS):
        if (mine >> own) & 1:
            j = 0
            for other in range(RANKS):
                if (theirs >> other) & 1:
                    rest = hands_of(mine & ~(1 << own), theirs & ~(1 << other))
                    stands = folded(rest, fold)
                    base[i, j] = next_starts[find(next_ones, stands)]
                    result = EQUAL
                    if own != other:
                        result = HIGHER if own > other else LOWER
                    kind[i, j] = result + 4 * int(stands != rest)
                    j += 1
            i += 1


def fill(
    table: Any, cards: int, base: Any, kind: Any, gain: float, to: Any, mirror: Any, values: Any, place: Any, plus: Any
) -> None:
    """Write the payoffs of one draw: for each pair of cards the gain, and what the rest is worth. `place` and `plus`
    are room for six numbers each: without a branch this takes half the time."""
    for result in range(3):
        place[result], place[result + 3] = to[result], mirror[to[result]]
    plus[HIGHER], plus[LOWER], plus[EQUAL] = gain, -gain, 0.0
    for i in range(cards):
        for j in range(cards):
            fold = kind[i, j] >> 2
            result = kind[i, j] & 3
            table[i, j] = (1 - 2 * fold) * values[base[i, j] + place[result + 3 * fold]] + plus[result]


def solve_stage(
    cards: int,
    fold: bool,
    hands: Any,
    begin: Any,
    low: int,
    high: int,
    spots: Any,
    mirror: Any,
    first: Any,
    weight: Any,
    gain: Any,
    to: Any,
    next_ones: Any,
    next_begin: Any,
    next_mirror: Any,
    next_values: Any,
    values: Any,
) -> int:
    """Fill in the values of hands number `low` up to `high` in all spots, before the prize is turned; how many matrix
    games that took."""
    table, order = tableau(cards, cards)
    base, kind = np.empty((cards, cards), np.int64), np.empty((cards, cards), np.int64)
    place, plus = np.empty(6, np.int64), np.empty(3)
    solved = 0
    for h in range(low, high):
        children(hands[h], fold, next_ones, next_begin, base, kind)
        even = fold and mine_of(hands[h]) == theirs_of(hands[h])
        for s in range(begin[h + 1] - begin[h]):
            at = begin[h] + s
            if spots[s] <= WON:
                values[at] = final(spots[s])
            elif even and mirror[s] <= s:
                values[at] = 0.0 if mirror[s] == s else -values[begin[h] + mirror[s]]
            else:
                total = 0.0
                for draw in range(first[s], first[s + 1]):
                    fill(table, cards, base, kind, gain[draw], to[draw], next_mirror, next_values, place, plus)
                    total += weight[draw] * solve_in_place(table, order, cards, cards)
                    solved += 1
                values[at] = total / cards
    return solved
