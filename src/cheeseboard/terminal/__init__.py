"""A table in the terminal: a person against bots. It uses nothing that another screen could not have: the view of one
seat, its legal actions, and what it is told."""

from cheeseboard.terminal.seat import sit_down

__all__ = ["sit_down"]
