"""The referee of races: each term of the formula, what always holds, whom it believes, and that the ping does not
decide. The last is a simulation, `bench/slaps.py`, which calls the referee's own formula."""

from itertools import combinations
from random import Random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import slaps
from cheeseboard.referee import (
    PRESETS,
    WATCHED,
    Conduct,
    Paw,
    Preset,
    Verdict,
    again,
    allowed,
    closes,
    judge,
    score,
    too_soon,
)
from slaps import FAIR, Side, races

FRIENDS = PRESETS["friends"]
PAW = Paw(seat=0, elapsed=500.0, claim=400.0, trip=80.0, kernel=80.0, jitter=10.0, budget=20.0)


def weighed(**figures) -> Paw:
    return score(msgspec.structs.replace(PAW, **figures), FRIENDS)


def first(n: int) -> int:
    return 0


# --- the formula ----------------------------------------------------------------------------------------------------


def test_a_claim_that_the_line_explains_is_believed() -> None:
    paw = weighed()
    assert (paw.comp, paw.score, paw.marks) == (100.0, 400.0, ())
    assert paw.doubt == 20.0  # beyond the bare way


@pytest.mark.parametrize(
    ("figures", "allow"),
    [
        ({}, 80 + 33.4 + 10 + 20),
        ({"trip": 70.0}, 70 + 33.4 + 10 + 20),
        ({"kernel": 60.0}, 65 + 33.4 + 10 + 20),  # the kernel knows better, up to 5 ms
        ({"kernel": 300.0}, 80 + 33.4 + 10 + 20),  # it never makes the way longer
        ({"jitter": 20.0}, 80 + 33.4 + 20 + 20),
        ({"jitter": 3.0}, 80 + 33.4 + 3 + 9),  # an even line has no sudden delays
        ({"budget": 0.0}, 80 + 33.4 + 10),
        ({"budget": 40.0}, 80 + 33.4 + 10 + 30),
        ({"loop": 7.0}, 80 + 33.4 + 10 + 20 + 7),  # the house's own fault
        ({"trip": 290.0, "kernel": 290.0}, 300),
        ({"kernel": None}, 120),
        ({"kernel": None, "trip": 20.0}, 20 + 33.4 + 10 + 20),
    ],
)
def test_what_can_be_taken_off_at_most(figures: dict[str, float], allow: float) -> None:
    paw = msgspec.structs.replace(PAW, claim=0.0, **figures)
    assert allowed(paw, FRIENDS) == pytest.approx(allow)
    greedy = score(paw, FRIENDS)
    assert greedy.comp == pytest.approx(allow)
    assert {"pegged", "cut"} <= set(greedy.marks)
    assert ("unbound" in greedy.marks) == (paw.kernel is None)


def test_without_a_claim_the_bare_way_and_a_little_is_taken_off() -> None:
    for paw in (weighed(claim=None), weighed(tier="no-claim"), weighed(tier="no-claim", claim=0.0)):
        assert (paw.comp, paw.score) == (106.0, 394.0)
        assert "no-claim" in paw.marks
    assert weighed(claim=None, loop=7.0).comp == 113.0
    assert weighed(claim=None, trip=299.0, kernel=299.0).comp == 300.0
    assert weighed(claim=None, trip=119.0, kernel=None).comp == 120.0


def test_nobody_gets_milliseconds_for_a_claim_longer_than_the_whole_time() -> None:
    paw = weighed(claim=600.0)
    assert (paw.comp, paw.score) == (0.0, 500.0)
    assert paw.marks == ("slower-than-possible",)


def test_slower_than_possible_only_hurts_the_claimant() -> None:
    assert weighed(claim=421.9).marks == ()
    paw = weighed(claim=423.0)
    assert paw.marks == ("slower-than-possible",)
    assert paw.score == 423.0


def test_false_start() -> None:
    assert too_soon(msgspec.structs.replace(PAW, elapsed=179.9), FRIENDS)
    assert not too_soon(msgspec.structs.replace(PAW, elapsed=180.0), FRIENDS)
    assert not too_soon(msgspec.structs.replace(PAW, elapsed=170.0, kernel=60.0), FRIENDS)  # 65 + 100
    assert not too_soon(msgspec.structs.replace(PAW, elapsed=1.0, bot=True), FRIENDS)
    assert not too_soon(msgspec.structs.replace(PAW, elapsed=80.0), PRESETS["machines"])


def test_implausibly_quick_is_raised_to_the_floor_and_marked() -> None:
    paw = weighed(elapsed=200.0, claim=100.0)
    assert paw.score == 120.0
    assert "implausible" in paw.marks
    assert "implausible" not in weighed(elapsed=220.0, claim=120.0).marks


