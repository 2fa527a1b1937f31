"""Memento: the planner's picture of a turn, fitted by play against itself.

    python -m cheeseboard.lab.train.memento           two players, 200 steps; some minutes on one core

Each step changes some of the numbers in `Model` a little and lets the changed planner play against its last three
champions, on the same deals from every seat. Who wins twice, the second time over many deals, is the next champion. All
champions are kept in `runs/memento`, a run goes on from the last one, and its numbers belong into `Model`."""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from cheeseboard.bots.memento_plan import plan, survey
from cheeseboard.bots.memento_tables import FITTED, Model, mind
from cheeseboard.games import GAMES, core
from cheeseboard.games.compiled import compile_for
from cheeseboard.games.core import LUCK, OVER
from cheeseboard.lab.driver import luck
from cheeseboard.lab.train.telling import tell

MEMENTO = GAMES["memento"]
RUNS = Path("runs/memento")
FEW, MANY = 500, 3000  # deals of the first and of the second trial
BETTER = 0.505
MOST = {"offer": 1.0, "rival": 1.0, "overtake": 0.6, "rise": 0.6}  # chances, two of them of what is hardly ever even
game: Any = None  # the compiled rules, put here by `compile_for`


# --- to be compiled -------------------------------------------------------------------------------------------------


def duel(blank: Any, minds: Any, first: int, deals: int, seed: int, wins: Any) -> None:
    """The first mind against the second one at all other seats, on each deal once from every seat."""
    states, views, dice = blank.copy(), blank.copy(), np.zeros(1, np.uint64)
    state, view, seats = states[0], views[0], int(blank[0].seats)
    for number in range(first * seats, (first + deals) * seats):
        states[0] = blank[0]
        dice[0] = np.uint64(seed) * np.uint64(0xD1342543DE82EF95) + np.uint64(number // seats) * np.uint64(
            0xDA942042E4DD58B5
        )
        game.start(state)
        while state.phase != OVER:
            if game.waiting(state) == 1 << LUCK:
                game.apply(state, LUCK, luck(state, dice), None)
            else:
                seat = int(state.turn)
                who = minds[int(seat != number % seats)]
                views[0] = states[0]
                game.hide(view, seat)
                survey(view, who)
                game.apply(state, seat, plan(view, seat, who), None)
        place, winners = game.rank(state), 0
        for seat in range(seats):
            winners += int(place[seat] == 1)
        wins[0] += int(place[number % seats] == 1) / winners


# --- the fit --------------------------------------------------------------------------------------------------------


def score(candidate: Model, champions: list[Model], seats: int, deals: int, seed: int) -> float:
    """The candidate's share of wins against the champions, one half if it is as good as they are."""
    blank, total = core.blank(MEMENTO, seats).records(), 0.0
    for champion in champions:
        minds, wins = np.concatenate([mind(0, seats, model) for model in (candidate, champion)]), np.zeros(1)
        compile_for(MEMENTO, duel, inline=False)(blank, minds, 0, deals, seed, wins)
        total += wins[0] / deals / len(champions)
    return total / 2  # of as many games as there are seats an equal wins one


def changed(model: Model, step: float, rng: np.random.Generator) -> Model:
    """One to three of the numbers a little larger or smaller."""
    names = rng.choice(Model._fields, rng.integers(1, 4), replace=False)
    values = {name: getattr(model, name) * float(np.exp(rng.normal(0, step))) for name in map(str, names)}
    return model._replace(**{name: round(min(value, MOST.get(name, value)), 3) for name, value in values.items()})


def fit(seats: int, steps: int, few: int = FEW, many: int = MANY, seed: int = 0) -> Model:
    """Go on from the last champion; `runs/memento` holds them all."""
    kept = RUNS / f"{seats}.json"
    begun, champions = 0, [FITTED]
    if kept.exists():
        begun, *numbers = json.loads(kept.read_text("utf-8"))
        champions = [Model(*model) for model in numbers]
    for step in range(begun, steps):
        rng = np.random.default_rng([seed, step])
        candidate = changed(champions[-1], 0.4 * 0.75 ** (step // 60), rng)
        if score(candidate, champions[-3:], seats, few, 2 * step) > BETTER:
            share = score(candidate, champions[-3:], seats, many, 2 * step + 1)
            if share > BETTER:
                champions.append(candidate)
                tell(f"step {step}: {share:.1%} against the last ones by {candidate}")
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps([step + 1, *champions]), "utf-8")
    return champions[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the planner of Memento by play against itself.")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--steps", type=int, default=200)
    wanted = parser.parse_args()
    tell(str(fit(wanted.seats, wanted.steps)))


if __name__ == "__main__":
    main()
