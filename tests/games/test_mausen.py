"""Mausen, clause by clause. The names T-M.. are the worked examples and vectors of the rules. Cards are written as
animal and value: E4 is the elephant 4, and D, C and M are dogs, cats and mice."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest

from cheeseboard.games import GAMES, core
from cheeseboard.games.core import CLOCK, EMPTY, HIDDEN, LUCK, NOBODY, OVER
from cheeseboard.games.mausen import rules
from cheeseboard.games.texts import LANGUAGES, action_name, sentence, texts
from tests.games import laws

GAME = GAMES["mausen"]
LAW = {"MAUSEN-": 38, "T-M": 17}  # how far the numbers of clauses and examples go
ANIMALS = "EDCM"
DECK = [animal + value for animal in ANIMALS for value in "1234"]
START = "E4 D3 C2 M1"
PREY = {"E": "D", "D": "C", "C": "M", "M": "E"}


def number(card):
    return DECK.index(card)


def hand(cards):
    """Cards as the set that a hand is."""
    return sum(1 << number(card) for card in cards.split())


def counts(cards):
    """Cards as the numbers of each that the middle and the winnings are."""
    return [cards.split().count(card) for card in DECK]


def named(numbers):
    """The other way round."""
    return " ".join(card for card, many in zip(DECK, numbers, strict=True) for _ in range(many))


def held(bits):
    return " ".join(DECK[card] for card in core.members(bits))


def act(state, seat, action, viewer=NOBODY):
    """Apply a legal action; what the viewer is told of it."""
    assert GAME.legal(state, seat) >> action & 1, f"seat {seat} may not do {action}"
    events = core.events()
    GAME.apply(state, seat, action, events)
    return core.told(GAME, events, viewer)


def play(state, cards):
    """All seats lay these cards; what is told when the last one lies."""
    told = []
    for seat, card in enumerate(cards.split()):
        told = act(state, seat, number(card))
    return told


def table(cards, middle=START, hands=None, **options):
    """The state after one round with these cards, what lies in the middle and the hands being given."""
    state = core.new(GAME, len(cards.split()), **options)
    state.middle = counts(middle)
    for seat, bits in enumerate(hands or []):
        state.hand[seat] = hand(bits)
    return state, play(state, cards)


def winnings(state):
    return [named(won) for won in state.won[: state.seats]]


def final(scores, mice):
    """A game that is over with these scores and, for each seat, these mice among the winnings."""
    state = core.new(GAME, len(scores))
    state.scores[: len(scores)] = scores
    for seat, cards in enumerate(mice):
        state.won[seat] = counts(cards)
    state.phase = OVER
    return state


def winners(state):
    return laws.winners(GAME, state)


def random_game(seed, seats, check=lambda state: None, **options):
    return laws.random_rounds(GAME, seed, seats, check, **options)


def hunter(values, second_tie):
    """The value that hunts among these of one animal, or None: written anew from the sentences, without bits."""
    played = sorted(set(values), reverse=True)
    if second_tie == "stop":
        played = played[:2]
    return next((value for value in played if values.count(value) == 1), None)


def by_hand(middle, cards, second_tie="stop"):
    """A round as one would do it at a real table: what each wins, and what lies in the middle afterwards."""
    hunts = {animal: hunter([card[1] for card in cards if card[0] == animal], second_tie) for animal in ANIMALS}
    on_the_table = [*middle, *cards]
    won: list[list[str]] = [[] for _ in cards]
    for animal, value in hunts.items():
        if value:
            won[cards.index(animal + value)] = [card for card in on_the_table if card[0] == PREY[animal]]
    taken = [PREY[animal] for animal, value in hunts.items() if value]
    return won, [card for card in on_the_table if card[0] not in taken]


# --- set-up ---------------------------------------------------------------------------------------------------------


def test_players():
    """MAUSEN-01: three to six."""
    for seats in (3, 4, 5, 6):
        assert core.new(GAME, seats).seats == seats
    for seats in (2, 7):
        with pytest.raises(core.Refusal, match="3 to 6"):
            core.new(GAME, seats)


def test_hands():
    """MAUSEN-02: each holds every animal with each value once; the actions are these cards, as everybody builds on."""
    state = core.new(GAME, 4)
    assert GAME.ACTIONS == 16
    assert [held(bits) for bits in state.hand[:4]] == [" ".join(DECK)] * 4
    assert [action_name(GAME, "en", action) for action in (0, 3, 4, 9, 15)] == [
        *("Play elephant 1", "Play elephant 4", "Play dog 1", "Play cat 2", "Play mouse 4"),
    ]


def test_start_cards():
    """MAUSEN-03: elephant 4, dog 3, cat 2 and mouse 1 lie open in the middle, for everybody to see."""
    state = core.new(GAME, 3)
    assert named(state.middle) == START
    for viewer in (NOBODY, 0, 1, 2):
        assert core.view(GAME, state, viewer, strict=True).middle == state.middle


def test_nothing_else_is_in_play():
    """MAUSEN-04, MAUSEN-05: no help cards, and no cards of colours that nobody plays; the game needs no luck."""
    for seats in (3, 4, 5, 6):
        state = core.new(GAME, seats)
        assert sum(state.middle) + sum(map(core.count, state.hand)) == 16 * seats + 4
        assert state.hand[seats:] == [0] * (6 - seats)
        assert GAME.waiting(state) == (1 << seats) - 1
        assert [GAME.legal(state, seat) for seat in (*range(seats, 6), LUCK, CLOCK)] == [0] * (8 - seats)


# --- choosing and showing -------------------------------------------------------------------------------------------


def test_sealed_until_the_last():
    """MAUSEN-06: others see that a card lies, never which; then all are shown together."""
    state = core.new(GAME, 3)
    for seat, card in ((2, 13), (0, 1)):
        events = core.events()
        GAME.apply(state, seat, card, events)
        for viewer in (NOBODY, 0, 1, 2):
            told = core.told(GAME, events, viewer)
            assert [(event.kind, event.card) for event in told] == [("laid", card if viewer == seat else HIDDEN)]
    for viewer in (NOBODY, 0, 1, 2):
        seen = core.view(GAME, state, viewer)
        assert seen.choice[:3] == [1 if viewer == 0 else HIDDEN, EMPTY, 13 if viewer == 2 else HIDDEN]
        assert seen.hand[:3] == [0xFFFF] * 3
        assert seen.last[:3] == [EMPTY] * 3
        assert seen.middle == state.middle == counts(START)
    told = act(state, 1, 8)
    assert [(event.seat, event.card) for event in told if event.kind == "shown"] == [(0, 1), (1, 8), (2, 13)]
    assert state.last[:3] == [1, 8, 13]


def test_one_card_each_in_no_order():
    """MAUSEN-07: all are waited for until each has laid one card, which may be exchanged but not joined by a second."""
    state = core.new(GAME, 3)
    assert GAME.waiting(state) == 0b111
    act(state, 1, 4)
    assert GAME.waiting(state) == 0b101
    assert GAME.legal(state, 1) == 0xFFFF & ~(1 << 4)
    act(state, 1, 7)
    assert state.choice[1] == 7
    assert GAME.waiting(state) == 0b101
    act(state, 2, 0)
    act(state, 0, 0)
    assert [core.count(bits) for bits in state.hand[:3]] == [15] * 3
    assert held(state.hand[1]) == " ".join(card for card in DECK if card != "D4")
    assert GAME.waiting(state) == 0b111


def test_a_card_twice_or_two_cards():
    """MAUSEN-02, MAUSEN-07, T-M16: a played card is gone, and so is the choice once all are shown."""
    state, _ = table("E1 D2 C3")
    for seat, card in enumerate(("E1", "D2", "C3")):
        assert not GAME.legal(state, seat) >> number(card) & 1
        with pytest.raises(AssertionError, match="may not"):
            act(state, seat, number(card))
    act(state, 0, number("E2"))
    with pytest.raises(AssertionError, match="may not"):
        act(state, 0, number("E2"))
    act(state, 0, number("E3"))
    act(state, 1, number("D1"))
    act(state, 2, number("D1"))
    assert core.count(state.hand[0]) == 14
    assert GAME.legal(state, 0) >> number("E2") & 1


def test_shown_cards_wait_for_the_evaluation():
    """MAUSEN-08: cards are shown before any hunt is told, and move to the middle only after all hunts."""
    _, told = table("E1 D2 C3 M4")
    kinds = [event.kind for event in told]
    assert kinds == ["laid", *["shown"] * 4, *["hunts"] * 4, "emptied"]
    _, told = table("E1 D2 D2")
    assert [event.kind for event in told] == [
        *("laid", *["shown"] * 3, "hunts", "tied", "tied", "unhunted", "stays"),
    ]


# --- who hunts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("animal", list(ANIMALS))
def test_circle(animal):
    """MAUSEN-09: each animal hunts the next one in the circle and nothing else."""
    state, _ = table(f"{animal}2 {animal}1 {animal}1", middle="E1 D1 C1 M1")
    assert winnings(state) == [f"{PREY[animal]}1", "", ""]


def test_the_middle_does_not_hunt():
    """MAUSEN-10: an elephant in the middle hunts no dog, nor does it rival an elephant just played."""
    state, _ = table("M1 M2 M2", middle="D4 D1 C1")
    assert winnings(state) == ["", "", ""]
    state, _ = table("E1 M2 M2", middle="E4 E1 D3")
    assert winnings(state) == ["D3", "", ""]


@pytest.mark.parametrize("second_tie", ["stop", "continue"])
def test_one_hunter_at_most(second_tie):
    """MAUSEN-11, MAUSEN-12, MAUSEN-13, MAUSEN-14, MAUSEN-15, MAUSEN-16: every way to play up to six cards of an animal,
    against an independent reading of the sentences."""
    shuffle = random.Random(1).shuffle
    for animal, prey in PREY.items():
        bystander = PREY[PREY[prey]] + "1"  # neither a rival nor prey
        for many in range(1, 7):
            for values in itertools.combinations_with_replacement("1234", many):
                cards = [animal + value for value in values] + [bystander] * (3 - many)
                shuffle(cards)
                state, _ = table(" ".join(cards), middle=f"{prey}2 {prey}2", second_tie=second_tie)
                best = hunter(values, second_tie)
                won = [state.won[seat][number(f"{prey}2")] for seat in range(len(cards))]
                assert won == [2 * (best is not None and card == f"{animal}{best}") for card in cards], cards


def test_only_card_of_its_animal():
    """MAUSEN-12: even the lowest card hunts if it is the only one of its animal."""
    state, told = table("E1 M4 M4")
    assert winnings(state) == ["D3", "", ""]
    assert [(event.seat, event.value, event.clause) for event in told if event.kind == "hunts"] == [(0, 3, "MAUSEN-12")]


def test_highest_card():
    """MAUSEN-13: among several the single highest, whatever is tied below it."""
    state, told = table("C3 C4 C2 C2", middle="M1 M3")
    assert winnings(state) == ["", "M1 M3", "", ""]
    assert [(event.kind, event.clause) for event in told if event.kind in ("hunts", "tied")] == [("hunts", "MAUSEN-13")]


def test_booklet_tie():
    """MAUSEN-14, T-M01: dogs 3, 3 and 1: the dog 1 hunts the cats."""
    state, told = table("D3 D3 D1")
    assert winnings(state) == ["", "", "C2"]
    assert [(event.kind, event.seat, event.clause) for event in told if event.kind in ("tied", "hunts")] == [
        ("tied", 0, "MAUSEN-14"),
        ("tied", 1, "MAUSEN-14"),
        ("hunts", 2, "MAUSEN-14"),
    ]


def test_next_lower_that_was_played():
    """MAUSEN-14, MAUSEN-24, T-M03: mice 2, 2 and 1: the mouse 1 wins the elephant, and all mice stay."""
    state, _ = table("M2 M2 M1")
    assert winnings(state) == ["", "", "E4"]
    assert named(state.middle) == "D3 C2 M1 M1 M2 M2"
    state, _ = table("M4 M4 M4 M1")
    assert winnings(state) == ["", "", "", "E4"]


def test_no_lower_card():
    """MAUSEN-15, T-M04: mice 4 and 4, no other mouse: nobody hunts elephants."""
    state, told = table("M4 M4 D1 D2")
    assert winnings(state) == ["", "", "", "C2"]
    assert named(state.middle) == "E4 D1 D2 D3 M1 M4 M4"
    assert [(event.card, event.clause) for event in told if event.kind == "unhunted"] == [(number("M4"), "MAUSEN-15")]


def test_second_tie():
    """MAUSEN-16, T-M05: dogs 4, 4, 3, 3, 1: nobody hunts; with the option `second_tie` the dog 1 does."""
    state, told = table("D4 D4 D3 D3 D1")
    assert winnings(state) == [""] * 5
    assert [
        (event.kind, event.seat, event.clause) for event in told if event.kind in ("tied", "unhunted", "hunts")
    ] == [
        ("tied", 0, "MAUSEN-14"),
        ("tied", 1, "MAUSEN-14"),
        ("tied", 2, "MAUSEN-16"),
        ("tied", 3, "MAUSEN-16"),
        ("unhunted", NOBODY, "MAUSEN-16"),
    ]
    state, told = table("D4 D4 D3 D3 D1", second_tie="continue")
    assert winnings(state) == ["", "", "", "", "C2"]
    assert [(event.seat, event.clause) for event in told if event.kind == "hunts"] == [(4, "MAUSEN-16")]


@pytest.mark.parametrize("second_tie", ["stop", "continue"])
def test_two_pairs(second_tie):
    """MAUSEN-15, MAUSEN-16, T-M06: dogs 4, 4, 3, 3: nobody hunts under either reading."""
    state, told = table("D4 D4 D3 D3", second_tie=second_tie)
    assert winnings(state) == [""] * 4
    why = "MAUSEN-16" if second_tie == "stop" else "MAUSEN-15"
    assert [event.clause for event in told if event.kind == "unhunted"] == [why]


def test_tied_cards_can_be_hunted():
    """MAUSEN-17: two mice 3 cancel each other out, and the cat takes both."""
    state, _ = table("M3 M3 C1", middle="E1")
    assert winnings(state) == ["", "", "M3 M3"]


# --- resolving ------------------------------------------------------------------------------------------------------


def test_booklet_round():
    """MAUSEN-11, MAUSEN-19, MAUSEN-24, MAUSEN-34, T-M02: the round the booklet works through."""
    state, told = table("E1 D2 C3 C4 M3 M3", middle="E3 E4 D3 C2 C2")
    assert winnings(state) == ["D2 D3", "C2 C2 C3 C4", "", "M3 M3", "", ""]
    assert state.scores[:6] == [5, 11, 0, 6, 0, 0]
    assert state.pile[:6] == [2, 4, 0, 2, 0, 0]
    assert named(state.middle) == "E1 E3 E4"
    assert [
        (event.kind, event.seat, event.value, event.clause) for event in told if event.kind not in ("laid", "shown")
    ] == [
        ("hunts", 0, 5, "MAUSEN-12"),
        ("hunts", 1, 11, "MAUSEN-12"),
        ("hunts", 3, 6, "MAUSEN-13"),
        ("tied", 4, 0, "MAUSEN-14"),
        ("tied", 5, 0, "MAUSEN-14"),
        ("unhunted", NOBODY, 0, "MAUSEN-15"),
        ("stays", 0, 0, "MAUSEN-24"),
    ]


def test_a_hunted_hunter_hunts():
    """MAUSEN-18, T-M13: the elephant 1 wins all dogs although the mouse 4 wins it; in whatever order they are told."""
    state, _ = table("E1 M4 D1", middle="D3 D4 E2")
    assert winnings(state) == ["D1 D3 D4", "E1 E2", ""]
    state, _ = table("M4 E1 D1", middle="D3 D4 E2")
    assert winnings(state) == ["E1 E2", "D1 D3 D4", ""]


def test_all_prey_goes_to_one():
    """MAUSEN-19, MAUSEN-20: from the middle and from all others, to a single player."""
    state, _ = table("D4 C1 C1 C4 D3", middle="C2 C2 C3 E1")
    assert winnings(state)[0] == "C1 C1 C2 C2 C3 C4"
    assert winnings(state)[1:] == ["", "", "", ""]


def test_no_prey():
    """MAUSEN-21, MAUSEN-24, T-M12: the dog 2 wins the cat 1, which itself finds no mice."""
    state, told = table("D2 D1 C1", middle="E4 E3")
    assert winnings(state) == ["C1", "", ""]
    assert named(state.middle) == "E3 E4 D1 D2"
    assert [(event.seat, event.value, event.clause) for event in told if event.kind == "hunts"] == [
        (0, 1, "MAUSEN-13"),
        (2, 0, "MAUSEN-21"),
    ]


def test_never_the_own_animal():
    """MAUSEN-22: in random rounds nobody ever wins a card of the animal just played."""
    before: dict[int, list[int]] = {}

    def check(state):
        for seat in range(state.seats):
            gain = [now - then for now, then in zip(state.won[seat], before.get(seat, [0] * 16), strict=True)]
            if any(gain):
                assert {card[0] for card in named(gain).split()} == {PREY[DECK[state.last[seat]][0]]}
            before[seat] = list(state.won[seat])

    for seed in range(12):
        before.clear()
        random_game(seed, 3 + seed % 4, check)


def test_winnings_are_out_of_play():
    """MAUSEN-23: cards won stay won: they are neither in a hand nor in the middle, and nobody hunts them again."""
    state, _ = table("D4 C1 M1", middle="C2 E1")
    assert winnings(state)[0] == "C1 C2"
    assert state.hand[0] == hand(" ".join(card for card in DECK if card != "D4"))
    play(state, "C3 D3 E4")
    assert winnings(state) == ["C1 C2", "C3 M1", "E1 D3 D4"]
    assert named(state.middle) == "E4"


def test_winnings_lie_face_down():
    """MAUSEN-23, MAUSEN-34: strict memory shows how many cards the others have won, not which and not for how many
    points; one's own may be looked through, and after the end all are counted openly."""
    state, _ = table("E1 D2 C3 C4 M3 M3", middle="E3 E4 D3 C2 C2")
    play(state, "M1 M2 M4 M4 M1 E2")
    for viewer in (NOBODY, *range(6)):
        seen = core.view(GAME, state, viewer, strict=True)
        for seat in range(6):
            own = seat == viewer
            assert seen.scores[seat] == (state.scores[seat] if own else HIDDEN)
            assert seen.won[seat] == (state.won[seat] if own else [HIDDEN] * 16)
            assert seen.hand[seat] == (state.hand[seat] if own else HIDDEN)
        assert (seen.pile, seen.last, seen.middle) == (state.pile, state.last, state.middle)
        remembered = core.view(GAME, state, viewer)
        assert (remembered.scores, remembered.won, remembered.hand) == (state.scores, state.won, state.hand)
    over = random_game(1, 4)
    for viewer in (NOBODY, 0, 3):
        assert core.view(GAME, over, viewer, strict=True) == over


