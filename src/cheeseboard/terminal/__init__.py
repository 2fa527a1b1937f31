"""A table in the terminal: a person against bots. It uses nothing that another screen could not have: the view of one
seat, its legal actions, and what it is told."""

from cheeseboard.terminal.coaching import coach
from cheeseboard.terminal.seat import retell, sit_down

__all__ = ["coach", "retell", "sit_down"]
