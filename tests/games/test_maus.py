"""Aus die Maus!, clause by clause. The names T-A.. are the worked examples and vectors of the rules.

C is cheese, K a cat, M1 to M3 a mouse with so many paws. Jan, Tessa and Justus sit clockwise in this order."""

import random
from itertools import pairwise

import pytest

from cheeseboard.games import GAMES, core
from cheeseboard.games.core import CLOCK, EMPTY, HIDDEN, LOT, LUCK, NOBODY, OVER, SEATS
from cheeseboard.games.maus import rules
from cheeseboard.games.texts import texts

GAME = GAMES["maus"]
LAW = {"ADM-": 39, "T-A": 23}  # how far the numbers of clauses and examples go
C, M1, M2, M3, K = range(5)
JAN, TESSA, JUSTUS = range(3)
SMALL, FULL = [32, 3, 4, 3, 8], [58, 6, 6, 6, 14]  # the deck of 2 or 3 players, and of 4 to 6
CIRCLE = [M2, C, M1, M1], [M1, M1]  # two stacks that go round for ever
BEGINNING, ENDING = {"begins", "dealt", "opened"}, {"last_chip", "out", "stopped"}


def act(state, seat, action):
    """Apply a legal action; what is told of it."""
    assert GAME.legal(state, seat) >> action & 1, f"seat {seat} may not do {action}"
    assert GAME.waiting(state) == 1 << seat
    events = core.events()
    GAME.apply(state, seat, action, events)
    told = core.told(GAME, events, NOBODY)
    assert all(core.told(GAME, events, seat) == told for seat in range(SEATS))
    assert all(event.card == EMPTY or event.kind in ("opened", "turned") for event in told), "another card is named"
    return told


def table(*stacks, pile=(C,), turn=JAN, **fields):
    """A game in which everybody knows these stacks, top card first; it is `turn`'s turn."""
    state = core.new(GAME, len(stacks))
    state.phase, state.turn = rules.TURN, turn
    state.unseen = [0] * 5
    for seat, stack in enumerate(stacks):
        state.known[seat][: len(stack)] = stack
        state.scores[seat] = len(stack)
    state.pile[: len(pile)] = pile
    state.height = len(pile)
    for field, value in fields.items():
        assert field in vars(state)
        setattr(state, field, value)
    return state


def dealt(seats, card=C, beginner=0, **options):
    """A game just dealt, with this card in the middle."""
    state = core.new(GAME, seats, **options)
    act(state, LUCK, beginner)
    act(state, LUCK, card)
    return state


def turn(state, *cards):
    """Whoever is to turn cards turns these, shown by LUCK where they are fresh. What is told of the last one."""
    events = []
    for card in cards:
        seat = state.turn
        events = act(state, seat, 0)
        if state.phase == rules.FLIP:
            assert events == []
            events = act(state, LUCK, card)
        assert (events[0].kind, events[0].seat, events[0].card) == ("turned", seat, card)
    return events


def kinds(events):
    return [event.kind for event in events]


def clauses(events):
    return {event.kind: event.clause for event in events}


def won_cards(state, seat):
    """The known cards of a stack, from the top."""
    number = state.scores[seat] - state.fresh[seat]
    ring = state.known[seat]
    return [ring[(state.first[seat] + n) % len(ring)] for n in range(number)]


def pile(state):
    assert all(card == EMPTY for card in state.pile[state.height :])
    return state.pile[: state.height]


def drawn(state, chance):
    cards = core.members(GAME.legal(state, LUCK))
    return chance.choices(cards, [core.odds(GAME, state, card) for card in cards])[0]


def random_game(seed, seats, check=lambda state: None, **options):
    state, chance = core.new(GAME, seats, **options), random.Random(seed)
    while state.phase != OVER:
        check(state)
        if GAME.waiting(state) >> LUCK & 1:
            GAME.apply(state, LUCK, drawn(state, chance), None)
        else:
            GAME.apply(state, state.turn, 0, None)
    check(state)
    return state


def winners(state):
    return [seat for seat, place in enumerate(GAME.rank(state)) if place == 1]


# --- set-up ---------------------------------------------------------------------------------------------------------


def test_players():
    """ADM-01: two to six."""
    for seats in range(2, 7):
        assert core.new(GAME, seats).seats == seats
    for seats in (1, 7):
        with pytest.raises(core.Refusal, match="2 to 6"):
            core.new(GAME, seats)


def test_cards_in_the_box():
    """ADM-02: 58 cheeses, 18 mice with one to three paws, 14 cats."""
    cheese, *mice, cat = core.new(GAME, 6).unseen
    assert (cheese, sum(mice), cat) == (58, 18, 14)
    assert all(mice)


def test_reconstructed_decks():
    """ADM-03: paws and red backs as reconstructed, in game.toml, where the owner of a box can correct them."""
    small, full = core.about(GAME)["decks"]
    assert [small[kind] for kind in rules.NAMES] == SMALL
    assert [full[kind] for kind in rules.NAMES] == FULL
    assert all(red <= card for red, card in zip(SMALL, FULL, strict=True))


