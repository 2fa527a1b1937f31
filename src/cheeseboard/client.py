"""A guest in code: lay a table or sit down at one, and play. For bots of your own, for tests, for load.

>>> async def evening(url):
...     async with Client(url, "Robo") as robo:
...         table = await robo.lay("geier", ["me", "bot:mouse"])
...         async with robo.play(table) as seat:
...             async for view in seat:
...                 if seat.you in view.waiting:
...                     await seat.act(view.legal[0])
...         return seat.view.result

A seat keeps its connection by itself: it reconnects, tells the house up to where it has heard, and sends again what was
not answered, under the same id, so that nothing is done twice. It takes part in the deal and refuses to play a deal
that cannot be verified."""

import asyncio
import secrets
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Self

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from cheeseboard import deal as protocol
from cheeseboard.bundle import RECEIPT, Bundle, Receipt
from cheeseboard.games.core import Refusal
from cheeseboard.server import messages

decode = msgspec.json.Decoder(messages.FromHouse).decode
GONE = {"kicked", "banned", "no-table", "old-rules"}  # no use in coming back
WAIT_S = (0.05, 0.2, 0.5, 1.0, 2.0)  # before the next try to connect; then the last for ever


class Refused(Refusal):
    """The house said no."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code


class Dishonest(Exception):
    """What the house shows does not fit what it showed before."""


@cache
def certificates() -> ssl.SSLContext:
    """Read once for all guests of a program: to read them takes 20 ms in which it hears nobody."""
    return httpx.create_ssl_context()


class Client:
    """One guest of a house."""

    def __init__(self, url: str, name: str = "", token: str = "", timeout_s: float = 30.0) -> None:
        self.url, self.name, self.token = url.rstrip("/"), name, token
        self.http = httpx.AsyncClient(
            base_url=self.url, timeout=timeout_s, limits=httpx.Limits(keepalive_expiry=30), verify=certificates()
        )

    async def __aenter__(self) -> Self:
        if not self.token:
            guest = await self.ask("POST", "/api/guests", {"name": self.name})
            self.token = guest["token"]
            self.http.cookies.clear()  # the token goes by header; a cookie would need an Origin
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.http.aclose()

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Any call of the API; a refusal is raised."""
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        content = None
        if body is not None:
            headers["content-type"], content = "application/json", msgspec.json.encode(body)
        answer = await self.http.request(method, path, headers=headers, content=content)
        if answer.status_code >= 400:
            try:
                problem = msgspec.json.decode(answer.content, type=messages.Problem)
            except msgspec.DecodeError:
                problem = messages.Problem(f"http-{answer.status_code}", answer.text[:200])
            raise Refused(problem.code, problem.text)
        return msgspec.json.decode(answer.content) if answer.content else None

    async def lay(self, game: str, seats: Sequence[str], **wishes: Any) -> str:
        """Lay a table; returns its code."""
        laid = await self.ask("POST", "/api/tables", {"game": game, "seats": list(seats), "name": self.name, **wishes})
        return str(laid["table"])

    async def sit(self, table: str, seat: int | None = None, *, also: bool = False) -> int:
        wish = {"name": self.name, "seat": seat, "also": also}
        return int((await self.ask("POST", f"/api/tables/{table}/sit", wish))["seat"])

    async def rematch(self, table: str) -> str:
        return str((await self.ask("POST", f"/api/tables/{table}/rematch"))["table"])

    async def replay(self, table: str) -> Bundle:
        return msgspec.convert(await self.ask("GET", f"/api/tables/{table}/replay"), Bundle)

    def play(self, table: str, **terms: Any) -> "Seat":
        """A connection to a table: to your seat there, or to watch."""
        return Seat(self.url, self.token, table, **terms)


