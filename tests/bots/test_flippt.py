"""Eyes and paws: right most of the time, at a human pace, and each level quicker and surer than the one below."""

from pathlib import Path

import numpy as np
import pytest

from cheeseboard.bots import LEVELS
from cheeseboard.bots.flippt import FLOOR_MS, PAWS, reaction
from cheeseboard.games import GAMES, core
from cheeseboard.games.flippt.rules import CARRIES, LET_GO, SHOUT, WEARS
from tests.games import laws

GAME = GAMES["flippt"]


def races(count: int = 200):
    """Views of seats that may react to a mouse."""
    found = []
    for seed in range(20):
        for state, seat, _ in laws.walk(GAME, laws.ways(GAME)[0], laws.seeded(seed)):
            if seat < core.SEATS and state.shown >= 0 and GAME.legal(state, seat):
                found.append((core.view(GAME, state, seat), seat))
            if len(found) == count:
                return found
    return found


VIEWS = races()


def right(view, seat, action) -> bool:
    if int(CARRIES[view.shown]) == view.cheese:
        return bool(action == LET_GO)
    fits = view.hand[seat][0] & int(WEARS[view.shown])
    return bool(fits >> action & 1) if fits else bool(action == SHOUT or not GAME.legal(view, seat) >> SHOUT & 1)


@pytest.mark.parametrize("level", LEVELS)
def test_legal_and_never_quicker_than_a_person(level):
    for n, (view, seat) in enumerate(VIEWS):
        done = reaction(PAWS[level], view, seat, np.random.default_rng(n))
        assert GAME.legal(view, seat) >> done.action & 1
        assert done.ms >= FLOOR_MS
        assert done == reaction(PAWS[level], view, seat, np.random.default_rng(n))


def test_each_level_is_quicker_and_surer_than_the_one_below():
    medians, mistakes = [], []
    for level in LEVELS:
        all_of_them = [
            (view, seat, reaction(PAWS[level], view, seat, np.random.default_rng([n, again])))
            for n, (view, seat) in enumerate(VIEWS)
            for again in range(10)
        ]
        medians.append(float(np.median([done.ms for _, _, done in all_of_them if done.action != LET_GO])))
        mistakes.append(sum(not right(view, seat, done.action) for view, seat, done in all_of_them))
    assert medians == sorted(medians, reverse=True)
    assert mistakes == sorted(mistakes, reverse=True)
    assert mistakes[0] < len(VIEWS) * 10 * 0.4, "a child is no fool"
    assert mistakes[-1] < len(VIEWS) * 10 * 0.02


def test_a_mouse_with_the_open_cheese_is_left_alone():
    protected = [(view, seat) for view, seat in VIEWS if int(CARRIES[view.shown]) == view.cheese]
    assert protected
    for n, (view, seat) in enumerate(protected):
        assert right(view, seat, reaction(PAWS["elephant"], view, seat, np.random.default_rng(n)).action)


def test_the_docs_tell_the_same_figures():
    text = (Path(__file__).parents[2] / "docs" / "bots.md").read_text()
    for level, paw in PAWS.items():
        row = next(line for line in text.split("## Mausgeflippt")[1].splitlines() if line.startswith(f"| `{level}`"))
        start, look, *errors = (cell.strip() for cell in row.split("|")[2:-1])
        assert (float(start), look) == (paw.start, f"{paw.look:g}, {paw.look_in_vain:g}")
        assert errors == [f"{100 * part:g} %" for part in (paw.overlooks, paw.errs, paw.cries, paw.dreams)]
