"""What the house says about itself: one JSON object per line, for people with `grep` and for machines.

    log = logging.getLogger("cheeseboard.house")
    log.info("table-laid", extra={"table": "k7q2m", "seats": 3})
    {"time": "2026-03-01T18:04:05.123Z", "level": "info", "event": "table-laid", "table": "k7q2m", "seats": 3}

The message names the event, everything else is a field. Secrets never get into a line, not even as stars: a field that
is called like one stops the program where we develop; in a real house it is left out and the line says so."""

import json
import logging
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, TextIO

SECRETS = {"token", "cookie", "root", "seed", "key", "hand", "view", "authorization", "secret", "password"}
OURS = "cheeseboard"
_usual = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName", "color_message"}  # the last is uvicorn's


class Lines(logging.Formatter):
    """ASCII only: nothing that somebody called himself can break a line or play with a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = {"time": at, "level": record.levelname.lower(), "event": record.getMessage()}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line | fields(record) | line, default=repr)  # no field takes the place of these


class NoSecrets(logging.Filter):
    """`strict`, in tests and development: a secret in a log call is an error of ours, like any other assertion."""

    def __init__(self, *, strict: bool) -> None:
        super().__init__()
        self.strict = strict

    def filter(self, record: logging.LogRecord) -> bool:
        secrets = [name for name, value in fields(record).items() if any(map(secret, _names({name: value})))]
        if self.strict:
            assert not secrets, f"{record.msg!r} would write {', '.join(secrets)} into the log"
            ours = record.name.partition(".")[0] == OURS
            assert not (ours and record.args), f"{record.msg!r} has arguments: name the event, give them as `extra`"
        for name in secrets:
            delattr(record, name)
        if secrets:
            record.withheld = secrets
        return True


def speak(stream: TextIO, *, strict: bool, level: int = logging.INFO) -> logging.Handler:
    """From now on everything that is logged goes to the stream, line by line."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Lines())
    handler.addFilter(NoSecrets(strict=strict))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(level)
    return handler


def fields(record: logging.LogRecord) -> dict[str, Any]:
    """What was given as `extra`."""
    return {name: value for name, value in vars(record).items() if name not in _usual}


def secret(name: str) -> bool:
    """Whether it is called like a secret: one of its words is.

    >>> [name for name in ("deal_key", "rootHash", "seeds", "handshakes", "turkey") if secret(name)]
    ['deal_key', 'rootHash', 'seeds']
    """
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)
    return any(word.lower().removesuffix("s") in SECRETS for word in words)


def _names(value: Any) -> Iterator[str]:
    """All names in a field, however deep."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield str(name)
            yield from _names(inner)
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from _names(inner)
