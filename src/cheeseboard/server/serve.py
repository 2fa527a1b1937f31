"""`cheeseboard serve`: open the house, say where it is, and close it without losing a card."""

import asyncio
import logging
import os
import secrets
import signal
import sys
from contextlib import suppress

import uvicorn

from cheeseboard.server import web
from cheeseboard.server.address import lan_address, port_free
from cheeseboard.server.bus import LocalBus
from cheeseboard.server.clock import LoopClock
from cheeseboard.server.door import Door
from cheeseboard.server.guests import Workers
from cheeseboard.server.house import House
from cheeseboard.server.journal import Journal
from cheeseboard.server.limits import Limits
from cheeseboard.server.qr import qr
from cheeseboard.server.settings import Settings
from cheeseboard.server.socket import wires
from cheeseboard.server.store import Store

log = logging.getLogger("cheeseboard")


def serve(settings: Settings) -> int:
    """Run until SIGTERM or Ctrl-C. Returns the exit code: 1 if the store failed and nothing could be acknowledged."""
    import uvloop

    port_free(settings.host, settings.port)
    store = Store(settings.database())
    return uvloop.run(_serve(settings, store))


async def _serve(settings: Settings, store: Store) -> int:
    loop = asyncio.get_running_loop()
    stopping = asyncio.Event()
    failure: list[BaseException] = []

    def failed(error: BaseException) -> None:
        """The disk has let us down: nothing may be acknowledged any more. Out, and start anew from what is on disk."""
        log.critical("store-failed", extra={"error": repr(error)})
        failure.append(error)
        for wire in tuple(server.server_state.connections):
            if hasattr(wire, "hang_up"):
                wire.hang_up(1013, "store-failed")
        stopping.set()

    journal = Journal(store, loop.call_soon_threadsafe, failed)
    limits = Limits.load(os.environ)
    workers = Workers(loop, settings.workers, limits.bot_seconds)
    house = House(journal, LoopClock(loop), secrets.token_bytes, workers, LocalBus(), limits, settings.pace)
    door = Door(house, _words(settings.origins), _words(settings.proxies))
    server = uvicorn.Server(
        uvicorn.Config(
            web.app(door, settings.admin()),
            host=settings.host,
            port=settings.port,
            ws=wires(door),
            http="httptools",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=2,
        )
    )
    ready = loop.create_future()
    house.open(lambda: ready.set_result(None))
    await ready
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stopping.set)
    running = asyncio.create_task(server._serve())  # noqa: SLF001  # serve() would take the signals away from us
    while not server.started and not running.done():  # noqa: ASYNC110  # uvicorn has a flag, no event
        await asyncio.sleep(0.005)
    if server.started:
        announce(settings, house.own)
    await asyncio.wait({running, asyncio.create_task(stopping.wait())}, return_when=asyncio.FIRST_COMPLETED)
    if not failure:
        told = loop.create_future()
        house.drain(lambda: told.set_result(None))
        with suppress(TimeoutError):
            await asyncio.wait_for(told, 2)
    server.should_exit = True
    await running
    workers.close()
    journal.close()
    store.close()
    return 1 if failure else 0


def announce(settings: Settings, table: str) -> None:
    """Where the house is: for this machine, and as a code for the phones beside it."""
    local = f"http://localhost:{settings.port}/"
    print(f"Cheeseboard is open: {local}", flush=True)
    address = lan_address() if settings.host == "0.0.0.0" else None  # noqa: S104
    if address:
        outside = f"http://{address}:{settings.port}/"
        print(f"On the same network: {outside}   join code: {table}")
        if sys.stdout.isatty():
            print(qr(f"{outside}t/{table}"))
    else:
        print(f"Join code: {table}")
    print("Stop with Ctrl-C; games go on when the house opens again.", flush=True)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())
