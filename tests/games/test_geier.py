"""Hol's der Geier, clause by clause. The names T-G.. are the worked examples and vectors of the rules."""

import itertools

import numpy as np
import pytest

from cheeseboard.games import GAMES, core
from cheeseboard.games.core import EMPTY, HIDDEN, LUCK, NOBODY, OVER
from cheeseboard.games.geier import rules
from cheeseboard.games.texts import texts
from tests.games import laws

GAME = GAMES["geier"]
LAW = {"GEIER-": 37, "T-G": 22}  # how far the numbers of clauses and examples go
ALL = [-5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]


def act(state, seat, action):
    """Apply a legal action; what is told of it."""
    assert GAME.legal(state, seat) >> action & 1, f"seat {seat} may not do {action}"
    events = core.events()
    GAME.apply(state, seat, action, events)
    return core.told(GAME, events, NOBODY)


def turn(state, prize):
    return act(state, LUCK, ALL.index(prize))


def play(pots, *rounds, seats=None, **options):
    """Rounds of bids (as on the cards, 1 to 15) for these prizes one after another; the state after them."""
    state = core.new(GAME, seats or len(rounds[0]), **options)
    for prize, bids in zip(pots, rounds, strict=True):
        turn(state, prize)
        for seat, bid in enumerate(bids):
            act(state, seat, bid - 1)
    return state


def taker(pot, bids, **options):
    """Who gets this pot; the prizes before the last one stay because all bid the same card, 15, 14, ..."""
    spare = [card for card in range(15, 0, -1) if card not in bids]
    ties = [[spare[i]] * len(bids) for i in range(len(pot) - 1)]
    state = play(pot, *ties, bids, **options)
    return [seat for seat in range(len(bids)) if state.won[seat]]


def final(scores, **options):
    """A game that is over with these scores."""
    state = core.new(GAME, len(scores), **options)
    state.scores[: len(scores)] = scores
    state.phase = OVER
    return state


def winners(state):
    return laws.winners(GAME, state)


def random_game(seed, seats, check=lambda state: None, **options):
    return laws.random_rounds(GAME, seed, seats, check, **options)


def test_players():
    """GEIER-01: two to five."""
    for seats in (2, 3, 4, 5):
        assert core.new(GAME, seats).seats == seats
    for seats in (1, 6):
        with pytest.raises(core.Refusal, match="2 to 5"):
            core.new(GAME, seats)


def test_set_up():
    """GEIER-02, GEIER-03, GEIER-06: everybody holds 1 to 15 from the start, empty seats hold nothing."""
    state = core.new(GAME, 3)
    assert state.hand == [0x7FFF] * 3 + [0] * 3


def test_prizes():
    """GEIER-04: ten mice, five vultures, no zero, together 40."""
    assert core.new(GAME, 2).prizes == ALL
    assert sum(ALL) == 40


def test_one_pile():
    """GEIER-05: any prize may come first, all equally likely."""
    state = core.new(GAME, 2)
    assert GAME.waiting(state) == 1 << LUCK
    assert GAME.legal(state, LUCK) == 0x7FFF
    assert {core.odds(GAME, state, prize) for prize in range(15)} == {1}


def test_prize_before_bids():
    """GEIER-07, T-G20: nobody bids before the prize is turned, and only one is turned."""
    state = core.new(GAME, 2)
    assert GAME.legal(state, 0) == GAME.legal(state, 1) == 0
    events = turn(state, 6)
    assert [(event.kind, event.value) for event in events] == [("turned", 6)]
    assert GAME.legal(state, LUCK) == 0
    assert GAME.legal(state, 0) == GAME.legal(state, 1) == 0x7FFF


def test_all_at_once():
    """GEIER-08: everybody is waited for, in no order."""
    state = core.new(GAME, 3)
    turn(state, 6)
    assert GAME.waiting(state) == 0b111
    act(state, 1, 4)
    assert GAME.waiting(state) == 0b101


def test_bid_may_be_exchanged_but_not_doubled():
    """GEIER-09, T-G20: one card from the hand, exchangeable until the last has bid, never afterwards, never twice."""
    state = core.new(GAME, 2)
    turn(state, 6)
    act(state, 0, 7)
    assert not GAME.legal(state, 0) >> 7 & 1
    act(state, 0, 3)
    assert state.bid[0] == 3
    assert GAME.waiting(state) == 0b10
    act(state, 1, 7)
    assert state.hand[0] == 0x7FFF & ~(1 << 3)
    turn(state, 1)
    assert not GAME.legal(state, 0) >> 3 & 1
    assert not GAME.legal(state, 1) >> 7 & 1


