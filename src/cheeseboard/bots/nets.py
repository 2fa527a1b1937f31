"""Small nets that were trained before (`lab/train`): reading them, and what they answer.

The answer must be the same on every machine. So it is computed by plain loops, each number by the same additions in the
same order, and never by a library that adds up in an order of its own."""

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

Weights = dict[str, npt.NDArray[np.float32]]


@cache
def load(name: str) -> Weights:
    """The arrays of `data/NAME.npz`. They are stored in half the precision they are used in."""
    with (files(__package__) / "data" / f"{name}.npz").open("rb") as file, np.load(file) as stored:
        return {label: np.ascontiguousarray(stored[label], np.float32) for label in stored.files}


def layer(inputs: Any, weights: Any, bias: Any, outputs: Any) -> None:
    """One layer of neurons, each of which gives what is above 0."""
    outputs[:] = bias
    for i in range(len(inputs)):
        signal = inputs[i]
        if signal != 0:
            for j in range(len(outputs)):
                outputs[j] += signal * weights[i, j]
    for j in range(len(outputs)):
        outputs[j] = max(outputs[j], np.float32(0))


def total(inputs: Any, weights: Any) -> Any:
    """The last neuron, which gives everything."""
    answer = np.float32(0)
    for i in range(len(inputs)):
        answer += inputs[i] * weights[i]
    return answer
