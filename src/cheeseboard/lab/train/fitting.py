"""Fitting a small net to numbers. `paired`: their sign changes with the eyes that look; rows 2n and 2n + 1 show the
same position from both sides, and the net's answer is half the difference of what it says to them. `bounded`: the
numbers lie between -1 and 1. `sure`: a net that is not sure enough is corrected as much near the ends as in the middle.
By squared errors alone it is hardly, and says 0.94 where 0.96 is right, 0.98 where it is 0.997; if other nets learn
from what it says that adds up.

A net is [w1, b1, w2, b2, w3], or with one more array: what each of a number of known orders adds to the first layer."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from cheeseboard.games.compiled import machine_code

BATCH = 128  # small steps, and many of them, learn these jagged numbers better than large ones
PACE = 4e-3
HELD = 25  # one of so many positions is not learnt from, but asked for

Floats = npt.NDArray[Any]  # of float32: NumPy's types forget it
Net = list[Floats]
Slopes = Callable[[Net, Any], Net]


def answers(net: Net, seen: Floats, orders: Any) -> Floats:
    return forward(net, seen, orders)[2]


def forward(net: Net, seen: Floats, orders: Any) -> tuple[Floats, Floats, Floats]:
    w1, b1, w2, b2, w3 = net[:5]
    first = seen @ w1
    first += b1
    if len(net) > 5:
        first += net[5][orders]
    np.maximum(first, 0, out=first)
    second = first @ w2
    second += b2
    np.maximum(second, 0, out=second)
    return first, second, second @ w3


def gradient(net: Net, seen: Floats, orders: Any, goal: Floats, *, bounded: bool, paired: bool, sure: bool) -> Net:
    first, second, raw = forward(net, seen, orders)
    answer = 0.5 * (raw[0::2] - raw[1::2]) if paired else raw
    if bounded:
        root = np.sqrt(1 + answer * answer)
        slope = answer / root - goal
        if not sure:
            slope /= root**3
    else:
        slope = answer - goal
    back = slope / np.float32(len(goal))
    if paired:
        back = np.stack((back, -back), 1).ravel()
    slopes, d1 = through(net, seen, first, second, np.outer(back, net[4]))
    slopes.append(second.T @ back)
    if len(net) > 5:
        slopes.append(np.zeros_like(net[5]))
        machine_code(scatter)(orders, d1, slopes[5])
    return slopes


def through(net: Net, seen: Floats, first: Floats, second: Floats, d2: Floats) -> tuple[Net, Floats]:
    """The slopes of the first two layers by those of what comes out of them; and those of what the first adds up."""
    d2 *= second > 0
    d1 = d2 @ net[2].T
    d1 *= first > 0
    return [seen.T @ d1, d1.sum(0), first.T @ d2, d2.sum(0)], d1


def scatter(orders: Any, rows: Any, sums: Any) -> None:
    for n in range(len(orders)):
        sums[orders[n]] += rows[n]


def improve(w: Any, g: Any, m: Any, v: Any, mean: Any, pace: float, settling: bool) -> None:
    """One step of Adam on flat arrays; `mean` follows the weights slowly once they settle.

    Something tiny is added to all slopes: what fades away would become too small to be computed with fast."""
    for n in range(len(w)):
        slope = g[n] + np.float32(1e-15)
        m[n] += np.float32(0.1) * (slope - m[n])
        v[n] += np.float32(0.001) * (slope * slope - v[n])
        w[n] -= np.float32(pace) * m[n] / (np.sqrt(v[n]) + np.float32(1e-8))
        mean[n] = mean[n] + np.float32(0.003) * (w[n] - mean[n]) if settling else w[n]


def fit(
    seen: Floats, orders: Any, targets: Any, rng: np.random.Generator, say: Any,
    *, epochs: int, hidden: tuple[int, int] = (128, 128), bounded: bool = True, paired: bool = True, sure: bool = False,
) -> tuple[Net, float]:  # fmt: skip
    """A net for these positions, the step shrinking to nothing, and its error on some it has not learnt from."""
    count, width = len(targets), seen.shape[1]
    net = begun(width, hidden, rng)
    net.append(rng.normal(0, 0.5 * np.sqrt(1 / hidden[1]), hidden[1]).astype(np.float32))
    if orders.any():
        net.append(np.zeros((int(orders.max()) + 1, hidden[0]), np.float32))
    goal = targets.astype(np.float32)
    held = max(count // HELD, 1)
    eyes = 1 + paired
    pairs, sides = seen.reshape(count, eyes, width), orders.reshape(count, eyes)

    def slopes(net: Net, rows: Any) -> Net:
        inputs = pairs[rows].reshape(-1, width)
        return gradient(net, inputs, sides[rows].ravel(), goal[rows], bounded=bounded, paired=paired, sure=sure)

    net = descended(net, slopes, np.arange(held, count), epochs, rng, say)
    tested = slice(eyes * held)
    return net, error(net, seen[tested], orders[tested], goal[:held], bounded=bounded, paired=paired)


def begun(width: int, hidden: tuple[int, int], rng: np.random.Generator) -> Net:
    """The first two layers of a net that knows nothing yet."""
    wide, narrow = hidden
    return [
        rng.normal(0, np.sqrt(2 / width), (width, wide)).astype(np.float32),
        np.zeros(wide, np.float32),
        rng.normal(0, np.sqrt(2 / wide), (wide, narrow)).astype(np.float32),
        np.zeros(narrow, np.float32),
    ]


def descended(net: Net, slopes: Slopes, rows: Any, epochs: int, rng: np.random.Generator, say: Any) -> Net:
    """The mean of the later nets on the way down these slopes, which are asked for some of the rows at a time."""
    steps = epochs * (len(rows) // BATCH)
    momentum, power = [np.zeros_like(w) for w in net], [np.zeros_like(w) for w in net]
    average = [w.copy() for w in net]
    number = 0
    for _ in range(epochs):
        shuffled = rng.permutation(rows)
        for at in range(0, len(rows) - BATCH + 1, BATCH):
            found = slopes(net, shuffled[at : at + BATCH])
            number += 1
            pace = PACE * min(1.0, number / 300) * (1 - number / (steps + 1)) * np.sqrt(1 - 0.999**number)
            for w, g, m, v, mean in zip(net, found, momentum, power, average, strict=True):
                improve_fast = machine_code(improve)
                improve_fast(w.ravel(), g.ravel(), m.ravel(), v.ravel(), mean.ravel(), pace, number > steps // 2)
        say(number / steps)
    return average


def error(net: Net, seen: Floats, orders: Any, goal: Floats, *, bounded: bool, paired: bool) -> float:
    raw = answers(net, seen, orders)
    answer = 0.5 * (raw[0::2] - raw[1::2]) if paired else raw
    if bounded:
        answer = answer / np.sqrt(1 + answer * answer)
    return float(np.sqrt(np.mean((answer - goal) ** 2)))


# --- mixes ----------------------------------------------------------------------------------------------------------


def shares(net: Net, seen: Floats, can: Any) -> tuple[Floats, Floats, Floats]:
    """As `forward`; the answer is how often to do what, of all that one can do. Such a net has a bias in the last
    layer, too."""
    first, second, raw = forward(net[:5], seen, None)
    raw += net[5]
    raw[~can] = -np.inf
    raw -= raw.max(1, keepdims=True)
    np.exp(raw, out=raw)
    return first, second, raw / raw.sum(1, keepdims=True)


def fit_mixes(
    seen: Floats, goal: Floats, can: Any, rng: np.random.Generator, say: Any, *, epochs: int, hidden: tuple[int, int]
) -> tuple[Net, float]:
    """A net that tells these mixes, by its cross entropy; and how far it is off on those it has not learnt from: how
    much would have to be moved from one action to another."""
    count, narrow, kinds = len(seen), hidden[1], goal.shape[1]
    net = begun(seen.shape[1], hidden, rng)
    net += [rng.normal(0, 0.3 * np.sqrt(1 / narrow), (narrow, kinds)).astype(np.float32), np.zeros(kinds, np.float32)]
    held = rng.permutation(count)[: max(count // HELD, 1)]

    def slopes(net: Net, rows: Any) -> Net:
        inputs = seen[rows]
        first, second, answer = shares(net, inputs, can[rows])
        back = (answer - goal[rows]) / np.float32(len(rows))
        return [*through(net, inputs, first, second, back @ net[4].T)[0], second.T @ back, back.sum(0)]

    net = descended(net, slopes, np.setdiff1d(np.arange(count), held), epochs, rng, say)
    off = shares(net, seen[held], can[held])[2] - goal[held]
    return net, float(np.abs(off).sum(1).mean() / 2)
