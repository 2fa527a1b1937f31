"""How far can the elephant be exploited at full size? Its mix is a function of the position, so a best response to it
is learnt as its own nets are, from the end backwards: what can be had on top of what the elephant believes. The score
of that response in real games is a lower bound of what there is to gain."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from cheeseboard.bots.geier_two import EXACT, FACTS, Position, follow, inputs, net_of, read, without
from cheeseboard.bots.geier_two import solve as solution
from cheeseboard.bots.matrix import read_mixes, solve_in_place
from cheeseboard.games.compiled import machine_code
from cheeseboard.lab.train.fitting import Net, answers, fit
from cheeseboard.lab.train.geier import LAST, ROWS, positions, see, spread
from cheeseboard.lab.train.telling import tell, teller

HIDDEN = (96, 48)


def respond(
    mine: Any, theirs: Any, values: Any, ups: Any, facts: Any, raw: Any, more: Any, sure: Any, worths: Any, gains: Any
) -> None:
    """What the response is worth to the other side, one prize turned for each position; `more` is by the nets below."""
    k = mine.shape[1]
    hand, other, rest = np.empty(k - 1, np.int64), np.empty(k - 1, np.int64), np.empty(k - 1, np.int64)
    then = np.empty(FACTS, np.int64)
    table, order = np.empty((k + 1, k + 1)), np.empty(2 * k, np.int64)
    against, mix, mix_other = np.empty((k, k)), np.empty(k), np.empty(k)
    row = 0
    for n in range(len(mine)):
        without(values[n], ups[n], rest)
        for a in range(k):
            for b in range(k):
                if sure[row]:
                    table[a, b] = worths[row]
                    against[a, b] = -worths[row]
                else:
                    follow(mine[n], theirs[n], a, b, values[n, ups[n]], facts[n], hand, other, then)
                    table[a, b] = read(raw[2 * row], raw[2 * row + 1], rest, then)
                    against[a, b] = more[row] - table[a, b]
                row += 1
        solve_in_place(table, order, k, k)
        read_mixes(table, order, k, k, mix, mix_other)
        best = -9.0
        for b in range(k):
            gain = 0.0
            for a in range(k):
                gain += mix[a] * against[a, b]
            best = max(best, gain)
        gains[n] = best


def beliefs(net: Any, seen: Any) -> Any:
    """What the elephant's net believes of positions, as it sees them."""
    raw = answers(list(net), seen, np.zeros(1, np.int64))
    answer = 0.5 * (raw[0::2] - raw[1::2])
    return answer / np.sqrt(1 + answer * answer)


def targets(states: list[Any], below: Net | None, rng: np.random.Generator, say: Any) -> Any:
    """What is to be had on top, in positions before a prize is turned, by one prize drawn for each."""
    count, k = states[0].shape
    ups = rng.integers(0, k, count)
    gains = np.empty(count)
    size = max(1, ROWS // (2 * k * k))
    rows = size * k * k
    seen, orders = np.zeros((2 * rows, inputs(k - 1)), np.float32), np.zeros(2 * rows, np.int64)
    sure, worths = np.empty(rows, np.bool_), np.empty(rows)
    net = list(net_of("geier-two", k - 1))
    for at in range(0, count, size):
        part, some = [array[at : at + size] for array in states], ups[at : at + size]
        used = len(some) * k * k
        machine_code(spread)(*part[:3], some[:, None], part[3], seen, orders, sure, worths)
        raw = answers(net, seen[: 2 * used], orders[:1])
        more = answers(below, seen[1 : 2 * used : 2], orders[:1]) if below else np.zeros(used, np.float32)
        machine_code(respond)(*part[:3], some, part[3], raw, more, sure, worths, gains[at : at + size])
        say(at / count)
    return gains


def learnt(folder: Path, count: int, epochs: int, seed: int) -> dict[int, Net]:
    """The nets of the response, by cards left."""
    folder.mkdir(parents=True, exist_ok=True)
    nets: dict[int, Net] = {}
    for k in range(EXACT + 1, LAST + 1):
        path = folder / f"net-{k}.npz"
        if not path.exists():
            rng, say = np.random.default_rng([seed, k]), teller(f"response, {k} cards")
            states = positions(k, count, seed * 100 + k, points=False)
            seen, orders = np.empty((2 * count, inputs(k)), np.float32), np.zeros(2 * count, np.int64)
            machine_code(see)(*states, seen, orders)
            gains = targets(states, nets.get(k - 1), rng, say) + beliefs(net_of("geier-two", k), seen)
            net, off = fit(
                seen[1::2], orders[1::2] * 0, gains, rng, say, epochs=epochs, hidden=HIDDEN, bounded=False, paired=False
            )
            np.savez(path, *net)
            tell(f"{k} cards: gain {gains.mean():.4f}, spread {gains.std():.4f}, error {off:.4f}")
        with np.load(path) as stored:
            nets[k] = [stored[name] for name in stored.files]
    return nets


@cache
def flat() -> Any:
    return np.zeros(1, np.int64)


def response(at: Position, nets: dict[int, Net]) -> tuple[int, float]:
    """The place in the hand of the best card against the elephant (`at` is as that one sees it), and its worth."""
    k = len(at.mine)
    if k <= EXACT or at.up is None:
        raise ValueError(f"expected a prize and more than {EXACT} cards, got {at}: the rest is solved")
    solved = solution(at)
    mix, against = solved.mix, -solved.payoffs
    if k - 1 in nets:
        seen, orders = np.zeros((2 * k * k, inputs(k - 1)), np.float32), np.zeros(2 * k * k, np.int64)
        sure, worths = np.empty(k * k, np.bool_), np.empty(k * k)
        one = [array[None] for array in (at.mine, at.theirs, at.values)]
        machine_code(spread)(*one, np.array([[at.up]]), at.facts[None], seen, orders, sure, worths)
        against += (answers(nets[k - 1], seen[1::2], flat()) * ~sure).reshape(k, k)
    worth = mix @ against
    return int(worth.argmax()), float(worth.max())
