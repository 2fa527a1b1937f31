"""How much is too much. The numbers are data (`limits.toml`); here is how they are counted.

No clock inside: whoever asks says what time it is, in seconds that only go forward. So a test can play a whole day,
and what is counted per address never counts this machine itself (see `address_key`)."""

import ipaddress
import tomllib
from collections import Counter, deque
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated, get_type_hints

import msgspec

from cheeseboard.games.core import Refusal

PREFIX = "CHEESEBOARD_LIMIT_"
KEYS = 10_000  # addresses or guests remembered at once, by each window
Number = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
Amount = Annotated[float, msgspec.Meta(gt=0, le=1e6)]


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`limits.toml` says what each of them means."""

    message_bytes: Number
    message_burst: Number
    messages_per_second: Amount
    realtime_burst: Number
    realtime_per_second: Amount
    connections_per_guest: Number
    connections_per_address: Number
    connections: Number
    handshakes_per_minute: Number
    requests_burst: Number
    requests_per_second: Amount
    authenticate_seconds: Amount
    guests_per_address_hour: Number
    tables_per_guest: Number
    tables_per_address_hour: Number
    tables: Number
    empty_table_minutes: Amount
    queue_frames: Number
    queue_bytes: Number
    ping_seconds: Amount
    dead_seconds: Amount
    chat_count: Number
    chat_seconds: Amount
    chat_characters: Number
    name_characters: Number
    bot_seconds: Amount
    free_disk_mib: Number

    @classmethod
    def load(cls, overrides: Mapping[str, str]) -> "Limits":
        """The file's numbers, except where `overrides` (the environment) has a better one for this house.

        >>> Limits.load({"CHEESEBOARD_LIMIT_TABLES": "many"})
        Traceback (most recent call last):
        cheeseboard.games.core.Refusal: expected `int`, got 'many', in CHEESEBOARD_LIMIT_TABLES
        """
        data = tomllib.loads((files(__package__) / "limits.toml").read_text("utf-8"))
        kinds = get_type_hints(cls, include_extras=True)
        for where, text in overrides.items():
            if not where.startswith(PREFIX):
                continue
            name = where.removeprefix(PREFIX).lower()
            if name not in kinds:
                raise Refusal(f"expected one of the limits ({', '.join(kinds)}), got {name!r}, in {where}")
            try:
                data[name] = msgspec.convert(text, kinds[name], strict=False)
            except msgspec.ValidationError as error:
                expected = str(error).partition(",")[0].replace("Expected", "expected")
                raise Refusal(f"{expected}, got {text!r}, in {where}") from None
        limits = msgspec.convert(data, cls)
        ping, dead = limits.ping_seconds, limits.dead_seconds
        if ping >= dead:  # everybody would be taken for dead before the first ping is answered
            where = f"in {PREFIX}PING_SECONDS or {PREFIX}DEAD_SECONDS"
            raise Refusal(f"expected fewer ping_seconds than dead_seconds, got {ping:g} and {dead:g}, {where}")
        return limits


DEFAULT = Limits.load({})


class Bucket:
    """So many at once, and so many per second for ever: a bucket of tokens that fills up by itself.

    >>> bucket = Bucket(burst=2, per_second=1)
    >>> [bucket.take(now) for now in (0, 0, 0, 0.5, 1, 1)]
    [True, True, False, False, True, False]
    """

    __slots__ = ("at", "burst", "left", "per_second")

    def __init__(self, burst: float, per_second: float) -> None:
        self.burst, self.per_second = burst, per_second
        self.left = burst
        self.at: float | None = None  # when it was last asked

    def take(self, now: float) -> bool:
        if self.at is not None:
            self.left = min(self.burst, self.left + (now - self.at) * self.per_second)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True

    def give_back(self) -> None:
        """The last one was no nuisance after all."""
        self.left = min(self.burst, self.left + 1)


class Buckets:
    """A bucket for each key, for at most `keys` of them: the one asked for longest ago is forgotten first, and would be
    full again by then. Whoever has no key is free.

    >>> buckets = Buckets(burst=1, per_second=1)
    >>> [buckets.take(key, 0) for key in ("198.51.100.7", "198.51.100.7", "198.51.100.8", None, None)]
    [True, False, True, True, True]
    """

    def __init__(self, burst: float, per_second: float, keys: int = KEYS) -> None:
        self.burst, self.per_second, self.keys = burst, per_second, keys
        self.buckets: dict[str, Bucket] = {}  # the one asked for longest ago comes first

    def take(self, key: str | None, now: float) -> bool:
        if key is None:
            return True
        bucket = self.buckets.pop(key, None) or Bucket(self.burst, self.per_second)
        self.buckets[key] = bucket
        if len(self.buckets) > self.keys:
            del self.buckets[next(iter(self.buckets))]
        return bucket.take(now)


class Window:
    """At most `most` within any `seconds`, for each key. What was refused does not count. Whoever has no key is free.

    It remembers at most `keys` of them: the one allowed longest ago is forgotten first. Forgetting somebody early lets
    in a few too many; the other way, refusing everybody new, would let a crowd of addresses lock the house.

    >>> window = Window(most=2, seconds=60)
    >>> [window.allow("198.51.100.7", now) for now in (0, 1, 2, 59.5, 60, 60.5, 61)]
    [True, True, False, False, True, False, True]
    """

    def __init__(self, most: int, seconds: float, keys: int = KEYS) -> None:
        self.most, self.seconds, self.keys = most, seconds, keys
        self.allowed: dict[str, deque[float]] = {}  # the key allowed longest ago comes first

    def allow(self, key: str | None, now: float) -> bool:
        if key is None:
            return True
        self._forget(now)
        times = self.allowed.get(key, deque())
        while times and times[0] <= now - self.seconds:
            times.popleft()
        if len(times) >= self.most:
            return False
        times.append(now)
        self.allowed.pop(key, None)
        self.allowed[key] = times
        if len(self.allowed) > self.keys:
            del self.allowed[next(iter(self.allowed))]
        return True

    def _forget(self, now: float) -> None:
        while self.allowed:
            key, times = next(iter(self.allowed.items()))
            if times[-1] > now - self.seconds:
                return
            del self.allowed[key]


class Held:
    """How many each key holds at this moment, at most `most`. Whoever has no key is free.

    >>> held = Held(most=1)
    >>> held.take("p1"), held.take("p1"), held.release("p1"), held.take("p1")
    (True, False, None, True)
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.counts: Counter[str] = Counter()

    def take(self, key: str | None) -> bool:
        if key is None:
            return True
        if self.counts[key] >= self.most:
            return False
        self.counts[key] += 1
        return True

    def release(self, key: str | None) -> None:
        """Give one back that `take` allowed."""
        if key is None:
            return
        assert self.counts[key] > 0, f"{key} holds nothing"
        self.counts[key] -= 1
        if not self.counts[key]:
            del self.counts[key]


def address_key(address: str) -> str | None:
    """Under which key an address is counted; None is this machine itself, which is never limited.

    One household has a whole /64 of IPv6, so single addresses of it mean nothing. What is no address (a proxy may
    tell us anything) is counted as it stands.

    >>> address_key("203.0.113.9"), address_key("2001:db8:1:2:3:4:5:6"), address_key("::ffff:127.0.0.1")
    ('203.0.113.9', '2001:db8:1:2::/64', None)
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(ip, ipaddress.IPv6Address):
        ip = ip.ipv4_mapped or ip
    if ip.is_loopback:
        return None
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    return str(ipaddress.IPv6Network((int(ip), 64), strict=False))
