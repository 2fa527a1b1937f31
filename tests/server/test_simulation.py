"""Whole evenings under a virtual clock, with everything that goes wrong. See `simulation.py`."""

import os
import subprocess
import sys
from sqlite3 import IntegrityError

import pytest

from cheeseboard.client import Dishonest
from cheeseboard.games import GAMES
from cheeseboard.server import dealing, store
from cheeseboard.server.company import Company
from cheeseboard.server.course import Course
from cheeseboard.server.room import Room
from tests.server.simulated import Often
from tests.server.simulation import FAULTS, MINUTES, SOMETIMES, Tale

SEEDS = 20


def test_evenings_end_well_whatever_goes_wrong():
    often, played = Often(), set()
    for seed in range(SEEDS):
        tale = Tale(seed)
        often.update(tale.often)
        played |= {bundle.game for bundle in tale.bundles.values() if not bundle.closed}
        assert tale.minutes >= MINUTES
    assert played == set(GAMES), "a whole game of each kind, verified"
    never = [point for point in SOMETIMES if not often[point]]
    assert not never, "what these evenings were to show has not happened"


def test_one_seed_is_one_evening_byte_by_byte():
    """In this process twice, and in another one, where sets and dictionaries of strings have another order."""
    again = [sys.executable, "-m", "tests.server.simulation", "--first", "3", "--seeds", "1"]
    other = subprocess.run(again, env={**os.environ, "PYTHONHASHSEED": "7"}, capture_output=True, text=True, check=True)
    assert Tale(3).trace == Tale(3).trace == other.stdout.strip()
    assert Tale(4).trace != other.stdout.strip()


# --- the simulation would notice ------------------------------------------------------------------------------------


def tells_before_it_stores(patch):
    old = Room._store

    def hasty(self, writes, then, *lost):
        old(self, writes, lambda: None, *lost)
        self.storing = False
        then()

    patch.setattr(Room, "_store", hasty)


def does_a_retry_again(patch):
    old = Room.hear_play

    def forgetful(self, line, message):
        self.ids.clear()
        old(self, line, message)

    patch.setattr(Room, "hear_play", forgetful)


def writes_on_after_the_table_was_claimed(patch):
    patch.setattr(store, "_fits", lambda group, rows, stands: True)


def waits_for_ever_for_who_is_gone(patch):
    patch.setattr(Room, "_grace", lambda self: None)


def tells_the_last_act_again(patch):
    old = Room._steps
    patch.setattr(Room, "_steps", lambda self, since: old(self, max(since - 1, 0) if since < self.n - 1 else since))


def goes_on_with_the_old_race(patch):
    old = Course.acted

    def lazy(self, seat, steps):
        if self.race:
            self.race.ready.add(-1)  # so that nobody is ever the last
        old(self, seat, steps)

    patch.setattr(Course, "acted", lazy)


def brings_in_new_seats_after_a_void(patch):
    patch.setattr(dealing, "takes_part", lambda deal, seat: True)


def forgets_the_hash_of_who_was_sent_away(patch):
    old = Company._empty

    def empty(self, seat):
        old(self, seat)
        self.record.deal.commits = [(other, commit) for other, commit in self.record.deal.commits if other != seat]

    patch.setattr(Company, "_empty", empty)


PLANTED = {
    tells_before_it_stores: {"crash", "deaf disk", "drops"},
    does_a_retry_again: {"crash", "drops", "junk"},
    writes_on_after_the_table_was_claimed: {"two houses", "drops"},
    waits_for_ever_for_who_is_gone: {"absent", "drops"},
    tells_the_last_act_again: {"drops"},
    goes_on_with_the_old_race: set(),
    brings_in_new_seats_after_a_void: {"silent", "drops"},
    forgets_the_hash_of_who_was_sent_away: {"kick"},
}


def evenings(faults):
    for seed in range(12):
        Tale(seed, faults=faults)


@pytest.mark.parametrize("plant", PLANTED)
def test_a_planted_fault_is_caught(plant):
    """By the history, by a client that does not believe it, or by the store as the last line of defence."""
    assert set(FAULTS) >= PLANTED[plant]
    with pytest.MonkeyPatch.context() as patch:
        plant(patch)
        with pytest.raises((AssertionError, Dishonest, IntegrityError)):
            evenings(PLANTED[plant])
