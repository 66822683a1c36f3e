"""Web Push: messages to browsers, encrypted for them (RFC 8291, aes128gcm) and signed as ours (VAPID, RFC 8292)."""

import os
import time
from urllib.parse import urlsplit

import orjson
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from triskele.server.notices.keys import ServerKey, decoded, encoded, point_of

LONGEST = 3000
"""Bytes of a message: push services take 4096 with what encryption adds."""
_RECORD = 4096
_VALID_SECONDS = 12 * 3600
_AUTH_BYTES = 16


def are_keys(p256dh: str, auth: str) -> bool:
    """Whether these are keys for which a message can be encrypted."""
    try:
        _point(decoded(p256dh))
        return len(decoded(auth)) == _AUTH_BYTES
    except ValueError:
        return False


def _point(written: bytes) -> ec.EllipticCurvePublicKey:
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), written)
    except UnsupportedAlgorithm:
        raise ValueError("not a point of the curve") from None


def encrypted(
    payload: bytes,
    p256dh: str,
    auth: str,
    salt: bytes | None = None,
    sender: ec.EllipticCurvePrivateKey | None = None,
) -> bytes:
    """Return a message as only the browser with these keys can read it; ``salt`` and ``sender`` are new ones."""
    salt = salt or os.urandom(16)
    sender = sender or ec.generate_private_key(ec.SECP256R1())
    receiver = decoded(p256dh)
    own = point_of(sender.public_key())
    shared = sender.exchange(ec.ECDH(), _point(receiver))
    key = _expanded(decoded(auth), shared, b"WebPush: info\0" + receiver + own, 32)
    content_key = _expanded(salt, key, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _expanded(salt, key, b"Content-Encoding: nonce\0", 12)
    head = salt + _RECORD.to_bytes(4) + bytes([len(own)]) + own
    return head + AESGCM(content_key).encrypt(nonce, payload + b"\x02", None)


def _expanded(salt: bytes, key: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(key)


def authorization(endpoint: str, key: ServerKey, contact: str | None) -> str:
    """Return the header that shows a push service who sends, for the origin of ``endpoint``."""
    parts = urlsplit(endpoint)
    claims: dict[str, object] = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + _VALID_SECONDS,
    }
    if contact is not None:
        claims["sub"] = contact
    signed = ".".join(encoded(orjson.dumps(each)) for each in ({"typ": "JWT", "alg": "ES256"}, claims))
    one, other = decode_dss_signature(key.private.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    return f"vapid t={signed}.{encoded(one.to_bytes(32) + other.to_bytes(32))}, k={key.public}"
