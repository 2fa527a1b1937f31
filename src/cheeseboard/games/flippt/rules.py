"""Mausgeflippt: slap the mouse first, with what it wears or with nothing of it.

Everybody holds seven garments. A mouse is turned up, and whoever is fastest counts: put down one garment that the
mouse wears, in the same colour, or shout "Mausgeflippt!" and throw the whole hand if nothing in it fits. That catches
the mouse; a mistake is dirty laundry. But hands off a mouse that carries the cheese lying open: it costs you that
cheese. The game ends with the last mouse or the last cheese. A mouse counts 1, laundry -1, a cheese -2.

The rules know no milliseconds: slaps that come before CLOCK closes the mouse are a dead heat, in their order. Nobody
has to turn a mouse: LUCK turns those that nobody has seen yet, and those that went under the pile come up as they lie.

Garments are held as layers of sets: layer k has the designs of which there are more than k cards."""

from typing import Any

import numpy as np

from cheeseboard.games.core import (
    CLOCK,
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
    emit,
    nth,
    pick,
    places,
    record,
    settings,
)

DECK = settings(__package__)["deck"]
KINDS = DECK["garments"]
NAMES = [f"{colour} {kind['kind']}" for kind in KINDS for colour in kind["colours"]]
NUMBER = np.array([number for kind in KINDS for number in kind["cards"]], np.int64)  # of cards of each design
WEARS = np.array([sum(1 << NAMES.index(worn) for worn in mouse["wears"]) for mouse in DECK["mice"]], np.int64)
CARRIES = np.array([DECK["cheeses"].index(mouse["cheese"]) for mouse in DECK["mice"]], np.int64)  # the cheese of each
DESIGNS, CARDS, COPIES = len(NUMBER), int(NUMBER.sum()), int(NUMBER.max())
MICE, CHEESES = len(WEARS), len(DECK["cheeses"])
# the single cards, for LUCK, to whom equal cards are not the same: all first copies, then all second ones, and so on
SINGLE = [(copy, design) for copy in range(COPIES) for design in range(DESIGNS) if NUMBER[design] > copy]
DESIGN = np.array([design for _, design in SINGLE], np.int64)
CARD = np.zeros((COPIES, DESIGNS), np.int64)
for card, place in enumerate(SINGLE):
    CARD[place] = card

SHOUT, LET_GO = DESIGNS, DESIGNS + 1  # actions; before them the designs, to slap with
ACTIONS = max(LET_GO + 1, CARDS, MICE)  # of LUCK: a single card of the draw pile, a mouse, a cheese or a seat
HAND = 7
SHOUTS = 3  # wrong ones, then no more of them (FLIP-20)
PATIENCE = 8  # mice nobody wants, before a game with few mice ends (FLIP-41)
CALM = 1  # choice of the option `calm`
DEAL, CHEESE, TURN, RACE, CHOOSE, REFILL = range(6)  # phases; LOT: who begins, and in calm mode whose choice counts

EVENTS = (
    "dealt",
    "cheese",
    "begins",
    "turned",
    "acted",
    "reached",
    "chosen",
    "slapped",
    "shouted",
    "late",
    "caught",
    "blind",
    "dirty",
    "covered",
    "stuck",
    "under",
    "walked",
    "shuffled",
    "drew",
    "short",
    "swapped",
    "stalled",
    "won",
)
(
    DEALT,
    CHEESED,
    BEGINS,
    TURNED,
    ACTED,
    REACHED,
    CHOSEN,
    SLAPPED,
    SHOUTED,
    LATE,
    CAUGHT,
    BLIND,
    DIRTY,
    COVERED,
    STUCK,
    UNDER,
    WALKED,
    SHUFFLED,
    DREW,
    SHORT,
    SWAPPED,
    STALLED,
    WON,
) = range(23)

