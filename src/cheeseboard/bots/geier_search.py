"""Hol's der Geier for two by search alone: a tree of rounds, in each of which both choose by regret matching, the rest
of the game at random. It knows nothing and is no level; the strong bots are measured against it."""

from typing import Any

import numpy as np

from cheeseboard.bots.dice import chance
from cheeseboard.bots.geier_two import Floats, result
from cheeseboard.bots.symmetric import throw
from cheeseboard.games.compiled import machine_code
from cheeseboard.games.core import State, count, members, nth

CARDS = 15
CURIOUS = 0.2  # of all choices in the tree are made at random


def chosen(regret: Any, hand: int, curious: float, mix: Any, dice: Any) -> int:
    """By regret matching; the mix without curiosity is written."""
    total = 0.0
    for card in range(CARDS):
        mix[card] = max(regret[card], 0.0) * ((hand >> card) & 1)
        total += mix[card]
    cards = count(hand)
    for card in range(CARDS):
        mix[card] = mix[card] / total if total > 0 else ((hand >> card) & 1) / cards
    if chance(dice) < curious:
        return nth(hand, int(chance(dice) * cards))
    return throw(mix, CARDS, dice)


def grow(
    mine: int, theirs: int, left: int, values: Any, pot: int, lead: int, goofspiel: int, times: int, seed: int, mix: Any
) -> None:
    """Search, and write how often each of my cards is to be bid. `values` by prize; `pot` with the prize turned."""
    size = 1
    while size < 2 * times + 2:
        size *= 2
    slots, keys = np.full(size, -1, np.int64), np.zeros(times + 2, np.int64)
    regrets = np.zeros((times + 2, 2, CARDS), np.float32)
    sums, tries = np.zeros((times + 2, CARDS, CARDS), np.float32), np.zeros((times + 2, CARDS, CARDS), np.int32)
    now, now_other, wanted = np.zeros(CARDS), np.zeros(CARDS), np.zeros(CARDS)
    path = np.zeros((CARDS + 1, 3), np.int64)
    dice = np.zeros(1, np.uint64)
    dice[0] = np.uint64(seed)
    nodes = 0
    for _ in range(times):
        hand, other, prizes, lies, ahead = mine, theirs, left, pot, lead
        depth, inside = 0, True
        while hand:
            if inside:
                key = ((hand * 32768 + other) * 32768 + prizes) * 1024 + lies + 512
                key = key * 4099 + ahead
                slot = (key ^ (key >> 31)) * 0x9E3779B97F4A7C15 >> 24 & (size - 1)
                while slots[slot] >= 0 and keys[slots[slot]] != key:
                    slot = (slot + 1) & (size - 1)
                node = slots[slot]
                if node < 0:
                    node, inside = nodes, False
                    slots[slot] = node
                    keys[node] = key
                    nodes += 1
                a = chosen(regrets[node, 0], hand, CURIOUS, now, dice)
                b = chosen(regrets[node, 1], other, CURIOUS, now_other, dice)
                if depth == 0:
                    wanted += now
                path[depth] = (node, a, b)
                depth += 1
            else:
                a = nth(hand, int(chance(dice) * count(hand)))
                b = nth(other, int(chance(dice) * count(other)))
            hand &= ~(1 << a)
            other &= ~(1 << b)
            if a != b:
                ahead += abs(lies) if a > b else -abs(lies)
            if a != b or goofspiel:
                lies = 0
            if hand:
                up = nth(prizes, int(chance(dice) * count(prizes)))
                prizes &= ~(1 << up)
                lies += values[up]
        learn(path[:depth], result(ahead, 0, 0, 0), sums, tries, regrets)
    mix[:] = wanted / times


def learn(path: Any, worth: float, sums: Any, tries: Any, regrets: Any) -> None:
    """What came out, for all rounds on the way: what would have come out with another card, as far as is known?"""
    for node, a, b in path:
        sums[node, a, b] += worth
        tries[node, a, b] += 1
        for card in range(CARDS):
            if tries[node, card, b]:
                regrets[node, 0, card] += sums[node, card, b] / tries[node, card, b] - worth
            if tries[node, a, card]:
                regrets[node, 1, card] += worth - sums[node, a, card] / tries[node, a, card]


def searched(view: State, seat: int, times: int, seed: int) -> Floats:
    """How often to bid each card of the hand."""
    mix = np.zeros(CARDS)
    hands, lead = (view.hand[seat], view.hand[1 - seat]), view.scores[seat] - view.scores[1 - seat]
    values = np.array(view.prizes, np.int64)
    machine_code(grow)(*hands, view.left, values, view.pot, lead, view.ties, times, seed, mix)
    return mix[members(view.hand[seat])]
