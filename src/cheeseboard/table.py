"""One game in play. A table knows no socket, no database and no time of day; luck is handed in.

>>> from cheeseboard.games import GAMES
>>> table = Table(GAMES["geier"], 2, luck=7)
>>> table.play(seat=0, action=14)[0].told(seat=1)
[Event(kind='laid', seat=0, card=-2, value=0, clause='GEIER-08')]
>>> table.view(1).bid[0] == core.HIDDEN
True
>>> Table.replay(table.log).state == table.state
True
"""

import json
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol, SupportsInt, cast

import numpy as np

from cheeseboard.games import GAMES, core
from cheeseboard.games.core import CLOCK, LUCK, NOBODY, OVER, Event, Game, Illegal, Refusal, State

Luck = Callable[[int], SupportsInt]  # luck(n): a number from 0 to n - 1, each equally likely


BUFFER = core.events()  # one for all tables: what happened is taken out of it at once, and tables share no time


class Dice(Protocol):
    """A generator of the standard library."""

    def randrange(self, start: int, /) -> int: ...


Source = Luck | np.random.Generator | Dice | int | None  # what luck may be given as; a number is a seed


class Log(list[tuple[int, int]]):
    """Everything that was done, as (seat, action), LUCK's and CLOCK's acts included; and what was played.

    It holds every sealed choice and every dealt card: it does not leave the house before the game is over."""

    def __init__(
        self, game: str, version: int, seats: int, options: dict[str, Any], entries: Iterable[tuple[int, int]] = ()
    ) -> None:
        super().__init__(entries)
        self.game, self.version, self.seats, self.options = game, version, seats, options

    def dump(self) -> str:
        return json.dumps({**vars(self), "log": self})

    @classmethod
    def load(cls, text: str) -> "Log":
        """Read what `dump` wrote.

        >>> Log.load('{"game": "geier"}')
        Traceback (most recent call last):
        cheeseboard.games.core.Refusal: expected a log with game, log, options, seats, version; got game
        """
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Refusal(f"expected a log as JSON, got something else: {error}") from None
        wanted = {"game": str, "version": int, "seats": int, "options": dict, "log": list}
        if not isinstance(data, dict) or set(data) != set(wanted):
            came = ", ".join(sorted(data)) or "nothing" if isinstance(data, dict) else type(data).__name__
            raise Refusal(f"expected a log with {', '.join(sorted(wanted))}; got {came}")
        for key, kind in wanted.items():
            if type(data[key]) is not kind:
                raise Refusal(f"expected {key} of the log to be {kind.__name__}, got {data[key]!r}")
        for n, entry in enumerate(data["log"]):
            if not (isinstance(entry, list) and len(entry) == 2 and all(type(part) is int for part in entry)):
                raise Refusal(f"expected log entry {n} to be [seat, action], got {entry!r}")
        return cls(data["game"], data["version"], data["seats"], data["options"], map(tuple, data["log"]))


class Step(NamedTuple):
    """One entry of the log and what it did."""

    game: Game
    seat: int
    action: int
    events: core.Happened

    def told(self, seat: int = NOBODY) -> list[Event]:
        """What the seat, or a spectator, is told of it."""
        return core.told(self.game, self.events, seat)


