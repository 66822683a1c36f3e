"""Notices: what visitors are told about their games, by which ways, and the queue of what is sent."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "notices",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("visitor", sa.String(32), nullable=False),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("detail", sa.String(8), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger),
        sa.Column("told", sa.BigInteger),
        sa.UniqueConstraint("visitor", "table_id", "kind", "detail", name="notices_matter"),
    )
    op.create_index("ix_notices_table_id", "notices", ["table_id"])
    op.create_index("notices_told", "notices", ["told", "at"])
    op.create_table(
        "deliveries",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("account", sa.String(16), nullable=False),
        sa.Column("way", sa.String(8), nullable=False),
        sa.Column("target", sa.String(16), nullable=False),
        sa.Column("notice", sa.String(32), nullable=False),
        sa.Column("role", sa.String(8), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("claim", sa.String(16)),
        sa.Column("until", sa.BigInteger),
        sa.Column("done", sa.BigInteger),
        sa.UniqueConstraint("account", "way", "target", "notice", name="deliveries_once"),
    )
    op.create_index("deliveries_due", "deliveries", ["done", "role", "at"])
    op.create_index("deliveries_notice", "deliveries", ["notice"])
    op.create_index("deliveries_claim", "deliveries", ["claim"])
    op.create_table(
        "notice_settings",
        sa.Column("account", sa.String(16), primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "push_subscriptions",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("account", sa.String(16), nullable=False),
        sa.Column("session", sa.String(16), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("server_key", sa.String(100), nullable=False),
        sa.Column("agent", sa.String(200), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_push_subscriptions_account", "push_subscriptions", ["account"])
    op.create_table(
        "web_hooks",
        sa.Column("account", sa.String(16), primary_key=True),
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("secret_key", sa.String(16), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Remove the tables."""
    for name in ("web_hooks", "push_subscriptions", "notice_settings", "deliveries", "notices"):
        op.drop_table(name)
