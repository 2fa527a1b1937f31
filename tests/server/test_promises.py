"""The checks can fail: each finds the wrong it is for, in a history that was right before."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from cheeseboard import deal as protocol
from cheeseboard.bundle import Result
from cheeseboard.games import GAMES, core
from cheeseboard.server import dealing, messages
from cheeseboard.server.record import Record
from cheeseboard.server.record import Seat as Place
from cheeseboard.server.room import RECENT
from cheeseboard.server.store import Entry
from cheeseboard.table import Step, Table
from tests.server import promises
from tests.server.promises import Connected, Done, Final, History, Invoked, Looked, Refused, Seen, Sent
from tests.server.seats import Call, fair

TABLE, ROOT = "k7q2m", bytes(32)
EYES = {"Ann": 0, "Ben": 1, "Sue": core.NOBODY}  # who watches has no seat


def dealt() -> Record:
    record = Record(
        id=TABLE,
        game="geier",
        version=1,
        options={"cards": 5},
        seats=[Place(person="p0"), Place(person="p1")],
        host="p0",
        public=False,
        start="auto",
        move_s=0,
        grace_s=60,
        free_text=False,
        level="cat",
        made_ms=1,
    )
    dealing.opened(record, ROOT)
    record.deal.stage = "seed"
    dealing.ready(record, ROOT)
    record.phase = "playing"
    return record


def story() -> tuple[History, Final]:
    """Two play a short game to its end, one watches. Ben loses his connection in the middle, and tries what is not
    allowed; one of Ann's acts is sent twice."""
    record = dealt()
    mark = bytes.fromhex(record.deal.transcript)
    table = Table(GAMES["geier"], 2, protocol.Stream(protocol.deal_key(ROOT, mark), "luck"), cards=5)
    chain, log = protocol.chain_start(TABLE, mark), list[Entry]()
    noted: History = [Connected(who, -1) for who in EYES]
    told = dict.fromkeys(EYES, -1)
    steps = list[list[Step]]()

    def kept(id: str, did: list[Step]) -> None:  # noqa: A002
        nonlocal chain
        first, luck, n = did[0], bytes(step.action for step in did[1:]), len(log) + 1
        chain = protocol.chain_next(chain, n, first.seat, first.action, luck, n, id)
        log.append(Entry(TABLE, n, first.seat, first.action, luck, n, id, 1 + n // 6, chain))
        steps.append(did)

    def tell(*whom: str) -> None:
        n = len(log)
        for who in whom:
            seat, since = EYES[who], n if told[who] < 0 else told[who]
            events = [event for did in steps[since:] for step in did for event in step.told(seat)]
            legal = table.legal(seat) if seat >= 0 else []
            waiting = [who for who in table.waiting() if who < core.SEATS]
            view = vars(table.view(seat, strict=True))
            noted.append(
                Seen(who, messages.View(n, since, seat, view, legal, waiting, events, table.over, record.result))
            )
            told[who] = n

    kept("", table.opening)
    tell(*EYES)
    while not table.over:
        seat = table.waiting()[0]
        action, id, away = table.legal(seat)[0], f"id{len(log)}", len(log) in {4, 5}  # noqa: A001
        noted += [Invoked(id, seat, action), Sent(id)]
        if len(log) == 3:
            noted += [Sent(id), Invoked("no", 1, 14), Sent("no"), Refused("no", "illegal")]
        kept(id, table.play(seat, action))
        if table.over:
            record.phase = "over"
            record.result = Result(
                tuple(table.state.scores[:2]), tuple(int(place) for place in GAMES["geier"].rank(table.state))
            )
        tell(*(("Ann", "Sue") if away else EYES))
        noted += [Done(id, len(log))] * (2 if len(log) == 4 else 1)
        if len(log) == 6:
            noted.append(Connected("Ben", told["Ben"]))
            tell("Ben")
    return noted, Final(record, ROOT, log)


def test_a_right_history_passes():
    noted, kept = story()
    assert promises.check(noted, kept) == []
    assert len(kept.log) == 11
    assert any(isinstance(what, Seen) and what.view.n - what.view.since > 1 for what in noted)


def changed(noted: History, kind: type, nth: int, **changes: Any) -> History:
    """The history with something else in the nth happening of this kind."""
    places = [place for place, what in enumerate(noted) if type(what) is kind]
    what: Any = noted[places[nth]]
    if kind is Seen:
        fresh: Any = Seen(changes.pop("who", what.who), msgspec.structs.replace(what.view, **changes))
    else:
        fresh = what._replace(**changes)
    return [*noted[: places[nth]], fresh, *noted[places[nth] + 1 :]]


def row(kept: Final, n: int, **changes: Any) -> Final:
    log = list(kept.log)
    log[n - 1] = msgspec.structs.replace(log[n - 1], **changes)
    return kept._replace(log=log)


def chained(kept: Final, log: list[Entry]) -> Final:
    """A log whose chain holds, as a house would write it that had done this."""
    chain, fresh = protocol.chain_start(TABLE, bytes.fromhex(kept.record.deal.transcript)), list[Entry]()
    for n, entry in enumerate(log, 1):
        chain = protocol.chain_next(chain, n, entry.seat, entry.action, entry.luck, entry.at_ms, entry.id)
        fresh.append(msgspec.structs.replace(entry, n=n, chain=chain))
    return kept._replace(log=fresh)


def lost(noted: History, kept: Final) -> tuple[History, Final]:
    """The last acknowledged acts are not in the log: what a house without fsync does."""
    return noted, kept._replace(log=kept.log[:-2])


def earlier(noted: History, kept: Final) -> tuple[History, Final]:
    """Two acts of different tricks have changed places in the log, and the answers with them."""
    log = list(kept.log)
    log[1], log[3] = log[3], log[1]
    swap = {2: 4, 4: 2}
    answers = [what._replace(n=swap.get(what.n, what.n)) if isinstance(what, Done) else what for what in noted]
    return answers, chained(kept, log)


def twice(noted: History, kept: Final) -> tuple[History, Final]:
    return noted, chained(kept, [*kept.log[:3], kept.log[2], *kept.log[3:]])


def private(noted: History, _kept: Final, n: int = 3) -> History:
    """Somebody sees a card more than he should."""
    nth = next(k for k, seen in enumerate(promises.of(noted, Seen)) if seen.view.n == n and seen.who == "Ben")
    seen = list(promises.of(noted, Seen))[nth]
    return changed(noted, Seen, nth, view={**seen.view.view, "seats": 3})


def ended(noted: History, result: Result) -> History:
    """All are shown the same result, but not the one that is kept."""
    return [
        Seen(what.who, msgspec.structs.replace(what.view, result=result))
        if isinstance(what, Seen) and what.view.over
        else what
        for what in noted
    ]


Broken = Callable[[History, Final], tuple[History, Final]]
WRONGS: list[tuple[str, str, Broken]] = [
    ("H1", "an acknowledged act is lost", lost),
    ("H1", "acknowledged under another number", lambda noted, kept: (changed(noted, Done, 4, n=3), kept)),
    ("H1", "another action than was sent", lambda noted, kept: (changed(noted, Invoked, 1, action=4), kept)),
    ("H1", "for another seat", lambda noted, kept: (changed(noted, Invoked, 1, seat=0), kept)),
    ("H2", "a row is missing", lambda noted, kept: (noted, kept._replace(log=kept.log[:4] + kept.log[5:]))),
    ("H2", "a row has changed", lambda noted, kept: (noted, row(kept, 5, at_ms=77))),
    ("H2", "the chain is another", lambda noted, kept: (noted, row(kept, 5, chain=bytes(32)))),
    ("H3", "later acts come first", earlier),
    ("H4", "an act is not told", lambda noted, kept: (changed(noted, Seen, 9, since=4), kept)),
    ("H4", "an act is told twice", lambda noted, kept: (changed(noted, Seen, 9, since=1), kept)),
    ("H4", "from before the beginning", lambda noted, kept: (changed(noted, Seen, 0, since=-1), kept)),
    ("H4", "back in time", lambda noted, kept: (changed(noted, Seen, 12, n=1), kept)),
    ("H4", "a hole after coming back", lambda noted, kept: (changed(noted, Connected, 3, since=5), kept)),
    ("H5", "two different games", lambda noted, kept: (changed(noted, Seen, 10, waiting=[]), kept)),
    ("H5", "over for one only", lambda noted, kept: (changed(noted, Seen, 10, over=True), kept)),
    ("H6", "done twice", twice),
    ("H6", "two answers", lambda noted, kept: (changed(noted, Done, 3, n=5), kept)),
    ("H7", "an old owner writes", lambda noted, kept: (noted, row(kept, 9, epoch=1))),
    ("H8", "luck fell otherwise", lambda noted, kept: (noted, row(kept, 1, action=(kept.log[0].action + 1) % 5))),
    ("H8", "not what the seat sees", lambda noted, kept: (private(noted, kept), kept)),
    ("H8", "shown before luck has dealt", lambda noted, kept: (changed(noted, Seen, 0, n=0, since=0), kept)),
    ("H8", "another result", lambda noted, kept: (ended(noted, Result((1, 2), (2, 1))), kept)),
    ("H8", "nothing is legal", lambda noted, kept: (changed(noted, Seen, 0, legal=[]), kept)),
    ("H8", "an event was left out", lambda noted, kept: (changed(noted, Seen, 6, events=[]), kept)),
    ("H8", "a row was shown that is not there", lost),
    ("H8", "an act that is not legal", lambda noted, kept: (noted, row(kept, 2, action=9))),
    ("H9", "refused and yet done", lambda noted, kept: ([*noted, Refused("id1", "illegal")], kept)),
    ("H9", "done and never sent", lambda noted, kept: (noted, row(kept, 5, id="ghost"))),
]


@pytest.mark.parametrize(("check", "what", "broken"), WRONGS, ids=[f"{check}-{what}" for check, what, _ in WRONGS])
def test_a_wrong_history_is_found(check: str, what: str, broken: Broken):
    noted, kept = broken(*story())
    assert any(wrong.startswith(check) for wrong in promises.check(noted, kept)), what


def test_every_check_has_its_wrongs():
    assert {check for check, _, _ in WRONGS} == {f"H{number}" for number in range(1, 10)}


def test_who_was_away_too_long_is_shown_the_table_as_it_is():
    noted, kept = story()
    view = next(promises.of(noted, Seen)).view
    views = [
        msgspec.structs.replace(view, n=n, since=since)
        for n, since in ((1, 1), (RECENT + 5, RECENT + 5), (RECENT + 6, 2))
    ]
    history_of_ann: History = [
        Connected("Ann", -1),
        Seen("Ann", views[0]),
        Connected("Ann", 1),
        Seen("Ann", views[1]),
    ]
    assert list(promises.h4(history_of_ann, kept)) == []
    assert len(list(promises.h4([*history_of_ann, Seen("Ann", views[2])], kept))) == 1


def test_with_other_eyes_one_begins_anew():
    noted, kept = story()
    view = next(promises.of(noted, Seen)).view
    first: History = [Connected("Ann", -1), Seen("Ann", view)]
    back: History = [Connected("Ann", -1), Seen("Ann", msgspec.structs.replace(view, n=5, since=5))]
    assert list(promises.h4([*first, Looked("Ann"), *back], kept)) == []
    assert len(list(promises.h4([*first, *back], kept))) == 2
    assert len(list(promises.h4([*first, Looked("Ann"), *back, *back], kept))) == 1


def test_at_a_table_that_was_closed_nobody_may_do_anything_any_more():
    noted, kept = story()
    end = 4
    kept = kept._replace(log=kept.log[:end])
    kept.record.phase, kept.record.result = "closed", None
    played = [what for what in noted if isinstance(what, Seen) and what.view.n <= end]
    last = next(seen for seen in reversed(played) if seen.view.legal)
    cleared = Seen(last.who, msgspec.structs.replace(last.view, legal=[]))
    for check in (promises.h5, promises.h8):
        assert list(check([*played, cleared], kept)) == []
    open_still = kept._replace(record=msgspec.structs.replace(kept.record, phase="playing"))
    for check in (promises.h5, promises.h8):
        assert len(list(check([*played, cleared], open_still))) == 1


# --- seats ----------------------------------------------------------------------------------------------------------


def sat(person: str, asked: int | None, got: int | str | None, start: float, end: float) -> Call:
    return Call("sit", person, asked, got, start, end)


FAIR = {
    "one after the other": [sat("a", None, 0, 1, 2), sat("b", None, 1, 3, 4)],
    "at once, one is refused": [sat("a", 0, 0, 1, 4), sat("b", 0, "taken", 2, 3)],
    "at once, the later call wins": [sat("a", None, 1, 1, 4), sat("b", None, 0, 2, 3)],
    "again is the same seat": [sat("a", None, 0, 1, 2), sat("a", None, 0, 3, 4), sat("b", None, 1, 5, 6)],
    "no answer, but it counts": [sat("a", 0, None, 1, 9), sat("b", 0, "taken", 2, 3), sat("b", 1, 1, 4, 5)],
    "no answer, and it never came": [sat("a", 0, None, 1, 9), sat("b", 0, 0, 2, 3)],
    "up and down": [sat("a", 0, 0, 1, 2), Call("stand", "a", None, 0, 3, 4), sat("b", 0, 0, 5, 6)],
    "full": [sat("a", 0, 0, 1, 2), sat("b", 1, 1, 3, 4), sat("c", None, "full", 5, 6)],
}
UNFAIR = {
    "two at one seat": [sat("a", 0, 0, 1, 4), sat("b", 0, 0, 2, 3)],
    "two at one seat, one by chance": [sat("a", None, 0, 1, 4), sat("b", 0, 0, 2, 3)],
    "refused before anybody sat": [sat("b", 0, "taken", 1, 2), sat("a", 0, 0, 3, 4)],
    "two seats for one": [sat("a", 0, 0, 1, 2), sat("a", 1, 1, 3, 4)],
    "a seat that was left is still taken": [
        sat("a", 0, 0, 1, 2),
        Call("stand", "a", None, 0, 3, 4),
        sat("b", 0, "taken", 5, 6),
    ],
    "not the first open one": [sat("a", None, 1, 1, 2), sat("b", None, 0, 3, 4)],
    "full with an open seat": [sat("a", 0, 0, 1, 2), sat("c", None, "full", 5, 6)],
    "forgotten": [sat("a", 0, 0, 1, 2), sat("b", 1, 1, 3, 4), sat("c", 0, 0, 5, 6)],
}


@pytest.mark.parametrize("calls", FAIR.values(), ids=FAIR)
def test_claims_that_fit_some_order(calls: list[Call]):
    assert fair(calls, (None, None))


@pytest.mark.parametrize("calls", UNFAIR.values(), ids=UNFAIR)
def test_claims_that_fit_no_order(calls: list[Call]):
    assert not fair(calls, (None, None))
