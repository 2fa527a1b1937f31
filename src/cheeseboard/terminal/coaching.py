"""What the coach says about finished games, in words."""

import tomllib
from collections.abc import Sequence
from importlib.resources import files
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from cheeseboard.coach import Belief, Choice, Finished, Moment, analyse, beliefs, habit, speeds, weighs
from cheeseboard.coach.pace import Mark, Pace, middle
from cheeseboard.games import GAMES
from cheeseboard.games.core import Game, Refusal
from cheeseboard.games.texts import choice_name, kind_name, texts

STEPS = "▁▂▃▄▅▆▇█"
WORST = 3  # choices that are talked about
SLIP = 0.005  # of the win: what costs less is as good as any
RARE = 0.02  # of a mix: not worth a word
WIDE = 60  # steps of a curve, or of a strip of paws, that fit into a line
MARKS = {"late": "○", "right": "●", "wrong": "✕"}  # the later ones above the earlier ones


def coach(finished: Sequence[Finished], you: int, language: str) -> None:
    """Talk over games with the one who sat there; over several, also what was alike in them."""
    logs = [game.log for game in finished]
    title = {log.game: texts(GAMES[log.game], language)["title"] for log in logs}
    console = Console(highlight=False)
    words = tomllib.loads((files(__package__) / f"{language}.toml").read_text("utf-8"))["coach"]
    games = []
    for log in logs:
        if not 0 <= you < log.seats:
            raise Refusal(f"expected a seat of this table (0 to {log.seats - 1}), got {you}")
        games.append(analyse(log))
    paces = [speeds(game) for game in finished]
    for log, moments, quick in zip(logs, games, paces, strict=True):
        console.rule(f"[bold]{title[log.game]}")
        if not weighs(log.game):
            _raced(console, words, GAMES[log.game], quick, you, language)
            continue
        _tell(console, words, GAMES[log.game], moments, you, language)
        for belief in beliefs(log):
            if belief.seat == you:
                _remembered(console, words, GAMES[log.game], belief, language)
    played = [(GAMES[log.game], moments) for log, moments in zip(logs, games, strict=True) if weighs(log.game)]
    if len(played) > 1:
        _habits(console, words, played, you, language)
    for name in title:
        alike = [game for game in finished if game.log.game == name and not weighs(name)]
        if len(alike) > 1 and (pace := habit(alike, you)):
            console.rule(words["habits"])
            _pace(console, words, GAMES[name], pace, language)


