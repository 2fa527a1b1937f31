"""Your seat: the table is drawn, you are asked, the others answer."""

import importlib
import secrets
import tomllib
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Any

import numpy as np
from rich.columns import Columns
from rich.console import Console
from rich.panel import Panel

from cheeseboard.bots import Player, ask
from cheeseboard.bots.own import LIMIT_S, company
from cheeseboard.games import core
from cheeseboard.games.core import CLOCK, Event, Game, Refusal
from cheeseboard.games.texts import action_name, sentence, texts
from cheeseboard.table import Log, Step, Table
from cheeseboard.terminal.race import race

YOU = 0


class Left(Exception):
    """The person got up."""


def sit_down(
    game: Game,
    seats: int,
    bot: str,
    language: str,
    seed: int | None,
    options: dict[str, Any],
    limit_s: float = LIMIT_S,
) -> Log:
    """Play one game to its end, or until the person leaves; its log."""
    rng = np.random.default_rng(secrets.randbits(63) if seed is None else seed)
    table = Table(game, seats, rng, **options)
    with company(game, ["random", *[bot] * (seats - 1)], limit_s) as bots:  # at your own seat nobody is asked
        seat = Seat(table, YOU, language, bots, rng)
        try:
            seat.play()
        except (Left, EOFError):
            seat.console.print(seat.words["left"])
    return seat.table.log


def retell(log: Log, at: int | None, you: int, language: str) -> None:
    """Tell a game again up to log entry `at`, as this seat saw it, and draw the table as it was then."""
    end = len(log) if at is None else at
    if not 0 <= end <= len(log):
        raise Refusal(f"expected a log entry from 0 to {len(log)}, got {at}")
    if not 0 <= you < log.seats:
        raise Refusal(f"expected a seat of this table (0 to {log.seats - 1}), got {you}")
    table = Table.replay(Log(log.game, log.version, log.seats, log.options))
    seat = Seat(table, you, language)
    for who, action in log[:end]:
        seat.tell(table.play(who, action))
    seat.show_table()
    if table.over:
        seat.show_result()


class Seat:
    """What one seat sees and is asked."""

    def __init__(
        self,
        table: Table,
        you: int,
        language: str,
        bots: Sequence[Player] = (),
        rng: np.random.Generator | None = None,
    ) -> None:
        self.table, self.game, self.you, self.language = table, table.game, you, language
        self.bots, self.rng = bots, rng or np.random.default_rng()
        self.past: dict[int, list[list[Event]]] = {listens: [] for listens, bot in enumerate(bots) if bot.past}
        self.texts = texts(table.game, language)
        self.words = tomllib.loads((files(__package__) / f"{language}.toml").read_text("utf-8"))
        others = iter(self.words["names"])
        self.names = [self.words["you"] if seat == you else next(others) for seat in range(table.state.seats)]
        self.console = Console(highlight=False)
        self.looks = importlib.import_module(f"{__package__}.{core.name(table.game)}")
        self.last: list[Event] = []  # told since the person acted

    def play(self) -> None:
        self.console.rule(f"[bold]{self.texts['title']}")
        self.console.print(self.texts["pitch"], style="italic")
        self.tell(self.table.opening)
        while not self.table.over:
            waits = self.table.waiting()
            if waits == [CLOCK]:
                self.tell(race(self))
            elif waits == [self.you]:
                self.tell(self.table.play(self.you, self.ask()))
            else:
                other = next(
                    seat for seat in waits if seat != self.you
                )  # in a simultaneous choice the bots choose first
                self.tell(self.table.play(other, self.bot_action(other)))
        self.show_table()
        self.show_result()

    def bot_action(self, seat: int) -> int:
        return ask(self.bots[seat], self.game, self.table.view(seat), seat, self.rng, self.past.get(seat, ()))

    def ask(self) -> int:
        """Draw the table and let the person choose."""
        self.show_table()
        actions = self.table.legal(self.you)
        if len(actions) == 1:
            question = self.words["ask_one"].format(action=self.label(actions[0]))
        else:
            self.show_keys({str(action + 1): action for action in actions})
            question = self.words["ask"]
        while True:
            word = self.answer(question)
            if not word and len(actions) == 1:
                word = str(actions[0] + 1)
            if word.isdecimal() and int(word) - 1 in actions:
                self.last = []
                return int(word) - 1
            self.console.print(self.words["not_that"].format(keys=", ".join(str(action + 1) for action in actions)))

    def answer(self, question: str) -> str:
        """A line of the person, after its questions about rules are answered."""
        while True:
            word = self.console.input(f"{question}\n> ").strip().lower()
            if word == "q":
                raise Left
            if word == "?":
                self.show_rules(self.words["why"], dict.fromkeys(event.clause for event in self.last))
            elif word == "r":
                self.show_rules(self.words["rules"], self.texts["rules"])
            else:
                return word

    def label(self, action: int) -> str:
        return action_name(self.game, self.language, action)

    def tell(self, steps: Sequence[Step]) -> None:
        for listens, heard in self.past.items():
            heard += [step.told(listens) for step in steps]
        told = [event for step in steps for event in step.told(self.you)]
        self.last += told
        for event in told:
            self.console.print(" · " + sentence(self.game, self.language, event, self.names, self.you))

    def show_table(self) -> None:
        picture = self.looks.draw(self.table.view(self.you, strict=True), self.you, self.names, self.texts)
        self.console.print(Panel(picture, title=self.texts["title"], expand=False))

    def show_keys(self, keys: dict[str, int]) -> None:
        self.console.print(
            Columns([f"[bold]{key}[/] {self.label(action)}" for key, action in keys.items()], padding=(0, 3))
        )

    def show_rules(self, title: str, clauses: Iterable[str]) -> None:
        self.console.print(title, style="bold")
        for clause in clauses:
            self.console.print(f"[dim]{clause}[/] {self.texts['rules'][clause]}")

    def show_result(self) -> None:
        self.console.rule(self.words["over"])
        place, scores = self.game.rank(self.table.state), self.table.state.scores
        for seat in sorted(range(len(self.names)), key=lambda seat: place[seat]):
            line = self.words["place"].format(place=place[seat], player=self.names[seat], score=scores[seat])
            self.console.print(line, style="bold" if place[seat] == 1 else "")
