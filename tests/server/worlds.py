"""Two worlds that differ only in what one pair of eyes cannot know, and every byte that these eyes get from the house.

    python -m tests.server.worlds --pairs 10000        of each game; stops at the first leak

Both worlds have a house of their own, with the same clock, the same disk and the same guests. In the middle of a game
the second gets another possible truth: `guess` of what the viewer knows. The house's root and the seeds of the others
differ too. Then both go through the same script. As long as the rules show the viewer the same (`core.view` of both
states), everything that reaches the viewer must be the same: bytes, order, virtual times."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import msgspec
import numpy as np

from cheeseboard import deal as protocol
from cheeseboard.bots import Past
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import HIDDEN, LUCK, NOBODY, OVER, SEATS, Refusal, State
from cheeseboard.server import limits, messages
from cheeseboard.server.course import Act
from cheeseboard.server.guests import Chosen, think
from cheeseboard.server.house import House
from cheeseboard.server.limits import Bucket
from cheeseboard.server.line import FRAME, Line
from cheeseboard.server.metrics import Metrics
from cheeseboard.server.refusals import no
from cheeseboard.server.room import Room
from cheeseboard.table import Step
from tests.games import laws
from tests.server.simulated import Entropy, Life, SimBus, SimClock, SimKeeper, SimThinkers, empty_store

LIMITS = msgspec.structs.replace(limits.DEFAULT, message_burst=10**6, realtime_burst=10**6, chat_count=10**6)
STEPS = 10  # of a script


class Leak(AssertionError):
    """The viewer got something else in the other world."""


class Heard(NamedTuple):
    """Something that reached the viewer."""

    at: float
    channel: str
    data: bytes


class Luck(NamedTuple):
    action: int
    view: State  # what the viewer knows afterwards


class World:
    """A house with one table, and everything the viewer hears of it."""

    def __init__(self, name: str, seed: int, game: str, way: laws.Way, viewer: int, bots: set[int]) -> None:
        self.rng = Random(f"{seed}")  # the same in both worlds
        self.game, self.viewer = GAMES[game], viewer
        self.clock = SimClock(self.rng)
        self.heard: list[Heard] = []
        self.views: list[tuple[int, Any]] = []  # after each act: how much was heard before it, and what the rules show
        # the viewer: the view and the events; None: everything, the game is over
        self.lucky: list[Luck] = []
        self.chosen: dict[tuple[int, int], int] = {}
        self.other: World | None = None
        self.private = Entropy(f"{name}/{seed}")
        self.shared = Entropy(f"both/{seed}")
        life = Life(self.clock)
        self.store = empty_store()
        keeper = SimKeeper(self.store, life, lambda: 0.001, lambda _: None)
        thinkers = Heads(self, life)
        self.house = House(
            keeper,
            life,
            lambda size: self.private(size) if size == 32 else self.shared(size),  # roots are 32 bytes
            thinkers,
            SimBus(life, self.rng),
            LIMITS,
            pace=0.1 if "race" in core.about(self.game) else 1.0,  # a script is short: most of it is to be a race
        )
        self.lobby = self.line("", "lobby")
        self.house.open(lambda: self.house.watch_lobby(self.lobby))
        self.people = {seat: f"p{seat:016x}" for seat in range(way.seats) if seat not in bots}
        self._table(game, way, bots)

    # --- the table --------------------------------------------------------------------------------------------------

    @property
    def room(self) -> Room:
        return self.house.rooms[self.code]

    def _table(self, game: str, way: laws.Way, bots: set[int]) -> None:
        host = next(iter(self.people.values()))
        kinds = ["bot:mouse" if seat in bots else "open" for seat in range(way.seats)]
        wish = messages.NewTable(game, kinds, way.options, public=True, free_text=True)
        laid: Any = self.ask(lambda answer: self.house.lay(host, "Host", wish, None, answer))
        self.code = code = laid.table
        for seat, person in self.people.items():
            sit = messages.Sit(f"Guest {seat}", seat=seat)
            self.ask(partial(self.house.at, code, lambda room, p=person, s=sit: room.sit(p, s.name, s)))  # type: ignore[misc]
        self.lines = {
            seat: self.line(person, "own" if seat == self.viewer else "") for seat, person in self.people.items()
        }
        for seat, line in self.lines.items():
            line.sink = partial(self._device, seat, line.sink)
        self.watcher = self.line("", "watching")
        for line in (self.watcher, *self.lines.values()):
            self.ask(partial(self.house.connect, line, code, None, None))
        self.clock.run(self.clock.now + 2)
        assert self.room.record.phase == "playing"
        self._watch(self.room)

    def line(self, person: str, channel: str) -> Line:
        def sink(data: bytes) -> None:
            if channel:
                self.heard.append(Heard(self.clock.now, channel, data))

        def hang_up(code: int, reason: str) -> None:
            sink(b"close %d %s" % (code, reason.encode()))

        return Line(person, sink, hang_up, Bucket(LIMITS.message_burst, LIMITS.messages_per_second))

    def _device(self, seat: int, sink: Callable[[bytes], None], data: bytes) -> None:
        """What a client does by itself: it takes part in the deal. The viewer's seed is the same in both worlds."""
        sink(data)
        if not data.startswith(b'{"t":"deal"'):
            return
        deal = msgspec.json.decode(data, type=messages.Deal)
        source = "both" if seat == self.viewer else str(self.private.seed)
        seed = Entropy(f"{source}/{deal.table}/{seat}")(32)
        message: messages.FromClient
        if deal.stage == "commit":
            commit = protocol.seat_commit(deal.table, deal.epoch, deal.attempt, seat, seed)
            message = messages.Commit(deal.attempt, commit.hex(), seat)
        elif deal.stage == "seed":
            message = messages.Seed(deal.attempt, seed.hex(), seat)
        else:
            return
        self.clock.later(0.01 * (seat + 1), lambda: self.say(seat, messages.encode(message)))

    def _watch(self, room: Room) -> None:
        """From now on luck is ours, and what the viewer knows after each act is written down."""
        acts = room.acts

        def watched(several: Sequence[Act], *more: Any) -> None:
            before, n = len(self.heard), room.n
            acts(several, *more)
            steps = [step for at, steps in room.recent if at > n for step in steps]
            told = [core.told(self.game, step.events, self.viewer) for step in steps]
            self.views.append((before, None if self.state.phase == OVER else (self.seen(), told)))

        room.acts = watched  # type: ignore[method-assign, assignment]
        assert room.table is not None
        room.table.luck = self._luck

    @property
    def state(self) -> State:
        assert self.room.table is not None
        return self.room.table.state

    def seen(self) -> State:
        return core.view(self.game, self.state, self.viewer)

    def rest(self) -> None:
        """Nobody does anything any more, and what was on its way arrives."""
        self.room.record.paused = True
        self.room.plans.stop()
        self.clock.run(self.clock.now + 3)

    def put(self, state: State, n: int, *, paused: bool = False) -> None:
        """The game as it stands now. What the worlds before it went through is no part of it."""
        room = self.room
        assert room.table is not None
        room.table.state = state.copy()
        room.n, room.table.log[:] = n, [(LUCK, 0)] * n
        room.plans.happened[:] = [Step(self.game, LUCK, 0, ())] * n
        self.rng.seed(n)
        self.shared = Entropy(f"both/{n}")
        room.recent.clear()
        room.course.before, room.course.revealed_at = None, 0.0
        room.course.conducts.clear()
        room.record.paused = paused
        for line in room.lines:
            line.told = n
        self.house.metrics = Metrics()
        for written in (self.views, self.lucky, self.chosen, self.heard):
            written.clear()
        room.stir()

    def _luck(self, total: int) -> int:
        """The second world's luck is as different as it can be while it looks the same to the viewer."""
        state = self.state
        actions = list(core.members(self.game.legal(state, LUCK)))
        weights = [core.odds(self.game, state, action) for action in actions]
        n = self.rng.randrange(total)
        twin = self.other.lucky[len(self.lucky)] if self.other and len(self.lucky) < len(self.other.lucky) else None
        drawn = self._after(actions, weights, n)
        if twin and drawn.view != twin.view and twin.action in actions:
            n = sum(weights[: actions.index(twin.action)])
            drawn = self._after(actions, weights, n)
        self.lucky.append(drawn)
        return n

    def _after(self, actions: list[int], weights: list[int], n: int) -> Luck:
        action = next(action for at, action in enumerate(actions) if n < sum(weights[: at + 1]))
        after = self.state.copy()
        self.game.apply(after, LUCK, action, None)
        self.game.hide(after, self.viewer)
        return Luck(action, after)

    # --- what happens -----------------------------------------------------------------------------------------------

    def ask(self, call: Callable[[Callable[[Any], None]], None]) -> Any:
        found: list[Any] = []
        call(found.append)
        self.clock.run(self.clock.now + 0.1)
        return found[0]

    def say(self, seat: int, data: bytes) -> None:
        self.house.receive(self.room, self.lines[seat], data)

    def http(self) -> None:
        """What anybody can ask for without a seat."""
        code = self.room.record.id
        asked: dict[str, Callable[[Callable[[Any], None]], None]] = {
            "table": partial(self.house.look, code, lambda room: room.info()),
            "replay": partial(self.house.replay, code),
            "lobby page": lambda answer: answer(self.house.tables()),
        }
        for channel, call in asked.items():
            call(partial(self._answered, channel))
        self.heard.append(Heard(self.clock.now, "metrics", self.house.metrics.text().encode()))

    def _answered(self, channel: str, result: Any) -> None:
        body = messages.Problem(no(result).code, str(result)) if isinstance(result, Refusal) else result
        self.heard.append(Heard(self.clock.now, channel, messages.encode(body)))

    def visit(self, since: int | None, seat: int | None) -> None:
        """One more connection of the viewer, for a moment."""
        line = self.line(self.people.get(self.viewer, ""), "again")
        self.house.connect(line, self.room.record.id, since, seat, lambda _: None)
        self.clock.later(0.05, lambda: self.house.disconnect(self.room, line))