def test_open_scores():
    """MAUSEN-34: the option `scores_open` shows everybody's points, and still not the cards."""
    state, _ = table("E1 D2 C3 C4 M3 M3", middle="E3 E4 D3 C2 C2", scores_open="yes")
    for viewer in (NOBODY, 0, 5):
        seen = core.view(GAME, state, viewer, strict=True)
        assert seen.scores == state.scores
        assert seen.won[1] == [HIDDEN] * 16
        assert seen.hand[1] == HIDDEN


def test_unhunted_cards_belong_to_nobody():
    """MAUSEN-24: a successful hunter's card goes to the middle too, and next round even its own player may win it."""
    state, _ = table("D4 C1 C1", middle="C2")
    assert named(state.middle) == "D4"
    play(state, "E1 M1 M1")
    assert winnings(state) == ["D4 C1 C1 C2", "", ""]


def test_played_cards_do_not_come_back():
    """MAUSEN-25: whether hunted or not, a played card leaves the hand for good."""
    played: list[set[int]] = [set() for _ in range(6)]

    def check(state):
        for seat in range(state.seats):
            if state.last[seat] != EMPTY:
                played[seat].add(state.last[seat])
            assert set(core.members(state.hand[seat])) == set(range(16)) - played[seat]

    random_game(5, 6, check)


