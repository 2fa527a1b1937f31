"""Compiled rules: no cache ever serves old ones, and nobody reaches behind the end of a field."""

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from types import ModuleType

import numba
import pytest

import cheeseboard
from cheeseboard.games import GAMES, core
from cheeseboard.games.compiled import compiled, machine_code

SOURCES = Path(cheeseboard.__file__).parent
PROBE = """
import sys
from cheeseboard.games import GAMES, core
from cheeseboard.games.compiled import compiled
records = core.blank(GAMES[sys.argv[1]], core.about(GAMES[sys.argv[1]])["players"][0]).records()
compiled(GAMES[sys.argv[1]]).start(records[0])
print(records.tobytes().hex())
"""


@pytest.fixture
def house(tmp_path):
    """A copy of the package to change, with a cache of its own, and a function to start a game in a new process."""
    shutil.copytree(SOURCES, tmp_path / "cheeseboard")

    def start(game):
        env = {**os.environ, "PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
        run = [sys.executable, "-c", PROBE, game]
        return subprocess.run(run, env=env, capture_output=True, text=True, check=True).stdout

    return start, tmp_path


def change(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_a_changed_constant_is_compiled_anew(house):
    """A constant of another file, a line of the rules, and the data of a game: each must be seen at once."""
    start, folder = house
    name = next(iter(GAMES))
    before = start(name)
    kept = set((folder / "cache").rglob("*.nbc"))
    assert kept, "expected machine code in the cache"
    assert start(name) == before
    assert set((folder / "cache").rglob("*.nbc")) == kept, "expected to find the machine code of the first process"
    seen = {before}
    for path, old, new in (
        ("games/core.py", "EMPTY, HIDDEN = -1, -2", "EMPTY, HIDDEN = -3, -2"),
        (f"games/{name}/rules.py", "state.last[seat] = EMPTY", "state.last[seat] = 7"),
    ):
        change(folder / "cheeseboard" / path, old, new)
        after = start(name)
        assert after not in seen, f"{path} was changed, the old machine code was used"
        seen.add(after)


def test_machine_code_of_versions_that_nobody_uses_is_forgotten(house):
    start, folder = house
    start("geier")
    versions = folder / "cache" / "cheeseboard" / "compiled"
    (mine,) = versions.iterdir()
    long_ago = time.time() - 31 * 24 * 60 * 60
    for name, used in (("older", long_ago), ("newer", None)):
        (versions / name / "plain").mkdir(parents=True)
        (versions / name / "plain" / "rules.nbc").write_bytes(b"code")
        if used is not None:
            os.utime(versions / name, (used, used))
    os.utime(mine, (long_ago, long_ago))
    kept = set(mine.rglob("*.nbc"))
    start("geier")
    assert {path.name for path in versions.iterdir()} == {mine.name, "newer"}
    assert set(mine.rglob("*.nbc")) == kept, "in use again: not forgotten, not made anew"


def test_a_cache_that_cannot_be_written_is_no_cache(house):
    """Then the rules are compiled anew each time, and no other folder is used, which could go stale."""
    start, folder = house
    (folder / "cache").write_text("in the way")
    name = next(iter(GAMES))
    before = start(name)
    change(folder / "cheeseboard" / "games" / "core.py", "EMPTY, HIDDEN = -1, -2", "EMPTY, HIDDEN = -3, -2")
    assert start(name) != before
    assert not list(folder.rglob("*.nbi"))


def test_rules_changed_in_memory_are_compiled_anew():
    """Variants of a game that were never a file, as designers make them, do not get each other's code."""
    game = next(iter(GAMES.values()))
    path = Path(sys.modules[game.__name__].__file__ or "")
    ends = set()
    for last in (7, 8):
        variant = ModuleType(game.__name__)
        vars(variant)["__package__"] = sys.modules[game.__name__].__package__
        source = path.read_text("utf-8").replace("last[seat] = EMPTY", f"last[seat] = {last}")
        exec(compile(source, path, "exec"), vars(variant))
        records = core.blank(game, 2).records()
        compiled(variant).start(records[0])
        ends.add(records.tobytes())
    assert len(ends) == 2


def _half(x):
    return x / 2


def _double(x):
    return x + x


def _both(x):
    return _half(x) + _double(x)


def test_threads_that_ask_at_once_get_whole_functions(monkeypatch):
    """Also whoever comes while another one is still preparing what the function calls, which takes its time."""
    assert machine_code(_double)(2.0) == 4.0
    ready, njit = Barrier(8), numba.njit

    def slowly(*functions, **options):
        time.sleep(0.05)
        return njit(*functions, **options)

    monkeypatch.setattr(numba, "njit", slowly)

    def asked(_):
        ready.wait()
        return machine_code(_both)(8.0)

    with ThreadPoolExecutor(8) as crew:
        assert set(crew.map(asked, range(8))) == {20.0}


@pytest.mark.parametrize("name", GAMES)
def test_with_bounds_checked(name):
    """Machine code does not look where it writes unless told so: everything once more in a process where it does."""
    code = f"""
import numpy as np
from cheeseboard.games import GAMES, core
from cheeseboard.games.compiled import compile_for
from cheeseboard.lab.driver import play_many
from tests.games import laws
game = GAMES["{name}"]
for seed, way in enumerate(laws.ways(game)[:6]):
    laws.compiled_equals_plain(game, way, laws.seeded(100 + seed))
    blank = core.blank(game, way.seats, **way.options).records()
    compile_for(game, play_many)(blank, 0, 200, 1, np.zeros(6, np.int64), np.zeros(6, np.int64))
"""
    env = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "XDG_CACHE_HOME": os.devnull}
    run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
