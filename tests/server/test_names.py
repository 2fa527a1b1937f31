"""Names and messages: everything a person may be called is let in as written, everything that deceives is refused."""

import tomllib
import unicodedata
from importlib.resources import files
from pathlib import Path

import pytest
import regex
from hypothesis import assume, example, given
from hypothesis import strategies as st

from cheeseboard.games.core import Refusal
from cheeseboard.server import phrases
from cheeseboard.server.names import CODE_POINTS, MARKS, checked, free_text, skeleton
from cheeseboard.server.refusals import No

PAYLOADS = tomllib.loads((Path(__file__).parent / "payloads.toml").read_text("utf-8"))
EVERY = [chr(code) for code in range(0x110000)]
# by the standard library's own tables, not by those of the library that the code asks
INVISIBLE = [c for c in EVERY if unicodedata.category(c) in {"Cc", "Cf", "Zl", "Zp"}]
NOWHERE = [chr(c) for c in (0xD800, 0xDFFF, 0xE000, 0xF8FF, 0xFDD0, 0xFFFE, 0xFFFF, 0x378, 0xE0FFF, 0xFFFFD, 0x10FFFF)]
BLANK = [chr(c) for c in (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x2800, 0x3164, 0xFE0F, 0xFFA0, 0xE0100)]

anything = st.text(st.characters(exclude_categories=()), max_size=60)
pieces = st.lists(
    st.sampled_from(
        ["a", "Z", "я", " ", "  ", "\u3000", "\u0301", "\u0e49", "\u200d", "\ufe0f", "\u202e", "👩", "🏽", "❤", "葛"]
    )
    | st.characters(),
    max_size=30,
).map("".join)


def refusal(check, text):
    """How it was refused; it must say so without carrying the trick further."""
    with pytest.raises(No) as caught:
        check(text)
    says = str(caught.value)
    assert isinstance(caught.value, Refusal)
    assert says.startswith("expected a ")
    assert "got " in says
    assert says.isascii()
    assert says.isprintable()
    assert len(says) < 1000
    assert caught.value.status == 400
    assert set(phrases.REFUSALS[caught.value.code]) == {"de", "en"}
    return caught.value.code


@pytest.mark.parametrize("text", PAYLOADS["verbatim"])
def test_code_is_only_text(text):
    """Escaping is the screen's duty: escaped here, it would show up as &lt; everywhere else."""
    assert free_text(text) == text
    if len(text) <= 20:
        assert checked(text) == text
    else:
        assert refusal(checked, text) == "name-too-long"


@pytest.mark.parametrize("text", PAYLOADS["links"])
def test_links_are_refused(text):
    assert refusal(free_text, text) == "chat-link"
    assert refusal(free_text, f"Schau mal: {text} !") == "chat-link"


@pytest.mark.parametrize("text", PAYLOADS["no_links"])
def test_a_full_stop_is_no_link(text):
    assert free_text(text) == text


@pytest.mark.parametrize("text", PAYLOADS["marks"])
def test_towers_are_refused(text):
    assert refusal(checked, text) == "name-marks"
    assert refusal(free_text, text) == "chat-marks"


@pytest.mark.parametrize("name", PAYLOADS["names"])
def test_people_may_be_called_what_they_are_called(name):
    assert checked(name) == unicodedata.normalize("NFC", name)
    assert free_text(name) == checked(name)
    assert skeleton(name)


@pytest.mark.parametrize("character", INVISIBLE + NOWHERE + BLANK, ids=ascii)
def test_what_cannot_be_seen_is_refused(character):
    for text in (character, f"I{character}da", f"Ida{character}", f"{character}Ida", f"{character}\u05d0b"):
        assert refusal(checked, text) == "name-character"
        assert refusal(free_text, text) == "chat-character"


@pytest.mark.parametrize(
    "text",
    [
        "\u200d",
        "👩\u200d",
        "\u200d👩",
        "👩\u200d\u200d👩",
        "👩\u200da",
        "a\u200d👩",
        "❤\ufe0f\ufe0f",
        "a\ufe0f",
        "a\U000e0100",
    ],
)
def test_joiners_only_join(text):
    assert refusal(checked, text) == "name-character"


def test_the_refusal_names_the_character():
    with pytest.raises(No, match=r"got 'Ida\\u202e' with U\+202E RIGHT-TO-LEFT OVERRIDE"):
        checked("Ida\u202e")
    with pytest.raises(No, match=r"with U\+0007$"):
        checked("\a")


def test_spaces():
    assert checked("  Ida \u00a0\u3000 Maus\u2003") == "Ida Maus"
    assert refusal(checked, "") == "name-empty"
    assert refusal(checked, " \u00a0 ") == "name-empty"
    assert refusal(free_text, " ") == "chat-empty"


