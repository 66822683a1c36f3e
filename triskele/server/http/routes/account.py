"""Routes of one's own account: signing up, password, passkeys, mail, learning, data, deletion."""

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Response
from sqlalchemy import func, select

from triskele.server.accounts.adoption import adopt
from triskele.server.accounts.credentials import new_id
from triskele.server.accounts.sign_in import Begun
from triskele.server.http import account_models as models
from triskele.server.http.context import Asked, Context
from triskele.server.http.export import export
from triskele.server.refusal import Refusal
from triskele.server.storage import schema

router = APIRouter(tags=["accounts"])


def begin(asked: Context, begun: Begun, brought: int = 0) -> Response:
    """Answer with a new session."""
    asked.begin_session(begun.secret)
    return asked.answer({"name": begun.account.name, "brought": brought})


async def end_former(asked: Context) -> None:
    """End the session that the browser had before it got another: nothing that was known before is valid."""
    if asked.caller.session is not None and asked.caller.account is not None:
        await asked.services.accounts.sessions.end(asked.caller.account.id, asked.caller.session.id)


def _guest(asked: Context) -> str | None:
    """Return the guest that the browser is, if it is not signed in."""
    return asked.visitor if asked.caller.account is None else None


@router.get("/account", response_model=models.WhoAmI)
async def who_am_i(asked: Asked) -> Response:
    """Return my account, if I am signed in, and what the host has chosen."""
    settings, accounts = asked.services.settings, asked.services.accounts
    site = {
        "accounts": settings.accounts,
        "guests": settings.guests,
        "chat": settings.chat,
        "mail": accounts.letters.offered,
    }
    account = asked.caller.account
    if account is None:
        return asked.answer({"account": None, "site": site, "guest_games": await _games(asked)})
    kept = await accounts.upkeep.kept(account.id)
    shown: dict[str, Any] = {
        "name": account.name,
        "bot": account.bot,
        "created": account.created,
        "moderator": asked.caller.moderator,
        "has_password": kept.has_password,
        "mail": kept.mail if asked.caller.session is not None else None,
        "mail_confirmed": kept.mail_confirmed,
        "passkeys": [asdict(each) for each in kept.passkeys] if asked.caller.session is not None else [],
        "bots": kept.bots,
        "proved": asked.caller.session is not None and asked.caller.session.is_proved,
    }
    return asked.answer({"account": shown, "site": site, "guest_games": 0})


async def _games(asked: Context) -> int:
    holders = schema.holders.c
    if asked.visitor is None:
        return 0
    query = select(func.count(func.distinct(holders.table_id))).where(
        holders.visitor == asked.visitor, holders.seat >= 0
    )
    return await asked.services.storage.read(lambda connection: connection.execute(query).scalar_one())


@router.post("/accounts", response_model=models.SignedInShown)
async def sign_up(asked: Asked, wanted: models.SignUp) -> Response:
    """Make an account, and sign in; the games of this browser's guest are the account's."""
    if asked.caller.account is not None:
        raise Refusal("signed-in")
    guest = _guest(asked)
    passkey = None if wanted.passkey is None else (asked.site, wanted.passkey.state, wanted.passkey.credential)
    begun = await asked.services.accounts.registration.sign_up(
        wanted.name, wanted.password, passkey, wanted.invitation, guest, asked.origin, asked.language
    )
    if guest is not None:
        await asked.services.became_account(guest)
        asked.forget_guest()
    return begin(asked, begun)


@router.post("/passkeys/options", response_model=models.PasskeyOptions)
async def passkey_options(asked: Asked, wanted: models.PasskeyAsked) -> Response:
    """Return the options with which a browser makes or uses a passkey."""
    accounts = asked.services.accounts
    if wanted.purpose == "sign-in":
        options, state = accounts.passkeys.authentication(asked.site, "sign-in")
    elif wanted.purpose == "sign-up":
        if wanted.name is None:
            raise Refusal("form")
        name = await accounts.registration.check_name(wanted.name)
        options, state = accounts.passkeys.registration(asked.site, "sign-up", new_id(), name, ())
    elif wanted.purpose == "add":
        account, _ = asked.require_proof()
        options, state = await accounts.upkeep.new_passkey_options(asked.site, account)
    else:
        account, _ = asked.require_session()
        options, state = await accounts.upkeep.proof_options(asked.site, account)
    return asked.answer({"options": options, "state": state})


@router.post("/account/prove", response_model=models.Done)
async def prove(asked: Asked, wanted: models.Proof) -> Response:
    """Say again who I am, with the password or a passkey: for a while I may change what only I may.

    The session gets a new cookie, and the one before is worth nothing.
    """
    account, session = asked.require_session()
    sign_in = asked.services.accounts.sign_in
    if wanted.passkey is not None:
        given = wanted.passkey
        secret = await sign_in.prove_by_passkey(account, session.id, asked.site, given.state, given.credential)
    elif wanted.password is not None:
        secret = await sign_in.prove_by_password(account, session.id, wanted.password, asked.address)
    else:
        raise Refusal("form")
    asked.begin_session(secret)
    return asked.answer({"done": True})


