"""Games told from their beginning, act by act, as one pair of eyes saw them: replays, and lessons."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from cheeseboard.bundle import Bundle, Result
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import CLOCK, Game, State
from cheeseboard.referee import Verdict
from cheeseboard.server import messages
from cheeseboard.server.race import rules
from cheeseboard.table import Table

Act = tuple[int, int]  # seat, action


class Page(NamedTuple):
    view: messages.View
    state: State  # everything, for whoever writes the tale; never for the reader


def tale(
    game: Game, seats: int, options: dict[str, Any], acts: Iterable[list[Act]], seat: int, *, strict: bool
) -> Iterator[Page]:
    """A page for each of `acts`: what somebody did and the luck that followed."""
    table = Table(game, seats, None, **options)
    for n, steps in enumerate(acts, 1):
        events = [event for act in steps for step in table.play(*act) for event in step.told(seat)]
        over = table.over
        view = messages.View(
            n=n,
            since=n - 1,
            you=seat,
            view=vars(table.view(seat, strict=strict)),
            legal=table.legal(seat) if seat >= 0 and not over else [],
            waiting=[other for other in table.waiting() if other < seats],
            events=events,
            over=over,
            result=result(table) if over else None,
        )
        yield Page(view, table.state)


def result(table: Table) -> Result:
    """Of a game that is over."""
    places = table.game.rank(table.state)
    return Result(tuple(table.state.scores[: len(places)]), tuple(map(int, places)))


def acts_of(bundle: Bundle) -> Iterator[list[Act]]:
    for row in bundle.log:
        yield [(row.seat, row.action), *((core.LUCK, action) for action in row.luck)]


def races_of(bundle: Bundle) -> Iterator[tuple[int, Verdict]]:
    """Each verdict, and the number of the act that ended its race: the clock's, or the last paw's if all had acted."""
    passes = rules(GAMES[bundle.game]).passes
    for race in bundle.races:
        paws = len(race.first)
        for row, after in zip(bundle.log[race.e :], [*bundle.log[race.e + 1 :], None], strict=True):
            paws -= row.seat != CLOCK and row.action not in passes
            if row.seat == CLOCK or (not paws and (after is None or after.seat != CLOCK)):
                yield row.n, race
                break
