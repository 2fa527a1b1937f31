"""Memento: what turns and positions are worth by play-outs among planners, and what there was to remember.

A play-out goes on to the end of the round; from there the points tell how often each would win. In all play-outs of the
same number the same cards lie in the same piles, as far as that can be: so it is the choice that makes the difference,
and after the choice that a planner would make a position is worth exactly what it was before."""

from functools import cache, lru_cache, partial
from types import ModuleType
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from cheeseboard.bots import LEVELS
from cheeseboard.bots.dice import GAMMA, chance
from cheeseboard.bots.memento import PLAYERS, advise
from cheeseboard.bots.memento_memory import Memory, recall
from cheeseboard.bots.memento_plan import choose, collect, look, survey
from cheeseboard.bots.memento_tables import mind, plain_mind
from cheeseboard.bots.search import STREAM, at_the_end
from cheeseboard.coach import Belief, Done, Views, Weighed, of_the_win
from cheeseboard.games.compiled import compile_for, machine_code
from cheeseboard.games.core import EMPTY, LOT, LUCK, OVER, SEATS, Game, State, members
from cheeseboard.games.memento.rules import (
    CATEGORIES,
    COPIES,
    DESIGNS,
    DRAW,
    FACE_DOWN,
    LAPS,
    LAY,
    OPEN,
    PLAY,
    TURN,
)
from cheeseboard.table import Log, Table

game: Any = None  # the compiled rules and what goes with them, put here by `compile_for`
AIM = 0.008  # the standard error of a chance: then nearly all are right to 2 %
FEW = {2: 96, 3: 48, 4: 32, 5: 32}  # play-outs of a position, by players, that tell how many it takes
MOST = {2: (1200, 1200, 4800), 3: (280, 280, 500), 4: (200, 200, 380), 5: (180, 180, 360)}  # by round
FIRST = {2: 48, 3: 16, 4: 12, 5: 12}  # play-outs of each choice,
CHOICE = {2: 400, 3: 64, 4: 40, 5: 32}  # and of those that matter, where somebody has drawn face down
SEED = 5
OTHERS = 1 << 20  # the number of the first play-out that nothing is told by
UNSEEN, PASSING = DESIGNS, DESIGNS + 1  # faces besides the designs
EQUAL = int(COPIES.max())  # cards of one kind
NAMED = np.uint64(1 << 20)  # cards for one place, at the very most
# points that say little about who wins: by players, before the second round and the third; fitted to planners' games
TEMPERS = {2: (5.6, 3.8), 3: (7.0, 4.75), 4: (5.4, 3.9), 5: (4.5, 3.4)}
START = 0.8  # points that it is worth to begin a round, likewise

Floats = npt.NDArray[np.float64]


def chances(game: Game, state: State) -> list[float]:
    if state.phase == OVER:
        return of_the_win(game, state)
    if state.phase == LOT:
        return [1 / state.seats] * state.seats  # nothing has been dealt yet
    return cast("list[float]", shares(game, state).mean(axis=0).tolist())


def shares(game: Game, state: State) -> Floats:
    """Everybody's share of the win in play-outs from here: one row, where there is nothing to play.

    What is planned for sure is done first: so there are as many play-outs before it as after it."""
    while state.phase == PLAY:
        state = after(game, state, planned(state.records(), state.turn))
    if state.phase in (LAY, OVER):
        return played(game, state.records(), EMPTY, range(1), laps=0)
    return tried(game, state.tobytes())


def after(game: Game, state: State, action: int) -> State:
    then = state.copy()
    game.apply(then, state.turn, action, None)
    return then


def planned(records: npt.NDArray[Any], seat: int) -> int:
    return int(machine_code(advise)(records[0], seat, mind(int(records[0].deck), int(records[0].seats))[0], None))


@lru_cache(maxsize=16)
def tried(rules: Game, packed: bytes) -> Floats:
    """Everybody's share of the win in play-outs from this position, as many as it takes."""
    records = np.frombuffer(packed, rules.STATE).copy()  # another kind of array would be compiled for once more
    seats, lap = int(records[0].seats), int(records[0].lap)
    few = played(rules, records, EMPTY, range(FEW[seats]))
    spread = few.var(axis=0).max() + (lap == LAPS - 1) / len(few)  # a rare win may have happened to none of them
    many = min(MOST[seats][lap], int(spread / AIM**2))
    return np.concatenate([few, played(rules, records, EMPTY, range(FEW[seats], many))])


def reference(game: Game, state: State, many: int) -> Floats:
    """The same in other play-outs than those that the chances are told by."""
    return played(game, state.records(), EMPTY, range(OTHERS, OTHERS + many))


def weighed(game: Game, views: Views, done: Done) -> dict[int, Weighed]:
    return {seat: _weighed(game, view, seat, done.get(seat, EMPTY)) for seat, view in views.items()}


def _weighed(game: Game, view: State, seat: int, done: int) -> Weighed:
    """By play-outs in worlds that may be the true one. The right mix is what everybody does there: as planned.

    Only what was done, what is planned and what seems best is tried often."""
    actions, records = members(game.legal(view, seat)), view.records()
    plan = planned(records, seat)
    worlds = guessed(game, view, seat, records)
    first = {action: played(game, worlds, action, range(FIRST[view.seats]))[:, seat] for action in actions}
    best = max(actions, key=lambda action: float(first[action].mean()))
    often = {action: _often(game, worlds, action, first[action], seat) for action in {plan, best, done} & {*actions}}
    worth = {action: float(found.mean()) for action, found in often.items()}
    most = max(worth, key=worth.__getitem__)
    errors = [_error(found, often[most]) for found in often.values()]
    for action in actions:  # in the same play-outs; a few of them put nothing in front
        behind = float((first[action] - first[plan]).mean())
        worth.setdefault(action, min(worth[plan] + behind, worth[most]))
    return Weighed(
        {action: float(action == plan) for action in actions},
        {action: worth[action] for action in actions},
        {action: face(view, action) for action in actions},
        max(*errors, 1 / max(len(first[plan]), *map(len, often.values()))),
    )


