"""Mausgeflippt: the levels differ in eyes and paws. Everybody knows what would be right; who sees it late is late, and
who hurries errs.

A reaction takes its start, a look at one card after the other until one fits (at all of them if none does), and a
human unevenness: a bell with a long tail. First of all comes the cheese: is it the one the mouse carries, hands off;
but it can be overlooked. Now and then somebody dreams. The figures of a child, a casual and a quick adult follow the
literature on visual search and choice; the elephant is as quick as anybody on record, and hardly errs."""

from math import exp
from typing import NamedTuple

import numpy as np

from cheeseboard.bots import Player
from cheeseboard.games.core import EMPTY, Game, State, members
from cheeseboard.games.flippt.rules import CARRIES, LET_GO, SHOUT, SHOUTS, WEARS

FLOOR_MS = 350.0  # nobody sees and slaps quicker
HURRY_TIME, HURRY_ERRORS = 0.15, 0.6  # one step more haste: so much quicker, and so much more prone to err


class Paw(NamedTuple):
    """How somebody reacts: milliseconds, and chances to err."""

    start: float  # seeing that there is a mouse, and the way of the paw
    look: float  # at each card, until one fits
    look_in_vain: float  # at each card, when none fits: it has to be sure
    bell: float  # spread of the even part
    tail: float  # mean of the long tail
    overlooks: float  # the cheese
    errs: float  # in the garment
    cries: float  # "Mausgeflippt!", although something fits
    dreams: float


PAWS = {
    "mouse": Paw(1100, 150, 260, 160, 500, 0.12, 0.08, 0.12, 0.15),
    "cat": Paw(650, 70, 130, 80, 220, 0.05, 0.03, 0.05, 0.05),
    "dog": Paw(480, 40, 75, 50, 120, 0.02, 0.01, 0.02, 0.01),
    "elephant": Paw(400, 28, 52, 35, 70, 0.005, 0.003, 0.005, 0.002),
}


class Reaction(NamedTuple):
    action: int
    ms: float


def reaction(paw: Paw, view: State, seat: int, rng: np.random.Generator) -> Reaction:
    """What somebody does about the mouse on the table, and after how long. The same dice, the same reaction."""
    haste = float(rng.normal())
    odds = exp(HURRY_ERRORS * haste)
    slip, wrong, dream = (float(rng.random()) for _ in range(3))
    unevenness = float(rng.normal(0.0, paw.bell)) + float(rng.exponential(paw.tail))
    hand = members(view.hand[seat][0])
    rng.shuffle(hand)  # the order of looking
    fits = [card for card in hand if int(WEARS[view.shown]) >> card & 1]
    may_shout = view.down[seat][SHOUTS - 1] == EMPTY
    protected = int(CARRIES[view.shown]) == view.cheese
    looks, action = len(hand) * paw.look_in_vain, SHOUT if may_shout else LET_GO
    if dream < paw.dreams or (protected and slip >= likely(paw.overlooks, odds)):
        looks, action = 0.0, LET_GO
    elif fits and not (may_shout and wrong < likely(paw.cries, odds)):
        looks, action = (1 + hand.index(fits[0])) * paw.look, fits[0]
        if 1 - wrong < likely(paw.errs, odds):
            action = hand[0]  # the first that looked like it
    ms = (paw.start + looks + unevenness) * exp(-HURRY_TIME * haste)
    return Reaction(action, max(FLOOR_MS, ms))


def likely(chance: float, odds: float) -> float:
    """The chance, when the odds are so many times as high."""
    return chance * odds / (1 - chance + chance * odds)


def player(level: str) -> Player:
    paw = PAWS[level]

    def choose(game: Game, view: State, seat: int, rng: np.random.Generator, budget: int) -> int:  # noqa: ARG001
        return reaction(paw, view, seat, rng).action

    def delay(game: Game, view: State, seat: int, rng: np.random.Generator) -> float:  # noqa: ARG001
        return reaction(paw, view, seat, rng).ms / 1000

    return Player(choose, delay=delay)


PLAYERS = {level: player(level) for level in PAWS}
