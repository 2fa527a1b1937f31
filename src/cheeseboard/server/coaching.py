"""Games talked over with a coach. It thinks where the bots do: nobody waits for it but those who asked."""

from itertools import accumulate
from typing import Any

import msgspec

from cheeseboard.bundle import Bundle
from cheeseboard.coach import Moment, Weighed, analyse, beliefs, coached, judge, read, speeds, weighs
from cheeseboard.coach.pace import Pace
from cheeseboard.games import GAMES
from cheeseboard.games.core import State
from cheeseboard.server import messages
from cheeseboard.server.guests import Workers
from cheeseboard.server.refusals import No

KEPT = 256  # games talked over lately: their figures do not change any more
NONE = -1  # no action: nothing has been chosen yet

Talk = tuple[list[messages.Moment], list[messages.Belief], list[messages.Pace]]


class Coach:
    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self.known: dict[str, Talk] = {}

    async def about(self, bundle: Bundle) -> Talk:
        """Of a game that is over."""
        known(bundle.game)
        if bundle.table not in self.known:
            self.known[bundle.table] = await self.workers.run(talk, msgspec.json.encode(bundle).decode())
            for table in list(self.known)[:-KEPT]:
                del self.known[table]
        return self.known[bundle.table]

    async def hint(self, game: str, view: dict[str, Any], seat: int) -> messages.Weighing:
        """During a game, to whoever has to choose: from what the seat knows."""
        if not weighs(game):
            raise No("no-coach", f"expected a game in which choices can be weighed, got {game}", 404)
        return await self.workers.run(advice, game, view, seat)


def known(game: str) -> None:
    if game not in coached():
        raise No("no-coach", f"expected a game that the coach knows ({', '.join(coached())}), got {game}", 404)


def advice(game: str, view: dict[str, Any], seat: int) -> messages.Weighing:
    module = GAMES[game]
    return _weighing(seat, NONE, 0.0, judge(game).weighed(module, {seat: State(module.STATE, view)}, {})[seat])


def talk(bundle: str) -> Talk:
    """All moments of a game, counted as its story counts acts; what there was to remember, and who was how quick."""
    game = read(bundle)
    log = game.log
    lengths = (1 + len(row.luck) for row in msgspec.json.decode(bundle, type=Bundle).log)
    acts = {entries: n for n, entries in enumerate(accumulate(lengths), 1)}
    believed = [messages.Belief(*belief[1:]) for belief in beliefs(log)]
    return [_told(moment, acts) for moment in analyse(log)], believed, [_pace(pace, acts) for pace in speeds(game)]


def _told(moment: Moment, acts: dict[int, int]) -> messages.Moment:
    """Luck that follows an act belongs to that act in the story, and to the next moment here."""
    _, end, number, stake, before, deal, skill, draw, after, choices = moment
    n = next(n for entries, n in acts.items() if entries >= end)
    weighings = [_weighing(*choice) for choice in choices]
    return messages.Moment(n, number, stake, before, deal, skill, draw, after, weighings)


def _pace(pace: Pace, acts: dict[int, int]) -> messages.Pace:
    """What is raced for is turned up by the luck that follows an act."""
    figures = pace.figures()
    figures["marks"] = [{**mark, "n": acts[mark["n"]]} for mark in figures["marks"]]
    return msgspec.convert(figures, messages.Pace)


def _weighing(seat: int, action: int, cost: float, weighed: Weighed) -> messages.Weighing:
    mix, worth, faces, error = weighed
    by_action = list(mix), list(faces.values()), list(mix.values()), list(worth.values())
    return messages.Weighing(seat, action, cost, *by_action, error)
