"""Mausgeflippt, clause by clause. The names T-F.. are the vectors of the rules; mice are M01 to M32 as there."""

import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from cheeseboard.games import GAMES, core
from cheeseboard.games.core import CLOCK, EMPTY, HIDDEN, LOT, LUCK, NOBODY, OVER
from cheeseboard.games.flippt import rules
from cheeseboard.games.flippt.rules import LET_GO, SHOUT
from cheeseboard.games.texts import LANGUAGES, texts

GAME = GAMES["flippt"]
LAW = {"FLIP-": 41, "T-F": 31}  # how far the numbers of clauses and examples go
DECK = rules.DECK
NAMES = [f"{colour} {kind['kind']}" for kind in DECK["garments"] for colour in kind["colours"]]
NUMBER = [number for kind in DECK["garments"] for number in kind["cards"]]
M04 = "brown trousers", "red shirt", "red jacket", "green hat"  # and Emmental
OPEN = "blue jacket", "blue scarf", "blue tie", "brown skirt", "green belt", "green shirt"  # which M04 does not wear


# --- to set up a situation ------------------------------------------------------------------------------------------


def cards_of(layers):
    """The names of the garments, with as many of each as there are."""
    return Counter({name: n for d, name in enumerate(NAMES) if (n := sum(layer >> d & 1 for layer in layers))})


def layers_of(names):
    """The garments as the record holds them."""
    number = Counter(names)
    return [sum(1 << d for d, name in enumerate(NAMES) if number[name] > copy) for copy in range(rules.COPIES)]


def drawable(names):
    """The single cards that are these garments, for the draw pile."""
    number, cards = Counter(names), 0
    copy: Counter[str] = Counter()
    for card, design in enumerate(rules.DESIGN):
        if copy[NAMES[design]] < number[NAMES[design]]:
            cards |= 1 << card
        copy[NAMES[design]] += 1
    return cards


def situation(*hands, mouse=4, cheese="brie", pile=None, draw=None, discard=(), under=None, cheeses=None, **options):
    """Mouse M04 lies open, turned by seat 0. A hand is what is named, filled up to seven with what M04 does not wear;
    `pile` mice that nobody has seen, or `under` those known in this order; `cheeses` is the rest of the cheese pile."""
    state = core.new(GAME, len(hands), **options)
    rest = Counter(dict(zip(NAMES, NUMBER, strict=True)))
    rest.subtract(name for hand in hands for name in hand)
    rest.subtract(discard)
    worn = set(DECK["mice"][mouse - 1]["wears"])
    for seat, hand in enumerate(hands):
        held = list(hand)
        while len(held) < 7:
            filler = next(name for name in NAMES if rest[name] > 0 and name not in worn and name not in held)
            rest[filler] -= 1
            held.append(filler)
        state.hand[seat], state.cards[seat] = layers_of(held), len(held)
    assert min(rest.values()) >= 0
    piled = list(rest.elements()) if draw is None else list(draw)
    state.draw, state.pile = drawable(piled), len(piled)
    state.discard = layers_of(discard)
    others = [m for m in range(32) if m != mouse - 1]
    if under is None:
        state.unknown = state.mice_left = 31 if pile is None else pile
        state.unseen = sum(1 << m for m in others[: state.unknown])
    else:
        state.unknown, state.mice_left, state.unseen = 0, len(under), 0
        state.under[: len(under)] = [m - 1 for m in under]
    state.shown, state.loose, state.turner, state.refills = mouse - 1, 1, 0, NOBODY
    state.cheese = DECK["cheeses"].index(cheese)
    left = [c for c in DECK["cheeses"] if c != cheese] if cheeses is None else cheeses
    state.unturned, state.cheese_left = sum(1 << DECK["cheeses"].index(c) for c in left), len(left)
    state.ready = (1 << len(hands)) - 1
    state.phase = rules.CHOOSE if state.calm else rules.RACE
    return state


def act(state, seat, action, viewer=NOBODY):
    """Apply a legal action; what the viewer is told of it."""
    assert GAME.legal(state, seat) >> action & 1, f"seat {seat} may not do {action}"
    events = core.events()
    GAME.apply(state, seat, action, events)
    return core.told(GAME, events, viewer)


def slap(state, seat, name, **more):
    return act(state, seat, NAMES.index(name), **more)


def shout(state, seat, **more):
    return act(state, seat, SHOUT, **more)


def close(state, **more):
    return act(state, CLOCK, 0, **more)


def luck(state, until=(rules.RACE, rules.CHOOSE, OVER), pick=min):
    """Let luck draw until the phase is one of these; the events."""
    told = []
    while state.phase not in until:
        told += act(state, LUCK, pick(core.members(GAME.legal(state, LUCK))))
    return told


def one_reaction(state, seat, action):
    """The seat reacts, alone and first; luck does its work. All that is told."""
    return [*act(state, seat, action), *close(state), *luck(state)]


def kinds(events):
    return [event.kind for event in events]


def held(state, seat):
    return cards_of(state.hand[seat])


def downs(state, seat):
    return [card for card in state.down[seat] if card != EMPTY]


def opening(seats, seed=0, **options):
    """A game up to its first mouse, with random luck."""
    chance = random.Random(seed)
    state = core.new(GAME, seats, **options)
    luck(state, pick=chance.choice)
    return state


# --- a whole game, with what must always hold ------------------------------------------------------------------------


def conserved(state):
    """FLIP-40, card by card: nothing is lost, nothing is there twice, and every number says what is there."""
    every = [*state.hand, state.discard, *state.laundry]
    assert all(upper & ~lower == 0 for layers in every for lower, upper in pairwise(layers))
    garments: Counter[str] = sum(map(cards_of, every), Counter())
    garments.update(NAMES[card] for cards in state.down for card in cards if card != EMPTY)
    garments.update(NAMES[rules.DESIGN[card]] for card in core.members(state.draw))
    assert garments == Counter(dict(zip(NAMES, NUMBER, strict=True)))
    assert state.cards == [cards_of(hand).total() for hand in state.hand]
    assert state.pile == core.count(state.draw)
    assert max(state.cards) <= 7

    known = state.mice_left - state.unknown
    ring = [state.under[(state.first + i) % 32] for i in range(32)]
    places = [*ring[:known], *core.members(state.unseen)]
    places += [state.shown] * state.loose
    places += [mouse for caught in state.caught for mouse in core.members(caught)]
    assert ring[known:] == [EMPTY] * (32 - known)
    assert len(set(places)) == len(places)
    assert set(places) <= set(range(32))
    assert state.mice_left + state.loose + sum(state.mice) == 32
    given_away = sum(state.mice) - sum(map(core.count, state.caught))
    assert core.count(state.unseen) - state.unknown + 32 - len(places) == given_away

    under = [cheese for cheese in state.cheese_under if cheese != EMPTY]
    cheeses = [*under, *core.members(state.unturned), *([state.cheese] if state.cheese != EMPTY else [])]
    assert state.cheese_left == len(under) + core.count(state.unturned)
    assert sorted([*cheeses, *(c for taken in state.cheeses for c in core.members(taken))]) == list(range(9))

    dirty = [cards_of(state.laundry[seat]).total() + len(downs(state, seat)) for seat in range(6)]
    taken = [core.count(cheeses) for cheeses in state.cheeses]
    assert state.scores == [m - d - 2 * c for m, d, c in zip(state.mice, dirty, taken, strict=True)]