def test_large_tables_use_everything():
    """ADM-04: 90 cards and 9 chips for four to six."""
    for seats in (4, 5, 6):
        state = core.new(GAME, seats)
        assert (state.unseen, state.chips_left) == (FULL, 9)
        assert sum(state.unseen) == 90


def test_small_tables_use_red_backs():
    """ADM-05: 50 cards and 5 chips for two and three."""
    for seats in (2, 3):
        state = core.new(GAME, seats)
        assert (state.unseen, state.chips_left) == (SMALL, 5)
        assert sum(state.unseen) == 50


@pytest.mark.parametrize(
    ("seats", "hands"),
    [
        (2, [25, 24]),
        (3, [17, 16, 16]),
        (4, [23, 22, 22, 22]),
        (5, [18, 18, 18, 18, 17]),
        (6, [15, 15, 15, 15, 15, 14]),
    ],
)
def test_deal(seats, hands):
    """ADM-06, ADM-07, ADM-09, T-A20: all but one, evenly, surplus to the first in turn order; the last lies face up."""
    for beginner in range(seats):
        state = core.new(GAME, seats)
        events = act(state, LUCK, beginner)
        fresh = hands[seats - beginner :] + hands[: seats - beginner]
        assert state.fresh[:seats] == state.scores[:seats] == fresh
        assert state.fresh[seats:] == [0] * (SEATS - seats)
        assert sum(fresh) + 1 == sum(state.unseen)
        assert [(event.seat, event.value) for event in events if event.kind == "dealt"] == [
            ((beginner + n) % seats, hand) for n, hand in enumerate(hands)
        ]
        assert pile(state) == []
        act(state, LUCK, C)
        assert pile(state) == [C]
        assert sum(state.scores) == sum(state.unseen)
        assert (state.phase, state.turned) == (rules.TURN, 0)


def test_nobody_looks():
    """ADM-08: a card that has not been turned exists nowhere; LUCK turns any of those left, all equally likely."""
    state = dealt(4)
    assert {card for stack in state.known for card in stack} == {EMPTY}
    act(state, 0, 0)
    assert GAME.legal(state, LUCK) == 0b11111
    assert [core.odds(GAME, state, card) for card in range(5)] == [57, 6, 6, 6, 14]
    act(state, LUCK, K)
    assert state.unseen == [57, 6, 6, 6, 13]
    state.unseen[M2] = 0
    act(state, 1, 0)
    assert GAME.legal(state, LUCK) == 0b11011


def test_who_begins():
    """ADM-10: any seat by lot, each as likely; or the first seat, where the youngest may sit down. Then clockwise."""
    state = core.new(GAME, 5)
    assert state.phase == LOT
    assert GAME.legal(state, LUCK) == 0b11111
    assert {core.odds(GAME, state, seat) for seat in range(5)} == {1}
    assert not any(GAME.legal(state, seat) for seat in [*range(SEATS), CLOCK])
    assert clauses(act(state, LUCK, 3))["begins"] == "ADM-10"
    assert [(event.kind, event.seat, event.clause) for event in act(state, LUCK, K)] == [
        ("opened", LUCK, "ADM-09"),
        ("next", 3, "ADM-10"),
    ]
    order = []
    for _ in range(6):
        order.append(state.turn)
        turn(state, C)
    assert order == [3, 4, 0, 1, 2, 3]
    assert GAME.legal(core.new(GAME, 5, begins="first-seat"), LUCK) == 0b00001


def test_start_mouse():
    """T-A21: a mouse in the middle is hunted by the beginner; if it gets away, the player to the right has the pile."""
    state = core.new(GAME, 4)
    act(state, LUCK, 2)
    events = act(state, LUCK, M2)
    assert [(event.kind, event.seat, event.value) for event in events] == [("opened", LUCK, 0), ("hunt", 2, 2)]
    assert (state.turn, state.tries, state.owner) == (2, 2, 1)
    turn(state, C, C)
    assert won_cards(state, 1) == [C, C, M2]
    assert (state.turn, state.scores[:4]) == (1, [22, 22 + 3, 23 - 2, 22])
    state = dealt(4, M3)
    assert state.owner == 3
    turn(state, K)
    assert won_cards(state, 0) == [K, M3]
    assert state.chips == [1, 0, 0, 0, 0, 0]


def test_no_start_mouse():
    """T-A21, option `start_mouse`: swapped means that the first card is cheese or cat, in their proportion."""
    state = core.new(GAME, 4, start_mouse="swap")
    act(state, LUCK, 0)
    assert GAME.legal(state, LUCK) == 1 << C | 1 << K
    assert (core.odds(GAME, state, C), core.odds(GAME, state, K)) == (58, 14)
    act(state, LUCK, C)
    act(state, 0, 0)
    assert GAME.legal(state, LUCK) == 0b11111
    plain = core.new(GAME, 4)
    act(plain, LUCK, 0)
    assert GAME.legal(plain, LUCK) == 0b11111


