"""Which clauses of the rules, and which of their worked examples, no test names. Fails if there is one.

A test names what it tests in its docstring. `LAW` in the test file of a game says how far the numbers go."""

import ast
import re
import sys
from pathlib import Path

from cheeseboard.games import GAMES, core
from cheeseboard.games.core import Game
from cheeseboard.games.texts import LANGUAGES, texts

TESTS = Path(__file__).parent.parent / "tests" / "games"
ID = re.compile(r"\b[A-Z]+(?:-[A-Z])?-?\d{2}\b")


def named(tree: ast.Module) -> set[str]:
    """What the tests in this file name."""
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return {match for test in tests for match in ID.findall(ast.get_docstring(test) or "")}


def law(tree: ast.Module) -> list[str]:
    """All clauses and examples that there are: from `LAW = {"GEIER-": 37, "T-G": 22}`."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "LAW":
            return [f"{series}{n + 1:02}" for series, last in ast.literal_eval(node.value).items() for n in range(last)]
    return []


def faults(name: str, game: Game) -> list[str]:
    path = TESTS / f"test_{name}.py"
    if not path.exists():
        return [f"{name}: no {path.name}"]
    tree = ast.parse(path.read_text("utf-8"))
    everything, tested = law(tree), named(tree)
    found = [f"{name}: no LAW in {path.name}"] if not everything else []
    found += [f"{name}: no test names {clause}" for clause in everything if clause not in tested]
    clauses = [clause for clause in everything if clause.startswith(core.about(game)["clauses"] + "-")]
    for language in LANGUAGES:
        if list(texts(game, language)["rules"]) != clauses:
            found.append(f"{name}: the rules in {language} are not the clauses of LAW")
    return found


if __name__ == "__main__":
    lines = [line for name, game in GAMES.items() for line in faults(name, game)]
    print("\n".join(lines) or "Every clause of the rules has a test.")
    sys.exit(bool(lines))
