"""The deal protocol on the house's side: commit, commit, reveal, deal, reveal. See docs/deal.md.

Functions on a table's record; they say what changes and never when. Times and messages are the room's."""

from cheeseboard import deal as protocol
from cheeseboard.bundle import Void
from cheeseboard.server.record import Deal, Record
from cheeseboard.server.refusals import No

EPOCH = 0  # a table is one game with one company: it never changes


def opened(record: Record, root: bytes) -> None:
    """A new attempt: the house has drawn its root and shows the hash of it."""
    record.deal.server = protocol.server_commit(record.id, EPOCH, record.deal.attempt, root).hex()


def take_commit(record: Record, seat: int, attempt: int, commit: str) -> bool:
    """A seat's hash. False: it is the same as before, a retry."""
    deal = record.deal
    _same_attempt(deal, attempt)
    if dict(deal.commits).get(seat) == commit:
        return False
    if deal.stage != "commit":
        raise No("deal-late", f"expected a commit before the roster was frozen, got one at stage {deal.stage}")
    if not takes_part(deal, seat):
        raise No("deal-left-out", f"seat {seat} was not there when this deal began, or has missed two attempts of it")
    deal.commits = sorted({**dict(deal.commits), seat: commit}.items())
    return True


def take_seed(record: Record, seat: int, attempt: int, seed: str) -> bool:
    """A seat's seed. False: a retry."""
    deal = record.deal
    _same_attempt(deal, attempt)
    if dict(deal.seeds).get(seat) == seed:
        return False
    if deal.stage != "seed":
        raise No("deal-early", f"expected a seed at stage seed, after the list of commits, got one at {deal.stage}")
    commits = dict(deal.commits)
    if seat not in commits:
        raise No("deal-no-commit", f"seat {seat} has sent no commit for attempt {attempt}")
    if protocol.seat_commit(record.id, EPOCH, attempt, seat, bytes.fromhex(seed)).hex() != commits[seat]:
        raise No("deal-mismatch", f"expected the seed behind seat {seat}'s commit, got another one")
    deal.seeds = sorted({**dict(deal.seeds), seat: seed}.items())
    return True


def silent(deal: Deal) -> list[int]:
    """Who has committed and not revealed."""
    seeds = dict(deal.seeds)
    return [seat for seat, _ in deal.commits if seat not in seeds]


def missing(deal: Deal) -> list[int]:
    """Whose seed this attempt lacks: of the silent, and of those who took part in the attempt before and are gone."""
    return sorted({*silent(deal), *(_again(deal) - dict(deal.commits).keys())})


def takes_part(deal: Deal, seat: int) -> bool:
    """After a void attempt the same seats try again: the house can bring in no one, and leave out no one in silence."""
    return not deal.voids or seat in _again(deal)


def _again(deal: Deal) -> set[int]:
    """Those of the attempt before. Who has missed twice takes no part any more: nobody can hold up a table."""
    if not deal.voids:
        return set()
    last = deal.voids[-1]
    misses = [seat for void in deal.voids for seat in void.missing]
    return {seat for seat in (*dict(last.commits), *last.missing) if misses.count(seat) < 2}


def voided(record: Record, root: bytes) -> None:
    """Somebody did not reveal: this attempt is void, publicly, and its root is shown at once."""
    deal = record.deal
    void = Void(deal.attempt, deal.server, root.hex(), tuple(deal.commits), tuple(deal.seeds), tuple(missing(deal)))
    record.deal = Deal(attempt=deal.attempt + 1, voids=[*deal.voids, void])


def ready(record: Record, root: bytes) -> bytes:
    """All seeds are there: the deal is fixed from here on. Returns its key."""
    deal, seeds = record.deal, dict(record.deal.seeds)
    entries = [(seat, bytes.fromhex(commit), bytes.fromhex(seeds[seat])) for seat, commit in deal.commits]
    mark = protocol.transcript(
        record.id, EPOCH, deal.attempt, rules(record), deck(record), bytes.fromhex(deal.server), entries
    )
    key = protocol.deal_key(root, mark)
    deal.transcript, deal.key_hash, deal.stage = mark.hex(), protocol.digest(key).hex(), "ready"
    return key


def shown(record: Record, root: bytes) -> None:
    """The game has ended: everything is shown. A table that ended before the deal shows only the root."""
    deal = record.deal
    if deal.transcript:
        deal.key = protocol.deal_key(root, bytes.fromhex(deal.transcript)).hex()
    deal.root, deal.stage = root.hex(), "shown"


def rules(record: Record) -> str:
    return f"{record.game}@{record.version}"


def deck(record: Record) -> bytes:
    return protocol.deck_hash(record.game, record.version, len(record.seats), record.options)


def _same_attempt(deal: Deal, attempt: int) -> None:
    if attempt != deal.attempt:
        raise No("deal-attempt", f"expected attempt {deal.attempt} of the deal, got {attempt}")
