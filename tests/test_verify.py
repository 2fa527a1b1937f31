"""Verification: honest tables pass, eight kinds of dishonest house are caught, no part of a bundle can be changed."""

import json
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from cheeseboard import deal, verify
from cheeseboard.bundle import Bundle
from cheeseboard.games import GAMES
from cheeseboard.games.core import LUCK, Refusal
from tests import dealing
from tests.dealing import agreed, committed, honest_bundle, played, receipt_of, secret, seeds_of, shown, voided
from tests.games import laws
from tests.node import NODE

NODE_FINDINGS = {"root", "seeds", "transcript", "key", "voids", "chain", "receipt"}  # what the twin for browsers checks


def false(bundle, *receipts):
    """The names of what is false."""
    return {finding.id for finding in verify.check(bundle, receipts).checks if finding.ok is False}


def with_deal(bundle, **changes):
    return replace(bundle, deal=replace(bundle.deal, **changes))


def table_with(made, **more):
    """A whole game with this deal, by a house that is honest from there on."""
    return played("geier", 3, {}, made, **more)


HONEST = honest_bundle("geier", 3)
KEPT = receipt_of(HONEST, 0)
SEEDS = seeds_of(0, 1)


# --- honest houses --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_an_honest_table_of_every_game_verifies(name):
    for way in laws.ways(GAMES[name]):
        bundle = verify.load(msgspec.json.encode(honest_bundle(name, way.seats, **way.options)).decode())
        report = verify.check(bundle, [receipt_of(bundle, seat) for seat in range(way.seats - 1)])
        assert report.verdict == "ok", report
        assert not bundle.closed
        assert [finding.id for finding in report.checks[:9]] == [
            *("root", "seeds", "transcript", "key", "voids", "chain", "rules", "luck", "result")
        ]
        assert all(finding.id == "receipt" for finding in report.checks[9:])


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("moves", [0, 1, 2, 17])
def test_a_closed_table_verifies(name, moves):
    made = agreed(name, 3, {}, SEEDS)
    bundle = played(name, 3, {}, made, moves)
    if moves == 0:
        bundle = replace(bundle, log=())  # closed before luck opened the game
    assert bundle.closed
    assert verify.check(bundle, [receipt_of(bundle)]).verdict == "ok"


def test_a_deal_without_people_verifies_and_says_so():
    report = verify.check(table_with(agreed("geier", 3, {}, {})))
    assert report.verdict == "ok"
    assert "nobody but the house" in report.checks[1].says


def after_voids():
    """Seat 1 is silent twice and left out; in the third attempt the deal succeeds."""
    voids = tuple(voided(seeds_of(0, 1, attempt=attempt), (1,), attempt) for attempt in range(2))
    return table_with(agreed("geier", 3, {}, seeds_of(0, attempt=2), attempt=2, voids=voids))


def test_failed_attempts_are_told():
    bundle = after_voids()
    report = verify.check(bundle, [receipt_of(bundle)])
    assert report.verdict == "ok"
    assert report.checks[4].says == "attempt 0 was void, missing: seats 1; attempt 1 was void, missing: seats 1"


def test_a_seat_that_never_committed_may_be_missing():
    void = replace(voided(SEEDS, (1,)), commits=committed(seeds_of(0)), seeds=())
    bundle = table_with(agreed("geier", 3, {}, seeds_of(0, attempt=1), attempt=1, voids=(void,)))
    assert false(bundle) == {"voids"}  # seat 0 gave no seed either, and is not told
    void = replace(void, missing=(0, 1))
    bundle = table_with(agreed("geier", 3, {}, seeds_of(0, attempt=1), attempt=1, voids=(void,)))
    assert verify.check(bundle).verdict == "ok"


# --- dishonest houses -----------------------------------------------------------------------------------------------
# Each gives the bundle it publishes, and what is false in it: alone, and more beside the receipt of seat 0. A clumsy
# house is caught by anybody. A careful one makes everything anew after the fact, and only the receipt can tell.


def late_root():
    """The house draws its root when it knows the seeds, but the hash it showed is of another."""
    made = agreed("geier", 3, {}, SEEDS)
    key = deal.deal_key(secret("late"), bytes.fromhex(made.transcript))
    made = replace(made, root=secret("late").hex(), key=key.hex(), key_hash=deal.digest(key).hex())
    return table_with(made), {"root"}, set()


