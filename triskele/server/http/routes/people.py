"""Routes of other people: profiles, mutes and blocks, reports."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from triskele.server.accounts.directory import Account
from triskele.server.accounts.names import NAME_LIMIT
from triskele.server.accounts.profile import profile
from triskele.server.http import account_models as models
from triskele.server.http.context import Asked, Context
from triskele.server.http.routes import PREFIX
from triskele.server.moderation import reports
from triskele.server.refusal import Refusal
from triskele.server.tables.validation import valid_text

router = APIRouter(tags=["people"])
Name = Annotated[str, Path(max_length=4 * NAME_LIMIT)]


async def _named(asked: Context, name: str) -> Account:
    found = await asked.services.accounts.directory.named(name)
    if found is None:
        raise Refusal("unknown")
    return found


async def _seated(asked: Context, table: str, seat: int) -> str:
    """Return the visitor at a seat of a table that the one who asks may see."""
    found = await asked.services.tables.get(table, asked.visitor)
    if not 0 <= seat < len(found.seats) or not found.seats[seat].holders:
        raise Refusal("unknown")
    return min(found.seats[seat].holders)


@router.get("/people/{name}", response_model=models.ProfileShown)
async def person(asked: Asked, name: Name) -> Response:
    """Return the profile of an account: games at private tables only if I played at them, too."""
    account = await _named(asked, name)
    shown = await asked.services.storage.read(profile(account, asked.visitor))
    kinds = (
        [] if asked.visitor is None else asked.services.accounts.aversions.of(asked.visitor).get(account.visitor, [])
    )
    mine = asked.caller.account is not None and asked.caller.account.id == account.id
    ratings = f"{PREFIX}/people/{{name}}/ratings" in asked.request.app.openapi()["paths"]
    return asked.answer(
        {**shown, "mine": mine, "ratings": ratings, "muted": "mute" in kinds, "blocked": "block" in kinds}
    )


@router.post("/people/{name}/aversion", response_model=models.Done)
async def set_aversion(asked: Asked, name: Name, wanted: models.AversionAsked) -> Response:
    """Mute or block an account, or no longer."""
    account = await _named(asked, name)
    await _set(asked, account.visitor, wanted)
    return asked.answer({"done": True})


@router.post("/people", response_model=models.Done)
async def set_aversion_of_seat(asked: Asked, wanted: models.SeatAversion) -> Response:
    """Mute or block who sits at a table, also a guest, or no longer."""
    await _set(asked, await _seated(asked, wanted.table, wanted.seat), wanted)
    return asked.answer({"done": True})


async def _set(asked: Context, other: str, wanted: models.AversionAsked) -> None:
    visitor, aversions = asked.require_visitor(), asked.services.accounts.aversions
    await (aversions.add if wanted.on else aversions.remove)(visitor, wanted.kind, other)


@router.get("/account/aversions", response_model=list[models.AversionShown])
async def aversions(asked: Asked) -> Response:
    """Return the accounts that I mute or block."""
    mine = {} if asked.visitor is None else asked.services.accounts.aversions.of(asked.visitor)
    known = await asked.services.accounts.directory.of_visitors(mine)
    shown = [{"name": account.name, "kinds": mine[visitor]} for visitor, account in known.items()]
    return asked.answer(sorted(shown, key=lambda each: str(each["name"]).casefold()))


@router.post("/reports", response_model=models.Done)
async def report(asked: Asked, wanted: models.ReportAsked) -> Response:
    """Report an account, or who sits at a table, to the moderators."""
    reporter = asked.require_visitor()
    if wanted.table is not None and wanted.seat is not None:
        about = await _seated(asked, wanted.table, wanted.seat)
    elif wanted.name is not None:
        about = (await _named(asked, wanted.name)).visitor
    else:
        raise Refusal("form")
    asked.services.accounts.throttle.report(reporter)
    body = valid_text(wanted.text)
    await reports.report(asked.services.storage, reporter, about, wanted.table, wanted.why, body)
    return asked.answer({"done": True})
