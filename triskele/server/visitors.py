"""Visitors: who somebody is, told by a signed cookie and nothing else. Nothing about them is stored."""

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


class Visitors:
    """Makes and checks the signed values that visitors carry: ``id.signature``."""

    def __init__(self, secret: bytes) -> None:
        """Sign with a key derived from the server's secret."""
        self._key = hmac.digest(secret, b"triskele visitors", "sha256")

    def new(self) -> str:
        """Return the id of a visitor who was never here."""
        return _encoded(secrets.token_bytes(_ID_BYTES))

    def signed(self, visitor: str) -> str:
        """Return the value that proves to be this visitor."""
        return f"{visitor}.{_encoded(hmac.digest(self._key, visitor.encode(), hashlib.sha256))}"

    def read(self, value: str) -> str | None:
        """Return the visitor whose signed value this is, ``None`` for any other text."""
        visitor = value[:_ID_LENGTH]
        if len(visitor) != _ID_LENGTH or not value.isascii() or not hmac.compare_digest(self.signed(visitor), value):
            return None
        return visitor

    def of(self, headers: list[tuple[bytes, bytes]]) -> str | None:
        """Return the visitor of a request by its raw headers: by ``Authorization: Bearer`` or by cookie."""
        cookie = ""
        for name, value in headers:
            if name == b"authorization" and value[:7].lower() == b"bearer ":
                return self.read(value[7:200].decode("latin-1"))
            if name == b"cookie" and len(value) <= 4096:
                cookie = value.decode("latin-1")
        if not cookie:
            return None
        try:
            morsel = SimpleCookie(cookie).get(COOKIE)
        except CookieError:
            return None
        return None if morsel is None else self.read(morsel.value)

    def cookie(self, visitor: str, secure: bool) -> str:
        """Return the ``Set-Cookie`` header that makes a browser this visitor."""
        tail = "; Secure" if secure else ""
        return f"{COOKIE}={self.signed(visitor)}; Path=/; Max-Age={DAYS * 86400}; HttpOnly; SameSite=Lax{tail}"