def test_start_cat():
    """ADM-13: a cat in the middle does nothing."""
    state = dealt(3, K)
    assert (state.turn, state.tries, state.owner, pile(state)) == (0, 0, NOBODY, [K])


# --- an ordinary turn -----------------------------------------------------------------------------------------------


def test_turning_is_all():
    """ADM-11: whoever's turn it is turns the top card, nobody else, nothing else."""
    state = table([C, K, M1], [K, C], [C, C])
    for seat in (JAN, TESSA, JUSTUS):
        assert GAME.waiting(state) == 1 << seat
        assert [GAME.legal(state, who) for who in range(SEATS)] == [int(who == seat) for who in range(SEATS)]
        assert not any(GAME.legal(state, who) for who in (LUCK, CLOCK, NOBODY))
        assert list(core.legal_mask(GAME, state, seat)) == [1, 0, 0, 0, 0, 0]
        top = won_cards(state, seat)
        turn(state, top[0])
        assert won_cards(state, seat) == top[1:]
    assert pile(state) == [C, C, K, C]


def test_cheese():
    """ADM-12: nothing happens, the next player goes on."""
    state = table([C, C], [C, C], [C, C])
    events = turn(state, C)
    assert [(event.kind, event.seat, event.clause) for event in events[1:]] == [
        ("last_card", JAN, "ADM-32"),
        ("next", TESSA, "ADM-12"),
    ]
    assert (state.turn, state.tries, state.chips_left, pile(state)) == (TESSA, 0, 5, [C, C])


@pytest.mark.parametrize(("vector", "top"), [("T-A07", C), ("T-A08", K)])
def test_cat_without_a_mouse(vector, top):
    """ADM-13, ADM-14, T-A07, T-A08: on cheese or on a cat it wins nothing."""
    state = table([K, C, C], [C, C], [C, C], pile=(C, top))
    events = turn(state, K)
    assert [(event.kind, event.clause) for event in events] == [("turned", "ADM-11"), ("next", "ADM-13")], vector
    assert (state.turn, state.tries, pile(state), state.chips) == (TESSA, 0, [C, top, K], [0] * SEATS)


def test_a_mouse_that_was_hunted_before_is_no_prey():
    """ADM-14: a cat on cheese wins nothing even if mice lie further down."""
    state = table([K, C, C], [C, C], [C, C], pile=(M3, M1, C))
    turn(state, K)
    assert (state.turn, state.chips, pile(state)) == (TESSA, [0] * SEATS, [M3, M1, C, K])


@pytest.mark.parametrize("paws", [M1, M2, M3])
def test_mouse(paws):
    """ADM-15: the next player hunts with as many tries as it has paws."""
    state = table([C, C], [C, C], [paws, C], turn=JUSTUS)
    events = turn(state, paws)
    assert (state.owner, state.turn, state.tries) == (JUSTUS, JAN, paws)
    assert [(event.kind, event.seat, event.value, event.clause) for event in events[-1:]] == [
        ("hunt", JAN, paws, "ADM-15")
    ]


# --- the hunt -------------------------------------------------------------------------------------------------------

STORIES = [
    # vector, cards turned, who takes the pile, how many cards, who gets a chip, who goes on after the new pile is begun
    ("T-A01", [M2, C, K], TESSA, 4, TESSA, JUSTUS),
    ("T-A02", [M2, C, C], JAN, 4, NOBODY, TESSA),
    ("T-A03", [M2, M3, K], JUSTUS, 4, JUSTUS, JAN),
    ("T-A04", [M2, M3, C, C, C], TESSA, 6, NOBODY, JUSTUS),
    ("T-A05", [M1, C], JAN, 3, NOBODY, TESSA),
    ("T-A06", [M3, K], TESSA, 3, TESSA, JUSTUS),
    ("T-A09", [M2, C, M1, C], TESSA, 5, NOBODY, JUSTUS),
    ("three mice", [M1, M1, M1, C], JUSTUS, 5, NOBODY, JAN),
    ("the hunt comes round", [M1, M2, M3, C, M1, K], TESSA, 7, TESSA, JUSTUS),
    ("the last of three", [M3, C, C, K], TESSA, 5, TESSA, JUSTUS),
]


