"""Keys of notices, which all follow from the server's secret: all its processes have them, and backups, too.

They are for push services (VAPID), for the secrets of web hooks, and for links in mails that leave. What was made with
an older secret stays valid as long as that one is known.
"""

import base64
import hashlib
import hmac
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_CURVE = ec.SECP256R1()
_ACCOUNT = 16
"""The length of an account's id."""


def encoded(data: bytes) -> str:
    """Return bytes in base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(written: str) -> bytes:
    """Return the bytes of a text in base64url; ``ValueError`` if it is none."""
    return base64.b64decode(written + "=" * (-len(written) % 4), altchars=b"-_", validate=True)


def point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    """Return a public key as the 65 bytes that push messages carry."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


@dataclass(frozen=True)
class ServerKey:
    """A key pair with which the server shows push services who it is; ``public`` is known to browsers."""

    private: ec.EllipticCurvePrivateKey = field(repr=False)
    public: str


@dataclass(frozen=True)
class _Derived:
    name: str
    push: ServerKey
    hooks: bytes = field(repr=False)
    links: bytes = field(repr=False)


def _derived(secret: bytes) -> _Derived:
    def part(purpose: str) -> bytes:
        return hmac.digest(secret, f"triskele notices {purpose}".encode(), "sha256")

    # Twice as many bits as the curve has: the remainder favours no key.
    number = int.from_bytes(part("push 1") + part("push 2")) % (_CURVE_ORDER - 1) + 1
    private = ec.derive_private_key(number, _CURVE)
    push = ServerKey(private, encoded(point_of(private.public_key())))
    return _Derived(part("name").hex()[:16], push, part("hooks"), part("links"))


_CURVE_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class NoticeKeys:
    """The keys of a server."""

    def __init__(self, secret: bytes, *old: bytes) -> None:
        """Derive them from the server's secret; those of old ones are known, too."""
        self._all = [_derived(each) for each in (secret, *old)]

    @property
    def push(self) -> ServerKey:
        """The key for new push subscriptions."""
        return self._all[0].push

    def push_of(self, public: str) -> ServerKey | None:
        """Return the key pair of a public key, if it is one of ours."""
        return next((each.push for each in self._all if each.push.public == public), None)

    @property
    def name(self) -> str:
        """The name of the key from which secrets of new web hooks follow."""
        return self._all[0].name

    def hook_secret(self, name: str, hook: str) -> str | None:
        """Return the secret of a web hook by the name of the key and its id; ``None`` if the key is not known."""
        found = next((each.hooks for each in self._all if each.name == name), None)
        return None if found is None else encoded(hmac.digest(found, hook.encode(), "sha256"))

    def leave_token(self, account: str) -> str:
        """Return the token with which an account gets no more notices by mail, without signing in."""
        return f"{account}{_signature(self._all[0].links, account)}"

    def account_of(self, token: str) -> str | None:
        """Return the account of such a token; ``None`` if it is not signed by us."""
        account, signature = token[:_ACCOUNT], token[_ACCOUNT:]
        if len(account) != _ACCOUNT or not token.isascii():
            return None
        valid = sum(hmac.compare_digest(_signature(each.links, account), signature) for each in self._all)
        return account if valid else None


def _signature(key: bytes, account: str) -> str:
    return encoded(hmac.digest(key, account.encode(), hashlib.sha256))
