"""Hints between houses, and within one: "something has changed at this table". Losing one costs time, never data."""

from collections.abc import Callable
from typing import Protocol

Hint = Callable[[str], None]  # takes the id of a table


class Bus(Protocol):
    def hint(self, table: str) -> None: ...

    def listen(self, ear: Hint) -> None: ...


class LocalBus:
    """One house, one process: whoever listens hears at once."""

    def __init__(self) -> None:
        self.ears: list[Hint] = []

    def hint(self, table: str) -> None:
        for ear in self.ears:
            ear(table)

    def listen(self, ear: Hint) -> None:
        self.ears.append(ear)
