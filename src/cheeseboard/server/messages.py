"""Every message between the house and its guests, as one tagged struct each. This file is the contract.

What a client may say is `FromClient`, what the house says is `FromHouse`. JSON, the field `t` names the kind. Types
for other languages are generated from here; nothing else decides what goes over the wire."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from cheeseboard.bundle import Result
from cheeseboard.games.core import Event
from cheeseboard.referee import Verdict

Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="32 bytes as hexadecimal digits")]
SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Attempt = Annotated[int, Meta(ge=0, le=12)]  # of six seats each may miss twice
ActNumber = Annotated[int, Meta(ge=0, lt=2**31)]
ActionId = Annotated[str, Meta(min_length=1, max_length=64, description="made by the client, new for each move")]


class Strict(Struct, forbid_unknown_fields=True, frozen=True):
    """What comes from outside: nothing unknown is let in."""


# --- what a client says on the socket -------------------------------------------------------------------------------


class Slap(Strict, frozen=True):
    """What a device knows of a paw in a race: what it was about (`n` of the view that showed it) and how long after
    painting it the paw came down. Without `ms` where that cannot be told: a hidden tab, a coarse timer, a long gap."""

    e: ActNumber
    ms: Annotated[float, Meta(ge=0, le=60_000)] | None = None
    input: Literal["touch", "pen", "mouse", "key", ""] = ""
    step: Annotated[float, Meta(ge=0, le=1000)] | None = None  # of the device's timer, in milliseconds


class Play(Strict, frozen=True, tag_field="t", tag="play"):
    """I do this. `seat` only when several people share this connection; `slap` only in a race."""

    id: ActionId
    action: Annotated[int, Meta(ge=0, le=61)]
    seat: SeatNumber | None = None
    slap: Slap | None = None


class Seen(Strict, frozen=True, tag_field="t", tag="seen"):
    """What view `e` shows is painted, so long after its message came in."""

    e: ActNumber
    ms: Annotated[float, Meta(ge=0, le=60_000)]


class Commit(Strict, frozen=True, tag_field="t", tag="commit"):
    """The hash of my seed for the deal."""

    attempt: Attempt
    hash: Hex32
    seat: SeatNumber | None = None


class Seed(Strict, frozen=True, tag_field="t", tag="seed"):
    """My seed, now that all hashes are on the table."""

    attempt: Attempt
    seed: Hex32
    seat: SeatNumber | None = None


class Say(Strict, frozen=True, tag_field="t", tag="say"):
    """A preset phrase or emote by its id, or free text where the host allows it."""

    phrase: Annotated[str, Meta(max_length=40)] = ""
    text: Annotated[str, Meta(max_length=2000)] = ""


class Look(Strict, frozen=True, tag_field="t", tag="look"):
    """Show me the table from another of my seats: several people, one device."""

    seat: SeatNumber


class Ping(Strict, frozen=True, tag_field="t", tag="ping"):
    at: float


FromClient = Play | Seen | Commit | Seed | Say | Look | Ping


# --- what the house says on the socket ------------------------------------------------------------------------------

Trust = Literal[
    "normal", "unbound", "no-claim", "watch"
]  # unbound: how long the way is, only the device itself can say


class SeatInfo(Struct, frozen=True):
    kind: Literal["open", "person", "bot"]
    name: str = ""
    picture: str = ""  # by name; the screen draws it
    level: str = ""  # of the bot; of the one that stands in, when the person is away
    here: bool = False  # the person has a connection open
    away: bool = False  # a bot stands in until the person is back
    handicap: int = 0  # head start in races, in milliseconds
    trust: Trust = "normal"  # how far the referee of races believes the seat's device


class TableInfo(Struct, frozen=True, omit_defaults=False):
    """A table as everybody may see it: who sits where, not what they hold."""

    table: str
    url: str
    game: str
    options: dict[str, Any]
    seats: list[SeatInfo]
    host: int  # the lowest seat of the host, -1 if the host only watches
    phase: Literal["gathering", "dealing", "playing", "over", "closed"]
    public: bool
    start: Literal["auto", "host"]
    paused: bool
    move_s: int
    grace_s: int
    free_text: bool
    hints: bool  # whether the coach may be asked during the game
    referee: Literal["friends", "ranked", "machines"]  # by which terms races are judged
    level: str
    watching: int
    series: list[int]  # games won at this table and those before it, by seat
    played: int
    before: str  # the table this is the rematch of
    next: str  # the rematch
    made_ms: int
    n: int


class Table(Struct, frozen=True, tag_field="t", tag="table"):
    """Who sits where; `you` are the seats this connection may act for, `lead` says that you are the host."""

    table: TableInfo
    you: list[int]
    lead: bool


class Voided(Struct, frozen=True):
    attempt: int
    server: str
    root: str
    missing: list[int]


class Deal(Struct, frozen=True, tag_field="t", tag="deal"):
    """The deal protocol so far, whole. `stage`: commit -> seed -> ready -> shown."""

    table: str
    epoch: int
    attempt: int
    stage: Literal["commit", "seed", "ready", "shown"]
    rules: str
    deck: str
    server: str
    commits: list[tuple[int, str]]
    seeds: list[tuple[int, str]]
    transcript: str
    fingerprint: str
    key_hash: str
    key: str
    root: str
    voids: list[Voided]


class View(Struct, frozen=True, tag_field="t", tag="view"):
    """The whole table through your eyes. It tells of the acts since + 1 to n; nothing has to be added up.

    What there is to race for is covered at first, and nothing can be done; then it is revealed to all together, with
    the events that were held back."""

    n: int
    since: int
    you: int
    view: dict[str, Any]
    legal: list[int]
    waiting: list[int]
    events: list[Event]
    over: bool
    result: Result | None
    part: Literal["whole", "covered", "revealed"] = "whole"


class Judged(Struct, frozen=True, tag_field="t", tag="judged"):
    """Who was first in the race that view `e` opened, with every figure it follows from."""

    verdict: Verdict


class Done(Struct, frozen=True, tag_field="t", tag="done"):
    """Your act is on disk: it is number n of this table."""

    id: str
    n: int


class Refused(Struct, frozen=True, tag_field="t", tag="refused"):
    """It could not be; nothing has changed. `text` says what was expected, what came, and where."""

    id: str
    code: str
    text: str


class Said(Struct, frozen=True, tag_field="t", tag="said"):
    seat: int
    name: str
    phrase: str
    text: str
    at_ms: int


class Moved(Struct, frozen=True, tag_field="t", tag="moved"):
    """The company plays on at another table."""

    table: str


class Bye(Struct, frozen=True, tag_field="t", tag="bye"):
    """The house closes this connection. Come back after so many seconds, if it says so."""

    code: str
    text: str
    retry_s: float | None = None


class Pong(Struct, frozen=True, tag_field="t", tag="pong"):
    at: float
    now_ms: int


class Lobby(Struct, frozen=True, tag_field="t", tag="lobby"):
    tables: list[TableInfo]


FromHouse = Table | Deal | View | Judged | Done | Refused | Said | Moved | Bye | Pong | Lobby

# --- what a client asks by HTTP -------------------------------------------------------------------------------------

PersonName = Annotated[str, Meta(max_length=200)]  # names.checked says the rest
Picture = Annotated[str, Meta(pattern="^[a-z]{0,20}$", description="the name of a drawing the screen has")]


class NewTable(Strict, frozen=True):
    """A table to be laid. `seats`: "me" (again for each who shares this device), "open" or "bot:LEVEL"."""

    game: str
    seats: Annotated[list[Annotated[str, Meta(max_length=20)]], Meta(min_length=1, max_length=6)]
    options: dict[str, int | str | list[int]] = {}
    name: PersonName = ""
    picture: Picture = ""
    public: bool = False
    start: Literal["auto", "host"] = "auto"
    move_s: Annotated[int, Meta(ge=0, le=3600)] = 0
    grace_s: Annotated[int, Meta(ge=0, le=86400)] = 60
    free_text: bool = False
    hints: bool = False
    referee: Literal["friends", "ranked"] = "friends"


class Sit(Strict, frozen=True):
    """`seat`: which; the first open one if not given. `also`: one more seat on the same device."""

    name: PersonName = ""
    picture: Picture = ""
    seat: SeatNumber | None = None
    also: bool = False


class Stand(Strict, frozen=True):
    seat: SeatNumber | None = None


class Swap(Strict, frozen=True):
    """Change places: `seat` with `other`; your own with an open one, or any two if you are the host."""

    seat: SeatNumber
    other: SeatNumber


class Kick(Strict, frozen=True):
    seat: SeatNumber


class Handicap(Strict, frozen=True):
    """A head start for a seat in races, openly: so many milliseconds are taken off its times."""

    seat: SeatNumber
    ms: Annotated[int, Meta(ge=0, le=2000)]


class Pause(Strict, frozen=True):
    paused: bool


class Mute(Strict, frozen=True):
    seat: SeatNumber
    muted: bool


class Me(Strict, frozen=True):
    name: PersonName


class DeviceCode(Strict, frozen=True):
    code: Annotated[str, Meta(max_length=80)]


# --- what it answers ------------------------------------------------------------------------------------------------


class Laid(Struct, frozen=True):
    """A table is laid."""

    table: str
    url: str
    seats: list[int]  # yours
    phase: str


class Seated(Struct, frozen=True):
    seat: int


class Moves(Struct, frozen=True):
    table: str
    url: str


class Ok(Struct, frozen=True):
    ok: bool = True


class Guest(Struct, frozen=True):
    person: str
    name: str
    token: str = ""


class Code(Struct, frozen=True):
    code: str
    seconds: int


class Problem(Struct, frozen=True):
    """Every refusal by HTTP."""

    code: str
    text: str


class GameInfo(Struct, frozen=True):
    game: str
    title: dict[str, str]
    pitch: dict[str, str]
    players: tuple[int, int]
    age: int
    minutes: int
    version: int
    options: dict[str, list[int | str]]
    actions: int
    bots: list[str]  # who can be asked to sit down, the weakest first


class Story(Struct, frozen=True):
    """A finished game from its beginning, act by act, as one seat or a spectator saw it; and the verdicts on its
    races, each with the number of the act that ended it."""

    table: TableInfo
    views: list[View]
    races: list[tuple[int, Verdict]]


class Weighing(Struct, frozen=True):
    """A choice: what it gave away of the win, and for each action how often it is right and what it would be worth.

    `faces` say by which of the game's words each is named; `error` is the standard error of a cost."""

    seat: int
    action: int
    cost: float
    actions: list[int]
    faces: list[int]
    mix: list[float]
    worth: list[float]
    error: float


