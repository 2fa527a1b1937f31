"""The house as it was first built."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("phase", sa.Text, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("host", sa.Text, nullable=False),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.Column("changed_ms", sa.BigInteger, nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("record", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("number", name="tables_pk"),
        sa.UniqueConstraint("id", name="tables_once"),
    )
    op.create_index("tables_by_phase", "tables", ["phase"])
    op.create_table(
        "log",
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("n", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("action", sa.Integer, nullable=False),
        sa.Column("luck", sa.LargeBinary, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("action_id", sa.Text),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("chain", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("number", "n", name="log_pk"),
    )
    has_client = sa.text("action_id IS NOT NULL")
    op.create_index(
        "log_once", "log", ["number", "action_id"], unique=True, sqlite_where=has_client, postgresql_where=has_client
    )
    op.create_table(
        "secrets",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("root", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "attempt", name="secrets_pk"),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="people_pk"),
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="tokens_pk"),
    )
    op.create_index("tokens_by_person", "tokens", ["person"])
    op.create_table(
        "names",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat", name="names_pk"),
    )
    op.create_index("names_by_person", "names", ["person"])
    op.create_table(
        "bans",
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("kind", "value", name="bans_pk"),
    )
