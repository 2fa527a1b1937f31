"""What the guests of a table were shown and promised, and whether the house's log bears it out.

Everything a client does and hears is noted in the order in which it happened. Afterwards the table's log is read from
the store, and nine checks compare the two, each in one pass. A log numbers its rows, so it says itself in which order
things took effect: there is nothing to search for, unlike with seats, for which see `seats.py`.

    H1  whatever was acknowledged is in the log once, under the number it was given, as it was sent
    H2  the log has no gap and its chain of hashes holds
    H3  what was begun after something was acknowledged or seen comes later in the log
    H4  a guest hears of every act once and in order, over all connections
    H5  two who look at the same moment of the game see the same game
    H6  nothing is done twice, and whoever asks again gets the same answer
    H7  no owner of the table writes after a newer one
    H8  the log played again gives the same state, byte by byte, and every view that anybody was shown
    H9  what was refused, or never sent, left no trace"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from cheeseboard import deal as protocol
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import CLOCK, LUCK
from cheeseboard.server import messages
from cheeseboard.server.race import cut, rules
from cheeseboard.server.record import Record, unpack
from cheeseboard.server.room import RECENT
from cheeseboard.server.store import Entry, Store
from cheeseboard.table import Log, Step, Table


class Invoked(NamedTuple):
    """Somebody begins to act; how often and over which connections it is sent does not matter here."""

    id: str
    seat: int
    action: int


class Sent(NamedTuple):
    id: str


class Done(NamedTuple):
    id: str
    n: int


class Refused(NamedTuple):
    id: str
    code: str


class Connected(NamedTuple):
    """A new connection of a guest, who says up to where it has heard; -1: from the beginning."""

    who: str
    since: int


class Looked(NamedTuple):
    """A guest with several seats asks to see the table from another one. From then on until the next view it does not
    say up to where it has heard: with other eyes it begins anew."""

    who: str


class Seen(NamedTuple):
    who: str
    view: messages.View


Happening = Invoked | Sent | Done | Refused | Connected | Looked | Seen
History = list[Happening]  # of one table, by time


class Final(NamedTuple):
    """A table as the house has kept it."""

    record: Record
    root: bytes
    log: list[Entry]


def final(store: Store, table: str) -> Final:
    row = store.row(table)
    assert row is not None, f"table {table} is gone"
    record = unpack(row.record)
    return Final(record, store.secrets(table)[record.deal.attempt], store.entries(table))


def check(history: History, kept: Final) -> list[str]:
    """What is wrong, in words; nothing if all is well."""
    return [
        f"{check.__name__.upper()} at table {kept.record.id}: {wrong}"
        for check in (h1, h2, h3, h4, h5, h6, h7, h8, h9)
        for wrong in check(history, kept)
    ]


def of(history: History, *kinds: type) -> Iterator[Any]:
    return (what for what in history if type(what) in kinds)


def h1(history: History, kept: Final) -> Iterator[str]:
    """Whatever was acknowledged is in the log once, under the number it was given, as it was sent."""
    rows = defaultdict(list)
    for entry in kept.log:
        rows[entry.id].append((entry.n, entry.seat, entry.action))
    sent = {act.id: (act.seat, act.action) for act in of(history, Invoked)}
    for done in of(history, Done):
        if rows[done.id] != [(done.n, *sent[done.id])]:
            yield f"{done.id} was acknowledged as row {done.n} with {sent[done.id]}, the log has {rows[done.id]}"


def h2(history: History, kept: Final) -> Iterator[str]:
    """The log has no gap and its chain of hashes holds."""
    chain = protocol.chain_start(kept.record.id, bytes.fromhex(kept.record.deal.transcript))
    for n, entry in enumerate(kept.log, 1):
        if entry.n != n:
            yield f"row {entry.n} stands where {n} should be"
        chain = protocol.chain_next(chain, entry.n, entry.seat, entry.action, entry.luck, entry.at_ms, entry.id)
        if entry.chain != chain:
            yield f"the chain breaks at row {entry.n}"
            chain = entry.chain


def h3(history: History, kept: Final) -> Iterator[str]:
    """What was begun after something was acknowledged or seen comes later in the log."""
    rows = {entry.id: entry.n for entry in kept.log if entry.id}
    known = 0
    for what in history:
        if isinstance(what, Invoked) and rows.get(what.id, known + 1) <= known:
            yield f"{what.id} was begun when row {known} was known, and is row {rows[what.id]}"
        elif isinstance(what, Done):
            known = max(known, what.n)
        elif isinstance(what, Seen):
            known = max(known, what.view.n)


def h4(history: History, kept: Final) -> Iterator[str]:
    """A guest hears of every act once and in order, over all connections.

    Only who was away for longer than the house can tell of gets the table as it is, and this view says so."""
    heard: dict[str, int] = {}
    first: dict[str, bool] = {}
    looked: set[str] = set()
    for what in of(history, Connected, Looked, Seen):
        who = what.who
        if isinstance(what, Looked):
            looked.add(who)
            continue
        if isinstance(what, Connected):
            first[who] = True
            if what.since < 0 and who in looked:
                heard[who] = -1
            if what.since != heard.setdefault(who, -1):
                yield f"{who} has heard of {heard[who]} and says {what.since}"
            continue
        looked.discard(who)
        view, last = what.view, heard[who]
        whole = first[who] and view.since == view.n and (last < 0 or view.n - last > RECENT)
        if view.n < view.since or not (view.since == last >= 0 or whole):
            yield f"{who} has heard of {last} and is told of {view.since + 1} to {view.n}"
        heard[who], first[who] = view.n, False


def h5(history: History, kept: Final) -> Iterator[str]:
    """Two who look at the same moment of the game see the same game; with the same eyes, everything the same."""
    public: dict[int, Any] = {}
    private: dict[tuple[int, int, bool, bool], Any] = {}
    for seen in of(history, Seen):
        view = seen.view
        open_to_all = (view.waiting, view.over, view.result)
        if public.setdefault(view.n, open_to_all) != open_to_all:
            yield f"at row {view.n} {seen.who} saw {open_to_all}, others saw {public[view.n]}"
        own = (view.view, view.legal)
        if private.setdefault((view.you, view.n, _cleared(view, kept), view.part == "covered"), own) != own:
            yield f"at row {view.n} seat {view.you} was shown two different tables"


def h6(history: History, kept: Final) -> Iterator[str]:
    """Nothing is done twice, and whoever asks again gets the same answer."""
    rows: dict[str, int] = {}
    for entry in kept.log:
        if entry.id and rows.setdefault(entry.id, entry.n) != entry.n:
            yield f"{entry.id} was done twice, in rows {rows[entry.id]} and {entry.n}"
    answers: dict[str, int] = {}
    for done in of(history, Done):
        if answers.setdefault(done.id, done.n) != done.n:
            yield f"{done.id} was acknowledged as row {answers[done.id]} and as row {done.n}"


def h7(history: History, kept: Final) -> Iterator[str]:
    """No owner of the table writes after a newer one."""
    for before, after in zip(kept.log, kept.log[1:], strict=False):
        if after.epoch < before.epoch:
            yield f"row {after.n} was written under epoch {after.epoch} after one of epoch {before.epoch}"


def h8(history: History, kept: Final) -> Iterator[str]:
    """The log played again gives the same state, byte by byte, and every view that anybody was shown."""
    shown = defaultdict(list)
    for seen in of(history, Seen):
        shown[seen.view.n].append(seen)
    record, log = kept.record, kept.log
    if not record.deal.transcript:
        yield from (f"{seen.who} was shown a table before the deal" for seen in of(history, Seen))
        return
    game = GAMES[record.game]
    luck = protocol.Stream(protocol.deal_key(kept.root, bytes.fromhex(record.deal.transcript)), "luck")
    table = Table(game, len(record.seats), luck, **record.options)
    told: list[list[Step]] = [[]]
    for n in range(len(log) + 1):
        if n:
            entry = log[n - 1]
            try:
                steps = table.opening if entry.seat == LUCK else table.play(entry.seat, entry.action)
            except core.Illegal as illegal:
                yield f"row {n} cannot be played: {illegal}"
                return
            told.append(list(steps))
            fell = [step.action for step in steps]
            if fell != [entry.action, *entry.luck]:
                yield f"row {n} says {[entry.action, *entry.luck]}, by the deal it is {fell}"
        for seen in shown.pop(n, []) if n or not table.opening else []:  # before luck has dealt there is nothing to see
            yield from _differs(seen, table, told, kept)
    yield from (f"a view of row {n} was shown, the log ends at {len(log)}" for n in shown)
    by_log = Table.replay(Log(record.game, record.version, len(record.seats), record.options, table.log))
    if by_log.state.tobytes() != table.state.tobytes():
        yield "luck from the log and luck from the deal lead to different states"
    result = record.result
    if table.over != (record.phase == "over") or (result and list(result.places) != list(game.rank(table.state))):
        yield f"the log ends with {'' if table.over else 'no '}game over, the record says {record.phase}, {result}"


def _cleared(view: messages.View, kept: Final) -> bool:
    """Whether this may be a table that was closed in the middle of the game, where nobody may do anything any more."""
    return kept.record.phase == "closed" and view.n == len(kept.log) and not view.legal


def _differs(seen: Seen, table: Table, told: list[list[Step]], kept: Final) -> Iterator[str]:
    view = seen.view
    seat = view.you
    events = [event for steps in told[view.since + 1 :] for step in steps for event in step.told(seat)]
    game, race = vars(table.view(seat, strict=True)), rules(table.game)
    racing = CLOCK in table.waiting()
    if view.part == "covered":
        game = {**game, **dict.fromkeys(race.covers, core.EMPTY)}
        events, _ = cut(events, race.reveals)
    elif view.part == "revealed":
        last = ([event for step in steps for event in step.told(seat)] for steps in reversed(told))
        events = next(filter(None, (cut(each, race.reveals)[1] for each in last)))
    if view.part != "whole" and not racing:
        yield f"{seen.who} (seat {seat}) was shown a race at row {view.n}, where there is none"
    right = {
        "view": game,
        "legal": table.legal(seat)
        if seat >= 0 and not table.over and not _cleared(view, kept) and view.part != "covered"
        else [],
        "waiting": [who for who in table.waiting() if who < core.SEATS],
        "events": events,
        "over": table.over,
        "result": kept.record.result if table.over else None,
    }
    for part, expected in right.items():
        if getattr(view, part) != expected:
            yield f"{seen.who} (seat {seat}) saw {part} {getattr(view, part)} at row {view.n}, it is {expected}"


def h9(history: History, kept: Final) -> Iterator[str]:
    """What was refused, or never sent, left no trace.

    An act sent over two connections may be refused on one and done on the other: refused it is if each sending was."""
    sent: dict[str, int] = defaultdict(int)
    refused: dict[str, int] = defaultdict(int)
    invoked = {act.id for act in of(history, Invoked)}
    for what in of(history, Sent, Refused):
        (sent if isinstance(what, Sent) else refused)[what.id] += 1
    for entry in kept.log:
        if entry.id and entry.id not in invoked:
            yield f"row {entry.n} has the id {entry.id}, which nobody has sent"
        elif entry.id and refused[entry.id] >= max(1, sent[entry.id]):
            yield f"row {entry.n} has the id {entry.id}, which was refused"
