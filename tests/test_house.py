"""The house keeps its own rules: who may import what, what may be named where, that documents are true."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cheeseboard.games import GAMES, core

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "cheeseboard"


def imports(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


@pytest.mark.parametrize("name", GAMES)
def test_a_game_imports_numpy_and_core_and_nothing_else(name):
    assert set(imports(SOURCES / "games" / name / "rules.py")) <= {"typing", "numpy", "cheeseboard.games.core"}


@pytest.mark.parametrize("name", GAMES)
def test_nothing_else_mentions_a_game(name):
    """To add a game is to add files that carry its name, and one line (and its import) in GAMES."""
    own = re.compile(rf"\b{name}\b")
    for path in SOURCES.rglob("*.py"):
        if name in path.relative_to(SOURCES).as_posix() or path == SOURCES / "games" / "__init__.py":
            continue
        # examples in docstrings may show one
        tree = ast.parse(path.read_text("utf-8"))
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                assert not own.search(node.value), f"{path.name}:{node.lineno} mentions {name}"
            if isinstance(node, ast.Name | ast.alias):
                assert not own.search(node.id if isinstance(node, ast.Name) else node.name), f"{path.name} uses {name}"


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_documented(name):
    text = (ROOT / "docs" / "games" / f"{name}.md").read_text("utf-8")
    for heading in (
        "Rules",
        "Our readings of unclear points",
        "Actions",
        "Events",
        "Record",
        "Options",
        "Version history",
    ):
        assert f"\n## {heading}\n" in text
    for field in GAMES[name].STATE.names or ():
        assert f"`{field}`" in text, f"field {field} is not documented"
    for event in GAMES[name].EVENTS:
        assert f"`{event}`" in text, f"event {event} is not documented"
    for option in core.about(GAMES[name])["options"]:
        assert f"`{option}`" in text, f"option {option} is not documented"
    assert "independent implementation" in text


@pytest.mark.parametrize("name", GAMES)
def test_a_game_has_a_terminal_and_a_line_in_the_readme(name):
    assert (SOURCES / "terminal" / f"{name}.py").exists()
    assert f"| `{name}` |" in (ROOT / "README.md").read_text("utf-8")


def test_importing_needs_no_compiler():
    """A table answers its first move without numba being loaded at all."""
    code = """
import sys
from cheeseboard.games import GAMES
from cheeseboard.table import Table
table = Table(next(iter(GAMES.values())), 2, luck=1)
table.play(0, table.legal(0)[0])
assert "numba" not in sys.modules and "rich" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_clause_has_a_test():
    run = subprocess.run([sys.executable, ROOT / "tools" / "clauses.py"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


def test_locked_by_hash_and_no_registry_named():
    for path in ROOT.glob("requirements*.txt"):
        text = path.read_text("utf-8")
        assert "://" not in text  # no address at all; packages may have http in their names
        assert "index-url" not in text
        pinned = re.findall(r"^[a-z][\w-]*==", text, re.MULTILINE)
        assert pinned
        assert text.count("--hash=sha256:") >= len(pinned)


def test_ci_is_what_a_newcomer_runs():
    commands = [line for line in (ROOT / ".ci" / "run").read_text("utf-8").splitlines() if line.startswith("make")]
    assert commands == ["make check", "make test"]
