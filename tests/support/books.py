"""The database of a test's server, beside it: to give people accounts, and to see what is written."""

import secrets
import time
from collections.abc import Callable
from typing import Any

from sqlalchemy import create_engine, insert, text

from triskele.server.accounts.credentials import hashed
from triskele.server.accounts.names import folded, skeleton
from triskele.server.accounts.tokens import PREFIX, SCOPES
from triskele.server.storage import schema

Row = dict[str, Any]


def visitor_id(person: Any) -> str:
    """Return the id in the signed value of a visitor."""
    return str(person.token)[:22]


def account_row(name: str, visitor: str, *, bot: bool = False) -> Row:
    """Return an account as it is stored."""
    return {
        "id": secrets.token_hex(8),
        "visitor": visitor,
        "name": name,
        "folded": folded(name),
        "skeleton": skeleton(name),
        "bot": bot,
        "moderator": False,
        "created": time.time_ns() // 1_000_000,
        "language": "en",
        "learned": "{}",
    }


class Books:
    """The database of a server, read and written beside it."""

    def __init__(self, url: str) -> None:
        self.engine = create_engine(url)

    def enroll(self, person: Any, name: str, *, bot: bool = False) -> None:
        """Give a visitor an account, with a token that may do everything: as the visitor's value it counts no more."""
        row = account_row(name, visitor_id(person), bot=bot)
        now = row["created"]
        with self.engine.begin() as connection:
            connection.execute(insert(schema.accounts), [row])
            value = PREFIX + secrets.token_urlsafe(24)
            token = {"hash": hashed(value), "id": secrets.token_hex(8), "account": row["id"], "name": "test"}
            token |= {"scopes": " ".join(SCOPES), "created": now}
            connection.execute(insert(schema.tokens), [token])
        person.visitor_id = row["visitor"]
        person.token = value
        person.http.headers["Authorization"] = f"Bearer {value}"

    def rows(self, kind: str) -> list[Row]:
        """Return all rows of a table, in an order of their own."""
        with self.engine.connect() as connection:
            found = [dict(row) for row in connection.execute(text(f"SELECT * FROM {kind}")).mappings()]
        return sorted(found, key=str)

    def run(self, statement: str, **values: Any) -> None:
        with self.engine.begin() as connection:
            connection.execute(text(statement), values)

    def until(self, fits: Callable[["Books"], bool]) -> None:
        """Wait until something is in the database."""
        until = time.monotonic() + 30
        while not fits(self):
            assert time.monotonic() < until, {kind: self.rows(kind) for kind in ("results", "rating_steps")}
            time.sleep(0.05)
