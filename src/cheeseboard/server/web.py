"""The house by HTTP: DESIGN's paths, OpenAPI at /docs, every refusal a Problem with a code."""

import asyncio
import logging
from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated, Any, TypeVar

import msgspec
from litestar import Litestar, MediaType, Response, delete, get, patch, post
from litestar.datastructures import Cookie
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import Parameter
from litestar.types import ASGIApp

from cheeseboard.bots import seated
from cheeseboard.bundle import Bundle
from cheeseboard.games import GAMES, core
from cheeseboard.games.core import Refusal
from cheeseboard.games.texts import LANGUAGES, texts
from cheeseboard.server import admin, messages, pages
from cheeseboard.server.address import lan_address
from cheeseboard.server.asking import Asking, address_of, answered, door_of, headers_of, https
from cheeseboard.server.coaching import Coach
from cheeseboard.server.door import COOKIES, Door
from cheeseboard.server.guard import Guard
from cheeseboard.server.lessons import lesson
from cheeseboard.server.names import checked
from cheeseboard.server.people import CODE_S
from cheeseboard.server.phrases import EMOTES, PHRASES, REFUSALS
from cheeseboard.server.qr import picture
from cheeseboard.server.refusals import No, no
from cheeseboard.server.room import Room
from cheeseboard.server.store import Person
from cheeseboard.server.tales import acts_of, races_of, tale

T = TypeVar("T")
YEAR_S = 365 * 24 * 3600
BODY_BYTES = 16 * 1024
log = logging.getLogger("cheeseboard")


# --- guests ---------------------------------------------------------------------------------------------------------


async def visitor(request: Asking) -> Person | None:
    """Who asks; None if we do not know them."""
    door = door_of(request)
    person: Person | None = await answered(lambda answer: door.person(headers_of(request), answer))
    if door.house.people.banned(person.id if person else "", address_of(request)):
        raise No("banned", "this house has asked you to stay away", 403)
    return person


async def known(request: Asking) -> Person:
    person = await visitor(request)
    if person is None:
        raise No("no-guest", "expected a guest: a cookie or a Bearer token, as POST /api/guests gives it", 401)
    return person


async def welcome(request: Asking, name: str) -> tuple[Person, str]:
    """Who asks, made a guest on the spot if need be; the token is "" for those who have one."""
    name = _name(request, name)
    person = await visitor(request)
    if person is not None:
        return person, ""
    door = door_of(request)
    people = door.house.people
    if not door.newcomers.allow(address_of(request), door.house.clock.monotonic()):
        most = door.house.limits.guests_per_address_hour
        raise No("too-often", f"expected at most {most} new guests an hour from one address, got one more", 429)

    def greet(answer: Callable[[tuple[Person, str]], None]) -> None:
        people.greet(name or "Guest", lambda guest, token: answer((guest, token)))

    fresh: tuple[Person, str] = await answered(greet)
    return fresh


def _name(request: Asking, name: str) -> str:
    """A name as it may be shown; "" stays "": whoever gives none gets the house's."""
    return checked(name, door_of(request).house.limits.name_characters) if name else ""


def with_token(request: Asking, body: T, token: str, status: int) -> Response[T]:
    return Response(body, status_code=status, cookies=[_cookie(request, token)] if token else [])


def _cookie(request: Asking, token: str) -> Cookie:
    secure = https(request)
    name = COOKIES[0] if secure else COOKIES[1]
    return Cookie(name, value=token, max_age=YEAR_S, httponly=True, secure=secure, samesite="lax")


@post("/api/guests", status_code=201, tags=["guests"])
async def new_guest(request: Asking, data: messages.Me) -> Response[messages.Guest]:
    """Become a guest. The token is also set as a cookie; programs send it as `Authorization: Bearer TOKEN`."""
    person, token = await welcome(request, data.name)
    return with_token(request, messages.Guest(person.id, person.name, token), token, 201)


