"""Clocks: time controls, what was charged, deadlines, heartbeats and outages, vacations, conditional moves."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns, and make the tables."""
    op.add_column("tables", sa.Column("clock", sa.String(64)))
    op.add_column("log", sa.Column("charged", sa.BigInteger))
    op.add_column("log", sa.Column("lag", sa.Integer))
    op.create_table(
        "deadlines",
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("due", sa.BigInteger, nullable=False),
    )
    op.create_index("deadlines_due", "deadlines", ["due"])
    op.create_table(
        "heartbeats",
        sa.Column("process", sa.String(16), primary_key=True),
        sa.Column("time", sa.BigInteger, nullable=False),
        sa.Column("next", sa.BigInteger, nullable=False),
        sa.Column("stopped", sa.Boolean, nullable=False),
    )
    op.create_table(
        "outages",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "vacations",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("visitor", sa.String(32), nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_index("vacations_visitor", "vacations", ["visitor"])
    op.create_table(
        "conditional_moves",
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("at", sa.Integer, nullable=False),
        sa.Column("lines", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Drop them."""
    for name in ("conditional_moves", "vacations", "outages", "heartbeats", "deadlines"):
        op.drop_table(name)
    op.drop_column("log", "lag")
    op.drop_column("log", "charged")
    op.drop_column("tables", "clock")