def late_root_with_a_new_hash():
    return table_with(agreed("geier", 3, {}, SEEDS, root=secret("late"))), set(), {"receipt"}


def dropped_seed():
    made = agreed("geier", 3, {}, seeds_of(1))
    return table_with(replace(made, commits=committed(SEEDS))), {"seeds"}, {"receipt"}


def dropped_seat():
    return table_with(agreed("geier", 3, {}, seeds_of(1))), set(), {"receipt"}


def remade(made, entries, game="geier", version=1):
    """The deal with other entries in its transcript, or of another game; everything that follows from it made anew."""
    deck = deal.deck_hash(game, version, 3, {})
    server, root = bytes.fromhex(made.server), bytes.fromhex(made.root)
    words = deal.transcript(dealing.TABLE, 0, 0, f"{game}@{version}", deck, server, entries)
    key = deal.deal_key(root, words)
    return replace(made, deck=deck.hex(), transcript=words.hex(), key=key.hex(), key_hash=deal.digest(key).hex())


def replaced_seed():
    """Another seed under the hash of the one that was committed."""
    seeds = {**SEEDS, 0: secret("mine")}
    made = replace(agreed("geier", 3, {}, SEEDS), seeds=shown(seeds))
    made = remade(made, [(seat, bytes.fromhex(commit), seeds[seat]) for seat, commit in made.commits])
    return table_with(made), {"seeds"}, {"receipt"}


def replaced_seed_with_a_new_hash():
    return table_with(agreed("geier", 3, {}, {**SEEDS, 0: secret("mine")})), set(), {"receipt"}


def reordered_seats():
    """The same seeds, but each at the other's seat."""
    return table_with(agreed("geier", 3, {}, {0: SEEDS[1], 1: SEEDS[0]})), set(), {"receipt"}


def reordered_seats_with_their_hashes():
    (_, one), (_, two) = committed(SEEDS)
    made = agreed("geier", 3, {}, {0: SEEDS[1], 1: SEEDS[0]})
    return table_with(replace(made, commits=((0, two), (1, one)))), {"seeds", "transcript"}, {"receipt"}


def reordered_list():
    made = agreed("geier", 3, {}, SEEDS)
    return table_with(replace(made, commits=made.commits[::-1], seeds=made.seeds[::-1])), {"seeds"}, {"receipt"}


def sybil_after_the_freeze():
    """A seat that the house itself holds hands in its hash when the others' seeds are known."""
    return table_with(agreed("geier", 3, {}, seeds_of(0, 1, 2))), set(), {"receipt"}


def sybil_from_nowhere():
    return table_with(agreed("geier", 3, {}, seeds_of(0, 1, 5))), {"seeds"}, {"receipt"}


def sybil_after_a_void():
    made = agreed("geier", 3, {}, seeds_of(0, 1, 2, attempt=1), attempt=1, voids=(voided(SEEDS, (1,)),))
    return table_with(made), {"voids"}, {"receipt"}


def swapped_card():
    """At the seventh draw another card comes, and the game goes on with it."""
    made, draws = agreed("geier", 3, {}, SEEDS), 0
    stream = deal.Stream(bytes.fromhex(made.key), "luck")

    def bent(n):
        nonlocal draws
        draws += 1
        return (stream.below(n) + (draws == 7)) % n

    return table_with(made, luck=bent), {"luck"}, set()


def swapped_opening():
    made, first = agreed("geier", 3, {}, SEEDS), [1]
    stream = deal.Stream(bytes.fromhex(made.key), "luck")
    return table_with(made, luck=lambda n: (stream.below(n) + (first.pop() if first else 0)) % n), {"luck"}, set()


def chained(rows):
    """The honest table with other log rows, whose hashes are made anew."""
    chain, log = deal.chain_start(dealing.TABLE, bytes.fromhex(HONEST.deal.transcript)), []
    for row in rows:
        chain = deal.chain_next(chain, row.n, row.seat, row.action, bytes(row.luck), row.at_ms, row.id)
        log.append(replace(row, chain=chain.hex()))
    return replace(HONEST, log=tuple(log))


