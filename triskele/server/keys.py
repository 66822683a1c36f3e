"""Keys: the secret parts of links. They follow from the server's secret, so none is stored anywhere."""

import base64
import hmac

_LENGTH = 22


class Keys:
    """Makes the keys of tables, and tells what a key opens."""

    def __init__(self, secret: bytes) -> None:
        """Derive all keys from the server's secret."""
        self._key = hmac.digest(secret, b"triskele keys", "sha256")

    def _made(self, *parts: str) -> str:
        digest = hmac.digest(self._key, "\n".join(parts).encode(), "sha256")
        return base64.urlsafe_b64encode(digest)[:_LENGTH].decode()

    def invitation(self, table: str, seat: int) -> str:
        """Return the key that takes a seat while it is free."""
        return self._made("invitation", table, str(seat))

    def own(self, table: str, seat: int, visitor: str) -> str:
        """Return the key with which the holder of a seat comes back from another device."""
        return self._made("own", table, str(seat), visitor)

    def watch(self, table: str) -> str:
        """Return the key of the spectators' link."""
        return self._made("watch", table)


def same_key(given: str, key: str) -> bool:
    """Compare keys in a time that tells nothing."""
    return hmac.compare_digest(given.encode(), key.encode())
