"""docs/protocol.md and docs/operation.md say what is so: examples are checked, and nothing is left out."""

import asyncio
import inspect
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cheeseboard.bundle import Result
from cheeseboard.cli import parser
from cheeseboard.server import limits, messages, settings
from cheeseboard.server.metrics import Metrics
from tests.server.running import Running

ROOT = Path(__file__).parents[2]
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text("utf-8")
OPERATION = (ROOT / "docs" / "operation.md").read_text("utf-8")
SERVER = {path: path.read_text("utf-8") for path in (ROOT / "src" / "cheeseboard" / "server").glob("*.py")}
SOURCES = "\n".join(SERVER.values())
EXAMPLES = re.findall(r"```json (\w+)\n(.*?)```", PROTOCOL, re.DOTALL)
STRUCTS: dict[str, Any] = {
    name: kind
    for name, kind in vars(messages).items()
    if inspect.isclass(kind) and issubclass(kind, msgspec.Struct) and name not in {"Struct", "Strict"}
}


def kinds_in(value: Any) -> set[str]:
    """The names of all structs in a message, however deep."""
    if isinstance(value, msgspec.Struct):
        inner = [getattr(value, field) for field in value.__struct_fields__]
        return {type(value).__name__}.union(*map(kinds_in, inner))
    if isinstance(value, dict):
        return set().union(*map(kinds_in, value.values()))
    return set().union(*map(kinds_in, value)) if isinstance(value, list | tuple) else set()


# --- the protocol ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "text"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_examples_are_messages_with_every_field(name, text):
    message = msgspec.json.decode(text, type=STRUCTS[name])
    assert json.loads(msgspec.json.encode(message)) == json.loads(text)


def test_every_message_has_an_example():
    shown: set[str] = set()
    for name, text in EXAMPLES:
        shown |= kinds_in(msgspec.json.decode(text, type=STRUCTS[name]))
    assert shown == {*STRUCTS, "Paw"}  # the parts of a Verdict
    assert STRUCTS["Result"] is Result


def test_every_field_is_told_of():
    """Not only shown: what is not plain from its name stands in the text too."""
    for kind in STRUCTS.values():
        for field in kind.__struct_fields__:
            assert f'"{field}"' in PROTOCOL


def codes() -> set[str]:
    """Every code with which the sources refuse or say goodbye."""
    found = set(re.findall(r'\b(?:No|Bye|problem)\(\s*"([a-z-]+)"', SOURCES))
    found |= set(re.findall(r'\bRefused\([^"]*?"([a-z-]+)"', SOURCES))
    found |= set(re.findall(r'hang_up\(\d+, "([a-z-]+)"', SOURCES))
    found |= set(re.findall(r'\b4\d\d: "([a-z]+-[a-z]+)"', SOURCES))
    for tail in re.findall(r'No\(f"\{kind\}-([a-z-]+)"', SOURCES):
        found |= {f"name-{tail}", f"chat-{tail}"}
    return found


def test_every_code_is_explained_and_no_other():
    assert len(codes()) > 50
    missing = {code for code in codes() if f"`{code}`" not in PROTOCOL}
    assert missing == set()
    table = PROTOCOL.partition("| code | status |")[2]
    assert set(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", table)) <= codes()


def test_every_path_is_in_it():
    paths = set(
        re.findall(r'@(?:get|post|patch|delete)\("(/api/[^"]*)"', SERVER[ROOT / "src/cheeseboard/server/web.py"])
    )
    assert len(paths) > 15
    for path in paths:
        shown = path.replace("{table:str}", "ID").replace("{game:str}", "GAME")
        head, _, act = shown.rpartition("/")
        assert shown in PROTOCOL or (f"{head}/..." in PROTOCOL and f"| `{act}` |" in PROTOCOL)


def test_the_bot_plays(tmp_path):
    (code,) = re.findall(r"```python bot\n(.*?)```", PROTOCOL, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    with Running(tmp_path / "house") as house:
        result = asyncio.run(names["evening"](house.url))
    assert sorted(result.places) in ([1, 1], [1, 2])


# --- operation ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", msgspec.structs.fields(settings.Settings), ids=lambda field: field.name)
def test_every_setting(field):
    name = "DATABASE_URL" if field.name == "database_url" else settings.PREFIX + field.name.upper()
    default = f"`{field.default}`" if field.default else ""
    assert re.search(rf"\| `{name}` \| {re.escape(default)} ?\|", OPERATION)


def test_every_limit():
    told: dict[str, float] = {}
    for names, numbers in re.findall(r"^\| ((?:`[a-z_]+`(?:, )?)+) \| ([\d., ]+) \|", OPERATION, re.MULTILINE):
        told |= zip(re.findall(r"`([a-z_]+)`", names), map(float, numbers.split(", ")), strict=True)
    assert told == msgspec.to_builtins(limits.DEFAULT)


def test_every_metric():
    names = re.findall(r"^# HELP (\w+)", Metrics().text(), re.MULTILINE)
    assert set(re.findall(r"`(cheeseboard_\w+)`", OPERATION)) == {*names}


def test_every_event():
    events = set(re.findall(r'\b(?:log\.\w+|note)\(\s*"([a-z-]+)"', SOURCES))
    events |= set(re.findall(r'"(table-[a-z]+)"', SOURCES)) | {"admin-banned", "admin-unbanned"}
    assert {"house-opened", "connection-cut-off", "admin-refused", "crash"} <= events
    assert {event for event in events if f"`{event}`" not in OPERATION} == set()


def test_every_command():
    """Each command line in the text is one that the program understands."""
    found = re.findall(r"^    (?:\w+=\S+ )*cheeseboard (.+)$", OPERATION, re.MULTILINE)
    assert {line.split()[0] for line in found} >= {"serve", "backup", "restore", "export", "export-me", "delete-me"}
    for line in found:
        parser().parse_args(line.split())