def card_dealt_twice():
    """Luck acts once more, in a row of its own."""
    last = HONEST.log[-1]
    return chained([*HONEST.log, replace(last, n=last.n + 1, seat=LUCK, luck=(), id="")]), {"rules"}, set()


def opening_by_a_seat():
    """The first row says that seat 0 did something before luck opened the game."""
    first = HONEST.log[0]
    return chained([replace(first, seat=0, luck=(first.action, *first.luck)), *HONEST.log[1:]]), {"rules"}, set()


def skipped_number():
    """One row would be missing, had there been one."""
    return chained([replace(row, n=row.n + (row.n > 9)) for row in HONEST.log]), {"chain"}, set()


def wrong_key():
    made = agreed("geier", 3, {}, SEEDS)
    key = secret("key")
    return table_with(replace(made, key=key.hex(), key_hash=deal.digest(key).hex())), {"key"}, set()


def wrong_key_under_the_right_hash():
    return table_with(replace(agreed("geier", 3, {}, SEEDS), key=secret("key").hex())), {"key"}, set()


def hidden_void():
    """The first attempt is not told of."""
    return table_with(agreed("geier", 3, {}, seeds_of(0, 1, attempt=1), attempt=1)), {"voids"}, {"receipt"}


def hidden_void_counted_anew():
    """The first attempt did not please the house; the second is called the first."""
    return table_with(agreed("geier", 3, {}, seeds_of(0, 1, attempt=7), root=secret("again"))), set(), {"receipt"}


def void_without_a_reason():
    """Seat 0 did show its seed, and has a receipt of the whole attempt; the house says that it was missing."""
    made = agreed("geier", 3, {}, seeds_of(0, 1, attempt=1), attempt=1, voids=(voided(SEEDS, (0,)),))
    return table_with(made), set(), {"receipt"}


def void_with(**changes):
    void = replace(voided(SEEDS, (1,)), **changes)
    return (
        table_with(agreed("geier", 3, {}, seeds_of(0, 1, attempt=1), attempt=1, voids=(void,))),
        {"voids"},
        {"receipt"},
    )


def void_with_a_late_root():
    return void_with(root=secret("late").hex())


def void_with_nobody_missing():
    return void_with(missing=(), seeds=shown(SEEDS))


def void_with_a_replaced_seed():
    return void_with(seeds=shown({0: secret("mine")}))


def void_with_strangers():
    return void_with(missing=(1, 4))


def void_with_one_who_spoke():
    return void_with(missing=(0, 1))


def void_whose_root_comes_again():
    """Everybody has seen it: he who shows his seed last could choose the deal."""
    made = agreed(
        "geier", 3, {}, seeds_of(0, 1, attempt=1), attempt=1, root=secret("root", 0), voids=(voided(SEEDS, (1,)),)
    )
    return table_with(made), {"voids"}, {"receipt"}


def left_out_without_a_void():
    """Seat 0 was never missing, and is left out all the same."""
    made = agreed("geier", 3, {}, seeds_of(1, attempt=1), attempt=1, voids=(voided(SEEDS, (1,)),))
    return table_with(made), {"voids"}, {"receipt"}


CHEATS = [
    *(late_root, late_root_with_a_new_hash),
    *(dropped_seed, dropped_seat),
    *(replaced_seed, replaced_seed_with_a_new_hash),
    *(reordered_seats, reordered_seats_with_their_hashes, reordered_list),
    *(sybil_after_the_freeze, sybil_from_nowhere, sybil_after_a_void),
    *(swapped_card, swapped_opening, card_dealt_twice, opening_by_a_seat, skipped_number),
    *(wrong_key, wrong_key_under_the_right_hash),
    *(hidden_void, hidden_void_counted_anew, void_without_a_reason, void_with_a_late_root, void_with_nobody_missing),
    *(void_with_a_replaced_seed, void_with_strangers, void_with_one_who_spoke, void_whose_root_comes_again),
    left_out_without_a_void,
]


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_dishonest_house_is_caught(cheat):
    bundle, alone, beside_receipt = cheat()
    assert false(bundle) == alone
    assert false(bundle, KEPT) == alone | beside_receipt
    assert verify.check(bundle, [KEPT]).verdict == "false"


