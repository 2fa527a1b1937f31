"""The vectors of the verifiable deal, which Python and JavaScript must both give. `python -m tests.vectors.make_deal`
writes `deal.json` anew; it must never change as long as the label says v1, for old bundles must stay verifiable."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cheeseboard import deal

FILE = Path(__file__).parent / "deal.json"

# Published with the protocol, for the label "cardtable/v1/"; the deck is shuffled by Fisher and Yates, downwards.
PUBLISHED: dict[str, Any] = {
    "label": "cardtable/v1/",
    "table": "table-0001",
    "rules": "slap@1.0.0",
    "root": bytes(range(32)).hex(),
    "seeds": [[0, "01" * 32], [2, "02" * 32], [3, "03" * 32]],
    "purpose": "shuffle",
    "deck": "b02fb34cc8f7711a684dad5f6c10d31ba773c803a9e95c8a40ac38fc31d4e54a",
    "server": "777e5825ea84a2b4dcc22fb67337687a30d5ba231ee46d84e2e52259dc3822e0",
    "commits": [
        [0, "07a07dd9a0d958dfe22eb459f1f03f870c678a226ecda3729d3e8540250e13f6"],
        [2, "1c1872bc366371b1e3968871fdf3f59b674d2503e4f060f34e3fd560b02021ca"],
        [3, "f4113b8026b39c6001136f1ef50f7a015adfbf4eef13d78786249168c51dadc6"],
    ],
    "transcript": "ce3ca67fc45b06cc576112d9bcf7903cfd01fa77f64b236f1ab0b40520326aec",
    "key": "8d171fa40faba728b967cb9517e35eb2714fbcbd7f142bef27de76edc6998bc2",
    "order": "KS JC QH 9C 3H 7C 8D QD 7S 3D KH 4S 6C 6S 5S QC 3S JH 7H AD 9H QS 5C AS 5H 8S 5D JS AC 2C 2H TH 6D AH "
    "8C 6H 7D 4D 8H 9D 4H TC 2S KC TS 3C JD 2D TD 9S KD 4C",
}

TABLES = ("k7q2m", "abcde", "", "Mäuse 🐭", "a" * 100)
WORDS = ("rulebook", "Käse", "🧀", "ﬀ", "\ue000", 'a"b\\c', "tab\tline\nbell\x07\x7f", "\u2028", "ß", "")
ODD = (
    1,
    2,
    3,
    5,
    6,
    7,
    52,
    61,
    104,
    2**31 + 1,
    2**32,
    2**32 + 1,
    2**53 - 1,
    2**63 - 1,
    2**63,
    2**63 + 1,
    2**64 - 1,
    2**64,
)


def answer(kind: str, given: dict[str, Any]) -> Any:
    """What the vector of this kind must give."""
    raw = {name: bytes.fromhex(value) for name, value in given.items() if name in BYTES}
    return ANSWERS[kind](**{**given, **raw})


BYTES = {"data", "root", "seed", "deck", "server", "key", "transcript", "chain"}


def _transcript(entries: list[Any], root: bytes, k: int, **rest: Any) -> list[str]:
    """The way from the seeds to the key, with the words that people compare."""
    words = deal.transcript(entries=[(seat, bytes.fromhex(c), bytes.fromhex(s)) for seat, c, s in entries], **rest)
    return [words.hex(), deal.fingerprint(words), deal.deal_key(root, words, k).hex()]


def _stream(key: bytes, purpose: str, below: list[str]) -> list[str]:
    stream = deal.Stream(key, purpose)
    return [str(stream.below(int(n))) for n in below]  # as text: JSON readers round large numbers


def _chain(table: str, transcript: bytes, rows: list[dict[str, Any]]) -> list[str]:
    chains = [deal.chain_start(table, transcript)]
    for row in rows:
        chains.append(deal.chain_next(chains[-1], **{**row, "luck": bytes(row["luck"])}))
    return [chain.hex() for chain in chains]


ANSWERS: dict[str, Callable[..., Any]] = {
    "digest": lambda data: deal.digest(data).hex(),
    "server": lambda **given: deal.server_commit(**given).hex(),
    "seat": lambda **given: deal.seat_commit(**given).hex(),
    "deck": lambda **given: deal.deck_hash(**given).hex(),
    "transcript": _transcript,
    "stream": _stream,
    "chain": _chain,
}


def _digests(dice: deal.Stream) -> dict[str, Any]:
    return {"data": _bytes(dice, dice(200))}


def _servers(dice: deal.Stream) -> dict[str, Any]:
    return {**_place(dice), "root": _bytes(dice)}


def _seats(dice: deal.Stream) -> dict[str, Any]:
    return {**_place(dice), "seat": dice(6), "seed": _bytes(dice)}


def _decks(dice: deal.Stream) -> dict[str, Any]:
    values = (lambda: _one(dice, WORDS), lambda: dice(2001) - 1000, lambda: [dice(31) - 15 for _ in range(dice(6))])
    options = {_one(dice, WORDS): _one(dice, values)() for _ in range(dice(6))}
    return {"game": _one(dice, ("geier", "maus", "Käse")), "version": dice(9), "seats": dice(7), "options": options}


def _transcripts(dice: deal.Stream) -> dict[str, Any]:
    entries = [[seat, _bytes(dice), _bytes(dice)] for seat in range(6) if dice(2)]
    if dice(2):
        entries.reverse()  # the order in which the seeds came does not matter
    more = {"rules": _one(dice, ("geier@1", "Käse@12")), "root": _bytes(dice), "k": 1 + dice(3)}
    return {**_place(dice), **more, "deck": _bytes(dice), "server": _bytes(dice), "entries": entries}


def _streams(dice: deal.Stream) -> dict[str, Any]:
    purpose = _one(dice, ("luck", "bot/0/17", "bot/5/2", "Glück"))
    return {"key": _bytes(dice), "purpose": purpose, "below": [str(_one(dice, ODD)) for _ in range(1 + dice(24))]}


def _chains(dice: deal.Stream) -> dict[str, Any]:
    rows = [
        {
            "n": n,
            "seat": _one(dice, (0, 1, 5, 61, 62)),
            "action": dice(62),
            "luck": [dice(62) for _ in range(dice(5))],
            "at_ms": dice(2**53),
            "id": _one(dice, WORDS),
        }
        for n in range(1, 1 + dice(5))
    ]
    return {"table": _one(dice, TABLES), "transcript": _bytes(dice), "rows": rows}


MAKERS = {
    "digest": (_digests, 100),
    "server": (_servers, 100),
    "seat": (_seats, 150),
    "deck": (_decks, 150),
    "transcript": (_transcripts, 200),
    "stream": (_streams, 200),
    "chain": (_chains, 100),
}


def _bytes(dice: deal.Stream, length: int = 32) -> str:
    return bytes(dice(256) for _ in range(length)).hex()


def _one(dice: deal.Stream, choices: Any) -> Any:
    return choices[dice(len(choices))]


def _place(dice: deal.Stream) -> dict[str, Any]:
    return {"table": _one(dice, TABLES), "epoch": _one(dice, (0, 0, 1, 2**32 - 1)), "attempt": dice(3)}


def text() -> str:
    """The whole file, one vector a line."""
    lines = []
    for kind, (maker, number) in MAKERS.items():
        dice = deal.Stream(bytes(32), f"vectors/{kind}")
        for _ in range(number):
            given = maker(dice)
            lines.append(json.dumps({"kind": kind, "given": given, "gives": answer(kind, given)}, ensure_ascii=False))
    return f'{{"published": {json.dumps(PUBLISHED)},\n"vectors": [\n' + ",\n".join(lines) + "\n]}\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
