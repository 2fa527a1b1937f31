"""What the bots of Hol's der Geier are worth, in figures: `python bench/geier_bots.py exploit pool --games 2000`.

exploit   8-card decks: what an exact best response gains against the elephant, and in points against `points`
minis     small decks for three: what one who deviates gains against two elephants, exactly
response  the whole deck: what a best response, fitted as the elephant's own nets are, scores in real games
deviator  the whole deck for three: one who was trained against two elephants and knows how they mix
pool      the elephant against everybody who plays for two
fox       the fox against habits

`bench/bots.py` tells of the levels of any game."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from cheeseboard.bots import geier_many, geier_rounds, player
from cheeseboard.bots.geier import ROUNDS, drawn
from cheeseboard.bots.geier_two import EXACT, Floats, position, solve
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import EMPTY, LUCK, OVER, State, members
from cheeseboard.lab.simulate import play_game
from cheeseboard.lab.solve.geier_response import best_response
from cheeseboard.lab.train import geier_deviator, geier_response
from cheeseboard.table import Table

GEIER = GAMES["geier"]
DECKS: dict[str, dict[str, Any]] = {
    "1 to 8, ties discarded": {"prizes": [1, 2, 3, 4, 5, 6, 7, 8], "ties": "goofspiel"},
    "the booklet's first 8": {"cards": 8},
}
MINIS: list[dict[str, Any]] = [
    {"prizes": [4, 3, 1, -2]},
    {"prizes": [4, 3, 1, -2], "ranking": "highest-mouse"},
    {"prizes": [5, 2, -1, -3]},
    {"prizes": [1, 2, 3]},
]
POOL = ("random", "rank", "level1", "level2", "tiers", "rollouts", "search", "points", "mouse", "cat", "dog", "fox")
HABITS = ("rank", "level1", "tiers")


def to_win(view: State, seat: int) -> Floats:
    return by_action(view.hand[seat], solve(position(view, seat)).mix)


def for_points(view: State, seat: int) -> Floats:
    return by_action(view.hand[seat], solve(position(view, seat, points=True)).mix)


def by_action(hand: int, mix: Floats) -> Floats:
    spread = np.zeros(GEIER.ACTIONS)
    spread[members(hand)] = mix
    return spread


def exploit(args: argparse.Namespace) -> Iterator[Any]:
    for aim, policy in (("win", to_win), ("points", for_points)):
        for deck, options in DECKS.items():
            found = best_response(policy, aim, solved=EXACT, cores=args.cores, **options)
            yield {"deck": deck, "aim": aim, "best response gains": round(found.value, 4), "positions": found.asked}


def minis(args: argparse.Namespace) -> Iterator[Any]:  # noqa: ARG001
    for options in MINIS:
        state = core.new(GEIER, 3, **options)
        gain = deviated(state, {}) - 1 / 3
        yield {"three players": options, "a deviator gains": round(gain, 5)}


def deviated(state: State, known: dict[bytes, float]) -> float:
    """The share of the win that the first can have, the other two being elephants."""
    if state.phase == OVER:
        return won(state, 0)
    key = state.tobytes()
    if key not in known:
        total = 0.0
        for prize in members(state.left):
            turned = after(state, (LUCK, prize))
            mixes = geier_rounds.many(turned, player(GEIER, "elephant").budget).mixes
            hands = [members(turned.hand[seat]) for seat in range(3)]
            best = 0.0
            for mine in hands[0]:
                worth = 0.0
                for b, share_b in zip(hands[1], mixes[1], strict=True):
                    for c, share_c in zip(hands[2], mixes[2], strict=True):
                        if share_b * share_c > 0:
                            end = after(turned, (0, mine), (1, b), (2, c))
                            end.last = [EMPTY] * len(end.last)  # which does not matter any more
                            worth += share_b * share_c * deviated(end, known)
                best = max(best, worth)
            total += best
        known[key] = total / core.count(state.left)
    return known[key]


def after(state: State, *moves: tuple[int, int]) -> State:
    end = state.copy()
    for seat, action in moves:
        GEIER.apply(end, seat, action, None)
    return end


def response(args: argparse.Namespace) -> Iterator[Any]:
    nets = geier_response.learnt(Path("runs/geier-response"), args.count, args.epochs, 1)
    results = [one_response(nets, number) for number in range(args.games)]
    yield {"what": "fitted best response, whole deck", **interval(results)}


def one_response(nets: Any, number: int) -> float:
    """What the response scores in one game; deals come in pairs with the seats exchanged."""
    rng = np.random.default_rng([11, number])
    table = Table(GEIER, 2, np.random.default_rng([12, number // 2]))
    foe = number % 2
    while not table.over:
        at = position(table.view(1 - foe), 1 - foe)
        mix = solve(at).mix
        card = drawn(GEIER, table.view(1 - foe), 1 - foe, mix, rng)
        if len(at.mine) > EXACT:
            answer = members(table.state.hand[foe])[geier_response.response(at, nets)[0]]
        else:
            answer = drawn(GEIER, table.view(foe), foe, solve(position(table.view(foe), foe)).mix, rng)
        table.play(1 - foe, card)
        table.play(foe, answer)
    return won(table.state, foe)


def deviator(args: argparse.Namespace) -> Iterator[Any]:
    rounds = player(GEIER, "elephant").budget
    nets = geier_deviator.learnt(Path("runs/geier-deviator"), args.walks, args.epochs, rounds, 1)
    results = [one_deviation(nets, number) for number in range(args.games)]
    yield {"what": "one who deviates among three", **interval(results), "one in": round(1 / 3, 4)}


def one_deviation(nets: Any, number: int) -> float:
    rng, table = np.random.default_rng([13, number]), Table(GEIER, 3, np.random.default_rng([14, number]))
    foe, rounds = number % 3, player(GEIER, "elephant").budget
    while not table.over:
        view = table.view(core.NOBODY)  # between the bids nothing is hidden
        mixes = geier_rounds.many(view, rounds).mixes
        cards = [drawn(GEIER, view, seat, mixes[seat], rng) for seat in range(3)]
        if len(members(view.hand[foe])) > geier_many.EXACT[3]:
            worths = geier_deviator.deviation(view, foe, mixes, nets)
            cards[foe] = members(view.hand[foe])[int(worths.argmax())]
        for seat, card in enumerate(cards):
            table.play(seat, card)
    return won(table.state, foe)


def won(state: State, seat: int) -> float:
    place = list(GEIER.rank(state))
    return float(place[seat] == 1) / place.count(1)


def interval(results: list[float]) -> dict[str, Any]:
    """The mean, with 95 % certainty within so much; two games on one deal count as one."""
    pairs = np.array(results[: len(results) // 2 * 2]).reshape(-1, 2).mean(1)
    width = 1.96 * pairs.std(ddof=1) / np.sqrt(len(pairs))
    return {"score": round(float(pairs.mean()), 4), "within": round(float(width), 4), "games": len(results)}


def match(one: str, other: str, games: int) -> dict[str, Any]:
    """Two players, each deal twice with the seats exchanged."""
    results = []
    for number in range(games):
        names = [one, other] if number % 2 == 0 else [other, one]
        table, _ = play_game(GEIER, names, [21, number], {}, luck=[22, number // 2])
        results.append(won(table.state, number % 2))
    return {"match": f"{one} - {other}", **interval(results)}


def pool(args: argparse.Namespace) -> Iterator[Any]:
    for name in POOL:
        games = args.games if player(GEIER, name).budget <= ROUNDS else max(args.games // 20, 20)
        yield match("elephant", name, games)


def fox(args: argparse.Namespace) -> Iterator[Any]:
    for name in HABITS:
        yield match("fox", name, args.games)


def main() -> None:
    kinds = {"exploit": exploit, "minis": minis, "response": response, "deviator": deviator, "pool": pool,
             "fox": fox}  # fmt: skip
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="+", choices=kinds)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--count", type=int, default=40_000, help="positions a card, for the fitted best response")
    parser.add_argument("--walks", type=int, default=3000, help="games to learn from, for the trained deviator")
    parser.add_argument("--epochs", type=int, default=12)
    args = parser.parse_args()
    for what in args.what:
        for line in kinds[what](args):
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
