"""Memento: what to take next, by what a collection may still become.

The planner takes what adds most to its own collection, less what it leaves for the next player. All of this runs as it
stands, with a `State`, or as machine code, with records: it is also how play-outs are played."""

from typing import Any

from cheeseboard.bots.memento_tables import ALL, ANY, FAR, KIND, MIDDLE, TIMES
from cheeseboard.games.core import EMPTY
from cheeseboard.games.memento.rules import (
    CARD,
    CATEGORIES,
    COLOURS,
    DESIGNS,
    FACE_DOWN,
    LARGEST,
    MOST,
    OPEN,
    PASS,
    PILES,
    SHAPES,
    SMALLEST,
    SYMBOL,
)

# --- what there is --------------------------------------------------------------------------------------------------


def survey(state: Any, mind: Any) -> None:
    """What everybody has, as far as the state tells."""
    for seat in range(state.seats):
        count, kinds, have = mind.count[seat], mind.kinds[seat], mind.have[seat]
        for category in range(CATEGORIES):
            count[category] = 0
            kinds[category] = 0
        for design in range(DESIGNS):
            number = state.openly[seat][design] + max(state.secretly[seat][design], 0)
            have[design] = number
            if number > 0:
                colour, shape = design // SHAPES, COLOURS + design % SHAPES
                count[colour] += number
                count[shape] += number
                kinds[colour] += 1
                kinds[shape] += 1


def look(state: Any, mind: Any) -> int:
    """The cards that have been seen nowhere; how many they are."""
    total = 0
    for design in range(DESIGNS):
        number = ALL[state.deck][design]
        for seat in range(state.seats):
            number -= mind.have[seat][design]
        for pile in range(OPEN):
            number -= int(state.top[pile] == design)
        mind.unseen[design] = max(number, 0)
        total += max(number, 0)
    return total


