"""The store, on both databases: every write is read back as it was, the fence holds, a commit is all or nothing."""

import sqlite3
import threading

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from sqlalchemy import text

from cheeseboard.server.schema import metadata
from cheeseboard.server.store import (
    Ban,
    Claimed,
    Entry,
    Forget,
    Group,
    Judgement,
    Name,
    NoBan,
    NoName,
    NoToken,
    Person,
    Secret,
    Store,
    TableRow,
    Token,
)

LATE = 2**53  # of milliseconds: more than 32 bits hold
BYTES = bytes(range(256))
CLASH = (sqlite3.IntegrityError, psycopg.errors.UniqueViolation)


def row(table="k7q2m", phase="playing", made_ms=1, **others) -> TableRow:
    fields = {"game": "geier", "public": True, "host": "p1", "changed_ms": made_ms, "record": b"{}"} | others
    return TableRow(id=table, phase=phase, made_ms=made_ms, **fields)


def entry(n, table="k7q2m", id="", epoch=1, **others) -> Entry:  # noqa: A002
    fields = {"seat": 0, "action": n, "luck": b"", "at_ms": n, "chain": bytes([n] * 32)} | others
    return Entry(table=table, n=n, id=id, epoch=epoch, **fields)


def claim(store: Store, table="k7q2m") -> Claimed:
    claimed = store.claim(table)
    assert claimed
    return claimed


def put(store: Store, *writes) -> None:
    assert store.commit([Group("", 0, writes)]) == [True]


