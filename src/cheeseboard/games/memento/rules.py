"""Memento: take cards, lay them face down, and remember what you have.

Four piles lie in the middle, three of them face up. In turn each player takes the top card of a pile or passes. A card
taken is laid face down and may not be looked at again. When all have passed in succession or no card is left, every
colour and every shape is scored for everybody, each by the scoring card laid at it for this round. Three rounds are
played, with other scoring cards each time; the most points win, then the most points of the last round.

A card that nobody has seen yet lies in no place of its own: which pile it is in is settled when LUCK turns it."""

from typing import Any

import numpy as np

from cheeseboard.games.core import (
    EMPTY,
    EVERYONE,
    HIDDEN,
    LOT,
    LUCK,
    NOBODY,
    OVER,
    SEATS,
    Set,
    count,
    draw,
    emit,
    places,
    record,
    settings,
)

BOX = settings(__package__)
SIGNS = BOX["colours"] + BOX["shapes"]
COLOURS, SHAPES = len(BOX["colours"]), len(BOX["shapes"])
DESIGNS = COLOURS * SHAPES  # design = colour * SHAPES + shape
CATEGORIES = COLOURS + SHAPES  # what is scored: the colours, then the shapes
SCORING = len(BOX["scoring"])
ALL_SCORING = (1 << SCORING) - 1
OPEN, PILES = 3, 4  # piles 0 to 2 lie face up, the last one face down
FACE_DOWN, PASS = 3, 4  # actions of players: 0 to 2 the open piles, 3 the hidden one, 4 pass
ACTIONS = max(SCORING, DESIGNS, PASS + 1)  # of LUCK: a seat, a scoring card or a design, by phase
LAPS = 3  # the rounds of the rule booklet; `round` is a word of NumPy's records
STRICT, NOTEBOOK, _ = range(3)  # choices of the option `memory`
LAY, TURN, DRAW, PLAY = range(4)  # phases: LUCK lays scoring cards, turns up a top, draws for a player; a player acts
EVENTS = (
    *("age", "turned", "begins", "took", "drew", "passed", "all_passed", "all_taken"),
    *("shown", "scored", "total", "won"),
    *(f"laid_{sign}" for sign in SIGNS),
)
AGE, TURNED, BEGINS, TOOK, DREW, PASSED, ALL_PASSED, ALL_TAKEN = range(8)
SHOWN, SCORED, TOTAL, WON, LAID = range(8, 13)  # LAID + category

# the choices of the option `deck`: what is in them
DECKS = [BOX["decks"][choice] for choice in BOX["options"]["deck"]]
PLAYED = [[sign not in deck["without"] for sign in SIGNS] for deck in DECKS]
ORDER_CARDS = np.array([sum(played << i for i, played in enumerate(signs)) for signs in PLAYED])  # sets of categories
COPIES = np.array([[BOX["copies"] * (c and s) for c in signs[:COLOURS] for s in signs[COLOURS:]] for signs in PLAYED])
DIFFERENT = np.array([[sum(signs[COLOURS:])] * COLOURS + [sum(signs[:COLOURS])] * SHAPES for signs in PLAYED])
HIDDEN_CARDS = np.array([deck["face_down"] for deck in DECKS])
OPEN_CARDS = (COPIES.sum(axis=1) - HIDDEN_CARDS) // OPEN  # in each open pile

# the scoring cards
PER_WORDS = ("once", "card", "symbol")
_, CARD, SYMBOL = range(3)
WHEN_WORDS = ("always", "even", "odd", "exactly", "fewer-than", "every-symbol", "largest", "smallest", "most", "fewest")
_, EVEN_NUMBER, ODD_NUMBER, EXACTLY, FEWER_THAN, EVERY_SYMBOL, LARGEST, SMALLEST, MOST, FEWEST = range(10)
POINTS = np.array([card["points"] for card in BOX["scoring"]])
PER = np.array([PER_WORDS.index(card.get("per", "once")) for card in BOX["scoring"]])
WHEN = np.array([WHEN_WORDS.index(card.get("when", "always")) for card in BOX["scoring"]])
NUMBER = np.array([card.get("number", 0) for card in BOX["scoring"]])

