"""What the screen has from the house, so that it is written once: `web/src/made/`. With --check: fails if it is stale.

Types of all messages and of each game's record, as TypeScript; texts and facts of each game, as JSON."""

import json
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec

from cheeseboard.games import GAMES, core
from cheeseboard.games.texts import LANGUAGES, texts
from cheeseboard.server import messages

MADE = Path(__file__).parent.parent / "web" / "src" / "made"
HEAD = "/* Made by `make made` from the house's own types. Do not edit. */\n"
SITTING = (messages.NewTable, messages.Sit, messages.Stand, messages.Swap, messages.Handicap)
BODIES = (*SITTING, messages.Kick, messages.Pause, messages.Mute)
ANSWERS = (messages.Laid, messages.Seated, messages.Moves, messages.Ok, messages.Guest, messages.Code, messages.Problem)
OTHERS = (messages.Me, messages.DeviceCode, messages.GameInfo, messages.Phrases, messages.Person)
TALES = (messages.Story, messages.Coaching, messages.Lesson, messages.Proposals)


def message_types() -> str:
    """Every struct as an interface. What the house sends is always whole; what we send may leave out the defaults."""
    spoken, heard = get_args(messages.FromClient), get_args(messages.FromHouse)
    kinds = (*spoken, *heard, *BODIES, *ANSWERS, *OTHERS, *TALES)
    _, schemas = msgspec.json.schema_components(kinds, ref_template="{name}")
    sent = {kind.__name__ for kind in (*spoken, *BODIES)}
    parts = [interface(name, schema, whole=name not in sent) for name, schema in schemas.items()]
    parts.append(f"export type FromClient = {' | '.join(kind.__name__ for kind in spoken)};\n")
    parts.append(f"export type FromHouse = {' | '.join(kind.__name__ for kind in heard)};\n")
    return HEAD + "\n" + "\n".join(parts)


def interface(name: str, schema: dict[str, Any], *, whole: bool) -> str:
    needed = set(schema["properties"]) if whole else set(schema.get("required", ()))
    lines = [f"export interface {name} {{"]
    if "description" in schema:
        lines.insert(0, f"/** {schema['description']} */")
    for field, kind in schema["properties"].items():
        lines.append(f"  {field}{'' if field in needed else '?'}: {type_of(kind)};")
    return "\n".join([*lines, "}\n"])


def type_of(schema: dict[str, Any]) -> str:
    """A JSON Schema, as far as msgspec writes it, as a TypeScript type."""
    if "$ref" in schema:
        return str(schema["$ref"])
    if "anyOf" in schema:
        return " | ".join(type_of(each) for each in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema["enum"])
    if "const" in schema:
        return json.dumps(schema["const"])
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(type_of(each) for each in schema['prefixItems'])}]"
        case "array":
            each = type_of(schema["items"])
            return f"({each})[]" if " " in each else f"{each}[]"
        case "object":
            inside = schema.get("additionalProperties")
            return f"Record<string, {type_of(inside) if isinstance(inside, dict) else 'unknown'}>"
        case "integer" | "number":
            return "number"
        case "string" | "boolean" | "null" as plain:
            return str(plain)
    return "unknown"


def record_types() -> str:
    """The fields of `View.view`, by game: numbers, and lists of them."""
    parts = []
    for name, game in GAMES.items():
        lines = [f"export interface {name.capitalize()} {{"]
        for field in game.STATE.names or ():
            depth = len(game.STATE[field].shape)
            lines.append(f"  {field}: number{'[]' * depth};")
        kinds = " | ".join(f'"{kind}"' for kind in game.EVENTS)
        parts.append("\n".join([*lines, "}", f"export type {name.capitalize()}Event = {kinds};\n"]))
    return HEAD + "\n" + "\n".join(parts)


def words_of(name: str) -> str:
    """All a game's table needs to speak and to draw: its words, its facts, and the names of its phases."""
    game = GAMES[name]
    made = {"game": name, "facts": core.about(game), **{language: texts(game, language) for language in LANGUAGES}}
    return json.dumps(made, ensure_ascii=False, indent=1) + "\n"


def made() -> dict[str, str]:
    files = {f"{name}.json": words_of(name) for name in GAMES}
    return {"messages.ts": message_types(), "records.ts": record_types(), **files}


def main() -> None:
    stale = [name for name, text in made().items() if not (MADE / name).is_file() or (MADE / name).read_text() != text]
    if "--check" in sys.argv:
        if stale:
            sys.exit(f"web/src/made differs from the house in {', '.join(stale)}: run `make made`.")
        print("The screen's types are those of the house.")
        return
    for name, text in made().items():
        (MADE / name).write_text(text)


if __name__ == "__main__":
    main()