def test_the_result_is_counted_again():
    result = HONEST.result
    assert result is not None
    assert false(replace(HONEST, result=replace(result, scores=result.scores[::-1]))) == {"result"}
    assert false(replace(HONEST, result=replace(result, places=(1, 1, 1)))) == {"result"}
    assert false(replace(HONEST, result=None)) == {"result"}
    assert false(replace(HONEST, closed=True)) == {"result"}
    assert false(replace(HONEST, closed=True, result=None)) == {"result"}  # the game was over: nothing to close
    assert false(replace(HONEST, log=HONEST.log[:-1])) == {"result"}
    assert not false(replace(HONEST, log=HONEST.log[:-1], closed=True, result=None))


# --- every part counts ----------------------------------------------------------------------------------------------


def changes(data, path=""):
    """The data with one part changed, for each part: (where, new data). Works on the data itself, and undoes it."""
    for key in list(data) if isinstance(data, dict) else range(len(data)):
        old, here = data[key], f"{path}.{key}"
        if isinstance(old, dict | list):
            yield from changes(old, here)
        for new in others(old):
            data[key] = new
            yield here
        data[key] = old
    if isinstance(data, list) and data:
        whole = data[:]
        for other in (whole[1:], whole[:-1], whole[::-1], [*whole, whole[-1]]):
            data[:] = other
            if other != whole:
                yield path
        data[:] = whole


def others(value):
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1, str(value)]
    if isinstance(value, str):
        return [value[:-1] + ("0" if value[-1:] != "0" else "1"), value[:-1] or "x", value.upper() + "\n"]
    return [None, []] if isinstance(value, dict) else [{}, 1] if value is None else []


def passes(data):
    try:
        return verify.check(verify.load(json.dumps(data))).verdict == "ok"
    except Refusal:
        return False


CLOSED = replace(HONEST, log=HONEST.log[:9], closed=True, result=None)
UNBOUND = {  # what nothing else in the bundle depends on, each where it is changed in just this way
    "the end of the log of a closed table": (CLOSED, [".log"]),
    "the hash of one who never showed his seed": (
        after_voids(),
        [f".deal.voids.{n}.commits{part}" for n in range(2) for part in (".1.1", "")],
    ),
    "nothing": (HONEST, []),
}


@pytest.mark.parametrize(("bundle", "unbound"), UNBOUND.values(), ids=UNBOUND)
def test_no_part_of_a_bundle_can_be_changed(bundle, unbound):
    data = json.loads(msgspec.json.encode(bundle))
    before = deepcopy(data)
    unnoticed, count = [], 0
    for where in changes(data):
        count += 1
        if passes(data):
            unnoticed.append(where)
    assert unnoticed == unbound
    assert data == before
    assert count > 150


def test_no_part_of_a_receipt_can_be_changed():
    data = json.loads(msgspec.json.encode(KEPT))
    for where in changes(data):
        try:
            changed = verify.load_receipt(json.dumps(data))
        except Refusal:
            continue
        assert verify.check(HONEST, [changed]).verdict != "ok", where


@pytest.mark.parametrize("option", ["seats", "luck", "self", "game", "nonsense"])
def test_a_strange_option_is_an_answer_and_no_crash(option):
    options = {option: 2}
    bundle = replace(HONEST, options=options, deal=agreed("geier", 3, options, SEEDS), log=(), closed=True, result=None)
    assert false(bundle) == {"rules"}
    assert f"{option!r}" in verify.check(bundle).checks[-1].says


def test_an_illegal_move_is_told_with_its_row():
    bundle = chained([*HONEST.log[:3], replace(HONEST.log[3], action=60, luck=())])
    assert false(bundle) == {"rules"}
    assert "log row 4: expected an action of geier (0 to 14), got 60" in verify.check(bundle).checks[-1].says


# --- what cannot be checked -----------------------------------------------------------------------------------------


def foreign(game, version):
    """A fair deal of a game that is not known here."""
    made = agreed("geier", 3, {}, SEEDS)
    entries = [(seat, bytes.fromhex(commit), SEEDS[seat]) for seat, commit in made.commits]
    made = remade(made, entries, game, version)
    return replace(HONEST, game=game, version=version, deal=made, log=(), closed=True, result=None)


