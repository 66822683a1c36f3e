"""``triskele admin``: what the host of a running server does with its tables and visitors.

The command asks the server over HTTP, with a token that the server's secret signs. So it works with every database and
with several processes: the process that is asked does the work, tells its own visitors at once, and the other
processes over the bus. Whoever can read the secret is the host.
"""

import argparse
import getpass
import json
import os
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from triskele.cli import admin_accounts
from triskele.cli.admin_output import rows, shown, time_text
from triskele.cli.terminal import Terminal
from triskele.core.arguments import help_text
from triskele.core.errors import TriskeleError
from triskele.core.folders import data_folder
from triskele.core.words import LANGUAGES, text
from triskele.server import command
from triskele.server.settings import SECRET, SECRET_BYTES

_SECONDS = 60.0
"""How long an answer may take: deleting many games takes a while."""
_KINDS = {"silence": "silenced", "ban": "banned"}
Json = Any


class Host:
    """Asks a running server as its host."""

    def __init__(self, server: str, secret: bytes, language: str) -> None:
        """Ask the server at an address; answers are in ``language``."""
        from triskele.server.moderation.tokens import HostTokens

        self._base = f"{server.rstrip('/')}/api/v1/admin"
        self._tokens = HostTokens(secret)
        self._language = language
        self._server = server

    def get(self, path: str, **query: Json) -> Json:
        """Return the answer to a question; values that are ``None`` are left out."""
        asked = urlencode({name: value for name, value in query.items() if value is not None})
        return self._ask(f"{path}?{asked}" if asked else path, None)

    def post(self, path: str, **body: Json) -> Json:
        """Have something done, and return the answer."""
        return self._ask(path, json.dumps(body).encode())

    def _ask(self, path: str, body: bytes | None) -> Json:
        headers = {
            "Authorization": f"Bearer {self._tokens.sign(_user())}",
            "Accept-Language": self._language,
            "Content-Type": "application/json",
        }
        request = urllib.request.Request(self._base + path, body, headers)
        try:
            with urllib.request.urlopen(request, timeout=_SECONDS) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise TriskeleError(text("cli.admin-refused", why=_reason(error))) from None
        except (OSError, ValueError) as error:
            why = str(getattr(error, "reason", None) or error)[:200]
            raise TriskeleError(text("cli.admin-no-server", server=self._server, why=why)) from None


def _reason(error: urllib.error.HTTPError) -> str:
    with error:
        try:
            return str(json.load(error)["error"]["text"])
        except (ValueError, KeyError, TypeError):
            return f"HTTP {error.code}"


def _user() -> str:
    """Return who runs the command: with ``sudo``, the person, and not the user of the server."""
    try:
        return os.environ.get("SUDO_USER") or getpass.getuser()
    except (KeyError, OSError):  # a user without a name
        return "?"


# --- arguments ------------------------------------------------------------------------------------


