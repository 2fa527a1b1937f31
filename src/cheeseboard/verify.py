"""Was the deal fair? Anybody can do the house's sums again, from the replay bundle alone, without the house.

`check` recomputes every hash, plays the whole log again with luck from the key, and compares. That the hashes in the
bundle are those shown before play only a participant can know: they are compared with the receipt his client kept.
A finding is true, false, or cannot be checked (when the rules are of another version, for instance)."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from cheeseboard import deal, referee
from cheeseboard.bundle import RECEIPT, REPLAY, Bundle, Pairs, Receipt, Row, Void
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import LUCK, Refusal
from cheeseboard.table import Table

Verdict = Literal["ok", "false", "cannot be checked"]
EXIT: dict[Verdict, int] = {"false": 1, "cannot be checked": 2, "ok": 0}  # the gravest first
Paper = TypeVar("Paper", Bundle, Receipt)


class Check(NamedTuple):
    """One finding. `ok` is None for what cannot be checked."""

    id: str
    ok: bool | None
    says: str


class Report(NamedTuple):
    checks: tuple[Check, ...]

    @property
    def verdict(self) -> Verdict:
        found = {check.ok for check in self.checks}
        return "false" if False in found else "cannot be checked" if None in found else "ok"


def check(bundle: Bundle, receipts: Sequence[Receipt] = ()) -> Report:
    sums = (_root(bundle), _seeds(bundle), _transcript(bundle), _key(bundle), _voids(bundle), _chain(bundle))
    return Report((*sums, *_replay(bundle), *(_receipt(bundle, receipt) for receipt in receipts)))


# --- files ----------------------------------------------------------------------------------------------------------


def load(text: str) -> Bundle:
    """Read a replay bundle.

    >>> load('{"format": "cheeseboard/replay/2"}')
    Traceback (most recent call last):
    cheeseboard.games.core.Refusal: expected a file of the format cheeseboard/replay/1, got 'cheeseboard/replay/2'
    """
    return _load(text, REPLAY, Bundle)


def load_receipt(text: str) -> Receipt:
    return _load(text, RECEIPT, Receipt)


def run(file: Path, receipts: list[Path]) -> int:
    """Print a report on each bundle of the file. 0: all is true, 1: something is false, 2: it cannot be checked."""
    found: set[Verdict] = set()
    for title, report in _reports(file, receipts):
        found.add(report.verdict)
        lines = [f"  {_mark(finding.ok):5}  {finding.id:10}  {finding.says}" for finding in report.checks]
        sys.stdout.write("\n".join([title, *lines, f"  verdict: {report.verdict}", ""]))
    return next(EXIT[verdict] for verdict in EXIT if verdict in found)


def _load(text: str, form: str, kind: type[Paper]) -> Paper:
    try:
        data = msgspec.json.decode(text)
    except (ValueError, RecursionError) as error:
        raise Refusal(f"expected JSON of the format {form}, got something else: {error}") from None
    came = data.get("format") if isinstance(data, dict) else data
    if came != form:
        raise Refusal(f"expected a file of the format {form}, got {str(came)[:40]!r}")
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise Refusal(f"expected a file as {form} says, got one with a fault: {error}") from None


def _reports(file: Path, papers: list[Path]) -> Iterator[tuple[str, Report]]:
    try:
        receipts = [load_receipt("".join(_texts(path))) for path in papers]
        unused = {receipt.table for receipt in receipts}
        for n, text in enumerate(_texts(file), 1):
            try:
                bundle = load(text)
            except Refusal as refusal:
                yield f"bundle {n} of {file}", _unknown(refusal)
                continue
            unused.discard(bundle.table)
            mine = [receipt for receipt in receipts if receipt.table == bundle.table]
            yield _title(bundle, mine), check(bundle, mine)
        for table in sorted(unused):
            yield f"receipt of table {table}", _unknown(f"expected a bundle of this table in {file}, got none")
    except (Refusal, OSError, UnicodeDecodeError) as error:
        yield str(file), _unknown(error)


def _unknown(why: object) -> Report:
    return Report((Check("file", None, str(why)),))


def _texts(file: Path) -> Iterator[str]:
    """The bundles of a file: of an export every line is one, else the file is one."""
    with file.open(encoding="utf-8") as lines:
        first = next(lines, "")
        if first.startswith("{") and first.rstrip().endswith("}"):
            yield first
            yield from filter(str.strip, lines)
        else:
            yield first + lines.read()


def _title(bundle: Bundle, receipts: list[Receipt]) -> str:
    words = deal.fingerprint(bytes.fromhex(bundle.deal.transcript))
    known = "" if receipts else "; no receipt: nothing is said about what was shown before play"
    return f"table {bundle.table}, {bundle.game}@{bundle.version}, seats {bundle.seats}, words: {words}{known}"


def _mark(ok: bool | None) -> str:
    return {True: "ok", False: "FALSE", None: "?"}[ok]


# --- the sums -------------------------------------------------------------------------------------------------------


def _root(bundle: Bundle) -> Check:
    made = bundle.deal
    fits = _same("the house's hash", _server(bundle, made.attempt, made.root), made.server)
    return _finding("root", fits, "the root fits the house's hash")


def _seeds(bundle: Bundle) -> Check:
    seats = [seat for seat, _ in bundle.deal.seeds]
    faults = [
        *_roster(bundle, [seat for seat, _ in bundle.deal.commits]),
        *_same("seats with a seed", [seat for seat, _ in bundle.deal.commits], seats),
        *_fits(bundle, bundle.deal.attempt, bundle.deal.commits, bundle.deal.seeds),
    ]
    who = f"seats {', '.join(map(str, seats))} took part, and every seed fits its hash"
    return _finding("seeds", faults, who if seats else "nobody but the house took part in this deal")


def _transcript(bundle: Bundle) -> Check:
    made, rules = bundle.deal, f"{bundle.game}@{bundle.version}"
    deck = deal.deck_hash(bundle.game, bundle.version, bundle.seats, bundle.options)
    hashes = dict(made.commits)
    entries = [(seat, _raw(hashes.get(seat, "")), _raw(seed)) for seat, seed in made.seeds]
    words = deal.transcript(bundle.table, made.epoch, made.attempt, rules, deck, _raw(made.server), entries)
    faults = [*_same("the hash of game and options", deck, made.deck), *_same("transcript", words, made.transcript)]
    return _finding("transcript", faults, "the transcript holds this game, these options and all seeds")


def _key(bundle: Bundle) -> Check:
    made = bundle.deal
    key = deal.deal_key(_raw(made.root), _raw(made.transcript))
    faults = [*_same("key", key, made.key), *_same("the hash of the key", deal.digest(key), made.key_hash)]
    return _finding("key", faults, "the key comes from root and transcript, and fits its hash")


def _voids(bundle: Bundle) -> Check:
    """Failed attempts are no secret: who fails often, or whose failures suit him, is seen by all."""
    made, faults = bundle.deal, []
    faults += _same("void attempts", list(range(made.attempt)), [void.attempt for void in made.voids])
    roots = [void.root for void in made.voids] + [made.root]
    faults += [] if len(set(roots)) == len(roots) else ["expected a new root for each attempt, got one a second time"]
    missed: set[int] = set()
    rosters = [_all(void) for void in made.voids] + [{seat for seat, _ in made.commits}]
    for void, roster, later in zip(made.voids, rosters, rosters[1:], strict=False):
        missed.update(void.missing)
        faults += [f"attempt {void.attempt}: {fault}" for fault in _void(bundle, void)]
        if new := later - roster:
            faults.append(f"after attempt {void.attempt}: expected no new seats, got {_list(new)}")
        if gone := roster - later - missed:
            faults.append(
                f"after attempt {void.attempt}: expected seats {_list(gone)} again, for they were never missing"
            )
    told = "; ".join(f"attempt {void.attempt} was void, missing: seats {_list(void.missing)}" for void in made.voids)
    return _finding("voids", faults, told or "the first attempt to deal succeeded")


def _void(bundle: Bundle, void: Void) -> list[str]:
    seeds = {seat for seat, _ in void.seeds}
    silent = {seat for seat, _ in void.commits} - seeds
    missing = set(void.missing)
    return [
        *_same("the house's hash", _server(bundle, void.attempt, void.root), void.server),
        *_roster(bundle, [seat for seat, _ in void.commits]),
        *_roster(bundle, [seat for seat, _ in void.seeds]),
        *_roster(bundle, list(void.missing)),
        *_fits(bundle, void.attempt, void.commits, void.seeds),
        *([] if missing else ["expected missing seats, got none: nothing was wrong with this attempt"]),
        *([] if silent <= missing else [f"expected seats {_list(silent)} among the missing, got {_list(missing)}"]),
        *([f"expected seats without a seed as missing, got {_list(missing & seeds)}"] if missing & seeds else []),
    ]


def _chain(bundle: Bundle) -> Check:
    chain, faults = deal.chain_start(bundle.table, _raw(bundle.deal.transcript)), []
    for n, row in enumerate(bundle.log, 1):
        chain = deal.chain_next(chain, row.n, row.seat, row.action, bytes(row.luck), row.at_ms, row.id)
        faults = [*_same("its number", n, row.n), *_same("its hash", chain, row.chain)]
        if faults:
            faults = [f"log row {n}: {fault}" for fault in faults]
            break
    return _finding("chain", faults, f"each of the {len(bundle.log)} log rows carries the hash of all before it")


def _receipt(bundle: Bundle, receipt: Receipt) -> Check:
    if receipt.table != bundle.table:
        return Check("receipt", None, f"expected a receipt of table {bundle.table}, got one of {receipt.table}")
    made = bundle.deal
    faults = [
        *_same("attempt", receipt.attempt, made.attempt),  # a receipt is of a whole attempt: there was no need of more
        *_same("the house's hash", receipt.server, made.server),
        *_same("the hashes of all seats", receipt.commits, made.commits),
        *_same("the seed of this seat", receipt.seed, dict(made.seeds).get(receipt.seat, "none")),
        *_same("transcript", receipt.transcript, made.transcript),
    ]
    seat = f"seat {receipt.seat}"
    return _finding("receipt", [f"{seat}: {fault}" for fault in faults], f"{seat}: all as kept; the seed was used")


# --- the game -------------------------------------------------------------------------------------------------------


def _replay(bundle: Bundle) -> Iterator[Check]:
    """The game once more, with luck from the key. After the first row that is false nothing more can be said."""
    if bundle.game not in GAMES:
        yield Check("rules", None, f"expected a game known here ({', '.join(GAMES)}), got {bundle.game}")
        return
    facts = core.about(GAMES[bundle.game])
    if bundle.version != facts["version"]:
        yield Check("rules", None, f"expected rules version {facts['version']} of {bundle.game}, got {bundle.version}")
        return
    try:
        table = _opened(bundle)
    except Refusal as refusal:
        yield Check("rules", False, str(refusal))
        return
    for n, row in enumerate(bundle.log, 1):
        try:
            drawn = _drawn(table, row, opening=n == 1 and bool(table.opening))
        except Refusal as refusal:
            yield Check("rules", False, f"log row {n}: {refusal}")
            return
        came = [row.action, *row.luck] if row.seat == LUCK else list(row.luck)
        if drawn != came:
            yield Check("luck", False, f"log row {n}: expected luck to do {drawn} by the key, got {came}")
            return
    yield Check("rules", True, "every move was allowed")
    yield Check("luck", True, "every card came as the key says")
    yield _result(bundle, table)
    if bundle.races:
        yield _races(bundle, frozenset(facts.get("race", {}).get("passes", ())))


def _opened(bundle: Bundle) -> Table:
    game = GAMES[bundle.game]
    facts = core.about(game)
    for option in bundle.options:  # before they become arguments, where a name could clash with another argument
        if option not in facts["options"] and option not in facts.get("lists", {}):
            raise Refusal(f"expected an option of {bundle.game}, got {option!r}")
    return Table(game, bundle.seats, deal.Stream(_raw(bundle.deal.key), "luck"), **bundle.options)


def _drawn(table: Table, row: Row, *, opening: bool) -> list[int]:
    """What luck does in this row."""
    if opening != (row.seat == LUCK):
        raise Refusal(f"expected {'luck to open the game' if opening else 'an act of a seat'}, got seat {row.seat}")
    steps = table.opening if opening else table.play(row.seat, row.action)[1:]
    return [step.action for step in steps]


def _races(bundle: Bundle, passes: frozenset[int]) -> Check:
    """Every verdict follows from its own figures, the lot from the key, and whoever was first acted in that order."""
    if other := {race.version for race in bundle.races} - {referee.VERSION}:
        return Check("races", None, f"expected verdicts by version {referee.VERSION} of the terms, got {_list(other)}")
    faults: list[str] = []
    ends = [race.e for race in bundle.races[1:]] + [len(bundle.log)]
    for race, end in zip(bundle.races, ends, strict=False):
        again = referee.again(race, deal.Stream(_raw(bundle.deal.key), f"tie/{race.e}").below)
        acted = [row.seat for row in bundle.log[race.e : end] if row.seat < bundle.seats and row.action not in passes]
        faults += [f"race {race.e}: {fault}" for fault in (*_same("verdict", again, race), *_order(race, acted))]
    return _finding("races", faults[:3], f"each of the {len(bundle.races)} verdicts follows from its figures")


def _order(race: referee.Verdict, acted: list[int]) -> list[str]:
    return _same("the first to act", list(race.first), acted[: len(race.first)])


def _result(bundle: Bundle, table: Table) -> Check:
    state, told = table.state, bundle.result
    if bundle.closed:
        faults = [*_same("over", False, table.over), *_same("result", None, told)]
        return _finding("result", faults, "the table was closed before the end")
    if told is None or not table.over:
        return Check("result", False, "expected a whole game and its result, got a game without an end or a result")
    places = tuple(map(int, table.game.rank(state)))
    faults = [*_same("scores", tuple(state.scores[: state.seats]), told.scores), *_same("places", places, told.places)]
    return _finding("result", faults, f"scores {_list(told.scores)}, places {_list(told.places)}")


# --- words ----------------------------------------------------------------------------------------------------------


def _server(bundle: Bundle, attempt: int, root: str) -> bytes:
    return deal.server_commit(bundle.table, bundle.deal.epoch, attempt, _raw(root))


def _fits(bundle: Bundle, attempt: int, commits: Pairs, seeds: Pairs) -> list[str]:
    """Faults of seeds that do not fit the hashes shown before."""
    faults, hashes = [], dict(commits)
    for seat, seed in seeds:
        fits = deal.seat_commit(bundle.table, bundle.deal.epoch, attempt, seat, _raw(seed))
        faults += _same(f"the hash of seat {seat}", fits, hashes.get(seat, "none"))
    return faults


def _roster(bundle: Bundle, seats: list[int]) -> list[str]:
    """Faults of seats that are not at this table, or not in order, or there twice."""
    return _same("seats of this table in order", sorted({*seats} & {*range(bundle.seats)}), seats)


def _all(void: Void) -> set[int]:
    return {seat for seat, _ in void.commits} | {*void.missing}


def _same(what: str, expected: Any, got: Any) -> list[str]:
    """No fault, or the one that these two are not the same."""
    expected = expected.hex() if isinstance(expected, bytes) else expected
    return [] if expected == got else [f"expected {what} {expected}, got {got}"]


def _finding(name: str, faults: list[str], good: str) -> Check:
    return Check(name, not faults, "; ".join(faults) or good)


def _list(numbers: Any) -> str:
    return ", ".join(map(str, sorted(numbers) if isinstance(numbers, set) else numbers))


def _raw(text: str) -> bytes:
    return bytes.fromhex(text)
