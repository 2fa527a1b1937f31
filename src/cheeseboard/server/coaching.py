"""Finished games talked over with a coach. It thinks where the bots do: nobody waits for it but those who asked."""

from itertools import accumulate

import msgspec

from cheeseboard.bundle import Bundle
from cheeseboard.coach import Moment, analyse, coached, read
from cheeseboard.server import messages
from cheeseboard.server.guests import Workers
from cheeseboard.server.refusals import No

KEPT = 256  # games talked over lately: their figures do not change any more


class Coach:
    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self.known: dict[str, list[messages.Moment]] = {}

    async def about(self, bundle: Bundle) -> list[messages.Moment]:
        if bundle.game not in coached():
            raise No(
                "no-coach", f"expected a game that the coach knows ({', '.join(coached())}), got {bundle.game}", 404
            )
        if bundle.table not in self.known:
            moments = await self.workers.run(talk, msgspec.json.encode(bundle).decode())
            self.known[bundle.table] = moments
            for table in list(self.known)[:-KEPT]:
                del self.known[table]
        return self.known[bundle.table]


def talk(bundle: str) -> list[messages.Moment]:
    """All moments of a game, counted as its story counts acts."""
    log = read(bundle)
    lengths = (1 + len(row.luck) for row in msgspec.json.decode(bundle, type=Bundle).log)
    acts = {entries: n for n, entries in enumerate(accumulate(lengths), 1)}
    return [_told(moment, acts) for moment in analyse(log)]


def _told(moment: Moment, acts: dict[int, int]) -> messages.Moment:
    """Luck that follows an act belongs to that act in the story, and to the next moment here."""
    end = next(n for entries, n in acts.items() if entries >= moment.end)
    choices = [
        messages.Weighing(
            seat, action, cost, list(weighed.mix), list(weighed.mix.values()), list(weighed.worth.values())
        )
        for seat, action, cost, weighed in moment.choices
    ]
    return messages.Moment(
        end, moment.stake, moment.before, moment.deal, moment.skill, moment.draw, moment.after, choices
    )
