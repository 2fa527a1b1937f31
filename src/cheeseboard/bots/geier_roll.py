"""Hol's der Geier by trying out: each card many times, the rest of the game at random. Compiled, for it is a member of
the pool that the strong bots are measured against."""

from typing import Any

import numpy as np

from cheeseboard.bots.dice import chance
from cheeseboard.games.compiled import compile_for
from cheeseboard.games.core import LUCK, OVER, Game, State, count, members, nth

game: Any = None  # the compiled rules, put here by `compile_for`


def tried(views: Any, seat: int, cards: Any, times: int, seed: int, wins: Any) -> None:
    """How often each card wins if everything else is left to chance."""
    states = views.copy()
    dice = np.zeros(1, np.uint64)
    for number in range(times):
        for n in range(len(cards)):
            states[0] = views[0]
            state = states[0]
            # the same luck for all cards: only the card makes the difference
            dice[0] = np.uint64(seed) + np.uint64(number) * np.uint64(0xD1342543DE82EF95)
            state.missing = (1 << state.seats) - 1  # what the others have laid is unknown, so they lay anew
            for other in range(state.seats):
                bid(state, other, cards[n] if other == seat else any_of(state.hand[other], dice))
            while state.phase != OVER:
                game.apply(state, LUCK, any_of(state.left, dice), None)
                for other in range(state.seats):
                    bid(state, other, any_of(state.hand[other], dice))
            place, winners = game.rank(state), 0
            for other in range(state.seats):
                winners += place[other] == 1
            wins[n] += (place[seat] == 1) / winners


def bid(state: Any, seat: int, card: int) -> None:
    game.apply(state, seat, card, None)


def any_of(bits: int, dice: Any) -> int:
    return nth(bits, int(chance(dice) * count(bits)))


def rollouts(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:
    cards = np.array(members(game.legal(view, seat)), np.int64)
    wins = np.zeros(len(cards))
    times = max(1, budget // len(cards))
    compile_for(game, tried, inline=False)(view.records(), seat, cards, times, int(rng.integers(0, 1 << 62)), wins)
    return int(cards[int(np.argmax(wins))])
