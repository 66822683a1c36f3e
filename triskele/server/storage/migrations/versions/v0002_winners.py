"""Who won, so that a list of games can tell."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; of games that are over already it stays unknown."""
    op.add_column("tables", sa.Column("winners", sa.Integer))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("tables", "winners")
