"""Reports: what visitors tell moderators about others, and what becomes of it."""

from collections.abc import Callable
from typing import Any, Literal, get_args

from sqlalchemy import Connection, insert, select, update

from triskele.server.moderation.audit import audited
from triskele.server.refusal import Refusal
from triskele.server.storage import schema
from triskele.server.storage.database import Storage
from triskele.server.tables.account_names import accounts_of, shown_name
from triskele.server.tables.service import now

Why = Literal["chat", "cheating", "leaving", "name", "other"]
WHYS: tuple[Why, ...] = get_args(Why)
OPEN_LIMIT = 1000
"""Reports that are open at a time; more are refused, so that nobody fills the disk with them."""
State = Literal["open", "closed", "all"]


async def report(storage: Storage, reporter: str, visitor: str, table: str | None, why: Why, body: str) -> None:
    """Keep a report of one visitor about another; ``Refusal`` about oneself, or if there are very many."""
    if reporter == visitor:
        raise Refusal("oneself")
    reports = schema.reports.c
    is_open = select(reports.number).where(reports.closed.is_(None)).limit(OPEN_LIMIT)
    if len(await storage.read(lambda c: c.execute(is_open).all())) >= OPEN_LIMIT:
        raise Refusal("busy")
    row = {"time": now(), "reporter": reporter, "visitor": visitor, "table_id": table, "why": why, "body": body}
    await storage.write(statements=[(insert(schema.reports), [row])])


async def close(storage: Storage, number: int, actor: str, answer: str) -> None:
    """Close a report, with what was done about it; ``Refusal`` if it is not open. ``actor`` is as in the audit log."""
    reports = schema.reports.c
    found = await storage.read(lambda c: c.execute(select(reports.closed).where(reports.number == number)).first())
    if found is None or found.closed is not None:
        raise Refusal("unknown")
    values = {"closed": now(), "closed_by": actor[:100], "answer": answer}
    statement = update(schema.reports).where(reports.number == number, reports.closed.is_(None)).values(values)
    entry = audited(actor, "report", str(number), answer=answer)
    await storage.write(statements=[(statement, ()), entry])


def listed(state: State, limit: int) -> Callable[[Connection], list[dict[str, Any]]]:
    """Return the query for reports, the newest first, with the names of both if they have accounts."""
    reports = schema.reports
    query = select(reports).order_by(reports.c.number.desc()).limit(limit)
    if state != "all":
        query = query.where(reports.c.closed.is_(None) if state == "open" else reports.c.closed.is_not(None))

    def run(connection: Connection) -> list[dict[str, Any]]:
        rows = [dict(row) for row in connection.execute(query).mappings()]
        visitors = {row[side] or "" for row in rows for side in ("reporter", "visitor", "closed_by")}
        known = accounts_of(connection, visitors)
        names = {visitor: account.name or None for visitor, account in known.items()}
        return [
            {
                "number": row["number"],
                "time": row["time"],
                "reporter": {"visitor": row["reporter"], "name": names.get(row["reporter"])},
                "about": {"visitor": row["visitor"], "name": names.get(row["visitor"])},
                "table": row["table_id"],
                "why": row["why"],
                "text": row["body"],
                "closed": row["closed"],
                "closed_by": None if row["closed_by"] is None else shown_name(known, row["closed_by"]),
                "answer": row["answer"],
            }
            for row in rows
        ]

    return run
