"""Hol's der Geier in the terminal."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cheeseboard.games.core import EMPTY, State, members


def draw(view: State, you: int, names: Sequence[str], words: dict[str, Any]) -> RenderableType:
    pot = [view.prizes[prize] for prize in members(view.lying)]
    style = "black on green" if view.pot >= 0 else "white on red"
    prizes = Text.assemble(
        *((f" {prize} ", style) if i % 2 == 0 else (f" {prize} ", f"{style} reverse") for i, prize in enumerate(pot))
    )
    if len(pot) > 1:
        prizes.append(f"  = {view.pot}", "bold")
    others = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    cards = words["cards"]["hand"]
    for seat, name in enumerate(names):
        last = "" if view.last[seat] == EMPTY else f"[{cards[view.last[seat]]}]"
        laid = "" if view.bid[seat] == EMPTY else "▒"
        won = " ".join(str(view.prizes[prize]) for prize in members(view.won[seat]))
        others.add_row(Text(name, "bold"), f"{view.scores[seat]:+}", Text(f"{last}{laid}"), Text(won, "dim"))
    hand = Text("  ".join(cards[card] for card in members(view.hand[you])), "bold cyan")
    return Group(others, prizes, hand)
