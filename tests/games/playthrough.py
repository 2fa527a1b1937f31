"""Golden playthroughs: whole games as text that reads as a story. `make golden` writes them.

A changed story is a changed rule: then `version` in `game.toml` must change with it."""

import sys
from pathlib import Path

from cheeseboard.games import GAMES, core
from cheeseboard.games.core import CLOCK, EMPTY, EVERYONE, HIDDEN, LUCK, NOBODY, Game
from tests.games import laws

FOLDER = Path(__file__).parent / "playthroughs"
NAMES = {LUCK: "luck", CLOCK: "clock", NOBODY: "nobody"}


def files(game: Game) -> dict[Path, laws.Way]:
    """The stories every game has: the smallest table, the largest one, and one with every option the other way."""
    every = laws.ways(game)
    default = [way for way in every if not way.options]
    title = core.name(game)
    told = {f"{title}-{way.seats}.txt": way for way in (default[0], default[-1])} | {f"{title}-options.txt": every[-1]}
    return {FOLDER / label: way for label, way in told.items()}


def story(game: Game, way: laws.Way) -> str:
    facts = core.about(game)
    options = ", ".join(f"{option}={choice}" for option, choice in way.options.items()) or "as the booklet plays"
    lines = [f"{core.name(game)}, rules version {facts['version']}, {way.seats} seats, {options}"]
    for state, seat, action in laws.walk(game, way, laws.seeded(1)):
        lines.append(f"{NAMES.get(seat, f'seat {seat}')}: {action}")
        after, events = state.copy(), core.events()
        game.apply(after, seat, action, events)
        public, seen = core.told(game, events, NOBODY), events.seen
        for n, event in enumerate(public):
            card = {EMPTY: "", HIDDEN: f" card {events.card[n]} (for {_audience(seen[n])})"}.get(
                event.card, f" card {event.card}"
            )
            value = f" value {event.value}" if event.value else ""
            lines.append(f"    {event.kind} {NAMES.get(event.seat, f'seat {event.seat}')}{card}{value}  {event.clause}")
        if after.scores != state.scores:
            lines.append(f"    scores {after.scores[: way.seats]}")
        end = after
    lines.append(f"places {[int(place) for place in game.rank(end)]}")
    return "\n".join(lines) + "\n"


def _audience(seen: int) -> str:
    return "all" if seen == EVERYONE else "seat " + ", ".join(map(str, core.members(seen)))


if __name__ == "__main__":
    for name in sys.argv[1:] or GAMES:
        for path, way in files(GAMES[name]).items():
            path.write_text(story(GAMES[name], way), "utf-8")
