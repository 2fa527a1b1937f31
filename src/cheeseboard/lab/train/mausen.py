"""Mausen: nets that say who will win, by fitted backward induction.

    python -m cheeseboard.lab.train.mausen            all player counts, and then writes what the bots load
    python -m cheeseboard.lab.train.mausen --ship     only that, from what has been trained so far

Some hours on one core; what there is lies in `runs/mausen`, and a run goes on where it was stopped.

Stage by stage, from two cards in hand to fifteen: states are drawn, at each the symmetric equilibrium of the next
choice is worked out on the net of the stage before, and a net is fitted to what it brings each player. The first time
through, the states come from rough play; then from the play of the nets themselves, with mistakes mixed in. All cores
work, and the nets do not depend on how many there are."""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cheeseboard.bots import mausen_values
from cheeseboard.bots.dice import chance
from cheeseboard.bots.mausen_nets import ALL, BIAS, CARDS, MIDDLE, NOTHING, OWN, PROSPECTS, ROWS, STANDING
from cheeseboard.bots.mausen_values import ROOM, think
from cheeseboard.bots.symmetric import throw
from cheeseboard.games import GAMES, core
from cheeseboard.games.compiled import machine_code
from cheeseboard.games.core import OVER, SEATS, count, nth
from cheeseboard.games.mausen.rules import ANIMALS, DECIDING, VALUES, apply, prey_of, start, worth
from cheeseboard.lab.train.sharing import side_by_side
from cheeseboard.lab.train.telling import tell

MAUSEN = GAMES["mausen"]
RUNS, DATA = Path("runs/mausen"), Path(mausen_values.__file__).parent / "data"
STAGES = range(2, CARDS)  # cards in hand; with one there is nothing to choose, and there is only one start
SIMPLE = 0.2  # of the players of the games from which states are taken play roughly
BRANCHES = 4  # joint choices that are tried out of each state, for to think about it takes longest
NEURONS, NEURONS_OF_THREE = (32, 16), (96, 48)  # for a player alone, and for a player among the others
PART = 200  # states that are worked out, or games that are played, at one go
Array = npt.NDArray[Any]
Nets = tuple[Array, Array, Array]
Say = Callable[[str], None]
Chances = Callable[[Array], Array]


# --- states, to be compiled -----------------------------------------------------------------------------------------


def rough(state: Any, seat: int, taste: float, dice: Any) -> int:
    """A card by its prey in the middle, the fatter the likelier."""
    size = count(state.hand[seat])
    weights = np.zeros(CARDS)
    total = 0.0
    for move in range(size):
        weights[move] = (1.0 + worth(state.middle, prey_of(nth(state.hand[seat], move)))) ** taste
        total += weights[move]
    for move in range(size):
        weights[move] /= total
    return nth(state.hand[seat], throw(weights, size, dice))


def walk(blank: Any, games: int, nets: Any, budget: int, mistakes: float, dice: Any, found: Any) -> None:
    """Play games and write states of every stage to `found[stage]`. `budget` 0: all play roughly."""
    states, after = np.zeros(ROOM, blank.dtype), np.zeros(1, blank.dtype)
    mix, good, value = np.zeros((SEATS, CARDS)), np.zeros((SEATS, CARDS)), np.zeros(SEATS)
    bids, taste, simple = np.zeros(SEATS, np.int64), np.zeros(SEATS), np.zeros(SEATS, np.bool_)
    for number in range(games):
        states[0] = blank[0]
        state = states[0]
        start(state)
        for seat in range(state.seats):
            taste[seat] = 2 * chance(dice)
            simple[seat] = budget == 0 or chance(dice) < SIMPLE
        noise = 2 * mistakes * chance(dice)
        while state.phase != OVER and count(state.hand[0]) > 2:
            left = count(state.hand[0])
            if budget:
                think(states, nets, 0, budget, dice, mix, good, value)
            for branch in range(BRANCHES):
                after[0] = state
                for seat in range(state.seats):
                    if chance(dice) < noise:
                        bids[seat] = nth(state.hand[seat], int(chance(dice) * left))
                    elif simple[seat]:
                        bids[seat] = rough(state, seat, taste[seat], dice)
                    else:
                        bids[seat] = nth(state.hand[seat], throw(mix[seat], left, dice))
                for seat in range(state.seats):
                    apply(after[0], seat, bids[seat], None)
                if after[0].phase != OVER:
                    found[left - 1, number * BRANCHES + branch] = after[0]
            states[0] = after[0]


