"""A bot of your own at a real table: `python examples/bot.py http://localhost:8000 k7q2m`.

It sits down and always plays its highest card or number; replace `choose` by something better."""

import asyncio
import sys

from cheeseboard.client import Client, Refused
from cheeseboard.server.messages import View


def choose(view: View) -> int:
    return max(view.legal)


async def main(url: str, table: str) -> None:
    async with Client(url, "Highest") as bot:
        await bot.sit(table)
        async with bot.play(table) as seat:
            async for view in seat:
                if view.legal and (seat.you in view.waiting or not view.waiting):
                    try:
                        await seat.act(choose(view))
                    except Refused as refused:  # in real time somebody may have been quicker
                        print(refused)
            print(seat.view.result if seat.view else "nothing was played")


asyncio.run(main(*sys.argv[1:]))
