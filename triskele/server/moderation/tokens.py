"""Tokens of hosts: who knows the server's secret can sign one, which is valid for a minute. None is stored."""

import base64
import binascii
import hmac
import json
import time

SECONDS = 60
"""How long a token is valid; clocks of two machines may differ by as much."""
_PREFIX = "host."
ACTOR_LIMIT = 100


class HostTokens:
    """Signs and checks the tokens with which the command ``triskele admin`` says who acts."""

    def __init__(self, secret: bytes, *old: bytes) -> None:
        """Sign with a key derived from the server's secret; one of an old secret is valid, too."""
        self._keys = [hmac.digest(each, b"triskele host", "sha256") for each in (secret, *old)]

    def sign(self, actor: str) -> str:
        """Return a token for somebody who acts as the host, valid from now."""
        said = base64.urlsafe_b64encode(json.dumps([actor[:ACTOR_LIMIT], int(time.time()) + SECONDS]).encode()).decode()
        return f"{_PREFIX}{said}.{_signature(self._keys[0], said)}"

    def actor(self, token: str) -> str | None:
        """Return who acts by a token; ``None`` if it is not valid (any more)."""
        said, _, signature = token.removeprefix(_PREFIX).partition(".")
        if not token.startswith(_PREFIX) or not token.isascii():
            return None
        if not sum(hmac.compare_digest(_signature(key, said), signature) for key in self._keys):
            return None
        try:
            actor, until = json.loads(base64.urlsafe_b64decode(said))
        except (binascii.Error, ValueError, TypeError):
            return None
        valid = isinstance(actor, str) and isinstance(until, int) and time.time() < until < time.time() + 2 * SECONDS
        return actor if valid else None


def _signature(key: bytes, said: str) -> str:
    return hmac.digest(key, said.encode(), "sha256").hex()