def work_out(given: Any, nets: Any, exact: int, budget: int, dice: Any, values: Any) -> None:
    """What the equilibrium of the next choice brings each player."""
    states = np.zeros(ROOM, given.dtype)
    mix, good = np.zeros((SEATS, CARDS)), np.zeros((SEATS, CARDS))
    for number in range(len(given)):
        states[0] = given[number]
        think(states, nets, exact, budget, dice, mix, good, values[number])


# --- the fit --------------------------------------------------------------------------------------------------------


def inputs(states: Array, seats: int) -> Array:
    """What the net sees of each player in each state: the numbers `judge` uses, in the rows of its first layer."""
    seen = np.zeros((len(states), seats, ROWS), np.float32)
    bits = (states["hand"][:, :seats, None] >> np.arange(CARDS)) & 1
    seen[:, :, OWN : OWN + CARDS] = bits
    seen[:, :, ALL : ALL + CARDS] = bits.sum(axis=1, keepdims=True)
    points = np.arange(1, VALUES + 1)
    middle = (states["middle"].reshape(-1, ANIMALS, VALUES) * points).sum(axis=2)
    seen[:, :, MIDDLE : MIDDLE + ANIMALS] = middle[:, None] / 10
    seen[:, :, NOTHING] = (middle.sum(axis=1) == 0)[:, None]
    scores = states["scores"][:, :seats].astype(np.int64)
    mice = (states["won"][:, :seats, DECIDING * VALUES :] * points).sum(axis=2)
    keys = scores * 1024 + mice
    held = bits.reshape(-1, seats, ANIMALS, VALUES)
    top, number, worth_held = (held * points).max(axis=3), held.sum(axis=3), (held * points).sum(axis=3)
    share = number / np.maximum(1, number.sum(axis=1, keepdims=True))
    lies = np.roll(middle, -1, axis=1) / 10  # of the prey of each animal
    coming = np.roll(worth_held.sum(axis=1, keepdims=True) - worth_held, -1, axis=2) / 10
    for seat in range(seats):
        others = [other for other in range(seats) if other != seat]
        best = keys[:, others].max(axis=1)
        lead = scores[:, seat] - best // 1024
        seen[:, seat, STANDING] = lead / 10
        seen[:, seat, STANDING + 1] = np.clip(lead, -6, 6) / 4
        seen[:, seat, STANDING + 2] = (scores[:, seat] - scores.mean(axis=1)) / 10
        seen[:, seat, STANDING + 3] = (mice[:, seat] - best % 1024) / 10
        seen[:, seat, STANDING + 4] = keys[:, seat] > best
        some, sure = top[:, seat] > 0, top[:, seat] > top[:, others].max(axis=1)
        hunts = (some * lies, sure * lies, share[:, seat] * lies, some * coming[:, seat], sure * coming[:, seat])
        for which, facts in enumerate(hunts):
            seen[:, seat, PROSPECTS + which : BIAS : len(hunts)] = facts
    seen[:, :, BIAS] = 1
    return seen


def neurons(seats: int) -> tuple[int, int]:
    """With three players there is time to ask larger nets about all joint choices."""
    return NEURONS_OF_THREE if seats == 3 else NEURONS


def fresh(rng: np.random.Generator, hidden: int, meeting: int) -> list[Array]:
    """A net that knows nothing."""
    first = rng.normal(0, 0.15, (ROWS, hidden))
    second = np.concatenate([rng.normal(0, (1 / hidden) ** 0.5, (2 * hidden, meeting)), np.zeros((1, meeting))])
    last = rng.normal(0, 0.1, meeting)
    return [part.astype(np.float32) for part in (first, second, last)]


