"""Does the ping decide who was first? Equal paws at the ends of unequal lines, a referee, and who wins how often.

    python bench/slaps.py                  everything; ends with an error if anything is not as promised
    python bench/slaps.py lines --races 20000

lines    every line against the quickest, by several ways of ordering, and how long the verdict takes
pairs    every pair of lines up to 150 ms
screens  60 pictures a second against 144
attacks  what devices that lie gain, by both presets

Humans react as humans do (ex-Gaussian, in a task of go or no go), see the mouse when their screen next paints, and slap
over a line that is uneven and loses packets. The house pings once a second over the same line, carries budgets on from
slap to slap, and closes a race when nobody else can be first any more. The formula is the referee's own, as machine
code; the ways of ordering that are known from elsewhere are counted in the same races."""

import argparse
import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cheeseboard.bots.dice import chance
from cheeseboard.games.compiled import machine_code
from cheeseboard.referee import PRESETS, Terms, closing, weigh

RACES = 200_000
PACE = 3  # pings between two races: a mouse every three seconds
LATELY = 20  # pings that tell how long the way is
KERNEL_EXTRA = 5.0  # as in `referee.way`
HEAT = 8.0
MU, SIGMA, TAU = 330.0, 40.0, 60.0  # of a human paw
RTO = 200.0  # what a lost packet costs beyond another way there and back, where nothing else is under way
HONEST, MOST, ALMOST, CAREFUL = range(4)  # what a device claims

SIDE = np.dtype(
    [
        ("trip", "f8"),  # there and back, without unevenness
        ("jitter", "f8"),  # mean of what is added each way
        ("loss", "f8"),  # share of packets lost, each way
        ("picture", "f8"),  # time between two pictures of the screen
        ("claims", "i8"),
        ("late", "f8"),  # how much later than it could the device answers pings
        ("later", "f8"),  # the same for every other ping
        ("bound", "i8"),  # whether the kernel knows the other end
        ("trusted", "i8"),
    ]
)
TERMS = np.dtype(
    [
        (name, "f8")
        for name in (
            "cap",
            "cap_unbound",
            "render",
            "least",
            "most",
            "budget",
            "gain",
            "full",
            "spikes",
            "unclaimed",
            "floor",
        )
    ]
)


class Line(NamedTuple):
    trip: float
    jitter: float
    loss: float


LINES = {
    "lan": Line(2, 0.1, 0),
    "fibre": Line(15, 1, 0.0005),
    "wifi": Line(30, 4, 0.003),
    "cable": Line(60, 5, 0.002),
    "4g": Line(90, 12, 0.005),
    "far": Line(150, 6, 0.002),
    "bad": Line(220, 20, 0.01),
}
FAIR = tuple(LINES)[:-1]  # up to 150 ms: what we answer for
ORDERS = ("arrival", "minus half the ping", "minus the ping", "ours", "ours, heats drawn")

# --- what is compiled -----------------------------------------------------------------------------------------------


def one_way(side: Any, dice: Any) -> float:
    """A gamma of shape 2 on top of the bare way; what is lost is sent again after a while, and all behind it waits."""
    ms: float = side.trip / 2 - side.jitter / 2 * math.log((1 - chance(dice)) * (1 - chance(dice)))
    if chance(dice) < side.loss:
        ms += side.trip + RTO
    return ms


def reaction(dice: Any) -> float:
    bell = math.sqrt(-2 * math.log(1 - chance(dice))) * math.cos(2 * math.pi * chance(dice))
    return MU + SIGMA * bell - TAU * math.log(1 - chance(dice))


def tenths(ms: float) -> float:
    return math.floor(ms * 10) / 10


def ping(side: Any, dice: Any, way: Any, number: int) -> None:
    """`way`: the last pings; behind them the shortest way the kernel has ever seen, and the number of pings."""
    ms = one_way(side, dice) + one_way(side, dice)
    way[LATELY] = min(way[LATELY], ms)
    way[number % LATELY] = ms + (side.later if number % 2 else side.late)


