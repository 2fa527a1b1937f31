"""The warm-up: done where nobody waits for it, complete, and left alone when the house closes."""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

from cheeseboard.bots import players
from cheeseboard.coach import analyse
from cheeseboard.games import GAMES, compiled, core
from cheeseboard.server.guests import GIVES_WAY, Workers
from cheeseboard.server.warming import LITTLE, played, warm
from tests.server.running import Running

PATIENCE_S = 120.0


def note(name):
    """In a worker: who was asked. Whoever gives way waits until it may go on."""
    folder = Path(os.environ["NOTES"])
    while os.nice(0) > int(os.environ["NICE"]) and not (folder / "go").exists():
        time.sleep(0.01)
    with (folder / "notes").open("a") as notes:
        notes.write(f"{os.getpid()} {os.nice(0)} {name}\n")


def test_the_slow_part_is_done_by_one_who_gives_way_while_bots_think(tmp_path, monkeypatch):
    monkeypatch.setenv("NOTES", str(tmp_path))
    monkeypatch.setenv("NICE", str(os.nice(0)))

    async def evening():
        workers = Workers(asyncio.get_running_loop(), 1, 2 * PATIENCE_S)
        warming = asyncio.create_task(workers.warm(note, ["one", "two"]))
        try:
            game = GAMES["maus"]
            state = core.new(game, 2)
            while game.waiting(state) >> core.LUCK & 1:
                game.apply(state, core.LUCK, core.members(game.legal(state, core.LUCK))[0], None)
            seat = core.members(game.waiting(state))[0]
            chosen = asyncio.get_running_loop().create_future()
            workers.choose(
                "maus",
                "thinker",
                vars(core.view(game, state, seat)),
                seat,
                1,
                (),
                lambda action, _: chosen.set_result(action),
            )
            action = await asyncio.wait_for(chosen, PATIENCE_S)
            assert game.legal(state, seat) >> action & 1
            assert not warming.done()
            (tmp_path / "go").touch()
            await asyncio.wait_for(warming, PATIENCE_S)
        finally:
            workers.close()

    asyncio.run(evening())
    notes = [line.split() for line in (tmp_path / "notes").read_text().splitlines()]
    (gentle, *_), (worker, *_) = notes[0], notes[-1]
    assert len({gentle, worker, str(os.getpid())}) == 3
    way = str(min(os.nice(0) + GIVES_WAY, 19))
    own = str(os.nice(0))
    assert notes == [[gentle, way, "one"], [gentle, way, "two"], [worker, own, "one"], [worker, own, "two"]]


def versions():
    """How many kinds of arguments each function is compiled for."""
    made = compiled._tools().made.items()
    return {function.__name__: len(code.signatures) for function, code in made if hasattr(code, "signatures")}


def test_after_the_warm_up_nothing_is_left_to_compile():
    warm("geier")
    warmed = versions()
    assert warmed
    game = GAMES["geier"]
    for seats in (2, 5):
        for name in ("elephant", "fox"):
            log = played(game, seats, players(game)[name]._replace(budget=LITTLE + 1), cards=9, ties="goofspiel")
        analyse(log)
    assert versions() == warmed


def test_where_nobody_calculates_nothing_is_loaded():
    look = "import sys; from cheeseboard.server.warming import warm; warm('maus'); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", look], check=False).returncode == 0


def test_a_house_that_warms_up_closes_at_once(tmp_path):
    """It has nothing to read, so the compiler would be at it for long; nobody waits for that."""
    with Running(tmp_path / "house", env={"CHEESEBOARD_WARM": "1", "XDG_CACHE_HOME": str(tmp_path / "cache")}) as house:
        until = time.monotonic() + PATIENCE_S
        while not (tmp_path / "cache").exists():
            assert time.monotonic() < until, house.log
            time.sleep(0.05)
        assert house.stop() == 0
        assert "house-closed" in house.log
        assert "bots-ready" not in house.log
        assert "Traceback" not in house.log
