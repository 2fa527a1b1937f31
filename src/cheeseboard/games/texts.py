"""What happened and what one may do, in words. The words of a game are in its `texts/de.toml` and `texts/en.toml`."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from cheeseboard.games import core
from cheeseboard.games.core import Event, Game

LANGUAGES = ("de", "en")


@cache
def _texts(package: str, language: str) -> dict[str, Any]:
    return tomllib.loads((files(package) / "texts" / f"{language}.toml").read_text("utf-8"))


def texts(game: Game, language: str) -> dict[str, Any]:
    if language not in LANGUAGES:
        raise core.Refusal(f"expected a language ({', '.join(LANGUAGES)}), got {language!r}")
    return _texts(game.__name__.rpartition(".")[0], language)


def sentence(game: Game, language: str, event: Event, names: Sequence[str], you: int = core.NOBODY) -> str:
    """An event as one whole sentence, told to the seat `you`.

    >>> from cheeseboard.games import GAMES
    >>> sentence(GAMES["geier"], "en", Event("taken", 1, core.EMPTY, -5, "GEIER-15"), ["Ida", "Ole"])
    'Ole takes the pot: −5 points.'
    """
    words = texts(game, language)
    forms = words["events"][event.kind]
    person = "you" if event.seat == you and "you" in forms else "they"
    fits = [
        ("_hidden", event.card == core.HIDDEN),
        *(("_minus", event.value < 0), ("_none", event.value == 0), ("_one", abs(event.value) == 1), ("", True)),
    ]
    text = next(forms[person + form] for form, right in fits if right and person + form in forms)
    player = names[event.seat] if 0 <= event.seat < len(names) else ""
    return _filled(text, words["cards"], event.card, player=player, value=f"{event.value}".replace("-", "−"))


def action_name(game: Game, language: str, action: int) -> str:
    """What a player's action does, as the label of a button.

    >>> from cheeseboard.games import GAMES
    >>> action_name(GAMES["geier"], "de", 6)
    'Die 7 bieten'
    """
    words = texts(game, language)
    for span, text in words["actions"].items():
        first, _, last = span.partition("-")
        if int(first) <= action <= int(last or first):
            return _filled(text, words["cards"], action - int(first))
    raise KeyError(f"no words for action {action} of {core.name(game)}")


def choice_name(game: Game, language: str, face: int, stake: int | None = None) -> str:
    """What was chosen, and what for, within a sentence; without a stake only the card.

    >>> from cheeseboard.games import GAMES
    >>> choice_name(GAMES["geier"], "en", 14, 2), choice_name(GAMES["geier"], "en", 14)
    ('the 15 for the 2', '15')
    """
    words = texts(game, language)
    text = words["coach"]["card" if stake is None else "choice"]
    return _filled(text, words["cards"], face, value=f"{stake}".replace("-", "−"))


def kind_name(game: Game, language: str, kind: int) -> str:
    """A kind of card that has to be remembered, or of race.

    >>> from cheeseboard.games import GAMES
    >>> kind_name(GAMES["memento"], "de", 4)
    'Kreise'
    """
    words = texts(game, language)
    return _filled(words["coach"]["kind"], words["cards"], kind)


def _filled(text: str, cards: dict[str, list[str]], card: int, **more: str) -> str:
    """Put the names in: `{player}`, `{value}`, or a list of `[cards]`, which names the card."""
    return re.sub(r"{(\w+)}", lambda hole: more.get(hole[1]) or cards[hole[1]][card], text)
