"""Mausen: everybody plays an animal at the same time, and each kind of animal hunts the next.

Elephants hunt dogs, dogs hunt cats, cats hunt mice and mice hunt elephants. Of each kind only the highest card played
hunts; is it tied, the next one does. The hunter's player wins all cards of the prey, from the middle and from the other
players; what is not hunted stays in the middle. Is the table empty, everybody puts a new card there. When all hands
are played, the highest sum of cards won wins, and among equals the mice decide."""

from typing import Any

import numpy as np

from cheeseboard.games.core import (
    EMPTY,
    EVERYONE,
    HIDDEN,
    NOBODY,
    OVER,
    SEATS,
    Set,
    count,
    emit,
    pick,
    places,
    record,
    settings,
)

BOX = settings(__package__)
ANIMALS: int = len(BOX["animals"])
VALUES: int = BOX["values"]
DECIDING: int = BOX["animals"].index(BOX["deciding"])
ACTIONS = ANIMALS * VALUES  # action a: the card of animal a // VALUES with the value a % VALUES + 1
ALL: Set = (1 << ACTIONS) - 1  # a hand at the start
BELOW: Set = sum(((1 << VALUES - 1) - 1) << animal * VALUES for animal in range(ANIMALS))  # all cards but the highest
START = np.array([BOX["middle"][animal].count(value + 1) for animal in BOX["animals"] for value in range(VALUES)])

STOP, CONTINUE = range(2)  # choices of the option `second_tie`
RULEBOOK, HUNT = range(2)  # of `last_card`
NO, YES = range(2)  # of `scores_open`
CHOOSE, REFILL = range(2)  # phases
EVENTS = ("laid", "shown", "tied", "hunts", "unhunted", "stays", "emptied", "placed", "left", "scored", "mice", "won")
LAID, SHOWN, TIED, HUNTS, UNHUNTED, STAYS, EMPTIED, PLACED, LEFT, SCORED, MICE, WON = range(12)

STATE = record(
    second_tie="i1",
    last_card="i1",
    scores_open="i1",
    missing="i1",  # the seats that have not chosen yet
    choice=("i1", SEATS),  # the card laid face down, or EMPTY
    last=("i1", SEATS),  # the card each played last, or EMPTY
    pile=("i1", SEATS),  # how many cards each has won; may be seen even where the cards may not
    middle=("i1", ACTIONS),  # how many of each card lie there
    won=("i1", (SEATS, ACTIONS)),  # how many of each card everybody has won
    hand=("i4", SEATS),  # the cards each still holds
)


def start(state: Any) -> None:
    state.missing = (1 << state.seats) - 1
    for card in range(ACTIONS):
        state.middle[card] = int(START[card])
    for seat in range(SEATS):
        state.hand[seat] = ALL if seat < state.seats else 0
        state.choice[seat] = EMPTY
        state.last[seat] = EMPTY


def legal(state: Any, seat: int) -> Set:
    if state.phase == OVER or seat >= state.seats:
        return 0
    hand: Set = state.hand[seat]
    choice: int = state.choice[seat]  # may be exchanged until the last has chosen
    return hand & ~(int(choice != EMPTY) << max(choice, 0))


def waiting(state: Any) -> Set:
    return int(state.missing)


def apply(state: Any, seat: int, action: int, events: Any) -> None:
    state.choice[seat] = action  # and still in the hand: a gap would betray it
    emit(events, LAID, seat, action, 0, 6 if state.phase == CHOOSE else 27, 1 << seat)
    state.missing &= ~(1 << seat)
    if state.missing:
        return
    if state.phase == CHOOSE:
        hunt(state, events)
    else:
        refill(state, 28, events)


def hunt(state: Any, events: Any) -> None:
    once, again = 0, 0
    for seat in range(state.seats):
        card = 1 << state.choice[seat]
        again |= once & card
        once |= card
    hunters = who_hunts(once, again, state.second_tie)
    to_the_middle(state)  # all of them, so that all prey lies in one place
    if events is not None:
        tell(state, once, hunters, events)
    for seat in range(state.seats):
        if hunters >> state.choice[seat] & 1:
            take_prey(state, seat)
    next_choice(state)
    if count(hunters) == ANIMALS:  # a card of an animal that nobody hunts stays, so only this leaves none
        table_is_empty(state, events)
    if state.hand[0] == 0:
        finish(state, events)


def who_hunts(once: Set, again: Set, second_tie: int) -> Set:
    """One card of each animal at most. `once` are the cards played at all, `again` those played more than once."""
    eligible = once & ~again
    if second_tie == STOP:
        first = highest(once)
        eligible &= first | highest(once & ~first)
    return highest(eligible)


def highest(cards: Set) -> Set:
    """Of each animal the highest card in the set."""
    below = (cards >> 1) & BELOW
    for _ in range(VALUES - 2):
        below |= (below >> 1) & BELOW
    return cards & ~below


def to_the_middle(state: Any) -> None:
    for seat in range(state.seats):
        card = state.choice[seat]
        state.hand[seat] &= ~(1 << card)
        state.last[seat] = card
        state.middle[card] += 1


def next_choice(state: Any) -> None:
    state.missing = (1 << state.seats) - 1
    for seat in range(state.seats):
        state.choice[seat] = EMPTY


