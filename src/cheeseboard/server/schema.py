"""What the house keeps, as tables. The same for SQLite and PostgreSQL; `migrations/` leads every older database here.

A column that is named otherwise in `store.py` has that name as its key, so that a write there and a row here have the
same words. No foreign keys: the log outlives the people in it, and the fence before each append knows that the table
exists."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, LargeBinary, MetaData, Table, Text

HEAD = "0002"  # the newest of migrations/, known here because asking Alembic costs 0.3 s of a start

metadata = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pk",
        "uq": "%(table_name)s_once",
        "ix": "%(table_name)s_by_%(column_0_name)s",
    }
)

tables = Table(
    "tables",
    metadata,
    Column("number", Integer, primary_key=True),  # given in the order of birth, see `log`
    Column("id", Text, nullable=False, unique=True),  # the spoken code
    Column("game", Text, nullable=False),
    Column("phase", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("host", Text, nullable=False),
    Column("made_ms", BigInteger, nullable=False),
    Column("changed_ms", BigInteger, nullable=False),
    Column("epoch", BigInteger, nullable=False),  # counts the owners; who writes with an older one is fenced off
    Column("record", LargeBinary, nullable=False),  # JSON: everything else; last, because it is long
    Index(None, "phase"),
)

log = Table(
    "log",
    metadata,
    # Not the table's id: that is drawn by lot, and each append would touch pages of the indexes that no other touches.
    # By number, tables that are played at the same time lie side by side: a commit costs half, however old the log is.
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Column("action", Integer, nullable=False),
    Column("luck", LargeBinary, nullable=False),  # what LUCK did after it, a byte per act
    Column("at_ms", BigInteger, nullable=False),
    Column("action_id", Text, key="id"),  # the client's; NULL where there is no client
    Column("epoch", BigInteger, nullable=False),
    Column("chain", LargeBinary, nullable=False),
)
Index(
    "log_once",
    log.c.number,
    log.c.id,
    unique=True,
    sqlite_where=log.c.id.is_not(None),
    postgresql_where=log.c.id.is_not(None),
)

races = Table(
    "races",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("e", Integer, primary_key=True, autoincrement=False),  # the number of the act that opened the race
    Column("verdict", LargeBinary, nullable=False),  # JSON: every figure it follows from
)

secrets = Table(
    "secrets",
    metadata,
    Column("table_id", Text, key="table", primary_key=True),
    Column("attempt", Integer, primary_key=True, autoincrement=False),
    Column("root", LargeBinary, nullable=False),
)

people = Table(
    "people",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("made_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("person", Text, nullable=False),
    Column("made_ms", BigInteger, nullable=False),
    Index(None, "person"),
)

names = Table(
    "names",
    metadata,
    Column("table_id", Text, key="table", primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person", Text, nullable=False),
    Column("name", Text, nullable=False),
    Index(None, "person"),
)

bans = Table(
    "bans",
    metadata,
    Column("kind", Text, primary_key=True),  # person or address
    Column("value", Text, primary_key=True),
    Column("made_ms", BigInteger, nullable=False),
)
