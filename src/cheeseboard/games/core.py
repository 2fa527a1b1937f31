"""What all games share: seats, records, sets of bits, events, views.

The rules of a game are plain functions on a record. They run in two ways from one source: as they stand, on a
`State` of Python ints and lists (the table, the server, tests), or compiled, on NumPy records (bots, laboratory;
see `compiled.py`). So rules use only what means the same in both: ints, loops, indexing one dimension at a time,
and the functions of this file. No negative numbers in shifts, no whole-array arithmetic, no exceptions."""

import operator
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Protocol, cast

import msgspec
import numpy as np
import numpy.typing as npt

SEATS = 6  # room in every record; a game uses the first `state.seats` of them
LUCK, CLOCK = 62, 61  # seats too, behind all players: chance and time; as bits they fit beside the players in a set
NOBODY = -1  # no seat at all; as a viewer: a spectator
EMPTY, HIDDEN = -1, -2  # no card here; a card, but not for these eyes
OVER, LOT = 127, 126  # phases every game may have: nobody acts any more; LUCK draws a seat by lot
EVERYONE = -1  # the audience of an event whose card lies open

Set = int  # a set of small numbers, one bit each, never negative


class Refusal(ValueError):
    """What a person asked for cannot be; the text says what was expected, what came and where."""


class Illegal(Refusal):
    """A move that the rules do not allow now."""


class State:
    """A record opened up: the same fields under the same names, as Python ints and lists.

    Uncompiled rules run fifty times faster on it than on `np.record`. `tobytes` gives the bytes of the record,
    `records` an array of one record for compiled code."""

    __slots__ = ("__dict__", "dtype")

    def __init__(self, dtype: np.dtype[Any], fields: dict[str, Any]) -> None:
        self.dtype = dtype
        self.__dict__ = fields

    @classmethod
    def of(cls, record: Any) -> "State":
        """Open a record, such as `records[0]`."""
        return cls(record.dtype, {field: record[field].tolist() for field in record.dtype.names})

    def records(self) -> npt.NDArray[Any]:
        packed = np.zeros(1, self.dtype)
        for name, value in vars(self).items():
            packed[name][0] = value
        return packed

    def tobytes(self) -> bytes:
        return self.records().tobytes()

    def copy(self) -> "State":
        fields = vars(self).copy()
        lists, lists_of_lists = _shapes(self.dtype)
        for name in lists:
            fields[name] = fields[name][:]
        for name in lists_of_lists:
            fields[name] = _copied(fields[name])
        return State(self.dtype, fields)

    if TYPE_CHECKING:  # for mypy only: a function here would make every act of the rules slower

        def __setattr__(self, name: str, value: Any) -> None: ...

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the record has no field {name!r}; it has {', '.join(vars(self))}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.dtype == other.dtype and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __repr__(self) -> str:
        return f"State({', '.join(f'{name}={value}' for name, value in vars(self).items())})"


def _copied(value: list[Any]) -> list[Any]:
    return [_copied(item) for item in value] if isinstance(value[0], list) else value[:]


@cache
def _shapes(dtype: np.dtype[Any]) -> tuple[list[str], list[str]]:
    """The fields that are lists, and those that are lists of lists: every view is a copy, and most of it is numbers."""
    depth = {field: len(dtype[field].shape) for field in dtype.names or ()}
    return [field for field in depth if depth[field] == 1], [field for field in depth if depth[field] > 1]


class Game(Protocol):
    """What a game is: a module with these names and no more. `GAMES` is checked against it by mypy.

    One more name is left out where all cards are different: `odds(state, action)` says how many equal physical cards
    stand behind an action of LUCK; ask by the function `odds` below. It must answer for every action there is, so that
    a driver can ask without a branch; for what LUCK may not do the answer does not matter."""

    __name__: str
    STATE: np.dtype[Any]
    ACTIONS: int  # how many, in one flat numbering

    @property
    def EVENTS(self) -> tuple[str, ...]:  # noqa: N802
        """The names of the events."""

    def __hash__(self) -> int:
        """A module is itself."""

    def start(self, state: Any) -> None:
        """Fill a zeroed record whose `seats` and options are set."""

    def legal(self, state: Any, seat: int) -> Set:
        """What this seat may do now; 0 is nothing."""

    def waiting(self, state: Any) -> Set:
        """Whom the game waits for: seats, LUCK or CLOCK. Until all of them have acted nobody drops out of the set."""

    def apply(self, state: Any, seat: int, action: int, events: Any) -> None:
        """Do it; the caller has checked that it is legal. `events` may be None."""

    def hide(self, state: Any, seat: int) -> None:
        """Blank what the seat could not know even with perfect memory."""

    def forget(self, state: Any, seat: int) -> None:
        """Blank what the seat has seen but may not look up again."""

    def guess(self, state: Any, rng: np.random.Generator) -> None:
        """Fill the blanks of a view with one possible truth, each with its right probability."""

    def rank(self, state: Any) -> Any:
        """The place of each seat, 1 for a winner; those who share a place have the same number."""