def measured(way: Any) -> tuple[float, float]:
    """The shortest of the last pings, and the third longest of twenty: nine of ten are at most as long."""
    least, most, second, third = math.inf, 0.0, 0.0, 0.0
    for ms in way[:LATELY]:
        least = min(least, ms)
        third = max(third, min(second, ms))
        second = max(second, min(most, ms))
        most = max(most, ms)
    return least, third


def slap(side: Any, terms: Any, dice: Any, way: Any, budget: float, bold: bool) -> Any:
    """One paw: when it came in, its score, what could have been taken off, the budget after it, the way as the house
    knows it, how much quicker it counts than it was, and whether all that can be defended was claimed."""
    least, long = measured(way)
    jitter = min(max(long - least, terms.least), terms.most)
    trip = min(least, way[LATELY] + KERNEL_EXTRA) if side.bound else least
    cap = terms.cap if side.bound else terms.cap_unbound
    base = min(cap, trip + terms.render + jitter)
    paint = one_way(side, dice) + side.picture * (
        1 + chance(dice)
    )  # the next one draws it, the one after it tells that it was shown
    paw = paint + reaction(dice)
    elapsed = paw + one_way(side, dice)
    claim = tenths(paw) - tenths(paint)
    if side.claims == MOST or (side.claims == ALMOST and bold):
        claim = 0.0
    elif side.claims != HONEST:
        claim = min(claim, elapsed - base + 1)
    _, allow, _, left, score = weigh(
        elapsed,
        claim if side.trusted else -1.0,
        trip,
        jitter,
        budget,
        0.0,
        cap,
        terms.render,
        terms.spikes,
        terms.unclaimed,
        terms.gain,
        terms.full,
        terms.floor,
    )
    return elapsed, score, allow, left, trip, paw - paint - score, elapsed - claim >= base


def run(sides: Any, terms: Any, races: int, dice: Any, wins: Any, delays: Any, gains: Any, pegs: Any) -> int:
    """So many races of two. `wins` of the first by each order, how long each verdict took, what the first gained by
    its claims, and in how many of its last twenty slaps it claimed all that can be defended. Returns how many slaps
    came after closing time and would have counted."""
    ways = np.full((2, LATELY + 1), math.inf)
    budget = np.full(2, terms.budget)
    arrival, score, left, allow, trip = np.zeros(2), np.zeros(2), np.zeros(2), np.zeros(2), np.zeros(2)
    pegged = np.zeros(LATELY, np.int64)
    pings, missed, judged, peg = 0, 0, 0, False
    for race in range(races):
        for _ in range(PACE if race else LATELY):
            for i in range(2):
                ping(sides[i], dice, ways[i], pings)
            pings += 1
        bold = judged % LATELY >= 2
        for i in range(1, -1, -1):  # the first at last: its gain and peg are noted
            arrival[i], score[i], allow[i], left[i], trip[i], gains[race], peg = slap(
                sides[i], terms, dice, ways[i], budget[i], bold
            )
        quick = int(arrival[1] < arrival[0])
        slow = 1 - quick
        due = closing(0.0, score[quick], allow[slow], HEAT)
        late = arrival[slow] > due
        missed += int(late and score[slow] <= score[quick] + HEAT)
        winner = slow if score[slow] < score[quick] else quick
        delays[race] = (due if late else arrival[slow]) - arrival[winner]
        budget[quick] = left[quick]
        if not late:
            budget[slow] = left[slow]
        if quick == 0 or not late:
            pegged[judged % LATELY] = peg
            judged += 1
            pegs[0] = max(pegs[0], pegged.sum())
        heads = int(chance(dice) < 0.5)
        wins[0] += int(arrival[0] < arrival[1])
        wins[1] += int(arrival[0] - trip[0] / 2 < arrival[1] - trip[1] / 2)
        wins[2] += int(arrival[0] - trip[0] < arrival[1] - trip[1])
        wins[3] += int(winner == 0)
        wins[4] += heads if abs(score[0] - score[1]) <= HEAT else int(winner == 0)
    return missed


# --- asking ---------------------------------------------------------------------------------------------------------


class Side(NamedTuple):
    """Somebody at the end of a line."""

    line: str
    hertz: float = 60.0
    claims: int = HONEST
    late: float = 0.0
    later: float = 0.0
    bound: bool = True
    trusted: bool = True


