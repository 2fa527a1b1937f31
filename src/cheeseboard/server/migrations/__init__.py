"""The way of every older database to the schema of today: one tree for SQLite and PostgreSQL, forward only.

A step back is a restored backup. A migration, once released, is never changed: it says what was, not what is."""

from pathlib import Path
from threading import Lock
from typing import cast

from sqlalchemy import Connection, Engine, inspect, text

from cheeseboard.games.core import Refusal
from cheeseboard.server.schema import HEAD, metadata

ALONE = Lock()  # Alembic keeps what it works on in a global
LOCK = 0x63_68_65_65_73_65  # "cheese": whoever holds it migrates; the others wait and then find it done


def migrate(engine: Engine) -> None:
    """Bring the database to HEAD, in one transaction. Several processes may try at once."""
    with engine.execution_options(reading=True).connect() as db:
        if revision(db) == HEAD:
            return
    with ALONE, engine.begin() as db:  # SQLite: begin immediate, which is the lock
        if db.dialect.name == "postgresql":
            db.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        stored = revision(db)
        if stored is None:
            begin(db)
        elif stored != HEAD:
            upgrade(db)


def begin(db: Connection) -> None:
    """A new database gets the schema of today at once: to import Alembic costs a third of a start. A test holds that
    the way through all migrations leads to the same."""
    metadata.create_all(db)
    db.execute(text("create table alembic_version (version_num varchar(32) not null primary key)"))
    db.execute(text("insert into alembic_version values (:head)"), {"head": HEAD})


def revision(db: Connection) -> str | None:
    """The schema's revision; None in a database nobody has used yet."""
    if not inspect(db).has_table("alembic_version"):
        return None
    return cast(str | None, db.scalar(text("select version_num from alembic_version")))


def upgrade(db: Connection, to: str = HEAD) -> None:
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    here = str(Path(__file__).parent)
    script = ScriptDirectory(here, version_locations=[here])
    known, stored = {step.revision for step in script.walk_revisions()}, revision(db)
    if stored and stored not in known:
        raise Refusal(f"expected a database of schema revision {HEAD} or older, got {stored}, of a newer Cheeseboard")
    with EnvironmentContext(Config(), script, fn=lambda now, _: script._upgrade_revs(to, now)) as alembic:  # noqa: SLF001
        alembic.configure(connection=db, render_as_batch=True)
        alembic.run_migrations()