@pytest.mark.parametrize("one", ["a", "e\u0301", "👨‍👩‍👧‍👦", "🇩🇪", "ที่", "x\u0301\u0302\u0303\u0304"])
def test_length_is_counted_as_people_count(one):
    assert checked(one * 20) == unicodedata.normalize("NFC", one * 20)
    assert refusal(checked, one * 21) == "name-too-long"
    assert free_text(one * 200) == unicodedata.normalize("NFC", one * 200)
    assert refusal(free_text, one * 201) == "chat-too-long"
    assert checked("Ida", longest=3) == "Ida"
    assert refusal(lambda text: checked(text, longest=2), "Ida") == "name-too-long"


def test_a_huge_text_is_refused_briefly():
    refusal(free_text, "🐭" * 100_000)
    refusal(free_text, "a\u0301" * 1 + "\u0301" * 100_000)


@given(anything | pieces)
@example("\u1100" * 9 + "\uac00")
@example("e\u0301")
def test_whatever_comes_is_fit_or_refused(text):
    for check, longest in ((checked, 20), (free_text, 200)):
        try:
            kept = check(text)
        except No:
            refusal(check, text)
            continue
        characters = regex.findall(r"\X", kept)
        assert 1 <= len(characters) <= longest
        assert all(sum(unicodedata.category(c)[0] == "M" for c in one) <= MARKS for one in characters)
        assert all(len(one) <= CODE_POINTS for one in characters)
        assert unicodedata.is_normalized("NFC", kept)
        assert kept.strip() == kept
        assert "  " not in kept
        assert not {c for c in kept if c != "\u200d"} & {*INVISIBLE, *NOWHERE}
        assert kept.encode()  # and so no surrogates
        assert kept.split() == unicodedata.normalize("NFC", text).split()  # nothing but spaces has changed
        assert check(kept) == kept
        assert skeleton(kept)


@given(pieces)
def test_what_a_message_may_hold_a_name_may_hold_too(text):
    """Links aside, they differ in length only."""
    try:
        kept = free_text(text)
    except No as no:
        assume(no.code != "chat-link")
        with pytest.raises(No):
            checked(text)
    else:
        assert checked(text, longest=200) == kept


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ida", "ida"), ("Ida", "lda"), ("Ida", "1da"), ("Ida", "|da"), ("Ida", "Idа"), ("Ida", "Ιda"),
        ("Ida", "Ｉｄａ"), ("Ida", "𝓘𝓭𝓪"), ("Ida", "Ⓘⓓⓐ"), ("Ole", "0le"), ("Ole", "Оlе"), ("OLE", "οle"),
        ("Otto", "0tt0"), ("Anna", "ΑΝNA"), ("Paco", "Расо"), ("HANNE", "НΑΝΝЕ"), ("Max", "Мах"), ("Tom", "Тоm"),
        ("Zoë", "Zoё"), ("Zoë", "zoe\u0308"), ("Emma", "Ernma"), ("Wim", "VVim"), ("Strauß", "STRAUSS"),
        ("❤️", "❤"), ("葛", "葛\U000e0100"), ("Vera", "νera"), ("Tim", "Тім"), ("ﬁn", "fin"), ("Ⅳ", "IV"),
        ("İda", "i\u0307da"), ("Kim", "\u212aim"), ("Ёж", "ёж"), ("жук", "ЖУК"), ("λόγια", "ΛΌΓΙΑ"),
    ],
)  # fmt: skip
def test_what_looks_alike_is_the_same_name(one, other):
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ida", "Ina"), ("Ole", "Olaf"), ("Zoe", "Zoë"), ("Mia", "Mila"), ("Müller", "Muller"), ("Ida", "Ida 2"),
        ("Анна", "Инна"), ("小明", "小红"), ("🐭", "🧀"), ("Papa", "Mama"), ("Jan", "Jana"), ("I da", "Ida"),
        ("👩", "👨"),
    ],
)  # fmt: skip
def test_what_looks_different_is_not(one, other):
    assert skeleton(one) != skeleton(other)


@given(st.text(max_size=30))
def test_a_skeleton_does_not_depend_on_how_it_was_typed(name):
    assert skeleton(unicodedata.normalize("NFC", name)) == skeleton(unicodedata.normalize("NFD", name))


def test_case_does_not_count():
    """Except for two Greek letters whose capital looks like one Latin letter and whose small form like another."""
    for code in (*range(0x180), *range(0x370, 0x530)):
        letter = chr(code)
        if not set(unicodedata.normalize("NFD", letter)) & set("ΝνΥυ"):
            assert skeleton(letter.upper()) == skeleton(letter.lower()) == skeleton(letter)


def test_the_table_of_lookalikes_is_unambiguous():
    alike = tomllib.loads((files("cheeseboard.server") / "names.toml").read_text("utf-8"))["alike"]
    others = "".join(alike.values())
    assert len(others) == len(set(others))
    assert all(len(letter) == 1 and letter.isascii() for letter in alike)
