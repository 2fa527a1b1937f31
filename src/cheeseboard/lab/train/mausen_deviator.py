"""Mausen: how much can be won against copies of the elephant by somebody who knows how it plays?

    python -m cheeseboard.lab.train.mausen_deviator --games 1000

By the same pipeline as the elephant's own nets: stage by stage a net learns how likely one of three wins who always
does what is best against the mixes of the two others. Then this deviator plays real games against two elephants, down
to the five cards from which on the elephants calculate exactly: there nobody can gain anything any more, and what the
position is worth is counted instead of who happens to win it. Nor does it count whether the elephants happened to draw
cards that suit the deviator: what their draw was worth more than their mixes, by the deviator's own net, is taken off
again, which changes nothing on average and makes each game tell as much as five. What the deviator wins above a third
is a lower bound of how far the elephant is from an equilibrium."""

import argparse
import time
from typing import Any

import numpy as np

from cheeseboard.bots import mausen
from cheeseboard.bots.cooling import power
from cheeseboard.bots.mausen_nets import CARDS, desk, judge, lay_out, weigh
from cheeseboard.bots.mausen_values import ROOM, play, think
from cheeseboard.bots.symmetric import throw
from cheeseboard.games import core
from cheeseboard.games.compiled import machine_code
from cheeseboard.games.core import EMPTY, SEATS, count, nth
from cheeseboard.games.mausen.rules import apply, start
from cheeseboard.lab.train.mausen import (
    MAUSEN,
    PART,
    RUNS,
    Array,
    Nets,
    fit,
    fresh,
    inputs,
    nets_of,
    neurons,
    save,
    states_for,
)
from cheeseboard.lab.train.sharing import side_by_side
from cheeseboard.lab.train.telling import tell

PLAYERS = 3
EXACT = 5  # cards up to which the elephant plays an exact equilibrium: nobody gains there
STAGES = range(EXACT + 1, CARDS)
RARE = 1e-5  # pairs of cards that are played no more often do not matter


def tempted(states: Any, bids: Any, nets: Any, table: Any, value: Any) -> None:
    """How likely each wins after these bids, if it deviates from then on and nobody else does.

    Where that is pointless, the elephant's own net tells; it lies among those of the deviator."""
    state, left = states[2], play(states, bids)
    if left == EXACT:
        judge(state, bids, nets[0][left], nets[1][left], nets[2][left], table, value)
    else:
        weigh(state, bids, nets[0][left], nets[1][left], nets[2][left], table, value)
        for seat in range(state.seats):
            small = power(-abs(value[seat]))
            value[seat] = (small if value[seat] < 0 else 1.0) / (1.0 + small)


def tempt(states: Any, seat: int, mix: Any, nets: Any, table: Any, gains: Any) -> None:
    """What each card of the seat brings it, if the two others play their mixes now."""
    states[1] = states[0]
    state = states[1]
    state.missing = (1 << state.seats) - 1
    for place in range(PLAYERS):
        state.choice[place] = EMPTY
    size = count(state.hand[0])
    one, two = (seat + 1) % PLAYERS, (seat + 2) % PLAYERS
    bids, value = np.zeros(SEATS, np.int64), np.zeros(SEATS)
    lay_out(state, nets[0][size - 1], table)
    gains[:] = 0.0
    total = 0.0
    for a in range(size):
        for b in range(size):
            share = mix[one, a] * mix[two, b]
            if share > RARE:
                total += share
                bids[one], bids[two] = nth(state.hand[one], a), nth(state.hand[two], b)
                for move in range(size):
                    bids[seat] = nth(state.hand[seat], move)
                    tempted(states, bids, nets, table, value)
                    gains[move] += share * value[seat]
    gains /= total


def temptations(given: Any, theirs: Any, nets: Any, budget: int, values: Any) -> None:
    """What deviating brings each seat in each state."""
    states, table, dice = np.zeros(ROOM, given.dtype), desk(nets), np.ones(1, np.uint64)
    mix, good, value, gains = np.zeros((SEATS, CARDS)), np.zeros((SEATS, CARDS)), np.zeros(SEATS), np.zeros(CARDS)
    for number in range(len(given)):
        states[0] = given[number]
        think(states, theirs, EXACT - 1, budget, dice, mix, good, value)
        for seat in range(PLAYERS):
            tempt(states, seat, mix, nets, table, gains)
            values[number, seat] = gains[: count(states[0].hand[0])].max()


