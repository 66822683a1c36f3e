"""The database schema. A table's log is appended to and never rewritten."""

from collections.abc import Iterable

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, MetaData, String, Table, Text

HEAD = "0004"
"""The newest migration."""

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
    """Return seats as a bit mask."""
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
"""The visitors who hold a seat; seat -1: those who may watch; seat -2: those who took the table off their list."""

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
"""The log. ``turn`` (the seat to act after the entry) and ``moves`` (the number of moves then) serve lists of tables.

Two processes cannot write the same ``seq``: the primary key makes the second one fail with a conflict. Neither can a
``seq`` be left out: a trigger (migration 0003) refuses a row whose predecessor is not there.
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

sanctions = Table(
    "sanctions",
    metadata,
    Column("kind", String(8), primary_key=True),
    Column("target", String(64), primary_key=True),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger),
    Column("reason", Text, nullable=False),
)
"""Who is silenced or banned: a visitor, an address or a network, until a time or for good (null)."""

audit = Table(
    "audit",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("time", BigInteger, nullable=False),
    Column("actor", String(100), nullable=False),
    Column("action", String(16), nullable=False),
    Column("target", String(64), nullable=False),
    Column("detail", Text, nullable=False),
)
"""What hosts and moderators did; ``detail`` is JSON. It is appended to and never rewritten."""
