"""Throttling of what could be guessed or flooded: signing in, signing up, mails, reports."""

from triskele.server.addresses import address_key
from triskele.server.rate_limits import RateLimiter
from triskele.server.refusal import Refusal
from triskele.server.settings import Limits


class Throttle:
    """Limits tries for each name and address. It never asks whether a name exists, so it tells nothing about that.

    Tries to sign in are limited for a name from one address; for a name from all addresses together with more
    patience, so that nobody can lock somebody else out for long; and for an address with all names.
    """

    def __init__(self, limits: Limits) -> None:
        """Limit by the settings of the server."""
        self._tries = RateLimiter(limits.sign_ins_per_hour / 3600, limits.sign_ins_burst)
        self._tries_of_name = RateLimiter(10 * limits.sign_ins_per_hour / 3600, 10 * limits.sign_ins_burst)
        self._tries_of_address = RateLimiter(5 * limits.sign_ins_per_hour / 3600, 5 * limits.sign_ins_burst)
        self._sign_ups = RateLimiter(limits.sign_ups_per_hour / 3600, limits.sign_ups_per_hour)
        self._mails = RateLimiter(limits.mails_per_hour / 3600, limits.mails_per_hour)
        self._reports = RateLimiter(limits.reports_per_hour / 3600, limits.reports_per_hour)
        self.limiters = (
            self._tries,
            self._tries_of_name,
            self._tries_of_address,
            self._sign_ups,
            self._mails,
            self._reports,
        )

    def sign_in(self, name: str, address: str) -> None:
        """Count a try to sign in with a password; ``Refusal`` after too many."""
        key = address_key(address)
        fits = self._tries.take(f"{name} {key}") and self._tries_of_name.take(name)
        if not fits or (key is not None and not self._tries_of_address.take(key)):
            raise Refusal("sign-in-limit")

    def sign_up(self, address: str) -> None:
        """Count an account that is to be made; ``Refusal`` after too many of an address."""
        key = address_key(address)
        if key is not None and not self._sign_ups.take(key):
            raise Refusal("limit")

    def mail(self, key: str) -> bool:
        """Count a mail to an address, or asked for by one; ``False`` after too many."""
        return self._mails.take(key)

    def report(self, visitor: str) -> None:
        """Count a report; ``Refusal`` after too many of a visitor."""
        if not self._reports.take(visitor):
            raise Refusal("limit")
