"""Random play as machine code, through the general interface of a game.

Every game has luck of its own, from the seed and its number: results do not depend on how many cores share the work."""

from typing import Any

import numpy as np

from cheeseboard.games.core import CLOCK, LUCK, OVER, SEATS, Set, count, nth

game: Any = None  # the compiled rules, put here by `compile_for`
SHORT = 8  # actions that are looked through faster than darts are thrown
SHARES = 60  # a win in parts that any number of winners up to six can share evenly


def roll(dice: Any) -> int:
    """The next 31 random bits (splitmix64)."""
    dice[0] += np.uint64(0x9E3779B97F4A7C15)
    z = dice[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(z >> np.uint64(33))  # type: ignore[return-value]


def any_of(bits: int, dice: Any) -> int:
    return nth(bits, (roll(dice) * count(bits)) >> 31)


def luck(state: Any, dice: Any) -> int:
    """One of LUCK's actions, each as likely as there are cards behind it."""
    actions = game.legal(state, LUCK)
    if game.EVEN:
        return any_of(actions, dice)
    if game.ACTIONS > SHORT:
        return hit(state, actions, dice)
    total = 0
    for card in range(game.ACTIONS):
        total += cards_of(state, actions, card)
    n = (roll(dice) * total) >> 31
    passed, at = 0, 0
    for card in range(game.ACTIONS):  # without a branch: where it ends cannot be predicted
        passed += cards_of(state, actions, card)
        at += int(passed <= n)
    return at


def cards_of(state: Any, actions: Set, card: int) -> int:
    """The odds of an action, 0 if LUCK may not do it."""
    return game.odds(state, card) * ((actions >> card) & 1)  # type: ignore[no-any-return]


def hit(state: Any, actions: Set, dice: Any) -> int:
    """A dart thrown at all cards in rows of equal ones, all rows as long as the longest, until it hits a card."""
    longest = 1
    for card in range(game.ACTIONS):
        longest = max(longest, game.odds(state, card))
    kinds = count(actions)
    while True:
        row = roll(dice) * kinds  # the row, and behind 31 bits how far along it
        card = nth(actions, row >> 31)
        if ((row & 0x7FFFFFFF) * longest) >> 31 < game.odds(state, card):
            return card


def play_out(state: Any, dice: Any) -> int:
    """Play to the end at random; how many moves the players made."""
    moves = 0
    while state.phase != OVER:
        waits = game.waiting(state)
        if waits == 1 << LUCK:
            game.apply(state, LUCK, luck(state, dice), None)
        elif waits == 1 << CLOCK:
            moves += race(state, dice)
        else:
            for seat in range(state.seats):
                if (waits >> seat) & 1:
                    game.apply(state, seat, any_of(game.legal(state, seat), dice), None)
                    moves += 1
    return moves


def race(state: Any, dice: Any) -> int:
    """Real time: anybody who may act is as quick as another, and once somebody has acted, as the clock."""
    ready, moves = 0, 0
    for seat in range(state.seats):
        ready |= int(game.legal(state, seat) != 0) << seat
    ready |= int(ready == 0) << SEATS  # the clock, behind all players
    while True:
        seat = any_of(ready, dice)
        if seat == SEATS:
            game.apply(state, CLOCK, any_of(game.legal(state, CLOCK), dice), None)
            return moves
        actions = game.legal(state, seat)
        if actions:
            game.apply(state, seat, any_of(actions, dice), None)
            moves += 1
        ready = (ready & ~(1 << seat)) | 1 << SEATS
        if ready == 1 << SEATS:
            return moves  # all have acted; is the clock still needed, it will be asked again


def play_many(blank: Any, first: int, games: int, seed: int, wins: Any, points: Any) -> int:
    """Play games number `first` and following; add up wins (in SHARES) and points of each seat; the players' moves."""
    states = blank.copy()
    dice = np.zeros(1, np.uint64)
    moves = 0
    for number in range(first, first + games):
        states[0] = blank[0]
        state = states[0]
        dice[0] = np.uint64(seed) * np.uint64(0xD1342543DE82EF95) + np.uint64(number) * np.uint64(0xDA942042E4DD58B5)
        game.start(state)
        moves += play_out(state, dice)
        place = game.rank(state)
        winners = 0
        for seat in range(state.seats):
            winners += int(place[seat] == 1)
        for seat in range(state.seats):
            wins[seat] += (SHARES // winners) * int(place[seat] == 1)
            points[seat] += state.scores[seat]
    return moves