@pytest.mark.parametrize(("vector", "cards", "taker", "number", "chip", "follower"), STORIES)
def test_hunts(vector, cards, taker, number, chip, follower):
    """ADM-16, ADM-17, ADM-18, ADM-19, ADM-20, ADM-21, ADM-22, ADM-26, ADM-27,
    T-A01, T-A02, T-A03, T-A04, T-A05, T-A06, T-A09: as LUCK turns fresh cards."""
    state = dealt(3)
    owned = sum(state.scores)
    for card in cards[:-1]:
        hunter, tries = state.turn, state.tries
        turn(state, card)
        assert pile(state)[-1] == card, vector
        if card == C:
            assert (state.turn, state.tries) == (hunter, tries - 1), vector
        else:
            assert (state.owner, state.turn, state.tries) == (hunter, (hunter + 1) % 3, card), vector
    turn(state, cards[-1])
    assert won_cards(state, taker) == [*cards[::-1], C], vector
    assert [state.scores[seat] - state.fresh[seat] for seat in range(3)] == [
        number * (seat == taker) for seat in range(3)
    ]
    assert state.chips == [int(seat == chip) for seat in range(SEATS)], vector
    assert state.chips_left == 5 - (chip != NOBODY), vector
    assert sum(state.scores) == owned + 1, vector
    assert (state.turn, state.tries, state.owner, pile(state)) == (taker, 0, NOBODY, []), vector
    turn(state, C)
    assert (state.turn, state.tries, pile(state)) == (follower, 0, [C]), vector


@pytest.mark.parametrize(("vector", "cards", "taker", "number", "chip", "follower"), STORIES)
def test_hunts_with_known_cards(vector, cards, taker, number, chip, follower):
    """ADM-16, ADM-17, ADM-18, ADM-19: cards won before come up again with the same effect as fresh ones."""
    seat = JAN
    stacks: list[list[int]] = [[], [], []]
    for card in cards:
        stacks[seat].append(card)
        seat = (seat + 1) % 3 if card in (M1, M2, M3) else seat
    state = table(*(stack + [C] * 5 for stack in stacks))
    turn(state, *cards)
    assert [state.scores[seat] for seat in range(3)] == [5 + number * (seat == taker) for seat in range(3)], vector
    assert state.chips == [int(seat == chip) for seat in range(SEATS)], vector
    turn(state, C)
    assert state.turn == follower, vector


def test_no_stopping_early():
    """ADM-16: the hunter must turn card after card; nobody else may."""
    state = table([M3, C], [C] * 5, [C, C])
    turn(state, M3)
    for tries in (3, 2, 1):
        assert (GAME.waiting(state), state.tries) == (1 << TESSA, tries)
        assert [GAME.legal(state, seat) for seat in range(3)] == [0, 1, 0]
        events = turn(state, C)
        if tries > 1:
            assert (events[-1].kind, events[-1].value, events[-1].clause) == ("missed", tries - 1, "ADM-16")
    assert state.turn == JAN


def test_caught():
    """ADM-17, ADM-21, T-A06: remaining tries lapse; one chip, although three mice lie in the pile."""
    state = table([M3, C], [K, C, C], [C, C], [C, C], pile=(M1, M2, C), chips_left=4)
    turn(state, M3)
    events = turn(state, K)
    assert [(event.kind, event.seat, event.value, event.clause) for event in events] == [
        ("turned", TESSA, 0, "ADM-16"),
        ("caught", TESSA, 0, "ADM-17"),
        ("taken", TESSA, 5, "ADM-24"),
        ("chip", TESSA, 1, "ADM-21"),
        ("anew", TESSA, 0, "ADM-26"),
    ]
    assert (state.chips[:4], state.chips_left, state.scores[TESSA]) == ([0, 1, 0, 0], 3, 2 + 5)


def test_escaped():
    """ADM-18: all cheese, the owner of the mouse takes the pile and no chip."""
    state = table([M2, C], [C, C, C], [C, C])
    turn(state, M2, C)
    events = turn(state, C)
    assert [(event.kind, event.seat, event.value, event.clause) for event in events if event.kind != "last_card"] == [
        ("turned", TESSA, 0, "ADM-16"),
        ("escaped", JAN, 0, "ADM-18"),
        ("taken", JAN, 4, "ADM-24"),
        ("anew", JAN, 0, "ADM-26"),
    ]
    assert (state.chips, state.chips_left) == ([0] * SEATS, 5)


def test_another_mouse():
    """ADM-19: the hunter stops at once, and the mouse is hunted on with its own paws."""
    state = table([M3, C], [M1, C, C], [C, C])
    turn(state, M3)
    events = turn(state, M1)
    assert [(event.kind, event.seat, event.value, event.clause) for event in events] == [
        ("turned", TESSA, 0, "ADM-16"),
        ("another", TESSA, 0, "ADM-19"),
        ("hunt", JUSTUS, 1, "ADM-19"),
    ]
    assert (state.owner, state.turn, state.tries) == (TESSA, JUSTUS, 1)


def test_two_players_hunt_back():
    """ADM-23: with two players the owner of the first mouse hunts the second."""
    state = table([M2, K, C], [M3, C, C])
    turn(state, M2, M3)
    assert (state.turn, state.owner, state.tries) == (JAN, TESSA, 3)
    turn(state, K)
    assert (state.chips[JAN], state.turn) == (1, JAN)


# --- taking the pile ------------------------------------------------------------------------------------------------


