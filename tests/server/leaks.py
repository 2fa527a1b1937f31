"""Leaks planted one at a time: each is a fault that a house could have, and `test_worlds.py` must find every one.

`mark(state)` stands for any hidden fact: a small number that the whole truth decides. `secret` is what a careless line
of code would take it from."""

from collections.abc import Callable
from typing import Any
from zlib import crc32

import msgspec
import pytest

from cheeseboard.games import core
from cheeseboard.games.core import NOBODY, State
from cheeseboard.server import messages, plans, room
from cheeseboard.server.dealer import Dealer
from cheeseboard.server.house import House, bundle
from cheeseboard.server.line import FRAME, Line, padded
from cheeseboard.server.plans import Plans
from cheeseboard.server.record import Record
from cheeseboard.server.refusals import No
from cheeseboard.server.room import Eyes, Room
from cheeseboard.table import Step, Table

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]
LEAKS: dict[str, Plant] = {}


def leak(plant: Plant) -> Plant:
    LEAKS[plant.__name__] = plant
    return plant


def mark(state: State) -> int:
    return crc32(state.tobytes()) % 997


def secret(room: Room) -> int:
    return mark(room.table.state) if room.table else 0


def around(patch: Patch, owner: Any, name: str, new: Callable[..., Any]) -> None:
    """Replace a function by one that gets the old one first."""
    old = getattr(owner, name)
    patch.setattr(owner, name, lambda *args, **more: new(old, *args, **more))


def in_views(patch: Patch, change: Callable[[Room, int, int, dict[str, Any]], None]) -> None:
    """Change every view that goes out."""

    def frame(old: Any, room: Room, eyes: Eyes) -> bytes:
        view = msgspec.json.decode(old(room, eyes))
        change(room, eyes.seat, eyes.since, view)
        return padded(messages.encode(view))

    around(patch, Room, "frame", frame)


# --- in the view ----------------------------------------------------------------------------------------------------


@leak
def whole_state_instead_of_a_view(patch: Patch) -> None:
    patch.setattr(Table, "view", lambda self, seat, **_: self.state)


@leak
def view_that_remembers(patch: Patch) -> None:
    patch.setattr(Table, "view", lambda self, seat, **_: core.view(self.game, self.state, seat))


@leak
def undo_buffer(patch: Patch) -> None:
    befores: dict[int, dict[str, Any]] = {}
    around(
        patch,
        Table,
        "play",
        lambda old, table, *act: (befores.update({id(table): vars(table.state.copy())}), old(table, *act))[1],
    )
    in_views(patch, lambda room, seat, since, view: view.update(undo=befores.get(id(room.table))))


