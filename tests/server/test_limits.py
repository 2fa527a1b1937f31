"""Limits: the numbers are those that were promised, and they are counted as a child would count them."""

import ipaddress
import tomllib
from collections import Counter
from fractions import Fraction
from importlib.resources import files

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cheeseboard.games.core import Refusal
from cheeseboard.server.limits import DEFAULT, Bucket, Held, Limits, Window, address_key

# waits between two questions, in steps that floats hold exactly, so that a model in fractions agrees to the last bit
waits = st.lists(st.integers(0, 400).map(lambda n: n / 64), max_size=60)


def times(gaps, start=0.0):
    for gap in gaps:
        start += gap
        yield start


def test_the_promised_numbers():
    assert msgspec.to_builtins(DEFAULT) == {
        "message_bytes": 8 * 1024,
        "message_burst": 20,
        "messages_per_second": 5,
        "realtime_burst": 40,
        "realtime_per_second": 20,
        "connections_per_guest": 8,
        "connections_per_address": 40,
        "connections": 5000,
        "handshakes_per_minute": 30,
        "requests_burst": 100,
        "requests_per_second": 20,
        "authenticate_seconds": 5,
        "guests_per_address_hour": 60,
        "tables_per_guest": 3,
        "tables_per_address_hour": 20,
        "tables": 2000,
        "empty_table_minutes": 10,
        "queue_frames": 64,
        "queue_bytes": 256 * 1024,
        "ping_seconds": 20,
        "dead_seconds": 45,
        "chat_count": 5,
        "chat_seconds": 10,
        "chat_characters": 200,
        "name_characters": 20,
        "bot_seconds": 3,
        "free_disk_mib": 500,
    }


def test_the_file_and_the_struct_name_the_same():
    data = tomllib.loads((files("cheeseboard.server") / "limits.toml").read_text("utf-8"))
    assert tuple(data) == Limits.__struct_fields__


def test_a_house_may_have_other_limits():
    environment = {"PATH": "/bin", "CHEESEBOARD_LIMIT_TABLES": "7", "CHEESEBOARD_LIMIT_BOT_SECONDS": "0.25"}
    assert Limits.load(environment) == msgspec.structs.replace(DEFAULT, tables=7, bot_seconds=0.25)
    assert Limits.load({}) == DEFAULT


@pytest.mark.parametrize(
    "value", ["", "many", "-1", "0", "1.5", "1e99", "nan", "inf", " 3", "0x10", "9" * 30, "true", "null", "[]"]
)
def test_a_bad_limit_is_refused(value):
    with pytest.raises(Refusal, match=r"^expected .*, got .*, in CHEESEBOARD_LIMIT_TABLES$") as caught:
        Limits.load({"CHEESEBOARD_LIMIT_TABLES": value})
    assert repr(value) in str(caught.value)


@pytest.mark.parametrize("value", ["", "fast", "-1", "0", "nan", "inf", "-inf", "1e9"])
def test_a_bad_rate_is_refused(value):
    with pytest.raises(Refusal, match=r"^expected .*, in CHEESEBOARD_LIMIT_MESSAGES_PER_SECOND$"):
        Limits.load({"CHEESEBOARD_LIMIT_MESSAGES_PER_SECOND": value})


def test_an_unknown_limit_is_refused():
    with pytest.raises(
        Refusal, match=r"expected one of the limits \(message_bytes, .*got 'cheese', in CHEESEBOARD_LIMIT_CHEESE"
    ):
        Limits.load({"CHEESEBOARD_LIMIT_CHEESE": "3"})


def test_nobody_dies_before_the_first_ping():
    with pytest.raises(Refusal, match=r"expected fewer ping_seconds than dead_seconds, got 60 and 45, in "):
        Limits.load({"CHEESEBOARD_LIMIT_PING_SECONDS": "60"})


@given(st.integers(1, 8), st.sampled_from([0.25, 0.5, 1, 2, 8]), waits)
def test_bucket_like_its_model(burst, per_second, gaps):
    bucket, left, before = Bucket(burst, per_second), Fraction(burst), None
    for now in times(gaps):
        left = min(Fraction(burst), left + Fraction(per_second) * (Fraction(now) - Fraction(before or 0)))
        before = now
        assert bucket.take(now) == (left >= 1)
        left -= left >= 1