class Table:
    """A game, its record, its log. `opening` are the steps luck did before anybody could act."""

    def __init__(self, game: Game, seats: int, luck: Source, **options: Any) -> None:
        self.game = game
        self.luck = _luck(luck)
        self.state = core.new(game, seats, **options)
        self.log = Log(core.name(game), core.about(game)["version"], seats, options)
        self.opening = self._luck_steps()

    @property
    def over(self) -> bool:
        return bool(self.state.phase == OVER)

    def view(self, seat: int, *, strict: bool = False) -> State:
        """What the seat (NOBODY: a spectator) knows; `strict`: without what it may not look up again."""
        return core.view(self.game, self.state, seat, strict=strict)

    def legal(self, seat: int) -> list[int]:
        return core.members(self.game.legal(self.state, seat))

    def waiting(self) -> list[int]:
        return core.members(self.game.waiting(self.state))

    def play(self, seat: int, action: int) -> list[Step]:
        """Let the seat act, then luck as long as it is luck's turn. Illegal input changes nothing.

        >>> Table(GAMES["geier"], 2, luck=7).play(0, 15)
        Traceback (most recent call last):
        cheeseboard.games.core.Illegal: expected an action of geier (0 to 14), got 15, after log entry 1
        """
        return [self._step(*self._checked(seat, action)), *self._luck_steps()]

    @classmethod
    def replay(cls, log: Log, luck: Source = None) -> "Table":
        """The table as the log left it. With `luck` it can be played on."""
        if log.game not in GAMES:
            raise Refusal(f"expected a log of a game ({', '.join(GAMES)}), got {log.game!r}")
        game = GAMES[log.game]
        if log.version != core.about(game)["version"]:
            known = core.about(game)["version"]
            raise Refusal(f"expected a log of {log.game} by rules version {known}, got version {log.version}")
        table = cls(game, log.seats, None, **log.options)
        for seat, action in log:
            table.play(seat, action)
        table.luck = _luck(luck)
        table._luck_steps()
        return table

    def _checked(self, asked_seat: Any, asked_action: Any) -> tuple[int, int]:
        """Refuse what the rules do not allow; numbers of any kind (NumPy's too) become plain ones."""
        seat, action = core.whole(asked_seat), core.whole(asked_action)
        if seat is None or not (0 <= seat < self.state.seats or seat in (LUCK, CLOCK)):
            raise self._illegal(f"expected a seat of this table (0 to {self.state.seats - 1}), got {asked_seat!r}")
        if action is None or not 0 <= action < self.game.ACTIONS:
            expected = f"expected an action of {core.name(self.game)} (0 to {self.game.ACTIONS - 1})"
            raise self._illegal(f"{expected}, got {asked_action!r}")
        if not self.game.legal(self.state, seat) >> action & 1:
            name = {LUCK: "luck", CLOCK: "the clock"}.get(seat, f"seat {seat}")
            may = ", ".join(map(str, self.legal(seat))) or ("nothing: the game is over" if self.over else "nothing now")
            raise self._illegal(f"{name} may not do {action} at {core.name(self.game)}; may do {may}")
        return seat, action

    def _illegal(self, text: str) -> Illegal:
        return Illegal(f"{text}, after log entry {len(self.log)}")

    def _step(self, seat: int, action: int) -> Step:
        BUFFER.count = 0
        self.game.apply(self.state, seat, action, BUFFER)
        self.log.append((seat, action))
        return Step(self.game, seat, action, core.happened(BUFFER))

    def _luck_steps(self) -> list[Step]:
        steps: list[Step] = []
        while self.luck and self.game.waiting(self.state) >> LUCK & 1:
            steps.append(self._step(LUCK, drawn(self.game, self.state, self.luck)))
        return steps


def drawn(game: Game, state: State, luck: Luck) -> int:
    """One of LUCK's actions, each as likely as there are cards behind it."""
    actions = core.members(game.legal(state, LUCK))
    says = getattr(game, "odds", None)
    weights = [says(state, action) for action in actions] if says else [1] * len(actions)
    n = int(luck(sum(weights)))
    for action, weight in zip(actions, weights, strict=True):
        n -= weight
        if n < 0:
            return action
    raise AssertionError(f"luck gave a number too large for the odds {weights}")


def _luck(source: Source) -> Luck | None:
    """Any source of luck as a function: a seed or a generator for experiments, a function for everything else."""
    if isinstance(source, int):
        source = np.random.default_rng(source)
    return getattr(source, "integers", None) or getattr(source, "randrange", None) or cast(Luck | None, source)