class Seat:
    """A connection that lasts. Iterate over it for the table as it is now, after each change, until the game is over.

    Who is slow misses what lay between: every view is whole. `views` has them all, one by one."""

    def __init__(self, url: str, token: str, table: str, *, seat: int | None = None, deal: bool = True) -> None:
        self.url, self.token, self.code, self.wanted = url, token, table, seat
        self.takes_part = deal
        self.you = -1
        self.n = -1  # the last act we were told of
        self.view: messages.View | None = None
        self.table: messages.TableInfo  # who sits where, and the deal: known as soon as we are connected
        self.deal: messages.Deal
        self.seats: list[int] = []
        self.seeds: dict[tuple[int, int], bytes] = {}  # (attempt, seat) -> our secret
        self.shown: dict[int, str] = {}  # attempt -> the house's commit, as first shown to us
        self.said: list[messages.Said] = []
        self.moved = ""
        self.connections = 0
        self.socket: ClientConnection | None = None
        self.views: asyncio.Queue[messages.View | None] = asyncio.Queue()
        self.open: dict[str, tuple[messages.Play, asyncio.Future[int]]] = {}
        self.trouble: Exception | None = None
        self.closed = False
        self.reader: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        first = asyncio.get_running_loop().create_future()
        self.reader = asyncio.create_task(self._stay(first))
        await first
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.leave()

    async def leave(self) -> None:
        self.closed = True
        if self.socket:
            await self.socket.close()
        if self.reader:
            self.reader.cancel()
            with suppress(asyncio.CancelledError):
                await self.reader

    async def __aiter__(self) -> AsyncIterator[messages.View]:
        while True:
            view = await self.views.get()
            while view is not None and not self.views.empty():
                view = self.views.get_nowait() or view
            if view is None:
                if self.trouble:
                    raise self.trouble
                return
            yield view
            if view.over:
                return

    @property
    def now(self) -> messages.View:
        """The table as it is now; there is one as soon as the game has begun."""
        assert self.view is not None, "expected a game in play"
        return self.view

    async def act(
        self,
        action: int,
        *,
        id: str = "",  # noqa: A002
        seat: int | None = None,
        slap: messages.Slap | None = None,
    ) -> int:
        """Do it; returns the number it has in the log, when it is on the house's disk. `slap`: in a race, what your
        device knows of it."""
        if self.trouble:
            raise self.trouble
        play = messages.Play(id or secrets.token_hex(12), action, seat, slap)
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.open[play.id] = (play, answer)
        await self.send(play)
        return await answer

    async def say(self, phrase: str = "", text: str = "") -> None:
        await self.send(messages.Say(phrase, text))

    async def look(self, seat: int) -> None:
        """See the table from another of your seats."""
        self.wanted, self.n = seat, -1
        await self.send(messages.Look(seat))

    async def send(self, message: messages.FromClient) -> None:
        """Say something now; if the connection is just being made again, what must not be lost is sent then."""
        if self.socket:
            with suppress(ConnectionClosed):
                await self.socket.send(messages.encode(message), text=True)

    @property
    def seeded(self) -> bool:
        """Whether a seed of ours is in the deal; without one we have to trust the others."""
        ours = {(seat, seed.hex()) for (attempt, seat), seed in self.seeds.items() if attempt == self.deal.attempt}
        return bool(ours & {(seat, seed) for seat, seed in self.deal.seeds})

    def receipt(self, seat: int) -> Receipt:
        """What to keep from before play; against it no house can rewrite the deal."""
        deal = self.deal
        assert (deal.attempt, seat) in self.seeds, f"expected a seat that takes part in the deal from here, got {seat}"
        seed = self.seeds[deal.attempt, seat].hex()
        commits = tuple((seat, commit) for seat, commit in deal.commits)
        return Receipt(
            format=RECEIPT,
            table=deal.table,
            seat=seat,
            attempt=deal.attempt,
            server=deal.server,
            commits=commits,
            seed=seed,
            transcript=deal.transcript,
        )

    # --- staying connected ------------------------------------------------------------------------------------------

    def _address(self) -> str:
        since = f"since={self.n}" if self.n >= 0 else ""
        seat = f"seat={self.wanted}" if self.wanted is not None else ""
        query = "&".join(filter(None, (since, seat)))
        return f"ws{self.url.removeprefix('http')}/api/tables/{self.code}/play" + (f"?{query}" if query else "")

    async def _stay(self, first: "asyncio.Future[None]") -> None:
        tries = 0
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        try:
            while not self.closed:
                try:
                    async with connect(
                        self._address(), additional_headers=headers, compression=None, max_size=None, open_timeout=30
                    ) as self.socket:
                        self.connections += 1
                        tries = 0
                        for play, _ in tuple(self.open.values()):
                            await self.send(play)
                        async for data in self.socket:
                            await self._hear(decode(data))
                            if not first.done() and hasattr(self, "deal"):
                                first.set_result(None)
                except InvalidStatus as error:
                    self._refused(error)
                except (OSError, WebSocketException, EOFError) as error:
                    if self.connections == 0 and tries == len(WAIT_S):
                        raise Refused("no-house", f"expected a house at {self.url}, got {error!r}") from None
                self.socket = None
                if not self.closed:
                    await asyncio.sleep(WAIT_S[min(tries, len(WAIT_S) - 1)])
                    tries += 1
        except (Refused, Dishonest) as trouble:
            self.trouble = trouble
            if not first.done():
                first.set_exception(trouble)
        finally:
            self.socket = None
            for _, answer in self.open.values():
                if not answer.done():
                    answer.set_exception(self.trouble or Refused("left", "we left before the answer came"))
            self.views.put_nowait(None)

    def _refused(self, error: InvalidStatus) -> None:
        status = error.response.status_code
        if status >= 500 or status == 429:
            return  # later, perhaps
        problem = msgspec.json.decode(error.response.body or b'{"code":"refused","text":""}', type=messages.Problem)
        raise Refused(problem.code, problem.text)

    # --- hearing ----------------------------------------------------------------------------------------------------

    async def _hear(self, message: messages.FromHouse) -> None:
        match message:
            case messages.View():
                self._see(message)
            case messages.Done():
                self._answered(message.id, lambda answer: answer.set_result(message.n))
            case messages.Refused():
                refused = Refused(message.code, message.text)
                self._answered(message.id, lambda answer: answer.set_exception(refused))
            case messages.Table():
                self.table, self.seats = message.table, message.you
                if hasattr(self, "deal"):  # a new seat of ours takes part too
                    await self._take_part(self.deal)
            case messages.Deal():
                await self._take_part(message)
            case messages.Said():
                self.said.append(message)
            case messages.Moved():
                self.moved = message.table
            case messages.Bye() if message.code in GONE:
                raise Refused(message.code, message.text)
            case _:
                pass

    def _see(self, view: messages.View) -> None:
        away = view.since == view.n > self.n  # for longer than the house can tell of: this is the table as it is now
        if self.n >= 0 and view.since != self.n and view.you == self.you and not away:
            raise Dishonest(f"expected to hear of acts from {self.n + 1} on, got those from {view.since + 1} on")
        self.you, self.n, self.view = view.you, view.n, view
        self.views.put_nowait(view)

    def _answered(self, id: str, give: Callable[["asyncio.Future[int]"], None]) -> None:  # noqa: A002
        _, answer = self.open.pop(id, (None, None))
        if answer and not answer.done():
            give(answer)

    # --- the deal ---------------------------------------------------------------------------------------------------

    async def _take_part(self, deal: messages.Deal) -> None:
        """Put in our seed, and check that the house keeps to what it has shown."""
        self.deal = deal
        if self.shown.setdefault(deal.attempt, deal.server) != deal.server:
            raise Dishonest(f"the house has changed its commit of attempt {deal.attempt}")
        if self.takes_part:
            for seat in self.seats:
                await self._contribute(deal, seat)
        if deal.transcript:
            self._check(deal)

    async def _contribute(self, deal: messages.Deal, seat: int) -> None:
        mine = (deal.attempt, seat)
        if deal.stage == "commit" and mine not in self.seeds:
            self.seeds[mine] = secrets.token_bytes(32)
        seed = self.seeds.get(mine)
        if seed is None:
            return
        commit = protocol.seat_commit(deal.table, deal.epoch, deal.attempt, seat, seed).hex()
        if deal.stage == "commit":
            await self.send(messages.Commit(deal.attempt, commit, seat))
        elif deal.stage == "seed" and dict(deal.commits).get(seat) == commit:
            await self.send(messages.Seed(deal.attempt, seed.hex(), seat))

    def _check(self, deal: messages.Deal) -> None:
        seeds, commits = dict(deal.seeds), dict(deal.commits)
        for (attempt, seat), seed in self.seeds.items():
            # Another hash at our seat may be another device of ours; then `seeded` says that our own seed is not in it.
            ours = protocol.seat_commit(deal.table, deal.epoch, deal.attempt, seat, seed).hex() == commits.get(seat)
            if attempt == deal.attempt and ours and seeds.get(seat) != seed.hex():
                raise Dishonest(f"our seed for seat {seat} is not in the deal")
        entries = [(seat, bytes.fromhex(commit), bytes.fromhex(seeds[seat])) for seat, commit in deal.commits]
        deck, server = bytes.fromhex(deal.deck), bytes.fromhex(deal.server)
        mark = protocol.transcript(deal.table, deal.epoch, deal.attempt, deal.rules, deck, server, entries)
        if mark.hex() != deal.transcript:
            raise Dishonest("the transcript of the deal does not follow from what was shown")
        if deal.root:
            root = bytes.fromhex(deal.root)
            key = protocol.deal_key(root, mark)
            shown = protocol.server_commit(deal.table, deal.epoch, deal.attempt, root).hex()
            if (shown, key.hex(), protocol.digest(key).hex()) != (deal.server, deal.key, deal.key_hash):
                raise Dishonest("the house has shown another root or key than it was bound to")
