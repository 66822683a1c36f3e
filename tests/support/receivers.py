"""Receivers of notices on loopback: a push service and a web hook that keep what they get, and a mail server."""

import contextlib
import email
import email.policy
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from triskele.server.notices.keys import decoded, encoded, point_of

PATIENCE = 60.0


def until(holds: Callable[[], Any], what: str = "something") -> Any:
    """Return what is true at last."""
    deadline = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.02)
    return found


class Web:
    """A web server that keeps what is posted to it, and answers as it is told; ``hang`` lets it say nothing at all."""

    def __init__(self) -> None:
        self.posted: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: list[int] = []
        """The statuses of the next answers; 201 after them."""
        self.headers: dict[str, str] = {}
        self.hang = threading.Event()
        self.hang.set()
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                web.posted.append((self.path, dict(self.headers), body))
                web.hang.wait(PATIENCE)
                with contextlib.suppress(OSError):
                    self.send_response(web.answers.pop(0) if web.answers else 201)
                    for name, value in web.headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", "0")
                    self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.hang.set()
        self._server.shutdown()
        self._server.server_close()

    def at(self, path: str) -> list[tuple[dict[str, str], bytes]]:
        """Return what was posted to a path."""
        return [(headers, body) for place, headers, body in list(self.posted) if place == path]


class PushBrowser:
    """A browser's side of Web Push: its keys, its subscription, and how it reads a message (RFC 8291)."""

    def __init__(self, web: Web, name: str) -> None:
        self.web, self.path = web, f"/push/{name}"
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.public = point_of(self.private.public_key())
        self.auth = os.urandom(16)

    def subscription(self, server_key: str) -> dict[str, Any]:
        """Return what the page tells the server."""
        keys = {"p256dh": encoded(self.public), "auth": encoded(self.auth)}
        return {"endpoint": self.web.url + self.path, "keys": keys, "server_key": server_key}

    def messages(self) -> list[dict[str, Any]]:
        """Return the messages that came, decrypted; each is checked to be signed by the server."""
        return [self._read(headers, body) for headers, body in self.web.at(self.path)]

    def _read(self, headers: dict[str, str], body: bytes) -> dict[str, Any]:
        assert headers["Content-Encoding"] == "aes128gcm"
        self._check(headers["Authorization"])
        salt, size = body[:16], body[20]
        sender, secret = body[21 : 21 + size], body[21 + size :]
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.private.exchange(ec.ECDH(), point)
        key = _expanded(self.auth, shared, b"WebPush: info\0" + self.public + sender, 32)
        content_key = _expanded(salt, key, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _expanded(salt, key, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(content_key).decrypt(nonce, secret, None)
        assert plain[-1:] == b"\x02"
        message: dict[str, Any] = json.loads(plain[:-1])
        return message

    def _check(self, authorization: str) -> None:
        """Check the token as a push service does (RFC 8292)."""
        token, key = (part.split("=", 1)[1] for part in authorization.removeprefix("vapid ").split(", "))
        signed, _, signature = token.rpartition(".")
        raw = decoded(signature)
        der = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(key))
        public.verify(der, signed.encode(), ec.ECDSA(hashes.SHA256()))
        claims = json.loads(decoded(signed.split(".")[1]))
        assert claims["aud"] == self.web.url
        assert time.time() < claims["exp"] <= time.time() + 24 * 3600


def _expanded(salt: bytes, key: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(key)


class PostOffice:
    """Keeps the mails that it gets; ``hang`` lets it take as long as one likes."""

    def __init__(self) -> None:
        self.mails: list[Any] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        self.mails.append((envelope.rcpt_tos[0], mail))
        return "250 OK"

    def about(self, subject: str) -> list[Any]:
        """Return the mails whose subject contains some words."""
        return [mail for _, mail in list(self.mails) if subject in mail["Subject"]]


@contextlib.contextmanager
def post_office() -> Iterator[tuple[PostOffice, int]]:
    """Run a mail server; return it and its port."""
    kept = PostOffice()
    with contextlib.closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    controller = Controller(kept, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield kept, port
    finally:
        controller.stop()
