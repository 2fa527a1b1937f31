"""Races leave their figures."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "races",
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("e", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("verdict", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("number", "e", name="races_pk"),
    )