def contest(blank: Any, games: int, theirs: Any, nets: Any, budget: int, dice: Any, won: Any) -> None:
    """Games of the deviator, at each seat in turn, against two elephants; what it won of each, without their luck."""
    table, states = np.zeros(1, blank.dtype), np.zeros(ROOM, blank.dtype)
    sums, same = desk(nets), np.ones(1, np.uint64)
    mix, good, value, gains = np.zeros((SEATS, CARDS)), np.zeros((SEATS, CARDS)), np.zeros(SEATS), np.zeros(CARDS)
    bids, came = np.zeros(SEATS, np.int64), np.zeros(SEATS)
    for number in range(games):
        table[0] = blank[0]
        state = table[0]
        start(state)
        own, luck = number % PLAYERS, 0.0
        while True:
            size = count(state.hand[0])
            states[0] = state
            think(states, theirs, EXACT - 1, budget, same, mix, good, value)
            if size == EXACT:
                break
            for seat in range(PLAYERS):
                bids[seat] = nth(state.hand[seat], throw(mix[seat], size, dice))
            tempt(states, own, mix, nets, sums, gains)
            best = int(np.argmax(gains[:size]))
            bids[own] = nth(state.hand[own], best)
            tempted(states, bids, nets, sums, came)
            luck += came[own] - gains[best]
            for seat in range(PLAYERS):
                apply(state, seat, bids[seat], None)
        won[number] = value[own] - luck


def alone(answers: Array) -> Array:
    """Chances that do not exclude each other."""
    return np.asarray(1 / (1 + np.exp(-answers)))


def train(games: int, effort: int, epochs: int) -> Nets:
    folder = RUNS / "deviator"
    path = folder / "nets-1.npz"
    theirs, budget = mausen.nets(PLAYERS), mausen.PLAYERS["elephant"].budget
    save(folder / "nets-0.npz", theirs)
    states = states_for(folder, PLAYERS, 1, games, budget, tell)
    nets, rng = nets_of(path, *neurons(PLAYERS)), np.random.default_rng(1)
    for half, whole in zip(nets, theirs, strict=True):
        half[EXACT] = whole[EXACT]
    net = fresh(rng, *neurons(PLAYERS))
    for stage in STAGES:
        if nets[2][stage].any():
            net = [half[stage].copy() for half in nets]
            continue
        given = states[stage][: max(1000, effort * 1_000_000 // stage**PLAYERS)]

        def some(at: int, given: Array = given) -> Array:
            values = np.zeros((len(given[at : at + PART]), PLAYERS))
            machine_code(temptations)(given[at : at + PART], theirs, nets, budget, values)
            return values

        values = np.concatenate(list(side_by_side(some, range(0, len(given), PART))))
        off, equal = fit(net, inputs(given, PLAYERS), values.astype(np.float32), epochs, rng, alone)
        for half, new in zip(nets, net, strict=True):
            half[stage] = new
        save(path, nets)
        tell(f"{stage} cards, {len(given)} states, off by {off:.4f} (all equal: {equal:.4f}), {values.mean():.4f} each")
    return nets


def contests(games: int, nets: Nets) -> Array:
    """What the deviator won of each of so many games, a multiple of three at a time."""
    theirs, budget = mausen.nets(PLAYERS), mausen.PLAYERS["elephant"].budget
    blank = core.blank(MAUSEN, PLAYERS).records()

    def some(number: int) -> Array:
        won, dice = np.zeros(PLAYERS), np.array([number * 1_000_003 + 7], np.uint64)
        machine_code(contest)(blank, PLAYERS, theirs, nets, budget, dice, won)
        return won

    return np.concatenate(list(side_by_side(some, range(games // PLAYERS))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, help="against two elephants")
    parser.add_argument("--walks", type=int, default=5000, help="games to take states from")
    parser.add_argument("--effort", type=int, default=20, help="millions of joint choices looked at for each stage")
    given = parser.parse_args()
    nets, begun = train(given.walks, given.effort, 15), time.monotonic()
    won = contests(given.games, nets)
    share, sure = won.mean(), 1.96 * won.std() / len(won) ** 0.5
    tell(f"the deviator wins {share:.3f} ± {sure:.3f} of {len(won)} games, {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
