"""A first game on rails: what `lesson.toml` of a game tells, played by the real rules.

A lesson's `[[steps]]` each have `acts`, what happens first; `say`, what the learner is then told; and `act`, what the
learner has to do to go on, if anything. An act is written as the seat, "luck" or "clock", and what it does, one thing
after another: `["luck", 0, 4]`. A script that the rules do not allow is our mistake, and a crash."""

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

from cheeseboard.games import GAMES
from cheeseboard.games.core import CLOCK, LUCK
from cheeseboard.server import messages
from cheeseboard.server.tales import Act, tale

READ = -1  # nothing to do here but to read
SEATS = {"luck": LUCK, "clock": CLOCK}


class Step(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    say: dict[str, str]
    acts: list[list[int | str]] = []
    act: int = READ


class Script(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    seats: int
    seat: int  # the learner's
    names: list[str]  # of all; the learner is called otherwise
    steps: list[Step]
    options: dict[str, Any] = {}


class Scene(NamedTuple):
    acts: list[Act]
    say: dict[str, str]
    act: int


def script(name: str) -> Script:
    package = GAMES[name].__name__.rpartition(".")[0]
    return msgspec.convert(tomllib.loads((files(package) / "lesson.toml").read_text("utf-8")), Script)


@cache
def lesson(name: str) -> messages.Lesson:
    plan = script(name)
    scenes = list(staged(plan))
    pages = tale(GAMES[name], plan.seats, plan.options, [scene.acts for scene in scenes], plan.seat, strict=True)
    told = [messages.LessonStep(scene.say, page.view, scene.act) for scene, page in zip(scenes, pages, strict=True)]
    return messages.Lesson(name, plan.options, plan.names, plan.seat, told)


def staged(plan: Script) -> Iterator[Scene]:
    """Every act is seen for itself, with the luck that follows it, as at a table; the last one is spoken about."""
    done: list[Act] = []  # by the learner, at the end of the step before
    for step in plan.steps:
        scene = done
        for act in written(step.acts):
            if act[0] != LUCK and scene:
                yield Scene(scene, {}, READ)
                scene = []
            scene = [*scene, act]
        yield Scene(scene, step.say, step.act)
        done = [] if step.act == READ else [(plan.seat, step.act)]


def written(acts: list[list[int | str]]) -> Iterator[Act]:
    for who, *actions in acts:
        seat = SEATS[who] if isinstance(who, str) else who
        for action in actions:
            yield seat, int(action)
