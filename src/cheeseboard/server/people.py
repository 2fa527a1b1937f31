"""Guests without sign-up: a random token in the guest's hands, its hash in ours. Nothing else is asked."""

import hashlib
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable

from cheeseboard.server.clock import Clock
from cheeseboard.server.journal import Keeper
from cheeseboard.server.refusals import No
from cheeseboard.server.store import Ban, Forget, Group, NoBan, Person, Store, Token, Write

CODE_S = 300  # how long a code for another device is good
WORDS = 6  # such a code: so many letters, said or typed once


class People:
    def __init__(self, keeper: Keeper, clock: Clock, entropy: Callable[[int], bytes]) -> None:
        self.keeper, self.clock, self.entropy = keeper, clock, entropy
        self.by_hash: dict[bytes, Person] = {}
        self.bans: set[tuple[str, str]] = set()
        self.codes: dict[str, tuple[str, float]] = {}  # code -> (person, good until)

    def open(self, ready: Callable[[], None]) -> None:
        def known(bans: list[Ban]) -> None:
            self.bans = {(ban.kind, ban.value) for ban in bans}
            ready()

        self.keeper.ask(lambda store: store.bans(), known)

    def banned(self, person: str, address: str | None) -> bool:
        return ("person", person) in self.bans or ("address", address) in self.bans

    def ban(self, kind: str, value: str, *, banned: bool, answer: Callable[[], None]) -> None:
        if banned:
            self.bans.add((kind, value))
            write: Write = Ban(kind, value, self.clock.now_ms())
        else:
            self.bans.discard((kind, value))
            write = NoBan(kind, value)
        self._write([write], answer)

    def find(self, token: str, then: Callable[[Person | None], None]) -> None:
        """Who holds this token; None if nobody."""
        mark = hashed(token)
        if mark in self.by_hash:
            then(self.by_hash[mark])
            return

        def found(person: Person | None) -> None:
            if person:
                self.by_hash[mark] = person
            then(person)

        self.keeper.ask(lambda store: store.person_of(mark), found)

    def greet(self, name: str, then: Callable[[Person, str], None]) -> None:
        """Somebody new: a person and the token by which they are known from now on."""
        now = self.clock.now_ms()
        person = Person(f"p{self.entropy(8).hex()}", name, now, now)
        self._token(person, [person], lambda token: then(person, token))

    def _token(self, person: Person, writes: list[Write], then: Callable[[str], None]) -> None:
        token = urlsafe_b64encode(self.entropy(32)).decode().rstrip("=")
        mark = hashed(token)

        def stored() -> None:
            self.by_hash[mark] = person
            then(token)

        self._write([*writes, Token(mark, person.id, self.clock.now_ms())], stored)

    def rename(self, person: Person, name: str, then: Callable[[Person], None]) -> None:
        renamed = Person(person.id, name, person.made_ms, self.clock.now_ms())
        for mark, known in self.by_hash.items():
            if known.id == person.id:
                self.by_hash[mark] = renamed
        self._write([renamed], lambda: then(renamed))

    def forget(self, person: Person, then: Callable[[], None]) -> None:
        """Delete what is known of a person. Games stay, with an opaque number in their place."""
        self.by_hash = {mark: known for mark, known in self.by_hash.items() if known.id != person.id}
        self._write([Forget(person.id)], then)

    def strangers(self, here: set[str], then: Callable[[set[str]], None]) -> None:
        """Who of those we know has been deleted from the books by another hand; from now on we do not know them."""
        known = here | {person.id for person in self.by_hash.values()}

        def gone(found: set[str]) -> None:
            self.by_hash = {mark: person for mark, person in self.by_hash.items() if person.id not in found}
            then(found)

        if known:
            self.keeper.ask(lambda store: store.gone(known), gone)

    def device_code(self, person: Person) -> str:
        """A short code, good once and for five minutes, that makes another device this person's too."""
        code = "".join("abcdefghkmnpqrstuwxyz"[byte % 21] for byte in self.entropy(2 * WORDS))
        now = self.clock.monotonic()
        self.codes = {known: entry for known, entry in self.codes.items() if entry[1] > now and entry[0] != person.id}
        self.codes[code] = (person.id, now + CODE_S)
        return code

    def join_device(self, code: str, then: Callable[[Person, str], None]) -> None:
        who, until = self.codes.pop(code.strip().lower(), ("", 0.0))
        if until <= self.clock.monotonic():
            raise No("no-code", "expected a code from another device of yours, at most five minutes old", 404)

        def found(person: Person | None) -> None:
            assert person is not None
            self._token(person, [], lambda token: then(person, token))

        self.keeper.ask(lambda store: store.person(who), found)

    def everything(self, person: Person, then: Callable[[list[tuple[str, int, str]]], None]) -> None:
        def look(store: Store) -> list[tuple[str, int, str]]:
            return store.tables_of(person.id)

        self.keeper.ask(look, then)

    def _write(self, writes: list[Write], then: Callable[[], None]) -> None:
        self.keeper.write(Group("", 0, tuple(writes)), lambda _: then())


def hashed(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def same(one: str, other: str) -> bool:
    """Compare secrets without telling by the time how much of them fits."""
    return secrets.compare_digest(one.encode(), other.encode())
