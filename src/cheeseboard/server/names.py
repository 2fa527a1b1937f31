"""What people call themselves and what they write to each other.

Any script and any emoji is welcome, and what is let in is kept as it was written: `<b>` is a fine name, and to show it
as text is the screen's duty. Turned away is what deceives the eye or breaks a line: characters that cannot be seen or
turn the direction of writing, and towers of marks. A refusal shows what came in ASCII only, so it carries no trick."""

import tomllib
import unicodedata
from importlib.resources import files

import regex

from cheeseboard.server import limits
from cheeseboard.server.refusals import No

MARKS = 4  # on one letter: enough for every living script
CODE_POINTS = 10  # in one character: two people of two colours kissing; joined endlessly, a crowd would count as one
SHOWN = 40

_data = tomllib.loads((files(__package__) / "names.toml").read_text("utf-8"))
_alike = str.maketrans({other: letter for letter, others in _data["alike"].items() for other in others})

# Cannot be seen, or act on what stands around them; U+2800 and U+FFFC are blanks that Unicode counts as symbols.
_banned = regex.compile(r"[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\uFFFC]")
# Cannot be seen either, but these make one emoji of several, choose its look, or choose the form of an ideograph.
_joiners = regex.compile(
    r"(?<=\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)\u200D(?=\p{Extended_Pictographic})"
    r"|(?<=\p{Emoji})[\uFE0E\uFE0F]"
    r"|(?<=\p{Han})[\uFE00-\uFE02\U000E0100-\U000E01EF]"
)
_ignorable = regex.compile(r"\p{Default_Ignorable_Code_Point}")
_spaces = regex.compile(r"\p{Zs}+")
_characters = regex.compile(r"\X")
_mark = regex.compile(r"\p{M}")
_stray = regex.compile(r"(?:^| )\p{M}")  # on nothing: it would land on whatever the screen shows before it
_link = regex.compile(
    rf"""
      \w://                                         # any scheme
    | \bhttps?:
    | \bwww[.。]
    | \w[.。]\p{{L}}[\w-]*\w(?::\d+)?/              # something.tld/...
    | \w[.。](?:{"|".join(_data["links"]["ends"])})\b
    | \w@[\w-]+[.。]\w                              # a mail address
    | \b\d{{1,3}}(?:\.\d{{1,3}}){{3}}\b             # an address in numbers
    """,
    regex.VERBOSE,
)


def checked(name: str, longest: int = limits.DEFAULT.name_characters) -> str:
    r"""A name as it is kept: NFC, no spaces around it, single ones inside.

    >>> checked("  Käpt'n   Maus 🐭")
    "Käpt'n Maus 🐭"
    >>> checked("I" + chr(0x200B) + "da")
    Traceback (most recent call last):
    cheeseboard.server.refusals.No: expected a name of visible characters, got 'I\u200bda' with U+200B ZERO WIDTH SPACE
    """
    return _fit("name", name, longest)


def free_text(text: str, longest: int = limits.DEFAULT.chat_characters) -> str:
    """What somebody writes to the table. Links are refused: nobody at the table can see where they lead.

    >>> free_text("Look: example.org/cheese")
    Traceback (most recent call last):
    cheeseboard.server.refusals.No: expected a message without links, got 'Look: example.org/cheese' with 'e.org/'
    """
    fit = _fit("chat", text, longest)
    if link := _link.search(unicodedata.normalize("NFKC", fit).casefold()):
        raise No("chat-link", f"expected a message without links, got {_shown(fit)} with {_shown(link[0])}", 400)
    return fit


def skeleton(name: str) -> str:
    """What a name looks like at a glance: two at one table must differ in it.

    Letters of other alphabets that look like Latin ones become those, as do 1, l, I and 0, O; case does not count.

    >>> skeleton("Ida") == skeleton("lda") == skeleton("IDА")
    True
    """
    apart = unicodedata.normalize("NFKD", _ignorable.sub("", name)).translate(_alike)  # apart: ё is е with two dots
    folded = unicodedata.normalize("NFKD", apart.casefold()).translate(_alike).casefold()
    for pair, letter in _data["pairs"].items():
        folded = folded.replace(pair, letter)
    return unicodedata.normalize("NFC", folded)


def _fit(kind: str, text: str, longest: int) -> str:
    what = {"name": "a name", "chat": "a message"}[kind]
    text = unicodedata.normalize("NFC", text)
    if banned := _banned.search(_joiners.sub("", text)):
        character = f"U+{ord(banned[0]):04X} {unicodedata.name(banned[0], '')}".strip()
        expected = f"expected {what} of visible characters"
        raise No(f"{kind}-character", f"{expected}, got {_shown(text)} with {character}", 400)
    text = _spaces.sub(" ", text).strip(" ")
    characters = _characters.findall(text)
    if not characters:
        raise No(f"{kind}-empty", f"expected {what} of 1 to {longest} characters, got none", 400)
    if len(characters) > longest:
        got = f"got {len(characters)}: {_shown(text)}"
        raise No(f"{kind}-too-long", f"expected {what} of 1 to {longest} characters, {got}", 400)
    towers = (one for one in characters if len(_mark.findall(one)) > MARKS or len(one) > CODE_POINTS)
    if odd := next(towers, None) or next(iter(_stray.findall(text)), None):
        expected = f"expected {what} of letters with at most {MARKS} marks and {CODE_POINTS} parts each"
        raise No(f"{kind}-marks", f"{expected}, got {_shown(odd)} in {_shown(text)}", 400)
    return text


def _shown(text: str) -> str:
    """In ASCII: whatever the characters do, here they do nothing."""
    return ascii(text[:SHOWN]) + ("..." if len(text) > SHOWN else "")
