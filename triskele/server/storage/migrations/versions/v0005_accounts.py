"""Accounts, their passkeys, sessions and tokens; mail links, invitations; reports, mutes and blocks; annulled games."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("visitor", sa.String(32), nullable=False, unique=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("folded", sa.String(200), unique=True),
        sa.Column("skeleton", sa.String(400), unique=True),
        sa.Column("bot", sa.Boolean, nullable=False),
        sa.Column("owner", sa.String(16)),
        sa.Column("moderator", sa.Boolean, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("deleted", sa.BigInteger),
        sa.Column("password", sa.String(200)),
        sa.Column("mail", sa.String(254)),
        sa.Column("mail_confirmed", sa.BigInteger),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("learned", sa.Text, nullable=False),
    )
    op.create_table(
        "passkeys",
        sa.Column("credential", sa.String(1400), primary_key=True),
        sa.Column("account", sa.String(16), nullable=False),
        sa.Column("public_key", sa.Text, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger),
    )
    op.create_table(
        "sessions",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(16), nullable=False, unique=True),
        sa.Column("account", sa.String(16), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("proved", sa.BigInteger, nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("agent", sa.String(200), nullable=False),
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(16), nullable=False, unique=True),
        sa.Column("account", sa.String(16), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("scopes", sa.String(64), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger),
        sa.Column("used", sa.BigInteger),
    )
    op.create_table(
        "mail_links",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("account", sa.String(16), nullable=False),
        sa.Column("mail", sa.String(254), nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "invitations",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(16), nullable=False, unique=True),
        sa.Column("note", sa.String(100), nullable=False),
        sa.Column("uses", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger),
        sa.CheckConstraint("uses >= 0", name="invitations_uses"),
    )
    op.create_table(
        "spent",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("expires", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "aversions",
        sa.Column("visitor", sa.String(32), primary_key=True),
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("other", sa.String(32), primary_key=True),
        sa.Column("since", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "reports",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("time", sa.BigInteger, nullable=False),
        sa.Column("reporter", sa.String(32), nullable=False),
        sa.Column("visitor", sa.String(32), nullable=False),
        sa.Column("table_id", sa.String(16)),
        sa.Column("why", sa.String(16), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("closed", sa.BigInteger),
        sa.Column("closed_by", sa.String(100)),
        sa.Column("answer", sa.Text),
    )
    op.create_table(
        "annulled",
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("time", sa.BigInteger, nullable=False),
    )
    op.create_index("accounts_mail", "accounts", ["mail"])
    op.create_index("accounts_owner", "accounts", ["owner"])
    op.create_index("ix_passkeys_account", "passkeys", ["account"])
    op.create_index("ix_sessions_account", "sessions", ["account"])
    op.create_index("ix_tokens_account", "tokens", ["account"])
    op.create_index("ix_mail_links_account", "mail_links", ["account"])
    op.create_index("aversions_other", "aversions", ["other"])
    op.create_index("reports_open", "reports", ["closed", "number"])


def downgrade() -> None:
    """Drop them."""
    for name in (
        "annulled",
        "reports",
        "aversions",
        "spent",
        "invitations",
        "mail_links",
        "tokens",
        "sessions",
        "passkeys",
        "accounts",
    ):
        op.drop_table(name)
