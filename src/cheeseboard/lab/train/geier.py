"""The nets of Hol's der Geier, from the end of the game backwards: what a position with k cards is worth is learnt from
what those with k - 1 cards are worth, each round solved as a matrix game. No net ever learns from itself.

    python -m cheeseboard.lab.train.geier              all that follows, which takes hours
    python -m cheeseboard.lab.train.geier two          for two players: bots/data/geier-two.npz
    python -m cheeseboard.lab.train.geier many         for three, four and five: bots/data/geier-many.npz
    python -m cheeseboard.lab.train.geier quick        the same at a glance, after `many`: bots/data/geier-quick.npz
    python -m cheeseboard.lab.train.geier points       for two, if points are what counts: bots/data/geier-points.npz

Each finished step is kept in `runs/`, and a run that was broken off goes on from there."""

import argparse
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from cheeseboard.bots import geier_two
from cheeseboard.bots.geier_two import (
    CARRY,
    EXACT,
    EXACT_POINTS,
    FACTS,
    describe,
    follow,
    inputs,
    known,
    read,
    without,
    worth_exact,
)
from cheeseboard.bots.matrix import solve_in_place
from cheeseboard.games.compiled import machine_code
from cheeseboard.lab.train import geier_many, geier_quick, geier_states
from cheeseboard.lab.train.fitting import Net, answers, fit
from cheeseboard.lab.train.telling import tell, teller

FIRST, LAST = 4, 14  # cards left in the positions that get a net; the first is learnt from exact values
HIDDEN = (128, 128)
ORDERS = 5  # up to so many cards each order of both hands is learnt by itself
ROWS = 8192  # inputs that are worked on at once: as many as fit near the processor
ROUNDS = 200  # joint bids looked at for one target, about: of all prizes that may be turned, or of some
COUNTS = {"two": 150_000, "many": 10_000, "points": 80_000}  # positions to learn from, for each number of cards
MANY = (3, 4, 5)  # players
SHIPPED = Path(geier_two.__file__).parent / "data"


# --- targets --------------------------------------------------------------------------------------------------------


def order_of(mine: Any, theirs: Any) -> int:
    """How the cards of both stand in one order, as one number below 2 * 3 ** (2 * ORDERS); 0 with many cards."""
    if len(mine) > ORDERS:
        return 0
    number, a, b = 1, 0, 0
    while a < len(mine) or b < len(theirs):
        mine_next = b == len(theirs) or (a < len(mine) and mine[a] <= theirs[b])
        theirs_next = a == len(mine) or (b < len(theirs) and theirs[b] <= mine[a])
        number = number * 3 + mine_next + 2 * theirs_next - 1
        a += mine_next
        b += theirs_next
    return number


@cache
def numbered(cards: int) -> Any:
    """For each number of `order_of` how many orders come before it, so that an array has no gaps; 0 with many cards."""
    if cards > ORDERS:
        return np.zeros(1, np.int64)
    grown = {(0, 0): [1]}  # by how many cards of each are in it
    for _ in range(2 * cards):
        for (a, b), numbers in list(grown.items()):
            for step, digit in (((1, 0), 0), ((0, 1), 1), ((1, 1), 2)):
                at = a + step[0], b + step[1]
                if max(at) <= cards:
                    grown[at] = sorted({*grown.get(at, []), *(number * 3 + digit for number in numbers)})
    index = np.zeros(grown[cards, cards][-1] + 1, np.int64)
    index[grown[cards, cards]] = np.arange(len(grown[cards, cards]))
    return index


def see(mine: Any, theirs: Any, values: Any, facts: Any, seen: Any, orders: Any) -> None:
    """What the nets see of positions, with the eyes of both."""
    for n in range(len(mine)):
        describe(mine[n], theirs[n], values[n], facts[n], seen[2 * n : 2 * n + 2])
        orders[2 * n] = order_of(mine[n], theirs[n])
        orders[2 * n + 1] = order_of(theirs[n], mine[n])


def spread(
    mine: Any, theirs: Any, values: Any, ups: Any, facts: Any, seen: Any, orders: Any, sure: Any, worths: Any
) -> None:
    """All that one round can lead to: for each position and prize turned what the nets see after it, or its worth."""
    k = mine.shape[1]
    hand, other, rest = np.empty(k - 1, np.int64), np.empty(k - 1, np.int64), np.empty(k - 1, np.int64)
    then = np.empty(FACTS, np.int64)
    row = 0
    for n in range(len(mine)):
        for up in ups[n]:
            without(values[n], up, rest)
            for a in range(k):
                for b in range(k):
                    follow(mine[n], theirs[n], a, b, values[n, up], facts[n], hand, other, then)
                    sure[row] = known(rest, then, worths[row : row + 1])
                    if not sure[row]:
                        describe(hand, other, rest, then, seen[2 * row : 2 * row + 2])
                        orders[2 * row] = order_of(hand, other)
                        orders[2 * row + 1] = order_of(other, hand)
                    row += 1


