"""Two choose at the same time, and what one gains the other loses: the best mixes of a matrix game, exactly.

`solve_matrix(payoff) -> (value, row_mix, column_mix)`: whoever chooses the row gains `payoff[row, column]`, whoever
chooses the column loses it. All is plain code that numba compiles as it stands. A loop over millions of games reuses
its memory and writes the payoffs where they are needed:

    table, order = tableau(rows, columns)              once; a larger one than needed will do
    table[:rows, :columns] = payoff                    for every game: only these cells need to be set
    value = solve_in_place(table, order, rows, columns)
    read_mixes(table, order, rows, columns, row_mix, column_mix)      if the mixes are wanted

>>> value, rows, columns = solve_matrix(np.array([[3.0, -1.0], [-2.0, 1.0]]))
>>> round(value, 9), rows.round(9).tolist(), columns.round(9).tolist()
(0.142857143, [0.428571429, 0.571428571], [0.285714286, 0.714285714])
"""

from typing import Any

import numpy as np
import numpy.typing as npt

TINY = 1e-12  # below this a number of the tableau is 0; all payoffs are scaled to lie between 1 and 2

Numbers = npt.NDArray[np.float64]


def solve_matrix(payoff: Numbers) -> tuple[float, Numbers, Numbers]:
    """The value for the one who chooses the row, and a best mix of rows and of columns."""
    rows, columns = payoff.shape
    table, order = tableau(rows, columns)
    for i in range(rows):
        for j in range(columns):
            table[i, j] = payoff[i, j]
    value = solve_in_place(table, order, rows, columns)
    row_mix, column_mix = np.empty(rows), np.empty(columns)
    read_mixes(table, order, rows, columns, row_mix, column_mix)
    return value, row_mix, column_mix


def tableau(rows: int, columns: int) -> tuple[Numbers, npt.NDArray[np.int64]]:
    """Memory for games of at most that size."""
    return np.empty((rows + 1, columns + 1)), np.empty(rows + columns, np.int64)


def solve_in_place(table: Any, order: Any, rows: int, columns: int) -> float:
    """The value of the game whose payoffs stand in `table[:rows, :columns]`; they are worked over.

    The simplex method in its short form, without columns for the variables that are in play. With all payoffs
    positive, the columns' weights y (largest sum with payoff @ y <= 1) are the mix times 1 / value, and the rows'
    weights are the prices at the end. `order` says which row or column of the game stands where in the tableau."""
    least, most = table[0, 0], table[0, 0]
    for i in range(rows):
        for j in range(columns):
            least = min(least, table[i, j])
            most = max(most, table[i, j])
    spread = most - least if most > least else 1.0
    scale = 1.0 / spread
    for i in range(rows):
        for j in range(columns):
            table[i, j] = (table[i, j] - least) * scale + 1.0
        table[i, columns] = 1.0
        order[i] = columns + i
    for j in range(columns):
        table[rows, j] = -1.0
        order[rows + j] = j
    table[rows, columns] = 0.0
    # The first step goes to the column with the least greatest payoff: is there a pure solution, this is it.
    column, least_loss = 0, np.inf
    for j in range(columns):
        loss = table[0, j]
        for i in range(1, rows):
            loss = max(loss, table[i, j])
        if loss < least_loss:
            column, least_loss = j, loss
    idle = 0  # steps in a row that gained nothing: too many, and the slow rule that never runs in circles takes over
    for _ in range(64 * (rows + columns)):
        careful = idle > rows + columns
        row = _leaving(table, order, rows, columns, column, careful)
        idle = idle + 1 if table[row, columns] <= TINY else 0
        _step(table, rows, columns, row, column)
        order[row], order[rows + column] = order[rows + column], order[row]
        column = _entering(table, order, rows, columns, careful)
        if column < 0:
            break
    return float((1.0 / table[rows, columns] - 1.0) * spread + least)


def _entering(table: Any, order: Any, rows: int, columns: int, careful: bool) -> int:
    """The column with the most to gain, or, if careful, the first of those with anything to gain; -1 if none has."""
    best = -1
    for j in range(columns):
        if table[rows, j] < -TINY:
            if careful:
                better = best < 0 or order[rows + j] < order[rows + best]
            else:
                better = best < 0 or table[rows, j] < table[rows, best]
            if better:
                best = j
    return best


def _leaving(table: Any, order: Any, rows: int, columns: int, column: int, careful: bool) -> int:
    """The row that is the first to stop the column from growing; of several the one that divides best, or, if careful,
    the first. There always is one: no weight can grow for ever while payoffs are positive."""
    best, nearest = -1, np.inf
    for i in range(rows):
        if table[i, column] > TINY:
            room = max(table[i, columns], 0.0) / table[i, column]
            if room < nearest - TINY:
                best, nearest = i, room
            elif room <= nearest + TINY:
                if careful:
                    better = order[i] < order[best]
                else:
                    better = table[i, column] > table[best, column]
                if better:
                    best = i
                nearest = min(nearest, room)
    return best


def _step(table: Any, rows: int, columns: int, row: int, column: int) -> None:
    """The row and the column change places."""
    inverse = 1.0 / table[row, column]
    for j in range(columns + 1):
        table[row, j] *= inverse
    table[row, column] = inverse
    for i in range(rows + 1):
        if i != row:
            factor = table[i, column]
            table[i, column] = 0.0
            for j in range(columns + 1):
                table[i, j] -= factor * table[row, j]


def read_mixes(table: Any, order: Any, rows: int, columns: int, row_mix: Any, column_mix: Any) -> None:
    """Write the mixes of a solved tableau; each adds up to 1."""
    row_sum, column_sum = 0.0, 0.0
    for i in range(rows):
        row_mix[i] = 0.0
    for j in range(columns):
        column_mix[j] = 0.0
    for i in range(rows):
        if order[i] < columns:
            column_mix[order[i]] = max(table[i, columns], 0.0)
            column_sum += column_mix[order[i]]
    for j in range(columns):
        if order[rows + j] >= columns:
            row_mix[order[rows + j] - columns] = max(table[rows, j], 0.0)
            row_sum += max(table[rows, j], 0.0)
    for i in range(rows):
        row_mix[i] /= row_sum
    for j in range(columns):
        column_mix[j] /= column_sum
