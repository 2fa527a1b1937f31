"""The code in the terminal is the code that segno makes, in black on white, whatever the terminal's colours are."""

import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st

from cheeseboard.server.qr import PAPER, PLAIN, qr

DARK = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
ADDRESS = "http://192.168.178.23:8000/t/k7q2m"


def read(picture):
    """The modules as a camera would see them: ink is dark, paper is light; the quiet zone is cut off."""
    rows = []
    for line in picture.split("\n"):
        assert line.startswith(PAPER)
        assert line.endswith(PLAIN)
        halves = [DARK[block] for block in line.removeprefix(PAPER).removesuffix(PLAIN)]
        rows += [[half[side] for half in halves] for side in (0, 1)]
    size = len(rows[0])
    assert all(len(row) == size for row in rows)
    assert not any(map(any, rows[size:])), "the half line below is paper"
    border = [*rows[:4], *rows[size - 4 : size], *([*row[:4], *row[-4:]] for row in rows)]
    assert not any(map(any, border)), "the quiet zone is quiet"
    return [row[4:-4] for row in rows[4 : size - 4]]


@given(st.just(ADDRESS) | st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=60))
def test_it_is_the_code(text):
    assert read(qr(text)) == [list(row) for row in segno.make(text, micro=False).matrix]


def test_a_phone_finds_it():
    """Three eyes in three corners, and small enough for a terminal of 80 x 24."""
    modules = read(qr(ADDRESS))
    eye = [[1] * 7, [1, *[0] * 5, 1], *[[1, 0, 1, 1, 1, 0, 1]] * 3, [1, *[0] * 5, 1], [1] * 7]
    for rows, columns in ((slice(7), slice(7)), (slice(7), slice(-7, None)), (slice(-7, None), slice(7))):
        assert [row[columns] for row in modules[rows]] == eye
    assert qr(ADDRESS).count("\n") < 24


MASKS = [
    lambda y, x: (y + x) % 2,
    lambda y, x: y % 2,
    lambda y, x: x % 3,
    lambda y, x: (y + x) % 3,
    lambda y, x: (y // 2 + x // 3) % 2,
    lambda y, x: y * x % 2 + y * x % 3,
    lambda y, x: (y * x % 2 + y * x % 3) % 2,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2,
]


def decoded(modules):
    """What a phone reads on a clean picture: versions 2 and 3, one block, bytes; nothing to be corrected."""
    size = len(modules)
    assert size in {25, 29}
    mask = MASKS[int("".join(map(str, modules[8][2:5])), 2) ^ 0b101]

    def is_data(y, x):
        eyes = (y < 9 and (x < 9 or x > size - 9)) or (y > size - 9 and x < 9)
        return not (eyes or y == 6 or x == 6 or (abs(y - size + 7) < 3 and abs(x - size + 7) < 3))

    bits, up = "", True
    for right in [*range(size - 1, 6, -2), 5, 3, 1]:
        for y in range(size)[:: -1 if up else 1]:
            bits += "".join(str(modules[y][x] ^ (mask(y, x) == 0)) for x in (right, right - 1) if is_data(y, x))
        up = not up
    assert bits[:4] == "0100", "bytes"
    length = int(bits[4:12], 2)
    return bytes(int(bits[at : at + 8], 2) for at in range(12, 12 + 8 * length, 8)).decode()


@pytest.mark.parametrize("address", [ADDRESS, "http://10.0.0.7:8000/t/zzzzz", "http://172.16.254.254:65535/t/a2b3c"])
def test_a_phone_reads_it(address):
    assert decoded(read(qr(address))) == address
