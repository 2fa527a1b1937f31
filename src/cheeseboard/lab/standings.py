"""The result of an arena for eyes: as plain text, and as a drawing."""

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil, floor

from cheeseboard.lab.arena import Arena
from cheeseboard.lab.ratings import MEAN
from cheeseboard.lab.verdict import DEALS_LEAST, Figure, Standing

MIXES_MOST = 24  # that are told in words; all are in the JSON


def text(result: Arena) -> str:
    """Tables for a terminal."""
    return "\n".join(_lines(result)) + "\n"


def _lines(result: Arena) -> Iterator[str]:
    counted = "" if result.seats == 2 else f" on {result.count}"
    yield f"{result.games:,} games of {result.game}, {result.seats} seats, {result.deals:,} deals"
    yield f"ratings by {result.method}{counted}, mean {MEAN:.0f}; an even share of wins is {1 / result.seats:.1%}"
    if result.deals < DEALS_LEAST:
        needed = result.games // result.deals * DEALS_LEAST
        yield f"no intervals: they need {DEALS_LEAST} deals, here {needed:,} games"
    else:
        yield "the truth lies between the two ends of an interval in 95 of 100 arenas"
    yield ""
    standings = [
        (bot.bot, *_points(bot.rating), *_share(bot.win_share), f"{bot.mean_score:+.2f}") for bot in result.bots
    ]
    yield from _table("<>>>>>", ("bot", "rating", "", "wins", "", "points"), standings)
    yield ""
    pairs = [(" - ".join(pair.bots), *_share(pair.ahead), *_points(pair.gap, sign="+")) for pair in result.pairs]
    yield from _table("<>>>>", ("pair", "ahead", "", "gap", ""), pairs)
    if result.seats > 2 and len(result.mixes) <= MIXES_MOST:
        yield ""
        mixes = [
            (" + ".join(f"{number} {bot}" for bot, number in mix.seats.items()), bot, *_share(share))
            for mix in result.mixes
            for bot, share in mix.win_share.items()
        ]
        yield from _table("<<>>", ("at one table", "a seat of", "wins", ""), mixes)


def _points(figure: Figure, sign: str = "") -> tuple[str, str]:
    between = "" if figure.low is None else f"{figure.low:{sign}.0f} to {figure.high:{sign}.0f}"
    return f"{figure.value:{sign}.0f}", between


def _share(figure: Figure) -> tuple[str, str]:
    between = "" if figure.low is None else f"{figure.low:.1%} to {figure.high:.1%}"
    return f"{figure.value:.1%}", between


def _table(sides: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in [head, *rows]:
        cells = zip(row, sides, widths, strict=True)
        yield "  ".join(f"{cell:{side}{width}}" for cell, side, width in cells).rstrip()


# --- a drawing --------------------------------------------------------------------------------------------------------

WIDTH, ROW, TOP, MARGIN = 720, 34, 64, 24
LETTER = 8.5  # width of one, about
NAME_MOST = 30  # letters; of a path the end says more
STEPS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


def drawing(result: Arena) -> str:
    """Ratings with their intervals, as SVG."""
    names = [bot.bot if len(bot.bot) <= NAME_MOST else f"…{bot.bot[1 - NAME_MOST :]}" for bot in result.bots]
    left = MARGIN + LETTER * max(map(len, names)) + 16
    right = WIDTH - MARGIN - LETTER * 5
    ends = [end for bot in result.bots for end in _ends(bot)]
    step = next((step for step in STEPS if max(ends) - min(ends) <= 8 * step), STEPS[-1])
    low, high = floor(min(ends) / step) * step, ceil(max(ends) / step) * step
    high = max(high, low + step)

    def x(rating: float) -> float:
        return round(left + (rating - low) / (high - low) * (right - left), 1)

    bottom = TOP + ROW * len(result.bots)
    title = f"{result.game}, {result.seats} seats: {result.games:,} games on {result.deals:,} deals, {result.method}"
    box = f'viewBox="0 0 {WIDTH} {bottom + 40}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} font-family="sans-serif" font-size="15" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{bottom + 40}" fill="#fffdf6"/>',
        f'<text x="{MARGIN}" y="34" font-size="17" fill="#3a2e1f">{escape(title)}</text>',
        '<g font-size="13" fill="#6b5b43" text-anchor="middle">',
    ]
    for rating in range(low, high + 1, step):
        parts += [
            f'<line x1="{x(rating)}" y1="{TOP - 10}" x2="{x(rating)}" y2="{bottom}" stroke="#e4dac2"/>',
            f'<text x="{x(rating)}" y="{bottom + 24}">{rating}</text>',
        ]
    parts.append("</g>")
    for n, (name, bot) in enumerate(zip(names, result.bots, strict=True)):
        y = TOP + ROW * n + ROW // 2
        first, last = _ends(bot)
        parts += [
            f'<text x="{left - 16}" y="{y + 5}" text-anchor="end" fill="#3a2e1f">{escape(name)}</text>',
            f'<path d="M{x(first)} {y - 6}v12m0-6H{x(last)}m0-6v12" stroke="#8a5a00" stroke-width="2" fill="none"/>',
            f'<circle cx="{x(bot.rating.value)}" cy="{y}" r="5" fill="#d98e04"/>',
            f'<text x="{WIDTH - MARGIN}" y="{y + 5}" text-anchor="end" fill="#3a2e1f">{bot.rating.value:.0f}</text>',
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _ends(bot: Standing) -> tuple[float, float]:
    rating = bot.rating
    return (
        rating.value if rating.low is None else rating.low,
        rating.value if rating.high is None else rating.high,
    )