def test_order_of_won_cards():
    """ADM-24, ADM-25, ADM-26, T-A19: under the stack, newest card first; then the old top card begins a new pile."""
    state = table([C] * 3, [K, M1, M3], [C] * 3, pile=(C, M2, C), turn=TESSA, owner=JAN, tries=1)
    turn(state, K)
    assert won_cards(state, TESSA) == [M1, M3, K, C, M2, C]
    assert (pile(state), state.turn) == ([], TESSA)
    turn(state, M1)
    assert won_cards(state, TESSA) == [M3, K, C, M2, C]
    assert pile(state) == [M1]


def test_fresh_cards_come_before_won_ones():
    """ADM-24, T-A19: what was dealt lies on top of what was won."""
    state = dealt(2, M1)
    state.fresh[:2] = state.scores[:2] = [3, 3]
    turn(state, K)
    assert won_cards(state, JAN) == [K, M1]
    for card in (C, M2, M1):
        assert GAME.legal(state, state.turn)
        turn(state, card)
    assert (state.fresh[:2], state.turn, state.tries) == ([0, 2], TESSA, 1)
    turn(state, C)
    assert won_cards(state, JAN) == [K, M1, C, M1, M2, C]
    turn(state, K)
    assert won_cards(state, JAN) == [M1, C, M1, M2, C]


def test_stack_goes_round_its_ring():
    """ADM-25: a stack keeps its order wherever in the record it lies."""
    for first in range(rules.CARDS):
        state = table([C] * 3, [], [C] * 3, pile=(C, M2, M1), turn=TESSA, owner=JAN, tries=1)
        state.first[TESSA], state.scores[TESSA] = first, 3
        for n, card in enumerate([K, M3, C]):
            state.known[TESSA][(first + n) % rules.CARDS] = card
        turn(state, K)
        assert won_cards(state, TESSA) == [M3, C, K, M1, M2, C]
        turn(state, M3)
        assert sum(card != EMPTY for card in state.known[TESSA]) == 5


@pytest.mark.parametrize("card", [C, K])
def test_new_pile(card):
    """ADM-26, ADM-27, ADM-28: who took the pile begins the next, and the player to the left of that one goes on."""
    state = table([M1, C], [K, card, C], [C, C])
    events = turn(state, M1, K, card)
    assert [(event.kind, event.seat, event.clause) for event in events] == [
        ("turned", TESSA, "ADM-26"),
        ("next", JUSTUS, "ADM-27"),
    ]
    assert (state.turn, pile(state)) == (JUSTUS, [card])


def test_new_pile_with_a_mouse():
    """ADM-28, T-A10: it is hunted like any other."""
    state = table([M1, C], [K, M2, C], [C, K, C])
    events = turn(state, M1, K, M2)
    assert [(event.kind, event.seat, event.value, event.clause) for event in events] == [
        ("turned", TESSA, 0, "ADM-26"),
        ("hunt", JUSTUS, 2, "ADM-28"),
    ]
    events = turn(state, C, K)
    assert [(event.seat, event.value) for event in events if event.kind == "taken"] == [(JUSTUS, 3)]
    assert won_cards(state, JUSTUS) == [C, K, C, M2]
    assert state.chips[:3] == [0, 1, 1]


# --- the end --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("vector", "seats", "chips", "clause"),
    [("T-A11", 4, [3, 2, 2, 1], "ADM-29"), ("T-A12", 3, [2, 1, 1], "ADM-30"), ("T-A12", 2, [2, 2], "ADM-30")],
)
def test_last_chip(vector, seats, chips, clause):
    """ADM-29, ADM-30, ADM-31, T-A11, T-A12: the pile is taken with the last chip, then the game is over."""
    state = table([C] * 3, [K] + [C] * 3, *[[C] * 3] * (seats - 2), pile=(C, M2), turn=TESSA, owner=JAN, tries=2)
    state.chips[:seats] = chips
    state.chips_left = core.new(GAME, seats).chips_left - sum(chips)
    assert state.chips_left == 1, vector
    events = turn(state, K)
    assert (state.phase, state.chips_left, state.chips[TESSA]) == (OVER, 0, chips[TESSA] + 1), vector
    assert won_cards(state, TESSA) == [C, C, C, K, M2, C], vector
    assert pile(state) == []
    assert kinds(events) == ["turned", "caught", "taken", "chip", "last_chip", "won"], vector
    assert clauses(events)["last_chip"] == clause, vector
    assert winners(state) == [TESSA]
    assert GAME.waiting(state) == 0
    assert not any(GAME.legal(state, seat) for seat in [*range(SEATS), LUCK, CLOCK])


def test_last_chip_but_one():
    """ADM-29: with one chip left the game goes on."""
    state = table([C] * 3, [K] + [C] * 3, [C] * 3, pile=(C, M2), turn=TESSA, owner=JAN, tries=2, chips_left=2)
    turn(state, K)
    assert (state.phase, state.chips_left) == (rules.TURN, 1)


