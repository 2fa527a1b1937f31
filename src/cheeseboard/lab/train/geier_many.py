"""The nets of Hol's der Geier for three, four and five players: positions as people of all kinds leave them, each worth
what the symmetric equilibrium of its round is worth, by the net for one card less."""

import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cheeseboard.bots.dice import chance
from cheeseboard.bots.geier_course import follow, turn
from cheeseboard.bots.geier_many import EXACT, Effort, solve_round
from cheeseboard.bots.geier_nets import BY_MOUSE, FACTS, GOOFSPIEL, describe, inputs
from cheeseboard.games.compiled import machine_code
from cheeseboard.lab.train.fitting import Net, fit
from cheeseboard.lab.train.geier_states import ANY, CARDS, KINDS, OVER, OVER_OVER, TIERS, below, deal, noise
from cheeseboard.lab.train.sharing import side_by_side
from cheeseboard.lab.train.telling import tell, teller

LAST = 14  # cards left in the positions that get a net
COOL = Effort(3, rounds=400, meetings=60, cool=True)  # as the coach, but quicker: the noise of few meetings evens out
PART = 250  # positions that are looked at in one go


class Plan(NamedTuple):
    """How to learn. The first net is for as many cards as are played out exactly."""

    effort: Effort  # how to think about a position
    hidden: tuple[int, int]  # neurons
    enough: tuple[float, ...]  # positions for each number of cards from the first on, times the usual count


PLANS = {
    "3": Plan(Effort(3, whole=8500, rounds=200), (96, 32), (3,) * 7 + (1,) * 5),
    "4": Plan(Effort(2, whole=8500, rounds=200), (96, 32), (1,) * 13),
    "5": Plan(Effort(2, whole=8500, rounds=200), (96, 32), (1,) * 7 + (0.6,) * 6),
    # For those who cool down, as many as can be looked at in about the same time. The fewer cards there are the quicker
    # that is, and the more jagged is what positions are worth.
    "cool-3": Plan(Effort(3, cool=True), (96, 32), (40, 40, 39, 23, 14, 9.6, 6.8, 4.9, 3.7, 2.9, 2.2, 1.8)),
    "cool-4": Plan(COOL, (64, 32), (14, 20, 7, 3.4, 2.2, 1.5, 2.2, 2, 1.9, 1.6, 1.4, 1.1)),
    "cool-5": Plan(COOL, (64, 32), (2.2, 3, 1.2, 2.2, 1.9, 1.6, 1.3, 1, 0.7, 0.6, 0.45, 0.38)),
}


def first_above(hand: Any, card: int) -> int:
    for at in range(len(hand)):
        if hand[at] > card:
            return at
    return 0


def overbid(hands: Any, me: int, level: int, rank: int, pot: int) -> int:
    """The place of the card that a player of this level lays (see `bots/geier.py`)."""
    n = len(hands)
    if level == 0:
        return rank
    limit = -1
    for who in range(n):
        if who != me:
            card = hands[who, overbid(hands, who, level - 1, rank, pot)]
            if limit < 0 or (card > limit) == (pot >= 0):
                limit = card
    return first_above(hands[me], limit)