def test_sealed_until_the_last():
    """GEIER-10, T-G21: others see that a card lies, never which; then all are shown together."""
    state = core.new(GAME, 3)
    turn(state, 6)
    for seat, card in ((2, 13), (0, 1)):
        events = core.events()
        GAME.apply(state, seat, card, events)
        for viewer in (NOBODY, 0, 1, 2):
            own = viewer == seat
            assert [event.card for event in core.told(GAME, events, viewer)] == [card if own else HIDDEN]
    for viewer in (NOBODY, 0, 1, 2):
        seen = core.view(GAME, state, viewer)
        assert seen.bid[:3] == [1 if viewer == 0 else HIDDEN, EMPTY, 13 if viewer == 2 else HIDDEN]
        assert seen.hand[:3] == [0x7FFF] * 3
    events = act(state, 1, 8)
    assert [(event.seat, event.card) for event in events if event.kind == "shown"] == [(0, 1), (1, 8), (2, 13)]


@pytest.mark.parametrize(
    ("vector", "pot", "bids", "expected"),
    [
        ("T-G01 GEIER-14", [6], [14, 3, 13], [0]),
        ("T-G02 GEIER-15", [-2], [6, 5, 15], [1]),
        ("T-G03 GEIER-16", [7], [14, 14, 12, 11], [2]),
        ("T-G04 GEIER-20", [3], [9, 9], []),
        ("T-G04 GEIER-20", [3], [9, 9, 4, 4], []),
        ("T-G05 GEIER-11", [5, -2], [3, 12], [1]),
        ("T-G05 GEIER-11", [8, -5], [12, 3], [0]),
        ("T-G05 GEIER-11", [1, 2], [3, 12], [1]),
        ("T-G06 GEIER-12", [2, -2], [14, 1], [0]),
        ("T-G07 GEIER-13", [1, -4], [14, 3, 9], [1]),
        ("T-G08 GEIER-18", [10], [15, 15, 14, 14, 2], [4]),
        ("T-G09 GEIER-17", [-5], [1, 1, 1, 8, 12], [3]),
        ("T-G10 GEIER-19", [3], [12, 5, 5], [0]),
        ("T-G11 GEIER-19", [-1], [3, 15, 15], [0]),
    ],
)
def test_who_gets_the_pot(vector, pot, bids, expected):
    """GEIER-11, GEIER-12, GEIER-13, GEIER-14, GEIER-15, GEIER-16, GEIER-17, GEIER-18, GEIER-19, GEIER-20,
    T-G01, T-G02, T-G03, T-G04, T-G05, T-G06, T-G07, T-G08, T-G09, T-G10, T-G11."""
    assert taker(pot, bids) == expected, vector
    assert taker(pot, bids[::-1]) == [len(bids) - 1 - seat for seat in expected], vector


def test_every_deal_of_bids_against_the_sentence():
    """GEIER-18: the receiver is whoever bid the highest (lowest) value bid exactly once; checked for all bids to 4."""
    for seats in (2, 3, 4):
        for bids in itertools.product(range(1, 5), repeat=seats):
            lone = [bid for bid in bids if bids.count(bid) == 1]
            for prize, decide in ((9, max), (-3, min)):
                assert taker([prize], list(bids)) == ([bids.index(decide(lone))] if lone else [])


def test_pot_stays_and_grows():
    """GEIER-20, GEIER-21, GEIER-22, GEIER-23, T-G12: carried twice, its sign read anew each time, then all taken."""
    state = play([4, -5], [7, 7], [2, 2])
    assert state.pot == -1
    assert not any(state.won)
    events = turn(state, 6)
    assert [(event.kind, event.value) for event in events] == [("turned", 6), ("pot", 5)]
    act(state, 0, 9)
    act(state, 1, 10)
    assert state.scores[:2] == [0, 5]
    assert core.count(state.won[1]) == 3
    assert state.pot == 0


def test_bids_are_used_up():
    """GEIER-24, T-G04: also when the pot stays."""
    state = play([3], [9, 9, 4, 4])
    assert [core.count(hand) for hand in state.hand[:4]] == [14] * 4
    turn(state, 1)
    assert not any(GAME.legal(state, seat) >> bid - 1 & 1 for seat, bid in enumerate([9, 9, 4, 4]))


