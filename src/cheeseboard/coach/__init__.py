"""A finished game, looked at again: each player's share of the win, moment by moment, and what changed it.

A moment is: luck acts, then everybody the game waits for chooses, all of them or whoever's turn it is. What a player's
share of the win becomes differs from what it was by three things, and they add up exactly:

- the deal: what luck's acts did to it;
- skill: what the choice is worth against players who mix as they should, less what the right mix is worth. Where that
  can be calculated the best there is is 0, for whoever mixes well gives nothing away; where it is only tried out the
  right mix is what a good bot does, and somebody may do better;
- the draw: what the others' choices made of it.

How much things are worth is known to a file here that has the name of the game. A coach judges what was done, not what
came of it. Where quick paws decide and not choices there are no moments, but times: `pace`."""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate
from typing import Any, NamedTuple, Protocol, cast

import msgspec

from cheeseboard.bundle import Bundle
from cheeseboard.coach.pace import Pace, Reach, Reactions, pace, paces
from cheeseboard.games import GAMES
from cheeseboard.games.core import CLOCK, LUCK, Game, Refusal, State
from cheeseboard.referee import Verdict
from cheeseboard.table import Log, Table

SURE = 2  # standard errors
Views = dict[int, State]  # what each seat that is asked knows
Done = dict[int, int]  # what it did


class Weighed(NamedTuple):
    """A choice before it is made: by action, how often it should be made, and the share of the win that it brings."""

    mix: dict[int, float]
    worth: dict[int, float]
    faces: dict[int, int]  # which card or word of the game's `[coach]` texts names the action
    error: float  # the standard error of what one action is worth more than another; 0: they are calculated, not tried

    @property
    def value(self) -> float:
        return sum(often * self.worth[action] for action, often in self.mix.items())


class Choice(NamedTuple):
    seat: int
    action: int
    cost: float  # the share of the win it gave away
    weighed: Weighed


class Moment(NamedTuple):
    """From one act of luck to the next: what changed everybody's share of the win."""

    n: int  # entries of the log before it
    end: int  # and after it
    round: int  # from 1
    stake: int  # what the choices were about
    before: list[float]  # the share of the win of each seat
    deal: list[float]
    skill: list[float]
    draw: list[float]
    after: list[float]
    choices: list[Choice]

    def figures(self) -> dict[str, Any]:
        """All of it by name."""
        choices = [{**choice._asdict(), "weighed": choice.weighed._asdict()} for choice in self.choices]
        return {**self._asdict(), "choices": choices}


class Finished(NamedTuple):
    """A game from a file. `races`: in games of speed, by the entries of the log before each was decided."""

    log: Log
    races: dict[int, Verdict]


class Belief(NamedTuple):
    """When a round is counted: what a seat had of each kind of card, and what its player may have believed."""

    n: int  # entries of the log until then
    round: int
    seat: int
    kinds: list[int]  # places in the game's list of them
    held: list[int]
    points: list[int]  # that they gave
    known: dict[str, list[int]]  # what players of each level would still have known of them


class Judge(Protocol):
    """What the coach has to know about a game.

    Names are left out where there is nothing to tell: all four, where quick paws decide; `beliefs(log)`, a list of
    `Belief`, where nothing has to be remembered; where nobody races `reaches(log, races)`, a list of `Reach`, and
    `reactions`, the times that the house's bots would need; and where `chances` and `weighed` go by the same figures
    `expected(game, state, told)`: what `chances` would have told, instead of this, if it went by those of `weighed`."""

    def chances(self, game: Game, state: State) -> list[float]:
        """Each seat's share of the win, when nobody has a secret choice open. The game is over: all is known."""

    def weighed(self, game: Game, views: Views, done: Done) -> dict[int, Weighed]:
        """For each seat that is asked: what its choices are worth, by what it knows.

        `done`: what was chosen, as far as it has been; where things are tried out that is tried more often."""

    def round(self, view: State) -> int:
        """The number of the round, from 1."""

    def stake(self, view: State) -> int:
        """What the choices are about, for the sentences of the game's `[coach]` texts."""


def coached() -> list[str]:
    """The games that the coach knows."""
    return [name for name in GAMES if find_spec(f"{__name__}.{name}")]


def weighs(game: str) -> bool:
    """Whether the coach knows what choices are worth in this game."""
    return game in coached() and hasattr(judge(game), "weighed")


@cache
def judge(game: str) -> Judge:
    """Who knows what things are worth in this game.

    >>> judge("chess")
    Traceback (most recent call last):
    cheeseboard.games.core.Refusal: expected a game that the coach knows (geier, mausen, memento, flippt), got 'chess'
    """
    if game not in coached():
        raise Refusal(f"expected a game that the coach knows ({', '.join(coached())}), got {game!r}")
    return cast("Judge", import_module(f"{__name__}.{game}"))


