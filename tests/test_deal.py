"""The verifiable deal: its vectors in two languages, that every card is equally likely, that every bit counts."""

import json
import math
import subprocess
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from cheeseboard import deal
from tests.dealing import secret
from tests.node import NODE
from tests.vectors import make_deal

WEB = Path(__file__).parent / "web"
CARDS = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]


def shuffled(cards, stream):
    """Fisher and Yates, downwards."""
    cards = list(cards)
    for i in range(len(cards) - 1, 0, -1):
        j = stream.below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


# --- vectors --------------------------------------------------------------------------------------------------------


def test_the_vectors_are_what_the_code_gives():
    assert make_deal.FILE.read_text("utf-8") == make_deal.text(), "old bundles would no longer verify"
    vectors = json.loads(make_deal.FILE.read_text("utf-8"))["vectors"]
    assert len(vectors) == 1000
    assert {len(v["given"]["entries"]) for v in vectors if v["kind"] == "transcript"} == set(range(7))
    for vector in vectors:  # as read, not as made: JSON keeps all that matters
        assert make_deal.answer(vector["kind"], vector["given"]) == vector["gives"]


def test_the_published_vector(monkeypatch):
    told = make_deal.PUBLISHED
    monkeypatch.setattr(deal, "LABEL", told["label"])
    table, root = told["table"], bytes.fromhex(told["root"])
    deck, server = deal.digest(",".join(CARDS).encode()), deal.server_commit(table, 0, 0, root)
    seeds = [(seat, bytes.fromhex(seed)) for seat, seed in told["seeds"]]
    entries = [(seat, deal.seat_commit(table, 0, 0, seat, seed), seed) for seat, seed in seeds]
    transcript = deal.transcript(table, 0, 0, told["rules"], deck, server, entries)
    key = deal.deal_key(root, transcript)
    assert deck.hex() == told["deck"]
    assert server.hex() == told["server"]
    assert [[seat, commit.hex()] for seat, commit, _ in entries] == told["commits"]
    assert transcript.hex() == told["transcript"]
    assert key.hex() == told["key"]
    assert " ".join(shuffled(CARDS, deal.Stream(key, told["purpose"]))) == told["order"]


