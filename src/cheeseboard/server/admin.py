"""The admin's office: a page behind a token, and the same for programs under /api/admin.

The admin sees who sits where, closes a table, keeps somebody out, takes away the replay of a finished game. No god
mode: the office asks the house for nothing that a table hides, so cards, hands and roots of running games cannot be had
here. Every act is written to the log.

The page works by plain forms, without a script. Who has shown the token gets a session: its end and an HMAC over it,
keyed with the token, so that nothing has to be remembered and a new token ends all sessions. Each form carries a mark
made from the session, which no other site's page can know."""

import hashlib
import hmac
import ipaddress
import logging
import re
from typing import Annotated, Any, Literal

from litestar import MediaType, Response, get, post
from litestar.datastructures import Cookie
from litestar.enums import RequestEncodingType
from litestar.params import Body
from litestar.response import Redirect
from msgspec import Meta, Struct

from cheeseboard.bundle import Bundle
from cheeseboard.games.core import Refusal
from cheeseboard.server import desk, messages, office
from cheeseboard.server.address import neighbourhood
from cheeseboard.server.asking import Asking, address_of, answered, door_of, headers_of, https
from cheeseboard.server.door import cookies_in
from cheeseboard.server.limits import address_key
from cheeseboard.server.people import same
from cheeseboard.server.refusals import No, no

PATH = "/admin"
COOKIES = ("__Secure-cheeseboard-admin", "cheeseboard-admin")  # the first is for https
SESSION_S = 12 * 3600
# A page that sends no referrer sends `Origin: null` with its forms; this one must be known by its Origin.
HEADERS = {"referrer-policy": "same-origin", "cache-control": "no-store"}
log = logging.getLogger("cheeseboard.admin")


def in_office(path: str) -> bool:
    return path == PATH or path.startswith(f"{PATH}/")


class Office:
    """Who may come in."""

    def __init__(self, token: str) -> None:
        self.token = token

    def knows(self, token: str) -> bool:
        return same(token, self.token)

    def session(self, until_s: int) -> str:
        return f"{until_s}.{self._mark('session', str(until_s))}"

    def is_session(self, session: str, now_s: float) -> bool:
        until = session.partition(".")[0]
        if not (until.isascii() and until.isdecimal() and len(until) < 13):
            return False
        return same(session, self.session(int(until))) and int(until) > now_s

    def form_mark(self, session: str) -> str:
        """What the forms of this login carry."""
        return self._mark("form", session)

    def _mark(self, what: str, about: str) -> str:
        return hmac.new(self.token.encode(), f"cheeseboard/v1/{what}/{about}".encode(), hashlib.sha256).hexdigest()


# --- who asks -------------------------------------------------------------------------------------------------------


def office_of(request: Asking) -> Office:
    found = request.app.state.office
    assert isinstance(found, Office)
    return found


def by_token(request: Asking) -> bool:
    kind, _, token = headers_of(request).get("authorization", "").partition(" ")
    return kind.lower() == "bearer" and office_of(request).knows(token.strip())


def session_of(request: Asking) -> str:
    """The admin's session; "" if there is none."""
    cookies, now_s = cookies_in(headers_of(request)), door_of(request).house.clock.now_ms() / 1000
    sessions = (cookies.get(name, "") for name in COOKIES)
    return next((session for session in sessions if office_of(request).is_session(session, now_s)), "")


def only_admin(request: Asking) -> None:
    if not by_token(request):
        raise No("not-admin", "expected the admin's token as `Authorization: Bearer TOKEN`", 401)


def only_own_form(request: Asking, mark: str) -> None:
    """A form of our own page in the admin's own session, or a program with the token."""
    session = session_of(request)
    if not session and not by_token(request):
        raise No("not-admin", f"expected the admin's session; log in at {PATH}", 401)
    if session and not same(mark, office_of(request).form_mark(session)):
        raise No("cross-site", f"expected a form from our own page, as {PATH} shows it; load it again", 403)


# --- what is asked --------------------------------------------------------------------------------------------------


class Form(Struct, frozen=True):
    mark: Annotated[str, Meta(max_length=64)] = ""


class Login(Struct, frozen=True):
    token: Annotated[str, Meta(max_length=1000)] = ""


