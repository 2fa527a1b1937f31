"""The arena: everybody everywhere, on the same deals, and the same table from one core or two."""

import json
from collections import Counter
from dataclasses import asdict
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from cheeseboard.cli import main
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import LUCK, Refusal
from cheeseboard.lab.arena import arena, groups, seating
from cheeseboard.lab.simulate import play_game
from cheeseboard.lab.standings import drawing, text
from cheeseboard.lab.verdict import Figure

NAME = next(iter(GAMES))
GAME = GAMES[NAME]
QUICK: dict[str, Any] = {"cards": 5}
EACH = pytest.mark.parametrize("name", GAMES)


# --- who sits where -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bots", range(2, 7))
@pytest.mark.parametrize("seats", range(2, 7))
def test_everybody_sits_everywhere_equally_often(bots, seats):
    met = groups(bots, seats)
    total: Counter[tuple[int, int]] = Counter()
    for number, group in enumerate(met):
        assert len(group) == seats
        turns = [seating(group, [0, 3, 1 + number], turn) for turn in range(seats)]
        for seat in range(seats):
            assert sorted(turn[seat] for turn in turns) == sorted(group)
        total.update((bot, seat) for turn in turns for seat, bot in enumerate(turn))
    assert len(set(total.values())) == 1
    assert set(total) == {(bot, seat) for bot in range(bots) for seat in range(seats)}


def test_every_two_meet_equally_often():
    for bots in range(2, 7):
        for seats in range(2, 7):
            met = Counter(
                (one, other) for group in groups(bots, seats) for one in group for other in group if one < other
            )
            assert len(set(met.values())) == 1
            assert len(met) == bots * (bots - 1) // 2


def test_neighbours_change_from_deal_to_deal():
    circles = set()
    for deal in range(40):
        circle = seating((0, 1, 2, 3), [0, deal, 1], 0)
        at = circle.index(0)
        circles.add(circle[at:] + circle[:at])
    assert len(circles) == 6  # all there are


@EACH
def test_the_same_deal_whoever_plays(name):
    """Until somebody has acted, luck is the same; and where players cannot change it, to the end."""
    game, seats = GAMES[name], core.about(GAMES[name])["players"][0]
    deals = []
    for deal in range(3):
        logs = [
            play_game(game, [bot] * seats, [0, deal, number], {}, luck=[0, deal])[0].log
            for number, bot in enumerate(["random", "mouse", "random"], 1)
        ]
        opening = [log[: next(n for n, act in enumerate(log) if act[0] != LUCK)] for log in logs]
        assert opening[0] == opening[1] == opening[2]
        deals.append(str(opening[0]))
        if name == NAME:
            prizes = [[action for seat, action in log if seat == LUCK] for log in logs]
            assert prizes[0] == prizes[1] == prizes[2]
            assert logs[0] != logs[2]  # the same bots, with dice of their own
    assert len(set(deals)) > 1 or not opening[0]


# --- what comes out -------------------------------------------------------------------------------------------------


def shown(**asked: Any) -> str:
    return text(arena(GAME, ["random", "thinker", "mouse"], 30, **{"seed": 3, **asked}, **QUICK))


def test_the_same_seed_gives_the_same_table_on_any_number_of_cores():
    assert shown(cores=1) == shown(cores=2)
    assert shown(cores=2) != shown(cores=2, seed=4)


@EACH
def test_every_game_has_an_arena(name):
    least, most = core.about(GAMES[name])["players"]
    for seats in (least, most):
        result = arena(GAMES[name], ["random", "mouse"], 1, seats=seats, cores=1)
        assert (result.game, result.seats, result.deals) == (name, seats, 1)
        assert result.games == sum(mix.games for mix in result.mixes) == seats * max(1, seats - 1)
        assert sum(bot.win_share.value for bot in result.bots) == pytest.approx(2 / seats)
        for mix in result.mixes:
            wins = sum(mix.win_share[bot].value * number for bot, number in mix.seats.items())
            assert wins == pytest.approx(1)
        assert result.method == ("Bradley-Terry" if seats == 2 else "Plackett-Luce")


def test_the_better_bot_is_first():
    result = arena(GAME, ["random", "thinker"], 60, 1, **QUICK)
    assert [bot.bot for bot in result.bots] == ["thinker", "random"]
    (pair,) = result.pairs
    assert pair.bots == ("thinker", "random")
    assert pair.ahead.value == pytest.approx(result.bots[0].win_share.value, abs=0.1)
    assert pair.gap.low is not None
    assert pair.gap.low > 0
    assert sum(bot.rating.value for bot in result.bots) == pytest.approx(3000)
    for figure in (pair.ahead, pair.gap, *(bot.rating for bot in result.bots)):
        assert figure.low is not None
        assert figure.high is not None
        assert figure.low <= figure.value <= figure.high