def test_the_budget_is_drained_by_spikes_and_filled_by_slaps() -> None:
    assert weighed().left == 22.0
    assert weighed(budget=39.0).left == 40.0
    assert weighed(claim=364.6).left == 20 - 12 + 2  # 135.4 taken off, 123.4 are the line's
    assert weighed(claim=0.0).left == 2.0
    assert weighed(claim=0.0, jitter=3.0).left == 20 - 9 + 2
    drained = [20.0]
    for _ in range(30):
        drained.append(weighed(claim=0.0, budget=drained[-1]).left)
    assert drained[-1] == 2.0  # who always claims the most gets no more than what one slap fills


def test_a_head_start_is_taken_off_openly_and_below_the_floor_too() -> None:
    assert weighed(handicap=150.0).score == 250.0
    assert weighed(elapsed=200.0, claim=100.0, handicap=50.0).score == 70.0
    assert weighed(bot=True, handicap=50.0).score == 450.0


def test_a_bot_has_no_way_to_go() -> None:
    paw = weighed(bot=True)
    assert (paw.comp, paw.score, paw.marks) == (0.0, 500.0, ())


def test_within_the_heat_the_lot_decides_and_beyond_it_the_time() -> None:
    paws = [msgspec.structs.replace(PAW, seat=seat, claim=ms) for seat, ms in enumerate((408.1, 400.1, 400.0, 408.0))]
    verdict = judge(7, "friends", 8.0, paws, first)
    assert [paw.seat for paw in verdict.paws] == [2, 1, 3, 0]
    assert verdict.first == (2, 1, 3)
    assert judge(7, "friends", 8.0, paws, lambda n: n - 1).first == (3, 1, 2)
    assert judge(7, "friends", 0.0, paws, first).first == (2,)
    assert judge(7, "friends", 8.0, [], first).first == ()


def test_tenths_do_not_fall_out_of_a_heat_by_the_way_computers_count() -> None:
    """396.2 + 8 is 404.2 on paper."""
    for tenth in range(3000, 6000):
        paws = [msgspec.structs.replace(PAW, seat=seat, bot=True, elapsed=(tenth + 80 * seat) / 10) for seat in (0, 1)]
        assert len(judge(1, "friends", 8.0, paws, first).first) == 2


def test_closing_time_waits_for_the_slowest_who_could_still_be_first() -> None:
    assert closes(400.0, 8.0, [(0.0, 41.0), (1.5, 230.0), (2.0, 120.0)]) == pytest.approx(639.6)
    assert closes(400.0, 8.0, []) == float("-inf")


# --- what always holds ----------------------------------------------------------------------------------------------


law = settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))  # no clock in it


def ms(least: int, most: int) -> st.SearchStrategy[float]:
    return st.integers(least * 10, most * 10).map(lambda tenth: tenth / 10)


figures = st.fixed_dictionaries(
    {
        "bot": st.booleans(),
        "elapsed": ms(0, 3000),
        "claim": st.none() | ms(0, 3000),
        "trip": ms(0, 500),
        "kernel": st.none() | ms(0, 500),
        "jitter": ms(3, 20),
        "budget": ms(0, 40),
        "loop": ms(0, 50),
        "handicap": ms(0, 500),
        "tier": st.sampled_from(["normal", "no-claim", "watch"]),
    }
)
presets: st.SearchStrategy[Preset] = st.sampled_from(["friends", "ranked", "machines"])
company = st.lists(figures, min_size=1, max_size=6).map(
    lambda table: [msgspec.convert({"seat": seat, **each}, Paw) for seat, each in enumerate(table)]
)


@law
@given(
    presets, st.sampled_from([0.0, 8.0, 50.0]), company, st.integers(0, 2**32 - 1), st.randoms(use_true_random=False)
)
def test_a_verdict_follows_from_its_own_figures_in_whatever_order_they_came(preset, heat, paws, e, rng) -> None:
    verdict = judge(e, preset, heat, paws, Random(e).randrange)
    kept = msgspec.json.decode(msgspec.json.encode(verdict), type=Verdict)
    assert again(kept, Random(e).randrange) == verdict
    rng.shuffle(paws)
    assert judge(e, preset, heat, paws, Random(e).randrange) == verdict


@law
@given(presets, figures, ms(0, 3000))
def test_no_claim_gains_more_than_the_house_allows(preset, figures, other) -> None:
    terms = PRESETS[preset]
    paw = Paw(seat=0, **figures)
    result = score(paw, terms)
    allow = 0.0 if paw.bot else allowed(paw, terms)
    assert result.score >= paw.elapsed - allow - paw.handicap - 0.051  # rounded
    assert result.comp <= terms.cap
    silent = score(msgspec.structs.replace(paw, claim=paw.elapsed), terms)  # gives nothing away, gains nothing
    lied = score(msgspec.structs.replace(paw, claim=other), terms)
    assert silent.score - lied.score <= allow + 0.101
    less = score(msgspec.structs.replace(paw, claim=other + 10.0), terms)
    if paw.tier != "no-claim":
        assert lied.score <= less.score  # the shorter the time claimed, the better, never the other way round
    assert 0.0 <= result.left <= max(terms.budget[2], paw.budget) or paw.bot