def add_arguments(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the commands of ``triskele admin`` and their arguments."""

    def words(key: str) -> str:
        return help_text(f"cli.help.{key}", language)

    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--server", metavar="URL", default="http://127.0.0.1:8000", help=words("admin-server"))
    command.add_option(common, language, "data", metavar="FOLDER", type=Path)
    common.add_argument("--json", action="store_true", help=words("json"))
    common.add_argument("--language", choices=LANGUAGES, default=argparse.SUPPRESS, help=words("language"))
    commands = parser.add_subparsers(metavar="WHAT", required=True)

    def add(key: str, ask: Callable[[Host, argparse.Namespace, Terminal], None]) -> argparse.ArgumentParser:
        name = key.removeprefix("admin-")
        made = commands.add_parser(name, help=words(key), description=words(key), parents=[common])
        made.set_defaults(ask=ask, kind=name)
        return made

    def add_reason(made: argparse.ArgumentParser) -> None:
        made.add_argument("--reason", metavar="TEXT", default="", help=words("admin-reason"))

    def add_limit(made: argparse.ArgumentParser) -> None:
        made.add_argument("--limit", metavar="N", default="100", help=words("admin-limit"))

    listed = add("admin-list", _list)
    listed.add_argument("--state", choices=("all", "on", "over"), default="all", help=words("admin-state"))
    listed.add_argument("--game", metavar="GAME", help=words("game"))
    listed.add_argument("--visitor", metavar="VISITOR", help=words("admin-visitor"))
    add_limit(listed)
    table, ended = add("admin-show", _show), add("admin-end", _end)
    deleted, freed = add("admin-delete", _delete), add("admin-free", _free)
    for made in (table, ended, deleted, freed):
        made.add_argument("table", metavar="TABLE", help=words("admin-table"))
    freed.add_argument("seat", metavar="SEAT", help=words("admin-seat"))
    silenced, banned, lifted = add("admin-silence", _sanction), add("admin-ban", _sanction), add("admin-lift", _lift)
    for made in (silenced, banned, lifted):
        made.add_argument("target", metavar="WHO", help=words("admin-who"))
    for made in (silenced, banned):
        made.add_argument("--for", dest="length", metavar="TIME", help=words("admin-for"))
    for made in (ended, deleted, freed, silenced, banned, lifted):
        add_reason(made)
    add("admin-sanctions", _sanctions)
    retention = add("admin-retention", _retention)
    retention.add_argument("--days", metavar="N", required=True, help=words("admin-days"))
    retention.add_argument("--trial", action="store_true", help=words("admin-trial"))
    add_limit(add("admin-audit", _audit))
    add("admin-connections", _connections)
    admin_accounts.add_commands(add, words)


def run(chosen: argparse.Namespace) -> int:
    """Ask the server, and show its answer."""
    _check_server(chosen.server)
    with command.extra_needed():
        host = Host(chosen.server, _secret(chosen.data or data_folder()), chosen.language)
    chosen.ask(host, chosen, Terminal(chosen.language))
    return 0


def _secret(data: Path) -> bytes:
    """Return the secret of the server: of the environment, or of its data folder."""
    given = command.environment_secrets()
    if given:
        return given[0]
    path = data / SECRET
    try:
        kept = path.read_bytes()
    except OSError as error:
        raise TriskeleError(text("cli.admin-no-secret", path=str(path), why=error.strerror or str(error))) from None
    if len(kept) < SECRET_BYTES:
        raise TriskeleError(text("server.secret-damaged", path=str(path)))
    return kept


def _check_server(written: str) -> None:
    try:
        parts = urlsplit(written)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        sound = False
    if not sound:
        raise TriskeleError(text("cli.admin-bad-server", server=written[:100]))


# --- showing --------------------------------------------------------------------------------------


_TABLE = ("head-table", "head-game", "head-opened", "head-changed", "head-moves", "head-state", "head-players")


def _table_row(table: Json, terminal: Terminal) -> list[object]:
    players = ", ".join(seat["name"] or seat["kind"] for seat in table["seats"])
    state = terminal.words("state-over") if table["over"] else terminal.words("state-on")
    times = (time_text(table["opened"]), time_text(table["changed"]))
    return [table["table"], table["game"], *times, table["moves"], state, players]


def _list(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    limit = admin_accounts.whole("--limit", chosen.limit, 1, 1000)
    found = host.get("/tables", state=chosen.state, game=chosen.game, visitor=chosen.visitor, limit=limit)
    if not shown(chosen, terminal, found):
        rows(terminal, _TABLE, [_table_row(each, terminal) for each in found])


def _show(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    found = host.get(f"/tables/{quote(chosen.table, safe='')}")
    if shown(chosen, terminal, found):
        return
    rows(terminal, _TABLE, [_table_row(found, terminal)])
    terminal.write()
    seats = [
        (seat["seat"] + 1, seat["kind"], seat["name"] or "-", ", ".join(seat["visitors"]) or "-")
        for seat in found["seats"]
    ]
    rows(terminal, ("head-seat", "head-kind", "head-name", "head-visitors"), seats)
    if found["chat"]:
        terminal.write()
        lines = [(time_text(line["time"]), line["seat"] + 1, line["text"]) for line in found["chat"]]
        rows(terminal, ("head-time", "head-seat", "head-text"), lines)


def _deed(host: Host, chosen: argparse.Namespace, terminal: Terminal, path: str) -> Json:
    """Have something done with a table, and say so."""
    answer = host.post(f"/tables/{quote(chosen.table, safe='')}{path}", reason=chosen.reason)
    if not shown(chosen, terminal, answer):
        terminal.tell("admin-done")
    return answer


def _end(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    _deed(host, chosen, terminal, "/end")


def _delete(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    _deed(host, chosen, terminal, "/delete")


def _free(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    seat = admin_accounts.whole("SEAT", chosen.seat, 1, 64) - 1
    answer = _deed(host, chosen, terminal, f"/seats/{seat}/free")
    if not chosen.json:
        terminal.write(f"{terminal.words('admin-link')} {answer['link']}")


def _show_sanctions(chosen: argparse.Namespace, terminal: Terminal, found: Json) -> None:
    if not shown(chosen, terminal, found):
        heads = ("head-kind", "head-target", "head-since", "head-until", "head-reason")
        listed = [
            (
                terminal.words(_KINDS[each["kind"]]),
                each["target"],
                time_text(each["since"]),
                time_text(each["until"]),
                each["reason"],
            )
            for each in found
        ]
        rows(terminal, heads, listed)


def _sanction(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    hours = admin_accounts.hours(chosen.length)
    made = host.post("/sanctions", kind=chosen.kind, target=chosen.target, hours=hours, reason=chosen.reason)
    _show_sanctions(chosen, terminal, [made])


def _lift(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    answer = host.post("/sanctions/lift", target=chosen.target, reason=chosen.reason)
    if not shown(chosen, terminal, answer):
        terminal.tell("admin-done")


def _sanctions(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    _show_sanctions(chosen, terminal, host.get("/sanctions"))


def _retention(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    days = admin_accounts.whole("--days", chosen.days, 0, command.DAYS_LIMIT)
    answer = host.post("/retention", days=days, trial=chosen.trial)
    if shown(chosen, terminal, answer):
        return
    if chosen.trial:
        terminal.tell("admin-would-delete", n=answer["tables"])
    else:
        terminal.tell("admin-deleted", n=answer["tables"])


def _audit(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    found = host.get("/audit", limit=admin_accounts.whole("--limit", chosen.limit, 1, 1000))
    if shown(chosen, terminal, found):
        return
    listed = [
        (
            each["number"],
            time_text(each["time"]),
            each["actor"],
            each["action"],
            each["target"] or "-",
            json.dumps(each["detail"], ensure_ascii=True),
        )
        for each in found
    ]
    rows(terminal, ("head-number", "head-time", "head-actor", "head-action", "head-target", "head-detail"), listed)


def _connections(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    found = host.get("/connections")
    if not shown(chosen, terminal, found):
        listed = [(each["visitor"] or "-", each["address"], ", ".join(each["tables"]) or "-") for each in found]
        rows(terminal, ("head-visitor", "head-address", "head-tables"), listed)