STATE = record(
    calm="i1",
    seconds="i1",  # until the mouse walks off, and how close a dead heat is in milliseconds: for those who keep
    heat="i1",  # the time, the rules never ask
    turner="i1",  # who turns the next mouse; NOBODY before the first lot
    shown="i1",  # the mouse on the table, or EMPTY
    loose="i1",  # 1 while nobody has caught it
    cheese="i1",  # the one lying open, or EMPTY
    silent="i1",  # mice in succession that nobody reacted to
    # the reactions to this mouse
    ready="i1",  # who holds a card and has not acted
    slap=("i1", SEATS),  # what each does, or EMPTY; still in the hand until it is settled: a gap would betray it
    order=("i1", SEATS),  # who acted, the first first; once the mouse is closed only those who reached for it
    acted="i1",  # how many those are
    settled="i1",  # how many of them are settled
    paws="i1",  # who reached for the mouse closed last
    refills="i1",  # who draws up to seven now, or NOBODY
    # garments
    cards=("i1", SEATS),  # how many each holds
    hand=("i4", (SEATS, COPIES)),  # in layers, like discards and laundry
    pile="i1",  # how many are in the draw pile
    draw="i8",  # which single cards those are
    discard=("i4", COPIES),
    last="i1",  # the garment discarded last, or EMPTY
    laundry=("i4", (SEATS, COPIES)),  # face up before each
    down=("i1", (SEATS, SHOUTS)),  # face down before each: one for every wrong shout
    # mice: on top of the pile those nobody has seen, below them those that went under, known in their order
    mice_left="i1",  # in the pile
    unknown="i1",  # how many of them nobody has seen yet
    unseen="i8",  # which mice were never shown: those, and those given away unseen
    first="i1",  # where in `under` the uppermost known mouse is
    under=("i1", MICE),  # a ring
    mice=("i1", SEATS),  # how many each has
    caught=("i8", SEATS),  # those of them that lie open
    # cheeses, in the same way
    cheese_left="i1",
    unturned="i2",
    cheese_under=("i1", CHEESES),  # the uppermost first
    cheeses=("i2", SEATS),  # taken by each
)


def start(state: Any) -> None:
    state.turner = NOBODY
    state.shown = EMPTY
    state.cheese = EMPTY
    state.last = EMPTY
    for seat in range(SEATS):
        state.slap[seat] = EMPTY
        state.order[seat] = EMPTY
        for slot in range(SHOUTS):
            state.down[seat][slot] = EMPTY
    for place in range(MICE):
        state.under[place] = EMPTY
    for place in range(CHEESES):
        state.cheese_under[place] = EMPTY
    state.pile = CARDS
    state.draw = (1 << CARDS) - 1
    state.mice_left = MICE
    state.unknown = MICE
    state.unseen = (1 << MICE) - 1
    state.cheese_left = CHEESES
    state.unturned = (1 << CHEESES) - 1
    state.refills = 0  # the first to be dealt to
    state.phase = DEAL


def legal(state: Any, seat: int) -> Set:
    if seat >= state.seats:
        return chances(state) if waiting(state) == 1 << seat else 0
    if state.phase == RACE:
        return reactions(state, seat) * (state.ready >> seat & 1)  # FLIP-14: once
    if state.phase == CHOOSE:
        chosen = state.slap[seat]  # may be exchanged until the last has chosen
        return reactions(state, seat) & ~(int(chosen != EMPTY) << max(chosen, 0))
    return 0


def chances(state: Any) -> Set:
    """What LUCK may draw, or CLOCK do: close the mouse."""
    if state.phase == TURN:
        return state.unseen
    if state.phase == CHEESE:
        return state.unturned
    if state.phase == LOT:
        return state.paws if state.turner != NOBODY else (1 << state.seats) - 1
    if state.phase in (RACE, CHOOSE):
        return 1
    return state.draw


def reactions(state: Any, seat: int) -> Set:
    """A garment of the hand, the shout unless it is lost, or nothing. An empty hand cannot even shout (FLIP-32)."""
    held = state.hand[seat][0]
    shout = int(state.down[seat][SHOUTS - 1] == EMPTY)
    return held | (shout << SHOUT | 1 << LET_GO) * int(held != 0)


def waiting(state: Any) -> Set:
    if state.phase == RACE:
        return 1 << CLOCK
    if state.phase == CHOOSE:
        return state.ready or 1 << CLOCK
    return 0 if state.phase == OVER else 1 << LUCK