class Moment(Struct, frozen=True):
    """What changed each seat's share of the win, up to act `n` of the story; `stake` is what it was about."""

    n: int
    round: int
    stake: int
    before: list[float]
    deal: list[float]
    skill: list[float]
    draw: list[float]
    after: list[float]
    choices: list[Weighing]


class Belief(Struct, frozen=True):
    """When a round was counted: what a seat had of each kind of card, what that gave; `known` to those who forget."""

    round: int
    seat: int
    kinds: list[int]
    held: list[int]
    points: list[int]
    known: dict[str, list[int]]


class Mark(Struct, frozen=True):
    """A paw in the race that act `n` of the story opened: after how many milliseconds, and how far behind the first.

    `kind` is what the hand asked for."""

    n: int
    kind: int
    ms: float
    how: Literal["right", "wrong", "late"]
    behind: float


class PaceKind(Struct, frozen=True):
    """Paws by what the hand asked for: the middle half of the times; and what became of all there was to win.

    `passed` were let go, to the `idle` ones no paw came in time; `behind` is the middle of the late ones."""

    kind: int
    paws: int
    low: float | None
    middle: float | None
    high: float | None
    chances: int
    right: int
    wrong: int
    late: int
    passed: int
    idle: int
    behind: float | None


class Pace(Struct, frozen=True):
    """How quick and how sure a seat was: paws that were first, late ones, false starts (`early`).

    `hasty` wrong ones were quicker than usual. `level` has about this pace; `levels` would need so long."""

    seat: int
    races: int
    first: int
    late: int
    behind: float | None
    early: int
    wrong: int
    hasty: int
    kinds: list[PaceKind]
    level: str
    levels: dict[str, float]
    marks: list[Mark]


