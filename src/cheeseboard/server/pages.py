"""Plain pages: the API described for people, and the screen's files when they are built."""

import gzip
import json
import mimetypes
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from litestar import MediaType, Response, get
from litestar.openapi.plugins import OpenAPIRenderPlugin

from cheeseboard.games import GAMES
from cheeseboard.server.asking import Asking, door_of

SCREEN = Path(str(files("cheeseboard"))) / "screen"  # what `make play` builds from web/
DRAWN = ("made/GAME.json", "games/GAME/index.ts")  # a game's words and its drawing
PLACES = {  # the screen's, and the sources they need, the one that draws the place first
    "/": ("routes/Lobby.svelte",),
    "/t/{key}": ("routes/Table.svelte", *DRAWN),
    "/t/{key}/tv": ("routes/Tv.svelte", *DRAWN),
    "/t/{key}/replay": ("routes/Replay.svelte", *DRAWN),
    "/t/{key}/coach": ("routes/Coach.svelte", DRAWN[0]),
    "/new/{key}": ("routes/Lay.svelte", DRAWN[0]),
    "/rules/{key}": ("routes/Rules.svelte", DRAWN[0]),
    "/learn/{key}": ("routes/Learn.svelte", *DRAWN),
    "/mat/{key}": ("routes/Mat.svelte",),
}
MANIFEST = "parts.json"  # which built file comes from which source
YEAR_S = 365 * 24 * 3600


class Docs(OpenAPIRenderPlugin):
    """The OpenAPI description as one page without any script: readable everywhere, nothing fetched from elsewhere."""

    def render(self, request: Asking, openapi_schema: dict[str, Any]) -> bytes:  # noqa: ARG002
        parts = [
            f"<h1>{escape(openapi_schema['info']['title'])} {escape(openapi_schema['info']['version'])}</h1>",
            f"<p>{escape(openapi_schema['info']['description'])}</p>",
            '<p><a href="/docs/openapi.json">openapi.json</a></p>',
        ]
        for path, methods in openapi_schema["paths"].items():
            for method, operation in methods.items():
                parts.append(f"<h2><code>{method.upper()} {escape(path)}</code></h2>")
                parts.append(f"<p>{escape(operation.get('description') or operation.get('summary', ''))}</p>")
                body = operation.get("requestBody", {}).get("content", {})
                parts += [f"<p>takes {_kind(content['schema'])}</p>" for content in body.values()]
                for status, response in operation.get("responses", {}).items():
                    kinds = [_kind(content["schema"]) for content in response.get("content", {}).values()]
                    parts.append(f"<p>{status}: {', '.join(kinds) or escape(response.get('description', ''))}</p>")
        for name, schema in openapi_schema["components"]["schemas"].items():
            parts.append(f'<h2 id="{escape(name)}"><code>{escape(name)}</code></h2>')
            parts.append(f"<p>{escape(schema.get('description', ''))}</p>")
            needed = schema.get("required", [])
            for field, kind in schema.get("properties", {}).items():
                must = " (required)" if field in needed else ""
                parts.append(f"<p><code>{escape(field)}</code>: {_kind(kind)}{must}</p>")
        return page("Cheeseboard: the API", "\n".join(parts)).encode()


def _kind(schema: dict[str, Any]) -> str:
    """A type in words, with a link where it has a name."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if "oneOf" in schema:
        return " or ".join(_kind(each) for each in schema["oneOf"])
    if "enum" in schema:
        return " or ".join(f"<code>{escape(str(each))}</code>" for each in schema["enum"])
    if schema.get("type") == "array" and isinstance(schema.get("items"), dict):
        return f"list of {_kind(schema['items'])}"
    return escape(str(schema.get("type", "anything")))


def page(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/plain.css"></head>'
        f"<body><main>{body}</main></body></html>"
    )


@get("/plain.css", media_type="text/css", include_in_schema=False)
async def plain_css() -> str:
    return (files(__package__) / "plain.css").read_text("utf-8")


# --- the screen -----------------------------------------------------------------------------------------------------


class File(NamedTuple):
    plain: bytes
    packed: bytes  # what is packed already (fonts, pictures) is not packed again
    kind: str


@cache
def built(name: str) -> File:
    """A file of the screen; it does not change while the house is open."""
    plain = (SCREEN / name).read_bytes()
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    kind = "application/manifest+json" if name.endswith(".webmanifest") else kind
    text = kind.startswith("text/") or kind.endswith(("javascript", "json", "svg+xml"))
    return File(plain, gzip.compress(plain, mtime=0) if text else b"", f"{kind}; charset=utf-8" if text else kind)


def served(request: Asking, name: str) -> Response[bytes]:
    file = built(name)
    for_ever = name.startswith("assets/")  # their names change with what is in them
    headers = {
        "cache-control": f"public, max-age={YEAR_S}, immutable" if for_ever else "no-cache",
        "vary": "accept-encoding",
    }
    if file.packed and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, media_type=file.kind, headers={**headers, "content-encoding": "gzip"})
    return Response(file.plain, media_type=file.kind, headers=headers)


@cache
def needed(place: str, game: str) -> str:
    """What this place will load, told before its script can ask: the files come side by side, not one by one."""
    manifest = json.loads((SCREEN / MANIFEST).read_bytes())
    found: dict[str, list[str]] = {}  # sources and their styles, in the order they were found

    def take(name: str) -> None:
        if name in manifest and name not in found:
            found[name] = manifest[name].get("css", [])
            for other in manifest[name].get("imports", ()):
                take(other)

    for source in PLACES[place]:
        take(f"src/{source}".replace("GAME", game))
    styles = [f"</{style}>; rel=preload; as=style; crossorigin" for css in found.values() for style in css]
    return ", ".join([*(f"</{manifest[name]['file']}>; rel=modulepreload" for name in found), *styles])


@get([place.replace("{key}", "{key:str}") for place in PLACES], media_type=MediaType.HTML, include_in_schema=False)
async def front(request: Asking, key: str = "") -> Response[Any]:
    """The screen; without one, where to find the way in for programs."""
    if (SCREEN / "index.html").is_file():
        answer = served(request, "index.html")
        room = door_of(request).house.rooms.get(key)
        game = room.record.game if room else key
        answer.headers["link"] = needed(request.scope["path_template"], game if game in GAMES else "")
        return answer
    where = f"<p>Table <code>{escape(key)}</code> is here.</p>" if key else ""
    return Response(
        page(
            "Cheeseboard",
            f"<h1>Cheeseboard</h1>{where}<p>The house is open. This copy comes without its screen; programs find "
            'the way in <a href="/docs">described here</a>.</p>',
        )
    )


FILES = sorted(path.relative_to(SCREEN).as_posix() for path in SCREEN.rglob("*") if path.is_file())


@get([f"/{name}" for name in FILES] or "/index.html", include_in_schema=False)
async def screen_file(request: Asking) -> Response[bytes]:
    return served(request, request.scope["path"].removeprefix("/"))


handlers: list[Any] = [plain_css, front, *([screen_file] if FILES else [])]
