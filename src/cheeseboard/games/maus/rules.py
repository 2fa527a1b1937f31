"""Aus die Maus!: turn a card, and hope that it is a cat when a mouse runs by.

Everybody has a face-down stack and in turn lays its top card on the common pile. Cheese does nothing. A mouse is
hunted by the next player, who turns as many cards as it has paws: a cat catches it and wins the pile and a chip; all
cheese, and whoever laid the mouse wins the pile; another mouse, and the next player hunts that one. The winner slides
the pile under the own stack and begins a new one. The game ends with the last chip, or when a stack is empty; then
most cards win.

Cards nobody has ever seen are all alike: a stack is a number of them, `fresh`, on top of the cards it has won,
`known`, which come up again in the order they were put there. Only a fresh card needs LUCK to show it."""

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
    emit,
    places,
    record,
    settings,
)

FACTS = settings(__package__)
CAP = FACTS["cap"]
CHEESE, CAT = 0, 4  # kinds of card, and in between the mice: 1, 2 or 3 is a mouse with so many paws
NAMES = ("cheese", "mouse1", "mouse2", "mouse3", "cat")
KINDS = len(NAMES)
MICE = 0b01110  # as a set of kinds
PLAYED = [next((deck for deck in FACTS["decks"] if seats in deck["players"]), None) for seats in range(SEATS + 1)]
DECK = np.array([[deck[kind] if deck else 0 for kind in NAMES] for deck in PLAYED])  # cards of each kind, by players
CHIPS = np.array([deck["chips"] if deck else 0 for deck in PLAYED])
CARDS = int(DECK.sum(1).max())  # room for the greatest deck
ACTIONS = SEATS  # of a player: 0, turn a card; of LUCK: a kind of card, or in phase LOT the seat that begins
FIRST_SEAT = 1  # of the option `begins`: a lot with one seat in it
SWAP = 1  # of `start_mouse`
TURN, FLIP, START = range(3)  # phases: a player turns a card; LUCK shows which; LUCK shows the one that begins the pile
EVENTS = (
    "begins",
    "dealt",
    "opened",
    "turned",
    "next",
    "hunt",
    "missed",
    "another",
    "caught",
    "chip",
    "escaped",
    "taken",
    "anew",
    "last_card",
    "last_chip",
    "out",
    "stopped",
    "left",
    "won",
)
(
    BEGINS,
    DEALT,
    OPENED,
    TURNED,
    NEXT,
    HUNT,
    MISSED,
    ANOTHER,
    CAUGHT,
    CHIP,
    ESCAPED,
    TAKEN,
    ANEW,
    LAST_CARD,
    LAST_CHIP,
    OUT,
    STOPPED,
    LEFT,
    WON,
) = range(len(EVENTS))

STATE = record(  # `scores` are the cards in each stack
    begins="i1",
    start_mouse="i1",
    turn="i1",  # who turns the next card: in a hunt the hunter, after it the winner; NOBODY until the lot is drawn
    owner="i1",  # who laid the mouse that is hunted, or NOBODY
    tries="i1",  # cards the hunter may still turn; 0 is no hunt
    chips_left="i1",
    chips=("i1", SEATS),
    unseen=("i1", KINDS),  # of each kind, the cards nobody has seen yet
    fresh=("i1", SEATS),  # how many of them lie on top of each stack
    first=("i1", SEATS),  # where in `known` the next card of a stack is; its others follow, round the end
    known=("i1", (SEATS, CARDS)),  # the won cards of each stack; other places are EMPTY
    pile=("i1", CARDS),  # the common pile from the bottom up, above it EMPTY
    height="i1",  # of the pile
    turned="i2",  # cards turned so far, without the one that began the first pile
    cap="i2",
)


def start(state: Any) -> None:
    state.cap = CAP
    state.chips_left = int(CHIPS[state.seats])
    for kind in range(KINDS):
        state.unseen[kind] = int(DECK[state.seats][kind])
    for seat in range(SEATS):
        for place in range(CARDS):
            state.known[seat][place] = EMPTY
    for place in range(CARDS):
        state.pile[place] = EMPTY
    state.owner = NOBODY
    state.turn = NOBODY
    state.phase = LOT


