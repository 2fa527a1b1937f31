"""Memento: what a scoring card will give.

Small tables say, for every scoring card, what it gives in the end to a player who has so many cards of its colour or
shape and so many turns to come. They follow from the cards in `game.toml` by a simple model of a turn: with some
chance a card of that colour or shape lies there, and it is taken if it gains more here than it costs elsewhere."""

from functools import cache
from math import erf, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cheeseboard.games.core import SEATS, State
from cheeseboard.games.memento.rules import (
    CARD,
    CATEGORIES,
    COLOURS,
    COPIES,
    DESIGNS,
    DIFFERENT,
    EVEN_NUMBER,
    EVERY_SYMBOL,
    EXACTLY,
    FEWER_THAN,
    LAPS,
    LARGEST,
    MOST,
    NUMBER,
    ODD_NUMBER,
    PASS,
    PER,
    POINTS,
    SCORING,
    SHAPES,
    SMALLEST,
    SYMBOL,
    WHEN,
)

# plain numbers: outside of machine code NumPy's are slow
KIND = tuple(int(kind) for kind in WHEN)
TIMES = tuple(int(per) for per in PER)
ALL = tuple(tuple(int(number) for number in deck) for deck in COPIES)
CARDS = tuple(sum(deck) for deck in ALL)

TURNS = 10  # the most that are looked ahead; few rounds give a player more
MANY = int(COPIES.max()) * max(COLOURS, SHAPES) + 2  # of one colour or shape: none to all, and one more to look at
KINDS = max(COLOURS, SHAPES) + 2  # different symbols, likewise
MIDDLE = MANY  # no lead, in the middle of the tables of leads
FAR = 99
EVERY = (1 << CATEGORIES) - 1  # colour and shape
OWN = 3  # the very colour or shape that is compared with the others: two of those at most are on a card
ANY = -1e9  # less than anything is worth
BEHIND = 200  # points; who is further behind is as far behind
TEMPERS = (4.0, 5.0, 7.0)

Floats = npt.NDArray[np.float64]


class Model(NamedTuple):
    """How a turn goes, fitted by play against itself (`lab/train/memento.py`). Chances are those of one turn."""

    offer: float = 0.422  # that a card of a certain colour or shape can be had
    price: float = 0.315  # what it costs elsewhere, in points,
    spread: float = 1.227  # and how much that varies
    overtake: float = 0.294  # that the largest of one's other colours and shapes grows
    rise: float = 0.356  # that the smallest one does
    rival: float = 0.55  # that the best of the others gets such a card too
    turns: float = 9.6  # that a player has in a round
    regard: float = 1.0  # for what the next player gets: with two players,
    regard_more: float = 0.5  # and with more


FITTED = Model()

MIND = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("worth", "f8", (SCORING, TURNS + 1, KINDS, MANY)),  # of a scoring card by turns, symbols and cards
                ("lead", "f8", (SCORING, TURNS + 1, 2 * MIDDLE + 1)),  # of one that compares, by turns and lead
                ("turns", "f8"),  # for one card that lies
                ("regard", "f8"),
                ("sight", "i8"),  # turns that are looked ahead
                ("count", "i8", (SEATS, CATEGORIES)),  # what each has of each colour and shape,
                ("kinds", "i8", (SEATS, CATEGORIES)),  # how many symbols,
                ("have", "i8", (SEATS, DESIGNS)),  # and of each design
                ("unseen", "i8", DESIGNS),
                ("adds", "f8", (SEATS, 2, CATEGORIES)),  # what one more card adds, if its symbol is new, and if not
                ("moved", "i8", CATEGORIES),  # which of one's own would no longer be level,
                ("change", "f8", 2 * OWN),  # and what that adds, by how many of them
                ("gain", "f8", (SEATS, DESIGNS)),
                ("ahead", "i8"),  # the turns to come for which that is so,
                ("stale", "i8", SEATS),  # and the colours and shapes where it is not so any more
                ("option", "f8", PASS + 1),  # what each action is worth
                ("lap", "i8"),  # the round in which a play-out began
                ("temper", "f8", LAPS),  # by rounds to come: points that say little about who will win
                ("fade", "f8", (LAPS, BEHIND)),  # and the weight of the chance of one who is so many points behind
            ],
            align=True,
        ),
    )
)