@given(st.integers(1, 8), st.floats(0.1, 50), st.lists(st.floats(0, 10), max_size=60))
def test_bucket_never_gives_more_than_it_holds(burst, per_second, gaps):
    bucket = Bucket(burst, per_second)
    taken = [now for now in times(gaps, 1e6) if bucket.take(now)]
    for first in range(len(taken)):
        for last in range(first, len(taken)):
            assert last - first + 1 <= burst + per_second * (taken[last] - taken[first]) + 1e-3


def test_bucket_starts_full_at_any_time():
    bucket = Bucket(3, 1)
    assert [bucket.take(1e9) for _ in range(4)] == [True, True, True, False]


@given(st.integers(1, 4), st.lists(st.tuples(st.integers(0, 10), st.sampled_from("abcd")), max_size=60))
@example(2, [(0, "a"), (5, "a"), (5, "a")])  # exactly as old as the window is long: forgotten
def test_window_like_its_model(most, asked):
    allowed: list[tuple[str, float]] = []
    window, now = Window(most, 10), 0.0
    for gap, key in asked:
        now += gap
        fits = sum(k == key and at > now - 10 for k, at in allowed) < most
        assert window.allow(key, now) == fits
        if fits:
            allowed.append((key, now))
        assert set(window.allowed) == {k for k, at in allowed if at > now - 10}  # it forgets whom it need not know
        assert window.allow(None, now)


@given(
    st.integers(1, 3), st.integers(1, 5), st.lists(st.tuples(st.floats(0, 3), st.integers(0, 20).map(str)), max_size=80)
)
def test_window_memory_is_bounded(most, keys, asked):
    window, now = Window(most, 10, keys=keys), 0.0
    for gap, key in asked:
        now += gap
        window.allow(key, now)
        assert len(window.allowed) <= keys
        assert all(len(at) <= most for at in window.allowed.values())
        latest = [at[-1] for at in window.allowed.values()]
        assert latest == sorted(latest)


def test_window_forgets_the_one_longest_gone():
    window = Window(1, 100, keys=2)
    assert [window.allow(key, now) for now, key in enumerate("abcbca")] == [True, True, True, False, False, True]


@given(st.integers(1, 3), st.lists(st.tuples(st.booleans(), st.sampled_from(["a", "b", None])), max_size=60))
def test_held_like_its_model(most, acts):
    model: Counter[str | None] = Counter()
    held = Held(most)
    for take, key in acts:
        if take:
            assert held.take(key) == (key is None or model[key] < most)
            model[key] = model[key] + 1 if key is None else min(most, model[key] + 1)
        elif model[key]:
            held.release(key)
            model[key] -= 1
        assert dict(held.counts) == {k: n for k, n in model.items() if n and k is not None}


def test_nobody_gives_back_what_he_does_not_hold():
    with pytest.raises(AssertionError, match="p1 holds nothing"):
        Held(1).release("p1")


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1", "0:0:0:0:0:0:0:1"])
def test_this_machine_is_free(address):
    assert address_key(address) is None


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("192.168.1.2", "192.168.1.2"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:DB8:0:0:ffff::1", "2001:db8::/64"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("somebody", "somebody"),
        ("x" * 1000, "x" * 64),
    ],
)
def test_addresses(address, key):
    assert address_key(address) == key


@given(st.ip_addresses(v=6), st.integers(0, 2**64 - 1))
def test_one_household_has_one_key(address, other):
    neighbour = ipaddress.IPv6Address(int(address) >> 64 << 64 | other)
    if int(address) >> 64:  # the mapped IPv4 addresses and this machine are below
        assert address_key(str(address)) == address_key(str(neighbour)) is not None
        assert address in ipaddress.ip_network(str(address_key(str(address))))


@given(st.text())
def test_any_address_has_a_key(address):
    assert address_key(address) is None or isinstance(address_key(address), str)
