"""Who will win at Mausen, and how to play so that nobody can do better: to be compiled.

All has lain open in this game but what is chosen now, so a state is worth what the next choice brings. Nets say for
each player how likely a win is (`mausen_nets`); the last rounds are played through.
At each choice `think` looks for the mixes from which nobody wants to deviate: where it can on the table of all joint
choices, else on drawn ones.

The seats must stand in an order of their own (`symmetric.order`): then the same situation is the same for everybody."""

from typing import Any

import numpy as np

from cheeseboard.bots.agreement import cooled, equally
from cheeseboard.bots.mausen_nets import CARDS, SUM, desk, judge, key, lay_out
from cheeseboard.bots.symmetric import against, learn, order, settle, throw
from cheeseboard.games.core import EMPTY, OVER, SEATS, count, nth
from cheeseboard.games.mausen.rules import ANIMALS, VALUES, apply, prey_of, rank, worth

RARE = 0.01  # a card that is drawn no more often is left to chance draws, and not played
ROOM = 6  # records that `think` needs: the state it is given, and one for each choice it plays through


def arrange(states: Any, seats: Any, kind: Any) -> None:
    """Write the state of states[0] to states[1] with the seats in an order that is the same whoever sits where.

    All seats are to choose, also those that already have."""
    given = states[0]
    keys = np.zeros(given.seats, np.int64)
    for seat in range(given.seats):
        keys[seat] = key(given, seat) << CARDS | given.hand[seat]
    order(keys, seats, kind)
    states[1] = given
    state = states[1]
    state.missing = (1 << given.seats) - 1
    for place in range(given.seats):
        seat = seats[place]
        state.hand[place] = given.hand[seat]
        state.scores[place] = given.scores[seat]
        state.choice[place] = EMPTY
        for card in range(CARDS):
            state.won[place][card] = given.won[seat][card]


def shares(state: Any, value: Any) -> None:
    """Who has won: 1, or a part of it."""
    place = rank(state)
    winners = 0
    for seat in range(state.seats):
        winners += int(place[seat] == 1)
    for seat in range(state.seats):
        value[seat] = 1.0 / winners if place[seat] == 1 else 0.0


def play(states: Any, bids: Any) -> int:
    """Write what the bids make of states[1] to states[2]; how many cards everybody has left."""
    states[2] = states[1]
    state = states[2]
    for seat in range(state.seats):
        apply(state, seat, bids[seat], None)
    return count(state.hand[0])


def outcome(states: Any, bids: Any, nets: Any, exact: int, table: Any, value: Any) -> None:
    """What the bids bring each player in states[1]; behind it is room for what comes after."""
    state, left = states[2], play(states, bids)
    if state.phase == OVER or left <= exact:
        play_through(states, value)
    else:
        judge(state, bids, nets[0][left], nets[1][left], nets[2][left], table, value)


def play_through(states: Any, value: Any) -> None:
    """What the equilibrium from states[2] to the end of the game brings each player, exactly, with up to four cards.

    A function for each number of cards, for machine code that calls itself cannot be kept in a cache."""
    last_four(states[2:], value)


def last_four(states: Any, value: Any) -> None:
    """From states[0], with four cards or less."""
    state = states[0]
    size = count(state.hand[0])
    if size < 4 or decided(state, value):
        last_three(states, value)
        return
    joints = blank(state, size)
    for joint in range(joints.shape[1]):
        states[1] = state
        bid(states[1], joint, size)
        last_three(states[1:], value)
        note(joints, joint, value)
    agree(state, joints, size, value)


def last_three(states: Any, value: Any) -> None:
    """From states[0], with three cards or less."""
    state = states[0]
    size = count(state.hand[0])
    if decided(state, value):
        return
    if size < 3:
        last_two(states, value)
        return
    joints = blank(state, size)
    for joint in range(joints.shape[1]):
        states[1] = state
        bid(states[1], joint, size)
        last_two(states[1:], value)
        note(joints, joint, value)
    agree(state, joints, size, value)


