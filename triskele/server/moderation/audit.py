"""The audit log: who did what as a host or moderator, and when. It is appended to in the transaction of the deed."""

import json
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Executable, insert, select

from triskele.server.storage import schema
from triskele.server.storage.database import Rows
from triskele.server.tables.account_names import accounts_of, shown_name
from triskele.server.tables.service import now

ENTRIES_LIMIT = 1000
_NAMED = ("actor", "target")


def audited(actor: str, action: str, target: str, **detail: Any) -> tuple[Executable, Rows]:
    """Return the statement that appends an entry; write it together with what it tells of.

    Who acts and who is meant are visitors where they have accounts, so that a deleted one leaves no name here.
    """
    row = {"time": now(), "actor": actor, "action": action, "target": target, "detail": json.dumps(detail)}
    return insert(schema.audit), [row]


def entries(limit: int, before: int | None = None) -> Callable[[Connection], list[dict[str, Any]]]:
    """Return the query for the newest entries, or the newest ones before a number; accounts are ``@NAME`` in them."""
    audit = schema.audit
    query = select(audit).order_by(audit.c.number.desc()).limit(min(limit, ENTRIES_LIMIT))
    if before is not None:
        query = query.where(audit.c.number < before)

    def run(connection: Connection) -> list[dict[str, Any]]:
        rows = connection.execute(query).mappings().all()
        known = accounts_of(connection, {row[side] for row in rows for side in _NAMED})
        return [
            {
                **{str(name): row[name] for name in row},
                **{side: shown_name(known, row[side]) for side in _NAMED},
                "detail": json.loads(row["detail"]),
            }
            for row in rows
        ]

    return run
