"""The log: one JSON object per line, and never a secret in it."""

import io
import json
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cheeseboard.server.talk import OURS, SECRETS, Lines, NoSecrets, secret, speak

log = logging.getLogger(f"{OURS}.test")
names = [
    "deal_key",
    "Token",
    "guest-token",
    "seeds",
    "rootHash",
    "handView",
    "KEY",
    "Authorization",
    "set_cookie",
    *sorted(SECRETS),
]


@pytest.fixture
def listen():
    """Whatever is logged, as it stands in the file."""
    before = logging.getLogger().level
    handlers = []

    def start(*, strict):
        stream = io.StringIO()
        handlers.append(speak(stream, strict=strict))
        return stream

    yield start
    for handler in handlers:
        logging.getLogger().removeHandler(handler)
    logging.getLogger().setLevel(before)


def lines(stream):
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line(listen):
    stream = listen(strict=True)
    log.info("table-laid", extra={"table": "k7q2m", "seats": 3})
    log.debug("too quiet")
    log.warning("slow")
    first, second = lines(stream)
    assert list(first) == ["time", "level", "event", "table", "seats"]
    assert (first["level"], first["event"], first["table"], first["seats"]) == ("info", "table-laid", "k7q2m", 3)
    assert (second["level"], second["event"]) == ("warning", "slow")


def test_the_time_is_utc():
    record = logging.makeLogRecord({"created": 1_000_000_000.25, "levelname": "INFO", "msg": "x"})
    assert json.loads(Lines().format(record))["time"] == "2001-09-09T01:46:40.250Z"


def test_an_error_carries_its_trace_in_the_same_line(listen):
    stream = listen(strict=True)
    try:
        json.loads("cheese")
    except ValueError:
        log.exception("crash")
    (line,) = lines(stream)
    assert line["event"] == "crash"
    assert line["trace"].endswith("JSONDecodeError: Expecting value: line 1 column 1 (char 0)")


def test_other_peoples_messages_come_through(listen):
    stream = listen(strict=True)
    theirs = logging.getLogger("elsewhere")  # not uvicorn's own: a house in this process has told that one to be quiet
    theirs.info("Started %s", "server", extra={"color_message": "\x1b[1mStarted"})
    (line,) = lines(stream)
    assert line["event"] == "Started server"
    assert "color_message" not in line


def test_our_own_name_an_event_and_give_fields(listen):
    listen(strict=True)
    with pytest.raises(AssertionError, match="name the event, give them as `extra`"):
        log.info("joined %s", "somebody")


@given(
    st.dictionaries(
        st.text(st.characters(categories=["L"]), min_size=9), st.text() | st.integers() | st.binary() | st.floats()
    )
)
def test_always_one_line_of_ascii(fields):
    record = logging.makeLogRecord({"levelname": "INFO", "msg": "x\n\u2028\x1b[2J", **fields})
    line = Lines().format(record)
    assert line.isascii()
    assert line.isprintable()
    assert set(json.loads(line)) == {"time", "level", "event", *fields}


def test_no_field_takes_the_place_of_the_event(listen):
    stream = listen(strict=True)
    log.info("true", extra={"event": "false", "level": "none", "time": 0})
    (line,) = lines(stream)
    assert (line["event"], line["level"]) == ("true", "info")
    assert line["time"] != 0


@pytest.mark.parametrize("name", names)
@pytest.mark.parametrize(
    "wrap", [lambda f: f, lambda f: {"who": f}, lambda f: {"who": [1, (f,)]}, lambda f: {"a": {"b": f}}]
)
def test_a_secret_is_an_error_of_ours(listen, name, wrap):
    stream = listen(strict=True)
    with pytest.raises(AssertionError, match=r"'sat-down' would write .* into the log") as caught:
        log.info("sat-down", extra=wrap({name: "hunter2"}))
    assert "hunter2" not in str(caught.value)
    assert stream.getvalue() == ""


@pytest.mark.parametrize("name", names)
@pytest.mark.parametrize("wrap", [lambda f: f, lambda f: {"who": f}, lambda f: {"who": [1, (f,)]}])
def test_a_real_house_goes_on_without_it(listen, name, wrap):
    stream = listen(strict=False)
    field = wrap({name: "hunter2"})
    log.info("sat-down", extra={**field, "table": "k7q2m"})
    assert "hunter2" not in stream.getvalue()
    assert "***" not in stream.getvalue()
    (line,) = lines(stream)
    assert line["withheld"] == list(field)
    assert (line["event"], line["table"]) == ("sat-down", "k7q2m")


@pytest.mark.parametrize(
    "name", ["table", "seat", "handshakes", "keyboard", "viewers", "monkey", "rooted", "seedling", "n", "at_ms"]
)
def test_what_is_no_secret(name):
    assert not secret(name)
    assert NoSecrets(strict=True).filter(logging.makeLogRecord({"name": "cheeseboard", name: 1}))
