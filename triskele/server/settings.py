"""What whoever runs a server can choose."""

import os
import secrets
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from urllib.parse import urlsplit

import platformdirs


@dataclass(frozen=True)
class Limits:
    """What a visitor, a connection or an address may use. Times are in seconds, sizes in bytes."""

    message_bytes: int = 16 * 1024
    messages_per_second: float = 20.0
    messages_burst: int = 60
    refusals_before_close: int = 100
    tables_per_hour: int = 60
    visitors_per_hour: int = 600
    requests_per_second: float = 20.0
    requests_burst: int = 200
    connections_per_visitor: int = 20
    connections_per_address: int = 256
    tables_per_connection: int = 50
    head_seconds: float = 10.0
    body_seconds: float = 30.0
    body_bytes: int = 64 * 1024
    record_bytes: int = 4 * 1024 * 1024
    send_buffer_bytes: int = 2 * 1024 * 1024
    advice_at_once: int = 8

    def changed(self, written: list[str]) -> "Limits":
        """Return limits with some changed, each written ``name=value``; ``ValueError`` names an unknown one."""
        kinds: dict[str, type[int] | type[float]] = {f.name: type(getattr(self, f.name)) for f in fields(self)}
        chosen: dict[str, int | float] = {}
        for item in written:
            name, _, value = item.partition("=")
            if name not in kinds:
                raise ValueError(f"there is no limit {name}; there are: {', '.join(kinds)}")
            chosen[name] = kinds[name](value)
        return replace(self, **chosen)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Settings:
    """How a server runs. Only ``data`` is needed for a server of one process on this machine.

    ``database``     where games are kept: a file in the data folder, or a PostgreSQL by its URL
    ``bus``          Redis or Valkey by its URL, for several processes that share a database
    ``secret``       signs cookies and keys; all processes of a server have the same. Without one it
                     is made once and kept in the data folder
    ``public_url``   where people reach the server, if that is not its own address
    ``seed_seconds`` how long the first roll waits for seeds after all seats are taken
    ``idle_seconds`` how long a table that nobody looks at stays in memory
    """

    data: Path = field(default_factory=lambda: platformdirs.user_data_path("triskele"))
    host: str = "127.0.0.1"
    port: int = 8000
    database: str | None = None
    bus: str | None = None
    secret: bytes | None = field(default=None, repr=False)
    public_url: str | None = None
    engine_processes: int = field(default_factory=lambda: max(1, (os.cpu_count() or 2) - 1))
    engine_seconds: float = 2.0
    engine_memory_mb: int = 128
    seed_seconds: float = 5.0
    idle_seconds: float = 600.0
    sweep_seconds: float = 20.0
    limits: Limits = field(default_factory=Limits)

    @property
    def database_url(self) -> str:
        """The database's URL for SQLAlchemy."""
        if self.database is None:
            return f"sqlite:///{self.data / 'tables.sqlite3'}"
        scheme, separator, rest = self.database.partition("://")
        return f"postgresql+psycopg{separator}{rest}" if scheme in ("postgres", "postgresql") else self.database

    @property
    def secure(self) -> bool:
        """Whether people reach the server over HTTPS, so that cookies must not go over anything else."""
        return self.public_url is not None and urlsplit(self.public_url).scheme == "https"

    def prepare(self) -> "Settings":
        """Make the data folder, and the secret if there is none; return the settings with it."""
        self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        return self if self.secret is not None else replace(self, secret=_kept_secret(self.data / "secret"))


def _kept_secret(path: Path) -> bytes:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        kept = path.read_bytes()
        if len(kept) < 32:
            raise ValueError(f"{path} is damaged: it must hold 32 bytes") from None
        return kept
    made = secrets.token_bytes(32)
    with os.fdopen(descriptor, "wb") as file:
        file.write(made)
        file.flush()
        os.fsync(file.fileno())
    return made
