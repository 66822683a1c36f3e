"""Secret values that people or programs hold: made here, and kept only as their hash."""

import hashlib
import secrets

_ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_SECRET_BYTES = 32


def new_id() -> str:
    """Return a new id of 16 letters and digits."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(16))


def new_secret() -> str:
    """Return a new secret value of 256 random bits."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def hashed(secret: str) -> str:
    """Return what is kept of a secret value.

    It has 256 random bits, so that nobody finds it by trying: a fast hash is enough, and the database can look it up.
    """
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()
