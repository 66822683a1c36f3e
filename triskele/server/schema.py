"""The database: what is kept of tables. A table's log is appended to and never rewritten."""

from collections.abc import Iterable

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, MetaData, String, Table, Text

HEAD = "0002"
"""The newest migration: a database that is there already needs nothing."""

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("options", Text, nullable=False),
    Column("opened", BigInteger, nullable=False),
    Column("opener", String(32), nullable=False),
    Column("private", Boolean, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("series", String(8), nullable=False),
    Column("dice_secret", String(64)),
    Column("first_turn", Integer),
    Column("over", Boolean, nullable=False),
    Column("winners", Integer),
    Index("tables_on", "over", "opened"),
)
"""One row a table. Nothing in it changes, apart from ``over`` and ``winners`` (their seats as bits) at the end."""


def seat_bits(seats: Iterable[int]) -> int:
    """Return seats as a column keeps them."""
    return sum(1 << seat for seat in seats)


seats = Table(
    "seats",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("level", Integer),
    Column("name", String(100), nullable=False),
    sqlite_with_rowid=False,
)

holders = Table(
    "holders",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("visitor", String(32), primary_key=True),
    Index("holders_visitor", "visitor"),
    sqlite_with_rowid=False,
)
"""Which visitors a seat belongs to; seat -1: who may watch."""

log = Table(
    "log",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("seat", Integer),
    Column("body", Text, nullable=False),
    Column("time", BigInteger, nullable=False),
    Column("turn", Integer),
    Column("moves", Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""All that happened. ``turn`` (who acts then) and ``moves`` (how many there are then) tell a list what it needs.

Two processes cannot both write the same ``seq``: the key makes the second one look again.
"""

chat = Table(
    "chat",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("time", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