@pytest.mark.parametrize("last", [C, K, M1, M2, M3])
def test_last_card_in_an_ordinary_turn(last):
    """ADM-32, ADM-33, ADM-37, T-A13: whatever it is, the game is over at once and the pile belongs to nobody."""
    state = table([last], [C, C, K], [C, C], pile=(C, M1, C))
    events = turn(state, last)
    assert state.phase == OVER
    assert (state.scores[:3], state.chips, pile(state)) == ([0, 3, 2], [0] * SEATS, [C, M1, C, last])
    assert [(event.kind, event.seat, event.value, event.clause) for event in events[1:]] == [
        ("out", JAN, 0, "ADM-32"),
        ("left", NOBODY, 4, "ADM-37"),
        ("won", TESSA, 3, "ADM-34"),
    ]


def test_last_card_is_fresh():
    """ADM-32, T-A13: as with a card LUCK turns."""
    state = dealt(2)
    state.fresh[0] = state.scores[0] = 1
    turn(state, C)
    assert (state.phase, state.scores[0], state.fresh[0]) == (OVER, 0, 0)


@pytest.mark.parametrize(("vector", "tries"), [("T-A14", 3), ("T-A22", 2)])
def test_cheese_as_last_card_of_a_hunt(vector, tries):
    """ADM-33, T-A14, T-A22: tries left or not, the mouse has got away; then the game is over, without a new pile."""
    state = table([tries, C], [C, C], [C] * 4)
    turn(state, tries, C)
    assert state.phase == rules.TURN
    events = turn(state, C)
    assert (state.phase, state.scores[:3], pile(state)) == (OVER, [5, 0, 4], []), vector
    assert won_cards(state, JAN) == [C, C, C, tries, C], vector
    assert kinds(events) == ["turned", "escaped", "taken", "out", "won"], vector
    assert clauses(events)["escaped"] == ("ADM-33" if tries == 3 else "ADM-18"), vector
    assert (state.chips, winners(state)) == ([0] * SEATS, [JAN]), vector


@pytest.mark.parametrize(("chips_left", "phase"), [(3, rules.TURN), (1, OVER)])
def test_cat_as_last_card_of_a_hunt(chips_left, phase):
    """ADM-33, T-A15: with the pile the hunter has cards again, and the game goes on unless that was the last chip."""
    state = table([M3, C, C], [K], [C, C], chips_left=chips_left)
    turn(state, M3)
    events = turn(state, K)
    assert (state.phase, state.scores[TESSA], state.chips[TESSA]) == (phase, 3, 1)
    assert not {"out", "last_card"} & set(kinds(events))
    if phase == rules.TURN:
        turn(state, K)
        assert (state.turn, pile(state)) == (JUSTUS, [K])


def test_mouse_as_last_card_of_a_hunt():
    """ADM-33, ADM-37, T-A16: game over at once, the pile belongs to nobody."""
    state = table([M3, C, C], [M2], [K, C])
    turn(state, M3)
    events = turn(state, M2)
    assert (state.phase, state.scores[:3], pile(state)) == (OVER, [2, 0, 2], [C, M3, M2])
    assert kinds(events) == ["turned", "out", "left", "won", "won"]


@pytest.mark.parametrize(
    ("vector", "cards", "chips", "places", "clause"),
    [
        ("ADM-34", [30, 31, 20, 9], [9, 0, 0, 0], [2, 1, 3, 4], "ADM-34"),
        ("T-A17", [30, 30, 20, 10], [2, 3, 3, 1], [2, 1, 3, 4], "ADM-35"),
        ("T-A18", [30, 30, 20, 10], [3, 3, 0, 9], [1, 1, 3, 4], "ADM-36"),
        ("T-A18", [22, 22, 22, 22], [1, 1, 1, 1], [1, 1, 1, 1], "ADM-36"),
        ("ADM-35", [20, 20, 20, 30], [0, 4, 0, 1], [3, 2, 3, 1], "ADM-34"),
    ],
)
def test_ranking(vector, cards, chips, places, clause):
    """ADM-34, ADM-35, ADM-36, T-A17, T-A18: cards, then chips, then together."""
    state = table(*[[C] * (number + (seat == 0)) for seat, number in enumerate(cards)], cap=1, chips_left=3)
    state.chips[:4] = chips
    assert state.chips_left
    events = turn(state, C)
    assert list(GAME.rank(state)) == places, vector
    told = [(event.seat, event.value, event.clause) for event in events if event.kind == "won"]
    assert told == [(seat, cards[seat], clause) for seat in range(4) if places[seat] == 1], vector


def test_cards_and_chips_are_conserved():
    """ADM-38: stacks and pile are the deck, chips and supply all chips, at any time; and every kind of card is kept."""

    def check(state):
        deck, chips = (SMALL, 5) if state.seats < 4 else (FULL, 9)
        if state.phase not in (LOT, rules.START):
            assert sum(state.scores) + state.height == sum(deck)
            assert sum(state.fresh) == sum(state.unseen)
            known = [card for seat in range(SEATS) for card in won_cards(state, seat)]
            seen = known + pile(state)
            assert [seen.count(card) + state.unseen[card] for card in range(5)] == deck
            assert sum(card != EMPTY for stack in state.known for card in stack) == len(known)
        assert sum(state.chips) + state.chips_left == chips

    for seed in range(20):
        random_game(seed, 2 + seed % 5, check)


