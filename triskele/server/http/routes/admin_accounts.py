"""Routes for hosts about accounts: invitation codes, moderators, accounts, reports."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response
from sqlalchemy import Connection, func, select, update

from triskele.server.accounts import invitations
from triskele.server.accounts.directory import Account
from triskele.server.http import account_models as models
from triskele.server.http import admin_models
from triskele.server.http.context import Asked, Context
from triskele.server.http.routes.admin import Actor, Limit
from triskele.server.http.routes.tables import TableId
from triskele.server.moderation import reports
from triskele.server.moderation.audit import audited
from triskele.server.refusal import Refusal
from triskele.server.storage import schema

router = APIRouter(prefix="/admin", tags=["admin"])


async def _named(asked: Context, name: str) -> Account:
    found = await asked.services.accounts.directory.named(name)
    if found is None:
        raise Refusal("unknown")
    return found


@router.get("/invitations", response_model=list[models.InvitationListed])
async def list_invitations(asked: Asked, actor: Actor) -> Response:
    """Return the invitation codes that can still be used."""
    found = await asked.services.storage.read(invitations.all_of_them)
    return asked.answer([each.document() for each in found])


@router.post("/invitations", response_model=models.InvitationMade)
async def invite(asked: Asked, actor: Actor, wanted: models.InvitationAsked) -> Response:
    """Make an invitation code; it is shown this once."""
    entry = audited(actor, "invite", "", uses=wanted.uses, note=wanted.note)
    code = await invitations.make(asked.services.storage, wanted.uses, wanted.hours, wanted.note, entry)
    return asked.answer({"code": code})


@router.post("/invitations/{invitation}/revoke", response_model=models.Done)
async def revoke(asked: Asked, actor: Actor, invitation: Annotated[str, Path(max_length=32)]) -> Response:
    """Revoke an invitation code."""
    if invitation not in {each.id for each in await asked.services.storage.read(invitations.all_of_them)}:
        raise Refusal("unknown")
    statements = [invitations.revoking(invitation), audited(actor, "uninvite", invitation)]
    await asked.services.storage.write(statements=statements)
    return asked.answer({"done": True})


@router.get("/accounts", response_model=list[models.AccountListed])
async def list_accounts(
    asked: Asked, actor: Actor, named: Annotated[str | None, Query(max_length=96)] = None, limit: Limit = 100
) -> Response:
    """Return accounts, the newest first, or those whose name begins in a way."""
    return asked.answer(await asked.services.storage.read(lambda c: _listed(c, named, limit)))


def _listed(connection: Connection, named: str | None, limit: int) -> list[dict[str, Any]]:
    accounts, sessions = schema.accounts.c, schema.sessions.c
    seen = select(func.max(sessions.seen)).where(sessions.account == accounts.id).scalar_subquery()
    query = select(schema.accounts, seen.label("seen")).where(accounts.deleted.is_(None))
    if named is not None:
        query = query.where(func.lower(accounts.name).startswith(named.lower(), autoescape=True))
    rows = connection.execute(query.order_by(accounts.created.desc()).limit(limit))
    return [
        {
            "name": row.name,
            "visitor": row.visitor,
            "bot": row.bot,
            "moderator": row.moderator,
            "created": row.created,
            "seen": row.seen,
        }
        for row in rows
    ]


@router.post("/accounts/moderator", response_model=models.Done)
async def set_moderator(asked: Asked, actor: Actor, wanted: models.ModeratorAsked) -> Response:
    """Make an account a moderator's, or no longer."""
    account = await _named(asked, wanted.name)
    if account.bot:
        raise Refusal("moderator")
    statement = update(schema.accounts).where(schema.accounts.c.id == account.id).values(moderator=wanted.moderator)
    entry = audited(actor, "moderator", account.visitor, moderator=wanted.moderator, reason=wanted.reason)
    await asked.services.storage.write(statements=[(statement, ()), entry])
    sessions = asked.services.accounts.sessions
    sessions.ended([each.id for each in await sessions.of_account(account.id)])  # they are read again
    return asked.answer({"done": True})


@router.post("/accounts/sign-out", response_model=models.SignedOut)
async def sign_out(asked: Asked, actor: Actor, wanted: models.AccountAsked) -> Response:
    """End all sessions of an account."""
    account = await _named(asked, wanted.name)
    ended = await asked.services.accounts.sessions.end_all(account.id)
    entry = audited(actor, "sign-out", account.visitor, sessions=ended, reason=wanted.reason)
    await asked.services.storage.write(statements=[entry])
    return asked.answer({"ended": ended})


@router.post("/accounts/delete", response_model=models.Done)
async def delete_account(asked: Asked, actor: Actor, wanted: models.AccountAsked) -> Response:
    """Delete an account and its bots; the games stay, and the name is not in the audit log either."""
    account = await _named(asked, wanted.name)
    entry = audited(actor, "delete-account", account.visitor, reason=wanted.reason)
    await asked.services.accounts.deletion.delete(account, [entry])
    return asked.answer({"done": True})


@router.post("/tables/{table}/annul", response_model=models.Done)
async def annul(asked: Asked, actor: Actor, table: TableId, wanted: admin_models.HostReason) -> Response:
    """Annul the result of a finished game."""
    await asked.services.moderation.annul(table, actor, wanted.reason)
    return asked.answer({"done": True})


@router.get("/reports", response_model=list[models.ReportShown])
async def list_reports(asked: Asked, actor: Actor, state: reports.State = "open", limit: Limit = 100) -> Response:
    """Return reports, the newest first."""
    return asked.answer(await asked.services.storage.read(reports.listed(state, limit)))


@router.post("/reports/{number}/close", response_model=models.Done)
async def close_report(
    asked: Asked, actor: Actor, number: Annotated[int, Path(ge=1, le=2**31)], wanted: models.ReportClosed
) -> Response:
    """Close a report, with what was done about it."""
    await reports.close(asked.services.storage, number, actor, wanted.answer)
    return asked.answer({"done": True})