def test_animals_without_a_hunter():
    """MAUSEN-26: their cards stay in the middle, and those just played join them."""
    state, _ = table("E2 E2 C1", middle="D3 C2 E1")
    assert winnings(state) == ["", "", ""]
    assert named(state.middle) == "E1 E2 E2 D3 C1 C2"


def test_every_round_against_a_real_table():
    """MAUSEN-18, MAUSEN-19, MAUSEN-20, MAUSEN-21, MAUSEN-22, MAUSEN-24, MAUSEN-26: random rounds against the same round
    done card by card."""
    chance = random.Random(3)
    for _ in range(400):
        cards = [chance.choice(DECK) for _ in range(chance.randint(3, 6))]
        middle = [chance.choice(DECK) for _ in range(chance.randint(0, 12))]
        second_tie = chance.choice(["stop", "continue"])
        state, _ = table(" ".join(cards), middle=" ".join(middle), second_tie=second_tie)
        won, left = by_hand(middle, cards, second_tie)
        assert [Counter(pile.split()) for pile in winnings(state)] == [Counter(pile) for pile in won]
        assert Counter(named(state.middle).split()) == Counter(left)
        assert state.scores[: len(cards)] == [sum(int(card[1]) for card in pile) for pile in won]
        assert state.pile[: len(cards)] == [len(pile) for pile in won]
        assert (state.phase == rules.REFILL) == (not left)


