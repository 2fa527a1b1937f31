"""Memento, clause by clause. The names T-E.. are the worked examples and vectors of the rules."""

import itertools
import math
import random

import numpy as np
import pytest

from cheeseboard.games import GAMES, core
from cheeseboard.games.core import EMPTY, HIDDEN, LOT, LUCK, NOBODY, OVER
from cheeseboard.games.memento import rules
from cheeseboard.games.memento.rules import DRAW, FACE_DOWN, LAY, PASS, PLAY, TURN
from cheeseboard.games.texts import LANGUAGES, sentence, texts
from cheeseboard.table import drawn

GAME = GAMES["memento"]
LAW = {"MEM-": 42, "T-E": 15}  # how far the numbers of clauses and examples go
YELLOW, RED, GREEN, BLUE, CIRCLE, TRIANGLE, SQUARE, STAR = range(8)
BEGINNER = {"deck": "beginner"}
IN_BEGINNER = [YELLOW, RED, GREEN, CIRCLE, TRIANGLE, STAR]
PLAIN = [0, 1, 2, 3, 4, 5, 6, 7]  # scoring cards to lay where it does not matter which

# the two collections of the rules' example; a row is a colour, in it circles, triangles, squares, stars
SARAH = [*[3, 0, 0, 1], *[1, 1, 2, 1], *[2, 1, 1, 2], *[2, 1, 0, 2]]
ARNE = [*[0, 1, 1, 1], *[1, 3, 1, 1], *[1, 2, 2, 1], *[1, 1, 2, 1]]


def act(state, seat, action, viewer=NOBODY):
    """Apply a legal action; what the viewer is told of it."""
    assert GAME.legal(state, seat) >> action & 1, f"seat {seat} may not do {action}"
    events = core.events()
    GAME.apply(state, seat, action, events)
    return core.told(GAME, events, viewer)


def lots(seats, order=None, **options):
    """A game after the lots for the order of age, youngest first."""
    state = core.new(GAME, seats, **options)
    for seat in (order or range(seats))[: seats - 1]:
        act(state, LUCK, seat)
    return state


def lay(state, cards=PLAIN, tops=(0, 1, 5)):
    """Let luck prepare the round: these scoring cards, then these tops."""
    left = [card for card in [*cards, *range(18)] if state.scoring_left >> card & 1]
    while state.phase == LAY:
        act(state, LUCK, left.pop(0))
        left = [card for card in left if state.scoring_left >> card & 1]
    for top in tops:
        assert state.phase == TURN
        act(state, LUCK, top)
    assert state.phase == PLAY
    return state


def begun(seats, **options):
    """The first round of a game, seat 0 to begin."""
    return lay(lots(seats, **options))


def play(state, *actions):
    """Actions of whoever's turn it is; luck turns up the first card it can."""
    events = []
    for action in actions:
        events += act(state, state.turn, action)
        while state.phase in (TURN, DRAW):
            events += act(state, LUCK, core.members(GAME.legal(state, LUCK))[0])
    return events


def scored(hands, cards, **options):
    """A game whose first round has just ended with these collections and scoring cards; all passed."""
    state = begun(len(hands), **options)
    for seat, hand in enumerate(hands):
        state.openly[seat] = list(hand)
        state.cards[seat] = sum(hand)
    state.laid = list(cards)
    play(state, *[PASS] * len(hands))
    return state


