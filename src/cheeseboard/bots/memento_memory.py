"""Memento: what a player still knows of what was taken.

A card is noticed or not, and forgotten the sooner the more is taken after it: first one half of it, the colour or the
shape, then all of it. A bot is asked anew at each turn, and must not remember what it had forgotten before: so how
long a card stays in mind follows from what the seat was told, never from the dice of the choice."""

import hashlib
from math import inf, log2
from typing import Any, NamedTuple

from cheeseboard.bots import Past
from cheeseboard.bots.memento_plan import survey
from cheeseboard.bots.memento_tables import KIND
from cheeseboard.games.core import EMPTY, HIDDEN, State
from cheeseboard.games.memento.rules import CATEGORIES, COLOURS, DESIGNS, MOST, NOTEBOOK, SHAPES, STRICT

OWN_LASTS = 3  # times longer than what others take


class Memory(NamedTuple):
    """How well a player notices and keeps what is taken."""

    own: float  # the chance to notice a card one takes oneself,
    others: float  # and a card somebody else takes
    lasts: float = inf  # how many more are taken until half of the others' cards are forgotten
    tracks: int = CATEGORIES  # how many of the others' colours and shapes are watched at the same time


class Take(NamedTuple):
    """A card that went into somebody's collection."""

    seat: int
    card: int
    copy: int  # how many of the same design had gone there before


def recall(view: State, seat: int, past: Past, memory: Memory, mind: Any) -> None:
    """Tell the mind what the seat knows of the collections: what it remembers, and what may be looked up."""
    survey(view, mind)
    closed = [other for other in range(view.seats) if face_down(view, seat, other)]
    for other in closed:
        mind.count[other], mind.kinds[other] = [0] * CATEGORIES, [0] * CATEGORIES
        mind.have[other] = [0] * DESIGNS
    taken = told(past) if past else seen(view, seat)
    watched = watched_by(view, memory)
    for number, take in enumerate(taken):
        if take.seat in closed and take.card != HIDDEN:
            halves = kept(view, seat, take, len(taken) - 1 - number, memory)
            remember(take, halves if take.seat == seat else halves & watched, mind)


def face_down(view: State, seat: int, other: int) -> bool:
    return bool(view.memory == STRICT or (view.memory == NOTEBOOK and other != seat))


def told(past: Past) -> list[Take]:
    """The cards taken in this round, the first one first."""
    taken: list[Take] = []
    for act in past:
        for event in act:
            if event.kind == "begins":
                taken = []
            elif event.kind in ("took", "drew"):
                before = sum(take[:2] == (event.seat, event.card) for take in taken)
                taken.append(Take(event.seat, event.card, before))
    return taken


def seen(view: State, seat: int) -> list[Take]:
    """The same for one who has not been told: in what order they were taken, only luck can say."""
    taken = [
        Take(other, card, copy)
        for other in range(view.seats)
        for card in range(DESIGNS)
        for copy in range(view.openly[other][card] + max(view.secretly[other][card], 0))
    ]
    return sorted(taken, key=lambda take: luck_of(view, seat, take)[-1])


def halves_of(card: int) -> set[int]:
    return {card // SHAPES, COLOURS + card % SHAPES}


def kept(view: State, seat: int, take: Take, since: int, memory: Memory) -> set[int]:
    """The colour and the shape, one of them or nothing, after so many more takes."""
    own = take.seat == seat
    noticed, first, second, side, _ = luck_of(view, seat, take)
    if noticed >= (memory.own if own else memory.others):
        return set()
    lasts = memory.lasts * (OWN_LASTS if own else 1)
    whole = -log2(1 - first) * lasts
    if since < whole or lasts == inf:
        return halves_of(take.card)
    if since < whole - log2(1 - second) * lasts:
        return {take.card // SHAPES if side < 0.5 else COLOURS + take.card % SHAPES}
    return set()


def luck_of(view: State, seat: int, take: Take) -> list[float]:
    """Five numbers from 0 to 1 for this take in this seat's memory, the same whenever it thinks of it."""
    known = (seat, *take, view.lap, view.age, view.laid, view.scores)
    digest = hashlib.blake2b(repr(known).encode(), digest_size=40).digest()
    return [(int.from_bytes(digest[at : at + 8], "little") >> 11) / 2**53 for at in range(0, 40, 8)]


def watched_by(view: State, memory: Memory) -> set[int]:
    """The others' colours and shapes that are watched: those for which the others' cards count come first."""
    laid = [category for category in range(CATEGORIES) if view.laid[category] != EMPTY]
    laid.sort(key=lambda category: KIND[view.laid[category]] < MOST)
    return set(laid[: memory.tracks])


def remember(take: Take, halves: set[int], mind: Any) -> None:
    for category in halves:
        mind.count[take.seat][category] += 1
    if len(halves) == 2:
        if mind.have[take.seat][take.card] == 0:
            for category in halves:
                mind.kinds[take.seat][category] += 1
        mind.have[take.seat][take.card] += 1