def deal(state: Any, beginner: int, events: Any) -> None:
    """As evenly as can be, clockwise from the beginner; one card stays over and begins the pile (ADM-06, ADM-07)."""
    cards = -1
    for kind in range(KINDS):
        cards += state.unseen[kind]
    emit(events, BEGINS, beginner, EMPTY, 0, 10, EVERYONE)
    seat = beginner
    for turn in range(state.seats):
        state.fresh[seat] = cards // state.seats + int(turn < cards % state.seats)
        state.scores[seat] = state.fresh[seat]
        emit(events, DEALT, seat, EMPTY, state.fresh[seat], 6, EVERYONE)
        seat = left_of(state, seat)
    state.turn = beginner
    state.phase = START


def left_of(state: Any, seat: int) -> int:
    """The next player clockwise."""
    return 0 if seat + 1 == state.seats else seat + 1


def legal(state: Any, seat: int) -> Set:
    if seat != LUCK:
        return int(state.phase == TURN and seat == state.turn)
    if state.phase == LOT:
        return 1 if state.begins == FIRST_SEAT else int((1 << state.seats) - 1)
    kinds = 0
    if state.phase in (FLIP, START):
        for kind in range(KINDS):
            kinds |= int(state.unseen[kind] > 0) << kind
        if state.phase == START and state.start_mouse == SWAP:
            kinds &= ~MICE
    return kinds


def odds(state: Any, action: int) -> int:
    return 1 if state.phase == LOT or action >= KINDS else int(state.unseen[action])


def waiting(state: Any) -> Set:
    if state.phase == TURN:
        return int(1 << state.turn)
    return 0 if state.phase == OVER else 1 << LUCK


def apply(state: Any, seat: int, action: int, events: Any) -> None:
    if seat == LUCK:
        if state.phase == LOT:
            deal(state, action, events)
            return
        state.unseen[action] -= 1
        if state.phase == START:
            open_pile(state, action, events)
        else:
            state.fresh[state.turn] -= 1
            lay(state, action, events)
    elif state.fresh[seat] > 0:
        state.phase = FLIP
    else:
        place = state.first[seat]
        card = state.known[seat][place]
        state.known[seat][place] = EMPTY  # equal positions are then equal bytes
        state.first[seat] = place + 1 if place + 1 < CARDS else 0
        lay(state, card, events)


def open_pile(state: Any, card: int, events: Any) -> None:
    """The card left over begins the pile. A mouse counts as laid by the player to the right of the beginner."""
    state.pile[0] = card
    state.height = 1
    state.phase = TURN
    if MICE >> card & 1:
        state.owner = state.turn - 1 if state.turn > 0 else state.seats - 1
        state.tries = card
    if events is not None:
        emit(events, OPENED, LUCK, card, 0, 9, EVERYONE)
        if state.tries > 0:
            emit(events, HUNT, state.turn, EMPTY, state.tries, 15, EVERYONE)
        else:
            emit(events, NEXT, state.turn, EMPTY, 0, 10, EVERYONE)


def lay(state: Any, card: int, events: Any) -> None:
    """The player whose turn it is has turned this card: onto the pile with it, and what follows."""
    seat = state.turn
    hunted = state.tries > 0
    state.phase = TURN
    state.pile[state.height] = card
    state.height += 1
    state.turned += 1
    state.scores[seat] -= 1
    if events is not None:
        tell_card(state, card, events)
    if hunted and card == CHEESE:
        state.tries -= 1
        if state.tries == 0 or state.scores[seat] == 0:  # ADM-33: no card left is as good as no try left
            emit(events, ESCAPED, state.owner, EMPTY, state.tries, 18 if state.tries == 0 else 33, EVERYONE)
            win_pile(state, state.owner, events)
    elif hunted and card == CAT:
        emit(events, CAUGHT, seat, EMPTY, 0, 17, EVERYONE)
        win_pile(state, seat, events)
        state.chips[seat] += 1
        state.chips_left -= 1
        emit(events, CHIP, seat, EMPTY, state.chips[seat], 21, EVERYONE)
    else:
        mouse = MICE >> card & 1
        state.tries = card * mouse
        state.owner = seat if mouse else NOBODY
        state.turn = left_of(state, seat)
    if state.chips_left == 0 or state.scores[seat] == 0 or state.turned >= state.cap:
        state.phase = OVER
    if events is not None:
        tell_next(state, seat, card, int(hunted), events)


