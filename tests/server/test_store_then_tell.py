"""No step of a deal is told before it is on the disk: who shows a seed must know that the roster stays as it is."""

from random import Random
from typing import Any

import msgspec

from cheeseboard import deal as protocol
from cheeseboard.server import messages
from cheeseboard.server.house import House
from cheeseboard.server.limits import DEFAULT, Bucket
from cheeseboard.server.line import Line
from cheeseboard.server.record import unpack
from cheeseboard.server.store import Group, TableRow
from tests.server.simulated import Entropy, Life, SimBus, SimClock, SimKeeper, SimThinkers, empty_store

decode = msgspec.json.Decoder(messages.FromHouse).decode
STAGES = ["commit", "seed", "ready", "shown"]
SEEDS = [bytes([number]) * 32 for number in range(2)]


def test_every_step_of_a_deal_is_stored_before_it_is_told():
    clock, stored, told = SimClock(Random(1)), list[str](), list[str]()
    life, store = Life(clock), empty_store()

    def kept(group: Group) -> None:
        stored.extend(unpack(write.record).deal.stage for write in group.writes if isinstance(write, TableRow))

    keeper = SimKeeper(store, life, lambda: 0.01, kept)
    thinkers, bus = SimThinkers(life, lambda: 0.0), SimBus(life, Random(1))
    house = House(keeper, life, Entropy("deal"), thinkers, bus, DEFAULT)
    answers: list[Any] = []

    def asked(ask: Any) -> Any:
        ask(lambda *answer: answers.append(answer[0]))
        clock.run(clock.now + 1)
        return answers[-1]

    people = [asked(lambda answer, name=name: house.people.greet(name, answer)).id for name in ("Ann", "Ben")]
    wish = messages.NewTable("geier", ["me", "open"], options={"cards": 2})
    table = asked(lambda answer: house.lay(people[0], "Ann", wish, None, answer)).table
    asked(lambda answer: house.at(table, lambda room: room.sit(people[1], "Ben", messages.Sit()), answer))
    stored.clear()

    def come(seat: int) -> None:
        def hear(frame: bytes) -> None:
            message = decode(frame)
            if not isinstance(message, messages.Deal):
                return
            told.append(message.stage)
            assert STAGES.index(message.stage) <= max([0, *map(STAGES.index, stored)]), "told before it was stored"
            commit = protocol.seat_commit(table, message.epoch, message.attempt, seat, SEEDS[seat]).hex()
            if message.stage == "commit":
                clock.later(0.001, lambda: say(messages.Commit(message.attempt, commit)))
            elif message.stage == "seed":
                clock.later(0.001, lambda: say(messages.Seed(message.attempt, SEEDS[seat].hex())))

        def say(message: messages.FromClient) -> None:
            house.receive(house.rooms[table], line, messages.encode(message))

        line = Line(people[seat], hear, lambda *_: None, Bucket(1000, 1000))
        asked(lambda answer: house.connect(line, table, None, None, answer))

    come(0)
    come(1)
    clock.run(clock.now + 10)
    assert set(told) == {"commit", "seed", "ready"}
    store.close()
