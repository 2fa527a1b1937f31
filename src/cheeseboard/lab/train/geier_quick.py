"""The net of those who bid at a glance at Hol's der Geier: it learns from rounds that the ladder of their betters
(`geier_many`) has solved and kept, with all numbers of cards at once."""

from pathlib import Path
from typing import Any

import numpy as np

from cheeseboard.bots.geier_course import turn
from cheeseboard.bots.geier_nets import SIZE, measured
from cheeseboard.bots.geier_quick import END, inputs, look
from cheeseboard.games.compiled import machine_code
from cheeseboard.lab.train.fitting import fit_mixes
from cheeseboard.lab.train.geier_many import LAST
from cheeseboard.lab.train.telling import tell, teller

HIDDEN = (128, 64)


def see(
    hands: Any, scores: Any, tops: Any, values: Any, facts: Any, ups: Any, mixes: Any, seen: Any, goal: Any
) -> None:
    """What the net sees of each round, with the eyes of all, and what it should tell them."""
    count, n, k = hands.shape
    rest = np.empty(k - 1, np.int64)
    for row in range(count):
        pot, mouse = turn(values[row], ups[row], facts[row], rest)
        strength, cards = np.zeros(n), np.zeros(n, np.int64)
        measured(hands[row], np.zeros(SIZE + 1, np.int64), np.zeros(SIZE, np.int64), strength, cards)
        for who in range(n):
            look(hands[row], strength, cards, scores[row], tops[row], rest, pot, mouse, facts[row], who,
                 seen[row * n + who])  # fmt: skip
            whole = mixes[row, who].sum()  # they were rounded
            for at in range(k):
                goal[row * n + who, hands[row, who, at]] = mixes[row, who, at] / whole


def seen_in(path: Path) -> tuple[Any, Any]:
    with np.load(path) as stored:
        *states, mixes, _ = (stored[part] for part in stored.files)
    rows, n, _ = states[0].shape
    seen, goal = np.empty((rows * n, inputs(n)), np.float32), np.zeros((rows * n, SIZE), np.float32)
    machine_code(see)(*(part.astype(np.int64) for part in states), mixes.astype(np.float64), seen, goal)
    return seen, goal


def learnt(players: int, rounds: Path, folder: Path, epochs: int, seed: int) -> dict[str, Any]:
    """`rounds`: the folder of a ladder that has been climbed."""
    path = folder / f"quick-{players}.npz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        kept = (rounds / f"rounds-{k}.npz" for k in range(END.exact + 1, LAST + 1))
        seen, goal = (np.concatenate(part) for part in zip(*map(seen_in, kept), strict=True))
        rng, say = np.random.default_rng([seed, players]), teller(f"quick, {players} players")
        net, off = fit_mixes(seen, goal, seen[:, :SIZE] > 0, rng, say, epochs=epochs, hidden=HIDDEN)
        np.savez(path, *net)
        tell(f"quick, {players} players: {off:.3f} of a mix off, {len(seen)} mixes")
    with np.load(path) as stored:
        return {f"{players}-{n}": stored[part].astype(np.float16) for n, part in enumerate(stored.files)}
