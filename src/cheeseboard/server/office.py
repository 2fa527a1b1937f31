"""The admin's page in HTML: tables and plain forms, no script, no style of its own."""

from html import escape

from cheeseboard.server.desk import AtTable, House, Place
from cheeseboard.server.pages import page
from cheeseboard.server.record import OPEN_PHASES

TITLE = "Cheeseboard: the office"


def login(notice: str = "") -> str:
    return page(
        TITLE,
        f'<h1>The office</h1>{_notice(notice)}<form method="post" action="/admin/login"><p><label>The admin\'s token '
        '<input type="password" name="token" autocomplete="current-password" required></label> '
        "<button>Come in</button></p></form><p>It lies in the file <code>admin-token</code> of the data folder.</p>",
    )


def house(now: House, mark: str, notice: str = "") -> str:
    rows = "".join(_row(table, now.now_ms, mark) for table in now.tables)
    heads = "".join(f"<th>{head}</th>" for head in ("code", "game", "phase", "seats", "connections", "n", "age", ""))
    stored = ", ".join(f"{count} {escape(phase)}" for phase, count in sorted(now.store.tables.items()))
    addresses = "".join(f"<li><code>{escape(who)}</code>: {count}</li>" for who, count in sorted(now.addresses.items()))
    bans = "".join(f"<li>{_banned(ban, mark)}</li>" for ban in now.bans)
    return page(
        TITLE,
        f"<h1>The office</h1>{_notice(notice)}"
        f"<p>{now.people} people, {now.connections} connections.</p>"
        f"<h2>Tables</h2><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        '<h2>Take away a replay</h2><form action="/admin/export"><label>Code of a table that has ended '
        '<input name="table" required maxlength="5"></label> <button>Download</button></form>'
        f"<h2>Keep somebody out</h2>{_ban_form(mark)}<ul>{bans}</ul>"
        f"<h2>Addresses</h2><ul>{addresses}</ul>"
        f"<h2>The books</h2><p>{escape(now.store.database)}, {now.store.bytes / 2**20:.1f} MiB. Tables: {stored}. "
        f"{now.store.people} people with {now.store.devices} devices, {now.store.named_seats} named seats.</p>"
        f'<h2>Leave</h2><form method="post" action="/admin/logout">{_mark(mark)}<button>Log out</button></form>',
    )


def _row(table: AtTable, now_ms: int, mark: str) -> str:
    seats = "<br>".join(_seat(seat) for seat in table.seats)
    if table.phase in OPEN_PHASES:
        act = (
            f'<form method="post" action="/admin/close">{_mark(mark)}'
            f'<input type="hidden" name="table" value="{escape(table.table)}"><button>Close</button></form>'
        )
    else:
        act = f'<a href="/admin/export?table={escape(table.table)}">Replay</a>'
    cells = (
        f"<code>{escape(table.table)}</code>",
        escape(table.game),
        table.phase,
        seats,
        table.connections,
        table.n,
        f"{max(0, now_ms - table.made_ms) // 60_000} min",
        act,
    )
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _seat(seat: Place) -> str:
    if seat.kind == "person":
        away = f", away: {escape(seat.level)}" if seat.level else ""
        return f"{escape(seat.name)} <code>{escape(seat.person)}</code>{away}"
    return escape(" ".join(filter(None, (seat.kind, seat.level))))


def _ban_form(mark: str) -> str:
    return (
        f'<form method="post" action="/admin/ban">{_mark(mark)}<label>Who <select name="kind">'
        '<option value="person">person</option><option value="address">address</option></select></label> '
        '<label>id or address <input name="value" required maxlength="64"></label> <button>Keep out</button></form>'
    )


def _banned(ban: str, mark: str) -> str:
    kind, _, value = ban.partition(" ")
    return (
        f'<form method="post" action="/admin/unban">{_mark(mark)}{escape(kind)} <code>{escape(value)}</code> '
        f'<input type="hidden" name="kind" value="{escape(kind)}"><input type="hidden" name="value" '
        f'value="{escape(value)}"><button>Let in again</button></form>'
    )


def _mark(mark: str) -> str:
    return f'<input type="hidden" name="mark" value="{escape(mark)}">'


def _notice(notice: str) -> str:
    return f'<p role="alert">{escape(notice)}</p>' if notice else ""
