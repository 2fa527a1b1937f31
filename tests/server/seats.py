"""Who got which seat: is there an order of the claims, one after the other, in which all answers are right?

Seats carry no numbers that would tell the order, so it is searched for, after Wing and Gong with Lowe's memory of what
has been tried. A claim takes effect at one moment between its call and its answer; one that was never answered may have
taken effect at any time, or not at all. Histories are those of one table: few claims, and the search stays short."""

from collections.abc import Sequence
from typing import NamedTuple

Seats = tuple[str | None, ...]  # who sits where
Tried = set[tuple[frozenset[int], Seats]]  # what was left, and how the seats stood then


class Call(NamedTuple):
    """A claim by HTTP: `sit` at the asked seat (None: the first open one), or `stand` up from all.

    `got` is the seat or the code of the refusal; None: no answer came. `start` and `end` are times."""

    what: str
    person: str
    asked: int | None
    got: int | str | None
    start: float
    end: float


def fair(calls: Sequence[Call], seats: Seats, last: Seats | None = None) -> bool:
    """Whether some order fits; if `last` is given, one that leaves these seats."""
    return _fits(frozenset(range(len(calls))), seats, calls, last, set())


def _fits(
    left: frozenset[int],
    seats: Seats,
    calls: Sequence[Call],
    last: Seats | None,
    tried: Tried,
) -> bool:
    answered = [call for call in left if calls[call].got is not None]
    if not answered and (last is None or seats == last):
        return True
    if (left, seats) in tried:
        return False
    tried.add((left, seats))
    first_answer = min((calls[call].end for call in answered), default=float("inf"))
    return any(
        after is not None and _fits(left - {call}, after, calls, last, tried)
        for call in left
        if calls[call].start <= first_answer  # else somebody was answered before it was even asked
        for after in [_after(seats, calls[call])]
    )


def _after(seats: Seats, call: Call) -> Seats | None:
    """The seats after the call; None if the answer would have been another one."""
    right, after = _sit(seats, call) if call.what == "sit" else _stand(seats, call)
    return after if call.got is None or call.got == right else None


def _sit(seats: Seats, call: Call) -> tuple[int | str, Seats]:
    mine = [seat for seat, who in enumerate(seats) if who == call.person]
    free = [seat for seat, who in enumerate(seats) if who is None]
    if mine:
        return (mine[0], seats) if call.asked in {None, *mine} else ("seated", seats)
    if not free:
        return "full", seats
    seat = free[0] if call.asked is None else call.asked
    if seat not in free:
        return "taken", seats
    return seat, (*seats[:seat], call.person, *seats[seat + 1 :])


def _stand(seats: Seats, call: Call) -> tuple[int | str, Seats]:
    if call.person not in seats:
        return "not-seated", seats
    return 0, tuple(None if who == call.person else who for who in seats)
