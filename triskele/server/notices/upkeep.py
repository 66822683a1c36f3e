"""What people choose about notices: their preferences, the browsers that get push messages, a web hook."""

import hashlib
import json
import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, exists, insert, select

from triskele.core.words import text
from triskele.server.notices.keys import NoticeKeys
from triskele.server.notices.preferences import MAIL, Preferences, zone_of
from triskele.server.notices.queue import Statement
from triskele.server.notices.web_client import WebClient
from triskele.server.notices.web_push import are_keys
from triskele.server.refusal import Refusal
from triskele.server.storage import schema
from triskele.server.storage.database import Storage
from triskele.server.tables.service import now


@dataclass(frozen=True)
class Browser:
    """A browser that gets push messages; ``current``: the one that asks."""

    id: str
    agent: str
    created: int
    current: bool


@dataclass(frozen=True)
class Chosen:
    """All that an account has chosen; of the hook there is the address and when it was made, never the secret."""

    preferences: Preferences
    browsers: tuple[Browser, ...]
    hook: tuple[str, int] | None


class NoticeUpkeep:
    """Keeps what people choose."""

    def __init__(self, storage: Storage, keys: NoticeKeys, client: WebClient, most_browsers: int) -> None:
        """Let an account have ``most_browsers``; ``client`` knows which addresses can be posted to."""
        self._storage = storage
        self._keys = keys
        self._client = client
        self._most_browsers = most_browsers

    async def preferences(self, account: str) -> Preferences:
        """Return the preferences of an account."""
        return await self._storage.read(lambda connection: _preferences(connection, account))

    async def chosen(self, account: str, session: str | None) -> Chosen:
        """Return all that an account has chosen, to somebody who is signed in with a session."""
        return await self._storage.read(lambda connection: _chosen(connection, account, session))

    async def choose(self, account: str, preferences: Preferences) -> None:
        """Set the preferences of an account; ``Refusal`` for a time zone that is not known."""
        if zone_of(preferences.zone) is None:
            raise Refusal("time-zone")
        await self._storage.write(statements=_keeping(account, preferences))

    async def leave_mail(self, token: str) -> None:
        """Send no more notices by mail to the account of a link; ``Refusal`` if the link is not ours."""
        account = self._keys.account_of(token)
        if account is None:
            raise Refusal("leave-link")
        known = await self.preferences(account)
        accounts = schema.accounts.c
        there = select(accounts.id).where(accounts.id == account, accounts.deleted.is_(None))
        if await self._storage.read(lambda connection: connection.execute(there).first()) is not None:
            await self._storage.write(statements=_keeping(account, known.without(MAIL)))

    def check_link(self, token: str) -> None:
        """Refuse a link that is not ours."""
        if self._keys.account_of(token) is None:
            raise Refusal("leave-link")

    # --- browsers ---------------------------------------------------------------------------------------

    async def subscribe(
        self, account: str, session: str, endpoint: str, p256dh: str, auth: str, server_key: str, agent: str
    ) -> None:
        """Note a browser that wants push messages, as long as it is signed in with this session.

        A browser that another account used before is this one's alone.
        """
        known_key = self._keys.push_of(server_key) is not None
        if not are_keys(p256dh, auth) or not self._client.allows(endpoint) or not known_key:
            raise Refusal("push-keys")
        hashed = hashlib.sha256(endpoint.encode()).hexdigest()
        known = await self.chosen(account, session)
        others = [each for each in known.browsers if not each.current]
        if len(others) >= self._most_browsers:
            raise Refusal("push-limit", text("server.push-limit", n=self._most_browsers))
        pushes = schema.push_subscriptions
        row = {
            "id": secrets.token_hex(8),
            "account": account,
            "session": session,
            "hash": hashed,
            "endpoint": endpoint,
            "p256dh": p256dh,
            "auth": auth,
            "server_key": server_key,
            "agent": agent[:200],
            "created": now(),
        }
        former = (pushes.c.hash == hashed) | ((pushes.c.account == account) & (pushes.c.session == session))
        await self._storage.write(statements=[(delete(pushes).where(former), ()), (insert(pushes), [row])])

    async def unsubscribe(self, account: str, browser: str) -> None:
        """Send no more push messages to a browser of an account."""
        pushes = schema.push_subscriptions
        gone = delete(pushes).where(pushes.c.id == browser, pushes.c.account == account)
        await self._storage.write(statements=[(gone, ())])

    async def delete_old(self) -> None:
        """Delete the browsers whose sessions have ended."""
        pushes, sessions = schema.push_subscriptions, schema.sessions.c
        gone = delete(pushes).where(~exists().where(sessions.id == pushes.c.session))
        await self._storage.write(statements=[(gone, ())])

    # --- the web hook -------------------------------------------------------------------------------------

    async def set_hook(self, account: str, url: str) -> str:
        """Set the web hook of an account, and return its secret, which is shown this once."""
        if not self._client.allows(url):
            raise Refusal("hook-address")
        hook = secrets.token_hex(8)
        secret = self._keys.hook_secret(self._keys.name, hook)
        assert secret is not None, "the key is the newest"
        row = {"account": account, "id": hook, "url": url, "secret_key": self._keys.name, "created": now()}
        await self._storage.write(statements=[_unhooking(account), (insert(schema.web_hooks), [row])])
        return secret

    async def remove_hook(self, account: str) -> None:
        """Post to no web hook of an account any longer."""
        await self._storage.write(statements=[_unhooking(account)])


def _unhooking(account: str) -> Statement:
    return delete(schema.web_hooks).where(schema.web_hooks.c.account == account), ()


def _keeping(account: str, preferences: Preferences) -> list[Statement]:
    kept = schema.notice_settings
    row: dict[str, Any] = {"account": account, "body": json.dumps(preferences.document())}
    return [(delete(kept).where(kept.c.account == account), ()), (insert(kept), [row])]


def _preferences(connection: Connection, account: str) -> Preferences:
    kept = schema.notice_settings.c
    return Preferences.of(connection.execute(select(kept.body).where(kept.account == account)).scalar())


def _chosen(connection: Connection, account: str, session: str | None) -> Chosen:
    pushes, hooks, sessions = schema.push_subscriptions.c, schema.web_hooks.c, schema.sessions.c
    query = (
        select(pushes.id, pushes.agent, pushes.created, pushes.session)
        .where(pushes.account == account, exists().where(sessions.id == pushes.session))
        .order_by(pushes.created)
    )
    browsers = tuple(
        Browser(row.id, row.agent, row.created, row.session == session) for row in connection.execute(query)
    )
    hook = connection.execute(select(hooks.url, hooks.created).where(hooks.account == account)).first()
    return Chosen(_preferences(connection, account), browsers, None if hook is None else (hook.url, hook.created))
