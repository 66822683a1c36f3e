"""Routes of sessions and tokens: where one is signed in, and what programs act for one."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from triskele.server.accounts.adoption import adopt
from triskele.server.http import account_models as models
from triskele.server.http.context import Asked
from triskele.server.http.routes.account import begin, end_former
from triskele.server.refusal import Refusal
from triskele.server.tables.validation import valid_name

router = APIRouter(tags=["accounts"])
Id = Annotated[str, Path(max_length=32)]


@router.post("/sessions", response_model=models.SignedInShown)
async def sign_in(asked: Asked, wanted: models.SignInAsked) -> Response:
    """Sign in. The answer to a wrong name and to a wrong password is the same, and takes the same time."""
    sign_in = asked.services.accounts.sign_in
    if wanted.passkey is not None:
        given = wanted.passkey
        begun = await sign_in.by_passkey(asked.site, given.state, given.credential, asked.origin)
    else:
        begun = await sign_in.by_password(wanted.name or "", wanted.password or "", asked.origin)
    await end_former(asked)
    brought = 0
    if wanted.bring and asked.visitor is not None and asked.caller.account is None:
        brought = await adopt(asked.services.tables, asked.visitor, begun.account.visitor)
        asked.forget_guest()
    return begin(asked, begun, brought)


@router.get("/sessions", response_model=list[models.SessionShown])
async def sessions(asked: Asked) -> Response:
    """Return where I am signed in."""
    account, current = asked.require_session()
    shown = [
        {
            "id": each.id,
            "current": each.id == current.id,
            "created": each.created,
            "seen": each.seen,
            "address": each.address,
            "agent": each.agent,
        }
        for each in await asked.services.accounts.sessions.of_account(account.id)
    ]
    return asked.answer(shown)


@router.post("/sessions/end", response_model=models.SignedOut)
async def sign_out(asked: Asked, wanted: models.SignOut) -> Response:
    """Sign out: here, everywhere, or everywhere but here."""
    account, current = asked.require_session()
    known = asked.services.accounts.sessions
    if wanted.where == "here":
        await known.end(account.id, current.id)
        ended = 1
    else:
        ended = await known.end_all(account.id, [current.id] if wanted.where == "others" else ())
    if wanted.where != "others":
        asked.end_session()
    return asked.answer({"ended": ended})


@router.post("/sessions/{session}/end", response_model=models.SignedOut)
async def end_session(asked: Asked, session: Id) -> Response:
    """End one of my sessions."""
    account, current = asked.require_session()
    await asked.services.accounts.sessions.end(account.id, session)
    if session == current.id:
        asked.end_session()
    return asked.answer({"ended": 1})


# --- tokens and bots ----------------------------------------------------------------------------------


@router.get("/account/tokens", response_model=list[models.TokenShown])
async def tokens(asked: Asked) -> Response:
    """Return my tokens and those of my bots, without their values."""
    account, _ = asked.require_session()
    shown = [
        {
            "id": each.id,
            "account": each.account.name,
            "name": each.name,
            "scopes": sorted(each.scopes),
            "created": each.created,
            "expires": each.expires,
            "used": each.used,
        }
        for each in await asked.services.accounts.tokens.of_account(account.id)
    ]
    return asked.answer(shown)


@router.post("/account/tokens", response_model=models.TokenMade)
async def make_token(asked: Asked, wanted: models.TokenAsked) -> Response:
    """Make a token for me or for a bot of mine; its value is shown this once."""
    account, _ = asked.require_proof()
    services = asked.services.accounts
    whose = account
    if wanted.bot is not None:
        bot = await services.directory.named(wanted.bot)
        if bot is None or bot.name not in (await services.upkeep.kept(account.id)).bots:
            raise Refusal("unknown")
        whose = bot
    made = await services.tokens.make(whose.id, valid_name(wanted.name), wanted.scopes, wanted.days)
    return asked.answer({"token": made})


@router.post("/account/tokens/{token}/revoke", response_model=models.Done)
async def revoke_token(asked: Asked, token: Id) -> Response:
    """Revoke a token: programs that use it are cut off."""
    account, _ = asked.require_session()
    await asked.services.accounts.tokens.revoke(account.id, token)
    return asked.answer({"done": True})


@router.post("/account/bots", response_model=models.BotMade)
async def make_bot(asked: Asked, wanted: models.BotAsked) -> Response:
    """Make an account for a bot: it plays with tokens, and everybody sees that it is a bot."""
    account, _ = asked.require_proof()
    made = await asked.services.accounts.registration.make_bot(account, wanted.name, asked.language)
    return asked.answer({"name": made.name})


@router.post("/account/bots/delete", response_model=models.Done)
async def delete_bot(asked: Asked, wanted: models.BotAsked) -> Response:
    """Delete a bot of mine; its games stay."""
    account, _ = asked.require_proof()
    services = asked.services.accounts
    bot = await services.directory.named(wanted.name)
    if bot is None or bot.name not in (await services.upkeep.kept(account.id)).bots:
        raise Refusal("unknown")
    await services.deletion.delete(bot)
    return asked.answer({"done": True})
