"""The floor for every comparison: one bot that does anything, one that tries everything out."""

import numpy as np

from cheeseboard.games import core
from cheeseboard.games.core import CLOCK, LUCK, OVER, SEATS, Game, State, draw, members, pick


def random(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
    """Any legal action, each equally likely."""
    return pick(game.legal(view, seat), rng)


def thinker(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:
    """Guess what is hidden, try each action there, play on at random, and take what went best on average."""
    actions = members(game.legal(view, seat))
    worth = dict.fromkeys(actions, 0.0)
    if len(actions) > 1:
        for _ in range(max(1, budget // len(actions))):
            world = view.copy()
            game.guess(world, rng)
            same_luck = int(rng.integers(0, 1 << 30))  # for all actions alike: only the action makes the difference
            for action in actions:
                end = world.copy()
                game.apply(end, seat, action, None)
                play_out(game, end, np.random.default_rng(same_luck))
                worth[action] += success(game, end, seat)
    return max(actions, key=worth.__getitem__)


def success(game: Game, end: State, seat: int) -> float:
    """A win is 1, shared ones are shares; the lead in points breaks ties between equally good ends."""
    place = list(game.rank(end))
    others = [end.scores[other] for other in range(end.seats) if other != seat]
    lead = float(end.scores[seat] - max(others))
    return (1 / place.count(1) if place[seat] == 1 else 0.0) + lead / 100


def play_out(game: Game, state: State, rng: np.random.Generator) -> None:
    """Play to the end at random."""
    seat = LUCK
    while state.phase != OVER:
        seat = next_to_act(game, state, seat, rng)
        actions = game.legal(state, seat)
        if seat == LUCK:
            kinds = members(actions)
            action = kinds[draw([core.odds(game, state, kind) for kind in kinds], rng)]
        else:
            action = pick(actions, rng)
        game.apply(state, seat, action, None)


def next_to_act(game: Game, state: State, last: int, rng: np.random.Generator) -> int:
    """One the game waits for. In real time, when it waits for the clock, anybody who may act is as quick as another,
    and once somebody has acted (`last`), as the clock."""
    waits = game.waiting(state)
    if waits != 1 << CLOCK:
        return pick(waits, rng)
    ready = 0
    for seat in range(state.seats):
        ready |= int(game.legal(state, seat) != 0) << seat
    return pick(ready | waits if last < SEATS or not ready else ready, rng)
