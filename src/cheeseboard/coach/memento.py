"""Memento: what turns and positions are worth by play-outs among planners, and what there was to remember.

A play-out goes on to the end of the round; from there the points tell how often each would win. In all play-outs of the
same number the same cards lie in the same piles, as far as that can be: so it is the choice that makes the difference,
and after the choice that a planner would make a position is worth exactly what it was before."""

from functools import cache, partial
from types import ModuleType
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from cheeseboard.bots import LEVELS
from cheeseboard.bots.dice import GAMMA, chance
from cheeseboard.bots.memento import PLAYERS, advise, planner
from cheeseboard.bots.memento_memory import Memory, recall
from cheeseboard.bots.memento_tables import mind, plain_mind
from cheeseboard.bots.search import STREAM, at_the_end, guessed
from cheeseboard.coach import Belief, Views, Weighed, of_the_win
from cheeseboard.games.compiled import compile_for
from cheeseboard.games.core import EMPTY, LOT, LUCK, OVER, SEATS, Game, State, members, nth
from cheeseboard.games.memento.rules import CATEGORIES, DESIGNS, DRAW, FACE_DOWN, LAY, OPEN, TURN
from cheeseboard.table import Log, Table

game: Any = None  # the compiled rules and what goes with them, put here by `compile_for`
TRIES = {2: (80, 112, 160), 3: (16, 24, 48), 4: (12, 16, 32), 5: (8, 12, 24)}  # of a position: by players, and round
WORLDS = 16  # that are guessed, where somebody has drawn face down
SEED = 5
UNSEEN, PASSING = DESIGNS, DESIGNS + 1  # faces besides the designs
# points that say little about who wins: by players, before the second round and the third; fitted to planners' games
TEMPERS = {2: (5.6, 3.8), 3: (7.0, 4.75), 4: (5.4, 3.9), 5: (4.5, 3.4)}
START = 0.8  # points that it is worth to begin a round, likewise

Floats = npt.NDArray[np.float64]


def chances(game: Game, state: State) -> list[float]:
    if state.phase == OVER:
        return of_the_win(game, state)
    if state.phase == LOT:
        return [1 / state.seats] * state.seats  # nothing has been dealt yet
    many, laps = (1, 0) if state.phase == LAY else (tries(state), 1)  # where a round has just ended points tell
    return cast("list[float]", played(game, [state], [EMPTY], many, laps)[0].mean(axis=0).tolist())


def tries(state: State) -> int:
    return TRIES[state.seats][state.lap]


def weighed(game: Game, views: Views) -> dict[int, Weighed]:
    return {seat: _weighed(game, view, seat) for seat, view in views.items()}


def _weighed(game: Game, view: State, seat: int) -> Weighed:
    """By play-outs in worlds that may be the true one. The right mix is what everybody does there: as planned."""
    actions, plan = members(game.legal(view, seat)), planner(game, view, seat, np.random.default_rng(SEED), 0)
    shares = played(game, worlds(game, view, seat), actions, tries(view))[:, :, seat]
    worth = shares.mean(axis=1)
    errors = (shares - shares[int(worth.argmax())]).std(axis=1, ddof=1) / tries(view) ** 0.5
    return Weighed(
        {action: float(action == plan) for action in actions},
        dict(zip(actions, worth.tolist(), strict=True)),
        {action: face(view, action) for action in actions},
        max(float(errors.max()), 1 / tries(view)),
    )


def worlds(game: Game, view: State, seat: int) -> list[State]:
    """Is nothing hidden from the seat but what lies in the piles, there is only one."""
    drawn = sum(view.cards[other] - sum(view.openly[other]) for other in range(view.seats) if other != seat)
    rng = np.random.default_rng(SEED)
    return [State.of(guessed(game, view, rng)[0]) for _ in range(WORLDS if drawn else 1)]


def face(view: State, action: int) -> int:
    return int(view.top[action]) if action < OPEN else UNSEEN if action == FACE_DOWN else PASSING


def round(view: State) -> int:  # noqa: A001
    return int(view.lap) + 1


def stake(view: State) -> int:  # noqa: ARG001
    """Nothing that one number could tell: all scoring cards lie open."""
    return 0


# --- play-outs ------------------------------------------------------------------------------------------------------