class Closing(Struct, frozen=True, forbid_unknown_fields=True):
    table: Annotated[str, Meta(max_length=40)]


class CloseForm(Form, frozen=True):
    table: Annotated[str, Meta(max_length=40)] = ""


class Banning(Struct, frozen=True, forbid_unknown_fields=True):
    """`value`: the id of a person, as GET /api/me shows it, or an address."""

    kind: Literal["person", "address"]
    value: Annotated[str, Meta(max_length=64)]


class BanForm(Form, frozen=True):
    kind: Literal["person", "address"] = "person"
    value: Annotated[str, Meta(max_length=64)] = ""


# --- what is done ---------------------------------------------------------------------------------------------------


async def close_table(request: Asking, table: str) -> None:
    house = door_of(request).house
    await answered(lambda answer: house.close_table(table, answer))
    log.info("admin-closed-table", extra={"table": table})


async def ban(request: Asking, kind: str, value: str, *, banned: bool) -> None:
    """Keep somebody out from now on, and show them the door if they are inside; or let them in again."""
    house = door_of(request).house
    value = _checked(kind, value)
    await answered(lambda answer: house.people.ban(kind, value, banned=banned, answer=lambda: answer(None)))
    who = neighbourhood(value) if kind == "address" else value
    log.info("admin-banned" if banned else "admin-unbanned", extra={"kind": kind, "who": who})
    lines = [line for room in house.rooms.values() for line in room.lines] + house.lobby
    for line in lines if banned else ():
        if value == (line.person if kind == "person" else line.address):
            line.send(messages.Bye("banned", "this house has asked you to stay away"))
            line.hang_up(1008, "banned")


def _checked(kind: str, value: str) -> str:
    """Somebody who can be meant, as the door will know them."""
    value = value.strip()
    if kind == "person":
        if not re.fullmatch("p[0-9a-f]{16}", value):
            raise No("bad-ban", f"expected the id of a person, p and 16 hexadecimal digits, got {value!r}", 400)
        return value
    try:
        key = address_key(str(ipaddress.ip_address(value.removesuffix("/64"))))
    except ValueError:
        raise No("bad-ban", f"expected an address (198.51.100.7 or 2001:db8:1:2::), got {value!r}", 400) from None
    if key is None:
        raise No("bad-ban", f"expected an address of somebody else, got {value!r}: this machine itself", 400)
    return key


async def overview(request: Asking) -> desk.House:
    """The house at a glance: the tables on disk, with what is alive of them in memory."""
    door = door_of(request)
    house, now_ms = door.house, door.house.clock.now_ms()
    kept, facts = await answered(
        lambda answer: house.keeper.ask(lambda store: (desk.open_tables(store), desk.facts(store)), answer)
    )
    alive = {
        room.record.id: desk.at_table(room.record, room.n, room.names, len(room.lines)) for room in house.rooms.values()
    }
    tables = {table.table: table for table in kept} | alive
    return desk.House(
        tables=sorted(tables.values(), key=lambda table: -table.made_ms),
        connections=door.inside.counts["house"],
        people=len(door.by_person.counts),
        addresses=dict(door.by_address.counts),
        bans=[f"{kind} {value}" for kind, value in sorted(house.people.bans)],
        store=facts,
        now_ms=now_ms,
    )


async def replay(request: Asking, table: str) -> Response[Bundle]:
    house = door_of(request).house
    bundle: Bundle = await answered(lambda answer: house.replay(table, answer))
    log.info("admin-exported", extra={"table": table})
    return Response(bundle, headers={"content-disposition": f'attachment; filename="cheeseboard-{bundle.table}.json"'})


# --- for programs ---------------------------------------------------------------------------------------------------


@get("/api/admin/tables", tags=["admin"])
async def api_tables(request: Asking) -> desk.House:
    """The house at a glance. Nothing that a running game hides."""
    only_admin(request)
    return await overview(request)


@post("/api/admin/close", status_code=200, tags=["admin"])
async def api_close(request: Asking, data: Closing) -> messages.Ok:
    """Close a table for good, as its host could."""
    only_admin(request)
    await close_table(request, data.table)
    return messages.Ok()