# --- the empty table ------------------------------------------------------------------------------------------------


def test_all_four_hunt():
    """MAUSEN-18, MAUSEN-27, T-M08: each animal has a hunter, nothing is left, all put down a new card, sealed."""
    state, told = table("E1 D1 C1 M1")
    assert winnings(state) == ["D1 D3", "C1 C2", "M1 M1", "E1 E4"]
    assert named(state.middle) == ""
    assert state.phase == rules.REFILL
    assert GAME.waiting(state) == 0b1111
    assert [(event.kind, event.clause) for event in told][-1] == ("emptied", "MAUSEN-27")
    told = act(state, 2, number("E2"), viewer=1)
    assert [(event.kind, event.card, event.clause) for event in told] == [("laid", HIDDEN, "MAUSEN-27")]
    assert core.view(GAME, state, 1).choice[2] == HIDDEN
    assert not GAME.legal(state, 2) >> number("E2") & 1
    act(state, 2, number("E3"))
    assert named(state.middle) == ""
    assert GAME.waiting(state) == 0b1011


def test_refill():
    """MAUSEN-27, MAUSEN-28, MAUSEN-29, T-M09: the new cards lie open, nobody hunts, hands are one shorter."""
    state, _ = table("E1 D1 C1 M1")
    before = winnings(state)
    told = play(state, "E2 E2 M1 C4")
    assert named(state.middle) == "E2 E2 C4 M1"
    assert winnings(state) == before
    assert [core.count(bits) for bits in state.hand[:4]] == [14] * 4
    assert [(event.kind, event.card, event.clause) for event in told if event.kind != "laid"] == [
        ("placed", number(card), "MAUSEN-28") for card in ("E2", "E2", "M1", "C4")
    ]
    assert state.phase == rules.CHOOSE
    assert GAME.waiting(state) == 0b1111
    play(state, "M3 E3 E4 D3")
    assert winnings(state)[0] == "E2 E2 E3 E4 D1 D3"


