"""Memento: what to take next, by what a collection may still become.

The planner takes what adds most to its own collection, less what it leaves for the next player. All of this runs as it
stands, with a `State`, or as machine code, with records: it is also how play-outs are played."""

from typing import Any

from cheeseboard.bots.memento_tables import ALL, ANY, EVERY, FAR, KIND, MIDDLE, OWN, TIMES
from cheeseboard.games.core import EMPTY, Set, nth
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


def look(state: Any, mind: Any) -> None:
    """The cards that have been seen nowhere. What they are worth to whom has to be weighed anew."""
    for seat in range(state.seats):
        mind.stale[seat] = EVERY
    for design in range(DESIGNS):
        number = ALL[state.deck][design]
        for seat in range(state.seats):
            number -= mind.have[seat][design]
        for pile in range(OPEN):
            number -= int(state.top[pile] == design)
        mind.unseen[design] = max(number, 0)


def collect(state: Any, seat: int, design: int, mind: Any) -> None:
    """One more card of somebody's: what `survey` would find then, and who would weigh what there is in another way."""
    colour, shape = design // SHAPES, COLOURS + design % SHAPES
    new = int(mind.have[seat][design] == 0)
    mind.have[seat][design] += 1
    mind.count[seat][colour] += 1
    mind.count[seat][shape] += 1
    mind.kinds[seat][colour] += new
    mind.kinds[seat][shape] += new
    mind.stale[seat] |= 1 << colour | 1 << shape
    compared = int(compares(state.laid[colour])) << colour | int(compares(state.laid[shape])) << shape
    for other in range(state.seats):
        mind.stale[other] |= compared


def compares(card: int) -> bool:
    """Whether the scoring card looks at the others, too."""
    return card != EMPTY and KIND[card] >= MOST


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


def weigh_anew(state: Any, seat: int, turns: int, mind: Any) -> None:
    """Only where something has changed for that seat: play-outs do little else."""
    if mind.stale[seat] != 0:
        weigh(state, seat, turns, mind, mind.stale[seat])
        mind.stale[seat] = 0


def weigh(state: Any, seat: int, turns: int, mind: Any, changed: Set = EVERY) -> None:
    """In `gain`, what each design would add to what the collection will give. `changed`: colours and shapes."""
    have, gain = mind.have[seat], mind.gain[seat]
    fresh, same = mind.adds[seat][0], mind.adds[seat][1]
    while changed != 0:
        category = nth(changed, 0)
        changed &= changed - 1
        fresh[category] = same[category] = 0.0
        card = state.laid[category]
        if card != EMPTY:
            number, kinds = mind.count[seat][category], mind.kinds[seat][category]
            if KIND[card] < LARGEST:
                table = mind.worth[card][turns]
                now = table[kinds][number]
                same[category] = table[kinds][number + 1] - now
                fresh[category] = table[kinds + 1][number + 1] - now
            elif KIND[card] >= MOST:
                leads, lead = mind.lead[card][turns], MIDDLE + ahead(state, seat, category, mind)
                then = leads[lead + 1 if KIND[card] == MOST else lead - 1]
                now = times(card, number, kinds) * leads[lead]
                same[category] = times(card, number + 1, kinds) * then - now
                fresh[category] = times(card, number + 1, kinds + 1) * then - now
    for design in range(DESIGNS):
        adds = mind.adds[seat][int(have[design] > 0)]
        gain[design] = adds[design // SHAPES] + adds[COLOURS + design % SHAPES]
    for category in range(CATEGORIES):
        card = state.laid[category]
        if card != EMPTY and (KIND[card] == LARGEST or KIND[card] == SMALLEST):
            weigh_own(state, seat, category, turns, mind)


def weigh_own(state: Any, seat: int, category: int, turns: int, mind: Any) -> None:
    """The same for a card that compares one's own colours and shapes, which any card taken may change."""
    card = state.laid[category]
    sign = 1 if KIND[card] == LARGEST else -1
    count, number, kinds = mind.count[seat], mind.count[seat][category], mind.kinds[seat][category]
    have, gain, moved = mind.have[seat], mind.gain[seat], mind.moved
    first, level = -FAR, 0  # the one to be compared with, and how many are level there
    for other in range(CATEGORIES):
        if other != category and state.laid[other] != EMPTY:
            if sign * count[other] > first:
                first, level = sign * count[other], 0
            level += int(sign * count[other] == first)
    for other in range(CATEGORIES):
        moved[other] = int(sign * count[other] == first)
    moved[category] = OWN
    leads = mind.lead[card][turns]
    now = times(card, number, kinds) * leads[MIDDLE + sign * number - first]
    passed = times(card, number, kinds) * leads[MIDDLE + sign * (number - 1) - first] - now
    for both in (1, 2):  # the largest grows with any of those that are level, the smallest with all
        mind.change[both] = passed if sign > 0 or both == level else 0.0
    for design in range(DESIGNS):
        gain[design] += mind.change[moved[design // SHAPES] + moved[COLOURS + design % SHAPES]]
    own, step, many = (category * SHAPES, 1, SHAPES) if category < COLOURS else (category - COLOURS, SHAPES, COLOURS)
    for design in range(own, own + step * many, step):
        both = moved[design // SHAPES] + moved[COLOURS + design % SHAPES] - OWN
        grows = both > 0 if sign > 0 else both == level
        lead, new = sign * (number + 1 - int(grows)) - first, int(have[design] == 0)
        gain[design] += times(card, number + 1, kinds + new) * leads[MIDDLE + lead] - now


# --- what to do -----------------------------------------------------------------------------------------------------


def plan(state: Any, seat: int, mind: Any) -> int:
    """The best action, and in `option` what each is worth, in points. The mind must know what everybody has."""
    look(state, mind)
    return choose(state, seat, mind)


def choose(state: Any, seat: int, mind: Any) -> int:
    """The same for a mind that knows what has been seen nowhere, too."""
    turns = turns_left(state, mind)
    after = seat + 1 if seat + 1 < state.seats else 0
    if turns != mind.ahead:
        mind.ahead = turns
        for other in range(state.seats):
            mind.stale[other] = EVERY
    weigh_anew(state, seat, turns, mind)
    weigh_anew(state, after, turns, mind)
    drawn, drawn_after = average(seat, ANY, mind), average(after, ANY, mind)
    best = PASS
    known, then = ANY, drawn_after  # what was averaged last: mostly the same again
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
                if left != known:
                    known, then = left, average(after, left, mind)
                left = then
        elif action == FACE_DOWN:
            worth = drawn
        elif state.passes + 1 + int(left == 0) >= state.seats:  # this ends the round, or the next player will
            worth = lost(state, after, turns, mind) * mind.regard - lost(state, seat, turns, mind)
            left = 0.0
        mind.option[action] = worth - mind.regard * left
        if mind.option[action] > mind.option[best]:
            best = action
    return best


def average(seat: int, least: float, mind: Any) -> float:
    """What a card that nobody has seen yet would add; is it less than `least`, something else is taken."""
    total, unseen = 0.0, 0
    for design in range(DESIGNS):
        total += mind.unseen[design] * max(mind.gain[seat][design], least)
        unseen += mind.unseen[design]
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
    look(state, mind)
    weigh(state, seat, 0, mind)
    best, most = PASS, 0.0
    for pile in range(PILES):
        if state.lying[pile] > 0:
            worth = mind.gain[seat][state.top[pile]] if pile < OPEN else average(seat, ANY, mind)
            if worth > most:
                best, most = pile, worth
    return best