STATE = record(
    deck="i1",
    memory="i1",
    lap="i1",  # 0 to 2
    turn="i1",  # whose turn it is
    passes="i1",  # in succession
    place="i1",  # where LUCK puts the next card: at this category, or on this pile
    age=("i1", SEATS),  # 0 is the youngest
    laid=("i1", CATEGORIES),  # the scoring card at each colour and shape, or EMPTY
    scoring_left="i4",  # the scoring cards still in their pile
    lying=("i1", PILES),  # how many cards
    top=("i1", OPEN),  # the card on top, or EMPTY
    pool=("i1", ACTIONS),  # how many of each design nobody has seen yet; of LUCK's other actions none
    kinds="i4",  # the designs in the pool; luck asks for them at every other move
    cards=("i1", SEATS),  # how many each has collected
    openly=("i1", (SEATS, DESIGNS)),  # collected before all eyes
    secretly=("i1", (SEATS, DESIGNS)),  # collected from the hidden pile
    points=("i2", (SEATS, LAPS)),
    revealed=("i1", (SEATS, DESIGNS)),  # the last scoring: the collections turned over,
    counted=("i1", CATEGORIES),  # the scoring cards that counted,
    held=("i1", (SEATS, CATEGORIES)),  # how many cards of each colour and shape,
    marks=("i1", (SEATS, CATEGORIES)),  # and the points they gave
)


def start(state: Any) -> None:
    state.phase = LOT
    state.turn = EMPTY
    for seat in range(SEATS):
        state.age[seat] = EMPTY
    for category in range(CATEGORIES):
        state.counted[category] = EMPTY
    lay_out(state)


def lay_out(state: Any) -> None:
    """The table as a round begins, before the first scoring card and the first top card are turned up."""
    state.passes = 0
    state.kinds = 0
    for design in range(DESIGNS):
        state.pool[design] = int(COPIES[state.deck][design])
        state.kinds |= int(state.pool[design] > 0) << design
    for pile in range(OPEN):
        state.lying[pile] = int(OPEN_CARDS[state.deck])
        state.top[pile] = EMPTY
    state.lying[FACE_DOWN] = int(HIDDEN_CARDS[state.deck])
    for seat in range(state.seats):
        state.cards[seat] = 0
        for design in range(DESIGNS):
            state.openly[seat][design] = 0
            state.secretly[seat][design] = 0
    for category in range(CATEGORIES):
        state.laid[category] = EMPTY
    if count(state.scoring_left) < count(int(ORDER_CARDS[state.deck])):  # MEM-10: too few are left
        state.scoring_left = ALL_SCORING
    state.place = next_category(state, EMPTY)


def legal(state: Any, seat: int) -> Set:
    if seat == LUCK:
        return drawable(state)
    if state.phase != PLAY or seat != state.turn:
        return 0
    bits = 1 << PASS
    for pile in range(PILES):
        bits |= int(state.lying[pile] > 0) << pile
    return bits


def drawable(state: Any) -> Set:
    if state.phase in (TURN, DRAW):
        return max(state.kinds, 0)  # in a view it is blanked
    if state.phase == LAY:
        return state.scoring_left
    bits = 0
    if state.phase == LOT:
        for seat in range(state.seats):
            bits |= int(state.age[seat] == EMPTY) << seat
    return bits


def odds(state: Any, action: int) -> int:
    return state.pool[action] if state.phase in (TURN, DRAW) else 1


def waiting(state: Any) -> Set:
    if state.phase == PLAY:
        return 1 << state.turn
    return 1 << LUCK if state.phase != OVER else 0


def apply(state: Any, seat: int, action: int, events: Any) -> None:
    if seat == LUCK:
        if state.phase == TURN:
            turn_up(state, action, events)
        elif state.phase == DRAW:
            draw_hidden(state, action, events)
        elif state.phase == LAY:
            lay(state, action, events)
        else:
            draw_age(state, action, events)
    elif action == PASS:
        state.passes += 1
        emit(events, PASSED, seat, EMPTY, state.passes, 23, EVERYONE)
        if state.passes == state.seats:
            emit(events, ALL_PASSED, NOBODY, EMPTY, state.lap + 1, 26, EVERYONE)
            finish(state, events)
        else:
            next_player(state)
    elif action == FACE_DOWN:
        state.passes = 0
        state.phase = DRAW  # the card lies on the pile until LUCK has said which it is
    else:
        take(state, seat, action, events)


# --- LUCK prepares a round ------------------------------------------------------------------------------------------


def draw_age(state: Any, seat: int, events: Any) -> None:
    """The youngest first; the last one follows by itself."""
    drawn = 0
    last = 0
    for other in range(state.seats):
        if state.age[other] != EMPTY:
            drawn += 1
        elif other != seat:
            last = other
    state.age[seat] = drawn
    emit(events, AGE, seat, EMPTY, drawn + 1, 17, EVERYONE)
    if drawn == state.seats - 2:
        state.age[last] = drawn + 1
        emit(events, AGE, last, EMPTY, drawn + 2, 17, EVERYONE)
        state.turn = starter(state)
        state.phase = LAY


def starter(state: Any) -> int:
    """Fewest points so far, then the younger (MEM-16)."""
    first = 0
    for seat in range(1, state.seats):
        fewer = state.scores[first] - state.scores[seat]
        if fewer > 0 or (fewer == 0 and state.age[seat] < state.age[first]):
            first = seat
    return first


