"""The results of rated games, and the ratings that follow from them."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def _pool(primary_key: bool = False) -> list[sa.Column[str]]:
    sizes = {"game": 64, "pace": 8, "field": 8}
    return [sa.Column(name, sa.String(size), nullable=False, primary_key=primary_key) for name, size in sizes.items()]


def _rating() -> list[sa.Column[float]]:
    return [sa.Column(name, sa.Double, nullable=False) for name in ("value", "deviation", "volatility")]


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(16), primary_key=True),
        *_pool(),
        sa.Column("time", sa.BigInteger, nullable=False),
        sa.Column("players", sa.Text, nullable=False),
        sa.Column("places", sa.Text, nullable=False),
    )
    op.create_table(
        "rating_steps",
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        *_pool(),
        sa.Column("time", sa.BigInteger, nullable=False),
        sa.Column("visitor", sa.String(32), nullable=False),
        *_rating(),
        sa.Column("games", sa.Integer, nullable=False),
    )
    op.create_table(
        "ratings",
        *_pool(primary_key=True),
        sa.Column("visitor", sa.String(32), primary_key=True),
        *_rating(),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("time", sa.BigInteger, nullable=False),
    )
    op.create_table("rating_pools", *_pool(primary_key=True), sa.Column("version", sa.String(16), nullable=False))
    op.create_index("results_pool", "results", ["game", "pace", "field", "time", "table_id"])
    op.create_index("results_time", "results", ["time"])
    op.create_index("rating_steps_visitor", "rating_steps", ["visitor", "game", "pace", "field", "time"])
    op.create_index("rating_steps_pool", "rating_steps", ["game", "pace", "field", "time"])
    op.create_index("ratings_value", "ratings", ["game", "pace", "field", "value"])
    op.create_index("ratings_visitor", "ratings", ["visitor"])


def downgrade() -> None:
    """Drop them."""
    for name in ("rating_pools", "ratings", "rating_steps", "results"):
        op.drop_table(name)