@get("/api/me", tags=["guests"])
async def me(request: Asking) -> messages.Guest:
    person = await known(request)
    return messages.Guest(person.id, person.name)


@patch("/api/me", tags=["guests"])
async def rename(request: Asking, data: messages.Me) -> messages.Guest:
    """Another name, from the next table on."""
    person, people, name = await known(request), door_of(request).house.people, _name(request, data.name or " ")
    renamed: Person = await answered(lambda answer: people.rename(person, name, answer))
    return messages.Guest(renamed.id, renamed.name)


@get("/api/me/export", tags=["guests"])
async def export_me(request: Asking) -> messages.Person:
    """Everything the house keeps about you."""
    person, people = await known(request), door_of(request).house.people
    tables = await answered(lambda answer: people.everything(person, answer))
    sat = [{"table": table, "seat": seat, "name": name} for table, seat, name in tables]
    return messages.Person(person.id, person.name, person.made_ms, person.seen_ms, sat)


@delete("/api/me", status_code=200, tags=["guests"])
async def delete_me(request: Asking) -> Response[messages.Ok]:
    """Forget me: name, tokens, names at tables. Finished games stay, without a name."""
    person, house = await known(request), door_of(request).house
    await answered(lambda answer: house.forget(person, lambda: answer(None)))
    gone = [Cookie(name, value="", max_age=0, httponly=True, secure=name == COOKIES[0]) for name in COOKIES]
    return Response(messages.Ok(), cookies=gone)


@post("/api/me/code", status_code=201, tags=["guests"])
async def device_code(request: Asking) -> messages.Code:
    """A code, good once and for five minutes, to be the same guest on another device."""
    person = await known(request)
    return messages.Code(door_of(request).house.people.device_code(person), CODE_S)


@post("/api/me/device", status_code=201, tags=["guests"])
async def join_device(request: Asking, data: messages.DeviceCode) -> Response[messages.Guest]:
    """Say that this device is yours too."""
    people = door_of(request).house.people

    def join(answer: Callable[[tuple[Person, str]], None]) -> None:
        people.join_device(data.code, lambda person, token: answer((person, token)))

    person, token = await answered(join)
    return with_token(request, messages.Guest(person.id, person.name, token), token, 201)


# --- tables ---------------------------------------------------------------------------------------------------------


@get("/api/games", tags=["games"])
async def games() -> list[messages.GameInfo]:
    """The games, their options and players."""
    found = []
    for name, game in GAMES.items():
        facts = core.about(game)
        words = {language: texts(game, language) for language in LANGUAGES}
        found.append(
            messages.GameInfo(
                game=name,
                title={language: texts["title"] for language, texts in words.items()},
                pitch={language: texts["pitch"] for language, texts in words.items()},
                players=tuple(facts["players"]),
                age=facts["age"],
                minutes=facts["minutes"],
                version=facts["version"],
                options=facts["options"],
                actions=game.ACTIONS,
                bots=seated(game),
            )
        )
    return found


@get("/api/games/{game:str}/lesson", tags=["games"])
async def first_lesson(game: str) -> messages.Lesson:
    """A short game on rails, to learn it by playing."""
    if game not in GAMES:
        raise No("no-game", f"expected a game ({', '.join(GAMES)}), got {game!r}", 400)
    return lesson(game)


@get("/api/phrases", tags=["tables"])
async def preset_phrases() -> messages.Phrases:
    """What can be said at every table: phrases and emotes in both languages."""
    emotes = {name: messages.EmoteInfo(emote.emoji, emote.names) for name, emote in EMOTES.items()}
    return messages.Phrases(PHRASES, emotes, REFUSALS)


@get("/api/tables", tags=["tables"])
async def tables(request: Asking) -> list[messages.TableInfo]:
    """Public tables that are open or running."""
    return door_of(request).house.tables()