def one_winner(answers: Array) -> Array:
    """Chances of which one comes true."""
    powers = np.exp(answers - answers.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def forward(net: list[Array], seen: Array, chances: Chances = one_winner) -> tuple[Array, ...]:
    first, second, last = net
    alone = np.maximum(seen @ first, 0)
    pooled = alone.mean(axis=1)
    hidden = first.shape[1]
    met = alone @ second[:hidden] + (pooled @ second[hidden:-1] + second[-1])[:, None]
    meeting = np.maximum(met, 0)
    return alone, pooled, meeting, chances(meeting @ last)


def backward(net: list[Array], seen: Array, target: Array, chances: Chances) -> list[Array]:
    first, second, last = net
    alone, pooled, meeting, said = forward(net, seen, chances)
    seats, hidden = seen.shape[1], first.shape[1]
    slope = (said - target) / len(seen)
    down_meeting = slope[:, :, None] * last * (meeting > 0)
    together = down_meeting.sum(axis=1)
    down_alone = down_meeting @ second[:hidden].T + (together @ second[hidden:-1].T / seats)[:, None]
    down_alone *= alone > 0
    flat = alone.reshape(-1, hidden).T @ down_meeting.reshape(-1, len(last))
    return [
        seen.reshape(-1, ROWS).T @ down_alone.reshape(-1, hidden),
        np.concatenate([flat, pooled.T @ together, together.sum(axis=0)[None]]),
        (meeting * slope[:, :, None]).sum(axis=(0, 1)),
    ]


def fit(
    net: list[Array],
    seen: Array,
    target: Array,
    epochs: int,
    rng: np.random.Generator,
    chances: Chances = one_winner,
) -> tuple[float, float]:
    """Adam on the cross entropy, with a step that fades; how far off it is on a tenth kept back, and how far it would
    be off by guessing that all are equal (root mean square of win probabilities)."""
    kept = max(1, len(seen) // 10)
    train, batch = len(seen) - kept, 256
    means = [np.zeros_like(part) for part in net]
    squares = [np.zeros_like(part) for part in net]
    steps = epochs * (train // batch)
    step = 0
    for _ in range(epochs):
        shuffled = kept + rng.permutation(train)
        for at in range(0, train - batch + 1, batch):
            some = shuffled[at : at + batch]
            step += 1
            rate = 3e-3 * (1 - step / (steps + 1)) * min(1, step / 50)
            rate *= (1 - 0.99**step) ** 0.5 / (1 - 0.9**step)  # means and squares begin at 0
            slopes = backward(net, seen[some], target[some], chances)
            for part, slope in enumerate(slopes):
                means[part] += 0.1 * (slope - means[part])
                squares[part] += 0.01 * (slope * slope - squares[part])
                net[part] -= rate * means[part] / (np.sqrt(squares[part]) + 1e-8)
    said = forward(net, seen[:kept], chances)[-1]
    off = float(np.sqrt(((said - target[:kept]) ** 2).mean()))
    equal = float(np.sqrt(((1 / seen.shape[1] - target[:kept]) ** 2).mean()))
    return off, equal


# --- the whole run --------------------------------------------------------------------------------------------------


def nets_of(path: Path, hidden: int, meeting: int) -> Nets:
    """The nets as compiled code wants them; nets that know nothing if there are none."""
    if path.exists():
        with np.load(path) as file:
            return file["first"].astype(np.float32), file["second"].astype(np.float32), file["last"].astype(np.float32)
    return (
        np.zeros((CARDS + 1, ROWS, hidden), np.float32),
        np.zeros((CARDS + 1, 2 * hidden + 1, meeting), np.float32),
        np.zeros((CARDS + 1, meeting), np.float32),
    )


def save(path: Path, nets: Nets, kind: type = np.float32) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".part.npz")
    np.savez_compressed(beside, first=nets[0].astype(kind), second=nets[1].astype(kind), last=nets[2].astype(kind))
    beside.replace(path)


def states_for(folder: Path, seats: int, turn: int, games: int, budget: int, say: Say) -> Array:
    """States of all stages, from the play of the nets of the turn before."""
    path = folder / f"states-{turn}.npy"
    if path.exists():
        return np.asarray(np.load(path).view(MAUSEN.STATE))  # files do not tell that records are aligned
    blank = core.blank(MAUSEN, seats).records()
    nets = nets_of(folder / f"nets-{turn - 1}.npz", *neurons(seats))

    def some(at: int) -> Array:
        found = np.zeros((CARDS + 1, min(PART, games - at) * BRANCHES), MAUSEN.STATE)
        dice = np.array([turn * 1_000_003 + at], np.uint64)
        machine_code(walk)(blank, min(PART, games - at), nets, budget, 0.15, dice, found)
        if turn:
            say(f"turn {turn}: {at} games of {games}")
        return found

    states = np.concatenate(list(side_by_side(some, range(0, games, PART))), axis=1)
    folder.mkdir(parents=True, exist_ok=True)
    np.save(path, states)
    return states


def worked_out(given: Array, nets: Nets, exact: int, budget: int, seed: int) -> Array:
    """What the equilibrium of the next choice brings each player in each of these states."""

    def some(at: int) -> Array:
        values = np.zeros((len(given[at : at + PART]), SEATS))
        dice = np.array([seed * 1_000_003 + at], np.uint64)
        machine_code(work_out)(given[at : at + PART], nets, exact, budget, dice, values)
        return values

    return np.concatenate(list(side_by_side(some, range(0, len(given), PART))))


def train(seats: int, turns: int, games: int, effort: int, budget: int, epochs: int) -> None:
    folder = RUNS / str(seats)
    begun = time.monotonic()

    def say(what: str) -> None:
        tell(f"{seats} players, {time.monotonic() - begun:6.0f} s, {what}")

    for turn in range(turns):
        path = folder / f"nets-{turn}.npz"
        if path.exists():
            continue
        rough_games = states_for(folder, seats, 0, games, 0, say)
        own_games = states_for(folder, seats, turn, games, budget // 3, say) if turn else rough_games[:, :0]
        part = folder / f"part-{turn}.npz"
        nets = nets_of(part, *neurons(seats))
        rng = np.random.default_rng(turn)
        net = fresh(rng, *neurons(seats))
        for stage in STAGES:
            if nets[2][stage].any():
                net = [half[stage].copy() for half in nets]
                continue
            given = np.concatenate([own_games[stage], rough_games[stage]])  # few cards, quick work: room for both
            given = given[given["seats"] > 0]  # the last card may be taken from all at once
            given = given[: max(1000, effort * 1_000_000 // min(stage**seats, budget))]
            values = worked_out(given, nets, 3 if seats == 3 else 0, budget, turn * 100 + stage)
            seen = inputs(given, seats)
            off, equal = fit(net, seen, values[:, :seats].astype(np.float32), epochs, rng)
            for half, new in zip(nets, net, strict=True):
                half[stage] = new
            save(part, nets)
            say(f"turn {turn}: {stage} cards, {len(given)} states, off by {off:.4f} (all equal: {equal:.4f})")
        part.replace(path)


def ship() -> None:
    """The latest nets of each player count, in half the precision."""
    for seats in range(3, SEATS + 1):
        if done := sorted((RUNS / str(seats)).glob("nets-?.npz")):
            save(DATA / f"mausen-{seats}.npz", nets_of(done[-1], *neurons(seats)), np.float16)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seats", type=int, nargs="*", choices=range(3, SEATS + 1), default=range(3, SEATS + 1))
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--games", type=int, default=8000, help="to take states from")
    parser.add_argument("--effort", type=int, default=80, help="millions of joint choices looked at for each stage")
    parser.add_argument("--budget", type=int, default=4096, help="joint choices looked at for each state")
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--ship", action="store_true", help="do not train")
    given = parser.parse_args()
    for seats in [] if given.ship else given.seats:
        train(seats, given.turns, given.games, given.effort, given.budget, given.epochs)
    ship()


if __name__ == "__main__":
    main()