def last_two(states: Any, value: Any) -> None:
    """From states[0], with two cards or less."""
    state = states[0]
    size = count(state.hand[0])
    if decided(state, value):
        return
    if size == 1:
        last_card(state, size, value)
        return
    joints = blank(state, size)
    for joint in range(joints.shape[1]):
        states[1] = state
        bid(states[1], joint, size)
        last_card(states[1], size - 1, value)
        note(joints, joint, value)
    agree(state, joints, size, value)


def last_card(state: Any, size: int, value: Any) -> None:
    """Nobody has a choice any more."""
    if state.phase != OVER:
        bid(state, size - 1, size)
    shares(state, value)


def decided(state: Any, value: Any) -> bool:
    """Is the game over, or so far ahead is somebody that nobody can catch up? Then, who has won."""
    if state.phase == OVER:
        shares(state, value)
        return True
    best = 0
    for seat in range(state.seats):
        if state.scores[seat] > state.scores[best]:
            best = seat
    for seat in range(state.seats):
        if seat != best and state.scores[seat] + hopes(state, seat) >= state.scores[best]:
            return False
    for seat in range(state.seats):
        value[seat] = 1.0 if seat == best else 0.0
    return True


def hopes(state: Any, seat: int) -> int:
    """More points than these cannot come to the seat: each card hunts once, and at most all of its prey there is."""
    points = 0
    for animal in range(ANIMALS):
        own = count(state.hand[seat] >> animal * VALUES & 15)
        if own:
            beyond = prey_of(animal * VALUES)
            prey = worth(state.middle, beyond)
            for other in range(state.seats):
                prey += SUM[state.hand[other] >> beyond & 15]
            points += own * prey
    return points


def blank(state: Any, size: int) -> Any:
    """Room for what each joint choice brings each seat."""
    return np.zeros((state.seats, size ** int(state.seats)))


def note(joints: Any, joint: int, value: Any) -> None:
    for seat in range(joints.shape[0]):
        joints[seat, joint] = value[seat]


def agree(state: Any, joints: Any, size: int, value: Any) -> None:
    """The equilibrium of a choice among so many cards, the joint choices of which bring what is in `joints`."""
    seats = int(state.seats)
    same, kinds = True, 0
    kind = np.zeros(seats, np.int64)
    for seat in range(seats):
        value[seat] = joints[seat, 0]
        for joint in range(joints.shape[1]):
            same &= joints[seat, joint] == joints[seat, 0]
        kind[seat] = kinds
        for other in range(seat):
            if key(state, other) == key(state, seat) and state.hand[other] == state.hand[seat]:
                kind[seat] = kind[other]
        kinds += int(kind[seat] == kinds)
    if not same:
        rows = np.zeros((kinds, size))
        cooled(joints, kind, rows)
        bring(joints, kind, rows, value)


def bring(joints: Any, kind: Any, rows: Any, value: Any) -> None:
    """What the mixes bring each seat on average."""
    seats, size = len(kind), rows.shape[1]
    for seat in range(seats):
        value[seat] = 0.0
    for joint in range(joints.shape[1]):
        p, rest = 1.0, joint
        for place in range(seats):
            seat = seats - 1 - place
            p *= rows[kind[seat], rest % size]
            rest //= size
        if p > 0:
            for seat in range(seats):
                value[seat] += p * joints[seat, joint]


