"""What every game must obey, as functions of a game: `test_laws.py` runs them over all games, seats and options, and
`test_mutants.py` over rules with planted faults. `below(n)` is the source of all choices."""

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from cheeseboard.games import core
from cheeseboard.games.compiled import compiled
from cheeseboard.games.core import CLOCK, HIDDEN, LOT, LUCK, NOBODY, OVER, Game, State, members
from cheeseboard.games.texts import LANGUAGES, texts
from cheeseboard.table import drawn

Below = Callable[[int], int]


class Way(NamedTuple):
    """One way to play a game."""

    seats: int
    options: dict[str, Any]


def ways(game: Game) -> list[Way]:
    """Every number of seats as the booklet plays, and every choice of every option at least once at some table."""
    facts = core.about(game)
    least, most = facts["players"]
    plain = [Way(seats, {}) for seats in range(least, most + 1)]
    others = [{option: choice} for option, choices in facts["options"].items() for choice in choices[1:]]
    mixed = {option: choices[-1] for option, choices in facts["options"].items()}
    return plain + [Way(least + n % (most - least + 1), options) for n, options in enumerate([*others, mixed])]


def someone(game: Game, state: State, below: Below) -> int:
    """Who acts next: whom the game waits for; in real time, and now and then anyway, anybody who may."""
    waits = game.waiting(state)
    ready = [seat for seat in range(state.seats) if game.legal(state, seat)]
    if waits >> LUCK & 1:
        return LUCK
    if waits >> CLOCK & 1:
        ready.append(CLOCK)
    elif below(8):
        ready = members(waits)
    return ready[below(len(ready))]


def choice(game: Game, state: State, seat: int, below: Below) -> int:
    if seat == LUCK:
        return drawn(game, state, below)
    actions = members(game.legal(state, seat))
    return actions[below(len(actions))]


def walk(game: Game, way: Way, below: Below) -> Iterator[tuple[State, int, int]]:
    """A random game: each state with who does what next."""
    state = core.new(game, way.seats, **way.options)
    while state.phase != OVER:
        seat = someone(game, state, below)
        action = choice(game, state, seat, below)
        yield state, seat, action
        game.apply(state, seat, action, None)


def random_rounds(game: Game, seed: int, seats: int, check: Callable[[State], None], **options: Any) -> State:
    """Play at random, all the game waits for in turn; `check` sees each state between two rounds, and the end."""
    state, below = core.new(game, seats, **options), seeded(seed)
    while state.phase != OVER:
        check(state)
        for seat in members(game.waiting(state)):
            game.apply(state, seat, choice(game, state, seat, below), None)
    check(state)
    return state


def winners(game: Game, state: State) -> list[int]:
    return [seat for seat, place in enumerate(game.rank(state)) if place == 1]


def everyone(state: State) -> list[int]:
    return [*range(state.seats), NOBODY]


def told(game: Game, state: State, seat: int, action: int, viewer: int) -> list[core.Event]:
    """What the viewer is told when this is done to the state."""
    events = core.events()
    game.apply(state, seat, action, events)
    return core.told(game, events, viewer)


# --- the laws -------------------------------------------------------------------------------------------------------


def replay_is_identical(game: Game, way: Way, below: Below) -> None:
    log = [(seat, action) for _, seat, action in walk(game, way, below)]
    ends = []
    for _ in range(2):
        state = core.new(game, way.seats, **way.options)
        for seat, action in log:
            game.apply(state, seat, action, None)
        assert state.phase == OVER
        assert _only_ints(list(vars(state).values())), "a NumPy number in a plain record"
        ends.append(state.tobytes())
    assert ends[0] == ends[1]


def somebody_can_act_until_the_end(game: Game, way: Way, below: Below) -> None:
    end = None
    for state, seat, action in walk(game, way, below):
        waits, all_seats = game.waiting(state), range(core.SEATS)
        assert waits > 0
        assert all(game.legal(state, who) for who in members(waits)), "waits for one who can do nothing"
        assert not any(game.legal(state, who) for who in range(state.seats, core.SEATS)), "an empty seat can act"
        for who in (LUCK, CLOCK):
            assert bool(game.legal(state, who)) == bool(waits >> who & 1)
        if waits >> LUCK & 1:
            assert waits == 1 << LUCK
            assert not any(game.legal(state, who) for who in all_seats), "somebody acts while luck is at work"
            assert all(core.odds(game, state, card) > 0 for card in members(game.legal(state, LUCK)))
        assert all(0 <= game.legal(state, who) < 1 << game.ACTIONS for who in [*all_seats, LUCK, CLOCK])
        after = state.copy()
        game.apply(after, seat, action, None)
        if seat in all_seats and waits not in (1 << seat, 1 << CLOCK):
            stay = waits & ~(1 << seat)
            assert game.waiting(after) == stay, "an act took somebody else out of those the game waits for"
        end = after
    assert end is not None
    assert game.waiting(end) == 0
    assert not any(game.legal(end, who) for who in [*range(core.SEATS), LUCK, CLOCK])


