"""A head start for slower paws, proposed from past races: what makes the middle of everybody's times the same."""

from collections import defaultdict
from collections.abc import Sequence
from statistics import median

import msgspec

from cheeseboard.referee import Verdict
from cheeseboard.server.messages import Proposal
from cheeseboard.server.record import Record

RACES = 600  # of all who sit, the latest
PAWS = 60  # of each
ENOUGH = 10  # of fewer nothing is said
STEP, MOST = 50, 1000

read = msgspec.json.Decoder(Verdict).decode


def proposals(record: Record, raced: Sequence[tuple[str, int, bytes]]) -> list[Proposal]:
    """For each seat of a person who has raced often enough. `raced`: person, seat and verdict, the newest first."""
    times: dict[str, list[float]] = defaultdict(list)
    for person, seat, verdict in raced:
        for paw in read(verdict).paws:
            if paw.seat == seat and not paw.bot and len(times[person]) < PAWS:
                times[person].append(paw.score + paw.handicap)
    middles = {person: median(each) for person, each in times.items() if len(each) >= ENOUGH}
    quickest = min(middles.values(), default=0.0)
    return [
        Proposal(
            number,
            len(times[seat.person]),
            round(middles[seat.person]),
            min(STEP * round((middles[seat.person] - quickest) / STEP), MOST),
        )
        for number, seat in enumerate(record.seats)
        if seat.person in middles
    ]
