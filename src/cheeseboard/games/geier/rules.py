"""Hol's der Geier: everybody bids one card at the same time.

A prize is turned up: a mouse (1 to 10) or a vulture (-1 to -5). All lay a card face down, then all are shown. A pot
of 0 or more goes to the highest card, one below 0 to the lowest. Equal cards cancel each other out; is no card left,
the pot stays and the next prize joins it. After the last prize the most points win, and equal scores cancel too."""

from typing import Any

import numpy as np

from cheeseboard.games.core import (
    EMPTY,
    EVERYONE,
    HIDDEN,
    LUCK,
    NOBODY,
    OVER,
    SEATS,
    Set,
    emit,
    pick,
    places,
    record,
)

CARDS = 15  # in a hand, unless the option says fewer; as many prizes
ACTIONS = CARDS  # action a: the card a + 1; of LUCK: prize a of the sorted list
RULEBOOK, HIGHEST_MOUSE = range(2)  # choices of the option `ranking`
_, GOOFSPIEL = range(2)  # of `ties`
_, COUNTING = range(2)  # of `aid`
TURN, BID = range(2)  # phases
EVENTS = ("turned", "pot", "laid", "shown", "cancelled", "taken", "stays", "lost", "won")
TURNED, POT, LAID, SHOWN, CANCELLED, TAKEN, STAYS, LOST, WON = range(9)

STATE = record(
    ranking="i1",
    ties="i1",
    cards="i1",
    aid="i1",
    prizes=("i1", CARDS),  # their values, sorted
    pot="i2",  # what this round is worth
    left="i4",  # the prizes not turned yet
    lying="i4",  # the prizes that make up the pot
    won=("i4", SEATS),  # the prizes each has taken
    hand=("i4", SEATS),  # the cards each still holds
    missing="i1",  # the seats that have not bid; counting them anew for each move costs a third of the speed
    bid=("i1", SEATS),  # the card laid face down, or EMPTY
    last=("i1", SEATS),  # the card on top of each discard pile, or EMPTY
)


def start(state: Any) -> None:
    state.left = (1 << state.cards) - 1
    for seat in range(SEATS):
        state.hand[seat] = state.left if seat < state.seats else 0
        state.bid[seat] = EMPTY
        state.last[seat] = EMPTY


def legal(state: Any, seat: int) -> Set:
    if seat == LUCK:
        return state.left if state.phase == TURN else 0
    if state.phase != BID or seat >= state.seats:
        return 0
    bid = state.bid[seat]  # GEIER-09: may be exchanged until the last has bid
    return state.hand[seat] & ~(int(bid != EMPTY) << max(bid, 0))


def waiting(state: Any) -> Set:
    if state.phase == TURN:
        return 1 << LUCK
    return state.missing


def apply(state: Any, seat: int, action: int, events: Any) -> None:
    if seat == LUCK:
        state.left &= ~(1 << action)
        state.lying |= 1 << action
        state.pot += state.prizes[action]
        state.phase = BID
        state.missing = (1 << state.seats) - 1
        emit(events, TURNED, LUCK, action, state.prizes[action], 7, EVERYONE)
        if state.lying != 1 << action:
            emit(events, POT, NOBODY, EMPTY, state.pot, 11, EVERYONE)
    else:
        state.bid[seat] = action  # and still in the hand: a gap would betray it
        emit(events, LAID, seat, action, 0, 8, 1 << seat)
        state.missing &= ~(1 << seat)
        if state.missing == 0:
            show(state, events)


def show(state: Any, events: Any) -> None:
    once, again = 0, 0
    for seat in range(state.seats):
        card = 1 << state.bid[seat]
        again |= once & card
        once |= card
    taker = alone_and_best(state, again)
    if state.ties == GOOFSPIEL and taker != NOBODY:
        # a shared top bid discards the prize; nothing steps in for it
        best = state.bid[taker]
        for seat in range(state.seats):
            beaten = state.bid[seat] > best if state.pot >= 0 else state.bid[seat] < best
            if beaten:
                taker = NOBODY
                break
    if events is not None:
        tell(state, taker, again, events)
    for seat in range(state.seats):
        state.hand[seat] &= ~(1 << state.bid[seat])
        state.last[seat] = state.bid[seat]
        state.bid[seat] = EMPTY
    if taker != NOBODY:
        state.scores[taker] += state.pot
        state.won[taker] |= state.lying
    if taker != NOBODY or state.ties == GOOFSPIEL:
        state.pot = 0
        state.lying = 0
    state.phase = TURN if state.left else OVER
    if events is not None and state.phase == OVER:
        tell_winners(state, events)


