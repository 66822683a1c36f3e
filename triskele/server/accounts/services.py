"""The services of accounts, made together, started and stopped together."""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from triskele.server.accounts import mail_links
from triskele.server.accounts.aversions import Aversions
from triskele.server.accounts.deletion import Deletion
from triskele.server.accounts.directory import Account, AccountDirectory
from triskele.server.accounts.identity import Cookies, Identity
from triskele.server.accounts.letters import Letters
from triskele.server.accounts.passkeys import Passkeys, Site
from triskele.server.accounts.passwords import Passwords
from triskele.server.accounts.recovery import Recovery
from triskele.server.accounts.registration import Registration
from triskele.server.accounts.sessions import Sessions
from triskele.server.accounts.sign_in import SignIn
from triskele.server.accounts.throttle import Throttle
from triskele.server.accounts.tokens import Tokens
from triskele.server.accounts.upkeep import Upkeep
from triskele.server.mail import Mailer
from triskele.server.rate_limits import RateLimiter
from triskele.server.settings import Settings
from triskele.server.tables.service import TableService
from triskele.server.tables.table import HERE, LINK, Seat, Table
from triskele.server.tables.visitors import Visitors

_GUEST = " (guest)"
"""What follows the name of a guest in a record, which is in no language."""


class AccountServices:
    """All that has to do with accounts in one server process."""

    def __init__(self, settings: Settings, tables: TableService, visitors: Visitors) -> None:
        """Keep accounts in the database of ``tables``."""
        assert settings.secret is not None
        storage, bus, limits = tables.storage, tables.bus, settings.limits
        self._tables = tables
        self._bus = bus
        self.directory = AccountDirectory(storage)
        self.sessions = Sessions(storage, bus, limits.session_days, limits.session_days_in_all)
        self.tokens = Tokens(storage, bus)
        self.cookies = Cookies(settings)
        self.identity = Identity(visitors, self.directory, self.sessions, self.tokens, self.cookies)
        self.throttle = Throttle(limits, bus)
        self.exports = RateLimiter(limits.exports_per_hour / 3600, limits.exports_per_hour)
        self.passwords = Passwords(waiting=limits.passwords_waiting)
        self.passkeys = Passkeys(settings.secret, *settings.old_secrets)
        self.mailer = Mailer(settings.mail, limits.mail_seconds, limits.mails_waiting)
        self.letters = Letters(storage, self.mailer, self.throttle, settings.public_url or "")
        self.registration = Registration(
            settings,
            storage,
            visitors,
            self.directory,
            self.passwords,
            self.passkeys,
            self.sessions,
            self.throttle,
        )
        self.sign_in = SignIn(storage, self.passwords, self.passkeys, self.sessions, self.throttle)
        self.upkeep = Upkeep(storage, self.passwords, self.passkeys, self.sessions, self.letters)
        self.recovery = Recovery(storage, self.letters, self.upkeep, self.throttle)
        self.deletion = Deletion(tables, self.directory, self.sessions, self.tokens, self.letters)
        self.aversions = Aversions(storage, bus)
        self.claimed_listeners: list[Callable[[Collection[str]], None]] = []
        """Called with visitors who are accounts now, and were guests."""

    async def start(self) -> None:
        """Start: read the mutes and blocks, begin to send mails."""
        await self.aversions.load()
        self.mailer.start()

    def stop(self) -> None:
        """Stop the threads."""
        self.mailer.stop()
        self.passwords.stop()

    async def delete_old(self) -> None:
        """Delete sessions and links that have ended by themselves."""
        await self.sessions.delete_old()
        await self._tables.storage.write(statements=mail_links.deleting_old())

    # --- other processes --------------------------------------------------------------------------

    async def claimed(self, visitor: str) -> None:
        """Take note that a guest has become an account, and tell other processes."""
        await self._relearn([visitor])
        self._bus.publish("", claimed=[visitor])

    async def _relearn(self, visitors: Iterable[str]) -> None:
        changed = list(visitors)
        for visitor in changed:
            self.directory.forget(visitor)
        await self.directory.of_visitors(changed)
        for listener in self.claimed_listeners:
            listener(changed)

    async def heard(self, message: dict[str, Any]) -> None:
        """Act on a message of another process; ``{"table": None}`` says that some may have been lost."""
        if message["table"] is None:
            self.sessions.forget_all()
            self.tokens.forget_all()
            self.directory.forget_all()
            await self.aversions.load()
        if "sessions" in message:
            self.sessions.heard(message["sessions"])
        if "renewed_sessions" in message:
            self.sessions.forget(message["renewed_sessions"])
        if "tokens" in message:
            self.tokens.revoked(message["tokens"], told=True)
        if "claimed" in message:
            await self._relearn(message["claimed"])
        if "deleted_accounts" in message:
            await self.deletion.heard(message["deleted_accounts"])
        if "throttled" in message:
            self.throttle.heard(message["throttled"])
        if "aversions" in message:
            await self.aversions.load()

    # --- what tables show of people -----------------------------------------------------------------

    async def know(self, table: Table) -> None:
        """Look up the accounts of those who sit or have written at a table, to be shown without waiting."""
        seated = {visitor for seat in table.seats for visitor in seat.holders}
        await self.directory.of_visitors(seated.union(line.writer for line in table.chat if line.writer is not None))

    def account(self, visitors: Iterable[str]) -> Account | None:
        """Return the account of the first of some visitors who has one."""
        return next((found for each in visitors if (found := self.directory.known(each)) is not None), None)

    def deleted(self, visitors: Iterable[str]) -> bool:
        """Whether one of some visitors was an account that is deleted."""
        return any(self.directory.known_deleted(each) for each in visitors)

    def record_names(self, table: Table) -> list[str]:
        """Return what a record calls the seats: accounts by their names, guests as such where others came by a link."""
        marked = any(seat.kind == LINK for seat in table.seats)
        return [self._record_name(seat, marked) for seat in table.seats]

    def _record_name(self, seat: Seat, marked: bool) -> str:
        account = self.account(seat.holders) if seat.person and seat.kind != HERE else None
        if account is not None:
            return account.name
        return f"{seat.name}{_GUEST}" if marked and seat.person and seat.name else seat.name or "?"

    def muted(self, visitor: str | None, writers: Iterable[str]) -> bool:
        """Whether a visitor does not read what some others write."""
        return any(self.aversions.mutes(visitor, each) for each in writers)


def site_of(settings: Settings, scheme: str, host: str) -> Site:
    """Return where passkeys are valid: the address that the host has set, or else that of the request."""
    if settings.public_url is not None:
        scheme, _, rest = settings.public_url.partition("://")
        return Site(f"{scheme}://{rest.partition('/')[0]}")
    return Site(f"{scheme}://{host}")
