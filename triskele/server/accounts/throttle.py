"""Throttling of what could be guessed or flooded: signing in, signing up, mails, reports.

All server processes count together: each tells the others over the bus what it has counted. What several of them let
through at the same moment is owed afterwards, so nobody gets more tries in the long run by asking at several.
"""

from collections.abc import Iterable, Sequence

from triskele.server.accounts.credentials import hashed
from triskele.server.addresses import address_key
from triskele.server.bus import Bus
from triskele.server.rate_limits import RateLimiter, RefusalLog
from triskele.server.refusal import Refusal
from triskele.server.settings import Limits

_TRY, _TRY_OF_NAME, _TRY_OF_ADDRESS = "try", "try-of-name", "try-of-address"
_SIGN_UP, _MAIL, _REPORT = "sign-up", "mail", "report"
_LOGGED = {_SIGN_UP: "sign-ups of an address", _MAIL: "mails to or for an address", _REPORT: "reports of a visitor"}


class Throttle:
    """Limits tries for each name and address. It never asks whether a name exists, so it tells nothing about that.

    Tries to sign in are limited for a name from one address; for a name from all addresses together with more
    patience, so that nobody can lock somebody else out for long; and for an address with all names.
    """

    def __init__(self, limits: Limits, bus: Bus) -> None:
        """Limit by the settings of the server, together with the processes on the bus."""
        self._bus = bus
        self._refusals = RefusalLog()
        tries, burst = limits.sign_ins_per_hour / 3600, limits.sign_ins_burst
        self._limiters = {
            _TRY: RateLimiter(tries, burst),
            _TRY_OF_NAME: RateLimiter(10 * tries, 10 * burst),
            _TRY_OF_ADDRESS: RateLimiter(5 * tries, 5 * burst),
            _SIGN_UP: RateLimiter(limits.sign_ups_per_hour / 3600, limits.sign_ups_per_hour),
            _MAIL: RateLimiter(limits.mails_per_hour / 3600, limits.mails_per_hour),
            _REPORT: RateLimiter(limits.reports_per_hour / 3600, limits.reports_per_hour),
        }

    @property
    def limiters(self) -> Iterable[RateLimiter]:
        """All limiters, for upkeep."""
        return self._limiters.values()

    def sign_in(self, name: str, address: str) -> None:
        """Count a try to sign in with a password; ``Refusal`` after too many."""
        key = address_key(address)
        by_address = [] if key is None else [(_TRY_OF_ADDRESS, key)]
        if not self._take((_TRY, f"{name} {key}"), (_TRY_OF_NAME, name), *by_address):
            raise Refusal("sign-in-limit")

    def sign_up(self, address: str) -> None:
        """Count an account that is to be made; ``Refusal`` after too many of an address."""
        key = address_key(address)
        if key is not None and not self._take((_SIGN_UP, key)):
            raise Refusal("limit")

    def mail(self, key: str) -> bool:
        """Count a mail to an address, or asked for by one; ``False`` after too many."""
        return self._take((_MAIL, key))

    def report(self, visitor: str) -> None:
        """Count a report; ``Refusal`` after too many of a visitor."""
        if not self._take((_REPORT, visitor)):
            raise Refusal("limit")

    def heard(self, counted: Iterable[Sequence[str]]) -> None:
        """Count what another process has counted."""
        for kind, key in counted:
            self._limiters[kind].charge(key)

    def _take(self, *wanted: tuple[str, str]) -> bool:
        """Count something by each of its limiters; ``False`` at the first that allows no more."""
        counted: list[tuple[str, str]] = []
        for kind, key in wanted:
            digest = hashed(key)  # who mistypes may have written a password where the name belongs
            if not self._limiters[kind].take(digest):
                self._refusals.note(_LOGGED.get(kind, "tries to sign in"))
                break
            counted.append((kind, digest))
        if counted:
            self._bus.publish("", throttled=counted)
        return len(counted) == len(wanted)