def read(text: str) -> Finished:
    """A game from a file: a log, or a replay as the house gives it.

    >>> read("{}")
    Traceback (most recent call last):
    cheeseboard.games.core.Refusal: expected a log with game, log, options, seats, version; got nothing
    """
    try:
        bundle = msgspec.json.decode(text, type=Bundle)
    except msgspec.MsgspecError:
        return Finished(Log.load(text), {})
    acts = [act for row in bundle.log for act in ((row.seat, row.action), *((LUCK, drawn) for drawn in row.luck))]
    lengths = accumulate(1 + len(row.luck) for row in bundle.log)
    entries = dict(zip((row.n for row in bundle.log), lengths, strict=True))
    if strange := [race.e for race in bundle.races if race.e not in entries]:
        raise Refusal(f"expected races after acts of the log, got one after act {strange[0]}")
    log = Log(bundle.game, bundle.version, bundle.seats, dict(bundle.options), acts)
    return Finished(log, {entries[race.e]: race for race in bundle.races})


def analyse(log: Log) -> list[Moment]:
    """All moments of a game; of one that was broken off, those that were finished. Of races there are none."""
    knows = judge(log.game)
    return list(moments(log, knows)) if weighs(log.game) else []


def moments(log: Log, knows: Judge) -> Iterator[Moment]:
    """The same, as far as `knows` can tell."""
    table = Table.replay(Log(log.game, log.version, log.seats, log.options))
    game, at = table.game, 0
    before = knows.chances(game, table.state)
    while at < len(log):
        begin, usual = at, _expected(knows, game, table.state, before)
        while at < len(log) and log[at][0] in (LUCK, CLOCK):
            table.play(*log[at])
            at += 1
        asked = set(table.waiting())
        if asked and at == len(log):
            return
        number, stake = knows.round(table.state), knows.stake(table.state)
        views = {seat: table.view(seat) for seat in sorted(asked) if seat < log.seats}
        there = table.state.copy()
        chosen: dict[int, int] = {}  # what was exchanged before all had chosen does not count
        while at < len(log) and chosen.keys() != asked:
            table.play(*log[at])
            chosen[log[at][0]] = log[at][1]
            at += 1
        if chosen.keys() != asked:
            return
        weighed = knows.weighed(game, views, {seat: chosen[seat] for seat in views}) if views else {}
        choices = [_choice(seat, chosen[seat], weighed[seat]) for seat in sorted(weighed)]
        after = knows.chances(game, table.state)
        skill = [0.0] * log.seats
        if len(weighed) == log.seats:
            dealt = [weighed[seat].value for seat in range(log.seats)]
        elif any(map(_matters, choices)):
            dealt = knows.chances(game, there)
        else:
            dealt = after  # nobody can tell the choice from luck
        for seat, action, _, each in filter(_matters, choices):
            skill[seat] = each.worth[action] - each.value
        deal = [new - old for new, old in zip(dealt, usual, strict=True)]
        draw = [new - old - luck - own for new, old, luck, own in zip(after, before, deal, skill, strict=True)]
        yield Moment(begin, at, number, stake, before, deal, skill, draw, after, choices)
        before = after


def _expected(knows: Judge, game: Game, state: State, told: list[float]) -> list[float]:
    says = getattr(knows, "expected", None)
    return cast("list[float]", says(game, state, told)) if says else told


def beliefs(log: Log) -> list[Belief]:
    """What everybody had when rounds were counted, and may have believed; nothing where nothing is to be remembered."""
    says = getattr(judge(log.game), "beliefs", None)
    return cast("list[Belief]", says(log)) if says else []


def raced(game: Finished) -> list[Reach]:
    """What everybody did about all there was to race for; nothing, where nobody raced or measured it."""
    says = getattr(judge(game.log.game), "reaches", None)
    return cast("list[Reach]", says(*game)) if says else []


def speeds(game: Finished) -> list[Pace]:
    """How quick and how sure everybody was."""
    found = raced(game)
    return paces(found, _reactions(game.log.game)) if found else []


def habit(games: Sequence[Finished], you: int) -> Pace | None:
    """How quick and how sure somebody was in all of these, which are of one kind."""
    found = [each for game in games for each in raced(game) if each.seat == you]
    return pace(found, _reactions(games[0].log.game)) if found else None


def _reactions(game: str) -> Reactions:
    return cast("Reactions", import_module(f"{__name__}.{game}").reactions)


def _choice(seat: int, action: int, weighed: Weighed) -> Choice:
    """What chance alone may have made is no cost."""
    cost = max(weighed.worth.values()) - weighed.worth[action]
    return Choice(seat, action, cost if cost >= SURE * weighed.error else 0.0, weighed)


def _matters(choice: Choice) -> bool:
    """Whether it differs from the right one by more than chance may have made."""
    weighed = choice.weighed
    return abs(weighed.worth[choice.action] - weighed.value) >= SURE * weighed.error


def calculated(actions: list[int], mix: list[float], worth: list[float]) -> Weighed:
    """A choice among cards that their numbers name. What is longer than the hand is left out."""
    own = range(len(actions))
    return Weighed({actions[n]: mix[n] for n in own}, {actions[n]: worth[n] for n in own}, {a: a for a in actions}, 0.0)


def of_the_win(game: Game, end: State) -> list[float]:
    """Each seat's share when the game is over: a win is 1, and several winners share it."""
    places = list(game.rank(end))
    return [1 / places.count(1) if place == 1 else 0.0 for place in places]
