"""Matrix games: both mixes guarantee the value, whatever the matrix looks like, and compiled it is the same."""

import itertools

import numpy as np
import pytest

from cheeseboard.bots import matrix
from cheeseboard.bots.matrix import read_mixes, solve_in_place, solve_matrix, tableau
from cheeseboard.games.compiled import machine_code

ROCK_PAPER_SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]


def check(payoff, value, rows, columns):
    """Nobody can gain anything against either mix."""
    payoff = np.array(payoff, float)
    close = 1e-9 * max(1.0, np.abs(payoff).max())
    for mix in (rows, columns):
        assert mix.min() >= 0
        assert abs(mix.sum() - 1) < 1e-12
    assert abs((rows @ payoff).min() - value) < close
    assert abs((payoff @ columns).max() - value) < close


@pytest.mark.parametrize(
    ("payoff", "value", "rows"),
    [
        ([[7]], 7, [1]),
        ([[2, 2], [2, 2]], 2, None),
        ([[1, -1], [-1, 1]], 0, [1 / 2, 1 / 2]),
        (ROCK_PAPER_SCISSORS, 0, [1 / 3, 1 / 3, 1 / 3]),
        ([[4, 2, 5], [1, -3, 9], [0, 1, -7]], 2, [1, 0, 0]),  # pure: the least of its row, the greatest of its column
        ([[3, 5, 1, 2]], 1, [1]),
        ([[3], [5], [1]], 5, [0, 1, 0]),
        ([[0, 2, -3, 0], [-2, 0, 0, 3], [3, 0, 0, -4], [0, -3, 4, 0]], 0, None),  # Morra with two fingers
        (np.diag([1.0, 2, 4]), 1 / (1 + 1 / 2 + 1 / 4), [4 / 7, 2 / 7, 1 / 7]),
        ([[1e9, 1e9 + 1], [1e9 + 1, 1e9]], 1e9 + 1 / 2, [1 / 2, 1 / 2]),
        ([[1e-9, 0], [0, 1e-9]], 5e-10, [1 / 2, 1 / 2]),
    ],
)
def test_known_games(payoff, value, rows):
    found, row_mix, column_mix = solve_matrix(np.array(payoff, float))
    assert found == pytest.approx(value, rel=1e-12, abs=1e-12)
    check(payoff, found, row_mix, column_mix)
    if rows is not None:
        assert row_mix == pytest.approx(rows, abs=1e-9)


def by_hand(payoff):
    """The value from all square parts of the matrix: one of them, played so that nothing matters to the other, is a
    solution (Shapley and Snow). Slow, and nothing like the simplex method."""
    payoff = np.array(payoff, float)
    rows, columns = payoff.shape
    best = -np.inf
    for size in range(1, min(rows, columns) + 1):
        for some in itertools.combinations(range(rows), size):
            for others in itertools.combinations(range(columns), size):
                square = np.block(
                    [[payoff[np.ix_(some, others)].T, -np.ones((size, 1))], [np.ones((1, size)), np.zeros((1, 1))]]
                )
                if abs(np.linalg.det(square)) > 1e-9:
                    part = np.linalg.solve(square, np.append(np.zeros(size), 1.0))[:size]
                    if part.min() >= -1e-12:
                        mix = np.zeros(rows)
                        mix[list(some)] = part
                        best = max(best, (mix @ payoff).min())
    return best


def test_against_all_square_parts():
    rng = np.random.default_rng(1)
    for number in range(60):
        shape = rng.integers(1, 5, 2)
        payoff = rng.normal(size=shape) if number % 2 else rng.integers(-2, 3, shape).astype(float)
        assert solve_matrix(payoff)[0] == pytest.approx(by_hand(payoff), abs=1e-9)


def kinds(rng, rows, columns):
    """Matrices of all sorts; most of them have many solutions, or rows and columns that are equal."""
    shape = (rows, columns)
    yield rng.normal(size=shape)
    yield rng.normal(size=shape) * 10.0 ** rng.integers(-8, 9)
    for most in (1, 2, 6):
        yield rng.integers(-most, most + 1, shape).astype(float)
    yield rng.normal(size=(rows, 1)) + rng.normal(size=(1, columns))
    yield np.repeat(rng.integers(-2, 3, (1, columns)), rows, axis=0).astype(float)
    yield np.sign(np.arange(rows)[:, None] - np.arange(columns)) * 5.0 - 0.5 * np.arange(rows)[:, None]
    yield rng.normal(size=(rows, 2)) @ rng.normal(size=(2, columns))
    yield np.eye(rows, columns)
    nearly = rng.integers(-1, 2, shape).astype(float)
    yield nearly + rng.normal(size=shape) * 1e-13


@pytest.fixture(scope="module")
def machine():
    """The same function as machine code."""
    return machine_code(solve_matrix)


def test_guarantees(machine):
    rng = np.random.default_rng(2)
    for _ in range(150):
        for payoff in kinds(rng, *rng.integers(1, 17, 2)):
            check(payoff, *machine(payoff))


def test_symmetric_games_are_worth_nothing(machine):
    rng = np.random.default_rng(3)
    for size in range(1, 16):
        half = rng.integers(-3, 4, (size, size))
        value, rows, columns = machine((half - half.T).astype(float))
        assert value == pytest.approx(0, abs=1e-12)
        check(half - half.T, value, rows, columns)


def test_plain_and_compiled_agree(machine):
    rng = np.random.default_rng(4)
    for payoff in kinds(rng, 7, 6):
        for plain, quick in zip(solve_matrix(payoff), machine(payoff), strict=True):
            np.testing.assert_array_equal(plain, quick)


def test_memory_is_used_again():
    """A tableau larger than the game, with rubbish in it, gives the same."""
    rng = np.random.default_rng(5)
    table, order = tableau(9, 9)
    rows, columns = np.empty(9), np.empty(9)
    for payoff in kinds(rng, 5, 8):
        table[:] = np.nan
        table[:5, :8] = payoff
        value = solve_in_place(table, order, 5, 8)
        read_mixes(table, order, 5, 8, rows, columns)
        assert value == solve_matrix(payoff)[0]
        check(payoff, value, rows[:5], columns[:8])


def test_the_careful_rule_alone_solves_everything(monkeypatch):
    """The rule that is there against running in circles is hardly ever needed, so it is tried by itself."""
    real = {name: getattr(matrix, name) for name in ("_entering", "_leaving")}
    for name, function in real.items():
        monkeypatch.setattr(matrix, name, lambda *asked, function=function: function(*asked[:-1], True))
    rng = np.random.default_rng(6)
    for _ in range(4):
        for payoff in kinds(rng, *rng.integers(1, 9, 2)):
            check(payoff, *solve_matrix(payoff))