def compiled_equals_plain(game: Game, way: Way, below: Below) -> None:
    machine = compiled(game)
    records = core.blank(game, way.seats, **way.options).records()
    machine.start(records[0])
    buffer = np.zeros(1, core.BUFFER)
    for state, seat, action in walk(game, way, below):
        assert records.tobytes() == state.tobytes()
        for who in [*range(way.seats), LUCK, CLOCK]:
            assert machine.legal(records[0], who) == game.legal(state, who)
        assert machine.waiting(records[0]) == game.waiting(state)
        if seat == LUCK:
            for card in range(game.ACTIONS):  # a driver asks for all of them
                assert machine.odds(records[0], card) == core.odds(game, state, card)
        for viewer in everyone(state):
            view, opened = records.copy(), core.view(game, state, viewer)
            machine.hide(view[0], viewer)
            assert view.tobytes() == opened.tobytes()
            machine.forget(view[0], viewer)
            game.forget(opened, viewer)
            assert view.tobytes() == opened.tobytes()
        guessed = records.copy()
        machine.hide(guessed[0], 0)
        machine.guess(guessed[0], np.random.default_rng(5))
        opened = core.view(game, state, 0)
        game.guess(opened, np.random.default_rng(5))
        assert guessed.tobytes() == opened.tobytes()
        events = core.events()
        game.apply(state.copy(), seat, action, events)
        buffer[:] = 0
        machine.apply(records[0], seat, action, buffer[0])
        assert buffer.tobytes() == events.tobytes()
    assert records[0].phase == OVER
    assert list(machine.rank(records[0])) == list(game.rank(State.of(records[0])))


def seats_are_equal(game: Game, way: Way, below: Below) -> None:
    """The same game with everybody moved on by one seat gives the same result, moved on by one seat."""
    log = list(walk(game, way, below))  # the states in it are one and the same object; only the acts are used
    turned = [(seat, action) for _, seat, action in log]
    here, there = (core.new(game, way.seats, **way.options) for _ in range(2))

    def moved(seat: int) -> int:
        return (seat + 1) % way.seats if 0 <= seat < way.seats else seat

    def moved_set(bits: int) -> int:
        return sum(1 << moved(seat) for seat in members(bits))

    while turned:
        luck = []
        while turned and turned[0][0] == LUCK:  # cards for several seats may be dealt in another order
            action = turned.pop(0)[1]
            lot = here.phase == LOT
            events = told(game, here, LUCK, action, NOBODY)
            receiver = NOBODY if lot or not events else moved(events[0].seat)
            luck.append((lot, receiver, moved(action) if lot else action))
        while luck:
            lot = there.phase == LOT
            fitting = members(game.legal(there, LUCK))
            events = told(game, there.copy(), LUCK, fitting[0], NOBODY)
            receiver = NOBODY if lot or not events else events[0].seat
            act = next(act for act in luck if act[:2] == (lot, receiver))
            luck.remove(act)
            game.apply(there, LUCK, act[2], None)
        if turned:
            seat, action = turned.pop(0)
            game.apply(here, seat, action, None)
            game.apply(there, moved(seat), action, None)
        assert game.waiting(there) == moved_set(game.waiting(here))
        for seat in range(way.seats):
            assert there.scores[moved(seat)] == here.scores[seat]
            assert game.legal(there, moved(seat)) == game.legal(here, seat)
    assert here.phase == there.phase == OVER
    one, other = game.rank(here), game.rank(there)
    assert all(other[moved(seat)] == one[seat] for seat in range(way.seats))


def a_guess_is_a_possible_truth(game: Game, way: Way, below: Below) -> None:
    rng = np.random.default_rng(below(1 << 30))
    for state, _, _ in walk(game, way, below):
        for viewer in everyone(state):
            view = core.view(game, state, viewer)
            world = view.copy()
            game.guess(world, rng)
            for field, value in vars(world).items():
                _no_blank_left(value, getattr(view, field), getattr(state, field), field)
            assert _only_ints(list(vars(world).values())), "a NumPy number in a plain record"
            assert core.view(game, world, viewer) == view
            assert game.waiting(world) == game.waiting(state)
            if viewer != NOBODY:
                assert game.legal(world, viewer) == game.legal(state, viewer)


def a_view_is_less_than_the_truth(game: Game, way: Way, below: Below) -> None:
    """Blanking only blanks; a strict view blanks more; and whoever looks at a view can play by it."""
    for state, _, _ in walk(game, way, below):
        for viewer in everyone(state):
            view, strict = core.view(game, state, viewer), core.view(game, state, viewer, strict=True)
            for less, more in ((view, state), (strict, view)):
                for field, value in vars(less).items():
                    _only_blanked(value, getattr(more, field), field)
            assert core.view(game, view, viewer) == view
            for seen in (view, strict):
                assert game.waiting(seen) == game.waiting(state)
                assert viewer == NOBODY or game.legal(seen, viewer) == game.legal(state, viewer)


