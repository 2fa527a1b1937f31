"""The fox learns how the others bid, from what they have bid in this game, and answers it.

It knows a few kinds of players and believes in each as far as it would have foreseen the bids that were shown. What it
expects is the mixture of them, and it bids what is best against that; the less it knows, the more it plays like the
elephant, whom nobody can foresee."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from cheeseboard.bots import Past, geier_many
from cheeseboard.bots.geier_rounds import many, two
from cheeseboard.bots.geier_thumb import bid_of_level, tier
from cheeseboard.bots.geier_two import Floats, sums
from cheeseboard.games.core import LUCK, Game, State, members

SURE = 0.8  # how often a player who has a rule keeps to it; else a card nearby, or any
NEAR = 0.1  # of which a card next to it
KINDS = 6
PRIOR = np.array([0.5, 0.1, 0.1, 0.1, 0.1, 0.1])  # the elephant, levels 0 to 2, tiers, anything


class Shown(NamedTuple):
    """A round that is over: what everybody knew, and what they bid."""

    before: State
    bids: list[int]


def rounds(game: Game, view: State, past: Past) -> Iterator[Shown]:
    """The rounds that are over, from what the seat was told."""
    state = view.copy()
    for field in ("phase", "pot", "lying"):
        setattr(state, field, 0)
    for field in ("scores", "won"):
        setattr(state, field, [0] * len(getattr(state, field)))
    game.start(state)
    for act in past:
        for event in act:
            if event.kind == "turned":
                game.apply(state, LUCK, event.card, None)
        shown = {event.seat: event.card for event in act if event.kind == "shown"}
        if shown:
            bids = [shown[seat] for seat in range(view.seats)]
            yield Shown(state.copy(), bids)
            for seat, card in enumerate(bids):
                game.apply(state, seat, card, None)


def expected(view: State, seat: int, equilibrium: Floats) -> Floats:
    """What each kind of player would bid in this seat: a row of shares of its cards for each."""
    hand = members(view.hand[seat])
    table = np.zeros((KINDS, len(hand)))
    table[0] = equilibrium
    for level in range(3):
        at = hand.index(bid_of_level(view, seat, level, hand))
        table[1 + level] = (1 - SURE - NEAR) / len(hand)
        table[1 + level, at] += SURE
        for near in (max(at - 1, 0), min(at + 1, len(hand) - 1)):
            table[1 + level, near] += NEAR / 2
    first, end = tier(view, len(hand))
    table[4] = 0.1 / len(hand)
    table[4, first:end] += 0.9 / (end - first)
    table[5] = 1 / len(hand)
    return table


def belief(game: Game, view: State, seat: int, past: Past, budget: int) -> dict[int, Floats]:
    """How likely each of the others is of each kind."""
    trust = {other: PRIOR.copy() for other in range(view.seats) if other != seat}
    for before, bids in rounds(game, view, past):
        if before.hand[0] & (before.hand[0] - 1) == 0:
            continue  # the last card tells nothing
        mixes = mixes_of(before, seat, budget)
        for other, kinds in trust.items():
            at = members(before.hand[other]).index(bids[other])
            likely = kinds * (0.02 + 0.98 * expected(before, other, mixes[other])[:, at])
            trust[other] = likely / likely.sum()
    return trust


def mixes_of(view: State, seat: int, budget: int) -> Sequence[Floats]:
    """What the elephant would bid in each seat."""
    if view.seats > 2:
        return list(many(view, budget).mixes)
    solution = two(view, seat)
    return (solution.mix, solution.mix_other) if seat == 0 else (solution.mix_other, solution.mix)


def answer(game: Game, view: State, seat: int, past: Past, budget: int) -> tuple[Floats, Floats, float]:
    """The elephant's mix, what each card is worth against what is expected, and how far the others are known."""
    trust = belief(game, view, seat, past, budget // 4)
    known = float(np.mean([1 - kinds[0] for kinds in trust.values()]))
    if view.seats > 2:
        mixes = many(view, budget).mixes
        foreseen = mixes.copy()
        for other, kinds in trust.items():
            foreseen[other] = sums(expected(view, other, mixes[other]).T, kinds)
        return mixes[seat], geier_many.worths_against(view, seat, foreseen, budget), known
    solution = two(view, seat)
    foreseen = sums(expected(view, 1 - seat, solution.mix_other).T, trust[1 - seat])
    return solution.mix, 0.5 * sums(solution.payoffs, foreseen), known