# --- data of a game -------------------------------------------------------------------------------------------------


def name(game: Game) -> str:
    """The id of a game, which is the name of its folder.

    >>> from cheeseboard.games import GAMES
    >>> name(GAMES["geier"])
    'geier'
    """
    return game.__name__.split(".")[-2]


@cache
def settings(package: str) -> dict[str, Any]:
    """`game.toml` of a game: title, players, options, decks."""
    return tomllib.loads((files(package) / "game.toml").read_text("utf-8"))


def about(game: Game) -> dict[str, Any]:
    return settings(game.__name__.rpartition(".")[0])


def record(**fields: Any) -> np.dtype[Any]:
    """The record type of a game: the header and these fields, each a NumPy type or (type, shape).

    Flags are `u1` (numba has no booleans in records), sets `i4` or `i8`. No name may be one `np.record` has itself."""
    head: list[Any] = [("seats", "i1"), ("phase", "i1"), ("scores", "i2", SEATS)]
    body = [(field, *kind) if isinstance(kind, tuple) else (field, kind) for field, kind in fields.items()]
    return np.dtype((np.record, np.dtype(head + body, align=True)))


def new(game: Game, seats: int, **options: Any) -> State:
    """A game about to begin. Options by name, each with one of the choices of `game.toml`; the first is the default.

    >>> from cheeseboard.games import GAMES
    >>> new(GAMES["geier"], 3, ranking="highest-mouse").seats
    3
    >>> new(GAMES["geier"], 7)
    Traceback (most recent call last):
    cheeseboard.games.core.Refusal: expected 2 to 5 players at geier, got 7
    """
    state = blank(game, seats, **options)
    game.start(state)
    return state


def blank(game: Game, seats: int, **options: Any) -> State:
    """A record as `start` wants it: seats and options are set, everything else is zero."""
    facts, title = about(game), name(game)
    least, most = facts["players"]
    number = whole(seats)
    if number is None or not least <= number <= most:
        raise Refusal(f"expected {least} to {most} players at {title}, got {seats}")
    known, lists = facts["options"], facts.get("lists", {})
    state = State.of(np.zeros(1, game.STATE)[0])
    state.seats = number
    for option in options:
        if option not in known and option not in lists:
            raise Refusal(f"expected an option of {title} ({', '.join([*known, *lists])}), got {option!r}")
    for cards, rule in lists.items():  # before the options: a list says how long it is
        if cards in options:
            _check_list(title, cards, options[cards], rule, known[rule["length"]])
            if options.setdefault(rule["length"], len(options[cards])) != len(options[cards]):
                wrong = f"{len(options[cards])} and {options[rule['length']]}"
                raise Refusal(f"expected as many {cards} as {rule['length']} at {title}, got {wrong}")
    for option, choices in known.items():
        setattr(state, option, chosen(title, option, options.get(option, choices[0]), choices))
    for cards, rule in lists.items():
        number = getattr(state, rule["length"])
        getattr(state, cards)[:number] = sorted(options.get(cards, rule["deck"][:number]))
    return state


def whole(value: Any) -> int | None:
    """A whole number of any kind as a plain one; None for everything else, truth values included.

    >>> whole(np.int64(7)), whole(7.0), whole("7"), whole(True)
    (7, None, None, None)
    """
    return None if isinstance(value, bool) or not hasattr(value, "__index__") else operator.index(value)


def chosen(title: str, option: str, value: Any, choices: Sequence[Any]) -> int:
    """How the record holds a choice: a number as itself, a word as its place in the list."""
    if value not in choices or not isinstance(value, int | str) or isinstance(value, bool):
        raise Refusal(f"expected {option} of {title} to be one of {', '.join(map(str, choices))}, got {value!r}")
    return value if isinstance(value, int) else choices.index(value)


def _check_list(title: str, cards: str, value: Any, rule: dict[str, Any], lengths: list[int]) -> None:
    least, most = rule["values"]
    fits = isinstance(value, list | tuple) and len(value) in lengths
    if not fits or not all(type(item) is int and least <= item <= most for item in value):
        wanted = f"{min(lengths)} to {max(lengths)} whole numbers from {least} to {most}"
        raise Refusal(f"expected {cards} of {title} as a list of {wanted}, got {value!r}")


# --- sets of bits ---------------------------------------------------------------------------------------------------


