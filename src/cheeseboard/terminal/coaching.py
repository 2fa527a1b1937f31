"""What the coach says about finished games, in words."""

import tomllib
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from cheeseboard.coach import Choice, Moment, analyse
from cheeseboard.games import GAMES
from cheeseboard.games.core import Game, Refusal
from cheeseboard.games.texts import choice_name, texts
from cheeseboard.table import Log

STEPS = "▁▂▃▄▅▆▇█"
WORST = 3  # choices that are talked about
SLIP = 0.005  # of the win: what costs less is as good as any
RARE = 0.02  # of a mix: not worth a word


def coach(logs: Sequence[Log], you: int, language: str) -> None:
    """Talk over games with the one who sat there; over several, also what was alike in them."""
    title = {log.game: texts(GAMES[log.game], language)["title"] for log in logs}
    console = Console(highlight=False)
    words = tomllib.loads((files(__package__) / f"{language}.toml").read_text("utf-8"))["coach"]
    games = []
    for log in logs:
        if not 0 <= you < log.seats:
            raise Refusal(f"expected a seat of this table (0 to {log.seats - 1}), got {you}")
        games.append(analyse(log))
    for log, moments in zip(logs, games, strict=True):
        console.rule(f"[bold]{title[log.game]}")
        _tell(console, words, GAMES[log.game], moments, you, language)
    if len(games) > 1:
        _habits(console, words, games, you)


def _tell(
    console: Console, words: dict[str, Any], game: Game, moments: Sequence[Moment], you: int, language: str
) -> None:
    curve = [moment.before[you] for moment in moments] + [moment.after[you] for moment in moments[-1:]]
    console.print(f"{words['curve']}  {''.join(STEPS[min(int(share * 8), 7)] for share in curve)}")
    grid = Grid(box=None, pad_edge=False)
    for column in ("round", "chance", "deal", "draw", "skill"):
        grid.add_column(words[column], justify="right")
    for number, moment in enumerate(moments, 1):
        parts = (moment.deal[you], moment.draw[you], moment.skill[you])
        grid.add_row(str(number), share(moment.before[you]), *map(change, parts))
    sums = [sum(getattr(moment, part)[you] for moment in moments) for part in ("deal", "draw", "skill")]
    grid.add_row("Σ", share(curve[-1]), *map(change, sums), style="bold")
    console.print(grid)
    costly = sorted(
        ((c.cost, n, m, c) for n, m in enumerate(moments, 1) for c in m.choices if c.seat == you), key=first
    )
    for cost, number, moment, choice in reversed(costly[-WORST:]):
        if cost >= SLIP:
            console.print(_regret(words, game, number, moment, choice, language))
    if not costly or costly[-1][0] < SLIP:
        console.print(words["clean"])


def first(costly: tuple[float, int, Moment, Choice]) -> tuple[float, int]:
    return costly[0], -costly[1]


def _regret(words: dict[str, Any], game: Game, number: int, moment: Moment, choice: Choice, language: str) -> str:
    named = choice_name(game, language, choice.action, moment.stake)
    mix = sorted(choice.weighed.mix.items(), key=lambda often: -often[1])
    better = ", ".join(
        f"{choice_name(game, language, action)} ({share(often)})" for action, often in mix if often >= RARE
    )
    line: str = words["regret"].format(round=number, choice=named, cost=share(choice.cost), mix=better)
    return line


def _habits(console: Console, words: dict[str, Any], games: Sequence[Sequence[Moment]], you: int) -> None:
    """What costs most over several games, by what it was about; and how easily the next card can be guessed."""
    by_stake: dict[int, list[float]] = {}
    for moments in games:
        for moment in moments:
            for choice in moment.choices:
                if choice.seat == you:
                    by_stake.setdefault(moment.stake, []).append(choice.cost)
    console.rule(words["habits"])
    for stake, costs in sorted(by_stake.items(), key=lambda each: -sum(each[1]))[:WORST]:
        console.print(words["habit"].format(stake=stake, cost=share(sum(costs) / len(games)), times=len(costs)))


def share(part: float) -> str:
    return f"{round(100 * part)} %"


def change(part: float) -> str:
    return f"{round(100 * part):+d} %".replace("-", "−").replace("+0", "0")
