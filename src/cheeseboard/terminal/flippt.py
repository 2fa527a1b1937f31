"""Mausgeflippt in the terminal."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from cheeseboard.games.core import EMPTY, State, members
from cheeseboard.games.flippt.rules import CARRIES, LET_GO, NAMES, WEARS, copies

__all__ = ["LET_GO", "draw"]
STYLES = {"brown": "rgb(160,100,50)"}


def garment(design: int, words: dict[str, Any]) -> Text:
    colour = NAMES[design].split()[0]
    return Text(words["cards"]["garment"][design], f"bold {STYLES.get(colour, colour)}")


def draw(view: State, you: int, names: Sequence[str], words: dict[str, Any]) -> RenderableType:
    cheeses = words["cards"]["cheese"]
    rows = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for seat, name in enumerate(names):
        laundry = sum(copies(view.laundry[seat], design) for design in range(len(NAMES)))
        covered = sum(slot != EMPTY for slot in view.down[seat])
        rows.add_row(
            Text(name, "bold cyan" if seat == you else "bold"),
            f"{view.scores[seat]:+}",
            f"🐭 {view.mice[seat]}",
            f"👕 {laundry}+{covered}",
            "🧀 " + ", ".join(cheeses[cheese] for cheese in members(view.cheeses[seat])) if view.cheeses[seat] else "",
        )
    parts: list[RenderableType] = [rows]
    if view.cheese != EMPTY:
        parts.append(Text.assemble("🧀 ", (cheeses[view.cheese], "bold"), (f"   🐭 ×{view.mice_left}", "dim")))
    if view.shown != EMPTY:
        worn = Text("   ").join(garment(design, words) for design in members(int(WEARS[view.shown])))
        parts.append(Panel(worn, title="🐭", subtitle=f"🧀 {cheeses[int(CARRIES[view.shown])]}", expand=False))
    held = [garment(design, words) for design in range(len(NAMES)) for _ in range(copies(view.hand[you], design))]
    parts.append(Text("   ").join(held))
    return Group(*parts)
