"""An honest house in small: it makes the replay bundle and the receipts of a table at which random moves are played.

Dishonest houses are made from it in the tests, by changing one step. `python -m tests.dealing` writes the example of
`docs/deal.md`."""

from pathlib import Path
from typing import Any

import msgspec

from cheeseboard import deal
from cheeseboard.bundle import Bundle, Deal, Receipt, Result, Row, Void
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import LUCK
from cheeseboard.table import Luck, Step, Table
from tests.games import laws

TABLE = "k7q2m"
DOCS = Path(__file__).parent.parent / "docs"
Seeds = dict[int, bytes]  # of each person's seat


def secret(*what: Any) -> bytes:
    """32 bytes that nobody would guess, but the same in every run."""
    return deal.digest(repr(what).encode())


def seeds_of(*seats: int, attempt: int = 0) -> Seeds:
    return {seat: secret("seed", seat, attempt) for seat in seats}


def committed(seeds: Seeds, attempt: int = 0, table: str = TABLE) -> tuple[tuple[int, str], ...]:
    return tuple((seat, deal.seat_commit(table, 0, attempt, seat, seeds[seat]).hex()) for seat in sorted(seeds))


def shown(seeds: Seeds) -> tuple[tuple[int, str], ...]:
    return tuple((seat, seeds[seat].hex()) for seat in sorted(seeds))


def agreed(
    name: str,
    seats: int,
    options: dict[str, Any],
    seeds: Seeds,
    attempt: int = 0,
    root: bytes | None = None,
    voids: tuple[Void, ...] = (),
    table: str = TABLE,
) -> Deal:
    """The deal as house and seats agree on it."""
    version = core.about(GAMES[name])["version"]
    root = root or secret("root", attempt)
    server = deal.server_commit(table, 0, attempt, root)
    deck = deal.deck_hash(name, version, seats, options)
    commits = committed(seeds, attempt, table)
    entries = [(seat, bytes.fromhex(commit), seeds[seat]) for seat, commit in commits]
    transcript = deal.transcript(table, 0, attempt, f"{name}@{version}", deck, server, entries)
    key = deal.deal_key(root, transcript)
    return Deal(
        epoch=0,
        attempt=attempt,
        server=server.hex(),
        deck=deck.hex(),
        commits=commits,
        seeds=shown(seeds),
        transcript=transcript.hex(),
        key_hash=deal.digest(key).hex(),
        key=key.hex(),
        root=root.hex(),
        voids=voids,
    )


def voided(seeds: Seeds, missing: tuple[int, ...], attempt: int = 0) -> Void:
    """An attempt in which all seats committed and some then kept silent."""
    root = secret("root", attempt)
    spoken = {seat: seed for seat, seed in seeds.items() if seat not in missing}
    server = deal.server_commit(TABLE, 0, attempt, root).hex()
    return Void(attempt, server, root.hex(), committed(seeds, attempt), shown(spoken), missing)


def played(
    name: str,
    seats: int,
    options: dict[str, Any],
    made: Deal,
    moves: int = 10**6,
    luck: Luck | None = None,
    table_id: str = TABLE,
) -> Bundle:
    """Random moves until the game is over, or until there are so many log rows: then the host closes the table.

    `luck` is where a dishonest house has it from."""
    table = Table(GAMES[name], seats, luck or deal.Stream(bytes.fromhex(made.key), "luck"), **options)
    rows: list[Row] = []
    chain, below = deal.chain_start(table_id, bytes.fromhex(made.transcript)), laws.seeded(1)

    def write(seat: int, action: int, steps: list[Step]) -> None:
        nonlocal chain
        draws = [step.action for step in steps]
        n = len(rows) + 1
        at_ms, action_id = 1_700_000_000_000 + 700 * n, f"a{n}" if seat < core.SEATS else ""
        chain = deal.chain_next(chain, n, seat, action, bytes(draws), at_ms, action_id)
        rows.append(Row(n, seat, action, tuple(draws), at_ms, action_id, chain.hex()))

    if table.opening:
        write(LUCK, table.opening[0].action, table.opening[1:])
    while not table.over and len(rows) < moves:
        seat = laws.someone(table.game, table.state, below)
        action = laws.choice(table.game, table.state, seat, below)
        write(seat, action, table.play(seat, action)[1:])
    places = tuple(map(int, table.game.rank(table.state)))
    return Bundle(
        table=table_id,
        game=name,
        version=table.log.version,
        seats=seats,
        options=options,
        deal=made,
        log=tuple(rows),
        closed=not table.over,
        result=Result(tuple(table.state.scores[:seats]), places) if table.over else None,
    )


def honest_bundle(
    name: str = "geier", seats: int = 3, table: str = TABLE, moves: int = 10**6, **options: Any
) -> Bundle:
    """A table with a person on every seat but the last, where a bot sits."""
    made = agreed(name, seats, options, seeds_of(*range(seats - 1)), table=table)
    return played(name, seats, options, made, moves, table_id=table)


def receipt_of(bundle: Bundle, seat: int = 0) -> Receipt:
    """What the client of this seat keeps before play, at an honest house."""
    made = bundle.deal
    return Receipt(
        table=bundle.table,
        seat=seat,
        attempt=made.attempt,
        server=made.server,
        commits=made.commits,
        seed=dict(made.seeds)[seat],
        transcript=made.transcript,
    )


def example() -> dict[str, str]:
    """The files of the example: a game of two people, and what the first of them kept."""
    bundle = played("geier", 2, {}, agreed("geier", 2, {}, seeds_of(0, 1)))
    papers = {"deal-bundle.json": bundle, "deal-receipt.json": receipt_of(bundle)}
    return {name: msgspec.json.encode(paper).decode() + "\n" for name, paper in papers.items()}


if __name__ == "__main__":
    for name, text in example().items():
        (DOCS / name).write_text(text, "utf-8")