def apply(state: Any, seat: int, action: int, events: Any) -> None:
    if seat == LUCK:
        goes_on = by_luck(state, action, events)
    else:
        if seat != CLOCK:
            react(state, seat, action, events)
        goes_on = (seat == CLOCK or state.ready == 0) and close(state, events)
    if goes_on:
        go_on(state, events)


def react(state: Any, seat: int, action: int, events: Any) -> None:
    if state.slap[seat] == EMPTY:
        state.order[state.acted] = seat
        state.acted += 1
    state.slap[seat] = action
    state.ready &= ~(1 << seat)
    emit(events, ACTED, seat, action, 0, 9, 1 << seat)


def by_luck(state: Any, action: int, events: Any) -> bool:
    """Do what LUCK drew; whether it goes on by itself then."""
    if state.phase == TURN:
        state.unseen &= ~(1 << action)
        state.unknown -= 1
        show(state, action, events)
        return False
    if state.phase in (DEAL, REFILL):
        seat = state.refills
        design = int(DESIGN[action])
        state.draw &= ~(1 << action)
        state.pile -= 1
        add(state.hand[seat], design)
        state.cards[seat] += 1
        if state.phase == REFILL:
            emit(events, DREW, seat, design, 0, 32, 1 << seat)
            return True
        emit(events, DEALT, seat, design, 0, 5, 1 << seat)
        if state.cards[seat] < HAND:
            return False
        state.refills = seat + 1 if seat + 1 < state.seats else NOBODY
        return state.refills == NOBODY
    if state.phase == CHEESE:
        state.unturned &= ~(1 << action)
        open_cheese(state, action, events)
    elif state.turner == NOBODY:
        state.turner = action
        emit(events, BEGINS, action, EMPTY, 0, 8, EVERYONE)
    else:
        emit(events, CHOSEN, action, EMPTY, 0, 13, EVERYONE)
        state.turner = action
        only(state, action, events)
    return True


def go_on(state: Any, events: Any) -> None:
    """Whatever comes next without a player's doing: a cheese, the refill, the next reaction, the next mouse."""
    while True:
        if state.cheese == EMPTY:
            if state.cheese_left == 0:
                finish(state, events)  # FLIP-36
                return
            if state.unturned:
                state.phase = CHEESE
                return
            open_cheese(state, uppermost_cheese(state), events)
        if state.turner == NOBODY:
            state.phase = LOT
            return
        if state.refills != NOBODY:
            if can_refill(state, events):
                state.phase = REFILL
                return
            state.refills = NOBODY
        elif state.settled < state.acted:
            settle(state, events)
        else:
            break
    state.shown = EMPTY
    if state.mice_left == 0:
        finish(state, events)  # FLIP-35
    elif state.unknown:
        state.phase = TURN
    else:
        show(state, uppermost(state), events)


def show(state: Any, mouse: int, events: Any) -> None:
    if events is not None:
        clause = 30
        if state.acted:
            clause = 29
        elif state.unknown == MICE - 1:
            clause = 8
        emit(events, TURNED, state.turner, mouse, 0, clause, EVERYONE)
    state.mice_left -= 1
    state.shown = mouse
    state.loose = 1
    state.acted = 0
    state.settled = 0
    ready = 0
    for seat in range(SEATS):
        ready |= int(state.cards[seat] > 0) << seat
        state.slap[seat] = EMPTY
        state.order[seat] = EMPTY
    state.ready = ready
    state.phase = CHOOSE if state.calm == CALM else RACE


def open_cheese(state: Any, cheese: int, events: Any) -> None:
    clause = 7 if state.turner == NOBODY else (26 if state.acted else 41)
    state.cheese = cheese
    state.cheese_left -= 1
    emit(events, CHEESED, NOBODY, cheese, 0, clause, EVERYONE)


