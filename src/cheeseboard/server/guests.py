"""Bots are guests too: they think in processes of their own, so that no person ever waits for them."""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.context import SpawnContext
from threading import Thread
from typing import Any, Protocol, TypeVar

import numpy as np

from cheeseboard.bots import LEVELS, Past, ask, players
from cheeseboard.games import GAMES
from cheeseboard.games.core import State

Found = TypeVar("Found")
Chosen = Callable[[int, float], None]

WAITING = 256  # thoughts in the queue; beyond it bots do the next best thing at once
GIVES_WAY = 10  # to everybody else on the machine: the niceness of whoever does what nobody waits for


class Thinkers(Protocol):
    def choose(
        self, game: str, level: str, view: dict[str, Any], seat: int, seed: int, past: Past, done: Chosen
    ) -> None:
        """Let a bot of this level choose for the seat, from what it knows and was told; `done` gets the action, and
        after how many seconds it is done, in a race."""


def think(game: str, level: str, view: dict[str, Any], seat: int, seed: int, past: Past = ()) -> tuple[int, float]:
    """The same answer for the same question on every machine."""
    module = GAMES[game]
    who, state = players(module)[level], State(module.STATE, view)
    action = int(ask(who, module, state, seat, np.random.default_rng(seed), past))
    return action, who.delay(module, state, seat, np.random.default_rng(seed)) if who.delay else 0.0


def at_once(game: str, view: dict[str, Any], seat: int, seed: int, past: Past) -> tuple[int, float]:
    """The next best thing: what a child would do."""
    return think(game, LEVELS[0], view, seat, seed, past)


class Workers:
    """Thinking in other processes. A bot that is too slow, or a worker that dies, costs a good move, never a game."""

    def __init__(self, loop: asyncio.AbstractEventLoop, processes: int, seconds: float) -> None:
        self.loop, self.processes, self.seconds = loop, processes, seconds
        self.pool: ProcessPoolExecutor | None = None
        self.waiting = 0
        self.closed = False

    def choose(
        self, game: str, level: str, view: dict[str, Any], seat: int, seed: int, past: Past, done: Chosen
    ) -> None:
        if players(GAMES[game])[level].budget == 0:
            self.loop.call_soon(done, *think(game, level, view, seat, seed, past))
            return
        if self.waiting >= WAITING:
            self.loop.call_soon(done, *at_once(game, view, seat, seed, past))
            return
        self.waiting += 1
        answered = False

        def answer(action: int, seconds: float) -> None:
            nonlocal answered
            if not answered:
                answered = True
                timer.cancel()
                done(action, seconds)

        def thought(future: Future[tuple[int, float]]) -> None:
            self.waiting -= 1
            if self.closed:
                return
            if future.cancelled() or isinstance(future.exception(), BrokenProcessPool):
                self.pool = None  # a new one for the next thought
                answer(*at_once(game, view, seat, seed, past))
            else:
                answer(*future.result())

        timer = self.loop.call_later(self.seconds, lambda: answer(*at_once(game, view, seat, seed, past)))
        future = self._submit(think, game, level, view, seat, seed, past)
        future.add_done_callback(lambda future: self.closed or self.loop.call_soon_threadsafe(thought, future))

    async def run(self, function: Callable[..., Found], *question: Any) -> Found:
        """Anything else that takes long. A worker that dies of it is our fault, and is seen as such."""
        try:
            return await asyncio.wrap_future(self._submit(function, *question))
        except BrokenProcessPool:
            self.pool = None
            raise

    async def warm(self, warm: Callable[[str], None], names: Iterable[str]) -> None:
        """Call `warm` with each name where bots think, so that the first of them has what it needs.

        First in a process that gives way to everybody else: what takes long is done there and kept on the disk, and the
        workers stay free. Then in the workers, one name after the other, for the same reason; if there are several, and
        one of them is missed, it does so when it is first asked."""
        names = list(names)
        gentle = ProcessPoolExecutor(1, _spawning(), initializer=_live_with_the_house, initargs=(GIVES_WAY,))
        try:
            for name in names:
                await asyncio.wrap_future(gentle.submit(warm, name))
        finally:
            gentle.shutdown(wait=False)
        for name in names:
            await asyncio.gather(*(self.run(warm, name) for _ in range(self.processes)))

    def _submit(self, function: Callable[..., Found], *question: Any) -> Future[Found]:
        if self.pool is None:
            self.pool = ProcessPoolExecutor(self.processes, _spawning(), initializer=_live_with_the_house)
        try:
            return self.pool.submit(function, *question)
        except BrokenProcessPool:
            self.pool = None
            return self._submit(function, *question)

    def close(self) -> None:
        """Nobody waits for what they are still at: a compiler may be at it for long."""
        self.closed = True
        if self.pool:
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.pool = None
        for worker in multiprocessing.active_children():
            worker.kill()


def _spawning() -> SpawnContext:
    return multiprocessing.get_context("spawn")


def _live_with_the_house(gives_way: int = 0) -> None:
    """Ctrl-C is for the house, which lets its workers go. If it dies without a word there is nobody to think for."""
    os.nice(gives_way)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    house = multiprocessing.parent_process()
    assert house is not None

    def outlived() -> None:
        house.join()
        os._exit(0)

    Thread(target=outlived, daemon=True).start()
