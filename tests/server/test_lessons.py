"""Lessons are real games: every act by the rules, every sentence short, in all languages, and kind."""

import re

import httpx
import pytest

from cheeseboard.games import GAMES, core
from cheeseboard.games.core import LUCK
from cheeseboard.games.texts import LANGUAGES
from cheeseboard.server import messages
from cheeseboard.server.lessons import READ, lesson, script, staged
from cheeseboard.table import Table
from tests.server.running import Running

BUBBLES, WORDS = 12, 20
STEPS = {name: lesson(name).steps for name in GAMES}
SAID = {name: [step.say for step in steps if step.say] for name, steps in STEPS.items()}


@pytest.fixture(params=GAMES)
def game(request):
    return request.param


def test_it_is_short(game):
    assert 0 < len(SAID[game]) <= BUBBLES
    for say in SAID[game]:
        for text in say.values():
            assert 0 < len(text.split()) <= WORDS, text


def test_it_is_told_in_every_language(game):
    for say in SAID[game]:
        assert set(say) == set(LANGUAGES)
        assert say["de"] != say["en"]
        assert all(re.search(r"[.!?]$|[.!?][”“]$", text) for text in say.values()), say
        assert not re.search(r"\b(Sie|Ihnen|Ihre?[nmrs]?)\b", say["de"])


def test_the_learner_acts_and_may(game):
    asked = [step for step in STEPS[game] if step.act != READ]
    assert len(asked) >= 4
    for step in asked:
        assert step.say
        assert step.act in step.view.legal
        assert step.view.you == lesson(game).seat


def test_it_is_played_by_the_rules(game):
    """Again, at a table of its own: every act is accepted, and luck is never left waiting before somebody's eyes."""
    plan = script(game)
    table = Table(GAMES[game], plan.seats, None, **plan.options)
    for scene, step in zip(staged(plan), STEPS[game], strict=True):
        for act in scene.acts:
            table.play(*act)
        assert LUCK not in table.waiting()
        assert step.view.view == vars(table.view(plan.seat, strict=True))
        assert step.view.over == table.over
        if not step.say:
            assert step.act == READ
            assert step.view.events, "a scene without a word has something to show"


def test_whose_turn_it_is_they_take(game):
    """Nobody is asked to act while the game waits for others only; a race waits for the clock."""
    for step in STEPS[game]:
        if step.act != READ and step.view.waiting:
            assert step.view.you in step.view.waiting


def test_it_ends_at_a_natural_point(game):
    """When the game is over, or with something won: a pile, a mouse, a round; and with a last word."""
    last = STEPS[game][-1]
    assert last.say
    assert last.act == READ
    ends = {"taken", "caught", "hunts", "total", "won"}
    happened = [{event.kind for event in step.view.events} for step in STEPS[game] if step.view.events]
    assert last.view.over or ends & happened[-1]


def test_names(game):
    plan = script(game)
    assert len(plan.names) == plan.seats
    assert [not name for name in plan.names] == [seat == plan.seat for seat in range(plan.seats)]


def test_pages_follow_each_other(game):
    views = [step.view for step in STEPS[game]]
    assert [view.n for view in views] == [*range(1, len(views) + 1)]
    assert [view.since for view in views] == [*range(len(views))]


def test_secrets_stay_secret(game):
    """The learner sees what a guest at this seat would see, no more."""
    for step in STEPS[game]:
        assert all(event.card != core.HIDDEN or event.seat != step.view.you for event in step.view.events)
        if game == "geier" and not step.view.over:
            assert {step.view.view["bid"][seat] for seat in (1, 2)} <= {core.EMPTY, core.HIDDEN}


def test_by_http(tmp_path):
    with Running(tmp_path / "house") as house:
        for name in GAMES:
            answer = httpx.get(f"{house.url}/api/games/{name}/lesson")
            assert answer.status_code == 200
            assert answer.content == messages.encode(lesson(name))
        answer = httpx.get(f"{house.url}/api/games/chess/lesson")
        assert answer.status_code == 400
        assert answer.json()["code"] == "no-game"
