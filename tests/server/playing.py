"""Whole games against a real house: two people and a bot, who play whatever is legal."""

import asyncio
from contextlib import suppress
from random import Random

from cheeseboard.bundle import Receipt
from cheeseboard.client import Client, Refused, Seat


async def play_on(seat: Seat, luck: Random) -> None:
    """Act whenever it is one's turn, until the game is over. A move that came too late is no matter."""
    async for view in seat:
        if view.legal and (seat.you in view.waiting or not view.waiting):
            with suppress(Refused):
                await seat.act(luck.choice(view.legal))


async def one_game(
    guests: tuple[Client, Client], game: str, seed: int = 1, **wishes: object
) -> tuple[str, list[Receipt]]:
    """A whole game; the table, and what both clients kept from before play."""
    host, other = guests
    table = await host.lay(game, ["me", "open", "bot:mouse"], **wishes)
    await other.sit(table)
    async with host.play(table) as one, other.play(table) as two:
        await asyncio.gather(*(play_on(seat, Random(seed + n)) for n, seat in enumerate((one, two))))
        return table, [seat.receipt(seat.you) for seat in (one, two)]
