"""Guests for the tests of the house: people who sit down and play whatever is legal; some note all they do and hear."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from random import Random
from typing import Any

import pytest

from cheeseboard.bundle import Receipt
from cheeseboard.client import Client, Refused, Seat
from cheeseboard.server import messages
from tests.server import promises

PATIENCE_S = 120.0  # until a test gives up; nothing here depends on how quick the machine is
TOO_LATE = {"illegal", "not-playing", "late", "acted"}  # in real time somebody may have been quicker

# --- sitting down ---------------------------------------------------------------------------------------------------


async def company(stack: AsyncExitStack, url: str, *names: str) -> list[Client]:
    return [await stack.enter_async_context(Client(url, name)) for name in names]


async def table_for(clients: Sequence[Client], game: str, extra: tuple[str, ...] = (), **wishes: Any) -> str:
    """A table where they all sit, in their order, and then the `extra` seats."""
    host, *others = clients
    code = await host.lay(game, ["me", *["open"] * len(others), *extra], **wishes)
    for other in others:
        await other.sit(code)
    return code


# --- playing --------------------------------------------------------------------------------------------------------


async def until(seat: Seat, fits: Callable[[], Any]) -> None:
    """Wait until it is so; looks again after everything the seat hears."""
    async with asyncio.timeout(PATIENCE_S):
        while not fits():  # noqa: ASYNC110  # whatever it is that changes
            await asyncio.sleep(0.01)


async def playing(seat: Seat) -> messages.View:
    """The first view: the deal is done."""
    await until(seat, lambda: seat.view)
    return seat.now


def choice(view: messages.View, rng: Random) -> int | None:
    """Anything legal, if it is this seat's turn or nobody's in particular."""
    mine = view.legal and (view.you in view.waiting or not view.waiting)
    return rng.choice(view.legal) if mine else None


async def play_on(seat: Seat, rng: Random, patience_s: float | None = PATIENCE_S, nap_s: float = 0.0) -> None:
    """Do what is legal until the game is over. What came too late is refused, and that is that.

    `nap_s`: up to so long before each act, so that in real time now one and now another is first."""
    async with asyncio.timeout(patience_s):
        async for view in seat:
            action = choice(view, rng)
            if action is not None:
                if nap_s:
                    await asyncio.sleep(nap_s * rng.random())
                try:
                    await seat.act(action)
                except Refused as refused:
                    if refused.code not in TOO_LATE:
                        raise


async def one_game(guests: tuple[Client, Client], game: str, seed: int = 1, **wishes: Any) -> tuple[str, list[Receipt]]:
    """A whole game of two people and a bot; the table, and what both clients kept from before play."""
    host, other = guests
    table = await table_for(guests, game, ("bot:mouse",), **wishes)
    async with host.play(table) as one, other.play(table) as two:
        await asyncio.gather(*(play_on(seat, Random(seed + n)) for n, seat in enumerate((one, two))))
        return table, [seat.receipt(seat.you) for seat in (one, two)]


# --- noting ---------------------------------------------------------------------------------------------------------


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

    async def act(self, action: int, *, id: str = "", **more: Any) -> int:  # noqa: A002
        id = id or secrets.token_hex(8)  # noqa: A001
        seat = more.get("seat")
        self.noted.append(promises.Invoked(id, self.you if seat is None else seat, action))
        return await super().act(action, id=id, **more)

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


async def refused(code: str, what: Awaitable[object]) -> None:
    with pytest.raises(Refused) as no:
        await what
    assert no.value.code == code, no.value
