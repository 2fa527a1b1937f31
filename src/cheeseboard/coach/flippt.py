"""Mausgeflippt: no shares of the win, but paws. Everybody knows what would be right; quick and sure is what counts.

The log keeps what those did who were first, and the verdicts how quick everybody was. What somebody slower wanted to
play nobody knows any more: so times are told by what the hand asked for, a garment or the shout."""

from functools import cache

import numpy as np

from cheeseboard.bots.flippt import PAWS, reaction
from cheeseboard.coach.pace import Floats, How, Reach
from cheeseboard.games import GAMES
from cheeseboard.games.core import CLOCK, EMPTY, Refusal, State, count, members, new
from cheeseboard.games.flippt.rules import CARRIES, DESIGNS, LET_GO, RACE, SHOUT, SHOUTS, WEARS
from cheeseboard.referee import Verdict
from cheeseboard.table import Log, Table

GARMENT, CRY = range(2)  # what a hand asks for: something in it fits, or nothing
TRIES = 300  # simulated reactions of a level
SEED = 7


def reaches(log: Log, races: dict[int, Verdict]) -> list[Reach]:
    """What each seat did about each mouse, and how quickly. `races`: by entries of the log before the verdict."""
    if not races:
        return []
    table, found, left = Table.replay(Log(log.game, log.version, log.seats, log.options)), [], dict(races)
    head_starts = {paw.seat: paw.handicap for verdict in races.values() for paw in verdict.paws}
    begin, before, acts = 0, table.state, dict[int, int]()
    verdict: Verdict | None = None
    racing = False
    for n, (who, action) in enumerate(log):
        if not racing and table.state.phase == RACE:
            racing, begin, before, acts, verdict = True, n, table.state.copy(), {}, None
        if racing:
            verdict = left.pop(n, verdict)  # after a pause it is opened anew, later than at first
            if who != CLOCK:
                acts[who] = action
            if who == CLOCK or acts.keys() >= set(members(before.ready)):
                racing = False
                found += _told(begin, before, acts, verdict, head_starts)
        table.play(who, action)
    if left:
        raise Refusal(f"expected races for the mice of this game, got one after {min(left)} entries of its log")
    return found


def _told(
    n: int, before: State, acts: dict[int, int], verdict: Verdict | None, head_starts: dict[int, float]
) -> list[Reach]:
    slaps = {seat: action for seat, action in acts.items() if action != LET_GO}
    if slaps and not verdict:
        return []  # nobody measured this one
    if verdict and slaps.keys() != set(verdict.first):
        raise Refusal(f"expected the paws that were first in the log, after {n} entries, got others")
    paws = {paw.seat: paw for paw in verdict.paws} if verdict else {}
    best = verdict.paws[0].score if verdict else None
    wears, protected = int(WEARS[before.shown]), int(CARRIES[before.shown]) == before.cheese
    mice = before.mice_left + 1
    found = []
    became: dict[int, How] = {}
    for seat, slap in slaps.items():  # in their order
        right = before.hand[seat][0] & wears == 0 if slap == SHOUT else wears >> slap & 1 == 1
        if (protected and became) or (right and not protected and mice == 0):
            became[seat] = "late"
        else:
            became[seat] = "right" if right and not protected else "wrong"
            mice -= became[seat] == "right"
    for seat in members(before.ready):
        fits, may_shout = count(before.hand[seat][0] & wears), before.down[seat][SHOUTS - 1] == EMPTY
        how = became.get(seat) or ("late" if seat in paws else "passed" if seat in acts else "idle")
        found.append(
            Reach(
                n,
                seat,
                GARMENT if fits else CRY,
                how,
                not protected and bool(fits or may_shout),
                round(paws[seat].score + paws[seat].handicap, 1) if seat in paws else None,
                None if best is None else round(best + head_starts.get(seat, 0.0), 1),
                sum(paw.seat == seat for paw in verdict.early) if verdict else 0,
                (count(before.hand[seat][0]), fits, int(may_shout)),
            )
        )
    return found


@cache
def reactions(like: tuple[int, ...]) -> dict[str, Floats]:
    """What each level needs with so many different garments in the hand, so many of which fit."""
    cards, fits, may_shout = like
    view = new(GAMES["flippt"], 2)
    worn = members(int(WEARS[0]))
    others = [design for design in range(DESIGNS) if design not in worn]
    view.shown = 0
    view.hand[0][0] = sum(1 << design for design in worn[:fits] + others[: cards - fits])
    view.down[0][SHOUTS - 1] = EMPTY if may_shout else 0
    return {level: _needed(level, view) for level in PAWS}


def _needed(level: str, view: State) -> Floats:
    rng = np.random.default_rng(SEED)
    tried = [reaction(PAWS[level], view, 0, rng) for _ in range(TRIES)]
    return np.array([np.inf if action == LET_GO else ms for action, ms in tried])