@pytest.mark.parametrize(("game", "version"), [("geier", 99), ("canasta", 1)])
def test_rules_that_are_not_known_here_cannot_be_checked(game, version):
    bundle = foreign(game, version)
    report = verify.check(bundle, [receipt_of(bundle)])
    assert report.verdict == "cannot be checked"
    assert "expected" in next(finding.says for finding in report.checks if finding.ok is None)
    assert verify.check(with_deal(bundle, key="00" * 32)).verdict == "false"  # what can be checked is checked


def test_a_receipt_of_another_table_says_nothing():
    other = honest_bundle("geier", 3, table="abcde")
    report = verify.check(HONEST, [receipt_of(other)])
    assert report.verdict == "cannot be checked"
    assert report.checks[-1].says == "expected a receipt of table k7q2m, got one of abcde"


GOOD = json.loads(msgspec.json.encode(HONEST))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "expected JSON of the format cheeseboard/replay/1"),
        ("{", "expected JSON"),
        ("[" * 100_000, "expected JSON"),
        ("[1, 2]", "got '[1, 2]'"),
        ("null", "got 'None'"),
        ("{}", "expected a file of the format cheeseboard/replay/1, got 'None'"),
        (json.dumps({**GOOD, "format": "cheeseboard/replay/2"}), "got 'cheeseboard/replay/2'"),
        (json.dumps({**GOOD, "format": ["cheeseboard/replay/1"]}), "got \"['cheeseboard"),
        (json.dumps({**GOOD, "more": 1}), "unknown field `more`"),
        (json.dumps({k: v for k, v in GOOD.items() if k != "log"}), "missing required field `log`"),
        (json.dumps({**GOOD, "deal": {**GOOD["deal"], "root": "00"}}), "$.deal.root"),
        (json.dumps({**GOOD, "deal": {**GOOD["deal"], "root": "A" * 64}}), "$.deal.root"),
        (json.dumps({**GOOD, "log": [{**GOOD["log"][0], "at_ms": 2**53}]}), "$.log[0].at_ms"),
        (json.dumps({**GOOD, "log": [{**GOOD["log"][0], "luck": [256]}]}), "$.log[0].luck[0]"),
        (json.dumps({**GOOD, "options": {"cards": 15.0}}), "$.options[...]"),
        (json.dumps({**GOOD, "table": "\x1b[2J"}), "$.table"),
    ],
)
def test_a_faulty_file_is_refused_with_the_reason(text, says):
    with pytest.raises(Refusal) as refusal:
        verify.load(text)
    assert says in str(refusal.value)
    assert "expected" in str(refusal.value)


# --- the command ----------------------------------------------------------------------------------------------------


def paper(folder, name, *papers):
    path = folder / name
    path.write_bytes(b"\n".join(msgspec.json.encode(p) for p in papers))
    return path


def test_the_report_in_words(tmp_path, capsys):
    file, kept = paper(tmp_path, "bundle.json", HONEST), paper(tmp_path, "receipt.json", KEPT)
    assert verify.run(file, [kept]) == 0
    told = capsys.readouterr().out.splitlines()
    words = deal.fingerprint(bytes.fromhex(HONEST.deal.transcript))
    assert told[0] == f"table k7q2m, geier@1, seats 3, words: {words}"
    assert told[1] == "  ok     root        the root fits the house's hash"
    assert told[-2] == "  ok     receipt     seat 0: all as kept; the seed was used"
    assert told[-1] == "  verdict: ok"
    assert verify.run(file, []) == 0
    assert "no receipt: nothing is said about what was shown before play" in capsys.readouterr().out


def test_exit_codes(tmp_path, capsys):
    fair, kept = paper(tmp_path, "fair", HONEST), paper(tmp_path, "kept", KEPT)
    bent, unknown = paper(tmp_path, "bent", swapped_card()[0]), paper(tmp_path, "unknown", foreign("canasta", 1))
    other = paper(tmp_path, "other", receipt_of(honest_bundle("geier", 3, table="abcde")))
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    (tmp_path / "empty").write_bytes(b"")
    assert [verify.run(file, []) for file in (fair, bent, unknown)] == [0, 1, 2]
    assert [verify.run(tmp_path / name, []) for name in ("bytes", "empty", "nowhere", "kept")] == [2, 2, 2, 2]
    assert [verify.run(fair, [receipt]) for receipt in (kept, other, fair, tmp_path / "nowhere")] == [0, 2, 2, 2]
    assert "expected" in capsys.readouterr().out


