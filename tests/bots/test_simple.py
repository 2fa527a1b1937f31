"""The simple bots: legal, repeatable, blind to what their seat cannot know, and the thinker better than chance."""

import numpy as np
import pytest

from cheeseboard.bots import ANYWHERE, player
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import Refusal
from cheeseboard.lab.driver import SHARES
from cheeseboard.lab.simulate import bots_game
from tests.games import laws

EACH = pytest.mark.parametrize("name", GAMES)


@EACH
@pytest.mark.parametrize("who", ANYWHERE)
def test_legal_and_repeatable(name, who):
    game = GAMES[name]
    for n, (state, seat, _) in enumerate(laws.walk(game, laws.ways(game)[0], laws.seeded(2))):
        if seat < core.SEATS and n % 7 == 0:
            view = core.view(game, state, seat)
            choices = {
                player(game, who).choose(game, view.copy(), seat, np.random.default_rng(5), 12) for _ in range(2)
            }
            assert len(choices) == 1
            assert game.legal(state, seat) >> choices.pop() & 1


def test_the_thinker_is_better_than_chance():
    """Over 40 games against one player who does anything, it takes clearly more than half."""
    game = next(iter(GAMES.values()))
    wins = [bots_game(game, 2, ["thinker", "random"], [7, n], {})[2][0] for n in range(40)]
    assert sum(wins) / SHARES > 26


def test_unknown():
    with pytest.raises(Refusal, match=r"expected a bot \(random, thinker, .*\), got 'shark'"):
        player(next(iter(GAMES.values())), "shark")