def bid(state: Any, joint: int, size: int) -> None:
    """Let everybody play: the choices of all as one number, that of the last seat running fastest."""
    weight = size ** int(state.seats)
    for seat in range(state.seats):
        weight //= size
        apply(state, seat, nth(state.hand[seat], joint // weight % size), None)


def think(states: Any, nets: Any, exact: int, budget: int, dice: Any, mix: Any, good: Any, value: Any) -> None:
    """Work out the choice that the seats of states[0] have to make; the budget counts the joint choices looked at.

    For each seat: `mix`, how often each of its cards is to be played, in the order of the cards; `good`, what each of
    them brings if the others play their mixes; `value`, how likely it wins. Nets judge what comes after the choice, but
    where no more than `exact` cards are left it is played through."""
    seats, kind = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64)
    arrange(states, seats, kind)
    state = states[1]
    number, size = int(state.seats), count(state.hand[0])
    rows, gains, worths = np.zeros((number, size)), np.zeros((number, size)), np.zeros(number)
    table = desk(nets)
    lay_out(state, nets[0][size - 1], table)
    if size**number <= budget:
        ponder_all(states, kind[:number], nets, exact, table, rows, gains, worths)
    else:
        rounds = max(1, budget // (number * size))
        ponder_drawn(states, kind[:number], nets, exact, table, rounds, dice, rows, gains, worths)
    for place in range(number):
        seat = seats[place]
        value[seat] = worths[place]
        for move in range(size):
            mix[seat, move] = rows[kind[place], move]
            good[seat, move] = gains[kind[place], move]


def ponder_all(states: Any, kind: Any, nets: Any, exact: int, table: Any, rows: Any, gains: Any, value: Any) -> None:
    """All joint choices."""
    state = states[1]
    seats, size = len(kind), count(state.hand[0])
    joints = size**seats
    worths, one, bids = np.zeros((seats, joints)), np.zeros(SEATS), np.zeros(SEATS, np.int64)
    for joint in range(joints):
        rest = joint
        for place in range(seats):
            seat = seats - 1 - place
            bids[seat] = nth(state.hand[seat], rest % size)
            rest //= size
        outcome(states, bids, nets, exact, table, one)
        for seat in range(seats):
            worths[seat, joint] = one[seat]
    found, scratch = rows[: kind[seats - 1] + 1], np.zeros(joints)
    cooled(worths, kind, found)
    bring(worths, kind, found, value)
    for seat in range(seats):
        against(worths[seat], equally(seats, size), kind, found, seat, gains[kind[seat]], scratch)


def ponder_drawn(
    states: Any, kind: Any, nets: Any, exact: int, table: Any, rounds: int, dice: Any, rows: Any, gains: Any, value: Any
) -> None:
    """Joint choices drawn from the mixes, and for each player what every other card would have brought."""
    state = states[1]
    seats, size = int(state.seats), count(state.hand[0])
    kinds = kind[seats - 1] + 1
    regret, average, values = np.zeros((kinds, size)), np.zeros((kinds, size)), np.zeros((kinds, size))
    joint, bids, one = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64), np.zeros(SEATS)
    members = np.zeros(kinds)
    for seat in range(seats):
        members[kind[seat]] += 1
        for move in range(size):
            rows[kind[seat], move] = 1 / size
    for number in range(rounds):
        weight = number + 1.0
        for seat in range(seats):
            joint[seat] = throw(rows[kind[seat]], size, dice)
            bids[seat] = nth(state.hand[seat], joint[seat])
        for which in range(kinds):
            for move in range(size):
                values[which, move] = 0.0
        for seat in range(seats):
            for move in range(size):
                bids[seat] = nth(state.hand[seat], move)
                outcome(states, bids, nets, exact, table, one)
                values[kind[seat], move] += one[seat] / members[kind[seat]]
                if move == joint[seat]:
                    value[seat] += weight * one[seat]
            bids[seat] = nth(state.hand[seat], joint[seat])
        for which in range(kinds):
            learn(regret[which], average[which], rows[which], values[which], size, weight, 0.0)
            for move in range(size):
                gains[which, move] += weight * values[which, move]
    total = rounds * (rounds + 1) / 2
    for which in range(kinds):
        settle(average[which], size, RARE, rows[which])
        for move in range(size):
            gains[which, move] /= total
    for seat in range(seats):
        value[seat] /= total