def clever(state, seat, chance):
    """A reaction that is mostly right, with a slip now and then; the cheese is seen nearly always."""
    may = core.members(GAME.legal(state, seat))
    worn = rules.WEARS[state.shown]
    if chance.random() < 0.1:
        return chance.choice(may)
    if rules.CARRIES[state.shown] == state.cheese or chance.random() < 0.2:
        return LET_GO if LET_GO in may else may[0]
    fits = [card for card in may if card < SHOUT and worn >> card & 1]
    return fits[0] if fits else (SHOUT if SHOUT in may else may[-1])


def anything(state, seat, chance):
    return chance.choice(core.members(GAME.legal(state, seat)))


def random_game(seed, seats, choose=anything, check=lambda *_: None, **options):
    """Play to the end; `check` sees the state before and after each act, and what was told."""
    state, chance = core.new(GAME, seats, **options), random.Random(seed)
    while state.phase != OVER:
        waits = GAME.waiting(state)
        if waits == 1 << CLOCK:
            able = [seat for seat in range(seats) if GAME.legal(state, seat)]
            seat = chance.choice([*able, CLOCK])
        else:
            seat = chance.choice(core.members(waits))
        action = choose(state, seat, chance) if seat < 6 else anything(state, seat, chance)
        before = state.copy()
        check(before, state, act(state, seat, action))
    return state


MODES = [(seats, choose, calm) for seats in range(2, 7) for choose in (anything, clever) for calm in ("off", "on")]


@pytest.mark.parametrize(("seats", "choose", "calm"), MODES)
def test_no_card_is_lost(seats, choose, calm):
    """FLIP-40, T-F21: after every act of random and of clever games, race and calm, two to six players."""

    def check(_, state, __):
        conserved(state)

    random_game(seats, seats, choose, check, calm=calm)


def test_what_changes_and_what_does_not():
    """FLIP-19, FLIP-28, FLIP-33, FLIP-37, FLIP-39: laundry only grows, face-down cards count wrong shouts, the cheese
    changes only by being taken or swapped, and points move only by mice, laundry and cheese."""

    def check(before, after, told):
        for seat in range(after.seats):
            own = [event for event in told if event.seat == seat]
            laundry = cards_of(after.laundry[seat])
            assert not cards_of(before.laundry[seat]) - laundry
            new = laundry - cards_of(before.laundry[seat])
            assert new == Counter(NAMES[event.card] for event in own if event.kind == "dirty")
            assert len(downs(after, seat)) - len(downs(before, seat)) == kinds(own).count("covered") <= 1
            assert after.down[seat][: len(downs(before, seat))] == downs(before, seat)
            worth = {"caught": 1, "blind": 1, "dirty": -1, "covered": -1, "stuck": -2}
            assert after.scores[seat] - before.scores[seat] == sum(worth.get(event.kind, 0) for event in own)
            assert all(event.value == worth[event.kind] for event in own if event.kind in worth)
        if before.cheese not in (EMPTY, after.cheese):
            assert {"stuck", "swapped"} & set(kinds(told))

    for seed in range(6):
        random_game(seed, 2 + seed % 5, anything if seed % 2 else clever, check, calm="on" if seed > 3 else "off")


# --- set-up ---------------------------------------------------------------------------------------------------------


def test_players():
    """FLIP-01: two to six."""
    for seats in range(2, 7):
        assert core.new(GAME, seats).seats == seats
    for seats in (1, 7):
        with pytest.raises(core.Refusal, match="2 to 6"):
            core.new(GAME, seats)


def test_deck():
    """FLIP-02, FLIP-03, FLIP-04, T-F22: 13 kinds, 26 designs, 58 cards in unequal numbers; 32 mice with four garments
    each that exist; nine different cheeses on 4, 4, 4, 4, 4, 3, 3, 3, 3 mice."""
    assert len(DECK["garments"]) == len({kind["kind"] for kind in DECK["garments"]}) == 13
    assert all(len(set(kind["colours"])) == 2 for kind in DECK["garments"])
    assert (len(set(NAMES)), sum(NUMBER)) == (26, 58)
    assert sorted(Counter(NUMBER).items()) == [(2, 20), (3, 6)]
    assert len(DECK["mice"]) == 32
    assert len(DECK["cheeses"]) == len(set(DECK["cheeses"])) == 9
    assert sorted(Counter(mouse["cheese"] for mouse in DECK["mice"]).values()) == [3] * 4 + [4] * 5
    worn: Counter[str] = Counter()
    for mouse in DECK["mice"]:
        assert len(set(mouse["wears"])) == 4
        assert set(mouse["wears"]) <= set(NAMES)
        assert mouse["cheese"] in DECK["cheeses"]
        of = [name.split()[1] for name in mouse["wears"]]
        assert len(set(of)) == 4
        assert "dress" not in of or not {"trousers", "skirt", "shirt"} & set(of)
        assert "skirt" not in of or "trousers" not in of
        worn.update(mouse["wears"])
    assert all(worn[name] == {2: 4, 3: 8}[number] for name, number in zip(NAMES, NUMBER, strict=True))
    sets = [set(mouse["wears"]) for mouse in DECK["mice"]]
    assert all(len(one & other) <= 2 for i, one in enumerate(sets) for other in sets[:i])


def test_rules_follow_the_deck():
    """FLIP-02, FLIP-03: the tables of the rules are the data, and M04 is dressed as in the vectors."""
    assert [list(rules.DESIGN).count(d) for d in range(26)] == NUMBER
    for mouse, wears, carries in zip(DECK["mice"], rules.WEARS, rules.CARRIES, strict=True):
        assert {NAMES[d] for d in core.members(int(wears))} == set(mouse["wears"])
        assert DECK["cheeses"][carries] == mouse["cheese"]
    assert tuple(DECK["mice"][3]["wears"]) == M04
    assert DECK["mice"][3]["cheese"] == "emmental"
    assert not set(M04) & set(OPEN)


def test_actions():
    """The public numbering: 0-25 the designs in the order of game.toml, 26 the shout, 27 to let it go."""
    assert (SHOUT, LET_GO) == (26, 27)
    assert NAMES[:3] == ["blue trousers", "brown trousers", "yellow shoes"]
    assert GAME.ACTIONS >= 58


