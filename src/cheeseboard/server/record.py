"""What the house keeps of a table besides its log: who sits where, what was agreed, how the deal stands."""

from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from cheeseboard.bundle import Result, Void
from cheeseboard.referee import Preset

Phase = Literal["gathering", "dealing", "playing", "over", "closed"]
OPEN_PHASES = ("gathering", "dealing", "playing")


class Seat(Struct):
    """A person's, a bot's or, with neither, open."""

    person: str = ""
    bot: str = ""
    picture: str = ""  # the one they have chosen; says as little about them as a chair
    away: bool = False  # a bot stands in until the person is back
    handicap: int = 0  # head start in races, in milliseconds

    @property
    def open(self) -> bool:
        return not self.person and not self.bot


class Deal(Struct):
    """The deal protocol as far as it has come. `root` and `key` are filled in when they are shown; until then they
    lie in the store's `secrets` and follow from there."""

    attempt: int = 0
    stage: Literal["commit", "seed", "ready", "shown"] = "commit"
    server: str = ""
    commits: list[tuple[int, str]] = field(default_factory=list)
    seeds: list[tuple[int, str]] = field(default_factory=list)
    transcript: str = ""
    key_hash: str = ""
    key: str = ""
    root: str = ""
    voids: list[Void] = field(default_factory=list)


class Record(Struct):
    """A table. Names are not in it: they can be deleted, this cannot."""

    id: str
    game: str
    version: int
    options: dict[str, Any]
    seats: list[Seat]
    host: str
    public: bool
    start: Literal["auto", "host"]
    move_s: int
    grace_s: int
    free_text: bool
    level: str  # of the bots that stand in
    made_ms: int
    phase: Phase = "gathering"
    paused: bool = False
    deal: Deal = field(default_factory=Deal)
    series: list[int] = field(default_factory=list)
    played: int = 0
    before: str = ""
    next: str = ""
    kicked: list[str] = field(default_factory=list)
    muted: list[int] = field(default_factory=list)
    result: Result | None = None
    hints: bool = False  # whether anybody may ask the coach during the game
    referee: Preset = "friends"  # by which terms races are judged

    def seats_of(self, person: str) -> list[int]:
        return [n for n, seat in enumerate(self.seats) if person and seat.person == person]

    @property
    def people(self) -> list[str]:
        """Everybody who sits here, each once, by seat."""
        return list(dict.fromkeys(seat.person for seat in self.seats if seat.person))


pack = msgspec.json.Encoder().encode
unpack = msgspec.json.Decoder(Record).decode
