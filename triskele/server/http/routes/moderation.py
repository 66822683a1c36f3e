"""Routes of moderators: people whom the host has made moderators, at a browser. All they do is in the audit log."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response
from sqlalchemy import select

from triskele.server.http import account_models as models
from triskele.server.http import admin_models
from triskele.server.http.context import Asked
from triskele.server.http.routes.tables import TableId
from triskele.server.moderation import audit, listing, reports
from triskele.server.refusal import Refusal
from triskele.server.storage import schema
from triskele.server.tables.service import now

router = APIRouter(prefix="/moderation", tags=["moderation"])
_HOUR_MS = 3_600_000
Limit = Annotated[int, Query(ge=1, le=1000)]


@router.get("/reports", response_model=list[models.ReportShown])
async def list_reports(asked: Asked, state: reports.State = "open", limit: Limit = 100) -> Response:
    """Return reports, the newest first."""
    asked.require_moderator()
    return asked.answer(await asked.services.storage.read(reports.listed(state, limit)))


@router.post("/reports/{number}/close", response_model=models.Done)
async def close_report(
    asked: Asked, number: Annotated[int, Path(ge=1, le=2**31)], wanted: models.ReportClosed
) -> Response:
    """Close a report, with what was done about it."""
    actor = asked.require_moderator()
    await reports.close(asked.services.storage, number, actor.visitor, wanted.answer)
    return asked.answer({"done": True})


@router.get("/tables/{table}", response_model=models.ModeratedTable)
async def table(asked: Asked, table: TableId) -> Response:
    """Return who sits at a table and what was said there; nothing of the position."""
    asked.require_moderator()
    found = await asked.services.storage.read(listing.table(table))
    if found is None:
        raise Refusal("unknown")
    annulled = select(schema.annulled.c.time).where(schema.annulled.c.table_id == table)
    is_annulled = await asked.services.storage.read(lambda c: c.execute(annulled).first() is not None)
    kept = ("table", "game", "opened", "over", "moves", "seats", "chat")
    return asked.answer({**{name: found[name] for name in kept}, "annulled": is_annulled})


@router.post("/tables/{table}/annul", response_model=models.Done)
async def annul(asked: Asked, table: TableId, wanted: admin_models.HostReason) -> Response:
    """Annul the result of a finished game."""
    actor = asked.require_moderator()
    await asked.services.moderation.annul(table, actor.visitor, wanted.reason)
    return asked.answer({"done": True})


@router.post("/tables/{table}/end", response_model=models.Done)
async def end(asked: Asked, table: TableId, wanted: admin_models.HostReason) -> Response:
    """End a game without a winner."""
    actor = asked.require_moderator()
    await asked.services.moderation.end(table, actor.visitor, wanted.reason)
    return asked.answer({"done": True})


@router.get("/sanctions", response_model=list[models.ModeratedSanction])
async def sanctions(asked: Asked) -> Response:
    """Return who is silenced or banned now."""
    asked.require_moderator()
    found = asked.services.moderation.sanctions.all()
    known = await asked.services.accounts.directory.of_visitors(each.target for each in found)
    names = {visitor: account.name for visitor, account in known.items()}
    return asked.answer([{**asdict(each), "name": names.get(each.target)} for each in found])


@router.post("/sanctions", response_model=admin_models.Sanction)
async def sanction(asked: Asked, wanted: models.ModeratorSanction) -> Response:
    """Silence or ban a visitor, for some hours or for good."""
    actor = asked.require_moderator()
    if wanted.visitor == actor.visitor:
        raise Refusal("oneself")
    until = None if wanted.hours is None else now() + int(wanted.hours * _HOUR_MS)
    add = asked.services.moderation.sanctions.add
    return asked.answer(asdict(await add(wanted.kind, wanted.visitor, until, actor.visitor, wanted.reason)))


@router.post("/sanctions/lift", response_model=list[admin_models.Sanction])
async def lift(asked: Asked, wanted: admin_models.LiftAsked) -> Response:
    """End all sanctions against a visitor."""
    actor = asked.require_moderator()
    lifted = await asked.services.moderation.sanctions.lift(wanted.target, actor.visitor, wanted.reason)
    return asked.answer([asdict(each) for each in lifted])


@router.get("/audit", response_model=list[admin_models.AuditEntry])
async def audit_log(asked: Asked, limit: Limit = 100, before: Annotated[int | None, Query(ge=1)] = None) -> Response:
    """Return the newest entries of the audit log, or the newest before a number."""
    asked.require_moderator()
    return asked.answer(await asked.services.storage.read(audit.entries(limit, before)))
