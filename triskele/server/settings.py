"""The settings of a server."""

import math
import os
import secrets
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import urlsplit

from triskele.core.errors import TriskeleError
from triskele.core.folders import data_folder
from triskele.core.words import text
from triskele.server.logs import Format, Level
from triskele.server.mail import MailServer

DATABASE, SECRET, OLD_SECRETS = "tables.sqlite3", "secret", "old-secrets"
"""Names of files in the data folder."""
NUMBER_LIMIT = 10**12
"""No limit is larger."""
SECRET_BYTES = 32
Policy = Literal["open", "invitation", "closed"]
POLICIES: tuple[Policy, ...] = get_args(Policy)
"""Who can make an account."""


def number_within(written: str, low: float, high: float, *, whole: bool = False) -> float | None:
    """Return the number that a text says if it is between two others (and whole, if it must be), else ``None``."""
    try:
        found = int(written) if whole and len(written) < 20 else math.nan if whole else float(written)
    except ValueError:
        return None
    return found if low <= found <= high else None


def read_secrets(written: str) -> tuple[bytes, ...]:
    """Return the secrets in ``NEW,OLD,…``, each hexadecimal; ``TriskeleError`` says what is wrong with one."""
    try:
        found = tuple(bytes.fromhex(part) for part in written.split(","))
    except ValueError:
        raise TriskeleError(text("server.bad-secret")) from None
    if any(len(secret) < SECRET_BYTES for secret in found):
        raise TriskeleError(text("server.short-secret"))
    return found


