"""What stands around every page and every call: who may ask at all, and what every answer carries."""

import asyncio

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from cheeseboard.server import admin, messages
from cheeseboard.server.door import HEADERS, PATIENCE_S, Door
from cheeseboard.server.refusals import No

UNSAFE = {"POST", "PATCH", "PUT", "DELETE"}
FORM = "application/x-www-form-urlencoded"
HSTS = "max-age=31536000"


class Guard:
    """Around everything: security headers on every answer, no request from another site's page, JSON bodies only."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self.app, self.door = app, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        client = scope.get("client")
        secure = self.door.https(headers, client[0] if client else "", scope["scheme"])
        in_office = admin.in_office(scope["path"])

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                mine = HEADERS | ({"strict-transport-security": HSTS} if secure else {})
                if scope["path"].startswith("/api"):
                    mine = mine | {"cache-control": "no-store"}
                elif in_office:
                    mine = mine | admin.HEADERS
                message["headers"] = [
                    *message["headers"],
                    *((name.encode(), value.encode()) for name, value in mine.items()),
                ]
            await send(message)

        refusal = None
        address = self.door.address(headers, client[0] if client else "")
        if not self.door.requests.take(address, self.door.house.clock.monotonic()):
            refusal = No("too-often", "expected fewer requests a second from this address", 429)
        elif scope["method"] in UNSAFE:
            refusal = self._form_refusal(headers) if in_office else self._refusal(scope["method"], headers)
        if refusal:
            if refusal.code == "too-often":
                await asyncio.sleep(PATIENCE_S)
            self.door.house.metrics.refused[refusal.code] += 1
            body = messages.encode(messages.Problem(refusal.code, str(refusal)))
            start = {"type": "http.response.start", "status": refusal.status}
            head = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
            await guarded({**start, "headers": head})  # type: ignore[arg-type]
            await send({"type": "http.response.body", "body": body, "more_body": False})
            return
        await self.app(scope, receive, guarded)

    def _refusal(self, method: str, headers: dict[str, str]) -> No | None:
        if not self.door.same_site(headers):
            return _from_elsewhere(headers)
        kind = _kind(headers)
        has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
        if method != "DELETE" and has_body and kind != "application/json":
            return No("not-json", f"expected content-type application/json, got {kind!r}", 415)
        return None

    def _form_refusal(self, headers: dict[str, str]) -> No | None:
        """The admin's page works without a script, by plain forms, and only by those of our own page."""
        if not self.door.own_form(headers):
            return _from_elsewhere(headers)
        kind = _kind(headers)
        return None if kind == FORM else No("not-form", f"expected content-type {FORM}, got {kind!r}", 415)


def _from_elsewhere(headers: dict[str, str]) -> No:
    origin = headers.get("origin") or headers.get("sec-fetch-site")
    return No("cross-site", f"expected a request from our own page, got one from {origin!r}", 403)


def _kind(headers: dict[str, str]) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()