@law
@given(presets, st.sampled_from([0.0, 8.0, 50.0]), company, figures, st.floats(0, 500, exclude_min=True))
def test_after_closing_time_nobody_can_be_first(preset, heat, paws, figures, later) -> None:
    """The latecomer's clock has all digits; whatever it claims."""
    terms = PRESETS[preset]
    verdict = judge(1, preset, heat, paws, first)
    late = Paw(seat=5, **figures)
    allow = (0.0 if late.bot else allowed(late, terms)) + late.handicap
    late = msgspec.structs.replace(late, elapsed=closes(verdict.paws[0].score, heat, [(0.0, allow)]) + later)
    together = judge(1, preset, heat, [*[paw for paw in paws if paw.seat != 5], late], first)
    if verdict.paws[0].seat != 5:
        assert 5 not in together.first


# --- whom it believes -----------------------------------------------------------------------------------------------


def conduct(paws: list[Paw], preset: Preset = "friends") -> tuple[str, int]:
    """The tier after all of them, and after how many it was another than normal for the first time."""
    terms = PRESETS[preset]
    known, number = Conduct(terms), -1
    for n, paw in enumerate(paws, 1):
        known.note(score(msgspec.structs.replace(paw, budget=known.budget), terms))
        if number < 0 and known.tier(terms, paw.trip, paw.kernel) != "normal":
            number = n
    return known.tier(terms, PAW.trip, PAW.kernel), number


def human(rng: Random, lag: float) -> Paw:
    took = rng.gauss(330, 40) + rng.expovariate(1 / 60)
    return msgspec.structs.replace(PAW, elapsed=round(took + lag, 1), claim=round(took, 1))


def test_who_always_claims_the_most_is_not_believed_after_twenty_slaps() -> None:
    rng = Random(1)
    greedy = [msgspec.structs.replace(human(rng, 110.0), claim=0.0) for _ in range(25)]
    assert conduct(greedy) == ("no-claim", WATCHED)
    honest = [human(rng, 97 + 26 * rng.random()) for _ in range(200)]
    assert conduct(honest) == ("normal", -1)
    assert conduct([*greedy, *honest[:5]]) == ("normal", WATCHED)  # trust comes back


def test_a_paw_too_quick_or_too_even_for_a_human_is_watched() -> None:
    rng = Random(2)
    even = [msgspec.structs.replace(PAW, elapsed=400 + rng.uniform(-20, 20), claim=310.0) for _ in range(25)]
    quick = [msgspec.structs.replace(PAW, elapsed=ms, claim=ms - 100) for ms in rng.choices(range(220, 280), k=25)]
    assert conduct(even) == ("watch", WATCHED)
    assert conduct(quick) == ("watch", WATCHED)
    handicapped = [msgspec.structs.replace(human(rng, 90.0), handicap=250.0) for _ in range(60)]
    assert conduct(handicapped) == ("normal", -1)  # a head start makes nobody a bot


def test_ranked_tables_do_not_believe_a_device_far_behind_its_own_line() -> None:
    known = Conduct(PRESETS["ranked"])
    assert known.tier(PRESETS["ranked"], 80.0, 49.0) == "no-claim"
    assert known.tier(PRESETS["ranked"], 80.0, 50.0) == "normal"
    assert known.tier(PRESETS["ranked"], 80.0, None) == "no-claim"
    assert known.tier(FRIENDS, 280.0, 2.0) == "normal"


# --- the ping does not decide ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("one", "other"), list(combinations(FAIR, 2)))
def test_equal_paws_win_equally_often_whatever_their_lines(one: str, other: str) -> None:
    outcome = races(Side(one), Side(other))
    assert abs(outcome.shares[3] - 50) <= 1, outcome.shares  # strictly by score
    assert abs(outcome.shares[4] - 50) <= 1, outcome.shares  # with the lot for dead heats
    assert outcome.shares[0] >= 56, outcome.shares  # by arrival the shorter line would win
    assert outcome.missed == 0
    assert outcome.pegged <= 0.9 * WATCHED  # believed for ever
    assert races(Side(other), Side(one), 20_000).pegged <= 0.9 * WATCHED


def test_a_quick_screen_is_no_advantage() -> None:
    outcome = races(Side("cable", 60), Side("cable", 144))
    assert abs(outcome.shares[3] - 50) <= 1
    assert outcome.shares[0] < 49


def test_the_verdict_comes_soon() -> None:
    for line, most in (("lan", 60), ("far", 250)):
        delays = races(Side("lan"), Side(line), 50_000).delays
        assert sorted(delays)[int(0.99 * len(delays))] <= most


def test_liars_gain_no_more_than_we_say() -> None:
    for attack in slaps.attacks():
        assert attack.held, attack
