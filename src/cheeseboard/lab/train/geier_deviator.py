"""Three players: how much is to be gained by somebody who knows exactly how two elephants mix their bids?

What can be had on top of what the elephants believe is learnt as their own nets are, from the end backwards: one of the
three always bids what is best against the mixes of the others. What this deviator wins in real games, above a third,
is a lower bound of how far the elephant is from an equilibrium."""

from pathlib import Path
from typing import Any

import numpy as np

from cheeseboard.bots.geier import drawn
from cheeseboard.bots.geier_course import follow, room_for
from cheeseboard.bots.geier_many import EXACT, position
from cheeseboard.bots.geier_nets import CARRY, MOST, TOP_LYING, asked, buffers_for, even_out, guessed, inputs, net_of
from cheeseboard.bots.geier_rounds import many
from cheeseboard.bots.geier_two import Floats, best_mouse
from cheeseboard.games import GAMES, core
from cheeseboard.games.compiled import machine_code
from cheeseboard.games.core import State, members
from cheeseboard.lab.train.fitting import Net, fit
from cheeseboard.lab.train.geier_many import see
from cheeseboard.lab.train.telling import tell, teller
from cheeseboard.table import Table

GEIER = GAMES["geier"]
PLAYERS = 3
HIDDEN = (64, 32)


def tempt(
    hands: Any, scores: Any, tops: Any, values: Any, pot: int, mouse: int, facts: Any, mixes: Any, me: int, net: Any,
    more: Any, worths: Any,
) -> None:  # fmt: skip
    """What each of my cards is worth against these mixes, if I deviate in the rounds to come as well."""
    n, k = hands.shape
    hands_then, scores_then, tops_then, then = room_for(n, k - 1)
    bids, shares = np.zeros(n, np.int64), np.zeros(n)
    buffers, buffers_more = buffers_for(net), buffers_for(more)
    worths[:] = 0.0
    for joint in range(k**n):
        code, share = joint, 1.0
        for who in range(n):
            bids[who] = code % k
            code //= k
            if who != me:
                share *= mixes[who, bids[who]]
        if share > 0:
            follow(hands, scores, tops, bids, pot, mouse, facts, hands_then, scores_then, tops_then, then)
            for who in range(n):
                shares[who] = guessed(hands_then, scores_then, tops_then, values, then, who, net, buffers)
            even_out(shares)
            worth = shares[me]
            if len(more[0]) > 1:
                worth += asked(hands_then, scores_then, tops_then, values, then, me, more, buffers_more)
            worths[bids[me]] += share * worth


def gains(
    hands: Any, scores: Any, tops: Any, rest: Any, pots: Any, mice: Any, facts: Any, values: Any, before: Any,
    mixes: Any, net: Any, above: Any, more: Any, found: Any,
) -> None:  # fmt: skip
    """What each could have on top of what the elephants believed before the prize was turned (by their net `above`)."""
    _, n, k = hands.shape
    worths, believed, buffers = np.empty(k), np.empty(n), buffers_for(above)
    for row in range(len(hands)):
        for me in range(n):
            believed[me] = guessed(hands[row], scores[row], tops[row], values[row], before[row], me, above, buffers)
        even_out(believed)
        for me in range(n):
            tempt(hands[row], scores[row], tops[row], rest[row], pots[row], mice[row], facts[row], mixes[row], me, net,
                  more, worths)  # fmt: skip
            found[row, me] = worths.max() - believed[me]


def walked(games: int, rounds: int, seed: int, say: Any) -> dict[int, list[Any]]:
    """Rounds of games among elephants, one of whom bids anything now and then, by cards left: what `gains` asks for."""
    rows: dict[int, list[Any]] = {}
    for number in range(games):
        rng, table = np.random.default_rng([seed, number]), Table(GEIER, PLAYERS, np.random.default_rng([seed, number]))
        wild, left = rng.random(), (1 << table.state.cards) - 1
        while core.count(table.state.hand[0]) > EXACT[PLAYERS]:
            view = table.view(core.NOBODY)  # between the bids nothing is hidden
            mixes, turned = many(view, rounds).mixes, members(left & ~view.left)[0]
            left = view.left
            at = position(view)
            values, before = np.sort(np.append(at[3], view.prizes[turned])), at[6].copy()
            before[CARRY] = view.pot - view.prizes[turned]
            before[TOP_LYING] = best_mouse(view, view.lying & ~(1 << turned)) * view.ranking
            rows.setdefault(len(values), []).append((*at, values, before, mixes))
            for seat in range(PLAYERS):
                anything = seat == number % PLAYERS and rng.random() < wild
                card = rng.choice(table.legal(seat)) if anything else drawn(GEIER, view, seat, mixes[seat], rng)
                table.play(seat, int(card))
        say(number / games)
    return {k: [np.array(column) for column in zip(*stage, strict=True)] for k, stage in rows.items()}


def learnt(folder: Path, games: int, epochs: int, rounds: int, seed: int) -> dict[int, Net]:
    """The nets of what is to be gained, by cards left. `rounds`: how long the elephants think."""
    path = folder / f"nets-{games}.npz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        say = teller("deviator")
        stages = walked(games, rounds, seed, say)
        nets: dict[int, Net] = {}
        for k in range(EXACT[PLAYERS] + 1, MOST + 1):
            hands, scores, tops, *_, values, before, _ = stages[k]
            found = np.empty((len(hands), PLAYERS))
            known = (net_of(PLAYERS, k - 1), net_of(PLAYERS, k), tuple(nets.get(k - 1, nothing())))
            machine_code(gains)(*stages[k], *known, found)
            seen = np.empty((found.size, inputs(PLAYERS, k)), np.float32)
            machine_code(see)(hands, scores, tops, values, before, seen)
            none, rng = np.zeros(len(seen), np.int64), np.random.default_rng([seed, k])
            goal = found.ravel()
            nets[k], off = fit(seen, none, goal, rng, say, epochs=epochs, hidden=HIDDEN, bounded=False, paired=False)
            tell(f"{k} cards: gain {found.mean():.4f}, spread {found.std():.4f}, error {off:.4f}")
        kept: dict[str, Any] = {f"{k}-{n}": w for k, net in nets.items() for n, w in enumerate(net)}
        np.savez(path, **kept)
    with np.load(path) as stored:
        cards = sorted({int(label.split("-")[0]) for label in stored.files})
        return {k: [stored[f"{k}-{n}"] for n in range(5)] for k in cards}


def nothing() -> Net:
    empty = (np.zeros((1, 1), np.float32), np.zeros(1, np.float32))
    return [*empty, *empty, empty[1]]


def deviation(view: State, seat: int, mixes: Floats, nets: dict[int, Net]) -> Floats:
    """What each card of the seat is worth to it, the others bidding by these mixes."""
    at = position(view)
    k = at[0].shape[1]
    worths = np.zeros(k)
    more = tuple(nets.get(k - 1, nothing()))
    machine_code(tempt)(*at, mixes, seat, net_of(view.seats, k - 1), more, worths)
    return worths