def bid(
    hands: Any, me: int, kind: int, wild: float, slack: float, rank: int, pot: int, weight: float, dice: Any
) -> Any:
    k = hands.shape[1]
    if kind == ANY or chance(dice) < wild:
        return below(k, dice)
    if kind == TIERS:
        tier = (weight >= 0.75) + (weight >= 0.45)
        first = tier * k // 3
        return first + below(max((tier + 1) * k // 3 - first, 1), dice)
    level = (kind == OVER) + 2 * (kind == OVER_OVER)
    at = overbid(hands, me, level, rank, pot)
    return min(max(int(at + noise(dice) * slack * k + 0.5), 0), k - 1)


def one(n: int, k: int, dice: Any, hands_out: Any, scores: Any, tops: Any, values_out: Any, facts: Any) -> None:
    """Play until k cards are left."""
    cards = CARDS if chance(dice) < 0.7 else k + below(CARDS - k + 1, dice)
    values = np.empty(cards, np.int64)
    deal(cards, dice, values)
    greatest = abs(values[cards - 1])
    values = np.sort(values)
    hands = np.empty((n, cards), np.int64)
    for who in range(n):
        for card in range(cards):
            hands[who, card] = card
    scores[:] = 0
    tops[:] = 0
    facts[:] = 0
    facts[GOOFSPIEL] = chance(dice) < 0.1
    facts[BY_MOUSE] = chance(dice) < 0.15
    kinds, wild, slack = np.empty(n, np.int64), np.empty(n), np.empty(n)
    for who in range(n):
        kinds[who] = below(KINDS, dice)
        wild[who] = 0.6 * chance(dice) * chance(dice)
        slack[who] = 0.4 * chance(dice)
    blunders = chance(dice) < 0.4
    bids, then = np.empty(n, np.int64), np.empty(FACTS, np.int64)
    while cards > k:
        hands_then, rest = np.empty((n, cards - 1), np.int64), np.empty(cards - 1, np.int64)
        pot, mouse = turn(values, below(cards, dice), facts, rest)
        rank = 0
        for value in rest:
            rank += (abs(value), value) < (abs(pot), pot)
        anything = blunders and cards == k + 1
        for who in range(n):
            kind = ANY if anything else kinds[who]
            bids[who] = bid(hands, who, kind, wild[who], slack[who], rank, pot, abs(pot) / max(greatest, 1), dice)
        follow(hands, scores, tops, bids, pot, mouse, facts, hands_then, scores, tops, then)
        facts[:] = then
        hands, values = hands_then, rest
        cards -= 1
    if chance(dice) < 0.3:  # closer than people of so many kinds would be
        middle = 0
        for who in range(n):
            middle += scores[who]
        for who in range(n):
            scores[who] = (scores[who] + middle // n + below(3, dice)) // 2
    hands_out[:] = hands
    values_out[:] = values


def many(seed: int, hands: Any, scores: Any, tops: Any, values: Any, facts: Any) -> None:
    dice = np.zeros(1, np.uint64)
    dice[0] = np.uint64(seed) * np.uint64(0xD1342543DE82EF95)
    for row in range(len(hands)):
        one(hands.shape[1], hands.shape[2], dice, hands[row], scores[row], tops[row], values[row], facts[row])


def targets(
    hands: Any,
    scores: Any,
    tops: Any,
    values: Any,
    facts: Any,
    seed: int,
    net: Any,
    effort: Any,
    ups: Any,
    mixes: Any,
    worths: Any,
) -> None:
    """What the round is worth to each, for one prize turned, and what each should bid."""
    dice = np.zeros(1, np.uint64)
    dice[0] = np.uint64(seed) * np.uint64(0xDA942042E4DD58B5)
    _, n, k = hands.shape
    rest, of_cards, habits = np.empty(k - 1, np.int64), np.empty((n, k)), np.zeros((n, k))
    for row in range(len(hands)):
        ups[row] = up = below(k, dice)
        pot, mouse = turn(values[row], up, facts[row], rest)
        solve_round(hands[row], scores[row], tops[row], rest, pot, mouse, facts[row], net, effort, habits, mixes[row],
                    of_cards)  # fmt: skip
        for who in range(n):
            worths[row, who] = (mixes[row, who] * of_cards[who]).sum()


def see(hands: Any, scores: Any, tops: Any, values: Any, facts: Any, seen: Any) -> None:
    n = hands.shape[1]
    for row in range(len(hands)):
        for who in range(n):
            describe(hands[row], scores[row], tops[row], values[row], facts[row], who, seen[row * n + who])


def positions(n: int, k: int, count: int, seed: int) -> list[Any]:
    shapes = ((count, n, k), (count, n), (count, n), (count, k), (count, FACTS))
    states: list[Any] = [np.zeros(shape, np.int64) for shape in shapes]
    machine_code(many)(seed, *states)
    return states


def looked_ahead(states: list[Any], net: tuple[Any, ...], effort: Effort, seed: int, say: Any) -> list[Any]:
    """For each position the prize that is turned, everybody's mix, and what the round is worth to everybody."""
    count, n, k = states[0].shape
    found: list[Any] = [np.empty(count, np.int64), np.empty((count, n, k)), np.empty((count, n))]

    def some(at: int) -> int:
        part = [array[at : at + PART] for array in states]
        machine_code(targets)(*part, seed + at + 1, net, effort, *(array[at : at + PART] for array in found))
        return at

    for at in side_by_side(some, range(0, count, PART)):
        say(at / count)
    return found


def rounds(name: str, k: int, net: Net, folder: Path, count: int, seed: int) -> list[Any]:
    """Positions with k cards, and what `looked_ahead` finds in them. They are kept: those who bid at a glance learn
    from them, too."""
    path, plan, n = folder / f"rounds-{k}.npz", PLANS[name], int(name[-1])
    if not path.exists():
        begun = time.perf_counter()
        states = positions(n, k, int(plan.enough[k - plan.effort.exact] * count), seed * 1000 + n * 100 + k)
        found = looked_ahead(states, tuple(net), plan.effort, seed, teller(f"{name}, rounds with {k} cards"))
        kinds = (*(np.int16 for _ in states), np.int16, np.float16, np.float32)
        np.savez_compressed(path, *(part.astype(kind) for part, kind in zip((*states, *found), kinds, strict=True)))
        tell(f"{name}, {k} cards: {len(found[0])} rounds in {time.perf_counter() - begun:.0f} s")
    with np.load(path) as stored:
        return [stored[part] for part in stored.files]


def ladder(name: str, folder: Path, count: int, epochs: int, seed: int) -> dict[str, Any]:
    """All nets of this plan, each from the one before."""
    folder.mkdir(parents=True, exist_ok=True)
    plan, n = PLANS[name], int(name[-1])
    first, cool = plan.effort.exact, plan.effort.cool
    empty = (np.zeros((1, 1), np.float32), np.zeros(1, np.float32))
    nets: dict[int, Net] = {first - 1: [*empty, *empty, empty[1]]}
    for k in range(first, LAST + 1):
        path = folder / f"net-{k}.npz"
        if not path.exists():
            *states, _, _, worths = rounds(name, k, nets[k - 1], folder, count, seed)
            begun = time.perf_counter()
            rng = np.random.default_rng([seed, n, k])
            seen = np.empty((worths.size, inputs(n, k, cool=cool)), np.float32)
            machine_code(see)(*(part.astype(np.int64) for part in states), seen)
            none, goal, say = np.zeros(worths.size, np.int64), 2 * worths.ravel() - 1, teller(f"{name}, {k} cards")
            net, off = fit(seen, none, goal, rng, say, epochs=epochs, hidden=plan.hidden, paired=False, sure=cool)
            np.savez(path, *net)
            spent = f"{time.perf_counter() - begun:.0f} s"
            tell(f"{name}, {k} cards: error {off / 2:.4f}, spread {worths.std():.3f}, {spent}")
        with np.load(path) as stored:
            nets[k] = [stored[part] for part in stored.files]
    shipped = {k: net for k, net in nets.items() if k >= EXACT[n]}
    return {f"{name}-{k}-{i}": w.astype(np.float16) for k, net in shipped.items() for i, w in enumerate(net)}