def of_colour(number):
    """A collection with this many yellow cards and nothing else."""
    return [number // 4 + (shape < number % 4) for shape in range(4)] + [0] * 12


def yellow_by(card, *numbers):
    """What this scoring card (1 to 18) gives players for these numbers of yellow cards."""
    state = scored([of_colour(number) for number in numbers], [card - 1, *[EMPTY] * 7])
    return [marks[YELLOW] for marks in state.marks[: len(numbers)]]


def in_play(state):
    return IN_BEGINNER if state.deck else list(range(8))


def random_game(seed, seats, check=lambda state: None, passing=0.1, **options):
    state, chance = core.new(GAME, seats, **options), random.Random(seed)
    while state.phase != OVER:
        check(state)
        for seat in core.members(GAME.waiting(state)):
            actions = core.members(GAME.legal(state, seat))
            if seat == LUCK:
                action = drawn(GAME, state, chance.randrange)
            else:
                action = PASS if len(actions) == 1 or chance.random() < passing else chance.choice(actions[:-1])
            act(state, seat, action)
    check(state)
    return state


# --- preparing ------------------------------------------------------------------------------------------------------


def test_players():
    """MEM-01: two to five."""
    for seats in (2, 3, 4, 5):
        assert core.new(GAME, seats).seats == seats
    for seats in (1, 6):
        with pytest.raises(core.Refusal, match="2 to 5"):
            core.new(GAME, seats)


def test_deck():
    """MEM-02, MEM-05: every colour with every shape, four times; by the booklet all of them are played with."""
    state = core.new(GAME, 2)
    assert state.pool == [4] * 16 + [0] * 2
    facts = core.about(GAME)
    assert (facts["colours"], facts["shapes"]) == (
        ["yellow", "red", "green", "blue"],
        ["circle", "triangle", "square", "star"],
    )


def test_order_and_scoring_cards():
    """MEM-03, MEM-33: eight categories, eighteen scoring cards, each with its words at colours and at shapes."""
    assert len(core.new(GAME, 2).laid) == 8
    cards = core.about(GAME)["scoring"]
    assert [card["id"] for card in cards] == [f"S{n:02}" for n in range(1, 19)]
    for language in LANGUAGES:
        words = texts(GAME, language)["cards"]
        assert [len(words[name]) for name in ("for_colour", "for_shape", "design", "category")] == [18, 18, 16, 8]
        for card, name in itertools.product(range(18), ("for_colour", "for_shape")):
            words_of_card = words[name][card]
            assert str(abs(cards[card]["points"])) in words_of_card
            assert str(cards[card].get("number", "")) in words_of_card
            assert ("inus" in words_of_card) == (cards[card]["points"] < 0)


def test_beginner_deck():
    """MEM-04, MEM-13, MEM-14, T-E03: 36 cards, no blue, no square; 6 hidden, three piles of 10; 6 scoring cards."""
    state = lots(2, **BEGINNER)
    assert state.pool[:16] == [4, 4, 0, 4] * 3 + [0] * 4
    assert sum(state.pool) == 36
    assert GAME.legal(state, 0) == GAME.legal(state, 1) == 0
    lay(state)
    assert state.lying == [10, 10, 10, 6]
    assert [category for category in range(8) if state.laid[category] != EMPTY] == IN_BEGINNER
    assert core.count(state.scoring_left) == 12


def test_full_deck():
    """MEM-05, MEM-08, MEM-13, MEM-14, T-E02: 10 hidden, three piles of 18, 8 scoring cards out and 10 left."""
    state = begun(4)
    assert state.lying == [18, 18, 18, 10]
    assert EMPTY not in state.laid
    assert core.count(state.scoring_left) == 10


def test_scoring_cards_are_laid_in_order():
    """MEM-06, MEM-07, MEM-08: any of the eighteen may come, all equally likely; colours first, then shapes."""
    for options, names in (({}, rules.SIGNS), (BEGINNER, [rules.SIGNS[category] for category in IN_BEGINNER])):
        state = lots(3, **options)
        chance = random.Random(7)
        pile = set(range(18))
        for name in names:
            assert set(core.members(GAME.legal(state, LUCK))) == pile
            assert {core.odds(GAME, state, card) for card in pile} == {1}
            card = chance.choice(sorted(pile))
            pile.discard(card)
            events = act(state, LUCK, card)
            assert [(event.kind, event.card, event.clause) for event in events] == [(f"laid_{name}", card, "MEM-08")]
            assert state.laid[rules.SIGNS.index(name)] == card
        assert state.phase == TURN


def test_same_conditions_for_all():
    """MEM-09: equal collections score equally, by the card that lies there."""
    for cards in ([0, 10, 2, 11, 4, 17, 6, 7], [7, 6, 17, 4, 11, 2, 10, 0]):
        state = scored([SARAH, SARAH, SARAH], cards)
        assert state.marks[0] == state.marks[1] == state.marks[2]
        assert state.counted == cards


def laps(**options):
    """The scoring cards in the pile before laying out, those laid, and those left, for each round of a game."""
    state, story = lots(2, **options), []
    while state.phase != OVER:
        before = state.scoring_left
        used = [7, 3, 17, 0, 9, 12, 5, 1]
        lay(state, used)
        laid = {card for card in state.laid if card != EMPTY}
        story.append((core.count(before), laid, core.count(state.scoring_left)))
        play(state, PASS, PASS)
    return story


def test_scoring_cards_come_back_before_the_third_round():
    """MEM-10, MEM-11, T-E04: 18, 10, and 18 again, out of which those of the first two rounds may come."""
    first, second, third = laps()
    assert (first[0], first[2], second[0], second[2], third[0], third[2]) == (18, 10, 10, 2, 18, 10)
    assert not first[1] & second[1]
    assert third[1] == first[1]


def test_beginners_use_every_scoring_card_once():
    """MEM-11, T-E05: 18, 12, 6."""
    rounds = laps(**BEGINNER)
    assert [(before, left) for before, _, left in rounds] == [(18, 12), (12, 6), (6, 0)]
    assert set.union(*(laid for _, laid, _ in rounds)) == set(range(18))


def test_all_cards_are_shuffled_for_each_round():
    """MEM-12, MEM-38: three rounds, each with all cards, four full piles and empty collections."""
    for options, cards in (({}, 64), (BEGINNER, 36)):
        state = begun(3, **options)
        for lap in range(3):
            assert state.lap == lap
            assert sum(state.pool) == cards - 3
            assert sum(state.lying) == cards
            assert not any(state.cards)
            assert not any(map(sum, state.openly + state.secretly))
            play(state, 0, 3, 1, 3, PASS, PASS, PASS)
            assert state.phase == (OVER if lap == 2 else LAY)
            if lap < 2:
                lay(state)


def test_only_the_top_is_visible():
    """MEM-15, MEM-22: luck turns up the three tops; below them nothing is settled, so nothing is to be seen."""
    state = lots(2)
    for card in PLAIN:
        act(state, LUCK, card)
    assert state.top == [EMPTY] * 3
    for pile, card in enumerate((2, 2, 15)):
        events = act(state, LUCK, card)
        assert events[0] == core.Event("turned", LUCK, card, pile + 1, "MEM-15")
    assert state.top == [2, 2, 15]
    assert state.pool[2] == 2
    assert state.pool[15] == 3
    for viewer in (NOBODY, 0, 1):
        assert core.view(GAME, state, viewer, strict=True).top == [2, 2, 15]


def test_odds_are_cards():
    """MEM-12: a design is as likely as cards of it are unseen, on an open pile and on the hidden one."""
    state = begun(2)
    for action, unseen in ((0, [3, 3, 4, 4, 4, 3]), (FACE_DOWN, [2, 3, 4, 4, 4, 3])):
        act(state, state.turn, action)
        assert GAME.legal(state, LUCK) == 0xFFFF
        assert [core.odds(GAME, state, design) for design in range(16)] == state.pool[:16]
        assert state.pool[:6] == unseen
        act(state, LUCK, 0)


def test_youngest_begins():
    """MEM-16, MEM-17: the order of age is drawn by lot, everybody equally likely; the youngest begins."""
    for order in itertools.permutations(range(3)):
        state = core.new(GAME, 3)
        assert state.phase == LOT
        assert GAME.waiting(state) == 1 << LUCK
        assert GAME.legal(state, LUCK) == 0b111
        assert {core.odds(GAME, state, seat) for seat in range(3)} == {1}
        act(state, LUCK, order[0])
        events = act(state, LUCK, order[1])
        assert [(event.kind, event.seat, event.value) for event in events] == [
            ("age", order[1], 2),
            ("age", order[2], 3),
        ]
        assert [state.age.index(rank) for rank in range(3)] == list(order)
        assert state.phase == LAY
        events = []
        while state.phase != PLAY:
            events = act(state, LUCK, core.members(GAME.legal(state, LUCK))[0])
        assert state.turn == order[0]
        assert events[1:] == [core.Event("begins", order[0], EMPTY, 1, "MEM-16")]


@pytest.mark.parametrize(
    ("totals", "order", "first"),
    [
        ([16, 21, 16], [0, 1, 2], 0),
        ([16, 21, 16], [2, 1, 0], 2),
        ([16, 21, 16], [1, 2, 0], 2),
        ([5, -3, 7], [0, 1, 2], 1),
        ([1, 1, 0], [0, 1, 2], 2),
        ([4, 4, 4], [1, 0, 2], 1),
    ],
)
def test_fewest_points_begin(totals, order, first):
    """MEM-16, MEM-17, T-E12: the fewest points begin the next round, among equals the younger."""
    state = lay(lots(3, order))
    state.scores[:3] = totals
    state.laid = [6] * 8  # nobody gets anything for nothing
    play(state, PASS, PASS, PASS)
    assert state.scores[:3] == totals
    assert (state.lap, state.turn) == (1, first)
    lay(state)
    assert GAME.waiting(state) == 1 << first


# --- a turn ---------------------------------------------------------------------------------------------------------


def test_take_or_pass():
    """MEM-18, MEM-24: one of four piles or pass, only in turn; then clockwise, whatever was done."""
    state = begun(3)
    for action, seat in zip((0, 1, 2, FACE_DOWN, PASS, PASS, 2), (0, 1, 2, 0, 1, 2, 0), strict=True):
        assert GAME.waiting(state) == 1 << seat
        assert [GAME.legal(state, who) for who in range(6)] == [0b11111 if who == seat else 0 for who in range(6)]
        assert GAME.legal(state, LUCK) == 0
        play(state, action)


def test_taken_cards_go_to_the_collection():
    """MEM-19, MEM-22: the top card, before all eyes; then the next one is turned up."""
    state = begun(2)
    events = act(state, 0, 2)
    assert [(event.kind, event.seat, event.card, event.value) for event in events] == [("took", 0, 5, 3)]
    assert (state.openly[0][5], state.cards[0], state.lying[2], state.top[2]) == (1, 1, 17, EMPTY)
    assert GAME.waiting(state) == 1 << LUCK
    events = act(state, LUCK, 9)
    assert events == [core.Event("turned", LUCK, 9, 3, "MEM-22")]
    assert state.top == [0, 1, 9]
    assert state.pool[9] == 3


def test_no_looking_back():
    """MEM-19, MEM-20, T-E11: with strict memory no view has a card of a collection before scoring, only the number."""

    def check(state):
        for viewer in (NOBODY, *range(state.seats)):
            seen = core.view(GAME, state, viewer, strict=True)
            if state.phase == OVER:
                assert seen == state
            else:
                seats = range(state.seats)
                assert {n for seat in seats for n in seen.openly[seat] + seen.secretly[seat]} == {HIDDEN}
                assert set(seen.pool[:16]) | {seen.kinds} == {HIDDEN}
                assert state.lap or not any(map(sum, seen.revealed)), "turned over too early"
            assert seen.cards == state.cards

    for seed in range(2):
        random_game(seed, 2 + seed, check, passing=0.3)


def test_strict_view_does_not_tell_what_was_taken():
    """MEM-20, T-E11: two players take the same number of other cards; afterwards the strict views are the same."""
    views = []
    for luck in ((0, 1, 2, 3), (15, 14, 13, 12)):
        state = begun(2)
        for card in luck:
            act(state, state.turn, FACE_DOWN)
            act(state, LUCK, card)
        views.append([core.view(GAME, state, viewer, strict=True).tobytes() for viewer in (NOBODY, 0, 1)])
    assert views[0] == views[1]


def test_memory_aids():
    """MEM-20: option `memory`: a notebook has one's own cards, and all that was seen can be shown."""
    own, others = {}, {}
    for memory in ("strict", "notebook", "shown"):
        state = begun(2, memory=memory)
        for action, luck in ((0, 3), (FACE_DOWN, 7), (FACE_DOWN, 8), (1, 4)):
            act(state, state.turn, action)
            act(state, LUCK, luck)
        seen = core.view(GAME, state, 0, strict=True)
        own[memory] = seen.openly[0], seen.secretly[0]
        others[memory] = seen.openly[1], seen.secretly[1]
        watching = core.view(GAME, state, NOBODY, strict=True)
        assert all(cards == [HIDDEN] * 16 for cards in watching.secretly[:2])
        assert watching.openly == (state.openly if memory == "shown" else [[HIDDEN] * 16] * 2 + [[0] * 16] * 4)
    blank = [HIDDEN] * 16
    assert own == {
        "strict": (blank, blank),
        "notebook": (state.openly[0], state.secretly[0]),
        "shown": (state.openly[0], state.secretly[0]),
    }
    assert others == {"strict": (blank, blank), "notebook": (blank, blank), "shown": (state.openly[1], blank)}
    assert state.openly[0][0] == state.openly[1][1] == state.secretly[0][8] == state.secretly[1][7] == 1


def test_hidden_draw():
    """MEM-21, T-E15: the taker is told the card; the others only that one was taken. It need never be shown."""
    state = begun(3)
    assert act(state, 0, FACE_DOWN) == []
    assert GAME.waiting(state) == 1 << LUCK
    events = core.events()
    GAME.apply(state, LUCK, 11, events)
    for viewer in (NOBODY, 0, 1, 2):
        seen = core.view(GAME, state, viewer)
        own = viewer == 0
        told = core.told(GAME, events, viewer)
        assert [(event.kind, event.seat, event.card) for event in told] == [("drew", 0, 11 if own else HIDDEN)]
        assert ("green star" in sentence(GAME, "en", told[0], ["Ida", "Ole", "Uwe"], viewer)) == own
        assert seen.secretly[0] == (state.secretly[0] if own else [HIDDEN] * 16)
        assert seen.pool[:16] == [HIDDEN] * 16, "what is missing would betray it"
        assert seen.kinds == HIDDEN
        assert seen.cards[:3] == [1, 0, 0]
    assert state.secretly[0][11] == 1
    assert state.lying == [18, 18, 18, 9]


def test_pass_is_not_final():
    """MEM-23: whoever passed may take again in the same round."""
    state = begun(2)
    play(state, PASS, 0, 1)
    assert state.cards[:2] == [1, 1]
    assert state.lap == 0


def test_empty_pile():
    """MEM-25, T-E11: an empty pile cannot be chosen; acting out of turn is refused as well."""
    state = begun(2)
    for pile in range(4):
        other = state.copy()
        other.lying[pile] = 0
        assert GAME.legal(other, 0) == 0b11111 & ~(1 << pile)
        assert GAME.legal(other, 1) == 0


# --- the end of a round ---------------------------------------------------------------------------------------------


def test_all_pass_in_succession():
    """MEM-26, MEM-27, T-E06: A takes, B and C pass, A passes: over."""
    state = begun(3)
    play(state, 0, PASS, PASS)
    assert state.lap == 0
    events = play(state, PASS)
    assert state.lap == 1
    assert [event.clause for event in events if event.kind == "all_passed"] == ["MEM-26"]


def test_a_card_taken_breaks_the_chain():
    """MEM-27, T-E07: pass, pass, C takes, pass, pass: it goes on; over if C passes now. From any pile."""
    for pile in range(4):
        state = begun(3)
        play(state, PASS, PASS, pile, PASS, PASS)
        assert (state.lap, state.turn, state.passes) == (0, 2, 2)
        other = state.copy()
        play(state, PASS)
        assert state.lap == 1
        play(other, pile, PASS, PASS)
        assert other.lap == 0


def test_nobody_takes_anything():
    """MEM-26, MEM-34, T-E08: over at once, with empty collections, scored like any others: S18 gives -5 to both."""
    state = begun(2)
    state.laid[STAR] = 17
    play(state, PASS, PASS)
    assert state.lap == 1
    assert state.marks[0] == state.marks[1] == [0] * 7 + [-5]
    assert state.scores[:2] == [-5, -5]


def nearly_empty(left, pile=0):
    """A round with so few cards left, all in one pile; seat 0 to act."""
    state = begun(2)
    state.lying = [left if pile == i else 0 for i in range(4)]
    state.top = [top if pile == i else EMPTY for i, top in enumerate(state.top)]
    state.pool = [0] * 18
    state.pool[15] = left - int(pile != FACE_DOWN)
    state.kinds = 1 << 15 if state.pool[15] else 0
    return state


def test_last_card():
    """MEM-28, T-E09: the last card of the last pile ends the round at once."""
    for pile in range(4):
        state = nearly_empty(2, pile)
        play(state, pile)
        assert (state.lap, state.turn) == (0, 1)
        events = play(state, pile)
        assert state.lap == 1
        assert [event.clause for event in events if event.kind == "all_taken"] == ["MEM-28"]
        assert sum(map(sum, state.revealed)) == 2


def test_one_empty_pile_ends_nothing():
    """MEM-29, T-E10: not even the hidden one."""
    for pile in range(4):
        state = begun(2)
        for action in [pile] * state.lying[pile]:
            play(state, action)
        assert (state.lap, state.lying[pile]) == (0, 0)
        assert GAME.legal(state, state.turn) == 0b11111 & ~(1 << pile)
        if pile != FACE_DOWN:
            assert state.top[pile] == EMPTY


# --- scoring --------------------------------------------------------------------------------------------------------

# scoring cards of the example, in the order yellow, red, green, blue, circle, triangle, square, star
EXAMPLE = [7, 4, 0, 10, 12, 9, 2, 6]


def test_example():
    """MEM-30, MEM-33, T-E01: the example of the rules, Sarah 11 + 5 = 16 and Arne 5 + 16 = 21."""
    state = scored([SARAH, ARNE], EXAMPLE)
    sarah, arne = state.marks[:2]
    assert sarah == [5, 0, 6, 0, 5, 0, 0, 0]
    assert arne == [0, -6, 6, 5, 0, 10, 6, 0]
    assert (sum(sarah[:4]), sum(sarah[4:]), sum(arne[:4]), sum(arne[4:])) == (11, 5, 5, 16)
    assert [points[0] for points in state.points[:2]] == [16, 21]
    assert state.scores[:2] == [16, 21]
    assert state.revealed[:2] == [SARAH, ARNE]


MATRIX = """
S01 | 6 / 6 | 4 / 3 | 5 / 6 | 5 / 5 | 8 / 3 | 3 / 7 | 3 / 6 | 6 / 4
S02 | -6 / -6 | -4 / -3 | -5 / -6 | -5 / -5 | -8 / -3 | -3 / -7 | -3 / -6 | -6 / -4
S03 | 6 / 6 | 4 / 0 | 0 / 6 | 0 / 0 | 8 / 0 | 0 / 0 | 0 / 6 | 6 / 4
S04 | 0 / 0 | 0 / 3 | 5 / 0 | 5 / 5 | 0 / 3 | 3 / 7 | 3 / 0 | 0 / 0
S05 | -6 / -6 | -4 / 0 | 0 / -6 | 0 / 0 | -8 / 0 | 0 / 0 | 0 / -6 | -6 / -4
S06 | 0 / 0 | 0 / -3 | -5 / 0 | -5 / -5 | 0 / -3 | -3 / -7 | -3 / 0 | 0 / 0
S07 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0
S08 | 0 / 0 | 5 / 0 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 5
S09 | 0 / 0 | 0 / 0 | 7 / 0 | 7 / 7 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0
S10 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 10 | 0 / 0 | 0 / 0
S11 | 5 / 5 | 0 / 0 | 5 / 5 | 0 / 5 | 5 / 0 | 0 / 5 | 0 / 5 | 5 / 5
S12 | 4 / 4 | 2 / 3 | 4 / 4 | 3 / 4 | 4 / 3 | 3 / 4 | 2 / 4 | 4 / 4
S13 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0 | 5 / 0 | 0 / 5 | 0 / 0 | 0 / 0
S14 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0
S15 | 0 / 0 | 5 / 0 | 0 / 5 | 0 / 0 | 5 / 0 | 0 / 5 | 0 / 5 | 5 / 0
S16 | 0 / 0 | -5 / 0 | 0 / -5 | 0 / 0 | -5 / 0 | 0 / -5 | 0 / -5 | -5 / 0
S17 | 0 / 0 | 0 / -5 | -5 / 0 | 0 / 0 | 0 / -5 | -5 / 0 | -5 / 0 | 0 / -5
S18 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0 | 0 / 0
"""


@pytest.mark.parametrize("row", MATRIX.strip().splitlines())
def test_scoring_matrix(row):
    """MEM-30, MEM-33: every scoring card at every category, for the collections of the example."""
    name, *cells = row.split(" | ")
    expected = [[int(points) for points in cell.split(" / ")] for cell in cells]
    card = [facts["id"] for facts in core.about(GAME)["scoring"]].index(name)
    state = scored([SARAH, ARNE], [card] * 8)
    in_order = [GREEN, YELLOW, RED, BLUE, CIRCLE, TRIANGLE, SQUARE, STAR]  # as in the table
    assert [[state.marks[seat][category] for seat in (0, 1)] for category in in_order] == expected


@pytest.mark.parametrize(
    ("card", "numbers", "points"),
    [
        (3, [0], 0),
        (5, [0], 0),
        (6, [1], -1),
        (7, [2], 3),
        (7, [3], 0),
        (9, [5], 7),
        (10, [8], 0),
        (18, [2], -5),
        (18, [3], 0),
        (15, [3, 3, 1], 0),
        (16, [4, 3, 3], -5),
        (17, [0, 1, 2], -5),
        (17, [1, 0, 2], 0),
        (17, [1, 1, 2], 0),
        (15, [3, 2, 4], 0),
        (15, [5, 2, 4], 5),
        (16, [3, 3, 2], 0),
        (16, [4, 3, 2], -5),
    ],
)
def test_single_cards(card, numbers, points):
    """MEM-33, MEM-34, MEM-35: one scoring card; the first number is one's own, the others are the opponents'."""
    assert yellow_by(card, *numbers, *[9] * (2 - len(numbers)))[0] == points


def test_compared_with_oneself():
    """MEM-35, MEM-36: with each single category, strictly. S13 own 5 with another 5: 0; S14 own 1, others 2: 5."""
    nothing = [0] * 16
    five = [*[2, 1, 1, 1], *[1, 2, 1, 1], *[0] * 8]  # 5 yellow and 5 red, at most 3 of a shape
    assert scored([five, nothing], [12] * 8).marks[0] == [0] * 8
    four = [*[2, 1, 1, 1], *[1, 1, 1, 1], *[0] * 8]
    assert scored([four, nothing], [12] * 8).marks[0] == [5, *[0] * 7]
    shape = [*[2, 1, 0, 0], *[2, 0, 1, 0], *[1, 0, 0, 0], *[0] * 4]  # 5 circles, at most 3 of anything else
    assert scored([shape, nothing], [12] * 8).marks[0] == [0] * 4 + [5, 0, 0, 0]
    one = [*[1, 0, 0, 0], *[1, 1, 0, 0], *[0, 1, 1, 1], *[0, 0, 1, 1]]  # 1 yellow, at least 2 of all others
    assert scored([one, nothing], [13] * 8).marks[0] == [5, *[0] * 7]
    two = [*[1, 0, 0, 1], *[1, 1, 0, 0], *[0, 1, 1, 1], *[0, 0, 1, 1]]
    assert scored([two, nothing], [13] * 8).marks[0] == [0] * 8
    assert scored([nothing, nothing], [12, 13] * 4).marks[0] == [0] * 8


def test_only_what_is_in_play_counts():
    """MEM-36, MEM-37: of three colours and shapes, three are all, and the missing ones are not compared with."""
    nothing = [0] * 16
    cards = [10 if category in IN_BEGINNER else EMPTY for category in range(8)]
    three = [*[1, 1, 0, 1], *[0] * 12]
    assert scored([three, nothing], cards, **BEGINNER).marks[0] == [5, *[0] * 7]
    assert scored([three, nothing], [10] * 8).marks[0] == [0] * 8
    smallest = [13 if category in IN_BEGINNER else EMPTY for category in range(8)]
    one = [*[1, 0, 0, 0], *[1, 1, 0, 1], *[1, 1, 0, 1], *[0] * 4]
    assert scored([one, nothing], smallest, **BEGINNER).marks[0] == [5, *[0] * 7]
    each = [11 if category in IN_BEGINNER else EMPTY for category in range(8)]
    assert scored([three, nothing], each, **BEGINNER).marks[0] == [3, 0, 0, 0, 1, 1, 0, 1]


def test_every_card_counts_twice():
    """MEM-31: for its colour and for its shape, wherever it came from."""
    state = begun(2)
    state.laid = [0] * 8
    act(state, 0, 0)
    act(state, LUCK, 3)
    act(state, 1, FACE_DOWN)
    act(state, LUCK, 11)
    play(state, PASS, PASS)
    assert state.marks[0] == [1, 0, 0, 0, 1, 0, 0, 0]
    assert state.marks[1] == [0, 0, 1, 0, 0, 0, 0, 1]
    assert state.scores[:2] == [2, 2]


def test_points_are_noted():
    """MEM-30, MEM-32: per player and round, also minus points; colours are told before shapes, for everybody."""
    state = begun(2)
    state.laid = [1, 1, 1, 1, 17, 17, 17, 17]
    events = play(state, 0, FACE_DOWN, 1, PASS, PASS)
    assert [points[:1] for points in state.points[:2]] == [[-22], [-21]]
    told = [event for event in events if event.kind == "scored"]
    assert [(event.card, event.seat) for event in told] == list(itertools.product(range(8), range(2)))
    assert [event.value for event in told] == [state.marks[event.seat][event.card] for event in told]
    totals = [(event.seat, event.value, event.clause) for event in events if event.kind == "total"]
    assert totals == [(0, -22, "MEM-32"), (1, -21, "MEM-32")]
    lay(state)
    state.laid = [17] * 8
    play(state, PASS, PASS)
    assert state.points[:2] == [[-22, -40, 0], [-21, -40, 0]]
    assert state.scores[:2] == [-62, -61]


def test_collections_are_turned_over():
    """MEM-30: at scoring everybody sees everything, also what came from the hidden pile; then nothing is left of it."""
    state = begun(2)
    for card in (11, 4, 11):
        act(state, state.turn, FACE_DOWN)
        act(state, LUCK, card)
    play(state, 0, PASS)
    events = play(state, PASS)
    told = [(event.seat, event.card, event.value) for event in events if event.kind == "shown"]
    assert told == [(0, 11, 2), (1, 4, 1)]
    for viewer in (NOBODY, 0, 1):
        seen = core.view(GAME, state, viewer, strict=True)
        assert seen.revealed == state.revealed
        assert [seen.revealed[0][11], seen.revealed[1][4], seen.revealed[1][0]] == [2, 1, 1]
        assert (seen.marks, seen.counted) == (state.marks, PLAIN)
    assert state.cards == [0] * 6
    assert not any(map(sum, state.openly + state.secretly))


def reference(card, seat, category, hands, signs):
    """The scoring cards once more, as sentences about lists of (colour, shape)."""

    def number(who, sign):
        return sum(sign in held for held in hands[who])

    n = number(seat, category)
    symbols = len({sign for held in hands[seat] if category in held for sign in held} - {category})
    all_symbols = len([sign for sign in signs if (sign < 4) != (category < 4)])
    own = [number(seat, sign) for sign in signs if sign != category]
    others = [number(who, category) for who in range(len(hands)) if who != seat]
    return [
        n,
        -n,
        n if n % 2 == 0 else 0,
        n if n % 2 else 0,
        -n if n % 2 == 0 else 0,
        -n if n % 2 else 0,
        3 if n == 2 else 0,
        5 if n == 4 else 0,
        7 if n == 5 else 0,
        10 if n == 7 else 0,
        5 if symbols == all_symbols else 0,
        symbols,
        5 if n > max(own) else 0,
        5 if n < min(own) else 0,
        5 if n > max(others) else 0,
        -5 if n > max(others) else 0,
        -5 if n < min(others) else 0,
        -5 if n < 3 else 0,
    ][card]


def test_scoring_against_the_sentences():
    """MEM-30, MEM-31, MEM-33, MEM-34, MEM-35, MEM-36, MEM-37: random collections and scoring cards, both decks."""
    chance = random.Random(3)
    for n in range(40):
        seats, options = 2 + n % 4, BEGINNER if n % 3 == 0 else {}
        signs = IN_BEGINNER if options else list(range(8))
        deck = [(c, s) for c in range(4) for s in range(4, 8) if c in signs and s in signs] * 4
        chance.shuffle(deck)
        taken = chance.randrange(len(deck) // seats + 1)
        hands = [[deck.pop() for _ in range(taken)] for _ in range(seats)]
        laid = chance.sample(range(18), 8)
        cards = [card if category in signs else EMPTY for category, card in enumerate(laid)]
        designs = [[hand.count((d // 4, 4 + d % 4)) for d in range(16)] for hand in hands]
        state = scored(designs, cards, **options)
        for seat in range(seats):
            expected = [reference(cards[c], seat, c, hands, signs) if c in signs else 0 for c in range(8)]
            assert state.marks[seat] == expected
            assert state.scores[seat] == sum(expected)


def test_blind_collecting_is_worth_little():
    """MEM-33: about 3.3, 2.7, 1.4, 0.7 points a round for 2 to 5 players who take 20, 16, 12, 10 cards."""
    chance = random.Random(5)
    for seats, taken, expected in ((2, 20, 3.3), (3, 16, 2.7), (4, 12, 1.4), (5, 10, 0.7)):
        state, total, rounds = begun(seats), 0, 200
        for _ in range(rounds):
            deck = list(range(16)) * 4
            chance.shuffle(deck)
            now = state.copy()
            for seat in range(seats):
                hand = [deck.pop() for _ in range(taken)]
                now.openly[seat] = [hand.count(design) for design in range(16)]
            now.laid = chance.sample(range(18), 8)
            now.passes = seats - 1
            GAME.apply(now, 0, PASS, None)
            total += sum(now.scores)
        assert abs(total / rounds / seats - expected) < 1


# --- the end of the game --------------------------------------------------------------------------------------------


def test_three_rounds():
    """MEM-38: exactly three, then nobody acts any more."""
    state = begun(2)
    for lap in range(3):
        assert (state.lap, state.phase) == (lap, PLAY)
        play(state, 0, PASS, PASS)
        if lap < 2:
            lay(state)
    assert state.phase == OVER
    assert GAME.waiting(state) == 0
    assert [GAME.legal(state, seat) for seat in (0, 1, LUCK)] == [0, 0, 0]
    assert [sum(points) for points in state.points] == state.scores


@pytest.mark.parametrize(
    ("totals", "third", "places", "clause"),
    [
        ([40, 39], [0, 16], [1, 2], "MEM-39"),
        ([-7, -3, -9], [0, 0, 0], [2, 1, 3], "MEM-39"),
        ([40, 41, 40], [16, 1, 12], [2, 1, 3], "MEM-39"),
        ([40, 40], [12, 15], [2, 1], "MEM-40"),
        ([40, 40], [-12, -15], [1, 2], "MEM-40"),
        ([40, 40], [12, 12], [1, 1], "MEM-41"),
        ([5, 8, 8, 8], [9, 3, 2, 3], [4, 1, 3, 1], "MEM-41"),
    ],
)
def test_who_wins(totals, third, places, clause):
    """MEM-39, MEM-40, MEM-41, T-E13, T-E14: the total, then the third round, then together; the reason is told."""
    state = begun(len(totals))
    state.lap = 2
    state.laid = [int(min(third) < 0), *[EMPTY] * 7]  # one point, or minus one, for each yellow card
    for seat, points in enumerate(third):
        state.scores[seat] = totals[seat] - points
        state.openly[seat] = of_colour(abs(points))
    events = play(state, *[PASS] * len(totals))
    assert state.phase == OVER
    assert state.scores[: len(totals)] == totals
    assert list(GAME.rank(state)) == places
    winners = [(event.seat, event.value, event.clause) for event in events if event.kind == "won"]
    assert winners == [(seat, totals[seat], clause) for seat, place in enumerate(places) if place == 1]


def test_winners_are_told_at_the_end():
    """MEM-38, MEM-39: not before the third round is over."""
    state = begun(2)
    for lap in range(3):
        assert ("won" in [event.kind for event in play(state, PASS, PASS)]) == (lap == 2)
        if lap < 2:
            lay(state)


# --- what is always true --------------------------------------------------------------------------------------------


def test_no_card_is_lost():
    """MEM-42: piles and collections are 64 (36) cards; scoring pile, laid and put aside are 18; over random play."""

    def check(state):
        copies = [4 * (d // 4 in in_play(state) and 4 + d % 4 in in_play(state)) for d in range(16)]
        seats, tops = range(state.seats), [top for top in state.top if top != EMPTY]
        for design in range(16):
            collected = sum(state.openly[seat][design] + state.secretly[seat][design] for seat in seats)
            assert state.pool[design] + tops.count(design) + collected == copies[design]
        assert sum(state.pool) == sum(state.lying) - len(tops)
        assert sum(state.lying) + sum(state.cards) == (36 if state.deck else 64)
        assert state.cards[: state.seats] == [sum(state.openly[seat] + state.secretly[seat]) for seat in seats]
        assert state.kinds == sum(1 << design for design in range(16) if state.pool[design])
        assert min(state.pool + state.lying) >= 0
        laid = [card for card in state.laid if card != EMPTY]
        aside = {0: 0, 1: len(in_play(state)), 2: 12 if state.deck else 0}[state.lap]
        assert len(set(laid)) == len(laid)
        assert not any(state.scoring_left >> card & 1 for card in laid)
        assert core.count(state.scoring_left) + len(laid) + aside == 18

    for seed in range(4):
        random_game(seed, 2 + seed % 4, check, passing=[0.05, 0.3][seed % 2], **(BEGINNER if seed > 1 else {}))


def test_guess():
    """MEM-21: what others drew is any of the unseen cards, each equally likely: two of four, without putting back."""
    state = begun(2)
    state.openly[0] = [4] * 16
    state.openly[0][0] = state.openly[0][7] = 2
    state.openly[1][3], state.openly[0][3] = 1, 3
    state.secretly[1][0] = 2
    state.cards[:2] = [59, 3]
    state.lying, state.top = [0, 0, 0, 2], [EMPTY] * 3
    state.pool = [0] * 18
    state.pool[7], state.kinds = 2, 1 << 7
    view, rng, times = core.view(GAME, state, 0), np.random.default_rng(1), 1200
    seen = [0, 0, 0]
    for _ in range(times):
        world = view.copy()
        GAME.guess(world, rng)
        assert world.secretly[1][0] + world.secretly[1][7] == 2
        assert world.pool[0] + world.pool[7] == 2
        assert world.pool[0] + world.secretly[1][0] == 2
        assert world.openly == state.openly
        assert core.view(GAME, world, 0) == view
        seen[world.secretly[1][0]] += 1
    for number, cards in enumerate(seen):
        share = math.comb(2, number) * math.comb(2, 2 - number) / math.comb(4, 2)
        assert abs(cards / times - share) < 4 * math.sqrt(share * (1 - share) / times)


def test_a_spectator_guesses_all_hidden_draws():
    """MEM-21: and a player knows the own ones, so they are no guess."""
    state = begun(3)
    for card in (9, 9, 2, 14):
        act(state, state.turn, FACE_DOWN)
        act(state, LUCK, card)
    rng = np.random.default_rng(2)
    for viewer in (NOBODY, 0, 1, 2):
        world = core.view(GAME, state, viewer)
        GAME.guess(world, rng)
        assert [sum(world.secretly[seat]) for seat in range(3)] == [2, 1, 1]
        assert viewer == NOBODY or world.secretly[viewer] == state.secretly[viewer]
        assert world.kinds == sum(1 << design for design in range(16) if world.pool[design])


def test_events_fit_into_the_buffer():
    """MEM-30: the longest tale, five players with ten different cards from the hidden pile, and all of them win."""
    state = begun(5)
    state.lap = 2
    for card in range(10):
        act(state, state.turn, FACE_DOWN)
        act(state, LUCK, card)
    state.laid = [6] * 8
    events = play(state, *[PASS] * 5)
    assert len(events) <= 128
    assert [event.kind for event in events].count("shown") == 10
    assert [event.kind for event in events].count("scored") == 40
    for event, language in itertools.product(events, LANGUAGES):
        for you in (NOBODY, 0):
            assert sentence(GAME, language, event, ["Ida", "Ole", "Uwe", "Eva", "Pia"], you)