def test_only_the_last_bid_can_be_looked_up():
    """GEIER-25: a strict view shows the top of each discard pile, not what the others still hold; the aid shows it."""
    state = play([3, 5], [9, 8, 4], [1, 2, 3])
    seen = core.view(GAME, state, 0, strict=True)
    assert seen.last[:3] == [0, 1, 2]
    assert seen.hand[0] == state.hand[0]
    assert seen.hand[1:3] == [HIDDEN, HIDDEN]
    assert core.view(GAME, state, NOBODY, strict=True).hand[:3] == [HIDDEN] * 3
    aided = play([3, 5], [9, 8, 4], [1, 2, 3], aid="counting")
    assert core.view(GAME, aided, 0, strict=True).hand == aided.hand


def test_won_prizes_lie_open():
    """GEIER-26: everybody sees who has what, and the running score."""
    state = play([3, -5], [9, 8, 4], [1, 2, 3])
    for viewer in (NOBODY, 0, 1, 2):
        seen = core.view(GAME, state, viewer, strict=True)
        assert (seen.won, seen.scores) == (state.won, state.scores)
    assert state.won[:3] == [1 << ALL.index(3) | 1 << ALL.index(-5), 0, 0]


def test_last_pot_is_lost():
    """GEIER-27, GEIER-28, T-G13: with all that was carried; it stays the undistributed pot (GEIER-36)."""
    state = core.new(GAME, 2)
    state.left = 1 << ALL.index(-3) | 1 << ALL.index(9)
    state.hand[:2] = [0b110000, 0b110000]  # a 5 and a 6 each
    state.scores[:2] = [30, 4]
    for prize, card in ((-3, 4), (9, 5)):
        turn(state, prize)
        act(state, 0, card)
        events = act(state, 1, card)
    assert state.phase == OVER
    assert [event.kind for event in events if event.kind in ("stays", "lost")] == ["lost"]
    assert state.scores[:2] == [30, 4]
    assert state.pot == 6
    assert sum(state.scores) + state.pot == 40


def test_fifteen_rounds():
    """GEIER-29, GEIER-37, T-G22: hands and pile shrink by one a round, until all are empty."""
    rounds = []

    def check(state):
        if state.phase == rules.TURN:
            rounds.append(core.count(state.left))
            assert {core.count(hand) for hand in state.hand[: state.seats]} == {core.count(state.left)}

    for seats in (2, 3, 4, 5):
        rounds.clear()
        state = random_game(seats, seats, check)
        assert rounds == list(range(15, 0, -1))
        assert state.left == 0
        assert not any(state.hand)


def test_forty_points():
    """GEIER-30, GEIER-36, T-G22: scores are the sums of prizes won; scores, pot and pile add up to 40 at any time."""

    def check(state):
        worth = [sum(ALL[prize] for prize in core.members(won)) for won in state.won]
        assert state.scores == worth
        assert sum(ALL[prize] for prize in core.members(state.lying)) == state.pot
        assert sum(state.scores) + state.pot + sum(ALL[prize] for prize in core.members(state.left)) == 40

    for seed in range(40):
        random_game(seed, 2 + seed % 4, check)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([17, 17, 12, -6], [2]),
        ([11, 11, 10, 8, 0], [2]),
        ([15, 15, 5, 5], [0, 1]),
        ([20, 20], [0, 1]),
        ([13, 13, 13], [0, 1, 2]),
        ([9, 9, 4, 4, -1], [4]),
        ([3, 30, 7], [1]),
    ],
)
def test_equal_scores_cancel(scores, expected):
    """GEIER-31, GEIER-32, GEIER-33, T-G14, T-G15, T-G16, T-G17."""
    assert winners(final(scores)) == expected


def test_places_behind_the_winner():
    """GEIER-31: the winner first, the others by score, equal scores on one place."""
    assert list(GAME.rank(final([17, 17, 12, -6]))) == [2, 2, 1, 4]