class Heads(SimThinkers):
    """Bots do the same in both worlds where they can; only the rules may show a difference."""

    def __init__(self, world: World, life: Life) -> None:
        super().__init__(life, lambda: 0.01)
        self.world = world

    def choose(
        self, game: str, level: str, view: dict[str, Any], seat: int, seed: int, past: Past, done: Chosen
    ) -> None:
        world, mark = self.world, (seat, self.world.room.n)
        action, _ = think(game, "random", view, seat, seed)
        twin = world.other.chosen.get(mark) if world.other else None
        if twin is not None:
            legal = list(core.members(world.game.legal(State(world.game.STATE, view), seat)))
            action = twin if twin in legal else alike(world.game, twin, legal)[0]
        world.chosen[mark] = action
        self.life.later(self.think_s(), partial(done, action, 1.0 + 0.1 * seat))


class Twins:
    """Both worlds, and a script for them."""

    def __init__(self, seed: int, game: str, way: laws.Way) -> None:
        self.rng = rng = Random(f"twins/{seed}")
        self.game, self.way = GAMES[game], way
        self.viewer = rng.choice([*range(way.seats), NOBODY])
        seats = [seat for seat in range(way.seats) if seat != self.viewer]
        bots = {seat for seat in seats[1:] if rng.random() < 0.3}
        self.one = World("one", seed, game, way, self.viewer, bots)
        self.two = World("two", seed, game, way, self.viewer, bots)
        self.two.other = self.one
        self.number = iter(range(1 << 60))
        self.differ = self.compared = 0
        for world in self.both:  # after the deal luck has begun, and it is not the same
            opened = next(at for at, heard in enumerate(world.heard) if heard.data.startswith(b'{"t":"view"'))
            del world.heard[opened:]
        self.compare("the deal")

    @property
    def both(self) -> tuple[World, World]:
        return self.one, self.two

    def close(self) -> None:
        for world in self.both:
            world.store.close()

    # --- comparing --------------------------------------------------------------------------------------------------

    def compare(self, what: str) -> bool:
        """Whether the viewer still knows the same in both worlds. Raises Leak if it was told more than it may know."""
        ends, same = [len(world.heard) for world in self.both], True
        for (here, view), (there, view_there) in zip(self.one.views, self.two.views, strict=False):
            if view is None or view != view_there:
                ends, same = [here, there], False
                break
        heard, heard_there = (world.heard[:end] for world, end in zip(self.both, ends, strict=True))
        for one, two in zip(heard, heard_there, strict=False):
            if one != two and sealed(one) != sealed(two):
                raise Leak(f"{what}, viewer {self.viewer}: {difference(one, two)}")
            if one.data.startswith(b'{"t":"view"') and len(one.data) % FRAME:
                raise Leak(f"{what}: a view of {len(one.data)} bytes")
        if len(heard) != len(heard_there):
            more = max(heard, heard_there, key=len)[min(len(heard), len(heard_there))]
            raise Leak(f"{what}, viewer {self.viewer}: heard only in one world: {more}")
        self.compared += len(heard)
        return same

    # --- the script -------------------------------------------------------------------------------------------------

    def pair(self, state: State, other: State, steps: int = STEPS) -> None:
        """Both worlds from these states on, through the same script."""
        self.differ += state != other
        self.begin(state, other)
        for _ in range(steps):
            what = self.rng.choice(
                (self._act, self._act, self._act, self._wait, self._ask, self._again, self._nonsense, self._talk)
            )
            for world, do in zip(self.both, what(), strict=True):
                do(world)
                world.clock.run(world.clock.now + 0.2)
            if not self.compare(what.__name__.strip("_")) or self.over:
                return

    def begin(self, state: State, other: State, *, paused: bool = False) -> None:
        for world in self.both:
            world.rest()
        n = max(world.room.n for world in self.both)
        self.one.put(state, n, paused=paused)
        self.two.put(other, n, paused=paused)

    @property
    def over(self) -> bool:
        return any(world.room.record.phase != "playing" for world in self.both)

    def _each(self, do: Callable[[World], None]) -> tuple[Callable[[World], None], Callable[[World], None]]:
        return do, do

    def _act(self) -> tuple[Callable[[World], None], Callable[[World], None]]:
        """Somebody acts: the viewer does the same in both worlds, others perhaps not."""
        waits = self.game.waiting(self.one.state)
        ready = [seat for seat in self.one.lines if self.game.legal(self.one.state, seat)]
        wanted = [seat for seat in ready if waits >> seat & 1] or ready
        if not wanted:
            return self._wait()
        seat = self.rng.choice(wanted)
        here, there = (list(core.members(self.game.legal(world.state, seat))) for world in self.both)
        action = self.rng.choice(here)
        same = action in there and (seat == self.viewer or self.rng.random() < 0.5)
        there = alike(self.game, action, there)
        other = action if same or not there else self.rng.choice(there)
        name = f"act-{next(self.number)}"
        return tuple(
            lambda world, what=what: world.say(seat, messages.encode(messages.Play(name, what)))
            for what in (action, other)
        )  # type: ignore[return-value]

    def _wait(self) -> tuple[Callable[[World], None], Callable[[World], None]]:
        seconds = self.rng.uniform(0.2, 4)
        return self._each(lambda world: world.clock.run(world.clock.now + seconds))

    def _ask(self) -> tuple[Callable[[World], None], Callable[[World], None]]:
        return self._each(World.http)

    def _again(self) -> tuple[Callable[[World], None], Callable[[World], None]]:
        """The viewer comes in by another door: new, or as if some acts had been missed."""
        since = self.rng.choice((None, max(0, self.one.room.n - self.rng.randrange(4))))
        seat = self.rng.choice((None, self.rng.randrange(SEATS)))
        return self._each(lambda world: world.visit(since, seat))

    def _nonsense(self) -> tuple[Callable[[World], None], Callable[[World], None]]:
        """What the viewer may not do; a spectator says it from the watching line."""
        rng, n = self.rng, next(self.number)
        said = rng.choice(
            (
                messages.encode(messages.Play(f"bad-{n}", rng.randrange(62))),
                messages.encode(messages.Play(f"bad-{n}", rng.randrange(62), rng.randrange(SEATS))),
                messages.encode(messages.Look(rng.randrange(SEATS))),
                messages.encode(messages.Commit(0, "00" * 32)),
                messages.encode(messages.Seed(0, "00" * 32)),
                messages.encode(messages.Ping(1.5)),
                b'{"t":"play","id":"x","action":62}',
                b'{"t":"play","id":"x","act',
                b"[]",
            )
        )
        if legal_somewhere(said, self.both, self.viewer):
            return self._wait()
        return self._each(
            lambda world: world.house.receive(world.room, world.lines.get(self.viewer, world.watcher), said)
        )

    def _talk(self) -> tuple[Callable[[World], None], Callable[[World], None]]:
        seat = self.rng.choice(list(self.one.lines))
        said = messages.encode(messages.Say(text="Miau!"))
        return self._each(lambda world: world.say(seat, said))