def test_deal():
    """FLIP-05: seven cards each, every card as likely as any other; each sees only its own; the rest is the pile."""
    state = core.new(GAME, 3)
    for n in range(21):
        assert GAME.waiting(state) == 1 << LUCK
        assert core.count(GAME.legal(state, LUCK)) == 58 - n
        assert not any(GAME.legal(state, seat) for seat in range(3))
        copy, card = state.copy(), core.members(GAME.legal(state, LUCK))[n]
        for viewer in (NOBODY, 0, 1, 2):
            (event, *_) = act(copy.copy(), LUCK, card, viewer)
            own = viewer == n // 7
            assert (event.kind, event.seat) == ("dealt", n // 7)
            assert event.card == (rules.DESIGN[card] if own else HIDDEN)
        act(state, LUCK, card)
    assert state.cards == [7, 7, 7, 0, 0, 0]
    assert state.pile == 58 - 21
    assert [cards_of(hand).total() for hand in state.hand] == state.cards


def test_piles():
    """FLIP-06, FLIP-07: any cheese may be the first, then any mouse, all equally likely."""
    state = core.new(GAME, 2)
    luck(state, (rules.CHEESE,))
    assert GAME.legal(state, LUCK) == (1 << 9) - 1
    events = act(state, LUCK, 5)
    assert [(event.kind, event.card) for event in events] == [("cheese", 5)]
    assert (state.cheese, state.cheese_left) == (5, 8)
    luck(state, (rules.TURN,))
    assert GAME.legal(state, LUCK) == (1 << 32) - 1
    assert {core.odds(GAME, state, mouse) for mouse in range(32)} == {1}
    assert state.mice_left == 32


def test_who_begins():
    """FLIP-08: by lot, and everybody is shown the mouse at the same time."""
    state = core.new(GAME, 4)
    luck(state, (LOT,))
    assert GAME.legal(state, LUCK) == 0b1111
    events = act(state, LUCK, 2)
    assert [(event.kind, event.seat) for event in events] == [("begins", 2)]
    for viewer in (NOBODY, 0, 3):
        events = act(state.copy(), LUCK, 30, viewer)
        assert [(e.kind, e.seat, e.card, e.clause) for e in events] == [("turned", 2, 30, "FLIP-08")]
    act(state, LUCK, 30)
    assert (state.shown, state.mice_left, state.turner) == (30, 31, 2)
    assert GAME.waiting(state) == 1 << CLOCK


# --- reacting -------------------------------------------------------------------------------------------------------


def test_everybody_may_react():
    """FLIP-09, FLIP-11, FLIP-12: a garment of the hand, the shout, or nothing; all at once, in no order."""
    state = situation(M04[:1], ["blue jacket", "blue jacket"], [])
    for seat in range(3):
        may = set(core.members(GAME.legal(state, seat)))
        assert may == {NAMES.index(name) for name in held(state, seat)} | {SHOUT, LET_GO}
    assert GAME.waiting(state) == 1 << CLOCK
    assert GAME.legal(state, CLOCK) == 1
    act(state, 2, LET_GO)
    act(state, 0, SHOUT)
    assert GAME.legal(state, 1) >> NAMES.index("blue jacket") & 1


@pytest.mark.parametrize("name", NAMES)
def test_what_fits(name):
    """FLIP-10, FLIP-15, FLIP-16, T-F02, T-F03, T-F04: kind and colour must be on the mouse, for every garment."""
    state = situation([name], [])
    others = held(state, 0) - Counter([name])
    told = one_reaction(state, 0, NAMES.index(name))
    assert "slapped" in kinds(told)
    if name in M04:
        assert (state.mice[0], state.scores[0], state.caught[0]) == (1, 1, 1 << 3)
        assert cards_of(state.discard) == Counter([name])
        assert not cards_of(state.laundry[0])
        assert state.mice_left + state.loose == 31
    else:
        assert (state.mice[0], state.scores[0]) == (0, -1)
        assert cards_of(state.laundry[0]) == Counter([name])
        assert not cards_of(state.discard)
        assert state.under[0] == 3
        assert state.mice_left + state.loose == 32
    assert state.cards[0] == 7
    assert held(state, 0) >= others
    assert kinds(told).count("drew") == 1
    assert state.turner == 0
    conserved(state)


def test_hit():
    """FLIP-15, FLIP-29, T-F02: the whole story of a good slap, told."""
    state = situation([], ["red jacket"])
    slap(state, 1, "red jacket")
    told = [*close(state), *luck(state)]
    assert [(e.kind, e.seat, e.clause) for e in told] == [
        ("slapped", 1, "FLIP-11"),
        ("caught", 1, "FLIP-15"),
        ("drew", 1, "FLIP-32"),
        ("turned", 1, "FLIP-29"),
    ]
    assert state.last == NAMES.index("red jacket")


def test_miss():
    """FLIP-16, FLIP-29, T-F03, T-F04: right kind in the wrong colour."""
    for wrong in ("blue jacket", "green shirt"):
        state = situation([], [wrong])
        slap(state, 1, wrong)
        told = [*close(state), *luck(state)]
        assert [(e.kind, e.seat, e.clause) for e in told] == [
            ("slapped", 1, "FLIP-11"),
            ("dirty", 1, "FLIP-16"),
            ("under", NOBODY, "FLIP-16"),
            ("drew", 1, "FLIP-32"),
            ("turned", 1, "FLIP-29"),
        ]
        assert state.scores[:2] == [0, -1]
        assert state.under[0] == 3


def test_only_the_fastest():
    """FLIP-13, T-F13: the first paw closes the mouse; who is slower cannot even play and keeps the cards."""
    state = situation(["blue jacket"], ["red jacket"])
    slap(state, 0, "blue jacket")
    close(state)
    assert GAME.legal(state, 1) == 0
    luck(state)
    assert state.scores[:2] == [-1, 0]
    assert held(state, 1)["red jacket"] == 1
    assert state.under[0] == 3


def test_one_reaction_each():
    """FLIP-14: nobody reacts twice to a mouse, nor after letting it go; with the next mouse all may again."""
    state = situation(M04[:2], [], [])
    slap(state, 0, M04[0])
    act(state, 1, LET_GO)
    assert GAME.legal(state, 0) == GAME.legal(state, 1) == 0
    assert GAME.legal(state, 2)
    close(state)
    luck(state)
    assert all(GAME.legal(state, seat) for seat in range(3))


def test_closes_when_all_have_acted():
    """FLIP-09: then nothing can come any more, and no clock is needed."""
    state = situation(M04[:1], [])
    act(state, 1, LET_GO)
    slap(state, 0, M04[0])
    assert state.phase == rules.REFILL
    state = situation(M04[:1], [])
    act(state, 1, LET_GO)
    assert "walked" in kinds(act(state, 0, LET_GO))


def test_good_shout():
    """FLIP-17, T-F05: nothing fits, so the mouse is caught; the hand stays, nothing is discarded or drawn."""
    state = situation(OPEN, [])
    before = held(state, 0)
    told = one_reaction(state, 0, SHOUT)
    assert (state.mice[0], state.scores[0]) == (1, 1)
    assert held(state, 0) == before
    assert not cards_of(state.discard)
    assert [(e.kind, e.clause) for e in told if e.kind == "caught"] == [("caught", "FLIP-17")]
    assert not {"drew", "short"} & set(kinds(told))
    assert state.turner == 0


def test_good_shout_does_not_fill_a_short_hand():
    """FLIP-17: also with fewer than seven cards nothing is drawn."""
    state = situation([], [])
    state.hand[0], state.cards[0] = layers_of(["blue jacket", "green shirt"]), 2
    one_reaction(state, 0, SHOUT)
    assert (state.mice[0], state.cards[0]) == (1, 2)


def test_bad_shout():
    """FLIP-18, FLIP-19, T-F06: all that fits is laundry, each copy of it, one face down; draw to seven."""
    state = situation(["red shirt", "red shirt", "green hat", *OPEN[:4]], [])
    told = one_reaction(state, 0, SHOUT)
    assert state.scores[0] == -3
    assert len(downs(state, 0)) == 1
    face_up = cards_of(state.laundry[0])
    assert face_up + Counter(NAMES[card] for card in downs(state, 0)) == Counter(
        ["red shirt", "red shirt", "green hat"]
    )
    assert face_up.total() == 2
    assert kinds(told).count("drew") == 3
    assert state.cards[0] == 7
    assert not held(state, 0)["green hat"] or "green hat" in [NAMES[e.card] for e in told if e.kind == "drew"]
    assert held(state, 0) >= Counter(OPEN[:4])
    assert state.under[0] == 3
    assert ("under", "FLIP-18") in [(e.kind, e.clause) for e in told]
    conserved(state)


def test_bad_shout_with_one_card():
    """FLIP-18, T-F07: one that fits lies face down; one card is drawn."""
    state = situation(["red jacket"], [])
    told = one_reaction(state, 0, SHOUT)
    assert downs(state, 0) == [NAMES.index("red jacket")]
    assert not cards_of(state.laundry[0])
    assert kinds(told).count("drew") == 1
    assert state.scores[0] == -1


def test_three_wrong_shouts():
    """FLIP-19, FLIP-20, T-F08: then the shout is gone, but not the single card; the others keep theirs."""
    state = situation(["red jacket"], [])
    for n in range(3):
        assert GAME.legal(state, 0) >> SHOUT & 1
        assert len(downs(state, 0)) == n
        state.shown, state.hand[0] = 3, layers_of(["red jacket", *OPEN[:6]])
        one_reaction(state, 0, SHOUT)
    assert len(downs(state, 0)) == 3
    assert not GAME.legal(state, 0) >> SHOUT & 1
    assert GAME.legal(state, 1) >> SHOUT & 1
    scores = list(state.scores)
    card = min(core.members(GAME.legal(state, 0)))
    assert card < SHOUT
    one_reaction(state, 0, card)
    assert state.scores != scores
    assert not GAME.legal(state, 0) >> SHOUT & 1


# --- cheese ---------------------------------------------------------------------------------------------------------


def test_protected():
    """FLIP-21, FLIP-22, FLIP-23, FLIP-26, T-F09: the cheese instead of the mouse; the garment is discarded."""
    for name in ("red jacket", "blue jacket"):
        state = situation([], [name], cheese="emmental")
        told = [*slap(state, 1, name), *close(state), *luck(state)]
        assert (state.mice[1], state.scores[1]) == (0, -2)
        assert state.cheeses[1] == 1 << DECK["cheeses"].index("emmental")
        assert (state.cheese, state.cheese_left) == (1, 7)  # luck turned the lowest that is left
        assert state.under[0] == 3
        assert cards_of(state.discard) == Counter([name])
        assert not cards_of(state.laundry[1])
        assert state.cards[1] == 7
        assert [e.kind for e in told if e.kind in ("stuck", "under", "cheese", "drew", "turned")] == [
            "stuck",
            "under",
            "cheese",
            "drew",
            "turned",
        ]
        assert state.turner == 1
        conserved(state)


def test_every_mouse_is_protected_by_its_own_cheese_only():
    """FLIP-21: for all mice and all cheeses."""
    for mouse, card in enumerate(DECK["mice"]):
        for cheese in DECK["cheeses"]:
            state = situation([card["wears"][0]], [], mouse=mouse + 1, cheese=cheese)
            slap(state, 0, card["wears"][0])
            close(state)
            assert state.scores[0] == (-2 if cheese == card["cheese"] else 1)


def test_shout_at_a_protected_mouse():
    """FLIP-24, FLIP-25, FLIP-26, T-F10: the cheese, and what fits is laundry, one card of it face down; draw two."""
    state = situation(["red jacket", "green hat"], [], cheese="emmental")
    told = one_reaction(state, 0, SHOUT)
    assert state.scores[0] == -4
    assert len(downs(state, 0)) == 1
    assert cards_of(state.laundry[0]).total() == 1
    assert kinds(told).count("drew") == 2
    assert state.under[0] == 3
    assert [(e.kind, e.clause) for e in told if e.kind in ("covered", "stuck")] == [
        ("covered", "FLIP-25"),
        ("stuck", "FLIP-24"),
    ]
    conserved(state)


def test_shout_at_a_protected_mouse_with_nothing_that_fits():
    """FLIP-24, FLIP-25, T-F11: only the cheese; the hand comes back, nothing is drawn, it is no wrong shout."""
    state = situation([], [], cheese="emmental")
    before = held(state, 0)
    told = one_reaction(state, 0, SHOUT)
    assert state.scores[0] == -2
    assert not downs(state, 0)
    assert held(state, 0) == before
    assert "drew" not in kinds(told)


def test_third_wrong_shout_at_a_protected_mouse():
    """FLIP-20, FLIP-25: it counts as well."""
    state = situation(["red jacket"], [], cheese="emmental")
    state.down[0][:2] = [0, 0]
    one_reaction(state, 0, SHOUT)
    assert not GAME.legal(state, 0) >> SHOUT & 1


def test_nobody_reacts():
    """FLIP-27, FLIP-30, T-F12: under the pile, the cheese stays, the same player turns again."""
    state = situation([], [], [], cheese="emmental")
    state.turner = 2
    told = [*close(state), *luck(state)]
    assert state.under[0] == 3
    assert state.cheese == 0
    assert state.cheese_left == 8
    assert [(e.kind, e.seat, e.clause) for e in told] == [("walked", NOBODY, "FLIP-27"), ("turned", 2, "FLIP-30")]
    assert state.scores == [0] * 6


def test_cheese_stays():
    """FLIP-28: neither a catch nor a miss nor a mouse nobody wants changes it."""
    for action in (NAMES.index("red jacket"), NAMES.index("blue jacket"), SHOUT, LET_GO):
        state = situation(["red jacket", "blue jacket"], [])
        one_reaction(state, 0, action)
        assert (DECK["cheeses"][state.cheese], state.cheese_left) == ("brie", 8)


def test_who_turns():
    """FLIP-29: whoever got a mouse, laundry or a cheese."""
    for action in (NAMES.index("red jacket"), NAMES.index("blue jacket"), SHOUT):
        for cheese in ("brie", "emmental"):
            state = situation([], [], ["red jacket", "blue jacket"], cheese=cheese)
            one_reaction(state, 2, action)
            assert state.turner == 2


# --- drawing --------------------------------------------------------------------------------------------------------


def test_reshuffle():
    """FLIP-31, T-F18: draw pile 0, discard 5, two cards needed: the five are shuffled, two drawn, three remain."""
    five = ["blue trousers", "blue trousers", "yellow shoes", "blue tie", "red hat"]
    state = situation(["red jacket", "green hat"], [], draw=[], discard=five)
    shout(state, 0)
    told = close(state)
    assert [(e.kind, e.value, e.clause) for e in told if e.kind == "shuffled"] == [("shuffled", 5, "FLIP-31")]
    assert Counter(NAMES[rules.DESIGN[card]] for card in core.members(GAME.legal(state, LUCK))) == Counter(five)
    luck(state)
    assert (state.cards[0], state.pile) == (7, 3)
    assert not cards_of(state.discard)


def test_the_card_just_played_is_shuffled_too():
    """FLIP-31: with an empty draw pile one draws one's own card again."""
    state = situation(["red jacket"], [], draw=[], discard=[])
    slap(state, 0, "red jacket")
    told = [*close(state), *luck(state)]
    assert ("shuffled", 1) in [(e.kind, e.value) for e in told]
    assert held(state, 0)["red jacket"] == 1
    assert (state.pile, state.cards[0]) == (0, 7)


def test_no_reshuffle_before_it_is_needed():
    """FLIP-31: the pile may run empty and stay so."""
    state = situation(["red jacket"], [], draw=["blue tie"], discard=["blue trousers"])
    slap(state, 0, "red jacket")
    told = [*close(state), *luck(state)]
    assert "shuffled" not in kinds(told)
    assert state.pile == 0
    assert cards_of(state.discard) == Counter(["blue trousers", "red jacket"])


def test_short_hand():
    """FLIP-32, T-F19: draw pile 1, discard 0, three cards needed: one is drawn, the hand stays at five; the next
    refill fills it up."""
    state = situation(["red jacket", "green hat", "red shirt"], [], draw=["blue tie"], discard=[])
    told = one_reaction(state, 0, SHOUT)
    assert [e.kind for e in told if e.kind in ("drew", "short")] == ["drew", "short"]
    assert (state.cards[0], state.pile) == (5, 0)
    state.draw, state.pile = drawable(["brown belt", "red hat", "red hat", "green ring"]), 4
    one_reaction(state, 0, min(core.members(GAME.legal(state, 0))))
    assert state.cards[0] == 7


def test_empty_hand():
    """FLIP-32: no cards, no reaction, not even a shout; the others play on, and do not wait."""
    state = situation(M04[:1], [])
    state.hand[1], state.cards[1], state.ready = [0, 0, 0], 0, 1
    assert GAME.legal(state, 1) == 0
    act(state, 0, LET_GO)
    assert state.phase == rules.TURN
    luck(state)
    assert GAME.legal(state, 1) == 0
    calm = situation(M04[:1], [], calm="on")
    calm.hand[1], calm.cards[1], calm.ready = [0, 0, 0], 0, 1
    assert GAME.waiting(calm) == 1
    assert GAME.legal(calm, 1) == 0


@pytest.mark.parametrize("calm", ["off", "on"])
def test_nobody_has_cards(calm):
    """FLIP-32, FLIP-41: then the clock walks the mice off until the game ends."""
    state = situation([], [], calm=calm, under=[1, 5])
    for seat in range(2):
        state.hand[seat], state.cards[seat] = [0, 0, 0], 0
    state.ready = 0
    for n in range(8):
        assert state.phase != OVER, n
        assert GAME.waiting(state) == 1 << CLOCK
        close(state)
    assert state.phase == OVER


def test_a_short_hand_may_shout():
    """FLIP-12: with one card or more."""
    state = situation([], [])
    state.hand[0], state.cards[0] = layers_of(["blue jacket"]), 1
    assert GAME.legal(state, 0) >> SHOUT & 1


# --- dead heats -----------------------------------------------------------------------------------------------------


def test_dead_heat():
    """FLIP-34, T-F14: both right: the earlier gets the shown mouse, the other one of the pile unseen; both refill."""
    state = situation(["red jacket"], ["green hat"])
    slap(state, 1, "green hat")
    told = [*slap(state, 0, "red jacket"), *luck(state)]  # all have acted: no clock needed
    assert [(e.kind, e.seat, e.card) for e in told if e.kind in ("caught", "blind")] == [
        ("caught", 1, 3),
        ("blind", 0, EMPTY),
    ]
    assert state.mice[:2] == state.scores[:2] == [1, 1]
    assert state.caught[:2] == [0, 1 << 3]
    assert state.cards[:2] == [7, 7]
    assert state.mice_left + state.loose == 30
    assert core.count(state.unseen) == 30  # the mouse given away is still among those nobody has seen
    assert (state.unknown, state.turner) == (29, 1)
    assert [e.seat for e in told if e.kind == "reached"] == [1, 0]
    conserved(state)


def test_dead_heat_with_the_pile_known():
    """FLIP-34: have all mice been seen, the uppermost of the known ones is given away."""
    state = situation(["red jacket"], ["green hat"], under=[7, 9, 11])
    slap(state, 0, "red jacket")
    slap(state, 1, "green hat")
    told = luck(state)
    assert told[-1].kind == "turned"
    assert state.shown == 9 - 1
    assert state.mice[:2] == [1, 1]
    assert state.mice_left == 1


def test_dead_heat_with_an_empty_pile():
    """FLIP-34, T-F15: only the first gets a mouse; the other takes the card back; the game ends."""
    state = situation(["red jacket"], ["green hat"], pile=0)
    before = held(state, 1)
    slap(state, 0, "red jacket")
    told = slap(state, 1, "green hat")
    assert state.phase == OVER
    assert state.mice[:2] == state.scores[:2] == [1, 0]
    assert held(state, 1) == before
    assert [(e.kind, e.seat, e.clause) for e in told if e.kind == "late"] == [("late", 1, "FLIP-34")]
    assert "drew" not in kinds(told)


def test_three_in_a_dead_heat():
    """FLIP-34, T-F27: the first the shown mouse, the others one each from the pile in their order."""
    state = situation(["red jacket"], ["green hat"], ["red shirt"], under=[7, 9, 11])
    for seat, name in ((2, "red shirt"), (0, "red jacket"), (1, "green hat")):
        told = slap(state, seat, name)
    told += luck(state)
    assert [(e.kind, e.seat) for e in told if e.kind in ("caught", "blind")] == [
        ("caught", 2),
        ("blind", 0),
        ("blind", 1),
    ]
    assert state.scores[:3] == [1, 1, 1]
    assert (state.shown, state.turner) == (11 - 1, 2)


def test_three_in_a_dead_heat_and_one_mouse():
    """FLIP-34, FLIP-35, T-F27: while there are any; then all 32 are caught and the game ends."""
    state = situation(["red jacket"], ["green hat"], ["red shirt"], pile=1)
    slap(state, 0, "red jacket")
    slap(state, 1, "green hat")
    told = slap(state, 2, "red shirt")
    assert state.phase == OVER
    assert state.mice[:3] == [1, 1, 0]
    assert cards_of(state.discard) == Counter(["red jacket", "green hat"])
    assert "drew" not in kinds(told)


def test_wrong_and_right_in_a_dead_heat():
    """FLIP-34, T-F28: laundry for the first, a catch for the second; the mouse does not go under the pile."""
    state = situation(["blue jacket"], ["green hat"])
    slap(state, 0, "blue jacket")
    told = [*slap(state, 1, "green hat"), *luck(state)]
    assert state.scores[:2] == [-1, 1]
    assert state.caught[1] == 1 << 3
    assert "under" not in kinds(told)
    assert state.mice_left + state.loose == 31
    assert state.turner == 0
    assert kinds(told).count("drew") == 2
    conserved(state)


def test_two_wrong_in_a_dead_heat():
    """FLIP-34, T-F29: laundry for both, the mouse goes under once, the earlier turns next."""
    state = situation(["blue jacket"], ["green shirt"], [])
    slap(state, 1, "green shirt")
    slap(state, 0, "blue jacket")
    told = [*close(state), *luck(state)]
    assert state.scores[:3] == [-1, -1, 0]
    assert kinds(told).count("under") == 1
    assert state.under[:2] == [3, EMPTY]
    assert state.mice_left + state.loose == 32
    assert state.turner == 1


def test_dead_heat_on_a_protected_mouse():
    """FLIP-22, FLIP-34, T-F30: only the earlier takes the cheese; the other takes the card back, unseen."""
    state = situation(["red jacket"], ["green hat"], cheese="emmental")
    before = held(state, 0)
    slap(state, 1, "green hat")
    told = [*slap(state, 0, "red jacket"), *luck(state)]
    assert state.scores[:2] == [0, -2]
    assert held(state, 0) == before
    assert [(e.kind, e.seat) for e in told if e.kind in ("late", "slapped")] == [("slapped", 1), ("late", 0)]
    assert kinds(told).count("stuck") == kinds(told).count("cheese") == 1
    assert state.turner == 1


def test_each_reaction_is_finished_first():
    """FLIP-34: laundry, discard and refill of the first before the second; so its card can be drawn by the second."""
    state = situation(["red jacket"], ["green hat"], draw=["blue tie"], discard=[])
    slap(state, 0, "red jacket")
    slap(state, 1, "green hat")
    assert state.refills == 0
    assert GAME.legal(state, LUCK) == drawable(["blue tie"])
    assert state.hand[1][0] >> NAMES.index("green hat") & 1
    luck(state, (rules.TURN,), pick=max)
    assert {"blue tie"} <= set(held(state, 0))
    assert {"red jacket", "green hat"} & set(held(state, 1))


def test_shouts_and_slaps_in_a_dead_heat():
    """FLIP-17, FLIP-18, FLIP-34: a shout is as good as a card; a wrong one counts its own hand."""
    state = situation([], ["green hat", "red jacket"], ["red shirt"], pile=5)
    shout(state, 0)
    shout(state, 1)
    slap(state, 2, "red shirt")
    told = luck(state)
    assert state.scores[:3] == [1, -2, 1]
    assert state.caught[0] == 1 << 3
    assert state.mice[:3] == [1, 0, 1]
    assert kinds(told).count("drew") == 3


# --- the end --------------------------------------------------------------------------------------------------------


def test_last_mouse():
    """FLIP-35, T-F17: 31 caught, the last one is caught: the end at once, nobody refills."""
    state = situation(["red jacket"], [], pile=0)
    state.mice[:2] = [15, 16]
    state.scores[:2] = [15, 16]
    slap(state, 0, "red jacket")
    told = close(state)
    assert state.phase == OVER
    assert GAME.waiting(state) == 0
    assert state.cards[0] == 6
    assert [(e.seat, e.value, e.clause) for e in told if e.kind == "won"] == [(0, 16, "FLIP-39"), (1, 16, "FLIP-39")]


def test_last_mouse_missed():
    """FLIP-16, FLIP-35: it goes under the empty pile and comes up again."""
    state = situation(["blue jacket"], [], pile=0)
    one_reaction(state, 0, NAMES.index("blue jacket"))
    assert (state.shown, state.mice_left, state.loose) == (3, 0, 1)


@pytest.mark.parametrize("wrong_first", [True, False])
def test_last_mouse_with_a_wrong_reaction(wrong_first):
    """FLIP-34, FLIP-35: every reaction of the dead heat is settled, then the game ends; nobody refills."""
    state = situation(["blue jacket"], ["green hat"], pile=0)
    for seat, name in sorted(((0, "blue jacket"), (1, "green hat")), reverse=not wrong_first):
        slap(state, seat, name)
    assert state.phase == OVER
    assert state.scores[:2] == [-1, 1]
    assert state.cards[:2] == [6, 6]


def test_last_cheese():
    """FLIP-36, T-F16: the ninth cheese is taken: the end at once, no new cheese, nobody refills."""
    state = situation(["red jacket"], [], cheese="emmental", cheeses=[])
    slap(state, 0, "red jacket")
    told = close(state)
    assert state.phase == OVER
    assert state.scores[0] == -2
    assert state.cards[0] == 6
    assert "cheese" not in kinds(told)
    assert [e.seat for e in told if e.kind == "won"] == [1]


def test_last_cheese_by_a_shout():
    """FLIP-24, FLIP-36, T-F31: the laundry still counts; game over; nobody refills."""
    state = situation(["red jacket", "green hat"], [], cheese="emmental", cheeses=[])
    shout(state, 0)
    close(state)
    assert state.phase == OVER
    assert state.scores[0] == -4
    assert len(downs(state, 0)) == cards_of(state.laundry[0]).total() == 1
    assert state.cards[0] == 5


def test_score():
    """FLIP-37, T-F01: ten mice, three dirty clothes, one cheese: 5."""
    state = situation(["red jacket", "green hat"], [], pile=20)
    state.mice[0], state.scores[0] = 10, 10
    one_reaction(state, 0, SHOUT)  # two, one face down
    wrong = next(iter(core.members(GAME.legal(state, 0) & ~int(rules.WEARS[state.shown]))))
    one_reaction(state, 0, wrong)
    assert state.scores[0] == 7
    state.cheese = int(rules.CARRIES[state.shown])
    one_reaction(state, 0, min(core.members(GAME.legal(state, 0))))
    assert state.scores[0] == 5


def test_ranking():
    """FLIP-38, FLIP-39, T-F20: points, then mice, then together; also with points below zero."""

    def place(scores, mice):
        state = core.new(GAME, len(scores))
        state.scores[: len(scores)], state.mice[: len(mice)] = scores, mice
        return list(GAME.rank(state))

    assert place([6, 6, 4], [8, 7, 30]) == [1, 2, 3]
    assert place([6, 6, 4], [7, 7, 4]) == [1, 1, 3]
    assert place([-3, -4], [0, 31]) == [1, 2]
    assert place([0, 1, 1, 0], [5, 2, 3, 5]) == [3, 2, 1, 3]


# --- when nobody wants what is left -----------------------------------------------------------------------------------


def silent(state):
    """Nobody reacts; what is told, up to the next mouse."""
    return [*close(state), *luck(state)]


EMMENTALS = [1, 2, 3]  # with M04 all four mice that carry Emmental


def test_all_protected():
    """FLIP-41, FLIP-28, T-F23: the fourth silent turn swaps the cheese; then eight more end the game."""
    state = situation([], [], cheese="emmental", under=EMMENTALS)
    for _ in range(3):
        assert "swapped" not in kinds(silent(state))
        assert DECK["cheeses"][state.cheese] == "emmental"
    told = silent(state)
    assert [(e.kind, e.clause) for e in told if e.kind in ("swapped", "cheese")] == [
        ("swapped", "FLIP-41"),
        ("cheese", "FLIP-41"),
    ]
    assert DECK["cheeses"][state.cheese] == "gouda"
    assert (state.cheese_left, state.cheese_under[0], state.silent) == (8, 0, 0)
    for n in range(8):
        assert state.phase != OVER, n
        told = silent(state)
    assert state.phase == OVER
    assert [(e.kind, e.value) for e in told if e.kind == "stalled"] == [("stalled", 4)]
    assert "won" in kinds(told)


def test_a_reaction_begins_the_count_anew():
    """FLIP-41, T-F24: a reaction after the third silent turn, even one that only costs; then eight more are silent."""
    state = situation([], [], cheese="emmental", under=EMMENTALS)
    for _ in range(3):
        silent(state)
    assert state.silent == 3
    told = one_reaction(state, 1, min(core.members(GAME.legal(state, 1))))
    assert "stuck" in kinds(told)
    assert state.silent == 0
    for n in range(8):
        assert state.phase != OVER, n
        assert "swapped" not in kinds(silent(state))
    assert state.phase == OVER


def test_all_protected_and_no_other_cheese():
    """FLIP-41, T-F25: the fourth silent turn ends the game."""
    state = situation([], [], cheese="emmental", under=EMMENTALS, cheeses=[])
    for _ in range(3):
        silent(state)
    assert state.phase != OVER
    told = silent(state)
    assert state.phase == OVER
    assert "swapped" not in kinds(told)
    assert {"stalled", "won"} <= set(kinds(told))


def test_one_open_mouse_left():
    """FLIP-41, T-F26: eight silent turns, not fewer."""
    state = situation([], [], under=[])
    for _ in range(7):
        silent(state)
        assert state.phase != OVER
        assert state.shown == 3
    silent(state)
    assert state.phase == OVER


def test_one_protected_mouse_left():
    """FLIP-41: the first silent turn already swaps the cheese, and the swapped cheeses come up again in their order."""
    state = situation([], [], cheese="emmental", under=[], cheeses=["gouda"])
    assert "swapped" in kinds(silent(state))
    assert DECK["cheeses"][state.cheese] == "gouda"
    assert state.cheese_under[:2] == [0, EMPTY]
    state = situation([], [], cheese="emmental", under=[], cheeses=[])
    state.cheese_under[:2], state.cheese_left = [4, 7], 2
    told = close(state)  # no luck: this pile is known
    assert state.cheese == 4
    assert state.cheese_under[:3] == [7, 0, EMPTY]
    assert ("cheese", 4) in [(e.kind, e.card) for e in told]


def test_twice_around():
    """FLIP-41: some open, some protected: twice the number of mice left, the one just refused among them."""
    state = situation([], [], cheese="emmental", under=[1, 2, 3, 5, 6])
    for n in range(12):
        assert state.phase != OVER, n
        silent(state)
    assert state.phase == OVER
    fresh = situation([], [])
    for n in range(64):
        assert fresh.phase != OVER, n
        assert fresh.cheese == 3
        silent(fresh)
    assert fresh.phase == OVER


def test_mice_come_back_in_their_order():
    """FLIP-16, FLIP-27: what went under the pile comes up again as it lies, without luck."""
    state = situation([], [], under=[7, 9])
    seen = []
    for _ in range(6):
        seen.append(state.shown + 1)
        close(state)
    assert seen == [4, 7, 9, 4, 7, 9]


# --- calm mode ------------------------------------------------------------------------------------------------------


def test_calm():
    """FLIP-09, FLIP-13: all choose in secret and may change it; the lot says whose choice counts; no dead heat."""
    state = situation(["red jacket"], ["green hat"], ["blue jacket"], calm="on")
    assert GAME.waiting(state) == 0b111
    assert GAME.legal(state, CLOCK) == 0
    slap(state, 0, "red jacket")
    assert GAME.waiting(state) == 0b110
    assert not GAME.legal(state, 0) >> NAMES.index("red jacket") & 1
    act(state, 0, LET_GO)
    slap(state, 0, "red jacket")
    assert state.order[:2] == [0, EMPTY]
    slap(state, 1, "green hat")
    told = slap(state, 2, "blue jacket")
    assert [e.seat for e in told if e.kind == "reached"] == [0, 1, 2]
    assert state.phase == LOT
    assert GAME.legal(state, LUCK) == 0b111
    before = held(state, 0), held(state, 2)
    told = [*act(state, LUCK, 1), *luck(state)]
    assert state.scores[:3] == [0, 1, 0]
    assert state.turner == 1
    assert (held(state, 0), held(state, 2)) == before
    assert [(e.kind, e.seat) for e in told if e.kind in ("chosen", "late")] == [("chosen", 1), ("late", 0), ("late", 2)]


def test_calm_and_one_reaction():
    """FLIP-13: only one reacts: no lot."""
    state = situation(["red jacket"], [], calm="on")
    slap(state, 0, "red jacket")
    told = act(state, 1, LET_GO)
    assert state.phase == rules.REFILL
    assert state.scores[0] == 1
    assert not {"reached", "chosen"} & set(kinds(told))


def test_calm_and_no_reaction():
    """FLIP-27: all let it go."""
    state = situation([], [], calm="on")
    act(state, 0, LET_GO)
    assert "walked" in kinds(act(state, 1, LET_GO))


# --- an independent referee -------------------------------------------------------------------------------------------


def verdict(hands, mouse, cheese, mice, order, deeds, draws):
    """The rulings on dead heats, written down once more: points, laundry, discards, mice left, who turns."""
    score: Counter[int] = Counter()
    laundry: Counter[str] = Counter()
    discard: Counter[str] = Counter()
    worn = set(mouse["wears"])
    shown = True
    if mouse["cheese"] == cheese:
        order = order[:1]
    right = {seat: (not worn & set(hands[seat])) if deeds[seat] == "shout" else deeds[seat] in worn for seat in order}
    ends = mouse["cheese"] != cheese and sum(right.values()) > mice
    for seat in order:
        fits = Counter({name: n for name, n in hands[seat].items() if name in worn})
        out = fits if deeds[seat] == "shout" else Counter([deeds[seat]])
        refill = True
        if mouse["cheese"] == cheese:
            score[seat] -= 2
            if deeds[seat] == "shout":
                score[seat] -= fits.total()
                laundry += fits
            else:
                discard += out
        elif right[seat]:
            if not shown and mice == 0:
                continue
            mice -= not shown
            shown = False
            score[seat] += 1
            refill = deeds[seat] != "shout"
            discard += out
        else:
            score[seat] -= out.total()
            laundry += out
        hands[seat] = hands[seat] - out
        if refill and not ends:
            while hands[seat].total() < 7 and draws.get(seat):
                hands[seat][draws[seat].pop(0)] += 1
    return score, laundry, discard, mice + (shown or mouse["cheese"] == cheese), order[0]


def test_against_an_independent_referee():
    """FLIP-13, FLIP-15, FLIP-16, FLIP-17, FLIP-18, FLIP-22, FLIP-24, FLIP-34: many dead heats of all kinds."""
    chance = random.Random(4)
    for _ in range(300):
        seats = chance.randint(2, 5)
        state = opening(seats, chance.randrange(10**6))
        mouse = DECK["mice"][state.shown]
        cheese = mouse["cheese"] if chance.random() < 0.2 else DECK["cheeses"][state.cheese]
        if cheese != DECK["cheeses"][state.cheese]:
            index = DECK["cheeses"].index(cheese)
            state.unturned ^= 1 << index | 1 << state.cheese
            state.cheese = index
        if chance.random() < 0.5:
            state.mice_left = state.unknown = chance.randint(0, 2)
        hands, mice = [held(state, seat) for seat in range(seats)], state.mice_left
        order = chance.sample(range(seats), chance.randint(1, seats))
        deeds = {}
        told = []
        for seat in order:
            action = clever(state, seat, chance)
            action = SHOUT if action == LET_GO else action
            deeds[seat] = "shout" if action == SHOUT else NAMES[action]
            told += act(state, seat, action, seat)
        if len(order) < seats:
            told += close(state)
        draws: dict[int, list[str]] = {seat: [] for seat in range(seats)}
        while state.phase in (rules.REFILL, rules.CHEESE):
            card = chance.choice(core.members(GAME.legal(state, LUCK)))
            if state.phase == rules.REFILL:
                draws[state.refills].append(NAMES[rules.DESIGN[card]])
            told += act(state, LUCK, card)
        score, laundry, discard, left, turner = verdict(hands, mouse, cheese, mice, order, deeds, draws)
        assert not any(draws.values())
        assert state.scores[:seats] == [score[seat] for seat in range(seats)]
        assert [held(state, seat) for seat in range(seats)] == hands
        covered = Counter(NAMES[card] for seat in range(seats) for card in downs(state, seat))
        assert sum(map(cards_of, state.laundry), Counter()) + covered == laundry
        assert cards_of(state.discard) == discard
        assert state.mice_left + state.loose == left
        assert state.turner == turner
        assert (state.phase == OVER) == (left == 0)


# --- what is secret --------------------------------------------------------------------------------------------------


def test_hands_are_secret():
    """FLIP-05: one's own hand, nobody else's; numbers are open. The draw pile is face down."""
    state = opening(3)
    for viewer in (NOBODY, 0, 1, 2):
        seen = core.view(GAME, state, viewer)
        for seat in range(3):
            assert seen.hand[seat] == (state.hand[seat] if seat == viewer else [HIDDEN] * 3)
        assert seen.draw == HIDDEN
        assert (seen.cards, seen.pile) == (state.cards, state.pile)


@pytest.mark.parametrize("calm", ["off", "on"])
def test_reactions_are_secret_until_settled(calm):
    """FLIP-09, FLIP-13: others see that somebody acted, not whether and how; a sealed card stays in the hand."""
    for action in (NAMES.index("red jacket"), SHOUT, LET_GO):
        state = situation([], ["red jacket"], [], calm=calm)
        for viewer in (NOBODY, 0, 1, 2):
            copy = state.copy()
            events = act(copy, 1, action, viewer)
            own = viewer == 1
            told = [(event.kind, event.seat, event.card, event.value) for event in events]
            assert told == [("acted", 1, action if own else HIDDEN, 0)]
            seen = core.view(GAME, copy, viewer)
            assert seen.slap[:3] == [EMPTY, action if own else HIDDEN, EMPTY]
            assert seen.cards == [7, 7, 7, 0, 0, 0]
            assert seen.order[:2] == [1, EMPTY]
            assert copy.hand == state.hand


def test_settled_reactions_are_shown():
    """FLIP-11, FLIP-34: what is settled lies open; what is not is still secret."""
    state = situation(["red jacket"], ["green hat"], [])
    slap(state, 0, "red jacket")
    slap(state, 1, "green hat")
    act(state, 2, LET_GO)
    assert state.phase == rules.REFILL
    jacket, hat = NAMES.index("red jacket"), NAMES.index("green hat")
    assert core.view(GAME, state, NOBODY).slap[:3] == [jacket, HIDDEN, LET_GO]
    assert core.view(GAME, state, 1).slap[:3] == [jacket, hat, LET_GO]


def test_cards_taken_back_stay_unseen():
    """FLIP-13: in calm mode and on a protected mouse nobody learns what the slower ones played."""
    state = situation(["red jacket"], ["green hat"], cheese="emmental")
    slap(state, 0, "red jacket")
    slap(state, 1, "green hat")
    assert state.phase == rules.CHEESE
    assert state.slap[1] == EMPTY
    state = situation(["red jacket"], ["green hat"], calm="on")
    slap(state, 0, "red jacket")
    slap(state, 1, "green hat")
    act(state, LUCK, 0)
    assert state.slap[1] == EMPTY


def test_covered_laundry_is_secret():
    """FLIP-18: its owner knows it, the others only that it is there."""
    state = situation(["red jacket", "green hat"], [])
    shout(state, 0)
    for viewer in (NOBODY, 0, 1):
        copy = state.copy()
        events = close(copy, viewer=viewer)
        (event,) = [e for e in events if e.kind == "covered"]
        jacket = NAMES.index("red jacket")
        assert event.card == (jacket if viewer == 0 else HIDDEN)
        seen = core.view(GAME, copy, viewer)
        assert seen.down[0] == [jacket if viewer == 0 else HIDDEN, EMPTY, EMPTY]
        assert core.view(GAME, copy, viewer, strict=True).down[0] == seen.down[0]
        assert cards_of(seen.laundry[0]) == Counter(["green hat"])


def test_drawn_cards_are_secret():
    """FLIP-15: only who draws sees the card."""
    state = situation(["red jacket"], [])
    slap(state, 0, "red jacket")
    close(state)
    for viewer in (NOBODY, 0, 1):
        events = act(state.copy(), LUCK, min(core.members(GAME.legal(state, LUCK))), viewer)
        assert (events[0].kind, events[0].card == HIDDEN) == ("drew", viewer != 0)


def test_strict_view():
    """FLIP-16, FLIP-27, FLIP-31: what went under a pile or under the top of the discards cannot be looked up; what lies
    open can."""
    state = random_game(3, 3, clever)
    state.phase = rules.RACE
    for viewer in (NOBODY, 0, 1, 2):
        seen, strict = core.view(GAME, state, viewer), core.view(GAME, state, viewer, strict=True)
        assert seen.discard == state.discard
        assert strict.discard == [HIDDEN] * 3
        assert set(strict.under) | set(strict.cheese_under) == {HIDDEN}
        assert (strict.unseen, strict.unknown, strict.first, strict.unturned) == (HIDDEN,) * 4
        for field in (
            "last",
            "laundry",
            "caught",
            "mice",
            "cheeses",
            "cheese",
            "shown",
            "mice_left",
            "cheese_left",
            "pile",
        ):
            assert getattr(strict, field) == getattr(state, field)


def test_a_guess_deals_the_unseen_cards_evenly():
    """FLIP-05, FLIP-40: every card the viewer does not see is as likely here as there; what is seen stays."""
    state = situation(["red jacket", "red jacket"], ["brown trousers", "green hat"], ["blue tie", "blue tie"])
    shout(state, 1)
    close(state)
    luck(state)
    view = core.view(GAME, state, 0)
    rng = np.random.default_rng(1)
    trousers, times = NAMES.index("brown trousers"), 600
    where: Counter[str] = Counter()
    for _ in range(times):
        world = view.copy()
        GAME.guess(world, rng)
        conserved(world)
        assert core.view(GAME, world, 0) == view
        where["one"] += held(world, 1)["brown trousers"]
        where["two"] += held(world, 2)["brown trousers"]
        where["covered"] += world.down[1][0] == trousers
        where["draw"] += sum(rules.DESIGN[card] == trousers for card in core.members(world.draw))
    unseen = 3 - held(state, 0)["brown trousers"]
    hidden = 7 + 7 + 1 + state.pile
    for place, size in (("one", 7), ("two", 7), ("covered", 1), ("draw", state.pile)):
        expected = times * unseen * size / hidden
        assert abs(where[place] - expected) < 5 * expected**0.5


def test_a_guess_of_a_sealed_reaction():
    """FLIP-09, FLIP-20: one the seat could choose with the hand it is given; a let-go only while that is secret."""
    state = situation(["red jacket"], ["green hat"], [])
    state.down[1] = [0, 1, 4]  # three wrong shouts
    slap(state, 1, "green hat")
    slap(state, 2, next(iter(held(state, 2))))
    rng = np.random.default_rng(2)
    for closed in (False, True):
        if closed:
            slap(state, 0, "red jacket")
            state.refills, state.order[:3], state.settled = 0, [0, 1, 2], 1
        view = core.view(GAME, state, 0)
        seen: dict[int, set[int]] = {1: set(), 2: set()}
        for _ in range(300):
            world = view.copy()
            GAME.guess(world, rng)
            for seat in (1, 2):
                action = world.slap[seat]
                seen[seat].add(action)
                assert action in (SHOUT, LET_GO) or world.hand[seat][0] >> action & 1
        assert SHOUT not in seen[1]
        assert SHOUT in seen[2]
        assert (LET_GO in seen[1]) != closed


# --- words -----------------------------------------------------------------------------------------------------------


def test_words_follow_the_deck():
    """FLIP-03: the clothes of each mouse are told as the deck has them, in every language."""
    for language in LANGUAGES:
        cards = texts(GAME, language)["cards"]
        assert [len(cards[name]) for name in ("garment", "reaction", "cheese", "mouse", "outfit")] == [
            26,
            28,
            9,
            32,
            32,
        ]
        assert cards["reaction"][:26] == cards["garment"]
        assert len(set(cards["mouse"])) == 32
        for mouse, outfit in zip(DECK["mice"], cards["outfit"], strict=True):
            clothes, _, cheese = outfit.partition("; ")
            assert clothes == ", ".join(cards["garment"][NAMES.index(name)] for name in mouse["wears"])
            assert cheese.endswith(cards["cheese"][DECK["cheeses"].index(mouse["cheese"])])


def test_why():
    """Each event names a clause of the rules, and nearly every event happens in ordinary games."""
    seen: Counter[str] = Counter()

    def check(_, __, told):
        for event in told:
            seen[event.kind] += 1
            assert event.clause in law

    law = texts(GAME, "en")["rules"]
    assert len(law) == 41
    for seed in range(8):
        random_game(seed, 2 + seed % 5, anything if seed % 2 else clever, check, calm="on" if seed % 3 == 0 else "off")
    assert set(GAME.EVENTS) - set(seen) <= {"swapped"}
