"""Keys: the secret parts of links. They are derived from the server's secret, so none is stored."""

import base64
import hmac

_LENGTH = 22


class Keys:
    """Derives the keys of tables."""

    def __init__(self, secret: bytes, *old: bytes) -> None:
        """Derive all keys from the server's secret; those that were derived from an old one are accepted."""
        self._keys = [hmac.digest(each, b"triskele keys", "sha256") for each in (secret, *old)]

    def invitation(self, table: str, seat: int, freed: int = 0) -> str:
        """Return the key that takes a free seat; another one each time that the seat was freed."""
        return _derived(self._keys[0], "invitation", table, *_occasion(seat, freed))

    def own(self, table: str, seat: int, visitor: str) -> str:
        """Return the key with which the holder of a seat comes back from another device."""
        return _derived(self._keys[0], "own", table, str(seat), visitor)

    def watch(self, table: str) -> str:
        """Return the key of the spectators' link."""
        return _derived(self._keys[0], "watch", table)

    def is_invitation(self, given: str, table: str, seat: int, freed: int = 0) -> bool:
        """Whether a key takes a free seat, which was freed some times."""
        return self._matches(given, "invitation", table, *_occasion(seat, freed))

    def is_own(self, given: str, table: str, seat: int, visitor: str) -> bool:
        """Whether a key is that of the holder of a seat."""
        return self._matches(given, "own", table, str(seat), visitor)

    def is_watch(self, given: str, table: str) -> bool:
        """Whether a key is that of the spectators' link."""
        return self._matches(given, "watch", table)

    def _matches(self, given: str, *parts: str) -> bool:
        """Compare a key with those of all secrets, in a time that tells nothing about them."""
        written = given.encode(errors="replace")
        return sum(hmac.compare_digest(written, _derived(key, *parts).encode()) for key in self._keys) > 0


def _occasion(seat: int, freed: int) -> tuple[str, ...]:
    return (str(seat), str(freed)) if freed else (str(seat),)


def _derived(key: bytes, *parts: str) -> str:
    digest = hmac.digest(key, "\n".join(parts).encode(), "sha256")
    return base64.urlsafe_b64encode(digest)[:_LENGTH].decode()
