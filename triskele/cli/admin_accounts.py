"""``triskele admin`` about accounts: invitations, moderators, sessions, reports, annulled results."""

import argparse
from collections.abc import Callable
from typing import Any, Protocol
from urllib.parse import quote

from triskele.cli.admin_output import rows, shown, time_text
from triskele.cli.terminal import Terminal
from triskele.core.errors import TriskeleError
from triskele.core.words import text
from triskele.server.settings import number_within

Json = Any
_HOURS = {"h": 1, "d": 24, "w": 7 * 24}


class Host(Protocol):
    """Asks a running server as its host."""

    def get(self, path: str, **query: Json) -> Json:
        """Return the answer to a question."""

    def post(self, path: str, **body: Json) -> Json:
        """Have something done, and return the answer."""


Ask = Callable[[Any, argparse.Namespace, Terminal], None]


def add_commands(add: Callable[[str, Ask], argparse.ArgumentParser], words: Callable[[str], str]) -> None:
    """Add the commands about accounts, with their arguments."""
    invited = add("admin-invite", _invite)
    invited.add_argument("--uses", metavar="N", default="1", help=words("admin-uses"))
    invited.add_argument("--for", dest="length", metavar="TIME", help=words("admin-for"))
    invited.add_argument("--note", metavar="TEXT", default="", help=words("admin-note"))
    add("admin-invitations", _invitations)
    add("admin-uninvite", _uninvite).add_argument("id", metavar="ID", help=words("admin-invitation"))
    listed = add("admin-accounts", _accounts)
    listed.add_argument("--name", metavar="NAME", help=words("admin-named"))
    listed.add_argument("--limit", metavar="N", default="100", help=words("admin-limit"))
    promoted = add("admin-moderator", _moderator)
    promoted.add_argument("--remove", action="store_true", help=words("admin-remove"))
    signed_out, deleted = add("admin-sign-out", _sign_out), add("admin-delete-account", _delete_account)
    annulled, closed = add("admin-annul", _annul), add("admin-close-report", _close_report)
    for made in (promoted, signed_out, deleted):
        made.add_argument("name", metavar="NAME", help=words("admin-account"))
    annulled.add_argument("table", metavar="TABLE", help=words("admin-table"))
    closed.add_argument("number", metavar="N", help=words("admin-report"))
    for made in (promoted, signed_out, deleted, annulled, closed):
        made.add_argument("--reason", metavar="TEXT", default="", help=words("admin-reason"))
    reports = add("admin-reports", _reports)
    reports.add_argument("--state", choices=("open", "closed", "all"), default="open", help=words("admin-state"))
    reports.add_argument("--limit", metavar="N", default="100", help=words("admin-limit"))


def hours(written: str | None) -> float | None:
    """Return a time such as ``12h``, ``7d`` or ``2w`` in hours; ``None`` is for good."""
    if written is None:
        return None
    factor = _HOURS.get(written[-1:])
    found = None if factor is None else number_within(written[:-1], 1, 10_000, whole=True)
    if factor is None or found is None or found * factor > 10 * 366 * 24:
        raise TriskeleError(text("cli.admin-bad-time", value=written[:60]))
    return found * factor


def whole(option: str, written: str, low: int, high: int) -> int:
    """Return a whole number within bounds; ``TriskeleError`` says which are allowed."""
    found = number_within(written, low, high, whole=True)
    if found is None:
        raise TriskeleError(text("server.bad-whole", option=option, value=written[:60], low=low, high=high))
    return int(found)


def _invite(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    uses = whole("--uses", chosen.uses, 1, 10_000)
    made = host.post("/invitations", uses=uses, hours=hours(chosen.length), note=chosen.note)
    if not shown(chosen, terminal, made):
        terminal.write(f"{terminal.words('admin-code')} {made['code']}")


def _invitations(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    found = host.get("/invitations")
    if not shown(chosen, terminal, found):
        cells = [
            (each["id"], each["uses"], time_text(each["created"]), time_text(each["expires"]), each["note"] or "-")
            for each in found
        ]
        rows(terminal, ("head-id", "head-uses", "head-since", "head-until", "head-note"), cells)


def _done(chosen: argparse.Namespace, terminal: Terminal, answer: Json) -> None:
    if not shown(chosen, terminal, answer):
        terminal.tell("admin-done")


def _uninvite(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    _done(chosen, terminal, host.post(f"/invitations/{quote(chosen.id, safe='')}/revoke"))


def _kind(account: Json, terminal: Terminal) -> str:
    if account["bot"]:
        return terminal.words("kind-bot")
    return terminal.words("kind-moderator") if account["moderator"] else "-"


def _accounts(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    found = host.get("/accounts", named=chosen.name, limit=whole("--limit", chosen.limit, 1, 1000))
    if not shown(chosen, terminal, found):
        cells = [
            (
                each["name"],
                _kind(each, terminal),
                time_text(each["created"]),
                time_text(each["seen"]),
                each["visitor"],
            )
            for each in found
        ]
        rows(terminal, ("head-name", "head-kind", "head-since", "head-seen", "head-visitor"), cells)


def _moderator(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    asked = {"name": chosen.name, "moderator": not chosen.remove, "reason": chosen.reason}
    _done(chosen, terminal, host.post("/accounts/moderator", **asked))


def _sign_out(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    _done(chosen, terminal, host.post("/accounts/sign-out", name=chosen.name, reason=chosen.reason))


def _delete_account(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    _done(chosen, terminal, host.post("/accounts/delete", name=chosen.name, reason=chosen.reason))


def _annul(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    _done(chosen, terminal, host.post(f"/tables/{quote(chosen.table, safe='')}/annul", reason=chosen.reason))


def _close_report(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    number = whole("N", chosen.number, 1, 2**31)
    _done(chosen, terminal, host.post(f"/reports/{number}/close", answer=chosen.reason))


def _reports(host: Host, chosen: argparse.Namespace, terminal: Terminal) -> None:
    found = host.get("/reports", state=chosen.state, limit=whole("--limit", chosen.limit, 1, 1000))
    if not shown(chosen, terminal, found):
        cells = [
            (
                each["number"],
                time_text(each["time"]),
                each["about"]["name"] or each["about"]["visitor"],
                each["why"],
                each["table"] or "-",
                each["text"] or "-",
            )
            for each in found
        ]
        rows(terminal, ("head-number", "head-time", "head-target", "head-reason", "head-table", "head-text"), cells)
