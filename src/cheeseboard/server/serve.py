"""`cheeseboard serve`: open the house, say where it is, and close it without losing a card."""

import asyncio
import gc
import logging
import os
import secrets
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import uvicorn

from cheeseboard.games import GAMES
from cheeseboard.games.core import Refusal
from cheeseboard.server import web
from cheeseboard.server.address import lan_address, port_free
from cheeseboard.server.bus import LocalBus
from cheeseboard.server.clock import LoopClock
from cheeseboard.server.coaching import Coach
from cheeseboard.server.door import Door
from cheeseboard.server.guests import Workers
from cheeseboard.server.house import House
from cheeseboard.server.journal import Journal
from cheeseboard.server.limits import Limits
from cheeseboard.server.qr import qr
from cheeseboard.server.settings import Settings
from cheeseboard.server.socket import kernel_ms, wires
from cheeseboard.server.store import Store
from cheeseboard.server.talk import speak
from cheeseboard.server.warming import warm

log = logging.getLogger("cheeseboard")
NEVER = 1_000_000_000
TIDY_S, TIDY_WAIT_S, TIDY_WAITS = 60.0, 0.1, 600  # a look at everything once a minute, or a minute later
FAILED_S = 0.5  # how long a house whose store has failed says goodbye; whoever waits for an answer will not get one


def serve(settings: Settings) -> int:
    """Run until SIGTERM or Ctrl-C. Returns the exit code: 1 if the store failed and nothing could be acknowledged."""
    import uvloop

    port_free(settings.host, settings.port)
    store = Store(settings.database())
    with listening(settings.log):
        code = uvloop.run(_serve(settings, store))
        log.info("house-closed", extra={"code": code})
        return code


@contextmanager
def listening(file: str) -> Iterator[None]:
    """Everything that is logged goes to the file, or beside what we print. Files are only added to, so that they can
    be cut off or moved away."""
    try:
        stream = Path(file).open("a", encoding="ascii") if file else sys.stderr  # noqa: SIM115
    except OSError as error:
        raise Refusal(f"expected a file for the log that can be written, got {file!r}: {error.strerror}") from None
    logging.getLogger("uvicorn").setLevel(logging.WARNING)  # its lines about itself say nothing that ours do not
    handler = speak(stream, strict=False)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
        if file:
            stream.close()


def crashed(_loop: object, context: dict[str, Any]) -> None:
    """Something of ours went wrong outside of any request. Only the trace is told: the usual words for it would show
    the arguments of the call, and with them tokens and hands."""
    error = context.get("exception")
    log.error("crash", exc_info=error, extra={"what": "in the loop" if error else context["message"]})


async def _serve(settings: Settings, store: Store) -> int:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(crashed)
    stopping = asyncio.Event()
    failure: list[BaseException] = []

    def failed(error: BaseException) -> None:
        """The disk has let us down: nothing may be acknowledged any more. Out, and start anew from what is on disk."""
        log.critical("store-failed", extra={"error": repr(error)})
        failure.append(error)
        for wire in tuple(server.server_state.connections):
            if hasattr(wire, "hang_up"):
                wire.hang_up(1013, "store-failed")
        loop.call_later(FAILED_S, setattr, server, "force_exit", True)
        stopping.set()

    journal = Journal(store, loop.call_soon_threadsafe, failed, loop.call_soon)
    limits = Limits.load(os.environ)
    workers = Workers(loop, settings.workers, limits.bot_seconds)
    folder = settings.folder()

    def free_mib() -> float:
        return shutil.disk_usage(folder).free / 2**20

    house = House(
        journal,
        LoopClock(loop),
        secrets.token_bytes,
        workers,
        LocalBus(),
        limits,
        settings.pace,
        free_mib,
        kernel_ms,
    )
    door = Door(house, _words(settings.origins), _words(settings.proxies))
    server = uvicorn.Server(
        uvicorn.Config(
            web.app(door, settings.admin(), Coach(workers)),
            host=settings.host,
            port=settings.port,
            ws=wires(door),
            http="httptools",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,  # the door decides whom to believe
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=2,
            timeout_keep_alive=75,  # longer than our own client keeps a connection: it never finds one just closed
        )
    )
    ready = loop.create_future()
    house.open(lambda: ready.set_result(None))
    stopped = asyncio.create_task(stopping.wait())
    await asyncio.wait({ready, stopped}, return_when=asyncio.FIRST_COMPLETED)
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stopping.set)
    running = asyncio.create_task(server._serve())  # noqa: SLF001  # serve() would take the signals away from us
    while not server.started and not running.done():  # noqa: ASYNC110  # uvicorn has a flag, no event
        await asyncio.sleep(0.005)
    gc.collect()
    gc.freeze()  # what the imports made stays for ever: looking through it again and again cost a third of each move
    gc.set_threshold(5_000, 2, NEVER)  # often and little: 50,000 at once were 50 ms in which no paw was heard
    tidying = asyncio.create_task(_tidied(house))
    if server.started and not failure:
        log.info("house-opened", extra={"port": settings.port, "database": store.engine.dialect.name})
        announce(settings, house.own)
    warming = asyncio.create_task(_warmed(workers)) if settings.warm and not failure else None
    await asyncio.wait({running, stopped}, return_when=asyncio.FIRST_COMPLETED)
    if not failure:
        told = loop.create_future()
        house.drain(lambda: told.set_result(None))
        with suppress(TimeoutError):
            await asyncio.wait_for(told, 2)
    server.should_exit = True
    await running
    tidying.cancel()
    if warming:
        warming.cancel()
    workers.close()
    journal.close()
    store.close()
    return 1 if failure else 0


async def _tidied(house: House) -> None:
    """Look for garbage everywhere. With 2,000 guests that is 100 ms in which no paw is heard: so not while somebody
    races, if there is a moment without."""
    while True:
        await asyncio.sleep(TIDY_S)
        for _ in range(TIDY_WAITS):
            if not house.lag.races:
                break
            await asyncio.sleep(TIDY_WAIT_S)
        gc.collect()


async def _warmed(workers: Workers) -> None:
    """A warm-up that fails is a fault of ours, but nobody has to go home for it."""
    try:
        await workers.warm(warm, GAMES)
        log.info("bots-ready")
    except Exception:
        log.exception("crash", extra={"what": "warming up"})


def announce(settings: Settings, table: str) -> None:
    """Where the house is: for this machine, and as a code for the phones beside it."""
    local = f"http://localhost:{settings.port}/"
    print(f"Cheeseboard is open: {local}", flush=True)
    address = lan_address() if settings.host == "0.0.0.0" else None  # noqa: S104
    if address:
        outside = f"http://{address}:{settings.port}/"
        print(f"On the same network: {outside}   join code: {table}")
        print(qr(f"{outside}t/{table}"))
    else:
        print(f"Join code: {table}")
    print("Stop with Ctrl-C; games go on when the house opens again.", flush=True)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())
