"""Identity: who sends a request. A session's cookie, a token, or a guest's signed value stands for a visitor."""

from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie

from triskele.server.accounts.directory import Account, AccountDirectory
from triskele.server.accounts.sessions import Session, Sessions
from triskele.server.accounts.tokens import PREFIX, Tokens
from triskele.server.refusal import Refusal
from triskele.server.settings import Settings
from triskele.server.tables.visitors import Visitors

Headers = list[tuple[bytes, bytes]]
_COOKIES_BYTES = 4096
_BEARER_BYTES = 200


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sends a request: a guest, somebody who is signed in, or a program with a token.

    ``scopes`` is ``None`` for who may do everything; ``outdated`` says that the guest's cookie is to be signed anew.
    """

    visitor: str | None = None
    account: Account | None = None
    session: Session | None = None
    token: str | None = None
    scopes: frozenset[str] | None = None
    moderator: bool = False
    outdated: bool = False

    @property
    def session_id(self) -> str | None:
        """The id of the session, if there is one."""
        return None if self.session is None else self.session.id

    def check_scope(self, scope: str) -> None:
        """Refuse a program whose token is not for this."""
        if self.scopes is not None and scope not in self.scopes:
            raise Refusal("scope")


NOBODY = Caller()


class Cookies:
    """The cookie of sessions: its name, and the header that sets it."""

    def __init__(self, settings: Settings) -> None:
        """Use a name that browsers accept over HTTPS from this very host alone, where the server is reached so."""
        site = settings.prefix.strip("/").replace("/", "-")
        tail = f"-{site}" if site else ""
        self._secure_name = f"__Host-triskele-session{tail}"
        self._plain_name = f"triskele-session{tail}"
        self._only_secure = settings.secure
        self._plain_path = f"{settings.prefix}/"

    @property
    def names(self) -> tuple[str, ...]:
        """The names under which a session is accepted, the better one first."""
        return (self._secure_name,) if self._only_secure else (self._secure_name, self._plain_name)

    def header(self, value: str, secure: bool, seconds: int) -> str:
        """Return the ``Set-Cookie`` header; an empty value ends it."""
        age = seconds if value else 0
        common = f"Max-Age={age}; HttpOnly; SameSite=Lax"
        if secure:  # __Host-: Secure, the path /, no domain, or a browser refuses it
            return f"{self._secure_name}={value}; Path=/; {common}; Secure"
        return f"{self._plain_name}={value}; Path={self._plain_path}; {common}"


class Identity:
    """Finds out who sends a request, by its raw headers."""

    def __init__(
        self, visitors: Visitors, directory: AccountDirectory, sessions: Sessions, tokens: Tokens, cookies: Cookies
    ) -> None:
        """Ask ``sessions`` and ``tokens`` for what is not signed, ``directory`` whether a guest still is one."""
        self._visitors = visitors
        self._directory = directory
        self._sessions = sessions
        self._tokens = tokens
        self._cookies = cookies

    async def of(self, headers: Headers) -> Caller:
        """Return who sends a request; ``StorageFailed`` if the database does not tell."""
        bearer = _bearer(headers)
        if bearer is not None:
            return await (self._by_token(bearer) if bearer.startswith(PREFIX) else self._guest(headers))
        secret = self._session_value(headers)
        if secret is not None:
            found = await self._sessions.find(secret)
            if found is not None:
                return Caller(found.account.visitor, found.account, found.session, moderator=found.moderator)
        return await self._guest(headers)

    async def _by_token(self, value: str) -> Caller:
        found = await self._tokens.find(value)
        if found is None:
            raise Refusal("token")
        return Caller(found.account.visitor, found.account, token=found.id, scopes=found.scopes)

    async def _guest(self, headers: Headers) -> Caller:
        """Return a guest. The cookie of a guest who has made an account since does not stand for the account."""
        visitor = self._visitors.of(headers)
        if visitor is None or await self._directory.claimed(visitor):
            return NOBODY
        return Caller(visitor, outdated=self._visitors.outdated(headers))

    def _session_value(self, headers: Headers) -> str | None:
        for name, value in headers:
            if name == b"cookie" and len(value) <= _COOKIES_BYTES:
                try:
                    given = SimpleCookie(value.decode("latin-1"))
                except CookieError:
                    return None
                found = next((given[each].value for each in self._cookies.names if each in given), None)
                if found:
                    return found
        return None


def _bearer(headers: Headers) -> str | None:
    for name, value in headers:
        if name == b"authorization" and value[:7].lower() == b"bearer ":
            return value[7:_BEARER_BYTES].decode("latin-1").strip()
    return None
