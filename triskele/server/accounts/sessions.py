"""Sessions: where an account is signed in. The cookie's value is secret; the database has its hash alone."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, Executable, delete, insert, select, update

from triskele.server.accounts.credentials import hashed, new_id, new_secret
from triskele.server.accounts.directory import SHOWN, Account, account_of
from triskele.server.bus import Bus
from triskele.server.refusal import Refusal
from triskele.server.storage import schema
from triskele.server.storage.database import Rows, Storage
from triskele.server.tables.service import now

DAY_MS = 86_400_000
PROOF_MS = 15 * 60_000
"""How long after signing in, or saying the password again, a person may change what only they may."""
_SEEN_MS = 5 * 60_000
"""How exactly it is noted when a session was used last."""
_CACHED_SECONDS = 30.0
"""How long another process, if no message of the bus reaches it, takes a session for valid that was ended here."""
_CACHED_LIMIT = 20_000
_SESSIONS_LIMIT = 50
"""Sessions of an account; the one that was used least recently ends when there are more."""


@dataclass(frozen=True, slots=True)
class Session:
    """A browser in which an account is signed in. Times in milliseconds since 1970."""

    id: str
    created: int
    seen: int
    proved: int
    address: str
    agent: str

    @property
    def is_proved(self) -> bool:
        """Whether the person signed in, or said the password, a short time ago."""
        return now() - self.proved < PROOF_MS


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A session that is valid, and whose it is."""

    session: Session
    account: Account
    moderator: bool


