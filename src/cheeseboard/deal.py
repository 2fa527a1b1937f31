"""The verifiable deal: commit, commit, reveal, deal, reveal.

The house draws a secret root and shows its hash. Every person's client draws a seed and shows its hash. When all hashes
lie on the table the seeds are shown; hashed together they are the transcript. Root and transcript make the key, the
key makes a stream of numbers, and all luck of the table comes from that stream. After the game the house shows
the root, and anybody can do the sum again. Nobody chose last, so nobody chose: one honest seat is enough.

Everything here is arithmetic on bytes; `docs/deal.md` tells it to players, `web/src/deal.js` is its twin for browsers.

>>> stream = Stream(deal_key(bytes(32), bytes(32)), "luck")
>>> [stream.below(6) + 1 for _ in range(8)]
[2, 5, 5, 5, 6, 4, 6, 2]
"""

import hashlib
import hmac
import json
import struct
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

LABEL = "cheeseboard/v1/"  # before every name of a use, so that no hash of one use can serve for another
CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"
WORD = 1 << 64
CHAIN, CHAIN_END = struct.Struct(">I32sIIIIIII"), struct.Struct(">IQI")


def digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def lp(*parts: bytes) -> bytes:
    """The parts one after the other, each behind its length: two different lists never give the same bytes.

    >>> lp(b"ab", b"c") == lp(b"a", b"bc")
    False
    """
    return b"".join(u32(len(part)) + part for part in parts)


def u32(n: int) -> bytes:
    return n.to_bytes(4, "big")


def u64(n: int) -> bytes:
    return n.to_bytes(8, "big")


def deck_hash(game: str, version: int, seats: int, options: dict[str, Any]) -> bytes:
    """What is played: by which rules, by how many, with which options. Nothing of it may change after the commits."""
    facts = {"game": game, "options": options, "seats": seats, "version": version}
    return digest(json.dumps(facts, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode())


def server_commit(table: str, epoch: int, attempt: int, root: bytes) -> bytes:
    return digest(lp(_label("server-commit"), table.encode(), u32(epoch) + u32(attempt), root))


def seat_commit(table: str, epoch: int, attempt: int, seat: int, seed: bytes) -> bytes:
    """The hash of a seed. The seat is part of it: nobody can hand in another's hash as his own."""
    return digest(lp(_label("client-commit"), table.encode(), u32(epoch) + u32(attempt) + u32(seat), seed))


def transcript(
    table: str,
    epoch: int,
    attempt: int,
    rules: str,
    deck: bytes,
    server: bytes,
    entries: Sequence[tuple[int, bytes, bytes]],
) -> bytes:
    """Everything that was said before the deal, as one hash.

    `rules` is "game@version", an entry is (seat, commit, seed)."""
    head = lp(_label("transcript"), table.encode(), u32(epoch) + u32(attempt), rules.encode(), deck, server)
    return digest(head + b"".join(lp(u32(seat), commit, seed) for seat, commit, seed in sorted(entries)))


def deal_key(root: bytes, transcript: bytes, k: int = 1) -> bytes:
    """The key of deal k. It needs the house's root and everybody's seeds; it tells nothing about other deals' keys."""
    master = _mac(root, lp(_label("master"), transcript))
    return _mac(master, lp(_label("deal"), u32(k)))


class Stream:
    """An endless row of numbers that only the key and the purpose decide. Called, it is a table's luck."""

    def __init__(self, key: bytes, purpose: str) -> None:
        self._words = _words(key, purpose)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely: words beyond the last whole multiple of n are passed over."""
        assert 1 <= n <= WORD, f"expected 1 to 2**64 possibilities, got {n}"
        fair = WORD - WORD % n
        for word in self._words:
            if word < fair:
                return word % n
        raise AssertionError("a stream has no end")

    __call__ = below


def fingerprint(transcript: bytes) -> str:
    """The transcript as four words to compare aloud: each 16 bits are consonant, vowel, consonant, vowel, consonant.

    >>> fingerprint(bytes([127, 0, 0, 1, 63, 84, 220, 193]))
    'lusab babad gutih tugad'
    """
    return " ".join(_word(int.from_bytes(transcript[at : at + 2], "big")) for at in range(0, 8, 2))


def chain_start(table: str, transcript: bytes) -> bytes:
    return digest(lp(_label("chain"), table.encode(), transcript))


def chain_next(chain: bytes, n: int, seat: int, action: int, luck: bytes, at_ms: int, id: str) -> bytes:  # noqa: A002
    """The hash of a row of the log and of all rows before it: no row can change later without all hashes after it."""
    row = CHAIN.pack(32, chain, 4, n, 4, seat, 4, action, len(luck))  # as lp() would, in one go: every move comes here
    name = id.encode()
    return digest(row + luck + CHAIN_END.pack(8, at_ms, len(name)) + name)


def _label(use: str) -> bytes:
    return (LABEL + use).encode()


def _words(key: bytes, purpose: str) -> Iterator[int]:
    """Words of 64 bits, four to a block."""
    for j in count():
        yield from struct.unpack(">4Q", _mac(key, lp(_label("stream"), purpose.encode(), u64(j))))


def _mac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


def _word(bits: int) -> str:
    letters = ((CONSONANTS, 12), (VOWELS, 10), (CONSONANTS, 6), (VOWELS, 4), (CONSONANTS, 0))
    return "".join(kind[bits >> shift & len(kind) - 1] for kind, shift in letters)