def lay(state: Any, card: int, events: Any) -> None:
    category = state.place
    state.laid[category] = card
    state.scoring_left &= ~(1 << card)
    emit(events, LAID + category, LUCK, card, category, 8, EVERYONE)
    state.place = next_category(state, category)
    if state.place == CATEGORIES:
        state.place = 0
        state.phase = TURN


def next_category(state: Any, category: int) -> int:
    """The next one in play; CATEGORIES, if there is none."""
    category += 1
    while category < CATEGORIES and not int(ORDER_CARDS[state.deck]) >> category & 1:
        category += 1
    return category


def turn_up(state: Any, card: int, events: Any) -> None:
    pile = state.place
    leave_pool(state, card)
    state.top[pile] = card
    if pile + 1 < OPEN and state.lying[pile + 1] > 0 and state.top[pile + 1] == EMPTY:
        state.place += 1  # the round is still being prepared
    else:
        state.phase = PLAY
    if events is not None:
        tell_top(state, pile, events)


def tell_top(state: Any, pile: int, events: Any) -> None:
    collected = 0
    for seat in range(state.seats):
        collected += state.cards[seat]
    emit(events, TURNED, LUCK, state.top[pile], pile + 1, 22 if collected else 15, EVERYONE)
    if collected == 0 and state.phase == PLAY:
        emit(events, BEGINS, state.turn, EMPTY, state.lap + 1, 16, EVERYONE)


def leave_pool(state: Any, card: int) -> None:
    state.pool[card] -= 1
    state.kinds &= ~(int(state.pool[card] == 0) << card)


# --- a turn ---------------------------------------------------------------------------------------------------------


def take(state: Any, seat: int, pile: int, events: Any) -> None:
    card = state.top[pile]
    state.top[pile] = EMPTY
    state.lying[pile] -= 1
    state.openly[seat][card] += 1
    state.cards[seat] += 1
    state.passes = 0
    emit(events, TOOK, seat, card, pile + 1, 22, EVERYONE)
    if state.lying[pile] > 0:
        state.place = pile
        state.phase = TURN
        next_player(state)
    else:
        go_on(state, events)


def draw_hidden(state: Any, card: int, events: Any) -> None:
    seat = state.turn
    state.lying[FACE_DOWN] -= 1
    leave_pool(state, card)
    state.secretly[seat][card] += 1
    state.cards[seat] += 1
    state.phase = PLAY
    emit(events, DREW, seat, card, 0, 21, 1 << seat)
    go_on(state, events)


def go_on(state: Any, events: Any) -> None:
    """After the last card of a pile perhaps nothing lies there any more."""
    left = 0
    for pile in range(PILES):
        left += state.lying[pile]
    if left > 0:
        next_player(state)
    else:
        emit(events, ALL_TAKEN, NOBODY, EMPTY, state.lap + 1, 28, EVERYONE)
        finish(state, events)


def next_player(state: Any) -> None:
    state.turn = state.turn + 1 if state.turn + 1 < state.seats else 0


# --- the end of a round ---------------------------------------------------------------------------------------------


def finish(state: Any, events: Any) -> None:
    if events is not None:
        show(state, events)
    score(state)
    if events is not None:
        tell(state, events)
    if state.lap < LAPS - 1:
        state.lap += 1
        lay_out(state)
        state.turn = starter(state)
        state.phase = LAY
    else:
        state.phase = OVER
        if events is not None:
            tell_winners(state, events)


def score(state: Any) -> None:
    """Turn all collections over and score every colour and every shape."""
    for seat in range(state.seats):
        turn_over(state, seat)
    for category in range(CATEGORIES):
        state.counted[category] = state.laid[category]
        if state.laid[category] != EMPTY:
            for seat in range(state.seats):
                gained = worth(state, seat, category)
                state.marks[seat][category] = gained
                state.points[seat][state.lap] += gained
                state.scores[seat] += gained