def close(state: Any, events: Any) -> bool:
    """No more paws: who reached for the mouse is known, and what they did comes out, unless LUCK must choose."""
    state.ready = 0
    paws, reached = 0, 0
    for i in range(state.acted):
        seat = state.order[i]
        state.order[i] = EMPTY
        if state.slap[seat] != LET_GO:
            state.order[reached] = seat
            reached += 1
            paws |= 1 << seat
    state.acted = reached
    state.paws = paws
    if reached == 0:
        return walk_off(state, events)
    state.silent = 0
    if reached > 1:
        for i in range(reached):
            emit(events, REACHED, state.order[i], EMPTY, 0, 13 if state.calm == CALM else 34, EVERYONE)
        if state.calm == CALM:
            state.phase = LOT
            return False
    state.turner = state.order[0]
    return True


def walk_off(state: Any, events: Any) -> bool:
    """Nobody wants the mouse. Do they want none of those left, another cheese lets them loose; or the game ends."""
    emit(events, WALKED, NOBODY, state.shown, 0, 27, EVERYONE)
    lay_under(state)
    state.silent += 1
    if state.silent == state.mice_left and all_protected(state):
        if state.cheese_left == 0:
            emit(events, STALLED, NOBODY, EMPTY, state.mice_left, 41, EVERYONE)
            finish(state, events)
            return False
        emit(events, SWAPPED, NOBODY, state.cheese, 0, 41, EVERYONE)
        place = state.cheese_left - count(state.unturned)
        state.cheese_under[place] = state.cheese
        state.cheese_left += 1
        state.cheese = EMPTY
        state.silent = 0
    elif state.silent >= max(2 * state.mice_left, PATIENCE):
        emit(events, STALLED, NOBODY, EMPTY, state.mice_left, 41, EVERYONE)
        finish(state, events)
        return False
    return True


def all_protected(state: Any) -> bool:
    """Whether the open cheese protects every mouse of the pile, as far as anybody can know."""
    protected = 0
    for i in range(state.mice_left - state.unknown):
        protected += int(CARRIES[state.under[(state.first + i) % MICE]]) == state.cheese
    return protected == state.mice_left


def settle(state: Any, events: Any) -> None:
    """The next reaction, as if there were no other (FLIP-13); the first on a protected mouse is the only one."""
    seat = state.order[state.settled]
    slap = state.slap[seat]
    correct = is_right(state, seat)
    protected = int(CARRIES[state.shown]) == state.cheese
    state.settled += 1
    if correct and not protected and state.mice_left + state.loose == 0:
        state.slap[seat] = EMPTY  # there is no mouse left to give: the cards go back unseen
        emit(events, LATE, seat, EMPTY, 0, 34, EVERYONE)
        return
    state.refills = seat
    if slap == SHOUT:
        emit(events, SHOUTED, seat, EMPTY, 0, 12, EVERYONE)
        if not correct:
            soil(state, seat, 25 if protected else 18, events)
        elif not protected:
            state.refills = NOBODY  # FLIP-17: the hand stays as it is
    else:
        emit(events, SLAPPED, seat, slap, 0, 11, EVERYONE)
        remove(state.hand[seat], slap)
        state.cards[seat] -= 1
        if correct or protected:
            add(state.discard, slap)
            state.last = slap
        else:
            add(state.laundry[seat], slap)
            state.scores[seat] -= 1
            emit(events, DIRTY, seat, slap, -1, 16, EVERYONE)
    if protected:
        state.cheeses[seat] |= 1 << state.cheese
        state.scores[seat] -= 2
        emit(events, STUCK, seat, state.cheese, -2, 24 if slap == SHOUT else 22, EVERYONE)
        state.cheese = EMPTY
        only(state, seat, events)
    elif correct:
        take_mouse(state, seat, 17 if slap == SHOUT else 15, events)
    if state.loose and state.settled == state.acted:
        emit(events, UNDER, NOBODY, state.shown, 0, 26 if protected else (18 if slap == SHOUT else 16), EVERYONE)
        lay_under(state)


def is_right(state: Any, seat: int) -> bool:
    """A garment that the mouse wears (FLIP-10), or the shout with none of them in the hand (FLIP-17)."""
    wears = int(WEARS[state.shown])
    slap = state.slap[seat]
    if slap == SHOUT:
        return state.hand[seat][0] & wears == 0
    return wears >> slap & 1 == 1