def test_empty_at_the_end():
    """MAUSEN-30, MAUSEN-32, T-M10: emptied by the last card: the game is over, nobody is asked for another."""
    state, told = table("E1 D1 C1 M1", hands=["E1", "D1", "C1", "M1"])
    assert state.phase == OVER
    assert GAME.waiting(state) == 0
    assert [GAME.legal(state, seat) for seat in range(4)] == [0] * 4
    assert [event.clause for event in told if event.kind == "emptied"] == ["MAUSEN-30"]
    assert not [event for event in told if event.kind in ("placed", "left")]


def test_one_card_left():
    """MAUSEN-31, MAUSEN-33, T-M11: with one card left each, these go to the middle by themselves and the game ends."""
    hands = ["E1 M4", "D1 E2", "C1 E2", "M1 D4"]
    state, told = table("E1 D1 C1 M1", hands=hands)
    assert state.phase == OVER
    assert GAME.waiting(state) == 0
    assert state.hand[:4] == [0] * 4
    assert named(state.middle) == "E2 E2 D4 M4"
    assert winnings(state) == ["D1 D3", "C1 C2", "M1 M1", "E1 E4"]
    assert state.scores[:4] == [4, 3, 2, 5]
    assert [(event.kind, event.seat, event.card, event.value, event.clause) for event in told][9:15] == [
        ("emptied", NOBODY, EMPTY, 0, "MAUSEN-31"),
        *(("placed", seat, number(hands[seat][3:]), 0, "MAUSEN-31") for seat in range(4)),
        ("left", NOBODY, EMPTY, 12, "MAUSEN-33"),
    ]


