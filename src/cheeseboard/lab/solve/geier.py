"""Hol's der Geier for two, solved exactly: backwards from the last card, over everything that can still matter.

>>> solution = solve("points", prizes=[1, 2, 3, 4], ties="goofspiel")
>>> solution.states, solution.first[3].prize, [round(part, 3) for part in solution.first[3].mix]
(80, 4, [0.0, 0.0, 0.0, 1.0])
"""

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cheeseboard.bots import geier_stages as code
from cheeseboard.bots.geier_endgame import mice_of, prizes_that_count
from cheeseboard.bots.matrix import Numbers, solve_matrix
from cheeseboard.games import GAMES, core
from cheeseboard.games.compiled import machine_code
from cheeseboard.games.core import Refusal, State, members
from cheeseboard.games.geier.rules import GOOFSPIEL, HIGHEST_MOUSE
from cheeseboard.lab.solve import AIMS

STATES_MOST = 600_000_000  # two stages of them are in memory at a time, 8 bytes each
CORES_MOST = 1024
PIECES = 64  # of a stage, so that no core is idle for long

Ints = npt.NDArray[np.int64]


class Deck(NamedTuple):
    """What is played for, and how."""

    prizes: Ints
    win: bool
    carried: bool
    mice: bool


@dataclass
class Stage:
    """All that there can be when both hold so many cards; `bots/geier_stages.py` says what the parts are."""

    cards: int
    hands: Ints
    begin: Ints
    spots: Ints  # sorted
    place: Ints  # of each of them
    placed: Ints  # the spots in the order of their places
    mirror: Ints
    first: Ints
    weight: Numbers
    gain: Numbers
    to: Ints
    values: Numbers


@dataclass(frozen=True)
class FirstBid:
    """The first round, if this prize is turned up."""

    prize: int
    mix: list[float]  # how often to lay the card 1, 2, 3 ...; other mixes may be as good
    sure: list[float]  # what each card guarantees when the other one knows that it comes


@dataclass(frozen=True)
class Solution:
    prizes: list[int]
    ties: str
    ranking: str
    aim: str
    states: int  # mirror images count once
    matrices: int  # matrix games that were solved
    seconds: float  # without the compiler
    value: float  # of the whole game; nobody has an advantage
    first: list[FirstBid]

    def facts(self) -> dict[str, Any]:
        return {**vars(self), "first": [vars(bid) for bid in self.first]}

    def lines(self) -> Iterator[str]:
        deck = " ".join(map(str, self.prizes))
        yield f"prizes {deck}; ties={self.ties}, ranking={self.ranking}, aim={self.aim}"
        yield f"{self.states:,} states, {self.matrices:,} matrix games, {self.seconds:.2f} s"
        yield "first prize      card" + "".join(f"{card:>8}" for card in range(1, len(self.prizes) + 1))
        for bid in self.first:
            shares = "".join(f"{share:>8.1%}" if share else f"{'-':>8}" for share in bid.mix)
            yield f"{bid.prize:>11}       mix{shares}"
            yield f"{'':11}  for sure" + "".join(f"{value:>8.3f}" for value in bid.sure)


def solve(
    aim: str = "points",
    cores: int | None = None,
    progress: Callable[[int, int], object] = max,  # told how many states are done, of how many
    **options: Any,
) -> Solution:
    """Solve the game with these options, as `core.new` takes them: `cards` or `prizes`, `ties`, `ranking`."""
    return solve_all(aim, cores, progress, **options)[0]


def solve_all(
    aim: str = "points",
    cores: int | None = None,
    progress: Callable[[int, int], object] = max,
    keep: bool = False,
    **options: Any,
) -> "tuple[Solution, Tables]":
    """The solution, and the values of all states if they are to be kept."""
    cores = os.cpu_count() or 1 if cores is None else cores
    if type(cores) is not int or not 1 <= cores <= CORES_MOST:
        raise Refusal(f"expected cores as a whole number from 1 to {CORES_MOST}, got {cores!r}")
    state = core.new(GAMES["geier"], 2, **options)
    deck = deck_of(state, aim)
    work(stages_of(deck._replace(prizes=np.arange(2))), 1, max, keep)  # the compiler's time does not count
    begun = time.perf_counter()
    stages = stages_of(deck)
    matrices = work(stages, cores, progress, keep)
    known = core.about(GAMES["geier"])["options"]
    first = list(first_bids(sorted(set(state.prizes[: state.cards])), deck, stages))
    solution = Solution(
        prizes=state.prizes[: state.cards],
        ties=known["ties"][state.ties],
        ranking=known["ranking"][state.ranking],
        aim=aim,
        states=sum(int(stage.begin[-1]) for stage in stages),
        matrices=matrices,
        seconds=time.perf_counter() - begun,
        value=float(stages[0].values[0]),
        first=first,
    )
    return solution, Tables(deck, stages)


def deck_of(state: State, aim: str) -> Deck:
    if aim not in AIMS:
        raise Refusal(f"expected an aim ({', '.join(AIMS)}), got {aim!r}")
    prizes = prizes_that_count(state.prizes[: state.cards], state.ties, state.ranking, aim)
    win = aim == "win"
    return Deck(prizes, win, state.ties != GOOFSPIEL, win and state.ranking == HIGHEST_MOUSE)