@router.post("/account/password", response_model=models.SignedInShown)
async def set_password(asked: Asked, wanted: models.PasswordChange) -> Response:
    """Set a new password: all sessions end, and a new one begins here. With a password, it must be said, too."""
    accounts = asked.services.accounts
    account, _ = asked.require_session()
    if (await accounts.upkeep.kept(account.id)).has_password:
        await accounts.sign_in.check_password(account, wanted.current or "", asked.address)
    else:
        asked.require_proof()
    return begin(asked, await accounts.upkeep.set_password(account, wanted.password, asked.origin))


@router.post("/account/passkeys", response_model=models.Done)
async def add_passkey(asked: Asked, wanted: models.PasskeyGiven) -> Response:
    """Add a passkey."""
    account, _ = asked.require_proof()
    await asked.services.accounts.upkeep.add_passkey(account, asked.site, wanted.state, wanted.credential)
    return asked.answer({"done": True})


@router.post("/account/passkeys/remove", response_model=models.Done)
async def remove_passkey(asked: Asked, wanted: models.PasskeyRemoved) -> Response:
    """Remove a passkey, unless it is the last way to sign in."""
    account, _ = asked.require_proof()
    await asked.services.accounts.upkeep.remove_passkey(account, wanted.id)
    return asked.answer({"done": True})


# --- mail -----------------------------------------------------------------------------------------


@router.post("/account/mail", response_model=models.Done)
async def set_mail(asked: Asked, wanted: models.MailAsked) -> Response:
    """Note my mail address; a link to it confirms it."""
    account, _ = asked.require_proof()
    if not asked.services.accounts.letters.offered:
        raise Refusal("no-mail")
    await asked.services.accounts.upkeep.set_mail(account, wanted.mail, asked.language)
    return asked.answer({"done": True})


@router.post("/account/mail/remove", response_model=models.Done)
async def remove_mail(asked: Asked) -> Response:
    """Forget my mail address."""
    account, _ = asked.require_proof()
    await asked.services.accounts.upkeep.remove_mail(account)
    return asked.answer({"done": True})


@router.post("/account/mail/confirm", response_model=models.Done)
async def confirm_mail(asked: Asked, wanted: models.LinkUsed) -> Response:
    """Confirm a mail address with the link that was sent to it; it works once."""
    await asked.services.accounts.upkeep.confirm_mail(wanted.link)
    return asked.answer({"done": True})


@router.post("/account/recover", response_model=models.Done)
async def recover(asked: Asked, wanted: models.MailAsked) -> Response:
    """Send a link for a new password to a confirmed address. The answer is the same if there is no such account."""
    accounts = asked.services.accounts
    if not accounts.letters.offered:
        raise Refusal("no-mail")
    accounts.recovery.ask(wanted.mail, asked.address)
    return asked.answer({"done": True})


@router.post("/account/reset", response_model=models.SignedInShown)
async def reset(asked: Asked, wanted: models.ResetAsked) -> Response:
    """Set a new password with a link from a mail, which works once; all sessions end, and a new one begins here."""
    begun = await asked.services.accounts.recovery.reset(wanted.link, wanted.password, asked.origin)
    if asked.caller.account is not None and asked.caller.account.id != begun.account.id:
        await end_former(asked)
    return begin(asked, begun)


# --- the rest ---------------------------------------------------------------------------------------


@router.post("/account/bring", response_model=models.SignedInShown)
async def bring(asked: Asked) -> Response:
    """Bring along the games that this browser has played as a guest; it is no such guest any longer."""
    account, _ = asked.require_session()
    guest = asked.services.visitors.of(asked.request.scope["headers"])
    if guest is None or await asked.services.accounts.directory.claimed(guest):
        return asked.answer({"name": account.name, "brought": 0})
    brought = await adopt(asked.services.tables, guest, account.visitor)
    asked.forget_guest()
    return asked.answer({"name": account.name, "brought": brought})


@router.post("/account/learned", response_model=models.Learned)
async def learned(asked: Asked, wanted: models.Learned) -> Response:
    """Add what was learned in this browser to what my account has learned, and return all of it."""
    account = asked.require_account()
    return asked.answer(await asked.services.accounts.upkeep.learn(account, wanted.model_dump()))


@router.get("/account/data", responses={200: {"content": {"application/json": {}}}}, response_class=Response)
async def data(asked: Asked) -> Response:
    """Return everything that is kept about me, with the records of my games, as a file."""
    account, _ = asked.require_proof()
    if not asked.services.accounts.exports.take(account.id):
        raise Refusal("limit")
    return await export(asked, account)


@router.post("/account/delete", response_model=models.Done)
async def delete(asked: Asked) -> Response:
    """Delete my account and its bots. The games stay for the others; the name goes."""
    account, _ = asked.require_proof()
    await asked.services.accounts.deletion.delete(account)
    asked.end_session()
    return asked.answer({"done": True})
