"""The door: who comes in, from where, and whether there is room. The same for HTTP and for the socket."""

import logging
from collections.abc import Callable, Mapping
from typing import NamedTuple

from cheeseboard.games.core import Refusal
from cheeseboard.server.address import neighbourhood
from cheeseboard.server.house import House
from cheeseboard.server.limits import Buckets, Held, Window, address_key
from cheeseboard.server.refusals import No
from cheeseboard.server.store import Person

COOKIES = ("__Host-cheeseboard", "cheeseboard")  # the first is for https; browsers guard it more strictly
HEADERS = {  # on every answer
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; media-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "x-frame-options": "DENY",
}

FORWARDED = {"x-forwarded-for", "forwarded", "via"}  # set by proxies, also by those we were not told of
PATIENCE_S = 1.0  # who comes too often gets the answer so much later: a flood drowns in its own waiting
NOTES = 10  # lines a minute in the log about the same trouble from the same corner
log = logging.getLogger("cheeseboard.door")


class Visitor(NamedTuple):
    person: str  # "" is somebody we do not know: they may watch
    address: str | None  # None is this machine itself
    direct: bool = True  # the other end of the cable is the guest's own device, as far as we know


class Door:
    def __init__(self, house: House, origins: tuple[str, ...] = (), proxies: tuple[str, ...] = ()) -> None:
        self.house, self.origins, self.proxies = house, origins, proxies
        limits = house.limits
        self.inside = Held(limits.connections)
        self.by_person = Held(limits.connections_per_guest)
        self.by_address = Held(limits.connections_per_address)
        self.knocks = Window(limits.handshakes_per_minute, 60)
        self.requests = Buckets(limits.requests_burst, limits.requests_per_second)
        self.newcomers = Window(limits.guests_per_address_hour, 3600)
        self.noted = Window(NOTES, 60)

    # --- who is it --------------------------------------------------------------------------------------------------

    def address(self, headers: Mapping[str, str], peer: str) -> str | None:
        """Where somebody comes from. What a header says about it counts only from a proxy we know."""
        if peer in self.proxies and (told := headers.get("x-forwarded-for", "")):
            peer = told.rpartition(",")[2].strip()
        return address_key(peer)

    def https(self, headers: Mapping[str, str], peer: str, scheme: str) -> bool:
        return scheme == "https" or (peer in self.proxies and headers.get("x-forwarded-proto") == "https")

    def token(self, headers: Mapping[str, str]) -> tuple[str, bool]:
        """The token, and whether a browser would send it by itself (a cookie)."""
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and token:
            return token.strip(), False
        cookies = cookies_in(headers)
        for name in COOKIES:
            if name in cookies:
                return cookies[name], True
        return "", False

    def same_site(self, headers: Mapping[str, str]) -> bool:
        """Whether a request comes from our own page, or from no page at all."""
        origin = headers.get("origin")
        if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
            return origin in self.origins
        return origin is None or origin in self.origins or origin in _own(headers)

    def own_form(self, headers: Mapping[str, str]) -> bool:
        """Whether a form comes from a page of this very house. Any page can send a form, so here no Origin is a no."""
        return headers.get("origin") in _own(headers) and headers.get("sec-fetch-site", "same-origin") == "same-origin"

    def person(self, headers: Mapping[str, str], then: Callable[[Person | None], None]) -> None:
        token, _ = self.token(headers)
        if token:
            self.house.people.find(token, then)
        else:
            then(None)

    # --- the socket -------------------------------------------------------------------------------------------------

    def enter(self, headers: Mapping[str, str], peer: str, then: Callable[[Visitor | Refusal], None]) -> None:
        """Somebody wants a connection. Every one that is let in must be released again."""
        address = self.address(headers, peer)
        _, by_cookie = self.token(headers)
        if not self.same_site(headers) or (by_cookie and "origin" not in headers and _browser(headers)):
            expected = f"http://{headers.get('host', '')}"
            then(No("cross-site", f"expected Origin {expected}, got {headers.get('origin', 'none')!r}", 403))
            return
        if not self.knocks.allow(address, self.house.clock.monotonic()):
            then(No("too-often", "expected fewer connections a minute from this address", 429))
            return

        def known(person: Person | None) -> None:
            direct = peer not in self.proxies and not FORWARDED & headers.keys()
            visitor = Visitor(person.id if person else "", address, direct)
            if self.house.closing:
                then(No("closing", "the house is about to restart; try again in a moment", 503))
            elif self.house.people.banned(visitor.person, address):
                then(No("banned", "this house has asked you to stay away", 403))
            elif not self.inside.take("house"):
                then(No("house-full", "the house is full; try again later", 429))
            elif not self.by_address.take(address):
                self.inside.release("house")
                then(No("too-many", "expected fewer connections from this address", 429))
            elif not self.by_person.take(visitor.person or None):
                self.by_address.release(address)
                self.inside.release("house")
                then(No("too-many", "expected fewer connections of one guest", 429))
            else:
                then(visitor)

        self.person(headers, known)

    def note(self, event: str, reason: str, address: str | None) -> None:
        """Trouble at the door, for the log; not every time, so that nobody can fill the disk by making trouble."""
        where = neighbourhood(address)
        if self.noted.allow(f"{event} {reason} {where}", self.house.clock.monotonic()):
            log.info(event, extra={"reason": reason, "address": where})

    def release(self, visitor: Visitor) -> None:
        self.inside.release("house")
        self.by_address.release(visitor.address)
        self.by_person.release(visitor.person or None)
        self.house.metrics.lines = self.inside.counts["house"]


def cookies_in(headers: Mapping[str, str]) -> dict[str, str]:
    """All cookies. Other programs on the same machine set cookies too, of any shape: one of theirs never hides ours.

    >>> cookies_in({"cookie": 'theirs={"a": 1}; cheeseboard=abc'})["cheeseboard"]
    'abc'
    """
    parts = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
    return {name: value for name, _, value in parts}


def _own(headers: Mapping[str, str]) -> set[str]:
    """What a browser calls our own page. A proxy may speak https for us, so both are ours."""
    host = headers.get("host")
    return {f"http://{host}", f"https://{host}"} if host else set()


def _browser(headers: Mapping[str, str]) -> bool:
    """Browsers send Origin with every socket; one that does not is being tricked. Programs need not."""
    return "mozilla" in headers.get("user-agent", "").lower() or any(name.startswith("sec-fetch") for name in headers)
