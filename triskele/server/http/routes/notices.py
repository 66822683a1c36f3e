"""Routes of notices: what a visitor has not seen, what people choose about them, and leaving by a link in a mail."""

import html
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response

from triskele.core.words import say, text
from triskele.server.http import account_models
from triskele.server.http import notice_models as models
from triskele.server.http.context import Asked, Context
from triskele.server.notices.preferences import Preferences
from triskele.server.refusal import Refusal
from triskele.server.tables.matters import KINDS
from triskele.server.tables.service import now

router = APIRouter(tags=["notices"])
Token = Annotated[str, Path(max_length=100)]
_PAGE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/html": {}}, "description": "A page for people"},
    403: {"content": {"text/html": {}, "application/json": {}}, "description": "The link is not ours, on such a page"},
}


@router.get("/notices", response_model=models.NoticesShown)
async def notices(asked: Asked) -> Response:
    """Return the notices that I have not seen yet; guests have some, too."""
    found = [] if asked.visitor is None else await asked.services.notices.service.unseen(asked.visitor)
    return asked.answer({"count": len(found), "notices": [each.document(asked.language, now()) for each in found]})


@router.post("/notices/seen", response_model=account_models.Done)
async def seen(asked: Asked, wanted: models.SeenAsked) -> Response:
    """Say that I have seen the notices about a table, or all."""
    if asked.visitor is not None:
        await asked.services.notices.service.see(asked.visitor, wanted.table)
    return asked.answer({"done": True})


@router.get("/notices/settings", response_model=models.NoticeSettingsShown)
async def settings(asked: Asked) -> Response:
    """Return what I have chosen about notices."""
    account, session = asked.require_session()
    return asked.answer(await _settings(asked, account.id, session.id))


async def _settings(asked: Context, account: str, session: str) -> dict[str, Any]:
    found = await asked.services.notices.upkeep.chosen(account, session)
    kept = await asked.services.accounts.upkeep.kept(account)
    state = "none" if kept.mail is None else "confirmed" if kept.mail_confirmed else "unconfirmed"
    return {
        "preferences": found.preferences.document(),
        "browsers": [asdict(each) for each in found.browsers],
        "hook": None if found.hook is None else {"url": found.hook[0], "created": found.hook[1]},
        "mail": state if asked.services.accounts.letters.offered else "not-offered",
        "push_key": asked.services.notices.keys.push.public,
    }


@router.post("/notices/settings", response_model=models.NoticeSettingsShown)
async def choose(asked: Asked, wanted: models.Preferences) -> Response:
    """Choose what I am told by which ways, and when; in the language of the request."""
    account, session = asked.require_session()
    ways = {kind: frozenset(wanted.ways.get(kind, ())) for kind in KINDS}
    digest = frozenset(wanted.digest)
    chosen = Preferences(ways, wanted.quiet, wanted.zone, digest, wanted.hour, asked.language)
    await asked.services.notices.upkeep.choose(account.id, chosen)
    asked.services.notices.service.changed([account.visitor])
    return asked.answer(await _settings(asked, account.id, session.id))


@router.post("/notices/push", response_model=account_models.Done)
async def subscribe(asked: Asked, wanted: models.PushAsked) -> Response:
    """Send push messages to this browser, as long as it is signed in."""
    account, session = asked.require_session()
    await asked.services.notices.upkeep.subscribe(
        account.id,
        session.id,
        wanted.endpoint,
        wanted.keys.p256dh,
        wanted.keys.auth,
        wanted.server_key,
        asked.origin.agent,
    )
    return asked.answer({"done": True})


@router.post("/notices/push/remove", response_model=account_models.Done)
async def unsubscribe(asked: Asked, wanted: models.PushRemoved) -> Response:
    """Send no more push messages to a browser of mine."""
    account, _ = asked.require_session()
    await asked.services.notices.upkeep.unsubscribe(account.id, wanted.id)
    return asked.answer({"done": True})


@router.post("/notices/hook", response_model=models.HookMade)
async def set_hook(asked: Asked, wanted: models.HookAsked) -> Response:
    """Post notices to an address of mine, signed with a secret that is shown this once. It replaces the one before."""
    account, _ = asked.require_proof()
    return asked.answer({"secret": await asked.services.notices.upkeep.set_hook(account.id, wanted.url)})


@router.post("/notices/hook/remove", response_model=account_models.Done)
async def remove_hook(asked: Asked) -> Response:
    """Post notices to no address any longer."""
    account, _ = asked.require_session()
    await asked.services.notices.upkeep.remove_hook(account.id)
    return asked.answer({"done": True})


# --- leaving by a link in a mail ----------------------------------------------------------------------


@router.get("/notices/leave/{token}", responses=_PAGE, response_class=Response)
async def leave_page(asked: Asked, token: Token) -> Response:
    """Show a page with a button: with it no more notices are sent by mail. Nobody needs to be signed in."""
    try:
        asked.services.notices.upkeep.check_link(token)
    except Refusal as refusal:
        return _page(asked, say(refusal.text, asked.language), None, 403)
    return _page(asked, say(text("server.leave-words"), asked.language), say(text("server.leave"), asked.language))


@router.post("/notices/leave/{token}", responses=_PAGE, response_class=Response)
async def leave(asked: Asked, token: Token) -> Response:
    """Send no more notices by mail, to whom the link was sent: also by one click in a mail program (RFC 8058)."""
    try:
        await asked.services.notices.upkeep.leave_mail(token)
    except Refusal as refusal:
        if refusal.code != "leave-link":
            raise
        return _page(asked, say(refusal.text, asked.language), None, 403)
    return _page(asked, say(text("server.left-words"), asked.language), None)


def _page(asked: Context, words: str, button: str | None, status: int = 200) -> Response:
    """Return a page that needs no script; a form on it is sent to the page's own address."""
    site = html.escape(f"{asked.services.settings.prefix}/")
    title = html.escape(say(text("server.leave-title"), asked.language))
    form = f'<form method="post"><button class="button primary">{html.escape(button)}</button></form>' if button else ""
    home = html.escape(say(text("server.leave-home"), asked.language))
    page = (
        f'<!doctype html><html lang="{asked.language}"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        # Without it browsers would not say where the form comes from, and it would be refused.
        '<meta name="referrer" content="same-origin"><meta name="color-scheme" content="light dark">'
        f'<link rel="stylesheet" href="{site}lib/base.css"><link rel="stylesheet" href="{site}pages/pages.css"></head>'
        f'<body><main><div class="page message"><h1>{title}</h1><p>{html.escape(words)}</p>{form}'
        f'<p class="away"><a href="{site}">{home}</a></p></div></main></body></html>'
    )
    return asked.answer(page.encode(), status, "text/html; charset=utf-8")