def turns_left(state: Any, mind: Any) -> int:
    lying = 0
    for pile in range(PILES):
        lying += state.lying[pile]
    return min(int(mind.turns * lying), int(lying // state.seats), int(mind.sight))


# --- what it is worth -----------------------------------------------------------------------------------------------


def times(card: int, number: int, kinds: int) -> int:
    """How often a scoring card gives its points."""
    if TIMES[card] == CARD:
        return number
    return kinds if TIMES[card] == SYMBOL else 1


def ahead(state: Any, seat: int, category: int, mind: Any) -> int:
    """By how much more than 0 the condition of a card that compares is met."""
    kind, number = KIND[state.laid[category]], mind.count[seat][category]
    sign = 1 if kind in (LARGEST, MOST) else -1
    lead = FAR
    if kind >= MOST:
        for other in range(state.seats):
            if other != seat:
                lead = min(lead, sign * (number - mind.count[other][category]))
    else:
        for other in range(CATEGORIES):
            if other != category and state.laid[other] != EMPTY:
                lead = min(lead, sign * (number - mind.count[seat][other]))
    return lead


def weigh(state: Any, seat: int, turns: int, mind: Any) -> None:
    """In `gain`, what each design would add to what the collection will give."""
    for category in range(CATEGORIES):
        same = fresh = 0.0
        card = state.laid[category]
        if card != EMPTY:
            number, kinds = mind.count[seat][category], mind.kinds[seat][category]
            if KIND[card] < LARGEST:
                table = mind.worth[card][turns]
                same = table[kinds][number + 1] - table[kinds][number]
                fresh = table[kinds + 1][number + 1] - table[kinds][number]
            elif KIND[card] >= MOST:
                leads, lead = mind.lead[card][turns], MIDDLE + ahead(state, seat, category, mind)
                then = leads[lead + 1 if KIND[card] == MOST else lead - 1]
                same = times(card, number + 1, kinds) * then - times(card, number, kinds) * leads[lead]
                fresh = times(card, number + 1, kinds + 1) * then - times(card, number, kinds) * leads[lead]
        mind.same[category] = same
        mind.fresh[category] = fresh
    for design in range(DESIGNS):
        colour, shape = design // SHAPES, COLOURS + design % SHAPES
        if mind.have[seat][design] > 0:
            mind.gain[seat][design] = mind.same[colour] + mind.same[shape]
        else:
            mind.gain[seat][design] = mind.fresh[colour] + mind.fresh[shape]
    for category in range(CATEGORIES):
        card = state.laid[category]
        if card != EMPTY and (KIND[card] == LARGEST or KIND[card] == SMALLEST):
            weigh_own(state, seat, category, turns, mind)


def weigh_own(state: Any, seat: int, category: int, turns: int, mind: Any) -> None:
    """The same for a card that compares one's own colours and shapes, which any card taken may change."""
    card = state.laid[category]
    sign = 1 if KIND[card] == LARGEST else -1
    count, number, kinds = mind.count[seat], mind.count[seat][category], mind.kinds[seat][category]
    first, level = -FAR, 0  # the one to be compared with, and how many are level there
    for other in range(CATEGORIES):
        if other != category and state.laid[other] != EMPTY:
            if sign * count[other] > first:
                first, level = sign * count[other], 0
            level += int(sign * count[other] == first)
    leads = mind.lead[card][turns]
    now = times(card, number, kinds) * leads[MIDDLE + sign * number - first]
    for design in range(DESIGNS):
        colour, shape = design // SHAPES, COLOURS + design % SHAPES
        own = int(category in (colour, shape))
        moved = int(colour != category and sign * count[colour] == first)
        moved += int(shape != category and sign * count[shape] == first)
        passed = moved > 0 if sign > 0 else moved == level  # the largest grows with any of them, the smallest with all
        lead = sign * (number + own - int(passed)) - first
        new = own * int(mind.have[seat][design] == 0)
        mind.gain[seat][design] += times(card, number + own, kinds + new) * leads[MIDDLE + lead] - now


# --- what to do -----------------------------------------------------------------------------------------------------


def plan(state: Any, seat: int, mind: Any) -> int:
    """The best action, and in `option` what each is worth, in points. The mind must know what everybody has."""
    turns, unseen = turns_left(state, mind), look(state, mind)
    after = seat + 1 if seat + 1 < state.seats else 0
    weigh(state, seat, turns, mind)
    weigh(state, after, turns, mind)
    drawn, drawn_after = average(seat, unseen, ANY, mind), average(after, unseen, ANY, mind)
    best = PASS
    for action in range(PASS, -1, -1):
        if action < PASS and state.lying[action] == 0:
            continue
        left = 0.0  # for the next player, who may also pass
        if state.lying[FACE_DOWN] > int(action == FACE_DOWN):
            left = max(left, drawn_after)
        for pile in range(OPEN):
            if pile != action and state.lying[pile] > 0:
                left = max(left, mind.gain[after][state.top[pile]])
        worth = 0.0
        if action < OPEN:
            worth = mind.gain[seat][state.top[action]]
            if state.lying[action] > 1:
                left = average(after, unseen, left, mind)
        elif action == FACE_DOWN:
            worth = drawn
        elif state.passes + 1 + int(left == 0) >= state.seats:  # this ends the round, or the next player will
            worth = lost(state, after, turns, mind) * mind.regard - lost(state, seat, turns, mind)
            left = 0.0
        mind.option[action] = worth - mind.regard * left
        if mind.option[action] > mind.option[best]:
            best = action
    return best


def average(seat: int, unseen: int, least: float, mind: Any) -> float:
    """What a card that nobody has seen yet would add; is it less than `least`, something else is taken."""
    total = 0.0
    for design in range(DESIGNS):
        total += mind.unseen[design] * max(mind.gain[seat][design], least)
    return total / max(unseen, 1)


def lost(state: Any, seat: int, turns: int, mind: Any) -> float:
    """What the seat misses if nobody takes anything any more."""
    total = 0.0
    for category in range(CATEGORIES):
        card = state.laid[category]
        if card != EMPTY:
            number, kinds = mind.count[seat][category], mind.kinds[seat][category]
            if KIND[card] < LARGEST:
                total += mind.worth[card][turns][kinds][number] - mind.worth[card][0][kinds][number]
            else:
                lead = MIDDLE + ahead(state, seat, category, mind)
                total += times(card, number, kinds) * (mind.lead[card][turns][lead] - mind.lead[card][0][lead])
    return total


def grab(state: Any, seat: int, mind: Any) -> int:
    """What adds most to the own score as it stands, with no thought of later; pass, if nothing does."""
    unseen = look(state, mind)
    weigh(state, seat, 0, mind)
    best, most = PASS, 0.0
    for pile in range(PILES):
        if state.lying[pile] > 0:
            worth = mind.gain[seat][state.top[pile]] if pile < OPEN else average(seat, unseen, ANY, mind)
            if worth > most:
                best, most = pile, worth
    return best