@dataclass(frozen=True)
class Limits:
    """What a visitor, a connection or an address may use. Times are in seconds, sizes in bytes.

    The table in ``docs/settings.md`` is made from this list.

    ``message_bytes``      a live message
    ``messages_per_second`` live messages of a connection, in the long run
    ``messages_burst``     live messages of a connection at once
    ``refusals_before_close`` messages over the limit after which a connection is closed
    ``frames_per_second``  WebSocket frames of a connection beside its messages: fragments, pings and pongs
    ``frames_burst``       such frames at once
    ``received_bytes_per_second`` bytes that a live connection sends, in the long run
    ``received_bytes_burst`` such bytes at once
    ``tables_per_hour``    tables that a visitor opens
    ``visitors_per_hour``  new visitors of an address
    ``requests_per_second`` HTTP requests of a visitor, in the long run
    ``requests_burst``     HTTP requests of a visitor at once
    ``address_requests_per_second`` HTTP requests of an address, in the long run
    ``address_requests_burst`` HTTP requests of an address at once
    ``address_tables_per_hour`` tables that the visitors of an address open
    ``connections_per_visitor`` live connections of a visitor
    ``connections_per_address`` connections of an address
    ``tables_per_connection`` tables that a live connection follows
    ``seeks_per_visitor``  open seeks of a visitor in the lobby
    ``seeks_per_address``  open seeks of the visitors of an address
    ``seeks_per_hour``     seeks that a visitor makes
    ``lobby_seeks``        open seeks of all visitors of a process
    ``lobby_people_shown`` people whom the lobby lists; all are counted
    ``lobby_seeks_shown``  seeks that the lobby lists
    ``lobby_games_shown``  games to watch that the lobby lists
    ``lobby_grace_seconds`` how long after leaving the lobby a visitor's seeks stay
    ``head_seconds``       until the head of a request is there
    ``body_seconds``       until the body of a request is there, in total
    ``answer_seconds``     until an answer is read, in total
    ``ping_seconds``       between pings, and until a ping is answered
    ``body_bytes``         the body of a request
    ``record_bytes``       a record that is brought in
    ``record_moves``       moves of such a record
    ``table_rows``         entries of a table's log, and lines of its chat
    ``send_buffer_bytes``  what waits to be read by a connection; beyond it the connection is cut off
    ``advice_at_once``     hints and analyses at work or waiting
    ``advice_per_visitor`` hints and analyses of one visitor at work or waiting; one at a time is at work
    ``job_processes``      processes for pictures, records and proofs
    ``jobs_waiting``       pictures and records that wait; beyond it the answer is `busy`
    ``records_at_once``    records that are read at a time
    ``records_per_visitor`` records of one visitor that are read at a time
    ``job_overrun_seconds`` how much longer a job may take than it should, before its process is replaced
    ``picture_cache_bytes`` pictures that are kept
    ``review_moves``       moves of a game that is reviewed
    ``review_cache_bytes`` reviews that are kept
    ``database_seconds``   how long a read or a write may take
    ``sign_ups_per_hour``  accounts that are made from an address
    ``sign_ins_per_hour``  tries to sign in to an account from an address, in the long run
    ``sign_ins_burst``     such tries at once
    ``passwords_waiting``  passwords that wait to be checked; beyond it the answer is `busy`
    ``mails_per_hour``     mails to an address, and mails asked for from an address
    ``mails_waiting``      mails that wait for the mail server; beyond it they are dropped
    ``mail_seconds``       how long the mail server may take to answer
    ``reports_per_hour``   reports of a visitor about others
    ``exports_per_hour``   how often an account may fetch all its data
    ``session_days``       how long somebody stays signed in without coming
    ``session_days_in_all`` after how many days somebody must sign in again in any case
    ``first_turn_seconds`` what the first decision of each seat in a live game may take without a charge
    ``lag_seconds``        lag that is given back for one decision
    ``lag_total_seconds``  lag that is given back to a seat in one game
    ``claim_seconds``      how long a player must be away from a live game until others may claim it
    ``vacation_days``      days in a year on which a visitor's clocks in games over days may rest
    ``conditional_moves``  conditional moves of a seat
    ``notice_wait_seconds`` how long a notice waits for its person to look at the table, before it is sent
    ``notice_seconds``     until a push service or a web hook has answered, in total
    ``notices_at_once``    notices that are sent by each way at a time
    ``notices_per_hour``   notices to an account by each way; the others wait
    ``notice_tries``       how often a notice is tried to be sent
    ``notice_retry_seconds`` before the second try; each next wait is four times as long
    ``notice_claim_seconds`` after how long another process sends what a process that died was sending
    ``notice_short_hours`` how much time is left in a game over days when its player is told (a quarter of it, if less)
    ``notice_days``        how long notices are kept that nobody has seen
    ``push_subscriptions`` browsers of an account that get push messages
    """

    message_bytes: int = 16 * 1024
    messages_per_second: float = 20.0
    messages_burst: int = 60
    refusals_before_close: int = 100
    frames_per_second: float = 20.0
    frames_burst: int = 500
    received_bytes_per_second: int = 512 * 1024
    received_bytes_burst: int = 2 * 1024 * 1024
    tables_per_hour: int = 60
    visitors_per_hour: int = 600
    requests_per_second: float = 20.0
    requests_burst: int = 200
    address_requests_per_second: float = 100.0
    address_requests_burst: int = 1000
    address_tables_per_hour: int = 600
    connections_per_visitor: int = 20
    connections_per_address: int = 256
    tables_per_connection: int = 50
    seeks_per_visitor: int = 5
    seeks_per_address: int = 50
    seeks_per_hour: int = 240
    lobby_seeks: int = 1000
    lobby_people_shown: int = 200
    lobby_seeks_shown: int = 200
    lobby_games_shown: int = 50
    lobby_grace_seconds: float = 5.0
    head_seconds: float = 10.0
    body_seconds: float = 30.0
    answer_seconds: float = 60.0
    ping_seconds: float = 20.0
    body_bytes: int = 64 * 1024
    record_bytes: int = 4 * 1024 * 1024
    record_moves: int = 20_000
    table_rows: int = 40_000
    send_buffer_bytes: int = 2 * 1024 * 1024
    advice_at_once: int = 24
    advice_per_visitor: int = 3
    job_processes: int = 1
    jobs_waiting: int = 64
    records_at_once: int = 8
    records_per_visitor: int = 2
    job_overrun_seconds: float = 60.0
    picture_cache_bytes: int = 16 * 1024 * 1024
    review_moves: int = 2000
    review_cache_bytes: int = 8 * 1024 * 1024
    database_seconds: float = 5.0
    sign_ups_per_hour: int = 30
    sign_ins_per_hour: int = 60
    sign_ins_burst: int = 10
    passwords_waiting: int = 64
    mails_per_hour: int = 10
    mails_waiting: int = 200
    mail_seconds: float = 20.0
    reports_per_hour: int = 20
    exports_per_hour: int = 6
    session_days: float = 30.0
    session_days_in_all: float = 180.0
    first_turn_seconds: float = 30.0
    lag_seconds: float = 0.5
    lag_total_seconds: float = 20.0
    claim_seconds: float = 60.0
    vacation_days: int = 30
    conditional_moves: int = 200
    notice_wait_seconds: float = 20.0
    notice_seconds: float = 10.0
    notices_at_once: int = 8
    notices_per_hour: int = 60
    notice_tries: int = 6
    notice_retry_seconds: float = 60.0
    notice_claim_seconds: float = 60.0
    notice_short_hours: float = 12.0
    notice_days: float = 30.0
    push_subscriptions: int = 10

    def changed(self, written: list[str]) -> "Limits":
        """Return limits with some changed, each written ``NAME=VALUE``; ``TriskeleError`` says what is wrong."""
        kinds: dict[str, type[int] | type[float]] = {f.name: type(getattr(self, f.name)) for f in fields(self)}
        chosen: dict[str, int | float] = {}
        for item in written:
            name, _, value = item.partition("=")
            if name not in kinds:
                raise TriskeleError(text("server.no-limit", name=name[:60], names=", ".join(kinds)))
            whole = kinds[name] is int
            found = number_within(value, 1 if whole else 0.001, NUMBER_LIMIT, whole=whole)
            if found is None:
                key = "server.bad-limit" if whole else "server.bad-limit-number"
                raise TriskeleError(text(key, name=name, value=value[:60], high=NUMBER_LIMIT))
            chosen[name] = kinds[name](found)
        return replace(self, **chosen)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Settings:
    """How a server runs. Only ``data`` is needed for a server of one process on this machine.

    ``database``     where games are kept: a file in the data folder, or a PostgreSQL by its URL
    ``bus``          Redis or Valkey by its URL, for several processes that share a database
    ``secret``       signs cookies and keys, at least 32 bytes; all processes of a server have the same. Without
                     one it is made once and kept in the data folder
    ``old_secrets``  what was signed with them before the secret was changed is still valid
    ``trusted_proxies`` addresses and networks that may say a visitor's address; by default this machine
    ``public_url``   where people reach the server, if that is not its own address; its path comes before all others
    ``page_engines`` whether pages get engines of their own, which compute there
    ``seed_seconds`` how long the first roll waits for seeds, once all seats are taken and somebody follows the table
    ``idle_seconds`` how long a table without subscribers stays in memory
    ``watch_delay``  how many seconds later spectators see what happens at a table; by default at once
    ``metrics``      the address and port at which metrics for Prometheus are shown; by default nowhere
    ``log_level``    from which level on is logged; ``info`` has a line for each request
    ``log_format``   lines of ``text`` or ``json``
    ``keep_days``    finished games are deleted this many days after their last move; by default never
    ``accounts``     who can make an account: everybody (``open``), with an ``invitation`` code, or nobody (``closed``)
    ``guests``       whether one may play without an account
    ``chat``         whether opponents may write to each other
    ``mail``         the mail server, for confirmations, forgotten passwords and notices; it needs ``public_url``
    ``private_targets`` whether push messages and web hooks may go to addresses of the host's own network, and by HTTP
    """

    data: Path = field(default_factory=data_folder)
    host: str = "127.0.0.1"
    port: int = 8000
    database: str | None = None
    bus: str | None = None
    secret: bytes | None = field(default=None, repr=False)
    old_secrets: tuple[bytes, ...] = field(default=(), repr=False)
    trusted_proxies: tuple[str, ...] = ("127.0.0.0/8", "::1")
    public_url: str | None = None
    engine_processes: int = field(default_factory=lambda: max(1, (os.cpu_count() or 2) - 1))
    engine_seconds: float = 2.0
    engine_memory_mb: int = 128
    page_engines: bool = True
    seed_seconds: float = 5.0
    idle_seconds: float = 600.0
    sweep_seconds: float = 20.0
    keep_days: float | None = None
    accounts: Policy = "open"
    guests: bool = True
    chat: bool = True
    mail: MailServer | None = None
    private_targets: bool = False
    watch_delay: float = 0.0
    metrics: tuple[str, int] | None = None
    log_level: Level = "warning"
    log_format: Format = "text"
    limits: Limits = field(default_factory=Limits)

    @property
    def database_url(self) -> str:
        """The database's URL for SQLAlchemy."""
        if self.database is None:
            return f"sqlite:///{self.data / DATABASE}"
        scheme, separator, rest = self.database.partition("://")
        return f"postgresql+psycopg{separator}{rest}" if scheme in ("postgres", "postgresql") else self.database

    @property
    def prefix(self) -> str:
        """The path under which people reach the server, without the last slash: empty, or such as ``/games``."""
        return "" if self.public_url is None else urlsplit(self.public_url).path.rstrip("/")

    @property
    def secure(self) -> bool:
        """Whether people reach the server over HTTPS, so that cookies must not go over anything else."""
        return self.public_url is not None and urlsplit(self.public_url).scheme == "https"

    def prepare(self) -> "Settings":
        """Make the data folder, and the secret if there is none; return the settings with it.

        ``TriskeleError`` if a secret is too short: a short one can be guessed, and then every cookie and key.
        """
        given = () if self.secret is None else (self.secret,)
        if any(len(secret) < SECRET_BYTES for secret in (*given, *self.old_secrets)):
            raise TriskeleError(text("server.short-secret"))
        self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        if self.secret is not None:
            return self
        old = (*self.old_secrets, *kept_old_secrets(self.data))
        return replace(self, secret=_kept_secret(self.data / SECRET), old_secrets=old)


def kept_old_secrets(data: Path) -> tuple[bytes, ...]:
    """Return the old secrets in a data folder, which a restored backup has left there."""
    path = data / OLD_SECRETS
    try:
        return read_secrets(path.read_text().strip()) if path.exists() else ()
    except ValueError:
        raise TriskeleError(text("server.secret-damaged", path=str(path))) from None


def _kept_secret(path: Path) -> bytes:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        kept = path.read_bytes()
        if len(kept) < SECRET_BYTES:
            raise TriskeleError(text("server.secret-damaged", path=str(path))) from None
        return kept
    made = secrets.token_bytes(SECRET_BYTES)
    with os.fdopen(descriptor, "wb") as file:
        file.write(made)
        file.flush()
        os.fsync(file.fileno())
    return made
