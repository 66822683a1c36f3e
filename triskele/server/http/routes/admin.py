"""Routes for hosts: tables, seats, sanctions, retention, the audit log. Each request carries a host's token."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Response

from triskele.server.http import admin_models as models
from triskele.server.http.context import Asked, Context
from triskele.server.http.routes.tables import TableId
from triskele.server.moderation import audit, listing
from triskele.server.refusal import Refusal
from triskele.server.tables.service import now

router = APIRouter(prefix="/admin", tags=["admin"])
_HOUR_MS = 3_600_000
Limit = Annotated[int, Query(ge=1, le=1000)]


def _actor(asked: Asked) -> str:
    """Return who acts as the host; ``Refusal`` without a valid token."""
    kind, _, token = asked.request.headers.get("authorization", "").partition(" ")
    actor = asked.services.host_tokens.actor(token.strip()) if kind.lower() == "bearer" else None
    if actor is None:
        raise Refusal("host-token")
    return actor


Actor = Annotated[str, Depends(_actor)]


async def _target(asked: Context, written: str) -> str:
    """Return whom a sanction is against: ``@NAME`` is the visitor of an account."""
    if not written.startswith("@"):
        return written
    account = await asked.services.accounts.directory.named(written[1:])
    if account is None:
        raise Refusal("unknown")
    return account.visitor


@router.get("/tables", response_model=list[models.HostTable])
async def tables(
    asked: Asked,
    actor: Actor,
    state: listing.State = "all",
    game: Annotated[str | None, Query(max_length=64)] = None,
    visitor: Annotated[str | None, Query(max_length=64)] = None,
    limit: Limit = 100,
) -> Response:
    """Return tables, newest first."""
    return asked.answer(await asked.services.storage.read(listing.tables(state, game, visitor, limit)))


@router.get("/tables/{table}", response_model=models.HostTableShown)
async def table(asked: Asked, actor: Actor, table: TableId) -> Response:
    """Return a table with its visitors and chat."""
    found = await asked.services.storage.read(listing.table(table))
    if found is None:
        raise Refusal("unknown")
    return asked.answer(found)


@router.post("/tables/{table}/end", response_model=models.HostDone)
async def end(asked: Asked, actor: Actor, table: TableId, wanted: models.HostReason) -> Response:
    """End a game without a winner."""
    await asked.services.moderation.end(table, actor, wanted.reason)
    return asked.answer({"done": "end"})


@router.post("/tables/{table}/delete", response_model=models.HostDone)
async def delete(asked: Asked, actor: Actor, table: TableId, wanted: models.HostReason) -> Response:
    """Delete a table for good."""
    await asked.services.moderation.delete(table, actor, wanted.reason)
    return asked.answer({"done": "delete"})


@router.post("/tables/{table}/seats/{seat}/free", response_model=models.HostSeatFreed)
async def free(
    asked: Asked, actor: Actor, table: TableId, seat: Annotated[int, Path(ge=0, le=63)], wanted: models.HostReason
) -> Response:
    """Take a seat from who holds it, and return the link for somebody else to take it."""
    key = await asked.services.moderation.free_seat(table, seat, actor, wanted.reason)
    settings = asked.services.settings
    site = (settings.public_url or str(asked.request.base_url)).rstrip("/")
    return asked.answer({"link": f"{site}/table/{table}#{key}"})


@router.get("/sanctions", response_model=list[models.Sanction])
async def sanctions(asked: Asked, actor: Actor) -> Response:
    """Return who is silenced or banned now."""
    return asked.answer([asdict(each) for each in asked.services.moderation.sanctions.all()])


@router.post("/sanctions", response_model=models.Sanction)
async def sanction(asked: Asked, actor: Actor, wanted: models.SanctionAsked) -> Response:
    """Silence or ban a visitor, an address or a network, for some hours or for good."""
    until = None if wanted.hours is None else now() + int(wanted.hours * _HOUR_MS)
    target = await _target(asked, wanted.target)
    made = await asked.services.moderation.sanctions.add(wanted.kind, target, until, actor, wanted.reason)
    return asked.answer(asdict(made))


@router.post("/sanctions/lift", response_model=list[models.Sanction])
async def lift(asked: Asked, actor: Actor, wanted: models.LiftAsked) -> Response:
    """End all sanctions against a visitor, an address or a network."""
    target = await _target(asked, wanted.target)
    lifted = await asked.services.moderation.sanctions.lift(target, actor, wanted.reason)
    return asked.answer([asdict(each) for each in lifted])


@router.post("/retention", response_model=models.Retained)
async def retention(asked: Asked, actor: Actor, wanted: models.RetentionAsked) -> Response:
    """Delete finished games at which nothing has happened for some days; with ``trial`` only count them."""
    deleted = await asked.services.moderation.apply_retention(wanted.days, actor, trial=wanted.trial)
    return asked.answer({"tables": deleted})


@router.get("/audit", response_model=list[models.AuditEntry])
async def audit_log(
    asked: Asked, actor: Actor, limit: Limit = 100, before: Annotated[int | None, Query(ge=1)] = None
) -> Response:
    """Return the newest entries of the audit log, or the newest before a number."""
    return asked.answer(await asked.services.storage.read(audit.entries(limit, before)))


@router.get("/connections", response_model=list[models.HostConnection])
async def connections(asked: Asked, actor: Actor) -> Response:
    """Return the live connections of this process: who, from which address, at which tables."""
    shown: list[dict[str, Any]] = [each.document() for each in asked.services.open_connections]
    return asked.answer(shown)