@post("/api/tables", status_code=201, tags=["tables"])
async def lay(request: Asking, data: messages.NewTable) -> Response[messages.Laid]:
    """Lay a table."""
    door_of(request).house.check(data)
    person, token = await welcome(request, data.name)
    name = _name(request, data.name) or person.name
    house = door_of(request).house
    laid = await answered(lambda answer: house.lay(person.id, name, data, address_of(request), answer))
    return with_token(request, laid, token, 201)


@get("/api/tables/{table:str}", tags=["tables"])
async def table_info(request: Asking, table: str) -> messages.TableInfo:
    house = door_of(request).house
    info: messages.TableInfo = await answered(lambda answer: house.look(table, lambda room: room.info(), answer))
    return info


@post("/api/tables/{table:str}/sit", status_code=200, tags=["tables"])
async def sit(request: Asking, table: str, data: messages.Sit) -> Response[messages.Seated]:
    """Sit down; again, to take your seat back."""
    house = door_of(request).house
    await answered(lambda answer: house.look(table, lambda _: None, answer))  # no guest is made for a wrong code
    person, token = await welcome(request, data.name)
    name = _name(request, data.name) or person.name
    seat = await answered(lambda answer: house.at(table, lambda room: room.sit(person.id, name, data), answer))
    return with_token(request, messages.Seated(seat), token, 200)


async def _act(request: Asking, table: str, act: Callable[[Any, str], Any]) -> messages.Ok:
    person, house = await known(request), door_of(request).house
    await answered(lambda answer: house.at(table, lambda room: act(room, person.id), answer))
    return messages.Ok()


@post("/api/tables/{table:str}/stand", status_code=200, tags=["tables"])
async def stand(request: Asking, table: str, data: messages.Stand) -> messages.Ok:
    """Stand up: before the game the seat is open again, during it a bot stands in."""
    return await _act(request, table, lambda room, person: room.stand(person, data.seat))


@post("/api/tables/{table:str}/swap", status_code=200, tags=["tables"])
async def swap(request: Asking, table: str, data: messages.Swap) -> messages.Ok:
    """Change places before the game."""
    return await _act(request, table, lambda room, person: room.swap(person, data.seat, data.other))


@post("/api/tables/{table:str}/start", status_code=200, tags=["tables"])
async def start(request: Asking, table: str) -> messages.Ok:
    """The host begins; open seats get bots."""
    return await _act(request, table, lambda room, person: room.start(person))


@post("/api/tables/{table:str}/pause", status_code=200, tags=["tables"])
async def pause(request: Asking, table: str, data: messages.Pause) -> messages.Ok:
    """Stop the clocks and the bots, or let them go on."""
    return await _act(request, table, lambda room, person: room.pause(person, data.paused))


@post("/api/tables/{table:str}/mute", status_code=200, tags=["tables"])
async def mute(request: Asking, table: str, data: messages.Mute) -> messages.Ok:
    """The host lets a seat be quiet."""
    return await _act(request, table, lambda room, person: room.mute(person, data.seat, data.muted))


@post("/api/tables/{table:str}/handicap", status_code=200, tags=["tables"])
async def handicap(request: Asking, table: str, data: messages.Handicap) -> messages.Ok:
    """The host gives a seat a head start in races, for all to see."""
    return await _act(request, table, lambda room, person: room.give_head_start(person, data.seat, data.ms))


@get("/api/tables/{table:str}/handicaps", tags=["tables"])
async def handicaps(request: Asking, table: str) -> messages.Proposals:
    """Which head starts would be fair, by the past races of those who sit here."""
    house = door_of(request).house
    found: messages.Proposals = await answered(lambda answer: house.handicaps(table, answer))
    return found


@post("/api/tables/{table:str}/kick", status_code=200, tags=["tables"])
async def kick(request: Asking, table: str, data: messages.Kick) -> messages.Ok:
    """The host sends somebody away."""
    person, house = await known(request), door_of(request).house
    ok: messages.Ok = await answered(lambda answer: house.kick(table, person.id, data.seat, answer))
    return ok


