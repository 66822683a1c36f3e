"""Visitors: identified by a signed cookie and nothing else. Nothing about them is stored."""

import base64
import hashlib
import hmac
import secrets
from http.cookies import CookieError, SimpleCookie

COOKIE = "triskele"
DAYS = 400
"""Browsers keep no cookie longer than this."""
_ID_BYTES = 16
_ID_LENGTH = 22


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _signed(key: bytes, visitor: str) -> str:
    return f"{visitor}.{_encoded(hmac.digest(key, visitor.encode(), hashlib.sha256))}"


class Visitors:
    """Signs and checks the values that identify visitors: ``id.signature``."""

    def __init__(self, secret: bytes, *old: bytes) -> None:
        """Sign with a key derived from the server's secret; what an old one has signed is valid, too."""
        self._keys = [hmac.digest(each, b"triskele visitors", "sha256") for each in (secret, *old)]

    def new(self) -> str:
        """Return the id of a new visitor. None begins with ``-``: in a command that would be an option."""
        while (visitor := _encoded(secrets.token_bytes(_ID_BYTES))).startswith("-"):
            pass
        return visitor

    def signed(self, visitor: str) -> str:
        """Return the signed value that identifies a visitor."""
        return _signed(self._keys[0], visitor)

    def read(self, value: str) -> str | None:
        """Return the visitor of a signed value; ``None`` if the signature is not valid."""
        visitor = value[:_ID_LENGTH]
        if len(visitor) != _ID_LENGTH or not value.isascii():
            return None
        # All are compared, so that the time tells nothing about them.
        valid = sum(hmac.compare_digest(_signed(key, visitor), value) for key in self._keys)
        return visitor if valid else None

    def outdated(self, headers: list[tuple[bytes, bytes]]) -> bool:
        """Whether a request's cookie is signed with an old secret, so that the answer should set a new one."""
        if len(self._keys) == 1:
            return False
        value, visitor = self._given(headers)[1], self.of(headers)
        return visitor is not None and value is not None and not hmac.compare_digest(self.signed(visitor), value)

    def of(self, headers: list[tuple[bytes, bytes]]) -> str | None:
        """Return the visitor of a request by its raw headers: by ``Authorization: Bearer`` or by cookie."""
        bearer, cookie = self._given(headers)
        value = cookie if bearer is None else bearer
        return None if value is None else self.read(value)

    @staticmethod
    def _given(headers: list[tuple[bytes, bytes]]) -> tuple[str | None, str | None]:
        """Return the signed value of ``Authorization: Bearer``, and without one that of the cookie."""
        cookie = ""
        for name, value in headers:
            if name == b"authorization" and value[:7].lower() == b"bearer ":
                return value[7:200].decode("latin-1"), None
            if name == b"cookie" and len(value) <= 4096:
                cookie = value.decode("latin-1")
        if not cookie:
            return None, None
        try:
            morsel = SimpleCookie(cookie).get(COOKIE)
        except CookieError:
            return None, None
        return None, None if morsel is None else morsel.value

    def cookie(self, visitor: str | None, secure: bool, path: str = "/") -> str:
        """Return the ``Set-Cookie`` header that makes a browser this visitor, or nobody, at addresses below a path."""
        tail = "; Secure" if secure else ""
        value, seconds = ("", 0) if visitor is None else (self.signed(visitor), DAYS * 86400)
        return f"{COOKIE}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{tail}"