def only(state: Any, seat: int, events: Any) -> None:
    """Of all who reached for the mouse only this seat counts; the others take back what they played, unseen."""
    for i in range(state.acted):
        other = state.order[i]
        state.order[i] = EMPTY
        if other != seat:
            state.slap[other] = EMPTY
            emit(events, LATE, other, EMPTY, 0, 13, EVERYONE)
    state.order[0] = seat
    state.acted = 1


def take_mouse(state: Any, seat: int, clause: int, events: Any) -> None:
    """The one on the table; who was right in a dead heat but not first gets the next of the pile, unseen (FLIP-34)."""
    if state.loose:
        state.loose = 0
        state.caught[seat] |= 1 << state.shown
        emit(events, CAUGHT, seat, state.shown, 1, clause, EVERYONE)
    else:
        if state.unknown:
            state.unknown -= 1  # but it stays among the unseen: nobody knows which it was
        else:
            uppermost(state)
        state.mice_left -= 1
        emit(events, BLIND, seat, EMPTY, 1, 34, EVERYONE)
    state.mice[seat] += 1
    state.scores[seat] += 1


def soil(state: Any, seat: int, clause: int, events: Any) -> None:
    """A wrong shout: all that fits becomes laundry, one card of it face down, the lowest design (FLIP-18)."""
    wears = int(WEARS[state.shown])
    covered = int(nth(state.hand[seat][0] & wears, 0))
    remove(state.hand[seat], covered)
    slot = 0
    while state.down[seat][slot] != EMPTY:
        slot += 1
    state.down[seat][slot] = covered
    emit(events, COVERED, seat, covered, -1, clause, 1 << seat)
    number = 1
    for copy in range(COPIES):
        dirty = state.hand[seat][copy] & wears
        state.hand[seat][copy] &= ~wears
        while dirty:
            design = int(nth(dirty, 0))
            dirty &= dirty - 1
            add(state.laundry[seat], design)
            emit(events, DIRTY, seat, design, -1, clause, EVERYONE)
            number += 1
    state.cards[seat] -= number
    state.scores[seat] -= number


def can_refill(state: Any, events: Any) -> bool:
    """Whether LUCK has a card for who refills; is the draw pile empty, the discards are shuffled first (FLIP-31)."""
    seat = state.refills
    if state.cards[seat] >= HAND or is_last(state):
        return False
    if state.pile == 0:
        state.draw = single_cards(state.discard)
        state.pile = count(state.draw)
        for copy in range(COPIES):
            state.discard[copy] = 0
        emit(events, SHUFFLED if state.pile else SHORT, seat, EMPTY, state.pile, 31 if state.pile else 32, EVERYONE)
    return state.pile > 0


def is_last(state: Any) -> bool:
    """Whether those not settled yet catch all mice left: then the game ends, and nobody refills."""
    left = state.mice_left + state.loose
    if state.acted - state.settled < left:
        return False
    right = 0
    for i in range(state.settled, state.acted):
        right += int(is_right(state, state.order[i]))
    return right >= left


def lay_under(state: Any) -> None:
    """The mouse goes under the pile, face down; who has seen it knows where it is."""
    known = state.mice_left - state.unknown
    state.under[(state.first + known) % MICE] = state.shown
    state.mice_left += 1
    state.shown = EMPTY
    state.loose = 0


def uppermost(state: Any) -> int:
    """Take the uppermost mouse, one that was seen before."""
    mouse = state.under[state.first]
    state.under[state.first] = EMPTY
    state.first = (state.first + 1) % MICE
    return mouse


def uppermost_cheese(state: Any) -> int:
    cheese = state.cheese_under[0]
    for place in range(CHEESES - 1):
        state.cheese_under[place] = state.cheese_under[place + 1]
    state.cheese_under[CHEESES - 1] = EMPTY
    return cheese


def finish(state: Any, events: Any) -> None:
    state.refills = NOBODY
    state.phase = OVER
    if events is not None:
        place = rank(state)
        winners = 0
        for seat in range(state.seats):
            winners += int(place[seat] == 1)
        for seat in range(state.seats):
            if place[seat] == 1:
                emit(events, WON, seat, EMPTY, state.scores[seat], 38 if winners == 1 else 39, EVERYONE)


