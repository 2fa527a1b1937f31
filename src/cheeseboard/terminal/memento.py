"""Memento in the terminal."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cheeseboard.games.core import EMPTY, HIDDEN, State
from cheeseboard.games.memento.rules import CATEGORIES, COLOURS, FACE_DOWN, SHAPES

STYLES, SIGNS = ("yellow", "red", "green", "blue"), ("●", "▲", "■", "★")


def card(design: int) -> Text:
    return Text(SIGNS[design % SHAPES], f"bold {STYLES[design // SHAPES]}")


def draw(view: State, you: int, names: Sequence[str], words: dict[str, Any]) -> RenderableType:
    rows = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for seat, name in enumerate(names):
        known = [
            n
            for n in range(len(view.openly[seat]))
            for _ in range(max(0, view.openly[seat][n]) + max(0, view.secretly[seat][n]))
        ]
        collection = Text(" ").join(card(n) for n in known) if view.openly[seat][0] != HIDDEN else Text()
        style = "bold cyan" if seat == you else "bold"
        rows.add_row(
            "▶" if seat == view.turn else "",
            Text(name, style),
            str(view.scores[seat]),
            f"{view.cards[seat]} ▤",
            collection,
        )
    scoring = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for category in range(CATEGORIES):
        if view.laid[category] != EMPTY:
            colour = category < COLOURS
            sign = Text("◆", f"bold {STYLES[category]}") if colour else Text(SIGNS[category - COLOURS], "bold")
            scoring.add_row(
                sign,
                words["cards"]["category"][category],
                words["cards"]["for_colour" if colour else "for_shape"][view.laid[category]],
            )
    piles = Text("   ").join(
        Text.assemble((f"{n + 1} ", "dim"), card(top) if top != EMPTY else "–", (f" ×{view.lying[n]}", "dim"))
        for n, top in enumerate(view.top)
    )
    piles.append(f"   {FACE_DOWN + 1} ▒ ×{view.lying[FACE_DOWN]}", "dim")
    return Group(rows, scoring, piles)