@leak
def first_state_goes_along(patch: Patch) -> None:
    first: dict[tuple[int, int], dict[str, Any]] = {}

    def change(room: Room, seat: int, since: int, view: dict[str, Any]) -> None:
        assert room.table is not None
        view["start"] = first.setdefault((id(room), room.n // 16), vars(room.table.state.copy()))

    in_views(patch, change)


@leak
def one_field_not_hidden(patch: Patch) -> None:
    def change(room: Room, seat: int, since: int, view: dict[str, Any]) -> None:
        assert room.table is not None
        for field in ("bid", "choice", "pool", "draw"):
            if field in view["view"]:
                view["view"][field] = getattr(room.table.state, field)

    in_views(patch, change)


@leak
def spectators_look_from_seat_0(patch: Patch) -> None:
    around(patch, Room, "frame", lambda old, room, eyes: old(room, eyes._replace(seat=max(eyes.seat, 0))))


@leak
def eyes_of_one_for_all(patch: Patch) -> None:
    """One frame for all who have heard as much: somebody lends the others his eyes."""

    def show(room: Room, line: Line, frames: dict[int, bytes]) -> None:
        since = room.n if line.told < 0 else line.told
        line.told = room.n
        line.sink(frames.setdefault(since, room.frame(Eyes(room.lines[-1].look, since))))

    patch.setattr(Room, "show", show)


@leak
def legal_list_of_the_next_seat(patch: Patch) -> None:
    around(
        patch, Table, "legal", lambda old, table, seat: old(table, (seat + 1) % table.state.seats if seat < 6 else seat)
    )


@leak
def legal_list_for_spectators(patch: Patch) -> None:
    def change(room: Room, seat: int, since: int, view: dict[str, Any]) -> None:
        if seat == NOBODY and room.table:
            view["legal"] = [room.table.legal(each) for each in range(len(room.record.seats))]

    in_views(patch, change)


@leak
def order_of_a_hidden_pile(patch: Patch) -> None:
    def change(room: Room, seat: int, since: int, view: dict[str, Any]) -> None:
        view["legal"].sort(key=lambda action: crc32(b"%d %d" % (action, secret(room))))

    in_views(patch, change)


@leak
def waiting_in_the_order_of_hidden_cards(patch: Patch) -> None:
    def change(room: Room, seat: int, since: int, view: dict[str, Any]) -> None:
        if secret(room) % 2:
            view["waiting"].reverse()

    in_views(patch, change)


@leak
def length_by_what_is_held(patch: Patch) -> None:
    around(patch, Room, "frame", lambda old, room, eyes: old(room, eyes) + b" " * FRAME * (secret(room) % 3))


@leak
def no_padding(patch: Patch) -> None:
    patch.setattr(room, "padded", lambda frame: frame)


# --- in the events --------------------------------------------------------------------------------------------------


@leak
def events_as_the_actor_sees_them(patch: Patch) -> None:
    around(patch, Step, "told", lambda old, step, seat=NOBODY: old(step, step.seat))


@leak
def luck_in_the_events(patch: Patch) -> None:
    def change(room: Room, seat: int, since: int, view: dict[str, Any]) -> None:
        view["luck"] = [step.action for n, steps in room.recent if n > since for step in steps[1:]]

    in_views(patch, change)


@leak
def acts_in_the_events(patch: Patch) -> None:
    def change(room: Room, seat: int, since: int, view: dict[str, Any]) -> None:
        view["acts"] = [(step.seat, step.action) for n, steps in room.recent if n > since for step in steps[:1]]

    in_views(patch, change)


@leak
def missed_events_of_another_seat(patch: Patch) -> None:
    """Only to those who come back: live all is well."""

    def join(old: Any, room: Room, line: Line, since: int | None, seat: int | None) -> None:
        frame = room.frame
        if since is not None:
            room.frame = lambda eyes: frame(eyes._replace(seat=0))  # type: ignore[method-assign]
        old(room, line, since, seat)
        room.frame = frame  # type: ignore[method-assign]

    around(patch, Room, "join", join)


# --- in other messages ----------------------------------------------------------------------------------------------


def in_deals(patch: Patch, **change: Callable[[Room], Any]) -> None:
    def deal(old: Any, dealer: Dealer) -> messages.Deal:
        told: messages.Deal = old(dealer)
        return msgspec.structs.replace(told, **{part: value(dealer.room) for part, value in change.items()})

    around(patch, Dealer, "message", deal)


@leak
def root_too_early(patch: Patch) -> None:
    in_deals(patch, root=lambda room: room.dealer.root.hex())


@leak
def key_too_early(patch: Patch) -> None:
    in_deals(patch, key=lambda room: room.key.hex())


@leak
def seeds_before_all_are_in(patch: Patch) -> None:
    in_deals(patch, seeds=lambda room: room.record.deal.seeds)


@leak
def commits_before_the_roster_is_frozen(patch: Patch) -> None:
    in_deals(patch, commits=lambda room: room.record.deal.commits)


@leak
def chain_in_the_answer(patch: Patch) -> None:
    around(
        patch,
        Room,
        "tell",
        lambda old, room, answers=(): old(
            room, [(line, messages.Done(answer.id + room.chain.hex(), answer.n)) for line, answer in answers]
        ),
    )


@leak
def hidden_cards_in_the_table_info(patch: Patch) -> None:
    around(patch, Room, "info", lambda old, room: msgspec.structs.replace(old(room), series=[secret(room)]))


@leak
def hidden_cards_in_the_lobby(patch: Patch) -> None:
    def tables(old: Any, house: House) -> list[messages.TableInfo]:
        return [
            msgspec.structs.replace(info, played=secret(house.rooms[info.table]))
            for info in old(house)
            if info.table in house.rooms
        ]

    around(patch, House, "tables", tables)


@leak
def error_text_by_a_hidden_card(patch: Patch) -> None:
    def hear(old: Any, room: Room, line: Line, message: messages.FromClient, came: float) -> None:
        sink = line.sink
        line.sink = lambda data: sink(data.replace(b"may not do", b"may never do") if secret(room) % 2 else data)
        old(room, line, message, came)
        line.sink = sink

    around(patch, Room, "hear", hear)


@leak
def error_code_by_a_hidden_card(patch: Patch) -> None:
    def own_seat(old: Any, room: Room, line: Line, asked: int | None) -> int:
        if asked is not None and asked not in room.record.seats_of(line.person) and secret(room) % 2:
            raise No("no-seat", "expected one of your seats", 403)
        return int(old(room, line, asked))

    around(patch, Room, "_own_seat", own_seat)


@leak
def close_code_by_a_hidden_card(patch: Patch) -> None:
    def receive(old: Any, house: House, room: Room, line: Line, data: bytes, came: float | None = None) -> None:
        if data == b"[]":
            line.hang_up(1002 + secret(room) % 2, "nonsense")
        old(house, room, line, data, came)

    around(patch, House, "receive", receive)


@leak
def replay_of_a_running_game(patch: Patch) -> None:
    def replay(house: House, table: str, answer: Callable[[Any], None]) -> None:
        def see(record: Record) -> None:
            house.keeper.ask(lambda store: store.entries(table), lambda entries: answer(bundle(record, entries)))

        house.look(table, lambda room: room.record, see)

    patch.setattr(House, "replay", replay)


@leak
def anybody_may_look_from_any_seat(patch: Patch) -> None:
    def hear(old: Any, room: Room, line: Line, message: messages.FromClient, came: float) -> None:
        if isinstance(message, messages.Look) and message.seat < len(room.record.seats):
            look, line.look = line.look, message.seat
            room.show(line, {})
            line.look = look
        else:
            old(room, line, message, came)

    around(patch, Room, "hear", hear)


# --- in order and time ----------------------------------------------------------------------------------------------


@leak
def answer_first_if_the_card_is_high(patch: Patch) -> None:
    def tell(old: Any, room: Room, answers: Any = ()) -> None:
        if secret(room) % 2:
            for line, answer in answers:
                line.send(answer)
            answers = ()
        old(room, answers)

    around(patch, Room, "tell", tell)


@leak
def one_more_frame_if_the_card_is_high(patch: Patch) -> None:
    def tell(old: Any, room: Room, answers: Any = ()) -> None:
        old(room, answers)
        if secret(room) % 3 == 0:
            room.tell_table()

    around(patch, Room, "tell", tell)


@leak
def told_later_if_the_card_is_high(patch: Patch) -> None:
    def tell(old: Any, room: Room, answers: Any = ()) -> None:
        room.clock.later(0.001 * (secret(room) % 5), lambda: old(room, answers))

    around(patch, Room, "tell", tell)


@leak
def bots_think_as_long_as_they_hold(patch: Patch) -> None:
    def plan(old: Any, self: Plans, table: Table, seat: int) -> None:
        patch.setattr(plans, "thinking_s", lambda entropy: 0.5 + 0.001 * mark(table.state))
        old(self, table, seat)

    around(patch, Plans, "_plan", plan)


@leak
def passed_over_who_has_little_choice(patch: Patch) -> None:
    """A seat with few different cards is played for at once: what it could have done was next to nothing."""

    def stir(old: Any, self: Plans) -> None:
        old(self)
        table, room = self.room.table, self.room
        if table is None or room.storing or room.record.phase != "playing" or room.record.paused:
            return
        for seat in range(len(room.record.seats)):
            legal = table.legal(seat)
            if legal and table.game.ACTIONS > 20 and len(legal) < 9:
                room.clock.later(0.0, lambda seat=seat, legal=legal: _try(room, seat, legal[-1]))  # type: ignore[misc]

    around(patch, Plans, "stir", stir)


def _try(room: Room, seat: int, action: int) -> None:
    def job() -> None:
        if room.table and not room.record.paused and action in room.table.legal(seat):
            room.act(seat, action)

    room.enter(job)


@leak
def time_of_a_sealed_choice(patch: Patch) -> None:
    """When each of the others really chose, by the house's clock, told with the view: too fine, and of hidden acts."""

    def change(room: Room, seat: int, since: int, view: dict[str, Any]) -> None:
        view["at_ms"] = [
            room.clock.now_ms() + step.action for n, steps in room.recent if n > since for step in steps[:1]
        ]

    in_views(patch, change)