@post("/api/tables/{table:str}/close", status_code=200, tags=["tables"])
async def close(request: Asking, table: str) -> messages.Ok:
    """The host closes the table for good."""
    person, house = await known(request), door_of(request).house
    ok: messages.Ok = await answered(lambda answer: house.close_table(table, answer, person.id))
    return ok


@post("/api/tables/{table:str}/rematch", status_code=201, tags=["tables"])
async def rematch(request: Asking, table: str) -> messages.Moves:
    """The same company plays again, at a new table."""
    person, house = await known(request), door_of(request).house
    moves: messages.Moves = await answered(lambda answer: house.rematch(table, person.id, answer))
    return moves


@get("/api/tables/{table:str}/replay", tags=["tables"])
async def replay(request: Asking, table: str) -> Bundle:
    """After the end: everything needed to replay and verify the game."""
    house = door_of(request).house
    bundle: Bundle = await answered(lambda answer: house.replay(table, answer))
    return bundle


@get("/api/tables/{table:str}/story", tags=["tables"])
async def story(request: Asking, table: str, seat: Annotated[int, Parameter(ge=-1, le=5)] = -1) -> messages.Story:
    """After the end: the whole game act by act, with the eyes of a seat (-1: of a spectator)."""
    house = door_of(request).house
    bundle: Bundle = await answered(lambda answer: house.replay(table, answer))
    info: messages.TableInfo = await answered(lambda answer: house.look(table, lambda room: room.info(), answer))
    if seat >= bundle.seats:
        raise No("no-seat", f"expected a seat from 0 to {bundle.seats - 1}, or -1 for a spectator, got {seat}", 400)
    views: list[messages.View] = []
    for page in tale(GAMES[bundle.game], bundle.seats, bundle.options, acts_of(bundle), seat, strict=False):
        views.append(page.view)
        await asyncio.sleep(0)  # a long game must not keep the others waiting
    return messages.Story(info, views, list(races_of(bundle)))


@get("/api/tables/{table:str}/coach", tags=["tables"])
async def coach(request: Asking, table: str) -> messages.Coaching:
    """After the end: each seat's share of the win, moment by moment, split into luck and skill; what one knew."""
    house = door_of(request).house
    bundle: Bundle = await answered(lambda answer: house.replay(table, answer))
    info: messages.TableInfo = await answered(lambda answer: house.look(table, lambda room: room.info(), answer))
    talk: Coach = request.app.state.coach
    return messages.Coaching(info, *await talk.about(bundle))


@get("/api/tables/{table:str}/hint", tags=["tables"])
async def hint(request: Asking, table: str, seat: Annotated[int, Parameter(ge=0, le=5)]) -> messages.Weighing:
    """What the coach would do now in your seat, at tables that allow it; `action` is -1, for nothing is chosen yet."""
    person, house = await known(request), door_of(request).house

    def asked(room: Room) -> tuple[str, dict[str, Any]]:
        return room.record.game, room.asked(person.id, seat)

    game, view = await answered(lambda answer: house.look(table, asked, answer))
    talk: Coach = request.app.state.coach
    return await talk.hint(game, view, seat)


@get("/api/tables/{table:str}/qr", media_type="image/svg+xml", include_in_schema=False)
async def table_qr(request: Asking, table: str) -> Response[bytes]:
    """The way to this table as a picture, for the phone across the room."""
    await answered(lambda answer: door_of(request).house.look(table, lambda _: None, answer))
    host, *port = headers_of(request).get("host", "").split(":", 1)
    if host in {"localhost", "127.0.0.1"}:  # true here, and nowhere else
        host = lan_address() or host
    way = f"{'https' if https(request) else 'http'}://{':'.join([host, *port])}/t/{table}"
    return Response(picture(way), media_type="image/svg+xml")


# --- operation ------------------------------------------------------------------------------------------------------