def stages_of(deck: Deck) -> list[Stage]:
    """Forwards: which hands and which spots there can be, from the whole deck to no card at all."""
    cards = len(deck.prizes)
    everything = (1 << cards) - 1
    hands = np.array([code.hands_of(everything, everything)])
    spots = np.array([code.spot_of(everything, 0, 0, 0, 0, 0)])
    needs, place = np.zeros(1, np.int64), np.zeros(1, np.int64)
    stages: list[Stage] = []
    states = 0
    for left in range(cards, -1, -1):
        placed = machine_code(code.placed)(spots, place)
        begin = machine_code(code.starts)(hands, cards, machine_code(code.widths)(needs))
        states += int(begin[-1])
        if states > STATES_MOST:
            raise Refusal(
                f"expected a deck with at most {STATES_MOST:,} states to solve, got one of {cards} cards that has"
                f" {states:,} already where {left} cards are left"
            )
        mirror = machine_code(code.mirrors)(spots, place, True)
        first, weight, gain, then = machine_code(code.draws)(deck.prizes, placed, *deck[1:])
        stages.append(Stage(left, hands, begin, spots, place, placed, mirror, first, weight, gain, then, np.empty(0)))
        if left:
            spots, needs, place = machine_code(code.next_spots)(
                machine_code(code.placed)(needs, place), first, then, deck.win
            )
            stages[-1].to = machine_code(code.targets)(then, spots, place)
            hands = machine_code(code.next_hands)(hands, True)
    return stages


def work(stages: list[Stage], cores: int, progress: Callable[[int, int], object], keep: bool) -> int:
    """Backwards: what they are worth. How many matrix games that took."""
    last = stages[-1]
    last.values = np.array([code.final(spot) for spot in last.placed])
    total, done, matrices = sum(int(stage.begin[-1]) for stage in stages), int(last.begin[-1]), 0
    with ThreadPoolExecutor(cores) as crew:  # compiled code lets other threads run
        for stage, after in zip(stages[-2::-1], stages[:0:-1], strict=True):
            stage.values = np.empty(stage.begin[-1])
            ends = np.searchsorted(stage.begin, np.linspace(0, stage.begin[-1], PIECES + 1)).tolist()
            pieces = [(low, high) for low, high in pairwise(ends) if low < high]
            solved = crew.map(partial(solve_piece, stage, after), *zip(*pieces, strict=True))
            for (low, high), games in zip(pieces, solved, strict=True):
                matrices += games
                done += int(stage.begin[high] - stage.begin[low])
                progress(done, total)
            if not keep and stage is not stages[0]:
                after.values = np.empty(0)
    return matrices


def solve_piece(stage: Stage, after: Stage, low: int, high: int) -> int:
    return int(
        machine_code(code.solve_stage)(
            stage.cards,
            True,
            stage.hands,
            stage.begin,
            low,
            high,
            stage.placed,
            stage.mirror,
            stage.first,
            stage.weight,
            stage.gain,
            stage.to,
            after.hands,
            after.begin,
            after.mirror,
            after.values,
            stage.values,
        )
    )


def first_bids(prizes: list[int], deck: Deck, stages: list[Stage]) -> Iterator[FirstBid]:
    cards, (begin, after) = len(deck.prizes), stages[:2]
    base, kind = np.empty((cards, cards), np.int64), np.empty((cards, cards), np.int64)
    room = np.empty(6, np.int64), np.empty(3)
    code.children(begin.hands[0], True, after.hands, after.begin, base, kind)
    turned = sorted(set(deck.prizes.tolist()))
    for prize in prizes:
        draw = turned.index(prize if prize in turned else -prize)  # a vulture may be as good as a mouse
        payoff = np.empty((cards, cards))
        code.fill(payoff, cards, base, kind, begin.gain[draw], begin.to[draw], after.mirror, after.values, *room)
        yield FirstBid(prize, solve_matrix(payoff)[1].tolist(), payoff.min(axis=1).tolist())


def ending(state: State) -> float:
    """1 if seat 0 has won alone, -1 if seat 1 has, else 0."""
    mine, theirs = GAMES["geier"].rank(state)
    return float(mine < theirs) - float(mine > theirs)


class Tables:
    """The values of all states of a solved game."""

    def __init__(self, deck: Deck, stages: list[Stage]) -> None:
        self.deck = deck
        self.stages = stages

    def value(self, state: State) -> float:
        """What the rest of the game is worth to seat 0, before a prize is turned up: points to come, or the win."""
        deck, stage = self.deck, self.stages[-1 - core.count(state.hand[0])]
        lead = state.scores[0] - state.scores[1]
        spot = code.settled(deck.prizes, self.left(state), state.pot, lead, *mice_of(state, 0), deck.win, deck.mice)
        hands = code.hands_of(state.hand[0], state.hand[1])
        sign = 1
        if code.folded(hands, True) != hands:
            hands, spot, sign = code.folded(hands, True), code.mirrored(spot), -1
        h, s = np.searchsorted(stage.hands, hands), np.searchsorted(stage.spots, spot)
        assert (stage.hands[h], stage.spots[s]) == (hands, spot), "no state of this deck"
        return sign * float(stage.values[stage.begin[h] + stage.place[s]])

    def left(self, state: State) -> int:
        """The prizes left as a set of the deck's own numbers; of equal ones those with the lowest numbers."""
        deck = self.deck.prizes.tolist()
        numbers = 0
        for prize in members(state.left):
            worth = state.prizes[prize] if state.prizes[prize] in deck else -state.prizes[prize]
            number = deck.index(worth)
            while numbers >> number & 1:
                number += 1
            numbers |= 1 << number
        return numbers
