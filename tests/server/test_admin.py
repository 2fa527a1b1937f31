"""The admin's office: who gets in, what can be done there, and what cannot be seen."""

import asyncio
import re
from types import SimpleNamespace

import httpx
import pytest

from cheeseboard import verify
from cheeseboard.cli import main
from cheeseboard.client import Client
from cheeseboard.server.admin import SESSION_S, Office
from tests.server.guests import one_game
from tests.server.knocking import ask, closed, get, heard, new_guest, new_table, post, sitting
from tests.server.running import Running

TOKEN = "admin-token-of-the-tests"
BEARER = {"authorization": f"Bearer {TOKEN}"}
PAGES = [("GET", "/admin"), ("GET", "/admin/export?table=abcde")]
FORMS = ["/admin/close", "/admin/ban", "/admin/unban", "/admin/logout"]
TWINS = [
    ("GET", "/api/admin/tables", None),
    ("GET", "/api/admin/export/abcde", None),
    ("POST", "/api/admin/close", {"table": "abcde"}),
    ("POST", "/api/admin/ban", {"kind": "person", "value": "p0123456789abcdef"}),
    ("POST", "/api/admin/unban", {"kind": "person", "value": "p0123456789abcdef"}),
]


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with Running(tmp_path_factory.mktemp("office") / "house", env={"CHEESEBOARD_PROXIES": "127.0.0.1"}) as running:
        yield running


@pytest.fixture
def visitor(house):
    """A browser that has not logged in."""
    with httpx.Client(
        base_url=house.url,
        verify=False,
        trust_env=False,
        headers={"origin": house.url, "sec-fetch-site": "same-origin"},
    ) as browser:
        yield browser


@pytest.fixture
def admin(visitor):
    """One that has."""
    answer = visitor.post("/admin/login", data={"token": TOKEN})
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin")
    return visitor


@pytest.fixture
def guest(house):
    """A program that is a guest, and has laid a table."""
    who = new_guest(house)
    with httpx.Client(base_url=house.url, verify=False, trust_env=False, headers=who.bearer) as http:
        yield SimpleNamespace(http=http, who=who, person=who.person, table=new_table(house, who, name="Wanda"))


def mark_of(admin):
    return re.findall(r'name="mark" value="([0-9a-f]{64})"', admin.get("/admin").text)[0]


# --- who gets in ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "path"), PAGES)
def test_without_a_token_there_is_only_the_way_in(visitor, method, path):
    answer = visitor.request(method, path)
    assert answer.status_code == 401
    assert 'action="/admin/login"' in answer.text
    assert "<table" not in answer.text