def win_pile(state: Any, winner: int, events: Any) -> None:
    """The pile goes under the winner's stack, newest card first, and the winner has to begin a new one."""
    emit(events, TAKEN, winner, EMPTY, state.height, 24, EVERYONE)
    place = state.first[winner] + state.scores[winner] - state.fresh[winner]
    for card in range(state.height - 1, -1, -1):
        if place >= CARDS:
            place -= CARDS
        state.known[winner][place] = state.pile[card]
        state.pile[card] = EMPTY
        place += 1
    state.scores[winner] += state.height
    state.height = 0
    state.tries = 0
    state.owner = NOBODY
    state.turn = winner


def tell_card(state: Any, card: int, events: Any) -> None:
    """Who turned what: in turn, to begin a new pile, or on a hunt."""
    clause = 11
    if state.tries > 0:
        clause = 16
    elif state.height == 1:
        clause = 26
    emit(events, TURNED, state.turn, card, 0, clause, EVERYONE)


def tell_next(state: Any, seat: int, card: int, hunted: int, events: Any) -> None:
    """What the card leads to: who is next and why, or how the game has ended."""
    if state.scores[seat] == 1 and state.phase != OVER:
        emit(events, LAST_CARD, seat, EMPTY, 0, 32, EVERYONE)
    if state.phase == OVER:
        tell_end(state, seat, events)
    elif state.height == 0:
        emit(events, ANEW, state.turn, EMPTY, 0, 26, EVERYONE)
    elif state.turn == seat:
        emit(events, MISSED, seat, EMPTY, state.tries, 16, EVERYONE)
    elif state.tries == 0:
        clause = 13 if card == CAT else 12
        emit(events, NEXT, state.turn, EMPTY, 0, 27 if state.height == 1 else clause, EVERYONE)
    else:
        if hunted:
            emit(events, ANOTHER, seat, EMPTY, 0, 19, EVERYONE)
        clause = 28 if state.height == 1 else 15
        emit(events, HUNT, state.turn, EMPTY, state.tries, 19 if hunted else clause, EVERYONE)


def tell_end(state: Any, seat: int, events: Any) -> None:
    if state.chips_left == 0:
        emit(events, LAST_CHIP, seat, EMPTY, 0, 29 if state.seats > 3 else 30, EVERYONE)
    elif state.scores[seat] == 0:
        emit(events, OUT, seat, EMPTY, 0, 32, EVERYONE)
    else:
        emit(events, STOPPED, NOBODY, EMPTY, state.turned, 39, EVERYONE)
    if state.height > 0:
        emit(events, LEFT, NOBODY, EMPTY, state.height, 37, EVERYONE)
    place = rank(state)
    most, with_most, winners = 0, 0, 0
    for player in range(state.seats):
        most = max(most, state.scores[player])
        winners += int(place[player] == 1)
    for player in range(state.seats):
        with_most += int(state.scores[player] == most)
    clause = 34
    if winners > 1:
        clause = 36
    elif with_most > 1:
        clause = 35
    for player in range(state.seats):
        if place[player] == 1:
            emit(events, WON, player, EMPTY, state.scores[player], clause, EVERYONE)


def rank(state: Any) -> Any:
    """Most cards, and among equals most chips (ADM-34, ADM-35)."""
    keys = np.zeros(SEATS, np.int64)
    for seat in range(state.seats):
        keys[seat] = state.scores[seat] * 128 + state.chips[seat]
    return places(keys, state.seats)


def hide(state: Any, seat: int) -> None:
    """Nothing: every card in the record has been turned before all eyes, and those that have not are nowhere in it."""


def forget(state: Any, seat: int) -> None:  # noqa: ARG001 - all see the same
    """Only the top of the pile can be seen, and the backs of the stacks; what lies below is to be remembered, and with
    it how many cards of each kind are still to come."""
    for other in range(SEATS):
        for place in range(CARDS):
            if state.known[other][place] != EMPTY:
                state.known[other][place] = HIDDEN
    for card in range(state.height - 1):
        state.pile[card] = HIDDEN
    for kind in range(KINDS):
        state.unseen[kind] = HIDDEN


def guess(state: Any, rng: np.random.Generator) -> None:
    """Nothing to fill in, since `hide` blanks nothing: a fresh card is chosen when it is turned, by LUCK."""
