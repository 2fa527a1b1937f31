"""The replay bundle: a finished table as one file, with everything needed to replay and to verify it.

The house gives it out after the end, `cheeseboard export` writes one per line, `cheeseboard verify` reads it. Names and
chat are not in it. A receipt is what a client kept for itself before play began; against it even a house that
invents a whole bundle afterwards is found out. Hashes, seeds, roots and keys are 32 bytes in hexadecimal."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from cheeseboard.referee import Verdict

REPLAY: Final = "cheeseboard/replay/1"
RECEIPT: Final = "cheeseboard/receipt/1"

Hex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]  # two bounds: `$` alone lets a line end pass
Name = Annotated[str, Meta(pattern="^[a-z0-9-]{1,64}$", max_length=64)]  # printed as it stands: no escapes
Count = Annotated[int, Meta(ge=0, lt=2**32)]
Millis = Annotated[int, Meta(ge=0, lt=2**53)]  # what every JSON reader keeps exactly
Byte = Annotated[int, Meta(ge=0, lt=256)]
Choice = str | int | list[int]  # of an option; no fractions, which JSON writers spell in more than one way
Pairs = tuple[tuple[Count, Hex], ...]  # (seat, commit) or (seat, seed), seats ascending


class Void(Struct, frozen=True, forbid_unknown_fields=True):
    """An attempt to deal that failed because seats did not show their seeds; its root is shown at once."""

    attempt: Count
    server: Hex
    root: Hex
    commits: Pairs
    seeds: Pairs
    missing: tuple[Count, ...]


class Deal(Struct, frozen=True, forbid_unknown_fields=True):
    epoch: Count
    attempt: Count
    server: Hex  # the house's commit
    deck: Hex
    commits: Pairs
    seeds: Pairs
    transcript: Hex
    key_hash: Hex
    key: Hex
    root: Hex
    voids: tuple[Void, ...] = ()


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """One act of a person, a bot or the clock, with luck's acts that followed it."""

    n: Count
    seat: Count
    action: Count
    luck: tuple[Byte, ...]
    at_ms: Millis
    id: str
    chain: Hex


class Result(Struct, frozen=True, forbid_unknown_fields=True):
    scores: tuple[int, ...]
    places: tuple[int, ...]


class Bundle(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    format: Literal["cheeseboard/replay/1"] = REPLAY
    table: Name
    game: Name
    version: int
    seats: Count
    options: dict[str, Choice]
    deal: Deal
    log: tuple[Row, ...]
    races: tuple[Verdict, ...] = ()  # in games of speed: who was first, and the figures it follows from
    closed: bool = False  # the table was closed before the game was over; the log is then a beginning of a game
    result: Result | None = None


class Receipt(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    format: Literal["cheeseboard/receipt/1"] = RECEIPT
    table: Name
    seat: Count
    attempt: Count
    server: Hex
    commits: Pairs
    seed: Hex
    transcript: Hex
