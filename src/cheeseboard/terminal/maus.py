"""Aus die Maus! in the terminal."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cheeseboard.games.core import State

CARDS = ("🧀", "🐭 ·", "🐭 ··", "🐭 ···", "🐱")
STYLES = ("yellow", "bold", "bold", "bold", "bold red")


def draw(view: State, you: int, names: Sequence[str], words: dict[str, Any]) -> RenderableType:
    rows = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for seat, name in enumerate(names):
        paws = "🐾" * view.tries if seat == view.turn else ""
        owner = "🐭" if seat == view.owner else ""
        style = "bold cyan" if seat == you else "bold"
        rows.add_row(
            "▶" if seat == view.turn else "",
            Text(name, style),
            f"{view.scores[seat]} ▤",
            "●" * view.chips[seat],
            paws + owner,
        )
    if view.height == 0:
        return rows
    card = view.pile[view.height - 1]
    top = Text.assemble((CARDS[card], STYLES[card]), f"  {words['cards']['card'][card]}  ", (f"({view.height})", "dim"))
    return Group(rows, top, Text("●" * view.chips_left, "green"))