# --- the tables -----------------------------------------------------------------------------------------------------


@cache
def mind(deck: int, seats: int, model: Model = FITTED, sight: int = TURNS) -> npt.NDArray[Any]:
    """An array of one record: the tables, and room to reckon in."""
    minds = np.zeros(1, MIND)
    now = minds[0]
    for card in range(SCORING):
        if KIND[card] < LARGEST:
            fill_worths(now.worth[card], card, int(DIFFERENT[deck].max()), model)
        else:
            fill_leads(now.lead[card], card, model)
    now.turns = model.turns / CARDS[deck]
    now.regard = model.regard if seats == 2 else model.regard_more
    now.sight = sight
    now.temper = TEMPERS
    for to_come, temper in enumerate(TEMPERS):
        now.fade[to_come] = np.exp(-np.arange(BEHIND) / temper).round(6)
    return minds


@cache
def plain_mind(deck: int, seats: int, regard: float = 1.0, sight: int = TURNS) -> State:
    """The same for code that is not compiled. `regard`: a share of the usual one."""
    opened = State.of(mind(deck, seats, FITTED, sight)[0])
    opened.regard *= regard
    return opened


def fill_worths(table: Any, card: int, symbols: int, model: Model) -> None:
    """Turn by turn back from the end."""
    number, kinds = np.arange(MANY)[None, :], np.arange(symbols + 1)[:, None]
    met = {
        EVEN_NUMBER: number % 2 == 0,
        ODD_NUMBER: number % 2 == 1,
        EXACTLY: number == NUMBER[card],
        FEWER_THAN: number < NUMBER[card],
        EVERY_SYMBOL: kinds == symbols,
    }.get(KIND[card], number >= 0)
    times = {CARD: number, SYMBOL: kinds}.get(TIMES[card], number * 0 + 1)
    now = (POINTS[card] * times * met).astype(float)
    new = (symbols - kinds) / symbols  # the chance that a card's symbol is new
    for turns in range(TURNS + 1):
        table[turns, : symbols + 1] = now.round(6)  # the same numbers on every machine
        same, fresh = np.zeros_like(now), np.zeros_like(now)
        same[:, :-1] = now[:, 1:] - now[:, :-1]
        fresh[:-1, :-1] = now[1:, 1:] - now[:-1, :-1]
        now = now + model.offer * (new * fresh * wanted(fresh, model) + (1 - new) * same * wanted(same, model))


def fill_leads(table: Any, card: int, model: Model) -> None:
    """For cards that compare: by how much one is ahead in what the card asks for, more or fewer."""
    now = POINTS[card] * (np.arange(-MIDDLE, MIDDLE + 1) > 0).astype(float)
    up = 1 if KIND[card] in (LARGEST, MOST) else -1  # what a card of one's own does to the lead
    for turns in range(TURNS + 1):
        table[turns] = now.round(6)
        mine, theirs = step(now, up), step(now, -up)
        change = model.offer * mine * wanted(mine, model)
        if KIND[card] == LARGEST:
            change += model.overtake * theirs * wanted(theirs, model)
        elif KIND[card] == SMALLEST:
            change += model.rise * theirs * wanted(theirs, model)
        else:
            change += model.rival * theirs * wanted(step(now[::-1], up)[::-1], model)  # the other's wish, not mine
        now = now + change


def step(now: Floats, by: int) -> Floats:
    """What it adds to have a lead greater or smaller by one."""
    moved = np.append(now[1:], now[-1:]) if by > 0 else np.append(now[:1], now[:-1])
    return moved - now


def wanted(gain: Floats, model: Model) -> Floats:
    """The chance that a card with this gain is taken, whatever its other half may cost."""
    chances = [0.5 * (1 + erf((x - model.price) / model.spread / sqrt(2))) for x in gain.ravel().tolist()]
    return np.array(chances).reshape(gain.shape)
