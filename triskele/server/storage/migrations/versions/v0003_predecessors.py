"""The log has no holes: an entry is inserted only after its predecessor."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_SQLITE = """
CREATE TRIGGER log_needs_predecessor BEFORE INSERT ON log
WHEN NEW.seq > 1 AND NOT EXISTS (SELECT 1 FROM log WHERE table_id = NEW.table_id AND seq = NEW.seq - 1)
BEGIN
  SELECT RAISE(ABORT, 'the entry before is not in the log');
END
"""
_POSTGRESQL = (
    """
CREATE FUNCTION log_needs_predecessor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.seq > 1 AND NOT EXISTS (SELECT 1 FROM log WHERE table_id = NEW.table_id AND seq = NEW.seq - 1) THEN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = 'the entry before is not in the log';
  END IF;
  RETURN NEW;
END
$$
""",
    """
CREATE TRIGGER log_needs_predecessor BEFORE INSERT ON log
FOR EACH ROW EXECUTE FUNCTION log_needs_predecessor()
""",
)


def upgrade() -> None:
    """Check every row that is inserted from now on; holes that are there already stay."""
    for statement in _POSTGRESQL if _is_postgresql() else (_SQLITE,):
        op.execute(statement)


def downgrade() -> None:
    """Check no more."""
    if _is_postgresql():
        op.execute("DROP TRIGGER log_needs_predecessor ON log")
        op.execute("DROP FUNCTION log_needs_predecessor()")
    else:
        op.execute("DROP TRIGGER log_needs_predecessor")


def _is_postgresql() -> bool:
    return op.get_context().dialect.name == "postgresql"