def test_hunt_with_the_last_card():
    """MAUSEN-31: the option `last_card` plays the last cards as a round against an empty middle."""
    state, told = table("E1 D1 C1 M1", hands=["E1 M4", "D1 E2", "C1 E2", "M1 D4"], last_card="hunt")
    assert [event.kind for event in told][-1] == "emptied"
    assert state.phase == rules.CHOOSE
    assert GAME.waiting(state) == 0b1111
    play(state, "M4 E2 E2 D4")
    assert state.phase == OVER
    assert winnings(state)[0] == "E2 E2 D1 D3"
    assert named(state.middle) == "D4 M4"
    state, _ = table("E1 D1 C1 M1", hands=["E1 M4 M3", "D1 E2 E3", "C1 E2 E3", "M1 D4 D3"], last_card="hunt")
    assert state.phase == rules.REFILL


def test_three_players_never_empty_the_table():
    """T-M07: whatever three play, something stays, so nobody is ever asked for a new card."""
    begin = core.new(GAME, 3)
    begin.middle = [0] * 16
    for cards in itertools.combinations_with_replacement(range(16), 3):
        state = begin.copy()
        for seat, card in enumerate(cards):
            GAME.apply(state, seat, card, None)
        assert any(state.middle)
        assert state.phase == rules.CHOOSE
    for seed in range(5):
        random_game(seed, 3, lambda state: pytest.fail("refill") if state.phase == rules.REFILL else None)