def _tell(
    console: Console, words: dict[str, Any], game: Game, moments: Sequence[Moment], you: int, language: str
) -> None:
    curve = [moment.before[you] for moment in moments] + [moment.after[you] for moment in moments[-1:]]
    steps = curve[:: -(-len(curve) // WIDE)]
    console.print(f"{words['curve']}  {''.join(STEPS[min(int(share * 8), 7)] for share in steps)}")
    grid = Grid(box=None, pad_edge=False)
    for column in ("round", "chance", "deal", "draw", "skill"):
        grid.add_column(words[column], justify="right")
    for number, together in groupby(moments, lambda moment: moment.round):
        first, *more = together
        grid.add_row(str(number), share(first.before[you]), *map(change, _parts([first, *more], you)))
    grid.add_row("Σ", share(curve[-1]), *map(change, _parts(moments, you)), style="bold")
    console.print(grid)
    costly = [(m, c) for m in moments for c in m.choices if c.seat == you and c.cost >= SLIP]
    costly.sort(key=lambda told: -told[1].cost)
    for moment, choice in costly[:WORST]:
        console.print(_regret(words, game, moment, choice, language))
    if not costly:
        console.print(words["clean"])


def _parts(moments: Sequence[Moment], you: int) -> list[float]:
    return [sum(getattr(moment, part)[you] for moment in moments) for part in ("deal", "draw", "skill")]


def _regret(words: dict[str, Any], game: Game, moment: Moment, choice: Choice, language: str) -> str:
    """What was tried has a best choice, and a chance after it; what was calculated has a best mix."""
    mix, worth, faces, error = choice.weighed
    named = choice_name(game, language, faces[choice.action], moment.stake)
    after = worth if error else mix
    enough = max(worth.values()) - error if error else RARE
    good = sorted((action for action in after if after[action] >= enough), key=lambda action: -after[action])
    better = ", ".join(f"{choice_name(game, language, faces[action])} ({share(after[action])})" for action in good)
    line: str = words["tried" if error else "regret"]
    return line.format(round=moment.round, choice=named, cost=share(choice.cost), error=share(error), mix=better)


def _remembered(console: Console, words: dict[str, Any], game: Game, belief: Belief, language: str) -> None:
    """What lay in the own pile, and how much of it each level would have known."""
    console.print(words["memory"].format(round=belief.round), style="bold")
    grid = Grid(box=None, pad_edge=False)
    grid.add_column()
    for column in ("held", *belief.known, "points"):
        grid.add_column(words[column], justify="right")
    for at, kind in enumerate(belief.kinds):
        known = [str(counts[at]) for counts in belief.known.values()]
        points = f"{belief.points[at]}".replace("-", "−")
        grid.add_row(kind_name(game, language, kind), str(belief.held[at]), *known, points)
    console.print(grid)


def _raced(console: Console, words: dict[str, Any], game: Game, paces: Sequence[Pace], you: int, language: str) -> None:
    """How quick you were, and everybody's paws on one line each."""
    own = next((pace for pace in paces if pace.seat == you), None)
    if own is None:
        console.print(words["unmeasured"])
        return
    _pace(console, words, game, own, language)
    times = [mark.ms for pace in paces for mark in pace.marks]
    if not times:
        return
    ends = min(times), max(times)
    console.print(words["strip"].format(**{"from": seconds(ends[0], language), "to": seconds(ends[1], language)}))
    grid = Grid(box=None, pad_edge=False, show_header=False)
    for pace in paces:
        name = words["you"] if pace.seat == you else words["seat"].format(seat=pace.seat)
        grid.add_row(name, strip(pace.marks, *ends), style="bold" if pace.seat == you else "")
    console.print(grid)


def strip(marks: Sequence[Mark], low: float, high: float) -> str:
    """Paws by their times, the quick ones at the left.

    >>> strip([Mark(0, 0, 500, "right", 0), Mark(9, 0, 650, "right", 0), Mark(20, 0, 800, "late", 90)], 500, 800)
    '●                             ┃                            ○'
    """
    row = [" "] * WIDE
    places = {mark: round((mark.ms - low) / max(high - low, 1) * (WIDE - 1)) for mark in marks}
    for how, sign in MARKS.items():
        for mark, place in places.items():
            if mark.how == how:
                row[place] = sign
    usual = middle(mark.ms for mark in marks)
    if usual is not None:
        row[round((usual - low) / max(high - low, 1) * (WIDE - 1))] = "┃"
    return "".join(row).rstrip()


def _pace(console: Console, words: dict[str, Any], game: Game, pace: Pace, language: str) -> None:
    """In sentences: how often first, how quick for what, what might have been, haste, and whose pace that is."""

    def said(line: str, **values: Any) -> str:
        times = {name: seconds(value, language) for name, value in values.items() if isinstance(value, float)}
        return str(words[line]).format(**{**values, **times})

    console.print(said("paws", **{**pace._asdict(), "paws": len(pace.marks)}))
    if pace.behind is not None:
        console.print(said("behind", behind=pace.behind))
    for kind in pace.kinds:
        name = kind_name(game, language, kind.kind)
        by = said("by", behind=kind.behind) if kind.behind is not None else ""
        if kind.paws:
            console.print(said("times", **{**kind._asdict(), "kind": name}))
        console.print(said("became", **{**kind._asdict(), "kind": name, "behind": by}))
    console.print(said("wrong" if pace.wrong else "sure", wrong=pace.wrong, hasty=pace.hasty))
    need = ", ".join(f"{words[level]} {seconds(ms, language)}" for level, ms in pace.levels.items())
    console.print(said("level", level=words[pace.level], levels=need) if pace.level else words["few"])


def _habits(
    console: Console,
    words: dict[str, Any],
    games: Sequence[tuple[Game, Sequence[Moment]]],
    you: int,
    language: str,
) -> None:
    """What costs most over several games, by what it was about, or else by what it was."""
    by_habit: dict[str, list[float]] = {}
    for game, moments in games:
        at_stake = "{value}" in texts(game, language)["coach"]["choice"]
        for moment, choice in ((told, each) for told in moments for each in told.choices):
            if choice.seat == you:
                name = choice_name(game, language, choice.weighed.faces[choice.action])
                habit = words["about"].format(stake=moment.stake) if at_stake else name
                by_habit.setdefault(habit, []).append(choice.cost)
    console.rule(words["habits"])
    for habit, costs in sorted(by_habit.items(), key=lambda each: -sum(each[1]))[:WORST]:
        line = words["habit"].format(habit=habit, cost=share(sum(costs) / len(games)), times=len(costs))
        console.print(line[0].upper() + line[1:])


def seconds(ms: float, language: str) -> str:
    """A time as it is told.

    >>> seconds(1234.5, "de")
    '1,23 s'
    """
    return f"{ms / 1000:.2f} s".replace(".", "," if language == "de" else ".")


def share(part: float) -> str:
    return f"{round(100 * part)} %"


def change(part: float) -> str:
    return f"{round(100 * part):+d} %".replace("-", "−").replace("+0", "0")