def test_stopped_after_so_many_cards():
    """ADM-39, T-A23: the tenth card takes effect, then the game is scored; normally it is the 2000th."""
    assert core.new(GAME, 6).cap == core.about(GAME)["cap"] == 2000
    state = dealt(3)
    state.cap = 10
    turn(state, *[C] * 8, M1)
    assert (state.phase, state.turned) == (rules.TURN, 9)
    events = turn(state, K)
    assert (state.phase, state.turned, state.chips[:3]) == (OVER, 10, [1, 0, 0])
    assert won_cards(state, 0) == [K, M1, *[C] * 9]
    assert kinds(events) == ["turned", "caught", "taken", "chip", "stopped", "won"]
    assert [(event.value, event.clause) for event in events if event.kind == "stopped"] == [(10, "ADM-39")]


def test_endless_circle():
    """ADM-39: stacks are never shuffled, so a game can run in a circle; it is stopped."""
    state = table(*CIRCLE, pile=())
    seen = set()
    while state.phase != OVER:
        position = (state.turn, state.tries, *pile(state), *(tuple(won_cards(state, seat)) for seat in range(2)))
        seen.add(position)
        turned = state.turned
        GAME.apply(state, state.turn, 0, None)
        assert state.turned == turned + 1
    assert state.turned == 2000
    assert len(seen) < 1000


def test_lengths_and_endings():
    """ADM-29, ADM-32, a sanity check: mean number of turned cards and how games end are near those of a simulation made
    with other code from the same rules: 84, 72, 145, 127, 111 cards; by the last chip 82, 53, 57, 37, 21 %."""
    for seats, mean, by_chip in ((2, 84, 0.82), (3, 72, 0.53), (4, 145, 0.57), (5, 127, 0.37), (6, 111, 0.21)):
        games = 60
        ends = [random_game(seed, seats) for seed in range(games)]
        assert 0.8 * mean < sum(end.turned for end in ends) / games < 1.2 * mean
        assert abs(sum(end.chips_left == 0 for end in ends) / games - by_chip) < 0.2


# --- an independent reading of the rules ----------------------------------------------------------------------------


def by_the_book(deck, seats, beginner, chips):
    """The game as one would play it with cards in hand: after each card, all stacks, the pile and the chips."""
    deck = list(deck)
    middle = [deck.pop()]
    stacks: dict[int, list[int]] = {(beginner + n) % seats: [] for n in range(seats)}
    while deck:
        for stack in stacks.values():
            if deck:
                stack.append(deck.pop())
    owned, player = dict.fromkeys(range(seats), 0), beginner
    mouse = (beginner - 1) % seats if middle[0] in (M1, M2, M3) else None
    tries = middle[0] if mouse is not None else 0
    while True:
        card = stacks[player].pop(0)
        middle.append(card)
        turner, winner = player, None
        if card in (M1, M2, M3):
            mouse, tries, player = turner, card, (turner + 1) % seats
        elif mouse is None:
            player = (turner + 1) % seats
        elif card == K:
            winner = turner
            owned[turner] += 1
        else:
            tries -= 1
            if tries == 0 or not stacks[turner]:
                winner = mouse
        if winner is not None:
            stacks[winner] += middle[::-1]
            middle, mouse, tries, player = [], None, 0, winner
        over = sum(owned.values()) == chips or not stacks[turner]
        yield (
            card,
            [list(stacks[seat]) for seat in range(seats)],
            list(middle),
            [owned[seat] for seat in range(seats)],
            over,
        )
        if over:
            return


def test_against_the_book():
    """ADM-11, ADM-15, ADM-20, ADM-25, ADM-28, ADM-31, ADM-33, ADM-37: whole games, against another code."""
    for seed in range(60):
        chance = random.Random(seed)
        seats = 2 + seed % 5
        counts, chips = (SMALL, 5) if seats < 4 else (FULL, 9)
        deck = [card for card in range(5) for _ in range(counts[card])]
        chance.shuffle(deck)
        beginner = chance.randrange(seats)
        state = core.new(GAME, seats)
        GAME.apply(state, LUCK, beginner, None)
        GAME.apply(state, LUCK, deck[-1], None)
        for card, stacks, middle, owned, over in by_the_book(deck, seats, beginner, chips):
            assert state.phase == rules.TURN
            GAME.apply(state, state.turn, 0, None)
            if state.phase == rules.FLIP:
                assert GAME.legal(state, LUCK) >> card & 1
                GAME.apply(state, LUCK, card, None)
            assert state.scores[:seats] == [len(stack) for stack in stacks]
            assert [won_cards(state, seat) for seat in range(seats)] == [
                stack[state.fresh[seat] :] for seat, stack in enumerate(stacks)
            ]
            assert (pile(state), state.chips[:seats]) == (middle, owned)
            assert (state.phase == OVER) == over