def test_few_deals_give_no_intervals():
    result = arena(GAME, ["random", "mouse"], 18, cores=1, **QUICK)
    assert result.deals == 9
    assert result.bots[0].rating.low is None
    assert "no intervals: they need 10 deals, here 20 games" in text(result)
    assert "nan" not in text(result) + drawing(result)


def test_until_the_intervals_are_narrow():
    told: list[tuple[int, int]] = []
    result = arena(GAME, ["random", "mouse"], 20, until=90, cores=1, progress=lambda *done: told.append(done), **QUICK)
    assert result.games > 20
    assert max((bot.rating.high or 0) - (bot.rating.low or 0) for bot in result.bots) <= 90
    assert told[-1] == (result.games, result.games)
    again = arena(GAME, ["random", "mouse"], result.games, cores=1, **QUICK)
    assert again.bots == result.bots  # where it stopped makes no difference


def figures(part, *results):
    return [next(getattr(bot, part) for bot in result.bots if bot.bot == "mouse") for result in results]


def test_wins_alone_can_be_counted():
    places, wins = (arena(GAME, ["random", "mouse"], 60, seats=3, count=count, **QUICK) for count in ("places", "wins"))
    for part, same in (("win_share", True), ("rating", False)):
        first, second = ([figure.value, figure.low, figure.high] for figure in figures(part, places, wins))
        assert (first == pytest.approx(second)) == same


@pytest.mark.parametrize(
    ("more", "answer"),
    [
        ({"games": 0}, "expected games as a whole number from 1"),
        ({"cores": 0}, "expected cores as a whole number from 1"),
        ({"seats": 9}, "players"),
        ({"bots": ["random"]}, "expected two or more different bots, got random"),
        ({"bots": ["random", "random"]}, "expected two or more different bots, got random, random"),
        ({"bots": ["random", "shark"]}, r"expected a bot \(random, thinker, .*\), got 'shark'"),
        ({"bots": ["random", "shark.py"]}, "expected a bot in a file that can be read, got 'shark.py': No such file"),
        ({"count": "points"}, "expected to count places or wins, got 'points'"),
        ({"until": 0.0}, "expected an interval wider than 0, got 0"),
        ({"until": float("nan")}, "expected an interval wider than 0, got nan"),
        ({"colour": "pink"}, "expected an option"),
    ],
)
def test_what_cannot_be_is_refused(more, answer):
    with pytest.raises(Refusal, match=answer):
        arena(GAME, **{"bots": ["random", "mouse"], "games": 10, **more})


# --- for eyes -------------------------------------------------------------------------------------------------------


def test_the_drawing_is_a_drawing():
    result = arena(GAME, ["random", "mouse"], 40, cores=1, **QUICK)
    odd = result.bots[0].__class__("<&>.py", Figure(1500, 1400, 1600), Figure(0.5, None, None), 0.0)
    changed = result.__class__(**{**vars(result), "bots": [*result.bots, odd]})
    picture = ET.fromstring(drawing(changed))
    words = ["".join(element.itertext()) for element in picture.iter() if element.tag.endswith("text")]
    assert "<&>.py" in words
    assert sum(element.tag.endswith("circle") for element in picture.iter()) == 3
    places = [float(element.get("cx", "nan")) for element in picture.iter() if element.tag.endswith("circle")]
    assert all(0 < x < 720 for x in places)
    assert (places[0] > places[1]) == (result.bots[0].rating.value > result.bots[1].rating.value)


def test_the_command(tmp_path, capfd):
    plot = tmp_path / "ratings.svg"
    words = ["arena", NAME, "--bots", "random,mouse", "--games", "40", "--option", "cards=5", "--seed", "2"]
    assert main([*words, "--plot", str(plot)]) == 0
    told = capfd.readouterr()
    result = arena(GAME, ["random", "mouse"], 40, 2, **QUICK)
    assert told.out == text(result)
    assert told.err == ""
    assert plot.read_text("utf-8") == drawing(result)
    assert main([*words, "--json", "--cores", "1"]) == 0
    printed = json.loads(capfd.readouterr().out)
    assert {**printed, "seconds": 0} == json.loads(json.dumps({**asdict(result), "seconds": 0}))


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["--bots", "random"], "expected two or more different bots"),
        (["--bots", "random,mouse", "--plot", "x.png"], "expected a plot as FILE.svg, got 'x.png'"),
        (["--bots", "random,mouse", "--plot", "none/x.svg"], "expected a file that can be written, got 'none/x.svg'"),
        (["--until", "x"], "expected a number, got 'x'"),
        (["--seconds", "0", "--bots", "docs/bots.py,cat"], "expected more than 0 and at most 86400 seconds"),
    ],
)
def test_bad_input(words, answer, capfd):
    assert main(["arena", NAME, *words]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert answer in err