def test_highest_mouse():
    """GEIER-34, GEIER-35, T-G18, T-G19."""
    option = {"ranking": "highest-mouse"}
    state = final([17, 17, 6], **option)
    state.won[0] = 1 << ALL.index(10) | 1 << ALL.index(7)
    state.won[1] = 1 << ALL.index(9) | 1 << ALL.index(8)
    assert winners(state) == [0]
    assert winners(final([0, 0, -5], **option)) == [0, 1]
    assert winners(final([5, 9, 9], **option)) == [1, 2]
    vulture = final([-1, -2], **option)
    vulture.won[0], vulture.won[1] = 1 << ALL.index(-1), 1 << ALL.index(-2)
    assert winners(vulture) == [0]


@pytest.mark.parametrize(
    ("ranking", "bids", "clause"),
    [
        ("rulebook", [(2, 1), (1, 2)], "GEIER-31"),
        ("rulebook", [(1, 1), (2, 2)], "GEIER-33"),
        ("highest-mouse", [(2, 1), (1, 2)], "GEIER-34"),
        ("highest-mouse", [(1, 1), (2, 2)], "GEIER-35"),
    ],
)
def test_winners_hear_why(ranking, bids, clause):
    """GEIER-31, GEIER-33, GEIER-34, GEIER-35: the clause that decided, not the one that did not."""
    state = core.new(GAME, 2, cards=2, ranking=ranking)
    for prize, cards in zip((1, 0), bids, strict=True):
        act(state, LUCK, prize)
        told = [act(state, seat, card - 1) for seat, card in enumerate(cards)]
    assert {event.clause for event in told[-1] if event.kind == "won"} == {clause}


def test_goofspiel_ties():
    """Option `ties`: a shared top bid discards the prize, nobody steps in, nothing is carried."""
    option = {"ties": "goofspiel", "prizes": [1, 2, 3, 4]}
    state = core.new(GAME, 3, **option)
    for prize, bids in zip([3, 1, 2, 4], [(4, 4, 1), (1, 2, 3), (2, 1, 2), (3, 3, 4)], strict=True):
        act(state, LUCK, prize - 1)
        for seat, bid in enumerate(bids):
            act(state, seat, bid - 1)
    assert state.scores[:3] == [0, 0, 5]
    assert state.phase == OVER


def test_small_decks_and_other_prizes():
    """Options `cards` and `prizes`: two mice to each vulture; any list of prizes, sorted."""
    assert core.new(GAME, 2, cards=6).prizes[:6] == [-2, -1, 1, 2, 3, 4]
    assert core.new(GAME, 2, cards=2).prizes[:2] == [1, 2]
    state = core.new(GAME, 2, prizes=[6, -3, 5, 0, 0])
    assert (state.cards, state.prizes[:5], state.hand[0]) == (5, [-3, 0, 0, 5, 6], 0b11111)
    assert core.new(GAME, 2, prizes=[0, 0, 0]).prizes[:3] == [0, 0, 0]


@pytest.mark.parametrize("prizes", [[1], list(range(16)), [1, 200], [1, 2.0], "12", [1, True], 5])
def test_prizes_that_cannot_be(prizes):
    with pytest.raises(core.Refusal, match="expected prizes of geier as a list of 2 to 15 whole numbers"):
        core.new(GAME, 2, prizes=prizes)


def test_prizes_and_cards_must_agree():
    with pytest.raises(core.Refusal, match="as many prizes as cards"):
        core.new(GAME, 2, prizes=[1, 2, 3], cards=4)


def test_why():
    """GEIER-16, GEIER-27: each event names the clause that made it, and the clause is in the rules."""
    state = play([7], [14, 14, 12, 11][:3])
    turn(state, 1)
    act(state, 0, 0)
    act(state, 1, 0)
    events = act(state, 2, 0)
    assert [(event.kind, event.clause) for event in events if event.kind not in ("laid", "shown")] == [
        *[("cancelled", "GEIER-16")] * 3,
        ("stays", "GEIER-20"),
    ]
    assert "GEIER-16" in texts(GAME, "en")["rules"]


def test_a_guess_is_fair():
    """GEIER-08, GEIER-10: to the others a sealed bid may be any card of that hand, each equally likely."""
    state = play([3, 5], [9, 8, 4], [1, 2, 3])
    turn(state, 7)
    act(state, 1, 11)
    rng, times = np.random.default_rng(1), 13 * 400
    guesses = []
    for _ in range(times):
        world = core.view(GAME, state, 0)
        GAME.guess(world, rng)
        guesses.append(world.bid[1])
    assert set(guesses) == set(core.members(state.hand[1]))
    assert all(abs(guesses.count(card) - 400) < 5 * 400**0.5 for card in set(guesses))
