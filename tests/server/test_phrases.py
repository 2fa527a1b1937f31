"""What can be said without typing: complete in every language, kind, and safe to show."""

import re
import tomllib
from importlib.resources import files

import pytest

from cheeseboard.games.texts import LANGUAGES
from cheeseboard.server import names, phrases
from cheeseboard.server.messages import Say
from cheeseboard.server.phrases import EMOTES, PHRASES, REFUSALS, known

FILES = {
    name: tomllib.loads((files("cheeseboard.server") / "phrases" / f"{name}.toml").read_text("utf-8"))
    for name in (*LANGUAGES, "emotes")
}
SECTIONS = ("phrases", "emotes", "refusals")


@pytest.mark.parametrize("section", SECTIONS)
def test_languages_have_the_same_ids(section):
    for language in LANGUAGES:
        assert set(FILES[language]) == set(SECTIONS)
        assert list(FILES[language][section]) == list(FILES[LANGUAGES[0]][section])


def test_every_emote_has_a_picture_and_a_name():
    assert list(FILES["emotes"]) == list(FILES["de"]["emotes"]) == list(EMOTES)
    assert len(EMOTES) == 12
    assert len({emote.emoji for emote in EMOTES.values()}) == 12
    for emote in EMOTES.values():
        assert len(names.checked(emote.emoji)) <= 2  # one picture, perhaps with a selector
        assert set(emote.names) == set(LANGUAGES)
        assert not emote.emoji.isascii()


@pytest.mark.parametrize("id_", [*PHRASES, *EMOTES, *REFUSALS])
def test_ids_are_kebab_case(id_):
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", id_)


def test_ids_are_known_and_fit_on_the_wire():
    assert len(PHRASES) >= 24
    assert not set(PHRASES) & set(EMOTES)
    most = next(meta.max_length for meta in Say.__annotations__["phrase"].__metadata__)
    for id_ in (*PHRASES, *EMOTES):
        assert known(id_)
        assert len(id_) <= most
    for stranger in ("", "HELLO", "hello ", "chat-link", "phrases"):
        assert not known(stranger)


@pytest.mark.parametrize("texts", [PHRASES, REFUSALS, {id_: emote.names for id_, emote in EMOTES.items()}])
def test_texts_are_what_a_person_could_have_written(texts):
    for text in texts.values():
        assert set(text) == set(LANGUAGES)
        assert len(set(text.values())) == len(LANGUAGES) or len(text["de"]) < 6, "not translated"
        for words in text.values():
            assert names.free_text(words) == words
    for language in LANGUAGES:
        assert len({text[language] for text in texts.values()}) == len(texts), "said twice"


def test_german_says_du():
    for section in SECTIONS:
        for text in FILES["de"][section].values():
            assert not re.search(r"\b(Sie|Ihnen|Ihre?[nmrs]?)\b", text)


def test_the_refusals_are_those_of_names():
    source = (files("cheeseboard.server") / "names.py").read_text("utf-8")
    kinds = set(re.findall(r'No\(\s*f?"(\{kind\}|chat)-([a-z-]+)"', source))
    codes = {f"{who}-{why}" for kind, why in kinds for who in (("name", "chat") if kind == "{kind}" else (kind,))}
    assert codes == set(phrases.REFUSALS)