def test_javascript_gives_the_same_vectors():
    run = subprocess.run([NODE, WEB / "deal_vectors.mjs"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout == "1000 vectors and the published one\n"


# --- luck -----------------------------------------------------------------------------------------------------------


def p_value(squares, freedom):
    """How often chance alone gives so large a chi-square (Wilson and Hilferty's approximation)."""
    spread = 2 / (9 * freedom)
    return 0.5 * math.erfc(((squares / freedom) ** (1 / 3) - 1 + spread) / math.sqrt(2 * spread))


def chi_square(counts, expected):
    return sum((count - expected) ** 2 / expected for count in counts)


def places_p(cards, shuffles, shuffle):
    counts = [[0] * cards for _ in range(cards)]
    for _ in range(shuffles):
        for place, card in enumerate(shuffle(range(cards))):
            counts[place][card] += 1
    squares = sum(chi_square(row, shuffles / cards) for row in counts)
    return p_value(squares, (cards - 1) ** 2)


def test_p_values_are_those_of_the_tables():
    assert p_value(49.728, 23) == pytest.approx(0.001, rel=0.05)
    assert p_value(22.337, 23) == pytest.approx(0.5, rel=0.05)


@pytest.mark.parametrize(("cards", "shuffles"), [(13, 100_000), (52, 10_000)])
def test_every_card_comes_to_every_place_equally_often(cards, shuffles):
    stream = deal.Stream(secret("places"), "shuffle")
    assert places_p(cards, shuffles, lambda deck: shuffled(deck, stream)) > 0.001


def test_every_order_of_four_cards_comes_equally_often():
    stream, shuffles = deal.Stream(secret("orders"), "shuffle"), 100_000
    counts = dict.fromkeys(permutations(range(4)), 0)
    for _ in range(shuffles):
        counts[tuple(shuffled(range(4), stream))] += 1
    assert p_value(chi_square(counts.values(), shuffles / 24), 23) > 0.001


def test_a_wrong_shuffle_would_be_noticed():
    """The classic error: to swap each card with any of all cards."""
    stream = deal.Stream(secret("wrong"), "shuffle")

    def wrong(cards):
        cards = list(cards)
        for i in range(len(cards)):
            j = stream.below(len(cards))
            cards[i], cards[j] = cards[j], cards[i]
        return cards

    assert places_p(13, 20_000, wrong) < 1e-6


@pytest.mark.parametrize("n", [3 << 62, (1 << 64) - 1, (1 << 63) + 1])
def test_words_beyond_the_last_whole_multiple_are_passed_over(n):
    """With 3 * 2**62 possibilities a remainder would make the lower third twice as likely."""
    key = secret("beyond", n)
    words, stream = deal.Stream(key, "luck"), deal.Stream(key, "luck")
    fair = [word for word in (words.below(1 << 64) for _ in range(4000)) if word < n]
    assert [stream.below(n) for _ in fair] == fair


def test_a_stream_is_a_purpose_of_a_key():
    def draws(key, purpose):
        stream = deal.Stream(key, purpose)
        return [stream(1 << 32) for _ in range(20)]

    key = secret("key")
    assert draws(key, "luck") == draws(key, "luck")
    unequal = [draws(key, "luck"), draws(key, "bot/0/1"), draws(key, "bot/0/11"), draws(secret("other"), "luck")]
    assert len({tuple(row) for row in unequal}) == len(unequal)


@pytest.mark.parametrize("n", [0, -1, (1 << 64) + 1])
def test_a_stream_has_at_least_one_and_at_most_2_to_the_64_possibilities(n):
    with pytest.raises(AssertionError, match="possibilities"):
        deal.Stream(bytes(32), "luck").below(n)


# --- every bit counts -----------------------------------------------------------------------------------------------

ROOT, SEEDS = secret("root"), {seat: secret("seed", seat) for seat in (0, 2, 3)}


def order_of(table=b"k7q2m", epoch=0, attempt=0, rules=b"geier@1", deck=bytes(32), root=ROOT, seeds=SEEDS):
    """The transcript and the order of 52 cards."""
    table, rules = table.decode(), rules.decode()
    entries = [(seat, deal.seat_commit(table, epoch, attempt, seat, seed), seed) for seat, seed in seeds.items()]
    server = deal.server_commit(table, epoch, attempt, root)
    transcript = deal.transcript(table, epoch, attempt, rules, deck, server, entries)
    return transcript, shuffled(CARDS, deal.Stream(deal.deal_key(root, transcript), "shuffle"))


def flips(data, bits=8):
    """The bytes with one bit changed, for each bit."""
    for i in range(len(data)):
        for bit in range(bits):
            yield data[:i] + bytes([data[i] ^ 1 << bit]) + data[i + 1 :]


CHANGED = {
    "table": lambda: ({"table": table} for table in flips(b"k7q2m", bits=7)),
    "epoch": lambda: ({"epoch": 1 << bit} for bit in range(32)),
    "attempt": lambda: ({"attempt": 1 << bit} for bit in range(32)),
    "rules": lambda: ({"rules": rules} for rules in flips(b"geier@1", bits=7)),
    "deck": lambda: ({"deck": deck} for deck in flips(bytes(32))),
    "root": lambda: ({"root": root} for root in flips(ROOT)),
    "a seed": lambda: ({"seeds": {**SEEDS, seat: seed}} for seat in SEEDS for seed in flips(SEEDS[seat])),
    "a seat": lambda: ({"seeds": {0: SEEDS[0], 2: SEEDS[2], 3 ^ 1 << bit: SEEDS[3]}} for bit in range(2, 32)),
    "seats left out": lambda: ({"seeds": {s: SEEDS[s] for s in SEEDS if s != out}} for out in SEEDS),
}


@pytest.mark.parametrize("what", CHANGED)
def test_one_bit_changes_the_whole_deck(what):
    transcript, order = order_of()
    moved = []
    for change in CHANGED[what]():
        other, cards = order_of(**change)
        assert other != transcript
        moved.append(sum(card != before for card, before in zip(cards, order, strict=True)))
    assert sum(moved) / len(moved) >= 40


def test_a_later_deal_has_a_key_of_its_own():
    transcript, _ = order_of()
    assert len({deal.deal_key(ROOT, transcript, k) for k in range(1, 50)}) == 49


def test_options_in_any_order_are_the_same_options():
    one, two = {"ties": "stay", "cards": 15}, {"cards": 15, "ties": "stay"}
    assert deal.deck_hash("geier", 1, 2, one) == deal.deck_hash("geier", 1, 2, two)
    others = [deal.deck_hash("geier", 1, 2, {**one, "cards": "15"}), deal.deck_hash("geier", 1, 2, {})]
    others += [
        deal.deck_hash("geier", 2, 1, one),
        deal.deck_hash("geier", 1, 3, one),
        deal.deck_hash("maus", 1, 2, one),
    ]
    assert len({deal.deck_hash("geier", 1, 2, one), *others}) == 6


def test_every_part_of_a_row_is_in_its_chain():
    start = deal.chain_start("k7q2m", bytes(32))
    row: dict[str, Any] = {"n": 1, "seat": 0, "action": 7, "luck": b"\1\2", "at_ms": 5, "id": "a"}
    changes: list[dict[str, Any]] = [
        {"n": 2},
        {"seat": 1},
        {"action": 8},
        {"luck": b"\1"},
        {"luck": b"\1\3"},
        {"at_ms": 6},
        {"id": ""},
    ]
    chains = [deal.chain_next(start, **{**row, **change}) for change in [{}, *changes]]
    chains += [deal.chain_next(deal.chain_start("k7q2n", bytes(32)), **row), start]
    assert len(set(chains)) == len(chains)


def test_words_for_every_16_bits_are_pronounceable_and_different():
    words = {deal.fingerprint(bits.to_bytes(2, "big") * 4).split(" ")[0] for bits in range(1 << 16)}
    assert len(words) == 1 << 16
    assert all(word[0::2].strip("bdfghjklmnprstvz") == word[1::2].strip("aiou") == "" for word in words)