def _often(rules: Game, worlds: npt.NDArray[Any], action: int, first: Floats, seat: int) -> Floats:
    if len(worlds) == 1:  # the true one: the very play-outs that tell the chances then
        return shares(rules, after(rules, State.of(worlds[0]), action))[:, seat]
    many = CHOICE[int(worlds[0].seats)]
    return np.concatenate([first, played(rules, worlds, action, range(len(first), many))[:, seat]])


def _error(some: Floats, others: Floats) -> float:
    """The standard error of the difference, as far as they are the same play-outs."""
    fewer, many = sorted((len(some), len(others)))
    many = fewer if fewer > 1 else many  # one: that is certain, and the other one not
    return float((some[:many] - others[:many]).std() / many**0.5)


def guessed(rules: Game, view: State, seat: int, records: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Worlds that may be the true one. Where only what lies in the piles is hidden from the seat, there is only one."""
    drawn = sum(view.cards[other] - sum(view.openly[other]) for other in range(view.seats) if other != seat)
    worlds = np.repeat(records, CHOICE[view.seats] if drawn else 1)
    _machine_code(rules, guess_all)(worlds, np.random.default_rng(SEED))
    return worlds


def face(view: State, action: int) -> int:
    return int(view.top[action]) if action < OPEN else UNSEEN if action == FACE_DOWN else PASSING


def round(view: State) -> int:  # noqa: A001
    return int(view.lap) + 1


def stake(view: State) -> int:  # noqa: ARG001
    """Nothing that one number could tell: all scoring cards lie open."""
    return 0


# --- play-outs ------------------------------------------------------------------------------------------------------


def played(rules: Game, worlds: npt.NDArray[Any], action: int, numbers: range, laps: int = 1) -> Floats:
    """Everybody's share of the win after the action (EMPTY: none), in the play-outs of these numbers.

    `laps`: rounds that are played; with all of them nothing has to be told by points."""
    seats = int(worlds[0].seats)
    shares = np.zeros((len(numbers), SEATS))
    room = worlds[:1].copy(), np.zeros(1, np.uint64), mind(int(worlds[0].deck), seats)
    _machine_code(rules, play_out)(worlds, *room, np.array(TEMPERS[seats]), action, SEED, numbers.start, laps, shares)
    return shares[:, :seats]


@cache
def _machine_code(rules: Game, driver: Any) -> Any:
    module: Any = ModuleType(rules.__name__)
    vars(module).update(vars(rules), lucky=lucky, by_points=by_points, at_the_end=at_the_end)
    return compile_for(module, driver, inline=driver is play_out)


def guess_all(worlds: Any, rng: Any) -> None:
    for number in range(len(worlds)):
        game.guess(worlds[number], rng)


def play_out(
    worlds: Any,
    ends: Any,
    dice: Any,
    minds: Any,
    tempers: Any,
    action: int,
    seed: int,
    first: int,
    laps: int,
    shares: Any,
) -> None:
    """Do the action in one world after the other, and play on. In the mind is always what everybody has by now."""
    state, mind = ends[0], minds[0]
    for number in range(first, first + len(shares)):
        ends[0] = worlds[number % len(worlds)]
        last, stream = state.lap + laps, np.uint64(seed) + np.uint64(number) * STREAM
        if action != EMPTY:
            game.apply(state, state.turn, action, None)
        survey(state, mind)
        look(state, mind)
        while state.phase != OVER and state.lap < last:
            if state.phase == PLAY:
                seat = state.turn
                done = choose(state, seat, mind)
                if done < OPEN:
                    collect(state, seat, state.top[done], mind)
                game.apply(state, seat, done, None)
            else:
                phase, seat = state.phase, state.turn
                done = game.lucky(state, stream, dice)
                game.apply(state, LUCK, done, None)
                if phase == LAY:
                    survey(state, mind)
                    look(state, mind)
                else:
                    mind.unseen[done] -= 1
                    if phase == DRAW:
                        collect(state, seat, done, mind)
        if not game.at_the_end(state, mind, shares[number - first]):
            game.by_points(state, tempers[state.lap - 1], shares[number - first])


def lucky(state: Any, stream: Any, dice: Any) -> int:
    """One of LUCK's actions, each as likely as there are cards behind it.

    For a place one card after the other is named until one is still there, and whether others are there changes
    nothing: so a place has its card, whatever went on elsewhere."""
    place, depth = state.place, 0
    if state.phase == DRAW:
        place = FACE_DOWN
    if state.phase in (TURN, DRAW):
        depth = state.lying[place]
    spot = ((state.lap * 8 + state.phase) * 8 + place) * 32 + depth
    dice[0] = stream + np.uint64(spot) * NAMED * GAMMA
    actions = game.legal(state, LUCK)
    while True:
        card = int(chance(dice) * (game.ACTIONS * EQUAL))
        if (actions >> card // EQUAL) & 1 and card % EQUAL < game.odds(state, card // EQUAL):
            return card // EQUAL


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