@post("/api/admin/ban", status_code=200, tags=["admin"])
async def api_ban(request: Asking, data: Banning) -> messages.Ok:
    """Keep a person or an address out."""
    only_admin(request)
    await ban(request, data.kind, data.value, banned=True)
    return messages.Ok()


@post("/api/admin/unban", status_code=200, tags=["admin"])
async def api_unban(request: Asking, data: Banning) -> messages.Ok:
    """Let a person or an address in again."""
    only_admin(request)
    await ban(request, data.kind, data.value, banned=False)
    return messages.Ok()


@get("/api/admin/export/{table:str}", tags=["admin"])
async def api_export(request: Asking, table: str) -> Response[Bundle]:
    """The replay of a table that has ended."""
    only_admin(request)
    return await replay(request, table)


api: list[Any] = [api_tables, api_close, api_ban, api_unban, api_export]

# --- for people -----------------------------------------------------------------------------------------------------

FormData = RequestEncodingType.URL_ENCODED


def shown(html: str, status: int = 200) -> Response[str]:
    return Response(html, status_code=status, media_type=MediaType.HTML)


async def front(request: Asking, notice: str = "", status: int = 200) -> Response[str]:
    session = session_of(request)
    if not session and not by_token(request):
        return shown(office.login(), 401)
    mark = office_of(request).form_mark(session) if session else ""
    return shown(office.house(await overview(request), mark, notice), status)


async def done(request: Asking, mark: str, act: Any) -> Response[Any]:
    """Do it and show the page anew; a refusal is shown on it."""
    try:
        only_own_form(request, mark)
        await act
    except Refusal as refusal:
        act.close()
        answer = no(refusal)
        return await front(request, str(answer), answer.status)
    return Redirect(PATH, status_code=303)


@get(PATH, include_in_schema=False)
async def page(request: Asking) -> Response[str]:
    return await front(request)


@post(f"{PATH}/login", include_in_schema=False)
async def login(request: Asking, data: Annotated[Login, Body(media_type=FormData)]) -> Response[Any]:
    found = office_of(request)
    if not found.knows(data.token.strip()):
        door_of(request).note("admin-refused", "wrong-token", address_of(request))
        return shown(office.login("That is not the token of this house."), 403)
    log.info("admin-came-in")
    session = found.session(door_of(request).house.clock.now_ms() // 1000 + SESSION_S)
    return Redirect(PATH, status_code=303, cookies=[_cookie(request, session, SESSION_S)])


@post(f"{PATH}/logout", include_in_schema=False)
async def logout(request: Asking, data: Annotated[Form, Body(media_type=FormData)]) -> Response[Any]:
    only_own_form(request, data.mark)
    return Redirect(PATH, status_code=303, cookies=[_cookie(request, "", 0)])


def _cookie(request: Asking, value: str, seconds: int) -> Cookie:
    secure = https(request)
    name = COOKIES[0] if secure else COOKIES[1]
    return Cookie(name, value=value, path=PATH, max_age=seconds, httponly=True, secure=secure, samesite="strict")


@post(f"{PATH}/close", include_in_schema=False)
async def form_close(request: Asking, data: Annotated[CloseForm, Body(media_type=FormData)]) -> Response[Any]:
    return await done(request, data.mark, close_table(request, data.table))


@post(f"{PATH}/ban", include_in_schema=False)
async def form_ban(request: Asking, data: Annotated[BanForm, Body(media_type=FormData)]) -> Response[Any]:
    return await done(request, data.mark, ban(request, data.kind, data.value, banned=True))


@post(f"{PATH}/unban", include_in_schema=False)
async def form_unban(request: Asking, data: Annotated[BanForm, Body(media_type=FormData)]) -> Response[Any]:
    return await done(request, data.mark, ban(request, data.kind, data.value, banned=False))


@get(f"{PATH}/export", include_in_schema=False)
async def form_export(request: Asking, table: str = "") -> Response[Any]:
    if not session_of(request) and not by_token(request):
        return await front(request)
    try:
        return await replay(request, table)
    except Refusal as refusal:
        answer = no(refusal)
        return await front(request, str(answer), answer.status)


pages: list[Any] = [page, login, logout, form_close, form_ban, form_unban, form_export]