def played(rules: Game, worlds: list[State], actions: list[int], many: int, laps: int = 1) -> Floats:
    """Everybody's share of the win after each of the actions (EMPTY: none), play-out by play-out.

    `laps`: rounds that are played; with all of them nothing has to be told by points."""
    records = np.concatenate([world.records() for world in worlds])
    seats = worlds[0].seats
    shares = np.zeros((len(actions), many, SEATS))
    room = records[:1].copy(), np.zeros(1, np.uint64), mind(worlds[0].deck, seats)
    _machine_code(rules)(records, *room, np.array(TEMPERS[seats]), np.array(actions), SEED, laps, shares)
    return shares[:, :, :seats]


@cache
def _machine_code(rules: Game) -> Any:
    module: Any = ModuleType(rules.__name__)
    vars(module).update(vars(rules), advise=advise, lucky=lucky, by_points=by_points, at_the_end=at_the_end)
    return compile_for(module, play_out, inline=False)


def play_out(
    worlds: Any, ends: Any, dice: Any, minds: Any, tempers: Any, actions: Any, seed: int, laps: int, shares: Any
) -> None:
    """Do each of the actions in one world after the other, and play on."""
    state, mind = ends[0], minds[0]
    for row in range(len(actions)):
        for number in range(shares.shape[1]):
            ends[0] = worlds[number % len(worlds)]
            last, stream = state.lap + laps, np.uint64(seed) + np.uint64(number) * STREAM
            if actions[row] != EMPTY:
                game.apply(state, state.turn, actions[row], None)
            while state.phase != OVER and state.lap < last:
                who = nth(game.waiting(state), 0)
                done = game.lucky(state, stream, dice) if who == LUCK else game.advise(state, who, mind, dice)
                game.apply(state, who, done, None)
            if not game.at_the_end(state, mind, shares[row][number]):
                game.by_points(state, tempers[state.lap - 1], shares[row][number])


def lucky(state: Any, stream: Any, dice: Any) -> int:
    """One of LUCK's actions, each as likely as there are cards behind it.

    They race, and whether the one or the other is still there changes nobody's time: so a place has its card, whatever
    went on elsewhere."""
    place, depth = state.place, 0
    if state.phase == DRAW:
        place = FACE_DOWN
    if state.phase in (TURN, DRAW):
        depth = state.lying[place]
    spot = ((state.lap * 8 + state.phase) * 8 + place) * 32 + depth
    dice[0] = stream + np.uint64(spot) * np.uint64(32) * GAMMA
    actions = game.legal(state, LUCK)
    first, least = 0, np.inf
    for action in range(game.ACTIONS):
        time = -np.log(1 - chance(dice))
        if (actions >> action) & 1 and time < least * game.odds(state, action):
            first, least = action, time / game.odds(state, action)
    return first


def by_points(state: Any, temper: float, shares: Any) -> None:
    """How often each wins, when a round is about to begin."""
    total = 0.0
    for seat in range(state.seats):
        points = state.scores[seat] - state.scores[0] + START * int(seat == state.turn)
        shares[seat] = np.exp(points / temper)
        total += shares[seat]
    for seat in range(state.seats):
        shares[seat] /= total


# --- what there was to remember -------------------------------------------------------------------------------------


def beliefs(log: Log) -> list[Belief]:
    """At each scoring, of each colour and shape: what everybody had, and what somebody who forgets would have known."""
    table = Table.replay(Log(log.game, log.version, log.seats, log.options))
    told: list[list[Any]] = [[] for _ in range(log.seats)]
    found = []
    for n, (who, action) in enumerate(log, 1):
        before, round_before = table.state.copy(), round(table.state)
        steps = table.play(who, action)
        for seat in range(log.seats):
            told[seat].append([event for step in steps for event in step.told(seat)])
        if table.over or round(table.state) != round_before:
            found += [_belief(n, table.game, before, table.state, seat, told[seat]) for seat in range(log.seats)]
    return found


def _belief(n: int, rules: Game, before: State, after: State, seat: int, past: list[Any]) -> Belief:
    rules.hide(view := before.copy(), seat)
    kinds = [category for category in range(CATEGORIES) if after.counted[category] != EMPTY]
    known = {}
    for level, memory in memories().items():
        thoughts = plain_mind(view.deck, view.seats).copy()
        recall(view, seat, past, memory, thoughts)
        known[level] = [int(thoughts.count[seat][category]) for category in kinds]
    held, points = after.held[seat], after.marks[seat]
    return Belief(
        n, before.lap + 1, seat, kinds, [held[kind] for kind in kinds], [points[kind] for kind in kinds], known
    )


def memories() -> dict[str, Memory]:
    """Of the levels that forget."""
    choosing = {level: PLAYERS[level].choose for level in LEVELS}
    return {level: cast("Memory", c.keywords["memory"]) for level, c in choosing.items() if isinstance(c, partial)}
