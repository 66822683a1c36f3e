"""The command that runs a server, as ``triskele serve`` and as ``python -m triskele.server``: one set of options."""

import argparse
import contextlib
import os
import re
import sys
import threading
import webbrowser
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from triskele.core.arguments import help_text
from triskele.core.compile import keep_plain
from triskele.core.errors import TriskeleError
from triskele.core.folders import data_folder
from triskele.core.words import Text, say, text
from triskele.server.addresses import parse_network
from triskele.server.logs import FORMATS, LEVELS
from triskele.server.mail import MailServer
from triskele.server.settings import POLICIES, Limits, Settings, number_within, read_secrets

T = TypeVar("T")
WRONG = 2
"""The exit code when the server cannot start; the reason is one line on standard error."""
DATABASES = ("postgres", "postgresql", "postgresql+psycopg", "sqlite")
BUSES = ("redis", "rediss", "unix", "valkey", "valkeys")
ENGINES_LIMIT = 1024
SECONDS_LIMIT = 86_400.0
DAYS_LIMIT = 36_500
_BUS_SECONDS = 5.0
_PREFIX = re.compile(r"/?|(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+/?")
_EXTRAS = {"psycopg": "cluster", "redis": "cluster"}
"""The extra that installs a package, if it is not ``server``."""


def add_option(parser: argparse.ArgumentParser, language: str, name: str, **more: Any) -> None:
    """Add an option of the server with its help in one language."""
    parser.add_argument(f"--{name}", help=help_text(f"server.option.{name}", language), **more)