class Sessions:
    """Begins, finds and ends sessions."""

    def __init__(self, storage: Storage, bus: Bus, idle_days: float, longest_days: float) -> None:
        """End a session that was not used for ``idle_days``, and in any case after ``longest_days``."""
        self._storage = storage
        self._bus = bus
        self._idle_ms, self._longest_ms = int(idle_days * DAY_MS), int(longest_days * DAY_MS)
        self._cached: OrderedDict[str, tuple[float, SignedIn | None]] = OrderedDict()
        self.listeners: list[Callable[[set[str]], None]] = []
        """Called with the ids of sessions that have ended; their live connections are closed then."""
        self._writes: set[asyncio.Future[None]] = set()

    @property
    def seconds(self) -> int:
        """How long a browser keeps the cookie."""
        return self._idle_ms // 1000

    def begin(self, account_id: str, address: str, agent: str) -> tuple[str, str, tuple[Executable, Rows]]:
        """Return the secret value of a new session, its id, and the statement that stores it."""
        secret, session = new_secret(), new_id()
        time = now()
        row = {
            "hash": hashed(secret),
            "id": session,
            "account": account_id,
            "created": time,
            "seen": time,
            "proved": time,
            "address": address[:64],
            "agent": "".join(letter if letter.isprintable() else " " for letter in agent)[:200],
        }
        return secret, session, (insert(schema.sessions), [row])

    async def find(self, secret: str) -> SignedIn | None:
        """Return whose session a secret value is; ``None`` if it has ended or never was."""
        key = hashed(secret)
        read, found = self._cached.get(key, (0.0, None))
        if read < time.monotonic() - _CACHED_SECONDS:
            found = await self._storage.read(lambda connection: _find(connection, key))
            self._keep(key, found)
        if found is None or self._has_ended(found.session):
            return None
        if now() - found.session.seen > _SEEN_MS:
            found = self._note_seen(key, found)
        return found

    def _has_ended(self, session: Session) -> bool:
        return now() > min(session.seen + self._idle_ms, session.created + self._longest_ms)

    def _note_seen(self, key: str, found: SignedIn) -> SignedIn:
        seen = replace(found, session=replace(found.session, seen=now()))
        self._keep(key, seen)
        columns = schema.sessions.c
        statement = update(schema.sessions).where(columns.hash == key).values(seen=seen.session.seen)
        writing = self._storage.write(statements=[(statement, ())])
        self._writes.add(writing)
        writing.add_done_callback(self._written)
        return seen

    def _written(self, writing: "asyncio.Future[None]") -> None:
        self._writes.discard(writing)
        if not writing.cancelled():
            writing.exception()  # the storage has logged it, and the time is noted again in a while

    def _keep(self, key: str, found: SignedIn | None) -> None:
        self._cached[key] = (time.monotonic(), found)
        self._cached.move_to_end(key)
        if len(self._cached) > _CACHED_LIMIT:
            self._cached.popitem(last=False)

    async def prove(self, session_id: str) -> str:
        """Note that the person has just said the password, or used a passkey; return the session's new secret value.

        The value before is worth nothing any longer (ASVS 7.2.4); the session goes on, and its live connections stay.
        """
        secret = new_secret()
        values = {"hash": hashed(secret), "proved": now()}
        statement = update(schema.sessions).where(schema.sessions.c.id == session_id).values(values)
        await self._storage.write(statements=[(statement, ())])
        self.forget([session_id])
        self._bus.publish("", renewed_sessions=[session_id])
        return secret

    async def of_account(self, account_id: str) -> list[Session]:
        """Return the sessions of an account that have not ended, the one used last first."""
        columns = schema.sessions.c
        query = select(schema.sessions).where(columns.account == account_id).order_by(columns.seen.desc())

        def run(connection: Connection) -> list[Session]:
            rows = connection.execute(query)
            return [Session(row.id, row.created, row.seen, row.proved, row.address, row.agent) for row in rows]

        return [each for each in await self._storage.read(run) if not self._has_ended(each)]

    async def ending(self, account_id: str, keep: Sequence[str] = ()) -> tuple[list[str], tuple[Executable, Rows]]:
        """Return the ids of all sessions of an account but some, and the statement that deletes them."""
        columns = schema.sessions.c
        which = (columns.account == account_id, columns.id.not_in(keep))
        ids = await self._storage.read(lambda c: list(c.execute(select(columns.id).where(*which)).scalars()))
        return ids, (delete(schema.sessions).where(*which), ())

    async def end_all(self, account_id: str, keep: Sequence[str] = ()) -> int:
        """End all sessions of an account but some; return how many."""
        ids, statement = await self.ending(account_id, keep)
        await self._storage.write(statements=[statement])
        self.ended(ids)
        return len(ids)

    async def end(self, account_id: str, session_id: str) -> None:
        """End one session of an account; ``Refusal`` if it has none such."""
        if session_id not in {each.id for each in await self.of_account(account_id)}:
            raise Refusal("unknown")
        columns = schema.sessions.c
        statement = delete(schema.sessions).where(columns.account == account_id, columns.id == session_id)
        await self._storage.write(statements=[(statement, ())])
        self.ended([session_id])

    async def end_oldest(self, account_id: str) -> None:
        """End the sessions of an account that are more than it may have."""
        for session in (await self.of_account(account_id))[_SESSIONS_LIMIT:]:
            await self.end(account_id, session.id)

    def ended(self, ids: Iterable[str]) -> None:
        """Take note, here and in other processes, that sessions have ended."""
        gone = list(ids)
        if gone:
            self.forget(gone)
            for listener in self.listeners:
                listener(set(gone))
            self._bus.publish("", sessions=gone)

    def heard(self, ids: Sequence[str]) -> None:
        """Take note that another process has ended sessions."""
        self.forget(ids)
        for listener in self.listeners:
            listener(set(ids))

    def forget(self, ids: Iterable[str]) -> None:
        """Read sessions again when they are asked for next."""
        changed = set(ids)
        for key in [k for k, (_, found) in self._cached.items() if found is not None and found.session.id in changed]:
            del self._cached[key]

    def forget_all(self) -> None:
        """Read all sessions again: some may have ended."""
        self._cached.clear()

    async def delete_old(self) -> None:
        """Delete sessions that have ended by themselves."""
        columns, time = schema.sessions.c, now()
        old = (columns.seen < time - self._idle_ms) | (columns.created < time - self._longest_ms)
        await self._storage.write(statements=[(delete(schema.sessions).where(old), ())])


def _find(connection: Connection, key: str) -> SignedIn | None:
    sessions, accounts = schema.sessions.c, schema.accounts.c
    query = (
        select(
            *SHOWN,
            accounts.moderator,
            sessions.id.label("session"),
            sessions.created.label("began"),
            sessions.seen,
            sessions.proved,
            sessions.address,
            sessions.agent,
        )
        .join(schema.accounts, accounts.id == sessions.account)
        .where(sessions.hash == key, accounts.deleted.is_(None))
    )
    row = connection.execute(query).first()
    if row is None:
        return None
    session = Session(row.session, row.began, row.seen, row.proved, row.address, row.agent)
    return SignedIn(session, account_of(row), row.moderator)