def test_refill_when_and_only_when_empty():
    """MAUSEN-27: at every start of a round the middle is empty exactly if new cards are asked for."""

    def check(state):
        if state.phase != OVER:
            assert (state.phase == rules.REFILL) == (not any(state.middle))

    for seed in range(12):
        random_game(seed, 4 + seed % 3, check)


# --- the end --------------------------------------------------------------------------------------------------------


def test_the_end():
    """MAUSEN-32, MAUSEN-33, MAUSEN-34: it ends with the last cards; what lies in the middle counts for nobody, and each
    score is the sum of the cards won."""
    for seed in range(8):
        state = random_game(seed, 3 + seed % 4)
        assert not any(state.hand)
        for seat in range(6):
            assert state.scores[seat] == sum(int(card[1]) for card in named(state.won[seat]).split())
            assert state.pile[seat] == sum(state.won[seat])
        left = sum(int(card[1]) for card in named(state.middle).split())
        assert sum(state.scores) + left == 40 * state.seats + 10
    state, told = table("E1 D1 D1", middle="E3", hands=["E1", "D1", "D1"])
    assert state.phase == OVER
    assert [(event.kind, event.seat, event.value) for event in told][-6:] == [
        ("stays", 0, 0),
        ("left", NOBODY, 4),
        *(("scored", seat, value) for seat, value in enumerate([2, 0, 0])),
        ("won", 0, 2),
    ]


def test_it_goes_on_while_there_are_cards():
    """MAUSEN-32: not before the last card is played."""
    state, _ = table("E1 D1 D1", hands=["E1 E2", "D1 D2", "D1 D2"])
    assert state.phase == rules.CHOOSE
    play(state, "E2 D2 D2")
    assert state.phase == OVER


@pytest.mark.parametrize(
    ("scores", "mice", "expected"),
    [
        ([30, 30, 25], ["M4", "M4 M3", "M4 M4 M1"], [1]),
        ([30, 30, 10], ["M4 M1", "M3 M2", ""], [0, 1]),
        ([31, 30, 30], ["", "M4", "M4"], [0]),
        ([30, 30, 30], ["M1", "M1 M1", "M2"], [1, 2]),
        ([30, 30, 10], ["E4 D4 C4", "M1", ""], [1]),
        ([0, 0, 0], ["", "", ""], [0, 1, 2]),
    ],
)
def test_who_wins(scores, mice, expected):
    """MAUSEN-35, MAUSEN-36, T-M14, T-M15: most points, then most in mice, then together."""
    assert winners(final(scores, mice)) == expected


