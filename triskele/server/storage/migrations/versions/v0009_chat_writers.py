"""Who wrote each line of chat; names of accounts leave the audit log and the reports, which name visitors instead."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_WRITERS = """
UPDATE chat SET
  writer = (SELECT MIN(visitor) FROM holders WHERE holders.table_id = chat.table_id AND holders.seat = chat.seat),
  name = COALESCE(
    (SELECT MAX(body) FROM log WHERE log.table_id = chat.table_id AND log.seat = chat.seat AND log.kind = 'taken'),
    (SELECT name FROM seats WHERE seats.table_id = chat.table_id AND seats.seat = chat.seat),
    '')
WHERE NOT EXISTS
  (SELECT 1 FROM log WHERE log.table_id = chat.table_id AND log.seat = chat.seat AND log.kind = 'freed')
"""
"""Nobody knows who wrote the lines of a seat that was freed: they keep no name."""
_TARGETS = """
UPDATE audit SET target = (SELECT visitor FROM accounts WHERE accounts.name = audit.target)
WHERE action IN ('moderator', 'sign-out') AND target IN (SELECT name FROM accounts WHERE name <> '')
"""
_ACTORS = """
UPDATE audit SET actor = (SELECT visitor FROM accounts WHERE accounts.name = audit.actor)
WHERE actor IN (SELECT name FROM accounts WHERE moderator AND name <> '')
"""
_CLOSERS = """
UPDATE reports SET closed_by = (SELECT visitor FROM accounts WHERE accounts.name = reports.closed_by)
WHERE closed_by IN (SELECT name FROM accounts WHERE moderator AND name <> '')
"""


def upgrade() -> None:
    """Add the columns, and fill them as far as it is known."""
    op.add_column("chat", sa.Column("writer", sa.String(32)))
    op.add_column("chat", sa.Column("name", sa.String(100), nullable=False, server_default=""))
    op.create_index("chat_writer", "chat", ["writer"])
    for statement in (_WRITERS, _TARGETS, _ACTORS, _CLOSERS):
        op.execute(statement)


def downgrade() -> None:
    """Drop the columns."""
    op.drop_index("chat_writer", "chat")
    op.drop_column("chat", "name")
    op.drop_column("chat", "writer")