@pytest.mark.parametrize("path", FORMS)
def test_forms_without_a_session_do_nothing(visitor, house, guest, path):
    answer = visitor.post(path, data={"table": guest.table, "kind": "person", "value": guest.person})
    assert answer.status_code == 401
    assert guest.http.get("/api/me").status_code == 200
    assert guest.http.get(f"/api/tables/{guest.table}").json()["phase"] == "gathering"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": "Bearer wrong"},
        {"authorization": f"Basic {TOKEN}"},
        {"authorization": f"Bearer {TOKEN}x"},
        {"authorization": f"Bearer {TOKEN[:-1]}"},
        {"authorization": "Bearer"},
        {"cookie": f"cheeseboard-admin={TOKEN}"},
    ],
)
@pytest.mark.parametrize(("method", "path", "body"), TWINS)
def test_programs_need_the_token(house, method, path, body, headers):
    answer = ask(method, house.url + path, json=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (401, "not-admin")


@pytest.mark.parametrize("token", ["", "wrong", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "\0", "ä" * 400])
def test_a_wrong_token(visitor, token):
    answer = visitor.post("/admin/login", data={"token": token})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    assert visitor.get("/admin").status_code == 401


def test_the_session(admin):
    (cookie,) = admin.cookies.jar
    assert (cookie.name, cookie.path, cookie.secure) == ("cheeseboard-admin", "/admin", False)
    assert admin.get("/admin").status_code == 200
    answer = admin.post("/admin/logout", data={"mark": mark_of(admin)})
    assert "Max-Age=0" in answer.headers["set-cookie"]
    assert admin.get("/admin").status_code == 401


def test_the_cookie_is_strict_and_behind_https_secure(visitor):
    plain = visitor.post("/admin/login", data={"token": TOKEN}).headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict", "Path=/admin"} <= {*plain.split("; ")}
    https = {"x-forwarded-proto": "https", "origin": visitor.headers["origin"].replace("http", "https")}
    secure = visitor.post("/admin/login", data={"token": TOKEN}, headers=https).headers["set-cookie"]
    assert secure.startswith("__Secure-cheeseboard-admin=")
    assert {"Secure", "HttpOnly", "SameSite=strict"} <= {*secure.split("; ")}


def test_sessions_end_and_cannot_be_made_without_the_token():
    office = Office("correct horse battery")
    session = office.session(1000)
    assert office.is_session(session, 999)
    assert not office.is_session(session, 1000)
    assert not office.is_session(session.replace("1000.", "9999."), 999)
    assert not office.is_session(Office("another").session(1000), 999)
    for junk in ("", ".", "x.y", "1000", "1000.", "-1.x", "٣.x", "9" * 5000 + ".x"):
        assert not office.is_session(junk, 999)
    assert office.form_mark(session) != office.form_mark(office.session(1001))


def test_a_program_may_read_the_page_too(house):
    assert get(f"{house.url}/admin", headers=BEARER).status_code == 200


def test_a_token_that_could_be_guessed_is_refused(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("CHEESEBOARD_ADMIN_TOKEN", "cheese")
    assert main(["serve", "--port", "0", "--data", str(tmp_path)]) == 2
    assert "expected 16 characters or more, got 6, in CHEESEBOARD_ADMIN_TOKEN" in capfd.readouterr().err


# --- forms from elsewhere -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": ""},
        {"origin": None},
        {"origin": None, "sec-fetch-site": None},
        {"origin": None, "sec-fetch-site": "none"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
        {"origin": "http://127.0.0.1:1"},
        {"origin": "ORIGIN.evil.example"},
        {"origin": "ORIGIN/"},
    ],
)
def test_a_form_from_elsewhere_is_refused(admin, house, guest, headers):
    """Even with session and mark: browsers say where a form comes from."""
    mark = mark_of(admin)
    for name, value in headers.items():
        admin.headers.pop(name, None)
        if value is not None:
            admin.headers[name] = value.replace("ORIGIN", house.url)
    answer = admin.post("/admin/close", data={"mark": mark, "table": guest.table})
    assert (answer.status_code, answer.json()["code"]) == (403, "cross-site")
    assert guest.http.get(f"/api/tables/{guest.table}").json()["phase"] == "gathering"


@pytest.mark.parametrize("mark", ["", "0" * 64, "x"])
def test_a_form_without_the_mark_of_the_session_is_refused(admin, guest, mark):
    answer = admin.post("/admin/close", data={"mark": mark, "table": guest.table})
    assert answer.status_code == 403
    assert "expected a form from our own page" in answer.text
    assert guest.http.get(f"/api/tables/{guest.table}").json()["phase"] == "gathering"


def test_only_forms_go_to_the_office_and_only_json_to_the_rest(admin, guest):
    assert admin.post("/admin/close", json={"table": guest.table}).json()["code"] == "not-form"
    assert admin.post("/api/admin/close", data={"table": guest.table}).json()["code"] == "not-json"
    assert admin.post("/api/tables", data={"game": "geier"}).json()["code"] == "not-json"


def test_get_changes_nothing(admin, guest):
    for path in FORMS:
        assert admin.get(path, params={"table": guest.table, "mark": mark_of(admin)}).status_code == 405
    assert guest.http.get(f"/api/tables/{guest.table}").json()["phase"] == "gathering"


# --- what can be done -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by_form", [True, False])
def test_close_a_table(admin, house, guest, by_form):
    if by_form:
        answer = admin.post("/admin/close", data={"mark": mark_of(admin), "table": guest.table})
        assert (answer.status_code, answer.headers["location"]) == (303, "/admin")
    else:
        assert post(f"{house.url}/api/admin/close", json={"table": guest.table}, headers=BEARER).json() == {"ok": True}
    assert guest.http.get(f"/api/tables/{guest.table}").json()["phase"] == "closed"
    assert f'"event": "admin-closed-table", "table": "{guest.table}"' in house.log


@pytest.mark.parametrize("by_form", [True, False])
def test_ban_a_person(admin, house, guest, by_form):
    """They are shown the door at once, stay out, and may come back when they are let in again."""

    def act(what):
        wish = {"kind": "person", "value": guest.person}
        if by_form:
            return admin.post(f"/admin/{what}", data=wish | {"mark": mark_of(admin)})
        return post(f"{house.url}/api/admin/{what}", json=wish, headers=BEARER)

    with sitting(house, guest.who, guest.table) as line:
        assert act("ban").status_code == (303 if by_form else 200)
        assert closed(line) == (1008, "banned")
    assert guest.http.get("/api/me").json()["code"] == "banned"
    assert guest.person in admin.get("/admin").text
    act("unban")
    assert guest.http.get("/api/me").status_code == 200
    assert f'"event": "admin-banned", "kind": "person", "who": "{guest.person}"' in house.log
    assert f'"event": "admin-unbanned", "kind": "person", "who": "{guest.person}"' in house.log


@pytest.mark.parametrize(
    ("value", "seen", "other"),
    [("203.0.113.9", "203.0.113.9", "203.0.113.10"), ("2001:db8:1:2::7", "2001:db8:1:2:3::9", "2001:db8:1:3::7")],
)
def test_ban_an_address(house, guest, value, seen, other):
    """Of IPv6 a whole household; the log knows only the neighbourhood."""
    ban = {"kind": "address", "value": value}
    from_there, from_other = {"x-forwarded-for": seen}, {"x-forwarded-for": other}
    with sitting(house, guest.who, guest.table, **from_there) as line:
        post(f"{house.url}/api/admin/ban", json=ban, headers=BEARER).raise_for_status()
        assert closed(line) == (1008, "banned")
    assert guest.http.get("/api/me", headers=from_there).json()["code"] == "banned"
    assert guest.http.get("/api/me", headers=from_other).status_code == 200
    post(f"{house.url}/api/admin/unban", json=ban, headers=BEARER).raise_for_status()
    assert guest.http.get("/api/me", headers=from_there).status_code == 200
    assert value not in house.log
    assert seen not in house.log


def test_a_ban_lasts_over_a_restart(tmp_path):
    with Running(tmp_path / "house") as house:
        ban = {"kind": "address", "value": "198.51.100.7"}
        post(f"{house.url}/api/admin/ban", json=ban, headers=BEARER).raise_for_status()
        house.stop()
        house.start()
        assert get(f"{house.url}/api/admin/tables", headers=BEARER).json()["bans"] == ["address 198.51.100.7"]
        assert '"event": "house-closed", "code": 0' in house.log


@pytest.mark.parametrize(
    ("kind", "value", "why"),
    [
        ("person", "Wanda", "expected the id of a person"),
        ("person", "p0123456789abcdef<script>", "expected the id of a person"),
        ("address", "localhost", "expected an address"),
        ("address", "127.0.0.1", "this machine itself"),
        ("address", "::1", "this machine itself"),
        ("address", "203.0.113.0/24", "expected an address"),
    ],
)
def test_bans_that_can_hit_nobody(admin, house, kind, value, why):
    wish = {"kind": kind, "value": value}
    answer = post(f"{house.url}/api/admin/ban", json=wish, headers=BEARER)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-ban")
    assert why in answer.json()["text"]
    page = admin.post("/admin/ban", data=wish | {"mark": mark_of(admin)})
    assert page.status_code == 400
    assert why in page.text
    assert "<script>" not in page.text


def test_take_away_a_replay(admin, house):
    async def played():
        async with Client(house.url, "Wanda") as one, Client(house.url, "Otto") as two:
            return (await one_game((one, two), "geier"))[0]

    table = asyncio.run(played())
    by_page = admin.get("/admin/export", params={"table": table})
    assert by_page.headers["content-disposition"] == f'attachment; filename="cheeseboard-{table}.json"'
    by_program = get(f"{house.url}/api/admin/export/{table}", headers=BEARER)
    assert by_page.content == by_program.content
    assert verify.check(verify.load(by_page.text)).verdict == "ok"
    assert f'"event": "admin-exported", "table": "{table}"' in house.log


def test_no_god_mode(admin, house, guest):
    """Of a game in play the office shows who sits there and how far it is; replay, root and cards it cannot get."""
    with sitting(house, guest.who, guest.table) as line:
        view = heard(line, "view")
        told = get(f"{house.url}/api/admin/tables", headers=BEARER).json()
        (mine,) = [table for table in told["tables"] if table["table"] == guest.table]
        assert set(mine) == {"table", "game", "phase", "seats", "connections", "n", "made_ms"}
        assert (mine["phase"], mine["connections"]) == ("playing", 1)
        assert all(set(seat) == {"kind", "person", "name", "level"} for seat in mine["seats"])
        page = admin.get("/admin").text
        for field in {*view["view"]} - {"seats", "phase"}:
            assert field not in page
        answer = get(f"{house.url}/api/admin/export/{guest.table}", headers=BEARER)
        assert (answer.status_code, answer.json()["code"]) == (409, "not-over")
        refused = admin.get("/admin/export", params={"table": guest.table})
        assert refused.status_code == 409
        assert "can be had when its game is over" in refused.text


def test_the_page_shows_the_house(admin, house, guest):
    with sitting(house, guest.who, guest.table, **{"x-forwarded-for": "203.0.113.9"}):
        page = admin.get("/admin").text
    assert f"<code>{guest.table}</code>" in page
    assert f"Wanda <code>{guest.person}</code>" in page
    assert "1 people, 1 connections." in page
    assert "<code>203.0.113.9</code>: 1" in page
    assert "sqlite" in page


def test_names_are_only_text(admin, guest):
    """And the page has no script and no style of its own, so the strict policy never hinders it."""
    name = "<b onx=1>'\"&"
    guest.http.patch("/api/me", json={"name": name}).raise_for_status()
    guest.http.post("/api/tables", json={"game": "geier", "seats": ["me", "open"]}).raise_for_status()
    answer = admin.get("/admin")
    assert "&lt;b onx=1&gt;&#x27;&quot;&amp;" in answer.text
    for word in ("<b onx", "<script", "<style", " style=", " onclick"):
        assert word not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["referrer-policy"] == "same-origin"  # else its forms would come from `null`
    assert answer.headers["cache-control"] == "no-store"


def test_a_session_lasts_a_working_day():
    assert SESSION_S == 12 * 3600
