"""Symmetric equilibria: seats exchange, deviating does not pay, drawn joint choices lead to the same place."""

from functools import cache
from itertools import permutations, product

import numpy as np
import pytest

from cheeseboard.bots.symmetric import learn, order, settle, throw
from cheeseboard.games.compiled import machine_code
from tests.bots.joint import gains, play, solved

RNG = np.random.default_rng


def test_rock_paper_scissors_for_two():
    beats = np.array([[0, -1, 2], [1, 0, -1], [-2, 1, 0]], float)  # the stone counts double against the scissors
    worth = np.stack([beats, -beats]).reshape(2, 9)
    for kind in ([0, 0], [0, 1]):
        mixes = solved(worth, [3, 3], kind)
        assert mixes == pytest.approx(np.array([[1, 2, 1]] * 2) / 4, abs=2e-3)


@pytest.mark.parametrize("seed", range(5))
def test_exchanging_the_seats_exchanges_the_mixes_exactly(seed):
    """Three seats in different situations, told apart by a number each: whoever sits where plays the same."""
    rng = RNG(seed)
    moves, worth = (3, 4, 2), rng.random((3, 3, 4, 2))
    keys = np.array([30, 10, 20])
    mixes = set()
    for seating in permutations(range(3)):  # seat i is held by the player seating[i]
        seats, kind = np.zeros(3, np.int64), np.zeros(3, np.int64)
        assert order(keys[list(seating)], seats, kind) == 3
        at = [seating[seat] for seat in seats]  # the players in their own order
        table = np.stack([worth[player].transpose(at) for player in at]).reshape(3, 24)
        rows = solved(table, [moves[player] for player in at], kind, 200)
        mixes.add(tuple(rows[at.index(player)].tobytes() for player in range(3)))
    assert len(mixes) == 1


def test_equal_seats_are_of_one_kind():
    seats, kind = np.zeros(5, np.int64), np.zeros(5, np.int64)
    assert order(np.array([7, 3, 7, 1, 3]), seats, kind) == 3
    assert seats.tolist() == [3, 1, 4, 0, 2]
    assert kind.tolist() == [0, 1, 1, 2, 2]


def share_the_table(seats):
    """Everybody names one of four plates; who is alone takes what lies on it. A game in which copies collide."""
    plates = [4, 3, 2, 1]
    worth = np.zeros((seats, 4**seats))
    for number, joint in enumerate(product(range(4), repeat=seats)):
        for seat, plate in enumerate(joint):
            worth[seat, number] = plates[plate] * (joint.count(plate) == 1)
    return worth


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_equal_players_part(seats):
    worth = share_the_table(seats)
    mixes = solved(worth, [4] * seats, [0] * seats)
    assert (gains(worth, [4] * seats, mixes) < 1e-3).all()
    assert mixes[0].max() < 0.6


def draw_and_learn(worth, seats, size, samples, dice, mix):
    """As a bot does it: what could each seat have had, the others choosing as drawn?"""
    regret, average, values = np.zeros(size), np.zeros(size), np.zeros(size)
    joint = np.zeros(seats, np.int64)
    mix[:] = 1 / size
    for number in range(samples):
        for seat in range(seats):
            joint[seat] = throw(mix, size, dice)
        values[:] = 0.0
        for seat in range(seats):
            weight = size ** (seats - 1 - seat)
            rest = 0
            for other in range(seats):
                rest += joint[other] * size ** (seats - 1 - other) * int(other != seat)
            for move in range(size):
                values[move] += worth[seat, rest + move * weight] / seats
        learn(regret, average, mix, values, size, number + 1.0, 0.0)
    settle(average, size, 0.01, mix)


@pytest.mark.parametrize("seats", [3, 5])
def test_drawn_joint_choices(seats):
    worth, mix = share_the_table(seats), np.zeros(4)
    run = machine_code(draw_and_learn)
    run(worth, seats, 4, 20_000, np.array([3], np.uint64), mix)
    assert mix.sum() == pytest.approx(1)
    assert (gains(worth, [4] * seats, [mix] * seats) < 0.02).all()
    again = np.zeros(4)
    run(worth, seats, 4, 20_000, np.array([3], np.uint64), again)
    assert again.tobytes() == mix.tobytes()


def test_throws_follow_the_mix():
    dice, mix = np.array([1], np.uint64), np.array([0.5, 0.0, 0.3, 0.2])
    run = machine_code(throw)
    thrown = np.bincount([run(mix, 4, dice) for _ in range(20_000)], minlength=4) / 20_000
    assert thrown == pytest.approx(mix, abs=0.02)
    assert thrown[1] == 0