class Outcome(NamedTuple):
    shares: tuple[float, ...]  # of the first, by each of ORDERS, in percent
    delays: NDArray[np.float64]  # from the winner's slap to the verdict
    gains: NDArray[np.float64]  # of the first: by how much it counts as faster than it was
    pegged: int  # of twenty slaps of the first in succession, at most
    missed: int  # slaps after closing time that would have been first or in the heat: none


def races(one: Side, other: Side, number: int = RACES, preset: str = "friends", seed: int = 1) -> Outcome:
    terms = terms_of(PRESETS[preset])
    sides = np.array([_row(side) for side in (one, other)], SIDE)
    wins, delays, gains, pegs = (
        np.zeros(len(ORDERS), np.int64),
        np.zeros(number),
        np.zeros(number),
        np.zeros(1, np.int64),
    )
    dice = np.array([seed], np.uint64)
    missed = machine_code(run)(sides, terms, number, dice, wins, delays, gains, pegs)
    return Outcome(tuple((100 * wins / number).tolist()), delays, gains, int(pegs[0]), missed)


def _row(side: Side) -> tuple[float, ...]:
    line = LINES[side.line]
    late, later = side.late, max(side.late, side.later)
    return (*line, 1000 / side.hertz, side.claims, late, later, side.bound, side.trusted)


def terms_of(terms: Terms) -> Any:
    start, gain, full = terms.budget
    row = (
        terms.cap,
        terms.cap_unbound,
        terms.render,
        *terms.jitter,
        start,
        gain,
        full,
        terms.spikes,
        terms.unclaimed,
        terms.floor,
    )
    return np.array([row], TERMS)[0]


# --- attacks --------------------------------------------------------------------------------------------------------


class Gain(NamedTuple):
    """What an attack may gain at most: milliseconds in the mean and at once, and races won, in percent."""

    mean: float
    once: float
    share: float


CHEAT = Side("fibre")
UNEVEN = CHEAT._replace(late=5.0, later=40.0)  # pongs: the shortest way 5 ms longer, every other 35 ms beyond that
ATTACKS: dict[str, tuple[Side, Gain]] = {
    "honest": (CHEAT, Gain(0, 2.5, 50.1)),
    "claims the most, always": (CHEAT._replace(claims=MOST), Gain(12.6, 40, 55.6)),
    "claims the most, 18 of 20 times": (CHEAT._replace(claims=ALMOST), Gain(12.6, 40, 55.6)),
    "and answers pings 100 ms late": (CHEAT._replace(claims=MOST, late=100), Gain(34.5, 62, 65.1)),
    "and answers pings 300 ms late": (CHEAT._replace(claims=MOST, late=300), Gain(34.5, 62, 65.1)),
    "and answers pings unevenly": (UNEVEN._replace(claims=MOST), Gain(34.5, 62, 65.1)),
    "100 ms late, no kernel to tell": (CHEAT._replace(claims=MOST, late=100, bound=False), Gain(112.6, 140, 88.2)),
    "300 ms late, no kernel to tell": (CHEAT._replace(claims=MOST, late=300, bound=False), Gain(112.6, 140, 88.2)),
    "careful": (CHEAT._replace(claims=CAREFUL), Gain(9.1, 21, 54.3)),
    "careful, answers pings unevenly": (UNEVEN._replace(claims=CAREFUL), Gain(31.0, 42, 63.6)),
    # whoever has a quick screen and says that it is a slow one gains the difference too; nobody can tell from afar
    "claims the most, quick screen": (CHEAT._replace(claims=MOST, hertz=144), Gain(28, 50, 62.5)),
    "careful, quick screen": (CHEAT._replace(claims=CAREFUL, hertz=144), Gain(25, 46, 61.0)),
    "careful, unevenly, quick screen": (UNEVEN._replace(claims=CAREFUL, hertz=144), Gain(46, 53, 69.5)),
}
UNTRUSTED = Gain(4.1, 15, 51.9)  # any of them once its claims are not believed any more, if the kernel tells the way
UNTRUSTED_QUICK = Gain(19, 25, 58.5)
RANKED = {"careful, answers pings unevenly": Gain(19.0, 40, 58.5)}  # tighter than for friends


