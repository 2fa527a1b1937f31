"""What one can say at a table without typing: phrases and emotes, known by id, in every language of the house.

Only the id goes over the wire, so everybody reads it in their own language. Nothing in here can hurt anybody: it is
all that is ever said at a table where free text is off. `REFUSALS` are the answers to a name or a text that does not
fit, by the code of the refusal."""

import tomllib
from importlib.resources import files
from typing import Any, NamedTuple

from cheeseboard.games.texts import LANGUAGES

Texts = dict[str, str]  # language -> text


class Emote(NamedTuple):
    emoji: str
    names: Texts  # for those who hear the screen


def _read(file: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "phrases" / f"{file}.toml").read_text("utf-8"))


_words = {language: _read(language) for language in LANGUAGES}


def _texts(section: str) -> dict[str, Texts]:
    ids = _words[LANGUAGES[0]][section]
    return {id_: {language: _words[language][section][id_] for language in LANGUAGES} for id_ in ids}


PHRASES = _texts("phrases")
EMOTES = {id_: Emote(emoji, _texts("emotes")[id_]) for id_, emoji in _read("emotes").items()}
REFUSALS = _texts("refusals")


def known(id_: str) -> bool:
    """Whether somebody can say this.

    >>> known("mouse-luck"), known("cheese"), known("Hello!")
    (True, True, False)
    """
    return id_ in PHRASES or id_ in EMOTES
