"""Mausen in the terminal."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cheeseboard.games.core import EMPTY, HIDDEN, State, members

SIGNS, STYLES = ("🐘", "🐶", "🐱", "🐭"), ("blue", "yellow", "red", "magenta")


def card(number: int) -> Text:
    return Text(f"{SIGNS[number // 4]}{number % 4 + 1} ", f"bold {STYLES[number // 4]}")


def draw(view: State, you: int, names: Sequence[str], words: dict[str, Any]) -> RenderableType:  # noqa: ARG001
    rows = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for seat, name in enumerate(names):
        last = Text() if view.last[seat] == EMPTY else card(view.last[seat])
        laid = "" if view.choice[seat] == EMPTY else "▒"
        score = "" if view.scores[seat] == HIDDEN else str(view.scores[seat])
        rows.add_row(Text(name, "bold cyan" if seat == you else "bold"), last, laid, f"{view.pile[seat]} ▤", score)
    middle = Text.assemble("⟨ ", *(card(number) for number, lie in enumerate(view.middle) for _ in range(lie)), "⟩")
    hand = Text.assemble(*(card(number) for number in members(view.hand[you])))
    return Group(rows, middle, hand)
