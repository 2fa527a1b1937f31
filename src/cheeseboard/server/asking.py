"""What every handler of HTTP needs: the door, the asker's headers and address, and a way to wait for the house."""

import asyncio
from collections.abc import Callable
from typing import Any

from litestar import Request

from cheeseboard.games.core import Refusal
from cheeseboard.server.door import Door

Asking = Request[Any, Any, Any]


def door_of(request: Asking) -> Door:
    door = request.app.state.door
    assert isinstance(door, Door)
    return door


async def answered(ask: Callable[[Callable[[Any], None]], None]) -> Any:
    """Wait for an answer of the house; a refusal is raised."""
    future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def answer(result: Any) -> None:
        if not future.done():  # the asker may have gone
            future.set_result(result)

    ask(answer)
    result = await future
    if isinstance(result, Refusal):
        raise result
    return result


def headers_of(request: Asking) -> dict[str, str]:
    return {name.lower(): value for name, value in request.headers.items()}


def peer_of(request: Asking) -> str:
    return request.client.host if request.client else ""


def address_of(request: Asking) -> str | None:
    return door_of(request).address(headers_of(request), peer_of(request))


def https(request: Asking) -> bool:
    return door_of(request).https(headers_of(request), peer_of(request), request.scope["scheme"])
