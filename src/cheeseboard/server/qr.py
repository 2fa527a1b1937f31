"""The address of the house as a picture: point a phone at the terminal and sit down."""

import io
from itertools import zip_longest

import segno

# Black ink on white paper, said aloud: a code in the terminal's own colours is a negative on half of all terminals,
# and many phones cannot read a negative.
PAPER, PLAIN = "\x1b[30;107m", "\x1b[0m"
INK = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}  # the module above, the module below
QUIET = 4  # modules of white around it, as the standard asks


def picture(text: str) -> bytes:
    """The same as a drawing, dark on light in every theme."""
    out = io.BytesIO()
    segno.make(text, micro=False, error="m").save(
        out, kind="svg", border=QUIET, dark="#1d2b3a", light="#fffaf0", xmldecl=False
    )
    return out.getvalue()


def qr(text: str) -> str:
    """A QR code of half blocks, so that it fits on a small terminal; ends without a line break."""
    rows = list(segno.make(text, micro=False).matrix_iter(border=QUIET))
    pairs = zip_longest(rows[::2], rows[1::2], fillvalue=bytes(len(rows)))
    return "\n".join(
        PAPER + "".join(map(INK.__getitem__, zip(above, below, strict=True))) + PLAIN for above, below in pairs
    )