def turn_over(state: Any, seat: int) -> None:
    state.points[seat][state.lap] = 0
    for category in range(CATEGORIES):
        state.held[seat][category] = 0
    for design in range(DESIGNS):
        number = state.openly[seat][design] + state.secretly[seat][design]
        state.openly[seat][design] = number
        state.secretly[seat][design] = 0
        state.revealed[seat][design] = number
        state.held[seat][design // SHAPES] += number
        state.held[seat][COLOURS + design % SHAPES] += number


def worth(state: Any, seat: int, category: int) -> int:
    """What the scoring card at this colour or shape gives."""
    card = state.laid[category]
    when = WHEN[card]
    number = state.held[seat][category]
    met = True
    if when == EVEN_NUMBER:
        met = number % 2 == 0
    elif when == ODD_NUMBER:
        met = number % 2 == 1
    elif when == EXACTLY:
        met = number == NUMBER[card]
    elif when == FEWER_THAN:
        met = number < NUMBER[card]
    elif when == EVERY_SYMBOL:
        met = symbols(state, seat, category) == DIFFERENT[state.deck][category]
    elif when in (LARGEST, SMALLEST):
        for other in range(CATEGORIES):
            if other != category and state.laid[other] != EMPTY:
                more = number - state.held[seat][other]
                met &= more > 0 if when == LARGEST else more < 0
    elif when in (MOST, FEWEST):
        for other in range(state.seats):
            if other != seat:
                more = number - state.held[other][category]
                met &= more > 0 if when == MOST else more < 0
    times = int(met)  # as a number: whether it is met cannot be predicted
    if PER[card] == CARD:
        times *= number
    elif PER[card] == SYMBOL:
        times *= symbols(state, seat, category)
    return int(POINTS[card]) * times


def symbols(state: Any, seat: int, category: int) -> int:
    """How many different shapes of this colour, or colours of this shape."""
    number = 0
    if category < COLOURS:
        for shape in range(SHAPES):
            number += int(state.revealed[seat][category * SHAPES + shape] > 0)
    else:
        for colour in range(COLOURS):
            number += int(state.revealed[seat][colour * SHAPES + category - COLOURS] > 0)
    return number


def show(state: Any, events: Any) -> None:
    """What had been drawn from the hidden pile; everything else was open when it was taken."""
    for seat in range(state.seats):
        for design in range(DESIGNS):
            if state.secretly[seat][design] > 0:
                emit(events, SHOWN, seat, design, state.secretly[seat][design], 30, EVERYONE)


def tell(state: Any, events: Any) -> None:
    for category in range(CATEGORIES):
        if state.laid[category] != EMPTY:
            for seat in range(state.seats):
                emit(events, SCORED, seat, category, state.marks[seat][category], 33, EVERYONE)
    for seat in range(state.seats):
        emit(events, TOTAL, seat, EMPTY, state.points[seat][state.lap], 32, EVERYONE)


def tell_winners(state: Any, events: Any) -> None:
    place = rank(state)
    winners = 0
    best = state.scores[0]
    for seat in range(state.seats):
        winners += place[seat] == 1
        best = max(best, state.scores[seat])
    equal = 0
    for seat in range(state.seats):
        equal += state.scores[seat] == best
    clause = 39 if equal == 1 else 40 if winners == 1 else 41
    for seat in range(state.seats):
        if place[seat] == 1:
            emit(events, WON, seat, EMPTY, state.scores[seat], clause, EVERYONE)


def rank(state: Any) -> Any:
    """Points in total, then those of the last round (MEM-39, MEM-40)."""
    keys = np.zeros(SEATS, np.int64)
    for seat in range(state.seats):
        keys[seat] = state.scores[seat] * (1 << 16) + state.points[seat][LAPS - 1]
    return places(keys, state.seats)


# --- who knows what -------------------------------------------------------------------------------------------------


def hide(state: Any, seat: int) -> None:
    if state.phase == OVER:
        return  # all collections have been turned over, and what still lies is what is left
    state.kinds = HIDDEN
    for design in range(DESIGNS):
        state.pool[design] = HIDDEN  # what is missing there is what the others have drawn
        for other in range(state.seats):
            if other != seat:
                state.secretly[other][design] = HIDDEN


def forget(state: Any, seat: int) -> None:
    """Collections lie face down (MEM-20): only how many cards they are can be seen, unless the table has an aid."""
    if state.phase == OVER:
        return
    for other in range(state.seats):
        if state.memory == STRICT or (state.memory == NOTEBOOK and other != seat):
            for design in range(DESIGNS):
                state.openly[other][design] = HIDDEN
                state.secretly[other][design] = HIDDEN


def guess(state: Any, rng: np.random.Generator) -> None:
    if state.kinds != HIDDEN:
        return
    unseen = np.zeros(DESIGNS, np.int64)
    for design in range(DESIGNS):
        unseen[design] = COPIES[state.deck][design]
        for seat in range(state.seats):
            unseen[design] -= state.openly[seat][design] + max(state.secretly[seat][design], 0)
    for pile in range(OPEN):
        if state.top[pile] != EMPTY:
            unseen[state.top[pile]] -= 1
    for seat in range(state.seats):
        if state.secretly[seat][0] == HIDDEN:
            drawn = state.cards[seat]
            for design in range(DESIGNS):
                drawn -= state.openly[seat][design]
                state.secretly[seat][design] = 0
            for _ in range(drawn):
                card = draw(unseen, rng)
                unseen[card] -= 1
                state.secretly[seat][card] += 1
    state.kinds = 0
    for design in range(DESIGNS):
        state.pool[design] = int(unseen[design])
        state.kinds |= int(unseen[design] > 0) << design
