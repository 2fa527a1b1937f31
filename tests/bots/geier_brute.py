"""Hol's der Geier for two solved the slow way, move by move through the rules, with nothing clever in it."""

import numpy as np

from cheeseboard.bots.matrix import solve_matrix
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import LUCK, OVER, members, pick
from cheeseboard.games.geier.rules import TURN

GAME = GAMES["geier"]


def worth(state, aim, known):
    """What the state is worth to seat 0, if both play on as well as can be. `known` remembers."""
    if state.phase == OVER:
        return ending(state, aim)
    key = state.tobytes()
    if key not in known:
        if state.phase == TURN:
            nexts = [after(state, (LUCK, prize)) for prize in members(state.left)]
            known[key] = sum(worth(each, aim, known) for each in nexts) / len(nexts)
        else:
            known[key] = solve_matrix(payoffs(state, aim, known))[0]
    return known[key]


def payoffs(state, aim, known):
    mine, theirs = (members(state.hand[seat]) for seat in (0, 1))
    return np.array([[worth(after(state, (0, a), (1, b)), aim, known) for b in theirs] for a in mine], float)


def ending(state, aim):
    if aim == "points":
        return state.scores[0] - state.scores[1]
    first, second = (int(place) for place in GAME.rank(state))
    return int(first < second) - int(first > second)


def after(state, *moves):
    state = state.copy()
    for seat, action in moves:
        GAME.apply(state, seat, action, None)
    state.last[:] = [core.EMPTY] * len(state.last)  # changes nothing, and fewer states are different
    return state


def walk(cards, phase, rng, **options):
    """Random moves until so many cards are in each hand and this phase has come; more ties than by chance."""
    state = core.new(GAME, 2, **options)
    while core.count(state.hand[0]) > cards or state.phase != phase:
        if state.phase == TURN:
            state = after(state, (LUCK, pick(state.left, rng)))
        elif state.hand[0] & state.hand[1] and rng.random() < 0.4:
            card = pick(state.hand[0] & state.hand[1], rng)
            state = after(state, (0, card), (1, card))
        else:
            state = after(state, (0, pick(state.hand[0], rng)), (1, pick(state.hand[1], rng)))
    return state
