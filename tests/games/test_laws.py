"""The laws over all games, all numbers of seats and all options: by random play and by Hypothesis."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cheeseboard.games import GAMES
from tests.games import laws

CASES = [pytest.param(game, law, id=f"{name}-{law.__name__}") for name, game in GAMES.items() for law in laws.LAWS]


@pytest.mark.parametrize(("game", "law"), CASES)
def test_by_random_play(game, law):
    for seed, way in enumerate(laws.ways(game)):
        law(game, way, laws.seeded(seed))


@pytest.mark.parametrize(("game", "law"), [case for case in CASES if "compiled" not in str(case.id)])
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_by_hypothesis(game, law, data):
    way = data.draw(st.sampled_from(laws.ways(game)))
    choices = data.draw(st.lists(st.integers(0, 2**30), min_size=1, max_size=60))
    seed = data.draw(st.integers(0, 2**30))
    more = laws.seeded(seed)

    def below(n):
        return choices.pop() % n if choices else more(n)

    law(game, way, below)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_nothing_is_missing(game):
    assert laws.nothing_is_missing(game) == []