def no_leak(game: Game, way: Way, below: Below) -> None:
    """Two worlds that differ only in what the viewer cannot know look the same to the viewer, as long as what is told
    is the same; and what is told says no more than the view knows afterwards."""
    viewer = below(way.seats + 1) - 1
    rng = np.random.default_rng(below(1 << 30))
    one = core.new(game, way.seats, **way.options)
    other = one.copy()
    while one.phase != OVER:
        if not below(4):
            other = core.view(game, one, viewer)
            game.guess(other, rng)
        assert game.waiting(other) == game.waiting(one)
        seat = someone(game, one, below)
        action = choice(game, one, seat, below)
        there = choice(game, other, seat, below) if seat != viewer and below(2) else action
        if not game.legal(other, seat) >> there & 1:
            there = choice(game, other, seat, below) if game.legal(other, seat) else HIDDEN
        if there == HIDDEN:  # a secret that shows: this seat cannot act at all in the other world
            other = one.copy()
            there = action
        after, after_there = one.copy(), other.copy()
        tale = told(game, after, seat, action, viewer)
        tale_there = told(game, after_there, seat, there, viewer)
        views = [core.view(game, world, viewer) for world in (after, after_there)]
        if tale == tale_there:
            assert views[0] == views[1], f"the view of seat {viewer} betrays what it was not told"
            assert game.waiting(after) == game.waiting(after_there)
            assert viewer == NOBODY or game.legal(after, viewer) == game.legal(after_there, viewer)
        else:
            assert views[0] != views[1], f"seat {viewer} was told more than it may know"
        one, other = after, after_there if tale == tale_there else after.copy()


def places_are_places(game: Game, way: Way, below: Below) -> None:
    *_, (state, _, _) = walk(game, way, below)  # the walk goes on to the end
    assert state.phase == OVER
    place = list(game.rank(state))
    assert len(place) == way.seats
    assert all(place.count(p) >= 1 and sum(q < p for q in place) == p - 1 for p in place)


LAWS = (
    replay_is_identical,
    somebody_can_act_until_the_end,
    compiled_equals_plain,
    seats_are_equal,
    a_guess_is_a_possible_truth,
    a_view_is_less_than_the_truth,
    no_leak,
    places_are_places,
)


def nothing_is_missing(game: Game) -> list[str]:
    """What a complete game still lacks, in words."""
    facts, title = core.about(game), core.name(game)
    missing = [
        f"field {field}: np.record has that name" for field in game.STATE.names or () if hasattr(np.record, field)
    ]
    if (game.STATE.names or ())[:3] != ("seats", "phase", "scores"):
        missing.append("the header seats, phase, scores")
    if game.STATE.itemsize > 1024:
        missing.append(f"a record of at most 1024 bytes, it has {game.STATE.itemsize}")
    if not 0 < game.ACTIONS <= 61:
        missing.append("1 to 61 actions")
    keys = []
    for language in LANGUAGES:
        words = texts(game, language)
        keys.append(sorted(_keys(words)))
        missing += [
            f"{language}: event {event}" for event in game.EVENTS if "they" not in words["events"].get(event, ())
        ]
        missing += [f"{language}: no event {event}" for event in words["events"] if event not in game.EVENTS]
        for option, choices in facts["options"].items():
            said = words["options"].get(option, {})
            missing += [
                f"{language}: option {option}={choice}"
                for choice in choices
                if ("each" if isinstance(choice, int) else choice) not in said
            ]
            missing += [f"{language}: name of option {option}"] * ("name" not in said)
        numbers = [key.rpartition("-") for key in words["rules"]]
        if [f"{facts['clauses']}-{n + 1:02}" for n in range(len(numbers))] != list(words["rules"]):
            missing.append(f"{language}: clauses in order without a gap")
    if keys[0] != keys[1]:
        missing.append(f"the same texts in both languages: {set(keys[0]) ^ set(keys[1])}")
    return [f"{title}: {what}" for what in missing]


def _keys(table: dict[str, Any], above: str = "") -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _keys(value, f"{above}{key}.")
        else:
            # German and English need the forms of number at different places
            yield above + key.removesuffix("_one") + (f"[{len(value)}]" if isinstance(value, list) else "")


def _no_blank_left(guessed: Any, blanked: Any, true: Any, field: str) -> None:
    if blanked == true:  # mostly, and all of a list at once
        return
    if isinstance(guessed, list):
        for one, other, third in zip(guessed, blanked, true, strict=True):
            _no_blank_left(one, other, third, field)
    else:
        assert guessed != HIDDEN, f"{field}: guess leaves a blank"


def _only_ints(values: list[Any]) -> bool:
    if set(map(type, values)) == {int}:
        return True
    return all(_only_ints(each) if isinstance(each, list) else type(each) is int for each in values)


def _only_blanked(less: Any, more: Any, field: str) -> None:
    if less == more:
        return
    if isinstance(less, list):
        for one, other in zip(less, more, strict=True):
            _only_blanked(one, other, field)
    else:
        assert less == HIDDEN, f"{field}: a view may blank {more}, not change it to {less}"


def seeded(seed: int) -> Below:
    return random.Random(seed).randrange