# --- what can be known and what can be looked up --------------------------------------------------------------------


def test_perfect_memory_knows_the_record():
    """ADM-08: all cards in the record were turned before all eyes, so nothing of it is secret."""

    def check(state):
        for viewer in (NOBODY, 0, 1):
            assert core.view(GAME, state, viewer) == state

    random_game(1, 3, check)


def test_strict_view():
    """ADM-08, ADM-24: only the top of the pile and the heights of the stacks can be looked up."""
    state = table([C, M1], [K, M3, C], [], pile=(C, M2, K))
    state.fresh[2] = state.scores[2] = 4
    state.unseen = [2, 0, 1, 0, 1]
    for viewer in (NOBODY, JAN, TESSA, JUSTUS):
        seen = core.view(GAME, state, viewer, strict=True)
        assert seen.pile[:4] == [HIDDEN, HIDDEN, K, EMPTY]
        assert [stack[:4] for stack in seen.known[:3]] == [
            [HIDDEN, HIDDEN, EMPTY, EMPTY],
            [HIDDEN, HIDDEN, HIDDEN, EMPTY],
            [EMPTY] * 4,
        ]
        assert seen.unseen == [HIDDEN] * 5
        for field in ("scores", "fresh", "first", "height", "chips", "chips_left", "turn", "owner", "tries", "turned"):
            assert getattr(seen, field) == getattr(state, field)
        assert [GAME.legal(seen, seat) for seat in range(3)] == [1, 0, 0]


def another_past(state, chance):
    """The same position as far as it lies open, with other cards in all places one would have to remember."""
    other = state.copy()
    places = [(state.pile, n) for n in range(state.height - 1)]
    for seat in range(SEATS):
        ring = state.known[seat]
        top = (
            state.first[seat] if state.fresh[seat] == 0 and seat == state.turn else None
        )  # turned next: must be the same
        places += [(ring, n) for n in range(len(ring)) if ring[n] != EMPTY and n != top]
    cards = [row[n] for row, n in places] + [card for card in range(5) for _ in range(state.unseen[card])]
    chance.shuffle(cards)
    rows = {id(row): twin for row, twin in zip([state.pile, *state.known], [other.pile, *other.known], strict=True)}
    for row, n in places:
        rows[id(row)][n] = cards.pop()
    other.unseen = [cards.count(card) for card in range(5)]
    return other


def test_no_memory_aid():
    """ADM-08, ADM-24: at a strict table two pasts that left the same things to be seen look the same in every byte, and
    so does what is told from there on, to players and to spectators."""
    differ = 0
    for seed in range(6):
        chance = random.Random(seed)
        state = core.new(GAME, 2 + seed % 5)
        while state.phase != OVER:
            other = another_past(state, chance)
            differ += other != state
            luck = GAME.waiting(state) >> LUCK & 1
            seat = LUCK if luck else state.turn
            action = drawn(state, chance) if luck else 0
            viewer = chance.randrange(-1, state.seats)
            strict = [core.view(GAME, world, viewer, strict=True) for world in (state, other)]
            assert strict[0].tobytes() == strict[1].tobytes()
            assert GAME.waiting(other) == GAME.waiting(state)
            assert all(GAME.legal(other, who) == GAME.legal(state, who) for who in range(SEATS))
            told = core.events(), core.events()
            GAME.apply(state, seat, action, told[0])
            if not luck or state.phase == rules.START or other.unseen[action] > 0:
                GAME.apply(other, seat, action, told[1])
                assert told[0].tobytes() == told[1].tobytes()
                strict = [core.view(GAME, world, viewer, strict=True) for world in (state, other)]
                assert strict[0] == strict[1]
    assert differ > 300


def test_every_card_has_a_sentence():
    """ADM-12, ADM-13, ADM-15, ADM-17, ADM-18, ADM-19: each turned card says what follows, and each clause named is in
    the rules."""
    law = texts(GAME, "en")["rules"]
    ordinary = {"turned", "last_card", "taken", "chip"}
    for seed in range(5):
        chance, state = random.Random(seed), core.new(GAME, 2 + seed)
        while state.phase != OVER:
            seat = LUCK if GAME.waiting(state) >> LUCK & 1 else state.turn
            events = act(state, seat, drawn(state, chance) if seat == LUCK else 0)
            assert all(event.clause in law for event in events)
            if events and not BEGINNING & set(kinds(events)):
                endings = [event.kind for event in events if event.kind in ENDING]
                ways = [kind for kind in kinds(events) if kind in ("next", "hunt", "missed", "anew")]
                assert (len(ways), len(endings)) == ((0, 1) if state.phase == OVER else (1, 0))
                assert kinds(events)[0] == "turned"
                others = set(kinds(events)) - ordinary - set(ways) - ENDING
                assert others <= {"caught", "escaped", "another", "left", "won"}
                assert all(one != two for one, two in pairwise(events))
    assert len(law) == 39