@get("/healthz", media_type=MediaType.TEXT, include_in_schema=False)
async def healthz(request: Asking) -> Response[str]:
    """Whether the house takes guests; the answer has been to the journal and back."""
    house = door_of(request).house
    if house.closing:
        return Response("closing", status_code=503)
    await answered(lambda answer: house.keeper.ask(lambda _: None, answer))
    return Response("ok")


@get("/metrics", media_type="text/plain; version=0.0.4", include_in_schema=False)
async def metrics(request: Asking) -> str:
    return door_of(request).house.metrics.text()


# --- what goes wrong ------------------------------------------------------------------------------------------------


def problem(code: str, text: str, status: int) -> Response[messages.Problem]:
    return Response(messages.Problem(code, text), status_code=status, media_type=MediaType.JSON)


def refused(request: Asking, refusal: Refusal) -> Response[messages.Problem]:
    answer = no(refusal)
    door_of(request).house.metrics.refused[answer.code] += 1
    return problem(answer.code, str(answer), answer.status)


def by_framework(request: Asking, error: HTTPException) -> Response[messages.Problem]:
    """What Litestar refuses: unknown paths, wrong methods, bodies that are not what was expected."""
    codes = {404: "no-page", 405: "wrong-method", 413: "too-large", 400: "bad-request"}
    extra = error.extra if isinstance(error.extra, list) else []
    parts = [part for part in extra if isinstance(part, dict)]
    found = "; ".join(f"{part.get('key', 'body')}: {part.get('message', '')}" for part in parts)
    code = codes.get(error.status_code, "bad-request")
    door_of(request).house.metrics.refused[code] += 1
    return problem(code, found or error.detail or str(error.status_code), error.status_code)


def too_deep(request: Asking, error: RecursionError) -> Response[messages.Problem]:  # noqa: ARG001
    return refused(request, No("bad-request", "expected a JSON body, got one that is nested too deeply", 400))


def our_fault(request: Asking, error: Exception) -> Response[messages.Problem]:
    """What only we can cause: a trace in the log, and no detail for the outside."""
    log.error("crash", exc_info=error, extra={"path": request.url.path})
    return problem("our-fault", "something went wrong on our side; nothing of yours has changed", 500)


def app(door: Door, admin_token: str, coach_of_the_house: Coach) -> ASGIApp:
    """The ASGI application around a house."""
    wrong = {
        status: ResponseSpec(messages.Problem, description=why, generate_examples=False)
        for status, why in {
            400: "not what was expected",
            401: "no guest",
            403: "not allowed",
            404: "not there",
            409: "not now",
            410: "gone",
            413: "too large",
            415: "not JSON",
            429: "too much or too often",
            503: "about to restart",
        }.items()
    }
    handlers: list[Any] = [
        new_guest, me, rename, export_me, delete_me, device_code, join_device, games, first_lesson, preset_phrases,
        tables, lay, table_info, sit, stand, swap, start, pause, mute, handicap, handicaps, kick, close,
        rematch, replay, story, coach, hint, table_qr, *admin.api,
    ]  # fmt: skip
    for handler in handlers:
        handler.responses = wrong
    inner = Litestar(
        [*handlers, healthz, metrics, *admin.pages, *pages.handlers],
        openapi_config=OpenAPIConfig(
            title="Cheeseboard",
            version=version("cheeseboard"),
            description="A card room for five small-box card games. The socket is described in docs/protocol.md.",
            path="/docs",
            render_plugins=[pages.Docs(path="/"), JsonRenderPlugin()],
        ),
        exception_handlers={
            Refusal: refused,
            HTTPException: by_framework,
            RecursionError: too_deep,
            Exception: our_fault,
        },
        request_max_body_size=BODY_BYTES,
        type_encoders={msgspec.Raw: bytes},
        logging_config=None,
    )
    inner.state.door = door
    inner.state.coach = coach_of_the_house
    inner.state.office = admin.Office(admin_token)
    return Guard(inner, door)