def test_a_file_over_many_lines_and_an_export_with_a_bundle_per_line(tmp_path, capsys):
    pretty = tmp_path / "pretty.json"
    pretty.write_text(json.dumps(GOOD, indent=2), "utf-8")
    assert verify.run(pretty, []) == 0
    other = honest_bundle("maus", 3, table="abcde")
    kept = paper(tmp_path, "kept", KEPT)
    assert verify.run(paper(tmp_path, "export", other, HONEST), [kept]) == 0
    assert capsys.readouterr().out.count("verdict: ok") == 3
    export = paper(tmp_path, "export", other, swapped_card()[0], HONEST)
    export.write_text("{}\n" + export.read_text("utf-8") + "\n\n", "utf-8")
    assert verify.run(export, []) == 1  # the gravest; and one bad line does not end it
    told = capsys.readouterr().out
    assert [told.count(f"verdict: {verdict}\n") for verdict in ("ok", "false", "cannot be checked")] == [2, 1, 1]


# --- the twin for browsers ------------------------------------------------------------------------------------------


def in_browsers(papers):
    """What `web/src/deal.js` says of each (bundle, receipt)."""
    runner = Path(__file__).parent / "web" / "deal_verify.mjs"
    run = subprocess.run([NODE, runner], input=msgspec.json.encode(papers), capture_output=True, check=False)
    assert run.returncode == 0, run.stderr.decode()
    return json.loads(run.stdout)


def test_browsers_find_the_same():
    bundles = [*(cheat()[0] for cheat in CHEATS), *(honest_bundle(name, 3) for name in GAMES), after_voids()]
    bundles.append(replace(HONEST, log=(*HONEST.log[:5], replace(HONEST.log[5], at_ms=1), *HONEST.log[6:])))
    papers = [
        (bundle, receipt)
        for bundle in bundles
        for receipt in (None, KEPT, receipt_of(bundle, 1) if dict(bundle.deal.seeds).get(1) else None)
    ]
    for (bundle, receipt), told in zip(papers, in_browsers(papers), strict=True):
        report = verify.check(bundle, [receipt] if receipt else [])
        ours = [(finding.id, finding.ok) for finding in report.checks if finding.id in NODE_FINDINGS]
        assert [(finding["id"], finding["ok"]) for finding in told["checks"]] == ours
        assert told["verdict"] == ("ok" if all(ok for _, ok in ours) else "false")


def test_browsers_find_every_changed_part():
    """Of the deal, of a log row, and of a receipt."""
    data, kept = json.loads(msgspec.json.encode(after_voids())), json.loads(msgspec.json.encode(KEPT))
    places = (".deal", ".log.0", ".options")
    papers = [(deepcopy(data), None) for where in changes(data) if where.startswith(places) and not passes(data)]
    assert len(papers) > 150
    papers += [(GOOD, deepcopy(kept)) for _ in changes(kept)]
    assert {told["verdict"] for told in in_browsers(papers)} == {"false", "cannot be checked"}


def test_browsers_say_what_they_cannot_check():
    strange = [None, 7, {}, {**GOOD, "format": "cheeseboard/replay/2"}, {**GOOD, "deal": None}]
    papers = [
        *((bundle, None) for bundle in strange),
        (GOOD, {"format": "other"}),
        (GOOD, {**json.loads(msgspec.json.encode(KEPT)), "table": "abcde"}),
    ]
    assert {told["verdict"] for told in in_browsers(papers)} == {"cannot be checked"}


def test_verifying_needs_no_compiler_and_no_server():
    code = "import sys, cheeseboard.verify; assert not {'numba', 'rich', 'litestar', 'sqlalchemy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_bundle_survives_its_own_file():
    assert msgspec.json.decode(msgspec.json.encode(HONEST), type=Bundle) == HONEST


def test_the_example_in_the_documents_is_an_honest_table():
    """Written anew by `python -m tests.dealing`, when a new version of the rules makes it necessary."""
    assert {path.name: path.read_text("utf-8") for path in dealing.DOCS.glob("deal-*.json")} == dealing.example()
