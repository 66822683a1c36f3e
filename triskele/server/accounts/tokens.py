"""Tokens: with one a program acts for an account, within its scopes. The database has its hash alone."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from sqlalchemy import Connection, Row, Select, delete, func, insert, select, update

from triskele.core.words import text
from triskele.server.accounts.credentials import hashed, new_id, new_secret
from triskele.server.accounts.directory import SHOWN, Account, account_of
from triskele.server.bus import Bus
from triskele.server.refusal import Refusal
from triskele.server.storage import schema
from triskele.server.storage.database import Storage
from triskele.server.tables.service import now

Scope = Literal["read", "play", "lobby"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
"""What a token may do: see what the account sees, open tables and play, offer and take games in the lobby."""
PREFIX = "trk_"
"""Tokens begin with it, so that one that was published by mistake can be found."""
TOKENS_LIMIT = 20
_CACHED_SECONDS = 30.0
_CACHED_LIMIT = 5_000
_DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class Token:
    """A token of an account, without its secret value."""

    id: str
    account: Account
    name: str
    scopes: frozenset[str]
    created: int
    expires: int | None
    used: int | None


class Tokens:
    """Makes, finds and revokes tokens."""

    def __init__(self, storage: Storage, bus: Bus) -> None:
        """Keep their hashes in ``storage``."""
        self._storage = storage
        self._bus = bus
        self._cached: OrderedDict[str, tuple[float, Token | None]] = OrderedDict()
        self.listeners: list[Callable[[set[str]], None]] = []
        """Called with the ids of tokens that were revoked; their live connections are closed then."""

    async def make(self, account_id: str, name: str, scopes: Iterable[Scope], days: float | None) -> str:
        """Return the value of a new token: it is shown once and never again. Every token may read."""
        columns = schema.tokens.c
        count = await self._storage.read(
            lambda c: c.execute(select(func.count()).where(columns.account == account_id)).scalar_one()
        )
        if count >= TOKENS_LIMIT:
            raise Refusal("tokens-limit", text("server.tokens-limit", n=TOKENS_LIMIT))
        value = PREFIX + new_secret()
        row = {
            "hash": hashed(value),
            "id": new_id(),
            "account": account_id,
            "name": name,
            "scopes": " ".join(scope for scope in SCOPES if scope in {"read", *scopes}),
            "created": now(),
            "expires": None if days is None else now() + int(days * _DAY_MS),
            "used": None,
        }
        await self._storage.write(statements=[(insert(schema.tokens), [row])])
        return value

    async def find(self, value: str) -> Token | None:
        """Return the token with a value; ``None`` if it was revoked, has expired, or never was."""
        key = hashed(value)
        read, found = self._cached.get(key, (0.0, None))
        if read < time.monotonic() - _CACHED_SECONDS:
            found = await self._storage.read(lambda connection: _find(connection, key))
            self._cached[key] = (time.monotonic(), found)
            self._cached.move_to_end(key)
            if len(self._cached) > _CACHED_LIMIT:
                self._cached.popitem(last=False)
            if found is not None and now() - (found.used or 0) > _DAY_MS // 24:
                used = update(schema.tokens).where(schema.tokens.c.hash == key).values(used=now())
                await self._storage.write(statements=[(used, ())])
        return None if found is None or (found.expires is not None and now() > found.expires) else found

    async def of_account(self, account_id: str) -> list[Token]:
        """Return the tokens of an account and of its bots, the newest first."""
        tokens, accounts = schema.tokens.c, schema.accounts.c
        whose = (tokens.account == account_id) | (accounts.owner == account_id)
        query = _query().where(whose).order_by(tokens.created.desc())
        return await self._storage.read(lambda connection: [_token(row) for row in connection.execute(query)])

    async def revoke(self, account_id: str, token_id: str) -> None:
        """Revoke a token of an account or of one of its bots; ``Refusal`` if there is none such."""
        if token_id not in {each.id for each in await self.of_account(account_id)}:
            raise Refusal("unknown")
        await self._storage.write(statements=[(delete(schema.tokens).where(schema.tokens.c.id == token_id), ())])
        self.revoked([token_id])

    def revoked(self, ids: Iterable[str], *, told: bool = False) -> None:
        """Take note that tokens were revoked, here or (``told``) by another process."""
        gone = set(ids)
        for key in [key for key, (_, found) in self._cached.items() if found is not None and found.id in gone]:
            del self._cached[key]
        for listener in self.listeners:
            listener(gone)
        if not told and gone:
            self._bus.publish("", tokens=sorted(gone))

    def forget_all(self) -> None:
        """Read all tokens again: some may have been revoked."""
        self._cached.clear()


def _query() -> Select[*tuple[Any, ...]]:
    tokens = schema.tokens.c
    return select(
        *SHOWN,
        tokens.id.label("token"),
        tokens.name.label("label"),
        tokens.scopes,
        tokens.created.label("made"),
        tokens.expires,
        tokens.used,
    ).join(schema.accounts, schema.accounts.c.id == tokens.account)


def _token(row: Row[*tuple[Any, ...]]) -> Token:
    scopes = frozenset(row.scopes.split())
    return Token(row.token, account_of(row), row.label, scopes, row.made, row.expires, row.used)


def _find(connection: Connection, key: str) -> Token | None:
    query = _query().where(schema.tokens.c.hash == key, schema.accounts.c.deleted.is_(None))
    row = connection.execute(query).first()
    return None if row is None else _token(row)