def alike(game: core.Game, action: int, others: list[int]) -> list[int]:
    """Actions that the clock of a race takes for the same: a slap closes it, and all see that; to let go does not."""
    passes = core.about(game).get("race", {}).get("passes", [])
    return [other for other in others if (other in passes) == (action in passes)]


def legal_somewhere(said: bytes, worlds: tuple[World, World], viewer: int) -> bool:
    """What was to be nonsense is a legal move of the viewer's: then the rules go on, which is `_act`'s business."""
    try:
        message = messages.decode(said)
    except msgspec.DecodeError:
        return False
    if not isinstance(message, messages.Play) or viewer == NOBODY or message.seat not in {None, viewer}:
        return False
    return any(world.game.legal(world.state, viewer) >> message.action & 1 for world in worlds)


def sealed(heard: Heard) -> Any:
    """A deal without what is a hash, or public by now: roots and seeds are not the same in both worlds."""
    if not heard.data.startswith(b'{"t":"deal"'):
        return heard
    deal = msgspec.json.decode(heard.data)
    for part in ("server", "transcript", "fingerprint", "key_hash"):
        deal[part] = len(deal[part])
    parts = (["commits"] if deal["stage"] != "commit" else []) + (["seeds"] if deal["transcript"] else [])
    for part in parts:
        deal[part] = [(seat, len(text)) for seat, text in deal[part]]
    return heard.at, heard.channel, len(heard.data), deal