def gather(
    mine: Any, theirs: Any, values: Any, ups: Any, facts: Any, raw: Any, sure: Any, worths: Any, targets: Any
) -> None:
    """The worth of each position: its rounds solved, their mean over the prizes turned."""
    k = mine.shape[1]
    hand, other, rest = np.empty(k - 1, np.int64), np.empty(k - 1, np.int64), np.empty(k - 1, np.int64)
    then = np.empty(FACTS, np.int64)
    table, order = np.empty((k + 1, k + 1)), np.empty(2 * k, np.int64)
    row = 0
    for n in range(len(mine)):
        targets[n] = 0
        for up in ups[n]:
            without(values[n], up, rest)
            for a in range(k):
                for b in range(k):
                    if sure[row]:
                        table[a, b] = worths[row]
                    else:
                        follow(mine[n], theirs[n], a, b, values[n, up], facts[n], hand, other, then)
                        table[a, b] = read(raw[2 * row], raw[2 * row + 1], rest, then)
                    row += 1
            targets[n] += solve_in_place(table, order, k, k) / ups.shape[1]


def exactly(states: list[Any], say: Any) -> Any:
    targets = np.empty(len(states[0]))
    for n, position in enumerate(zip(*states, strict=True)):
        targets[n] = worth_exact(*position)
        say(n / len(targets))
    return targets


def looked_ahead(states: list[Any], net: Net, rng: np.random.Generator, say: Any) -> Any:
    """Targets for the positions by the net for one card less."""
    count, k = states[0].shape
    ups = max(1, min(k, ROUNDS // (k * k)))
    chosen = np.argsort(rng.random((count, k)), 1)[:, :ups]
    targets = np.empty(count)
    size = max(1, ROWS // (2 * ups * k * k))
    rows = size * ups * k * k
    seen, orders = np.zeros((2 * rows, inputs(k - 1)), np.float32), np.zeros(2 * rows, np.int64)
    sure, worths = np.empty(rows, np.bool_), np.empty(rows)
    for at in range(0, count, size):
        part, some = [array[at : at + size] for array in states], chosen[at : at + size]
        used = 2 * some.size * k * k
        machine_code(spread)(*part[:3], some, part[3], seen, orders, sure, worths)
        raw = answers(net, seen[:used], numbered(k - 1)[orders[:used]])
        machine_code(gather)(*part[:3], some, part[3], raw, sure, worths, targets[at : at + size])
        say(at / len(targets))
    return targets


# --- the ladder -----------------------------------------------------------------------------------------------------


def positions(k: int, count: int, seed: int, points: bool) -> list[Any]:
    states: list[Any] = [np.empty((count, k), np.int64) for _ in range(3)]
    states.append(np.empty((count, FACTS), np.int64))
    machine_code(geier_states.many)(seed, int(points), *states)
    return states


def inputs_of(states: list[Any]) -> tuple[Any, Any]:
    count, k = states[0].shape
    seen, orders = np.empty((2 * count, inputs(k)), np.float32), np.empty(2 * count, np.int64)
    machine_code(see)(*states, seen, orders)
    return seen, numbered(k)[orders]


def two(folder: Path, count: int, epochs: int, seed: int, *, points: bool) -> dict[str, Any]:
    """All nets, each from the one before."""
    folder.mkdir(parents=True, exist_ok=True)
    nets: dict[int, Net] = {}
    for k in range(FIRST, LAST + 1):
        path = folder / f"net-{k}.npz"
        if not path.exists():
            begun = time.perf_counter()
            say = teller(f"{k} cards")
            rng = np.random.default_rng([seed, k])
            states = positions(k, count * (1 + (k == FIRST)), seed * 100 + k, points)
            targets = exactly(states, say) if k == FIRST else looked_ahead(states, nets[k - 1], rng, say)
            np.savez_compressed(folder / f"learnt-{k}.npz", *(array.astype(np.int16) for array in states), targets)
            if points:
                most = np.abs(states[2]).sum(1) + np.abs(states[3][:, CARRY])
                targets = targets / np.maximum(most, 1)
            thought = time.perf_counter()
            net, off = fit(*inputs_of(states), targets, rng, say, epochs=epochs, hidden=HIDDEN, bounded=not points)
            np.savez(path, *net)
            took = time.perf_counter()
            spent = f"{thought - begun:.0f} + {took - thought:.0f} s"
            tell(f"{k} cards: error {off:.4f}, spread {targets.std():.3f}, {spent}")
        with np.load(path) as stored:
            nets[k] = [stored[name] for name in stored.files]
    solved = EXACT_POINTS if points else EXACT
    return {f"{k}-{n}": w.astype(np.float16) for k, net in nets.items() if k >= solved for n, w in enumerate(net)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    everything = ["two", "many", "quick", "points"]
    parser.add_argument("what", nargs="*", choices=everything, default=everything)
    parser.add_argument("--count", type=int, default=0, help="positions to learn from, for each number of cards")
    parser.add_argument("--epochs", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    args = parser.parse_args()
    SHIPPED.mkdir(exist_ok=True)
    for what in args.what:
        folder, count = args.runs / f"geier-{what}-{args.seed}", args.count or COUNTS.get(what, 0)
        nets: dict[str, Any] = {}
        if what == "quick":
            for n in MANY:
                solved = args.runs / f"geier-many-{args.seed}" / f"cool-{n}"
                if not solved.exists():
                    parser.error(f"expected rounds that were solved in {solved}, found none: first learn `many`")
                nets |= geier_quick.learnt(n, solved, folder, args.epochs, args.seed)
        elif what == "many":
            for name in geier_many.PLANS:
                nets |= geier_many.ladder(name, folder / name, count, args.epochs, args.seed)
        else:
            nets = two(folder, count, args.epochs, args.seed, points=what == "points")
        np.savez_compressed(SHIPPED / f"geier-{what}.npz", **nets)


if __name__ == "__main__":
    main()