class Coaching(Struct, frozen=True):
    """A finished game with the eyes of a coach; `beliefs`, where cards have to be remembered; `paces`, where it was
    raced."""

    table: TableInfo
    moments: list[Moment]
    beliefs: list[Belief]
    paces: list[Pace]


class Proposal(Struct, frozen=True):
    """What the past races of the person on this seat say: how many paws, how quick in the middle, and the head start
    that would make up for it."""

    seat: int
    paws: int
    median_ms: int
    handicap: int


class Proposals(Struct, frozen=True):
    proposals: list[Proposal]


class LessonStep(Struct, frozen=True):
    """What is told to the learner at this point; `act` is what has to be done to go on, -1 if it is only read."""

    say: dict[str, str]
    view: View
    act: int


class Lesson(Struct, frozen=True):
    """A short game on rails, played by the real rules; the learner sits at `seat`."""

    game: str
    options: dict[str, Any]
    names: list[str]
    seat: int
    steps: list[LessonStep]


class EmoteInfo(Struct, frozen=True):
    emoji: str
    names: dict[str, str]


class Phrases(Struct, frozen=True):
    """By id, in every language."""

    phrases: dict[str, dict[str, str]]
    emotes: dict[str, EmoteInfo]
    refusals: dict[str, dict[str, str]]  # by code: why a name or a text does not fit


class Person(Struct, frozen=True):
    """Everything the house keeps about one person."""

    person: str
    name: str
    made_ms: int
    seen_ms: int
    tables: list[dict[str, Any]]


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(FromClient).decode