def difference(one: Heard, two: Heard) -> str:
    if (one.at, one.channel) != (two.at, two.channel):
        return f"{one} in one world, {two} in the other"
    at = next(
        (at for at, (a, b) in enumerate(zip(one.data, two.data, strict=False)) if a != b),
        min(len(one.data), len(two.data)),
    )
    around = slice(max(0, at - 60), at + 60)
    return f"{one.channel}: {one.data[around]!r} in one world, {two.data[around]!r} in the other"


# --- pairs ----------------------------------------------------------------------------------------------------------


def middles(game: str, way: laws.Way, rng: Random) -> Iterator[State]:
    """States in the middle of random games, in which somebody can act."""
    module = GAMES[game]
    while True:
        states = [
            state.copy()
            for state, seat, _ in laws.walk(module, way, rng.randrange)
            if seat != LUCK and rng.random() < 0.3
        ]
        yield from rng.sample(states, min(8, len(states)))


def other_truth(game: str, state: State, viewer: int, rng: Random) -> State:
    other = core.view(GAMES[game], state, viewer)
    GAMES[game].guess(other, np.random.default_rng(rng.randrange(1 << 30)))
    return other


def other_memory(game: str, state: State, viewer: int, donor: State) -> State:
    """The same table for one who has forgotten: whatever a strict view blanks is taken from another game."""
    strict, other = core.view(GAMES[game], state, viewer, strict=True), state.copy()
    for field, value in vars(strict).items():
        setattr(other, field, _mixed(value, getattr(state, field), getattr(donor, field)))
        if core.view(GAMES[game], other, viewer, strict=True) != strict:  # it shows, such as a card where none was
            setattr(other, field, getattr(state.copy(), field))
    return other


