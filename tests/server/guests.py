"""Guests for the hard tests: they note everything they do and hear, and play whatever is legal."""

import asyncio
import secrets
from random import Random
from typing import Any

from cheeseboard.client import Refused, Seat
from cheeseboard.server import messages
from tests.server import promises


class Noted(Seat):
    """A seat that keeps a history."""

    def __init__(self, who: str, noted: promises.History, url: str, token: str, table: str, **terms: Any) -> None:
        super().__init__(url, token, table, **terms)
        self.who, self.noted = who, noted
        self.heard_over = 0  # the connection over which the last view came
        self.heard_at = 0.0

    def _address(self) -> str:
        self.says = self.n  # what we tell the house we have heard of
        return super()._address()

    async def act(self, action: int, *, id: str = "", seat: int | None = None) -> int:  # noqa: A002
        id = id or secrets.token_hex(8)  # noqa: A001
        self.noted.append(promises.Invoked(id, self.you if seat is None else seat, action))
        return await super().act(action, id=id, seat=seat)

    async def send(self, message: messages.FromClient) -> None:
        if isinstance(message, messages.Play) and self.socket:
            self.noted.append(promises.Sent(message.id))
        await super().send(message)

    def hang_up(self) -> None:
        """Lose the connection, as a phone does in a lift."""
        if self.socket:
            self.socket.transport.abort()

    async def _hear(self, message: messages.FromHouse) -> None:
        self.heard_at = asyncio.get_running_loop().time()
        match message:
            case messages.View():
                if self.heard_over != self.connections:
                    self.heard_over = self.connections
                    self.noted.append(promises.Connected(self.who, self.says))
                self.noted.append(promises.Seen(self.who, message))
            case messages.Done():
                self.noted.append(promises.Done(message.id, message.n))
            case messages.Refused() if message.id:
                self.noted.append(promises.Refused(message.id, message.code))
        await super()._hear(message)


def choice(view: messages.View, rng: Random) -> int | None:
    """Anything legal, if it is this seat's turn or nobody's in particular."""
    mine = view.legal and (view.you in view.waiting or not view.waiting)
    return rng.choice(view.legal) if mine else None


async def play_on(seat: Seat, rng: Random) -> None:
    """Do what is legal until the game is over. What was too late is refused, and that is that."""
    async for view in seat:
        action = choice(view, rng)
        if action is not None:
            try:
                await seat.act(action)
            except Refused:
                await asyncio.sleep(0)