class Attack(NamedTuple):
    name: str
    preset: str
    trusted: bool
    gained: Gain
    most: Gain
    pegged: int

    @property
    def held(self) -> bool:
        return all(gained <= most for gained, most in zip(self.gained, self.most, strict=True))


def attacks(number: int = RACES) -> Iterator[Attack]:
    for preset in ("friends", "ranked"):
        for name, (side, usual) in ATTACKS.items():
            for trusted in (True, False):
                most = RANKED.get(name, usual) if preset == "ranked" else usual
                if not trusted and side.bound:
                    most = UNTRUSTED_QUICK if side.hertz > 60 else UNTRUSTED
                outcome = races(side._replace(trusted=trusted), CHEAT, number, preset)
                gained = Gain(float(outcome.gains.mean()), float(outcome.gains.max()), outcome.shares[3])
                yield Attack(name, preset, trusted, gained, most, outcome.pegged)


# --- telling --------------------------------------------------------------------------------------------------------


def tell_lines(number: int) -> Iterator[str]:
    print(f"\nthe quickest line wins so many of 100 races ({number:,} each); verdict so long after the winner's slap\n")
    print(f"| against | {' | '.join(ORDERS)} | verdict p50 | p99 |")
    print("|---" * (len(ORDERS) + 3) + "|")
    limits = {"lan": 60.0, "far": 250.0}
    for line in LINES:
        outcome = races(Side("lan"), Side(line), number)
        half, most = np.percentile(outcome.delays, [50, 99])
        print(f"| {line} | {' | '.join(f'{share:.1f}' for share in outcome.shares)} | {half:.0f} | {most:.0f} |")
        if outcome.missed:
            yield f"{line}: {outcome.missed} slaps came after closing time and would have counted"
        if most > limits.get(line, math.inf):
            yield f"{line}: verdict after {most:.0f} ms"


def tell_pairs(number: int) -> Iterator[str]:
    print("\nall pairs: races won by the first, of 100; in brackets by arrival; by the preset ranked\n")
    for one, other in combinations(FAIR, 2):
        friends, ranked = (races(Side(one), Side(other), number, preset) for preset in ("friends", "ranked"))
        print(f"{one:>6} {other:6} {friends.shares[3]:5.2f} ({friends.shares[0]:.1f})  {ranked.shares[3]:5.2f}")
        if abs(friends.shares[3] - 50) > 1 or friends.missed:
            yield f"{one} against {other}: {friends.shares[3]:.2f} %, {friends.missed} missed"


def tell_screens(number: int) -> Iterator[str]:
    print("\n60 pictures a second against 144; in brackets by arrival\n")
    for line in FAIR:
        outcome = races(Side(line, 60), Side(line, 144), number)
        print(f"{line:>6} {outcome.shares[3]:5.2f} ({outcome.shares[0]:.1f})")
        if abs(outcome.shares[3] - 50) > 1:
            yield f"screens on {line}: {outcome.shares[3]:.2f} %"


def tell_attacks(number: int) -> Iterator[str]:
    print("\nwhat a liar on fibre gains against an equal; in brackets what it may\n")
    for attack in attacks(number):
        (mean, once, share), most = attack.gained, attack.most
        what = f"{attack.preset:8}{'' if attack.trusted else 'not believed: '}{attack.name}"
        print(
            f"{what:62}{mean:6.1f} ms ({most.mean}), once {once:.1f} ({most.once}), wins {share:.1f} % ({most.share})"
        )
        if not attack.held:
            yield f"{what}: {attack.gained}"


PARTS = {"lines": tell_lines, "pairs": tell_pairs, "screens": tell_screens, "attacks": tell_attacks}


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", help=", ".join(PARTS))
    parser.add_argument("--races", type=int, default=RACES)
    args = parser.parse_args(words)
    wrong = [text for part in args.parts or PARTS for text in PARTS[part](args.races)]
    if wrong:
        raise SystemExit("\nnot as promised:\n" + "\n".join(wrong))


if __name__ == "__main__":
    main()