def count(bits: Set) -> int:
    """How many are in the set."""
    bits = int(bits)  # a NumPy number would warn that it overflows
    bits = bits - ((bits >> 1) & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((bits * 0x0101010101010101) >> 56) & 0x7F


# for each byte, its set bits in order: eight places a byte
NTH_OF_BYTE = np.array(
    [([i for i in range(8) if byte >> i & 1] + [0] * 8)[:8] for byte in range(256)], np.uint8
).ravel()


def nth(bits: Set, n: int) -> int:
    """The n-th smallest of the set, from 0. Without a branch: a mispredicted one costs more than all of this.

    Byte k of `upto` is how many there are in the bytes 0 to k; the bytes with at most n are passed over."""
    bits, n = int(bits), int(n)
    pairs = bits - ((bits >> 1) & 0x5555555555555555)
    fours = (pairs & 0x3333333333333333) + ((pairs >> 2) & 0x3333333333333333)
    upto = ((((fours + (fours >> 4)) & 0x000F0F0F0F0F0F0F) * 0x01010101010101) & 0x00FFFFFFFFFFFFFF) << 8
    passed = count((((n * 0x01010101010101) | 0x80808080808080) - (upto >> 8)) & 0x80808080808080)
    at = passed * 8
    return at + int(NTH_OF_BYTE[((bits >> at) & 0xFF) * 8 + n - ((upto >> at) & 0xFF)])


def pick(bits: Set, rng: np.random.Generator) -> int:
    """One of the set, each equally likely."""
    return nth(bits, int(rng.integers(0, count(bits))))


def draw(counts: Any, rng: np.random.Generator) -> int:
    """One of the kinds of card, each as likely as there are cards of it."""
    total = 0
    for number in counts:
        total += number
    n = int(rng.integers(0, total))
    kind = 0
    while n >= counts[kind]:
        n -= counts[kind]
        kind += 1
    return kind


def members(bits: Set) -> list[int]:
    """The set as numbers, for plain code.

    >>> members(0b1011)
    [0, 1, 3]
    """
    bits = int(bits)  # NumPy's numbers do not know how long they are
    return [number for number in range(bits.bit_length()) if bits >> number & 1]


def legal_mask(game: Game, state: State, seat: int) -> npt.NDArray[np.uint8]:
    """What the seat may do now, as an array of 0 and 1."""
    mask = np.zeros(game.ACTIONS, np.uint8)
    mask[members(game.legal(state, seat))] = 1
    return mask


def places(keys: Any, seats: int) -> Any:
    """The places of the first `seats`, the greatest key first: 1 + how many are better."""
    place = np.ones(seats, np.int64)
    for seat in range(seats):
        for other in range(seats):
            place[seat] += keys[other] > keys[seat]
    return place


# --- events and views -----------------------------------------------------------------------------------------------

MOST = 128  # events that one act can make
PARTS = ("kind", "seat", "card", "value", "clause", "seen")
BUFFER = np.dtype((np.record, [("count", "i2"), *((part, "i2", MOST) for part in PARTS)]))


class Event(msgspec.Struct, frozen=True, gc=False):
    """What happened, for eyes; on the wire it is the same."""

    kind: str
    seat: int
    card: int
    value: int
    clause: str  # the sentence of the rules that made it so


def events() -> State:
    """A buffer for `apply` to write to; read it with `told`."""
    return State(BUFFER, {"count": 0, **{part: [0] * MOST for part in PARTS}})


def emit(events: Any, kind: int, seat: int, card: int, value: int, clause: int, seen: int) -> None:
    """Tell what happened. `seen` is the set of seats that may see the card, or EVERYONE."""
    if events is not None:
        n = events.count
        events.kind[n] = kind
        events.seat[n] = seat
        events.card[n] = card
        events.value[n] = value
        events.clause[n] = clause
        events.seen[n] = seen
        events.count = n + 1


Happened = tuple[tuple[int, ...], ...]  # a buffer's events, each as its PARTS


def happened(events: State) -> Happened:
    """What is in the buffer, taken out of it."""
    n = events.count
    parts = events.kind[:n], events.seat[:n], events.card[:n], events.value[:n], events.clause[:n], events.seen[:n]
    return tuple(zip(*parts, strict=True))


def told(game: Game, events: State | Happened, seat: int) -> list[Event]:
    """The events, with each card the seat (or NOBODY) may not see as HIDDEN."""
    kinds, clauses = game.EVENTS, _clauses(game)
    return [
        Event(
            kinds[kind], who, card if seen == EVERYONE or visible(card, seen, seat) else HIDDEN, value, clauses[clause]
        )
        for kind, who, card, value, clause, seen in (happened(events) if isinstance(events, State) else events)
    ]


@cache
def _clauses(game: Game) -> list[str]:
    return [f"{about(game)['clauses']}-{clause:02}" for clause in range(100)]


def visible(card: int, seen: int, seat: int) -> bool:
    return card == EMPTY or seen == EVERYONE or (seat >= 0 and bool(seen >> seat & 1))


def view(game: Game, state: State, seat: int, *, strict: bool = False) -> State:
    """What the seat knows: a copy with the secrets blanked. `strict`: also what it may not look up again."""
    copy = state.copy()
    game.hide(copy, seat)
    if strict:
        game.forget(copy, seat)
    return copy


def odds(game: Game, state: State, action: int) -> int:
    """How many physical cards stand behind this action of LUCK; one, if the game does not say."""
    says = getattr(game, "odds", None)
    return cast(int, says(state, action)) if says else 1
