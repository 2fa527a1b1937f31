"""Guests for the tests of the house: people who sit down, play at random and tell what they saw."""

import asyncio
import random
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

from cheeseboard.client import Client, Refused, Seat
from cheeseboard.server import messages

PATIENCE_S = 120.0  # until a test gives up; nothing here depends on how quick the machine is


async def until(seat: Seat, fits: Callable[[], Any]) -> None:
    """Wait until it is so; looks again after everything the seat hears."""
    async with asyncio.timeout(PATIENCE_S):
        while not fits():  # noqa: ASYNC110  # whatever it is that changes
            await asyncio.sleep(0.01)


async def playing(seat: Seat) -> messages.View:
    """The first view: the deal is done."""
    await until(seat, lambda: seat.view)
    return seat.now


async def play_on(seat: Seat, dice: random.Random, until_n: int = 10_000) -> None:
    """Act at random whenever it is our turn, to the end or until so many acts were done."""
    async with asyncio.timeout(PATIENCE_S):
        async for view in seat:
            if view.n >= until_n:
                return
            in_turn = seat.you in view.waiting or not view.waiting
            if in_turn and view.legal:
                try:
                    await seat.act(dice.choice(view.legal))
                except Refused as refused:
                    if refused.code not in {"illegal", "not-playing"}:  # in real time somebody may have been quicker
                        raise


async def company(stack: AsyncExitStack, url: str, *names: str) -> list[Client]:
    return [await stack.enter_async_context(Client(url, name)) for name in names]


async def table_for(clients: list[Client], game: str, extra: tuple[str, ...] = (), **wishes: Any) -> str:
    """A table where they all sit, in their order, and then the `extra` seats."""
    host, *others = clients
    code = await host.lay(game, ["me", *["open"] * len(others), *extra], **wishes)
    for other in others:
        await other.sit(code)
    return code