def everything(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all tables."""
    with store._reading.connect() as db:
        return {
            name: sorted(map(tuple, db.execute(table.select())), key=repr) for name, table in metadata.tables.items()
        }


# --- writes and reads -----------------------------------------------------------------------------------------------


def test_a_table_comes_back_as_it_was_and_changes(store):
    first = row(made_ms=LATE, record=BYTES, public=False)
    assert store.commit([Group("k7q2m", 1, (first,))]) == [True]
    assert store.row("k7q2m") == first
    assert store.row("k7q2m").public is False
    second = row(phase="over", made_ms=LATE, changed_ms=LATE + 1, public=True, host="p2", record=b"")
    assert store.commit([Group("k7q2m", 1, (second,))]) == [True]
    assert store.row("k7q2m") == second
    assert store.row("other") is None
    assert store.taken("k7q2m")
    assert not store.taken("other")


def test_a_table_may_be_made_and_changed_in_one_commit(store):
    over, other = row(phase="over"), row("other")
    groups = [Group("k7q2m", 1, (row(), entry(1))), Group("k7q2m", 1, (over, other)), Group("other", 1, (other,))]
    assert store.commit(groups) == [True, True, True]
    assert store.rows(["over"]) == [over]
    assert store.rows(["playing"]) == [other]


def test_tables_by_phase_the_oldest_first(store):
    put(store, row("later", made_ms=2), row("first"), row("ended", "over"), row("young", "gathering", made_ms=3))
    assert [found.id for found in store.rows(["playing", "gathering"])] == ["first", "later", "young"]
    assert store.rows([]) == []


def test_each_table_streams_all_of_them(store):
    rows = [row(f"t{n:04}", made_ms=n + 1) for n in range(250)]
    put(store, *reversed(rows))
    assert list(store.each_table()) == rows
    assert [store.entries(found.id) for found in store.each_table()] == [[]] * 250  # others may be asked in between


def test_the_log_comes_back_in_order_bytes_and_all(store):
    acts = [
        entry(1, seat=62, at_ms=LATE, luck=BYTES, chain=bytes(32)),
        entry(2, id="ä–🐭", seat=61, epoch=1),
        entry(3, id=""),
    ]
    put(store, row(), row("other"), *reversed(acts), entry(1, "other", id="ä–🐭"))
    assert store.entries("k7q2m") == acts
    assert len(store.entries("other")) == 1
    assert store.entries("none") == []


def test_verdicts_come_back_by_their_race_and_by_who_raced(store):
    first, again, other = Judgement("k7q2m", 3, b"{}"), Judgement("k7q2m", 3, b"{1}"), Judgement("k7q2m", 9, BYTES)
    there = Judgement("c9syq", 1, b"{2}")
    seated = (Name("k7q2m", 0, "p1", "Ada"), Name("k7q2m", 1, "p2", "Bo"), Name("c9syq", 1, "p1", "Ada"))
    put(store, row(), row("c9syq"), other, first, there, *seated)
    assert store.races("k7q2m") == [first, other]
    put(store, again)  # the same race once more, after a pause or with a late paw
    assert store.races("k7q2m") == [again, other]
    assert store.races("zzzzz") == []
    assert store.raced(["p1"], 2) == [("p1", 1, b"{2}"), ("p1", 0, BYTES)]
    assert len(store.raced(["p1", "p2"], 9)) == 5
    put(store, Forget("p1"))
    assert store.raced(["p1"], 9) == []


def test_secrets_of_each_attempt(store):
    put(store, Secret("k7q2m", 0, BYTES), Secret("k7q2m", 1, b""), Secret("other", 0, b"x"))
    assert store.secrets("k7q2m") == {0: BYTES, 1: b""}


def test_people_tokens_and_their_end(store):
    zoe, max_ = Person("p1", "Zoë 🐭", LATE, LATE), Person("p2", "Max", 1, 1)
    put(store, zoe, max_, Token(BYTES, "p1", LATE), Token(b"\0", "p2", 1), Token(b"\1", "nobody", 1))
    assert store.person("p1") == store.person_of(BYTES) == zoe
    assert store.person_of(b"\0") == max_
    assert store.person_of(b"\1") is store.person_of(b"") is store.person("p3") is None
    put(store, Person("p1", "Zoe", LATE, LATE + 1), NoToken(b"\0"))
    assert store.person("p1") == Person("p1", "Zoe", LATE, LATE + 1)
    assert store.person_of(b"\0") is None


def test_names_at_a_table_come_change_and_go(store):
    put(store, Name("k7q2m", 0, "p1", "Zoë"), Name("k7q2m", 1, "p2", "Max"), Name("other", 3, "p1", "Z"))
    put(store, Name("k7q2m", 1, "p3", "Moritz"))
    assert store.names("k7q2m") == {0: Name("k7q2m", 0, "p1", "Zoë"), 1: Name("k7q2m", 1, "p3", "Moritz")}
    assert store.tables_of("p1") == [("k7q2m", 0, "Zoë"), ("other", 3, "Z")]
    assert store.tables_of("p2") == []
    put(store, NoName("k7q2m", 0), NoName("k7q2m", 5))
    assert list(store.names("k7q2m")) == [1]


def test_what_comes_and_goes_within_one_commit_does_so_in_order(store):
    groups = [
        Group("", 0, (Name("k7q2m", 0, "p1", "A"),)),
        Group("", 0, (NoName("k7q2m", 0), Name("k7q2m", 0, "p2", "B"), Ban("person", "p", 1), NoBan("person", "p"))),
        Group("", 0, (Person("p1", "A", 1, 1), Forget("p1"), Token(b"t", "p2", 1), NoToken(b"t"))),
    ]
    assert store.commit(groups) == [True] * 3
    assert store.names("k7q2m") == {0: Name("k7q2m", 0, "p2", "B")}
    assert store.bans() == []
    assert store.person("p1") is None
    assert everything(store)["tokens"] == []


def test_bans_are_kept_once(store):
    put(store, Ban("person", "p1", 1), Ban("person", "p1", 2), Ban("address", "192.0.2.7", LATE))
    assert store.bans() == [Ban("address", "192.0.2.7", LATE), Ban("person", "p1", 1)]
    put(store, NoBan("person", "p1"), NoBan("person", "nobody"))
    assert store.bans() == [Ban("address", "192.0.2.7", LATE)]


def test_to_forget_a_person_leaves_the_log_the_record_and_the_chain(store):
    put(store, row(host="p1"), entry(1, id="a"), Person("p1", "Zoë", 1, 1), Person("p2", "Max", 1, 1))
    put(store, Token(b"1", "p1", 1), Token(b"2", "p2", 1), Name("k7q2m", 0, "p1", "Zoë"), Name("k7q2m", 1, "p2", "Max"))
    before = everything(store)
    put(store, Forget("p1"))
    after = everything(store)
    assert {name: after[name] for name in ("tables", "log")} == {name: before[name] for name in ("tables", "log")}
    assert store.person("p1") is store.person_of(b"1") is None
    assert store.tables_of("p1") == []
    assert store.names("k7q2m") == {1: Name("k7q2m", 1, "p2", "Max")}
    assert store.person_of(b"2") == Person("p2", "Max", 1, 1)
    assert "Zoë" not in repr(after)


def test_nothing_to_store_is_stored_at_once(store):
    assert store.commit([]) == []
    assert store.commit([Group("", 0, ())]) == [True]


# --- the fence ------------------------------------------------------------------------------------------------------


def test_who_claims_a_table_gets_everything_and_fences_off_the_one_before(store):
    put(store, row(), Secret("k7q2m", 0, b"root"), Name("k7q2m", 0, "p1", "Zoë"))
    store.commit([Group("k7q2m", 1, (entry(1, id="a"),))])
    names = {0: Name("k7q2m", 0, "p1", "Zoë")}
    assert store.claim("k7q2m") == Claimed(row(), 2, [entry(1, id="a")], {0: b"root"}, names)
    before = everything(store)
    old = Group("k7q2m", 1, (entry(2), row(phase="over"), Secret("k7q2m", 1, b""), Name("k7q2m", 0, "p2", "Max")))
    assert store.commit([old]) == [False]
    assert everything(store) == before
    assert store.commit([Group("k7q2m", 2, (entry(2, epoch=2), row(phase="over")))]) == [True]
    assert store.claim("k7q2m").epoch == 3
    assert store.claim("other") is None


def test_a_fenced_group_does_not_hold_up_the_others(store):
    put(store, row(), row("other"))
    store.claim("other")
    groups = [
        Group("k7q2m", 1, (entry(1),)),
        Group("other", 1, (entry(1, "other"), Person("p9", "Nine", 1, 1))),
        Group("k7q2m", 1, (entry(2),)),
        Group("other", 2, (entry(1, "other", epoch=2),)),
        Group("none", 1, (entry(1, "none"),)),
        Group("", 0, (Person("p1", "Zoë", 1, 1),)),
    ]
    assert store.commit(groups) == [True, False, True, True, False, True]
    assert [found.n for found in store.entries("k7q2m")] == [1, 2]
    assert [found.epoch for found in store.entries("other")] == [2]
    assert store.person("p9") is None
    assert store.person("p1")


def test_two_houses_that_make_a_table_of_the_same_name_do_not_mix_them(store):
    assert store.commit([Group("k7q2m", 1, (row(made_ms=1),))]) == [True]
    assert store.commit([Group("k7q2m", 1, (row(made_ms=2, host="p2"), entry(1)))]) == [False]
    assert store.row("k7q2m") == row(made_ms=1)
    assert store.entries("k7q2m") == []
    assert store.commit([Group("other", 2, (row("other"),))]) == [False]  # a new table begins with epoch 1


def test_two_houses_on_one_database_the_older_owner_is_fenced_off(database):
    one, two = Store(database), Store(database)
    assert one.commit([Group("k7q2m", 1, (row(), entry(1)))]) == [True]
    claimed = claim(two)
    assert claimed.epoch == 2
    assert claimed.entries == [entry(1)]
    assert one.commit([Group("k7q2m", 1, (entry(2),))]) == [False]
    assert two.commit([Group("k7q2m", 2, (entry(2, epoch=2),))]) == [True]
    assert one.entries("k7q2m") == two.entries("k7q2m") == [entry(1), entry(2, epoch=2)]
    one.close()
    two.close()


def test_claims_and_commits_at_the_same_time_never_let_two_owners_write(database):
    """Each house claims the table and appends what it then thinks is the next row, again and again."""
    stores = [Store(database) for _ in range(3)]
    put(stores[0], row())
    errors, epochs = [], []

    def play(store: Store) -> None:
        try:
            for _ in range(8):
                claimed = claim(store)
                epochs.append(claimed.epoch)
                n = len(claimed.entries)
                while store.commit([Group("k7q2m", claimed.epoch, (entry(n := n + 1, epoch=claimed.epoch),))]) == [
                    True
                ]:
                    if n % 3 == 0:
                        break
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=play, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert sorted(epochs) == list(range(2, 26))
    entries = stores[0].entries("k7q2m")
    assert [found.n for found in entries] == list(range(1, len(entries) + 1))
    assert [found.epoch for found in entries] == sorted(found.epoch for found in entries)
    for store in stores:
        store.close()


def test_houses_that_write_of_the_same_people_in_another_order_do_not_block_each_other(database):
    stores = [Store(database) for _ in range(2)]
    people = [Person(f"p{n}", "x", 1, 1) for n in range(40)]
    errors = []

    def greet(store: Store, order: list[Person]) -> None:
        try:
            for _ in range(10):
                put(store, *order)
        except BaseException as error:
            errors.append(error)

    threads = [
        threading.Thread(target=greet, args=(store, order))
        for store, order in zip(stores, (people, people[::-1]), strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    for store in stores:
        store.close()


# --- all or nothing -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "clash",
    [
        entry(1),
        entry(3, id="a"),
        Secret("k7q2m", 0, b"other"),
        Token(b"t", "p2", 1),
    ],
)
def test_what_is_there_already_is_an_error_and_nothing_of_the_commit_stays(store, clash):
    put(store, row(), entry(1, id="a"), Secret("k7q2m", 0, b"root"), Token(b"t", "p1", 1))
    before = everything(store)
    groups = [
        Group("k7q2m", 1, (entry(2, id="b"), row(phase="over"))),
        Group("", 0, (Person("p1", "Zoë", 1, 1), Ban("person", "p1", 1), Name("k7q2m", 0, "p1", "Zoë"))),
        Group("", 0, (clash,)),
        Group("other", 1, (row("other"),)),
    ]
    with pytest.raises(CLASH):
        store.commit(groups)
    assert everything(store) == before
    assert store.commit([groups[0], groups[1], groups[3]]) == [True, True, True]


def test_an_entry_of_no_table_is_an_error(store):
    with pytest.raises((sqlite3.IntegrityError, psycopg.errors.NotNullViolation)):
        store.commit([Group("", 0, (entry(1, "none"),))])


def test_a_connection_that_breaks_is_an_error_and_the_next_commit_gets_a_new_one(postgresql):
    with postgresql.database() as url:
        store, other = Store(url), Store(url)
        put(store, row())
        with other.engine.begin() as db:
            db.execute(text("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"))
        with pytest.raises(psycopg.OperationalError):
            put(store, entry(1))
        put(store, entry(1))
        assert store.entries("k7q2m") == [entry(1)]
        store.close()
        other.close()


# --- power ----------------------------------------------------------------------------------------------------------


def test_every_connection_is_set_to_be_safe(store):
    with store._reading.connect() as one, store._reading.connect() as two:
        for db in (one, two):
            if db.dialect.name == "sqlite":
                assert db.execute(text("pragma journal_mode")).scalar() == "wal"
                assert db.execute(text("pragma synchronous")).scalar() == 2  # FULL
            else:
                assert db.execute(text("show synchronous_commit")).scalar() == "on"


def test_readers_see_whole_commits_while_somebody_writes(database):
    reader, writer = Store(database), Store(database)
    put(writer, row(), row("other"))
    done = threading.Event()

    def play() -> None:
        for n in range(1, 40):
            writer.commit([Group("k7q2m", 1, (entry(n),)), Group("other", 1, (entry(n, "other"),))])
        done.set()

    thread = threading.Thread(target=play)
    thread.start()
    while not done.is_set():
        first, second = len(reader.entries("k7q2m")), len(reader.entries("other"))
        assert first <= second
    thread.join()
    reader.close()
    writer.close()


# --- against a model ------------------------------------------------------------------------------------------------

IDS = st.sampled_from(["aaaaa", "bbbbb", "ccccc"])
PEOPLE = st.sampled_from(["p1", "p2", "p3"])
MS = st.integers(0, LATE)
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)


class House(RuleBasedStateMachine):
    """The store beside dictionaries. What the store refuses must leave both as they were."""

    url: str

    def __init__(self) -> None:
        super().__init__()
        self.store = Store(self.url)
        self.rows: dict[str, TableRow] = {}
        self.epochs: dict[str, int] = {}
        self.log: dict[str, list[Entry]] = {}
        self.people: dict[str, Person] = {}
        self.tokens: dict[bytes, str] = {}
        self.names: dict[tuple[str, int], Name] = {}
        self.bans: dict[tuple[str, str], Ban] = {}
        self.birthdays = {"aaaaa": 1, "bbbbb": 2, "ccccc": LATE}

    def teardown(self) -> None:
        with self.store.engine.begin() as db:
            for table in metadata.sorted_tables:
                db.execute(table.delete())
        self.store.close()

    @rule(table=IDS, epoch=st.integers(1, 3), phase=WORDS, record=st.binary(max_size=50), public=st.booleans(), ms=MS)
    def save(self, table, epoch, phase, record, public, ms):
        new = TableRow(table, "geier", phase, public, "p1", self.birthdays[table], ms, record)
        fits = self.epochs.get(table, 1) == epoch
        assert self.store.commit([Group(table, epoch, (new,))]) == [fits]
        if fits:
            self.rows[table] = new
            self.epochs.setdefault(table, 1)
            self.log.setdefault(table, [])

    @rule(
        table=IDS,
        epoch=st.integers(1, 3),
        gap=st.sampled_from([0, 1, 1, 1]),
        id=st.sampled_from(["", "", "a", "b", "c"]),
        luck=st.binary(max_size=9),
        ms=MS,
    )
    def act(self, table, epoch, gap, id, luck, ms):  # noqa: A002
        log = self.log.get(table, [])
        new = Entry(table, len(log) + gap, 1, 2, luck, ms, id, epoch, bytes(32))
        clash = new.n in {one.n for one in log} or (id and id in {one.id for one in log})
        if self.epochs.get(table) != epoch:
            assert self.store.commit([Group(table, epoch, (new,))]) == [False]
        elif clash:
            with pytest.raises(CLASH):
                self.store.commit([Group(table, epoch, (new,))])
        else:
            assert self.store.commit([Group(table, epoch, (new,))]) == [True]
            log.append(new)

    @rule(table=IDS)
    def claim(self, table):
        claimed = self.store.claim(table)
        if table not in self.rows:
            assert claimed is None
            return
        self.epochs[table] += 1
        names = {seat: name for (where, seat), name in self.names.items() if where == table}
        assert claimed == Claimed(self.rows[table], self.epochs[table], sorted_log(self.log[table]), {}, names)

    @rule(person=PEOPLE, name=WORDS, ms=MS, token=st.binary(max_size=2))
    def greet(self, person, name, ms, token):
        new = Person(person, name, ms, ms)
        if token in self.tokens:
            with pytest.raises(CLASH):
                put(self.store, new, Token(token, person, ms))
        else:
            put(self.store, new, Token(token, person, ms))
            self.people[person], self.tokens[token] = new, person

    @rule(token=st.binary(max_size=2))
    def sign_out(self, token):
        put(self.store, NoToken(token))
        self.tokens.pop(token, None)

    @rule(table=IDS, seat=st.integers(0, 2), person=PEOPLE, name=WORDS)
    def sit(self, table, seat, person, name):
        new = Name(table, seat, person, name)
        put(self.store, new)
        self.names[table, seat] = new

    @rule(table=IDS, seat=st.integers(0, 2))
    def stand_up(self, table, seat):
        put(self.store, NoName(table, seat))
        self.names.pop((table, seat), None)

    @rule(kind=st.sampled_from(["person", "address"]), value=PEOPLE, ms=MS, lift=st.booleans())
    def ban(self, kind, value, ms, lift):
        if lift:
            put(self.store, NoBan(kind, value))
            self.bans.pop((kind, value), None)
        else:
            put(self.store, Ban(kind, value, ms))
            self.bans.setdefault((kind, value), Ban(kind, value, ms))

    @rule(person=PEOPLE)
    def forget(self, person):
        put(self.store, Forget(person))
        self.people.pop(person, None)
        self.tokens = {token: who for token, who in self.tokens.items() if who != person}
        self.names = {place: name for place, name in self.names.items() if name.person != person}

    @invariant()
    def all_is_as_in_the_model(self):
        assert list(self.store.each_table()) == [self.rows[table] for table in sorted(self.rows)]
        assert self.store.bans() == [self.bans[key] for key in sorted(self.bans)]
        for table in self.birthdays:
            assert self.store.entries(table) == sorted_log(self.log.get(table, []))
            expected = {seat: name for (where, seat), name in self.names.items() if where == table}
            assert self.store.names(table) == expected
        for person in ("p1", "p2", "p3"):
            assert self.store.person(person) == self.people.get(person)
            places = [
                (name.table, name.seat, name.name) for _, name in sorted(self.names.items()) if name.person == person
            ]
            assert self.store.tables_of(person) == places
        for token, person in self.tokens.items():
            assert self.store.person_of(token) == self.people.get(person)


def sorted_log(log: list[Entry]) -> list[Entry]:
    return sorted(log, key=lambda one: one.n)


def test_the_store_is_as_good_as_its_model(database):
    machine = type("HouseHere", (House,), {"url": database})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=8, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