def _mixed(seen: Any, true: Any, strange: Any) -> Any:
    if isinstance(seen, list):
        return [_mixed(*three) for three in zip(seen, true, strange, strict=True)]
    return strange if seen == HIDDEN != true else true


def hunt(rounds: int) -> None:
    """Small rounds over all games, for leaks that show only in one of them."""
    for seed in range(rounds):
        for game in GAMES:
            run(game, seed, 8)
            run_forgetful(game, seed, 3)


class Tally(NamedTuple):
    pairs: int
    differ: int  # pairs whose worlds really were different
    compared: int  # things the viewer heard that were held against each other


def run(game: str, seed: int, pairs: int) -> Tally:
    """So many pairs of worlds of a game, at tables of every kind."""
    rng = Random(f"{game}/{seed}")
    differ = compared = done = 0
    while done < pairs:
        way = rng.choice(laws.ways(GAMES[game]))
        twins = Twins(rng.randrange(1 << 30), game, way)
        for state in islice(middles(game, way, rng), 200):
            other = other_truth(game, state, twins.viewer, rng)
            if other == state and rng.random() < 0.7:
                continue  # nothing is hidden just now; the others may still do different things
            twins.pair(state, other)
            done += 1
            if twins.over or done == pairs or not rng.randrange(30):
                break
        differ, compared = differ + twins.differ, compared + twins.compared
        twins.close()
    return Tally(done, differ, compared)


