"""Passkeys (WebAuthn): their options for the browser, and the check of what an authenticator signed.

A challenge is not stored: it goes to the browser inside a signed *state*, and comes back with the answer. It can be
used once, within minutes: what was used is in the table ``spent``.
"""

import base64
import binascii
import hmac
import ipaddress
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from sqlalchemy import Executable, insert
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from triskele.server.accounts.credentials import hashed
from triskele.server.refusal import Refusal
from triskele.server.storage import schema
from triskele.server.storage.database import Rows
from triskele.server.tables.service import now

Purpose = Literal["sign-up", "sign-in", "add", "prove"]
_VALID_MS = 5 * 60_000
_TITLE = "Triskele"


@dataclass(frozen=True)
class Site:
    """Where passkeys are valid: ``origin`` is what the browser signs, its host the domain that they belong to."""

    origin: str

    @property
    def domain(self) -> str:
        """The domain; ``Refusal`` if the address is a number, for which browsers make no passkeys."""
        host = urlsplit(self.origin).hostname or ""
        try:
            ipaddress.ip_address(host)
        except ValueError:
            return host
        raise Refusal("passkey-address")


@dataclass(frozen=True)
class NewPasskey:
    """A passkey that an authenticator has just made; the id and the key in base64url."""

    credential: str
    public_key: str
    sign_count: int


@dataclass(frozen=True)
class Challenge:
    """What a state says: for what, for which account and name, and the statement that spends it."""

    value: bytes
    account: str
    name: str
    spend: tuple[Executable, Rows]


class Passkeys:
    """Makes options and checks answers."""

    def __init__(self, secret: bytes, *old: bytes) -> None:
        """Sign states with a key derived from the server's secret."""
        self._keys = [hmac.digest(each, b"triskele passkeys", "sha256") for each in (secret, *old)]

    def registration(
        self, site: Site, purpose: Purpose, account: str, name: str, known: Sequence[str]
    ) -> tuple[Any, str]:
        """Return the options to make a passkey for an account, and the state that comes back with it."""
        challenge = secrets.token_bytes(32)
        options = generate_registration_options(
            rp_id=site.domain,
            rp_name=_TITLE,
            user_id=account.encode(),
            user_name=name,
            challenge=challenge,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(base64url_to_bytes(each)) for each in known],
        )
        return json.loads(options_to_json(options)), self._state(purpose, challenge, account, name)

    def authentication(self, site: Site, purpose: Purpose, known: Sequence[str] = ()) -> tuple[Any, str]:
        """Return the options to use a passkey: any of this site, or one of those known."""
        challenge = secrets.token_bytes(32)
        options = generate_authentication_options(
            rp_id=site.domain,
            challenge=challenge,
            allow_credentials=[PublicKeyCredentialDescriptor(base64url_to_bytes(each)) for each in known],
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return json.loads(options_to_json(options)), self._state(purpose, challenge, "", "")

    def check_new(self, site: Site, challenge: Challenge, credential: dict[str, Any]) -> NewPasskey:
        """Return the passkey that a browser has made; ``Refusal`` if it is not one for this site and challenge."""
        try:
            verified = verify_registration_response(
                credential=credential,
                expected_challenge=challenge.value,
                expected_rp_id=site.domain,
                expected_origin=site.origin,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError, KeyError, TypeError):
            raise Refusal("passkey") from None
        kept = bytes_to_base64url(verified.credential_id)
        if len(kept) > 1400:
            raise Refusal("passkey")
        return NewPasskey(kept, bytes_to_base64url(verified.credential_public_key), verified.sign_count)

    def check_used(
        self, site: Site, challenge: Challenge, credential: dict[str, Any], public_key: str, count: int
    ) -> int:
        """Return how often the authenticator has signed; ``Refusal`` if the signature is not valid."""
        try:
            verified = verify_authentication_response(
                credential=credential,
                expected_challenge=challenge.value,
                expected_rp_id=site.domain,
                expected_origin=site.origin,
                credential_public_key=base64url_to_bytes(public_key),
                credential_current_sign_count=count,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError, KeyError, TypeError):
            raise Refusal("passkey") from None
        return verified.new_sign_count

    # --- states -----------------------------------------------------------------------------------

    def _state(self, purpose: Purpose, challenge: bytes, account: str, name: str) -> str:
        said = json.dumps([purpose, bytes_to_base64url(challenge), account, name, now() + _VALID_MS])
        packed = base64.urlsafe_b64encode(said.encode()).decode()
        return f"{packed}.{_signature(self._keys[0], packed)}"

    def challenge(self, purpose: Purpose, state: str) -> Challenge:
        """Return what a state says; ``Refusal`` if it was not made here for this purpose, or is too old."""
        packed, _, signature = state.partition(".")
        written = signature.encode(errors="replace")
        if not sum(
            hmac.compare_digest(_signature(key, packed.encode(errors="replace").decode()).encode(), written)
            for key in self._keys
        ):
            raise Refusal("passkey")
        try:
            said, challenge, account, name, until = json.loads(base64.urlsafe_b64decode(packed))
        except (binascii.Error, ValueError, TypeError):
            raise Refusal("passkey") from None
        if said != purpose or now() > until:
            raise Refusal("passkey-late")
        spend = (insert(schema.spent), [{"hash": hashed(challenge), "expires": until}])
        return Challenge(base64url_to_bytes(challenge), account, name, spend)


def credential_id(credential: dict[str, Any]) -> str:
    """Return the id of the passkey in a browser's answer; ``Refusal`` if it names none."""
    named = credential.get("id")
    if not isinstance(named, str) or not named or len(named) > 1400:
        raise Refusal("passkey")
    return named.rstrip("=")


def _signature(key: bytes, packed: str) -> str:
    return hmac.digest(key, packed.encode(errors="replace"), "sha256").hex()
