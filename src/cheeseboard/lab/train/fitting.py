"""Fitting a small net to numbers. `paired`: their sign changes with the eyes that look; rows 2n and 2n + 1 show the
same position from both sides, and the net's answer is half the difference of what it says to them. `bounded`: the
numbers lie between -1 and 1. `sure`: a net that is not sure enough is corrected as much near the ends as in the middle.
By squared errors alone it is hardly, and says 0.94 where 0.96 is right, 0.98 where it is 0.997; if other nets learn
from what it says that adds up.

A net is [w1, b1, w2, b2, w3], or with one more array: what each of a number of known orders adds to the first layer."""

from typing import Any

import numpy as np
import numpy.typing as npt

from cheeseboard.games.compiled import machine_code

BATCH = 128  # small steps, and many of them, learn these jagged numbers better than large ones
PACE = 4e-3

Floats = npt.NDArray[Any]  # of float32: NumPy's types forget it
Net = list[Floats]


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
    d2 = np.outer(back, net[4])
    d2 *= second > 0
    d1 = d2 @ net[2].T
    d1 *= first > 0
    slopes = [seen.T @ d1, d1.sum(0), first.T @ d2, d2.sum(0), second.T @ back]
    if len(net) > 5:
        slopes.append(np.zeros_like(net[5]))
        machine_code(scatter)(orders, d1, slopes[5])
    return slopes


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
    wide, narrow = hidden
    net: Net = [
        rng.normal(0, np.sqrt(2 / width), (width, wide)).astype(np.float32),
        np.zeros(wide, np.float32),
        rng.normal(0, np.sqrt(2 / wide), (wide, narrow)).astype(np.float32),
        np.zeros(narrow, np.float32),
        rng.normal(0, 0.5 * np.sqrt(1 / narrow), narrow).astype(np.float32),
    ]
    if orders.any():
        net.append(np.zeros((int(orders.max()) + 1, wide), np.float32))
    goal = targets.astype(np.float32)
    held = max(count // 25, 1)
    steps = epochs * ((count - held) // BATCH)
    momentum, power = [np.zeros_like(w) for w in net], [np.zeros_like(w) for w in net]
    average = [w.copy() for w in net]
    number = 0
    eyes = 1 + paired
    pairs, sides = seen.reshape(count, eyes, width), orders.reshape(count, eyes)
    for _ in range(epochs):
        shuffled = held + rng.permutation(count - held)
        for at in range(0, count - held - BATCH + 1, BATCH):
            rows = shuffled[at : at + BATCH]
            inputs = pairs[rows].reshape(-1, width)
            slopes = gradient(net, inputs, sides[rows].ravel(), goal[rows], bounded=bounded, paired=paired, sure=sure)
            number += 1
            pace = PACE * min(1.0, number / 300) * (1 - number / (steps + 1)) * np.sqrt(1 - 0.999**number)
            for w, g, m, v, mean in zip(net, slopes, momentum, power, average, strict=True):
                improve_fast = machine_code(improve)
                improve_fast(w.ravel(), g.ravel(), m.ravel(), v.ravel(), mean.ravel(), pace, number > steps // 2)
        say(number / steps)
    tested = slice(eyes * held)
    return average, error(average, seen[tested], orders[tested], goal[:held], bounded=bounded, paired=paired)


def error(net: Net, seen: Floats, orders: Any, goal: Floats, *, bounded: bool, paired: bool) -> float:
    raw = answers(net, seen, orders)
    answer = 0.5 * (raw[0::2] - raw[1::2]) if paired else raw
    if bounded:
        answer = answer / np.sqrt(1 + answer * answer)
    return float(np.sqrt(np.mean((answer - goal) ** 2)))