def rank(state: Any) -> Any:
    """The most points; among equals the most mice (FLIP-38); still equal is shared (FLIP-39)."""
    keys = np.zeros(SEATS, np.int64)
    for seat in range(state.seats):
        keys[seat] = state.scores[seat] * (MICE + 1) + state.mice[seat]
    return places(keys, state.seats)


def add(layers: Any, design: int) -> None:
    """One more card of the design: it goes to the lowest layer that has none yet."""
    bit = 1 << design
    for copy in range(COPIES):
        there = layers[copy] & bit
        layers[copy] |= bit
        bit = there


def remove(layers: Any, design: int) -> None:
    """One card less: it comes from the highest layer that has one."""
    bit = 1 << design
    for copy in range(COPIES - 1, -1, -1):
        there = layers[copy] & bit
        layers[copy] ^= there
        bit ^= there


def copies(layers: Any, design: int) -> int:
    """How many cards of the design."""
    number = 0
    for copy in range(COPIES):
        number += layers[copy] >> design & 1
    return number


def single_cards(layers: Any) -> Set:
    cards = 0
    for copy in range(COPIES):
        left = int(layers[copy])
        while left:
            cards |= 1 << CARD[copy][nth(left, 0)]
            left &= left - 1
    return int(cards)


def hide(state: Any, seat: int) -> None:
    for i in range(state.settled, state.acted):  # what is settled has been shown
        if state.order[i] != seat:
            state.slap[state.order[i]] = HIDDEN
    for other in range(state.seats):
        if other != seat:
            for copy in range(COPIES):
                state.hand[other][copy] = HIDDEN
            for slot in range(SHOUTS):
                if state.down[other][slot] != EMPTY:
                    state.down[other][slot] = HIDDEN
    state.draw = HIDDEN


def forget(state: Any, seat: int) -> None:  # noqa: ARG001 - it is the same for all
    """Of the discards only the last lies open, and what went under a pile cannot be seen any more."""
    for copy in range(COPIES):
        state.discard[copy] = HIDDEN
    state.unknown = HIDDEN
    state.unseen = HIDDEN
    state.first = HIDDEN
    for place in range(MICE):
        state.under[place] = HIDDEN
    state.unturned = HIDDEN
    for place in range(CHEESES):
        state.cheese_under[place] = HIDDEN


def guess(state: Any, rng: np.random.Generator) -> None:
    """All garments the viewer does not see, well mixed, over others' hands, covered laundry and the draw pile."""
    pool = np.zeros(CARDS, np.int64)
    left = 0
    for design in range(DESIGNS):
        number = int(NUMBER[design]) - copies(state.discard, design)
        for seat in range(state.seats):
            number -= copies(state.laundry[seat], design)
            if state.hand[seat][0] != HIDDEN:  # the viewer
                number -= copies(state.hand[seat], design)
            for slot in range(SHOUTS):
                number -= int(state.down[seat][slot] == design)
        for _ in range(number):
            pool[left] = design
            left += 1
    for seat in range(state.seats):
        if state.hand[seat][0] == HIDDEN:
            for slot in range(SHOUTS):
                if state.down[seat][slot] == HIDDEN:
                    state.down[seat][slot] = out_of(pool, left, rng)
                    left -= 1
            for copy in range(COPIES):
                state.hand[seat][copy] = 0
            for _ in range(state.cards[seat]):
                add(state.hand[seat], out_of(pool, left, rng))
                left -= 1
        if state.slap[seat] == HIDDEN:
            # once the mouse is closed, those who let it go are known
            known = 1 << LET_GO if state.phase not in (RACE, CHOOSE) else 0
            state.slap[seat] = int(pick(reactions(state, seat) & ~known, rng))
    rest = np.zeros(COPIES, np.int64)
    for i in range(left):
        add(rest, int(pool[i]))
    state.draw = single_cards(rest)


def out_of(pool: Any, left: int, rng: np.random.Generator) -> int:
    """Any of the cards left in the pool; the last one fills the gap."""
    i = rng.integers(0, left)
    card = int(pool[i])
    pool[i] = pool[left - 1]
    return card
