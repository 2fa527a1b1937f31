"""A new database and every older one come to the schema of today."""

import threading
from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from cheeseboard.games.core import Refusal
from cheeseboard.server import migrations
from cheeseboard.server.schema import HEAD, metadata
from cheeseboard.server.store import Ban, Entry, Name, Person, Store, TableRow, opened

FIRST = Path(__file__).parent / "revisions"


def described(engine) -> dict[str, object]:
    """The schema as the database itself tells it."""
    see, dialect = inspect(engine), engine.dialect.name
    return {
        table: {
            "columns": [
                (column["name"], str(column["type"]), column["nullable"], column["default"])
                for column in see.get_columns(table)
            ],
            "key": see.get_pk_constraint(table),
            "once": sorted(see.get_unique_constraints(table), key=str),
            "indexes": sorted(
                (
                    index["name"],
                    index["column_names"],
                    index["unique"],
                    str(index["dialect_options"].get(f"{dialect}_where")),
                )
                for index in see.get_indexes(table)
            ),
        }
        for table in see.get_table_names()
        if table != "alembic_version"
    }


@pytest.fixture
def engine(database):
    made = opened(database)
    yield made
    made.dispose()


def test_a_migrated_database_has_the_schema_that_schema_py_describes(engine, tmp_path):
    migrations.migrate(engine)
    migrated = described(engine)
    metadata.drop_all(engine)
    metadata.create_all(engine)
    assert migrated == described(engine)
    assert set(migrated) == set(metadata.tables)


def test_alembic_sees_no_difference_either(engine):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    migrations.migrate(engine)
    with engine.connect() as db:
        assert compare_metadata(MigrationContext.configure(db, opts={"compare_type": True}), metadata) == []


def test_head_is_the_newest_migration():
    from alembic.script import ScriptDirectory

    folder = str(Path(migrations.__file__).parent)
    assert ScriptDirectory(folder, version_locations=[folder]).get_heads() == [HEAD]


def test_a_database_of_the_first_revision_keeps_everything(engine, database):
    """The dumps were written when the first revision was the newest; they stay as they are."""
    with engine.begin() as db:
        for line in (FIRST / f"0001.{engine.dialect.name}.sql").read_text("utf-8").split(";\n"):
            if line.strip():
                db.exec_driver_sql(line.replace("%", "%%") if engine.dialect.name == "postgresql" else line)
    store = Store(database)
    row = TableRow("k7q2m", "geier", "playing", True, "p1", 1, 2, b'{"deal":{"transcript":""}}')
    entries = [
        Entry("k7q2m", 1, 62, 7, b"", 3, "", 1, bytes(range(32))),
        Entry("k7q2m", 2, 0, 14, b"\x00\xff", 4, "tap", 1, bytes(32)),
    ]
    assert store.row("k7q2m") == row
    assert store.entries("k7q2m") == entries
    assert store.secrets("k7q2m") == {0: b"\x00root"}
    assert store.names("k7q2m") == {0: Name("k7q2m", 0, "p1", "Zoë")}
    assert store.person_of(b"hash") == Person("p1", "Zoë", 1, 5)
    assert store.bans() == [Ban("address", "192.0.2.7", 6)]
    claimed = store.claim("k7q2m")
    assert claimed
    assert claimed.epoch == 4
    with store.engine.connect() as db:
        assert migrations.revision(db) == HEAD
    store.close()


def test_a_database_of_a_newer_cheeseboard_is_refused(engine, database):
    migrations.migrate(engine)
    with engine.begin() as db:
        db.execute(text("update alembic_version set version_num = '9999'"))
    with pytest.raises(Refusal, match=r"expected a database of schema revision .* got 9999"):
        Store(database)


def test_several_houses_open_one_new_database_at_once(database):
    stores, errors = [], []

    def enter():
        try:
            stores.append(Store(database))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=enter) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert [store.bans() for store in stores] == [[]] * 4
    for store in stores:
        store.close()


def test_a_database_of_today_is_opened_without_alembic(database):
    """Importing it costs a sixth of the time a start may take."""
    import subprocess
    import sys

    Store(database).close()
    code = (
        f"import sys; from cheeseboard.server.store import Store; Store({database!r}); print('alembic' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert ran.stdout == "False\n"


@pytest.mark.parametrize("url", ["", "house.db", "mysql://root:secret@x/y"])
def test_an_address_of_no_database_is_refused(url):
    with pytest.raises(Refusal, match="expected a database as sqlite:///PATH or postgresql://") as refusal:
        Store(url)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize("url", ["sqlite:////nowhere/at/all.db", "postgresql://me:secret@/x?host=/nowhere"])
def test_a_database_that_cannot_be_opened_is_refused(url):
    with pytest.raises(Refusal, match=r"expected a database that can be opened, got .*") as refusal:
        Store(url)
    assert "secret" not in str(refusal.value)