def alone_and_best(state: Any, again: Set) -> int:
    """Who bid the deciding card: the highest, or for a pot below 0 the lowest, that nobody else bid."""
    high = int(state.pot >= 0)  # as a number: whether a pot is good or bad cannot be predicted
    best = -1
    for seat in range(state.seats):
        strength = state.bid[seat] * high + (CARDS - state.bid[seat]) * (1 - high)
        alone = 1 - ((again >> state.bid[seat]) & 1)
        best = max(best, (strength * 8 + seat + 1) * alone - 1)
    return best & 7 if best >= 0 else NOBODY


def tell(state: Any, taker: int, again: Set, events: Any) -> None:
    for seat in range(state.seats):
        emit(events, SHOWN, seat, state.bid[seat], 0, 10, EVERYONE)
    for seat in range(state.seats):
        if again >> state.bid[seat] & 1:
            emit(events, CANCELLED, seat, state.bid[seat], 0, 16, EVERYONE)
    if taker != NOBODY:
        emit(events, TAKEN, taker, EMPTY, state.pot, 14 if state.pot >= 0 else 15, EVERYONE)
    elif state.ties == GOOFSPIEL or state.left == 0:
        emit(events, LOST, NOBODY, EMPTY, state.pot, 27, EVERYONE)
    else:
        emit(events, STAYS, NOBODY, EMPTY, state.pot, 20, EVERYONE)


def tell_winners(state: Any, events: Any) -> None:
    """And why: as the best of all, or together because nothing tells them apart."""
    place = rank(state)
    winners = 0
    for seat in range(state.seats):
        winners += place[seat] == 1
    if state.ranking == HIGHEST_MOUSE:
        clause = 34 if winners == 1 else 35
    else:
        clause = 31 if winners == 1 else 33
    for seat in range(state.seats):
        if place[seat] == 1:
            emit(events, WON, seat, EMPTY, state.scores[seat], clause, EVERYONE)


def rank(state: Any) -> Any:
    """Equal scores do not count (GEIER-31); or the highest mouse decides between them (GEIER-34)."""
    keys = np.zeros(SEATS, np.int64)
    for seat in range(state.seats):
        keys[seat] = state.scores[seat]
        if state.ranking == HIGHEST_MOUSE:
            keys[seat] = keys[seat] * 128 + best_mouse(state, seat)
    if state.ranking == RULEBOOK:
        winner = NOBODY
        for seat in range(state.seats):
            shared = 0
            for other in range(state.seats):
                shared += keys[other] == keys[seat]
            if shared == 1 and (winner == NOBODY or keys[seat] > keys[winner]):
                winner = seat
        if winner != NOBODY:
            keys[winner] += 1 << 20
    return places(keys, state.seats)


def best_mouse(state: Any, seat: int) -> int:
    """The value of the greatest mouse among the prizes taken, or 0."""
    for prize in range(state.cards - 1, -1, -1):
        if state.won[seat] >> prize & 1:
            return max(state.prizes[prize], 0)
    return 0


def hide(state: Any, seat: int) -> None:
    for other in range(state.seats):
        if other != seat and state.bid[other] != EMPTY:
            state.bid[other] = HIDDEN


def forget(state: Any, seat: int) -> None:
    """Only the last bid of each lies on top of the discards (GEIER-25), so what the others hold is to be remembered."""
    if state.aid != COUNTING:
        for other in range(state.seats):
            if other != seat:
                state.hand[other] = HIDDEN


def guess(state: Any, rng: np.random.Generator) -> None:
    for seat in range(state.seats):
        if state.bid[seat] == HIDDEN:
            state.bid[seat] = pick(state.hand[seat], rng)