def test_rare_moves_are_left_out_but_not_all():
    mix = np.zeros(4)
    settle(np.array([0.4, 50.0, 49.6, 0.0]), 4, 0.01, mix)
    assert mix == pytest.approx([0, 50 / 99.6, 49.6 / 99.6, 0])
    settle(np.full(4, 25.0), 4, 0.5, mix)
    assert mix == pytest.approx([0.25] * 4)


# --- a whole small game of sealed bids for three ----------------------------------------------------------------------
# Hands 1 to 3, one prize a round turned at random; the highest bid that is alone takes it, below zero the lowest; is no
# bid alone, it waits for the next. A player is (hand, score); the players stand in a sorted order: a state is the same
# whoever sits where.

PRIZES = (4, 1, -2)


def won(scores, ending):
    """Official: whoever is level with a rival is disregarded, and it may be that nobody wins."""
    if ending == "shared":
        return [(score == max(scores)) / scores.count(max(scores)) for score in scores]
    alone = [score for score in scores if scores.count(score) == 1]
    return [float(bool(alone) and score == max(alone)) for score in scores]


def taker(bids, pot):
    alone = [bid for bid in bids if bids.count(bid) == 1]
    if not alone:
        return None
    return bids.index(max(alone) if pot >= 0 else min(alone))


def outcome(players, bids, pot):
    """The players after the bids, not sorted, and the pot that waits."""
    winner = taker(bids, pot)
    after = [
        (tuple(card for card in hand if card != bid), score + pot * (seat == winner))
        for seat, ((hand, score), bid) in enumerate(zip(players, bids, strict=True))
    ]
    return after, pot if winner is None else 0


@cache
def node(players, prizes, pot, ending):
    """The mixes of the players and what they bring them, once a prize has been turned and the pot is known."""
    moves = [len(hand) for hand, _ in players]
    worth = np.zeros((3, np.prod(moves)))
    for number, bids in enumerate(product(*(hand for hand, _ in players))):
        after, waits = outcome(players, bids, pot)
        worth[:, number] = before(after, waits, prizes, ending)
    kind = [players.index(player) for player in players]
    kind = [sorted(set(kind)).index(k) for k in kind]
    mixes = solved(worth, moves, kind, 2000)
    return mixes, worth


def before(players, pot, prizes, ending):
    """What a state in which no prize has been turned yet brings each player, in the order given."""
    at = sorted(range(3), key=players.__getitem__)
    values = _before(tuple(players[seat] for seat in at), pot, prizes, ending)
    return values[np.argsort(at)]


@cache
def _before(players, pot, prizes, ending):
    if not prizes:
        return np.array(won([score for _, score in players], ending))
    total = np.zeros(3)
    for prize in prizes:
        mixes, worth = node(players, tuple(p for p in prizes if p != prize), pot + prize, ending)
        total += play(worth, [len(hand) for hand, _ in players], mixes)
    return total / len(prizes)


@cache
def best(players, who, pot, prizes, ending):
    """What the player `who` can reach at best against the mixes of the others."""
    if not prizes:
        return won([score for _, score in players], ending)[who]
    total = 0.0
    for prize in prizes:
        rest, stake = tuple(p for p in prizes if p != prize), pot + prize
        mixes, _ = node(players, rest, stake, ending)
        hands = [hand for hand, _ in players]
        values = np.zeros(len(hands[who]))
        for at in product(*(range(len(hand)) for hand in hands)):
            share = np.prod([mixes[seat][at[seat]] for seat in range(3) if seat != who])
            if share > 1e-9:
                bids = [hands[seat][at[seat]] for seat in range(3)]
                after, waits = outcome(players, bids, stake)
                seats = sorted(range(3), key=after.__getitem__)
                players_then = tuple(after[seat] for seat in seats)
                values[at[who]] += share * best(players_then, seats.index(who), waits, rest, ending)
        total += values.max()
    return total / len(prizes)


@pytest.mark.parametrize("ending", ["official", "shared"])
def test_nobody_gains_by_deviating_from_a_whole_game(ending):
    players = (((1, 2, 3), 0),) * 3
    fair = before(list(players), 0, PRIZES, ending)
    assert fair == pytest.approx([fair[0]] * 3)
    assert best(players, 0, 0, PRIZES, ending) - fair[0] <= 0.005