def run_forgetful(game: str, seed: int, pairs: int) -> Tally:
    """Worlds that differ in what the viewer has known and may not look up again: nobody acts, the viewer only looks."""
    rng = Random(f"forgetful/{game}/{seed}")
    way = rng.choice(laws.ways(GAMES[game]))
    twins = Twins(rng.randrange(1 << 30), game, way)
    states = middles(game, way, rng)
    for _ in range(pairs):
        state, donor = next(states), next(states)
        other = other_memory(game, state, twins.viewer, donor)
        twins.differ += state != other
        twins.begin(state, other, paused=True)
        for world in twins.both:
            world.visit(None, None)
            world.visit(max(0, world.room.n - 2), None)
            world.http()
            world.room.tell()
            world.clock.run(world.clock.now + 0.1)
        twins.compare("memory")
    twins.close()
    return Tally(pairs, twins.differ, twins.compared)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    wish = parser.parse_args()
    for game in GAMES:
        for what in (run, run_forgetful):
            total = Tally(0, 0, 0)
            while total.pairs < wish.pairs:
                part = what(game, wish.seed + total.pairs, min(100, wish.pairs - total.pairs))
                total = Tally(*(a + b for a, b in zip(total, part, strict=True)))
                counts = f"{total.pairs} pairs, {total.differ} different, {total.compared} heard"
                sys.stdout.write(f"\r{game:8} {what.__name__:14} {counts}")
                sys.stdout.flush()
            sys.stdout.write("\n")


if __name__ == "__main__":
    main()