def test_places_behind_the_winner():
    """MAUSEN-35, MAUSEN-36: points and mice order all places, and equal ones are shared."""
    assert list(GAME.rank(final([9, 30, 9, 9], ["M2", "", "M4", "M1 M1"]))) == [3, 1, 2, 3]


def test_the_mice_are_told():
    """MAUSEN-35, MAUSEN-36: between equal scores everybody hears what the mice are worth; shared wins say so."""
    state = core.new(GAME, 3)
    state.hand[:3] = [hand("E1")] * 3
    state.middle = counts("")
    state.scores[:3], state.won[0], state.won[1] = [7, 7, 5], counts("M3"), counts("M4")
    told = play(state, "E1 E1 E1")
    assert [(event.kind, event.seat, event.value, event.clause) for event in told if event.kind in ("mice", "won")] == [
        ("mice", 0, 3, "MAUSEN-35"),
        ("mice", 1, 4, "MAUSEN-35"),
        ("won", 1, 7, "MAUSEN-35"),
    ]
    state = core.new(GAME, 3)
    state.hand[:3] = [hand("E1")] * 3
    state.middle = counts("")
    told = play(state, "E1 E1 E1")
    assert [(event.seat, event.clause) for event in told if event.kind == "won"] == [(n, "MAUSEN-36") for n in range(3)]


# --- what is always true --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("last_card", ["rulebook", "hunt"])
def test_always(last_card):
    """MAUSEN-29, MAUSEN-37, MAUSEN-38, T-M17: points are conserved, hands equally long, and every player lays sixteen
    cards: rounds of hunting and refills together."""
    rounds: Counter[int] = Counter()

    def check(state):
        worth = sum(card % 4 + 1 for bits in state.hand for card in core.members(bits))
        worth += sum(many * (card % 4 + 1) for card, many in enumerate(state.middle))
        assert worth + sum(state.scores) == 40 * state.seats + 10
        assert len({core.count(bits) for bits in state.hand[: state.seats]}) == 1
        rounds[state.phase] += 1

    for seed in range(24):
        rounds.clear()
        state = random_game(seed, 3 + seed % 4, check, last_card=last_card)
        played = rounds[rules.CHOOSE] + rounds[rules.REFILL]
        assert played == 16 or (played == 15 and last_card == "rulebook" and sum(state.middle) == state.seats)


def test_guess_is_fair():
    """MAUSEN-06: a sealed card is, for all one knows, any card of that hand, each as likely."""
    state = core.new(GAME, 3)
    state.hand[1] = hand("E1 C3 M4")
    act(state, 1, number("C3"))
    rng = np.random.default_rng(1)
    seen: Counter[str] = Counter()
    for _ in range(600):
        world = core.view(GAME, state, 0)
        GAME.guess(world, rng)
        seen[DECK[world.choice[1]]] += 1
    assert set(seen) == {"E1", "C3", "M4"}
    assert all(150 < many < 250 for many in seen.values())


def test_every_event_in_words():
    """MAUSEN-06, MAUSEN-27: whatever happens is told as a whole sentence in every language, to each seat."""
    names = ["Ida", "Ole", "Lin", "Tom"]
    kinds = set()
    for seed in range(12):
        state, chance = core.new(GAME, 4, second_tie="continue"), random.Random(seed)
        while state.phase != OVER:
            for seat in core.members(GAME.waiting(state)):
                events = core.events()
                GAME.apply(state, seat, chance.choice(core.members(GAME.legal(state, seat))), events)
                for viewer in (NOBODY, 0):
                    for event in core.told(GAME, events, viewer):
                        kinds.add(event.kind)
                        for language in LANGUAGES:
                            said = sentence(GAME, language, event, names, viewer)
                            assert said.endswith(".")
                            assert "{" not in said
                            assert event.clause in texts(GAME, language)["rules"]
    assert kinds >= set(GAME.EVENTS) - {"mice"}