def prey_of(card: int) -> int:
    """The first card of the animal that this card hunts."""
    return (card // VALUES + 1) % ANIMALS * VALUES


def take_prey(state: Any, seat: int) -> None:
    first, cards, points = prey_of(state.choice[seat]), 0, 0
    for value in range(VALUES):
        number = state.middle[first + value]
        state.won[seat][first + value] += number
        state.middle[first + value] = 0
        cards += number
        points += number * (value + 1)
    state.pile[seat] += cards
    state.scores[seat] += points


def table_is_empty(state: Any, events: Any) -> None:
    cards = count(state.hand[0])  # and so many have all: hands are equally long
    emit(events, EMPTIED, NOBODY, EMPTY, 0, 30 if cards == 0 else 31 if cards == 1 else 27, EVERYONE)
    if cards > 1:
        state.phase = REFILL
    elif cards == 1 and state.last_card == RULEBOOK:  # there is no choice in it, so nobody is asked
        for seat in range(state.seats):
            state.choice[seat] = count(state.hand[seat] - 1)  # the only card of the set
        refill(state, 31, events)


def refill(state: Any, clause: int, events: Any) -> None:
    to_the_middle(state)
    if events is not None:
        for seat in range(state.seats):
            emit(events, PLACED, seat, state.choice[seat], 0, clause, EVERYONE)
    next_choice(state)
    state.phase = CHOOSE


def finish(state: Any, events: Any) -> None:
    state.missing = 0
    state.phase = OVER
    if events is not None:
        tell_result(state, events)


def tell(state: Any, once: Set, hunters: Set, events: Any) -> None:
    for seat in range(state.seats):
        emit(events, SHOWN, seat, state.choice[seat], 0, 6, EVERYONE)
    hunted = 0
    for animal in range(ANIMALS):
        hunted |= tell_animal(state, animal, once, hunters, events)
    for seat in range(state.seats):
        if not hunted >> state.choice[seat] // VALUES & 1:
            emit(events, STAYS, seat, state.choice[seat], 0, 24, EVERYONE)


def tell_animal(state: Any, animal: int, once: Set, hunters: Set, events: Any) -> Set:
    """Who hunts with this animal and why, or why nobody does. Gives the animal that is hunted, as a set."""
    lowest = animal * VALUES
    best, tied = EMPTY, 0  # the highest card played; how many values did not hunt because they were tied
    for card in range(lowest + VALUES - 1, lowest - 1, -1):
        if not once >> card & 1 or (tied == 2 and state.second_tie == STOP):
            continue
        best = max(best, card)
        hunts = hunters >> card & 1
        points = worth(state.middle, prey_of(card)) * hunts
        if hunts and points == 0:
            why = 21
        elif hunts and tied == 0:
            why = 12 if (once >> lowest) & ((1 << VALUES) - 1) == 1 << (card - lowest) else 13
        else:
            why = 14 if tied == hunts else 16  # the highest was tied, or the next one too
        for seat in range(state.seats):
            if state.choice[seat] == card:
                emit(events, HUNTS if hunts else TIED, seat, card, points, why, EVERYONE)
        if hunts:
            return 1 << prey_of(card) // VALUES
        tied += 1
    if best != EMPTY:
        emit(events, UNHUNTED, NOBODY, best, 0, 16 if tied == 2 and state.second_tie == STOP else 15, EVERYONE)
    return 0


def tell_result(state: Any, events: Any) -> None:
    left = 0
    for animal in range(ANIMALS):
        left += worth(state.middle, animal * VALUES)
    if left:
        emit(events, LEFT, NOBODY, EMPTY, left, 33, EVERYONE)
    place = rank(state)
    top, equal, winners = 0, 0, 0
    for seat in range(state.seats):
        emit(events, SCORED, seat, EMPTY, state.scores[seat], 34, EVERYONE)
        top = max(top, state.scores[seat])
        winners += place[seat] == 1
    for seat in range(state.seats):
        equal += state.scores[seat] == top
    for seat in range(state.seats):
        if equal > 1 and state.scores[seat] == top:
            emit(events, MICE, seat, EMPTY, mice(state, seat), 35, EVERYONE)
    for seat in range(state.seats):
        if place[seat] == 1:
            emit(events, WON, seat, EMPTY, state.scores[seat], 36 if winners > 1 else 35, EVERYONE)


def worth(cards: Any, first: int) -> int:
    """The sum of the values of one animal's cards, `first` being the lowest."""
    total = 0
    for value in range(VALUES):
        total += cards[first + value] * (value + 1)
    return total


def mice(state: Any, seat: int) -> int:
    return worth(state.won[seat], DECIDING * VALUES)


def rank(state: Any) -> Any:
    """By score, then by the mice won; who is equal even then shares the place."""
    keys = np.zeros(SEATS, np.int64)
    for seat in range(state.seats):
        keys[seat] = state.scores[seat] * 1024 + mice(state, seat)
    return places(keys, state.seats)


def hide(state: Any, seat: int) -> None:
    """Everything else has lain open once, or follows from it."""
    for other in range(state.seats):
        if other != seat and state.choice[other] != EMPTY:
            state.choice[other] = HIDDEN


def forget(state: Any, seat: int) -> None:
    """Winnings lie face down, and nobody keeps count for you; your own you may look at. At the end all are open."""
    if state.phase == OVER:
        return
    for other in range(state.seats):
        if other != seat:
            state.hand[other] = HIDDEN
            for card in range(ACTIONS):
                state.won[other][card] = HIDDEN
            if state.scores_open == NO:
                state.scores[other] = HIDDEN


def guess(state: Any, rng: np.random.Generator) -> None:
    for seat in range(state.seats):
        if state.choice[seat] == HIDDEN:
            state.choice[seat] = int(pick(state.hand[seat], rng))