def add_arguments(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the options of the command, with their help in one language.

    Values stay texts: :func:`settings_of` refuses a wrong one with a reason in the reader's language.
    """

    def add(name: str, **more: Any) -> None:
        add_option(parser, language, name, **more)

    add("host", metavar="ADDRESS", default=Settings.host)
    add("port", metavar="N", default=str(Settings.port))
    add("data", metavar="FOLDER", type=Path)
    add("database", metavar="URL")
    add("bus", metavar="URL")
    add("url", metavar="URL")
    add("trusted-proxy", metavar="ADDRESS", action="append", default=[])
    add("engines", metavar="N")
    add("engine-seconds", metavar="S", default=str(Settings.engine_seconds))
    add("engine-memory", metavar="MB", default=str(Settings.engine_memory_mb))
    add("no-page-engines", action="store_true")
    add("limit", metavar="NAME=VALUE", action="append", default=[])
    add("seed-seconds", metavar="S", default=str(Settings.seed_seconds))
    add("idle-seconds", metavar="S", default=str(Settings.idle_seconds))
    add("watch-delay", metavar="S", default=str(Settings.watch_delay))
    add("keep-days", metavar="N")
    add("accounts", metavar="WHO", default=Settings.accounts)
    add("no-guests", action="store_true")
    add("no-chat", action="store_true")
    add("mail", metavar="URL")
    add("mail-from", metavar="ADDRESS")
    add("private-targets", action="store_true")
    add("metrics", metavar="[ADDRESS:]PORT")
    add("log-level", metavar="LEVEL", default=Settings.log_level)
    add("log-format", metavar="FORMAT", default=Settings.log_format)
    add("open", action="store_true")


# --- settings -------------------------------------------------------------------------------------


def settings_of(chosen: argparse.Namespace) -> Settings:
    """Return the settings that the options ask for; ``TriskeleError`` says what is wrong with one, and what is allowed.

    Three more come from the environment: ``TRISKELE_DATA`` (a folder, unless ``--data`` names one),
    ``TRISKELE_SECRET`` (hexadecimal; after it, separated by commas, older ones that stay valid), and
    ``TRISKELE_MAIL`` (a mail server, unless ``--mail`` names one: lists of processes do not show its password).
    """
    newest, *older = environment_secrets() or (None,)
    settings = Settings(
        data=chosen.data or data_folder(),
        host=chosen.host,
        port=_port(chosen.port),
        database=database_of(chosen.database),
        bus=_address("--bus", chosen.bus, BUSES),
        secret=newest,
        old_secrets=tuple(older),
        public_url=_public_url(chosen.url),
        trusted_proxies=tuple(str(parse_network(each)) for each in chosen.trusted_proxy) or Settings.trusted_proxies,
        engine_seconds=_seconds("--engine-seconds", chosen.engine_seconds, 0.01),
        engine_memory_mb=_whole("--engine-memory", chosen.engine_memory, 8, 1 << 20),
        page_engines=not chosen.no_page_engines,
        seed_seconds=_seconds("--seed-seconds", chosen.seed_seconds, 0.0),
        idle_seconds=_seconds("--idle-seconds", chosen.idle_seconds, 1.0),
        watch_delay=_seconds("--watch-delay", chosen.watch_delay, 0.0),
        keep_days=None if chosen.keep_days is None else float(_whole("--keep-days", chosen.keep_days, 1, DAYS_LIMIT)),
        accounts=_one_of("--accounts", chosen.accounts, POLICIES),
        guests=not chosen.no_guests,
        chat=not chosen.no_chat,
        mail=_mail(chosen.mail or os.environ.get("TRISKELE_MAIL"), chosen.mail_from, chosen.url),
        private_targets=chosen.private_targets,
        metrics=_metrics_address(chosen.metrics),
        log_level=_one_of("--log-level", chosen.log_level, LEVELS),
        log_format=_one_of("--log-format", chosen.log_format, FORMATS),
        limits=Limits().changed(chosen.limit),
    )
    if chosen.engines is None:
        return settings
    return replace(settings, engine_processes=_whole("--engines", chosen.engines, 1, ENGINES_LIMIT))


def database_of(written: str | None, option: str = "--database") -> str | None:
    """Return the database that an option names; ``TriskeleError`` if it is no URL of one."""
    return _address(option, written, DATABASES)


def environment_secrets() -> tuple[bytes, ...]:
    """Return the secrets in ``TRISKELE_SECRET``, the newest first; ``TriskeleError`` says what is wrong with one."""
    written = os.environ.get("TRISKELE_SECRET")
    return read_secrets(written) if written else ()


def _port(written: str) -> int:
    found = number_within(written, 0, 65_535, whole=True)
    if found is None:
        raise TriskeleError(text("server.bad-port", port=_shown(written)))
    return int(found)


def _whole(option: str, written: str, low: int, high: int) -> int:
    found = number_within(written, low, high, whole=True)
    if found is None:
        raise TriskeleError(text("server.bad-whole", option=option, value=_shown(written), low=low, high=high))
    return int(found)


def _seconds(option: str, written: str, low: float) -> float:
    found = number_within(written, low, SECONDS_LIMIT)
    if found is None:
        values = {"low": f"{low:g}", "high": f"{SECONDS_LIMIT:g}"}
        raise TriskeleError(text("server.bad-seconds", option=option, value=_shown(written), **values))
    return found


def _address(option: str, written: str | None, schemes: tuple[str, ...]) -> str | None:
    if written is not None and written.partition("://")[0] not in schemes:
        # The value is not repeated: it may contain a password.
        allowed = ", ".join(f"{scheme}://…" for scheme in schemes)
        raise TriskeleError(text("server.bad-address", option=option, allowed=allowed))
    return written


def _public_url(written: str | None) -> str | None:
    if written is None:
        return None
    try:
        parts = urlsplit(written)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        sound = sound and _PREFIX.fullmatch(parts.path) is not None and "@" not in parts.netloc
    except ValueError:
        sound = False
    if not sound or parts.query or parts.fragment or not written.isprintable() or " " in written:
        raise TriskeleError(text("server.bad-url", value=_shown(written)))
    return written


def _mail(written: str | None, sender: str | None, url: str | None) -> MailServer | None:
    """Return the mail server; its links lead to the address that the host has said, never to what a request says."""
    if written is None:
        return None
    if url is None:
        raise TriskeleError(text("server.mail-needs-url"))
    return MailServer.parse(written, sender)


def _one_of(option: str, written: str, allowed: tuple[T, ...]) -> T:
    for each in allowed:
        if written == each:
            return each
    values = {"option": option, "value": _shown(written), "allowed": ", ".join(map(str, allowed))}
    raise TriskeleError(text("server.bad-choice", **values))


def _metrics_address(written: str | None) -> tuple[str, int] | None:
    """Return the address and port of ``PORT`` or ``ADDRESS:PORT``; without an address it is this machine's own."""
    if written is None:
        return None
    host, _, port = written.rpartition(":")
    found = number_within(port, 1, 65_535, whole=True)
    if found is None:
        raise TriskeleError(text("server.bad-metrics", value=_shown(written)))
    return host.strip("[]") or Settings.host, int(found)


def _check_metrics(address: tuple[str, int] | None) -> None:
    """Raise ``TriskeleError`` if the metrics cannot be shown at an address: the server would not start."""
    if address is not None:
        from triskele.server.http.server import listen

        try:
            for each in listen(*address):
                each.close()
        except TriskeleError as error:
            shown = f"{address[0]}:{address[1]}"
            raise TriskeleError(text("server.metrics-unusable", address=shown, why=error.text)) from None


def _shown(written: str) -> str:
    return "".join(letter if letter.isprintable() else "�" for letter in written[:60])


# --- running --------------------------------------------------------------------------------------


def run(chosen: argparse.Namespace) -> int:
    """Serve until interrupted, and open the page in the browser if that is asked for.

    Return the exit code: ``WRONG``, with one line on standard error, if the server cannot start.
    """
    try:
        settings = settings_of(chosen)
        with extra_needed(), explained(settings):
            from triskele.server.app import create_app
            from triskele.server.http.server import listen, serve_on

            keep_plain()
            _check_bus(settings.bus)
            _check_metrics(settings.metrics)
            sockets = listen(settings.host, settings.port)
            try:
                app = create_app(settings)
            except BaseException:
                for each in sockets:
                    each.close()
                raise
    except TriskeleError as error:
        print(f"triskele: {say(error.text, getattr(chosen, 'language', 'en'))}", file=sys.stderr)
        return WRONG
    serve_on(sockets, app, settings, _open_page if chosen.open else None)
    return 0


def _open_page(address: str) -> None:
    # Not on the event loop: a browser in the terminal would stop the server.
    threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()


@contextlib.contextmanager
def extra_needed() -> Iterator[None]:
    """Say which extra is missing when the block imports a package that is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "?").partition(".")[0]
        if package == "triskele":
            raise
        extra = _EXTRAS.get(package, "server")
        raise TriskeleError(text("server.extra-missing", package=package, extra=extra)) from None


@contextlib.contextmanager
def explained(settings: Settings) -> Iterator[None]:
    """Say which folder or database is at fault when the block, which starts a server, fails because of it."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except SQLAlchemyError as error:
        raise TriskeleError(_database_reason(settings, error)) from None
    except OSError as error:
        why = error.strerror or str(error)
        raise TriskeleError(text("server.folder-unusable", folder=str(settings.data), why=why)) from None


def _check_bus(url: str | None) -> None:
    """Raise ``TriskeleError`` if there is no bus at a URL: the server would not start without it."""
    if url is None:
        return
    import redis
    import redis.exceptions

    try:
        with redis.from_url(url, socket_connect_timeout=_BUS_SECONDS, socket_timeout=_BUS_SECONDS) as bus:
            bus.ping()
    except (redis.exceptions.RedisError, OSError, ValueError) as error:
        why = (str(error).splitlines() or [type(error).__name__])[0][:200]
        place = urlsplit(url).netloc.rpartition("@")[2] or urlsplit(url).path
        raise TriskeleError(text("server.bus-unreachable", bus=place, why=why)) from None


def _database_reason(settings: Settings, error: Exception) -> Text:
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    if isinstance(error, ArgumentError):
        return text("server.bad-address", option="--database", allowed="postgresql://USER@HOST/NAME, sqlite:///FILE")
    url = make_url(settings.database_url)
    why = (str(getattr(error, "orig", None) or error).strip().splitlines() or [type(error).__name__])[0][:200]
    if url.get_backend_name() != "sqlite":
        return text("server.database-unreachable", database=url.render_as_string(hide_password=True), why=why)
    if "locked" in why:
        return text("server.database-locked", database=url.database or "")
    return text("server.database-unusable", database=url.database or "", why=why)
