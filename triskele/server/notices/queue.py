"""The queue of notices in the database: which are to be told, by which ways, and which process sends them.

Every step is one transaction that can be made twice without harm, by this process after a crash or by another at the
same time.
"""

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Executable, Row, Table, and_, delete, exists, or_, select, update

from triskele.server.notices.preferences import HOOK, MAIL, PUSH, Preferences, Way
from triskele.server.notices.texts import Notice, notices_of
from triskele.server.storage import schema
from triskele.server.storage.database import Rows
from triskele.server.tables.table import OFF_LIST

SINGLE, DIGEST, PART = "single", "digest", "part"
"""The roles of deliveries: a notice, one message of several, a notice that goes with such a message."""
Statement = tuple[Executable, Rows]
_AT_ONCE = 200
_notices, _deliveries = schema.notices.c, schema.deliveries.c


def listed() -> ColumnElement[bool]:
    """Return the condition that a notice is about a table that its visitor has not taken off the list."""
    holders = schema.holders.c
    return ~exists().where(
        holders.table_id == _notices.table_id, holders.visitor == _notices.visitor, holders.seat == OFF_LIST
    )


def unseen(connection: Connection, visitor: str, now: int, most: int) -> list[Notice]:
    """Return the notices of a visitor that they have not seen yet, the newest first."""
    query = (
        select(schema.notices)
        .where(_notices.visitor == visitor, _notices.seen.is_(None), _notices.at <= now, listed())
        .order_by(_notices.at.desc(), _notices.id)
        .limit(most)
    )
    return notices_of(connection, connection.execute(query).all(), visitor)


# --- by which ways ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Untold:
    """A notice of which it is not decided yet by which ways it is sent, and where it can be sent to."""

    id: str
    kind: str
    account: str | None
    preferences: Preferences
    targets: tuple[tuple[Way, str], ...]


def untold(connection: Connection, until: int) -> list[Untold]:
    """Return notices since before a time that were not decided on; seen ones, and those of guests, go nowhere."""
    accounts, kept = schema.accounts.c, schema.notice_settings.c
    query = (
        select(_notices.id, _notices.kind, _notices.seen, accounts.id.label("account"), accounts.mail_confirmed)
        .add_columns(kept.body)
        .outerjoin(schema.accounts, and_(accounts.visitor == _notices.visitor, accounts.deleted.is_(None)))
        .outerjoin(schema.notice_settings, kept.account == accounts.id)
        .where(_notices.told.is_(None), _notices.at <= until)
        .order_by(_notices.at)
        .limit(_AT_ONCE)
    )
    rows = connection.execute(query).all()
    targets = _targets(connection, {row.account for row in rows if row.account is not None})
    found = []
    for row in rows:
        places: list[tuple[Way, str]] = []
        if row.account is not None and row.seen is None:
            places = [*targets.get(row.account, ()), *([(MAIL, "")] if row.mail_confirmed is not None else [])]
        found.append(Untold(row.id, row.kind, row.account, Preferences.of(row.body), tuple(places)))
    return found


def _targets(connection: Connection, accounts: Iterable[str]) -> dict[str, list[tuple[Way, str]]]:
    """Return the browsers and hooks of accounts; a browser counts as long as it is signed in."""
    pushes, hooks, sessions = schema.push_subscriptions.c, schema.web_hooks.c, schema.sessions.c
    signed_in = exists().where(sessions.id == pushes.session, sessions.account == pushes.account)
    found: dict[str, list[tuple[Way, str]]] = {}
    asked = list(accounts)
    for row in connection.execute(select(pushes.account, pushes.id).where(pushes.account.in_(asked), signed_in)):
        found.setdefault(row.account, []).append((PUSH, row.id))
    for row in connection.execute(select(hooks.account, hooks.id).where(hooks.account.in_(asked))):
        found.setdefault(row.account, []).append((HOOK, row.id))
    return found


def telling(notices: Sequence[Untold], now: int, insert_once: Callable[[Table], Executable]) -> list[Statement]:
    """Return the statements that decide by which ways notices are sent, and when."""
    rows = [row for notice in notices for row in _planned(notice, now)]
    decided = update(schema.notices).where(_notices.id.in_([each.id for each in notices])).values(told=now)
    return [*([(insert_once(schema.deliveries), rows)] if rows else []), (decided, ())]


def _planned(notice: Untold, now: int) -> Iterable[dict[str, Any]]:
    wanted = notice.preferences
    for way, target in notice.targets:
        if not wanted.wants(notice.kind, way):
            continue
        common = {"account": notice.account, "way": way, "target": target, "tries": 0}
        if wanted.in_digest(notice.kind, way):
            at = wanted.digest_at(now)
            # The message of the day is the same row for all that goes with it.
            yield {**common, "id": secrets.token_hex(8), "notice": f"digest {at}", "role": DIGEST, "at": at}
            yield {**common, "id": secrets.token_hex(8), "notice": notice.id, "role": PART, "at": at}
        else:
            at = wanted.at_once(now)
            yield {**common, "id": secrets.token_hex(8), "notice": notice.id, "role": SINGLE, "at": at}


# --- sending ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Delivery:
    """Something to be sent: one notice, or several in a digest, to one place. ``notices`` is empty if all are over."""

    id: str
    way: Way
    target: str
    account: str
    role: str
    tries: int
    name: str
    mail: str | None
    language: str
    notices: tuple[Notice, ...]
    parts: tuple[str, ...]
    """The ids of the deliveries that are done with this one."""


def claiming(claim: str, way: Way, now: int, lease: int, most: int) -> Statement:
    """Return the statement by which a process claims what is due by a way; what another has claimed is left to it."""
    free = or_(_deliveries.until.is_(None), _deliveries.until < now)
    due = (
        select(_deliveries.id)
        .where(_deliveries.done.is_(None), _deliveries.role != PART, _deliveries.at <= now, free)
        .where(_deliveries.way == way)
        .order_by(_deliveries.at, _deliveries.id)
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    claimed = update(schema.deliveries).where(_deliveries.id.in_(due.scalar_subquery()))
    return claimed.values(claim=claim, until=now + lease), ()


def holding(ids: Sequence[str], until: int) -> Statement:
    """Return the statement by which a process keeps what it is sending."""
    kept = update(schema.deliveries).where(_deliveries.id.in_(ids), _deliveries.done.is_(None))
    return kept.values(until=until), ()


def releasing(ids: Sequence[str] | None = None) -> Statement:
    """Return the statement that gives back what a process was sending; without ``ids`` what all were."""
    mine = _deliveries.claim.is_not(None) if ids is None else _deliveries.id.in_(ids)
    return update(schema.deliveries).where(mine, _deliveries.done.is_(None)).values(claim=None, until=None), ()


def claimed(connection: Connection, claim: str) -> list[Delivery]:
    """Return what a process has claimed, with what is to be said as it is now."""
    accounts, kept = schema.accounts.c, schema.notice_settings.c
    query = (
        select(schema.deliveries, accounts.name, accounts.visitor, accounts.language, kept.body)
        .add_columns(accounts.mail, accounts.mail_confirmed)
        .join(schema.accounts, and_(accounts.id == _deliveries.account, accounts.deleted.is_(None)), isouter=True)
        .outerjoin(schema.notice_settings, kept.account == _deliveries.account)
        .where(_deliveries.claim == claim, _deliveries.done.is_(None))
        .order_by(_deliveries.at, _deliveries.id)
    )
    return [_delivery(connection, row) for row in connection.execute(query).all()]


def _delivery(connection: Connection, row: Row[*tuple[Any, ...]]) -> Delivery:
    parts: list[Any] = []
    if row.role == DIGEST:
        together = (_deliveries.account == row.account, _deliveries.way == row.way, _deliveries.target == row.target)
        query = select(_deliveries.id, _deliveries.notice).where(
            *together, _deliveries.role == PART, _deliveries.done.is_(None), _deliveries.at <= row.at
        )
        parts = list(connection.execute(query).all())
    about = [part.notice for part in parts] if row.role == DIGEST else [row.notice]
    preferences = Preferences.of(row.body)
    still = (
        select(schema.notices)
        .where(_notices.id.in_(about), _notices.seen.is_(None), listed())
        .order_by(_notices.at, _notices.id)
    )
    standing = [each for each in connection.execute(still).all() if preferences.wants(each.kind, row.way)]
    return Delivery(
        row.id,
        row.way,
        row.target,
        row.account,
        row.role,
        row.tries,
        row.name or "",
        row.mail if row.mail_confirmed is not None else None,
        preferences.language or row.language or "en",
        tuple(notices_of(connection, standing, row.visitor)) if row.visitor is not None else (),
        (row.id, *(part.id for part in parts)),
    )


def finishing(delivery: Delivery, now: int) -> list[Statement]:
    """Return the statements that say that something was sent, or is not to be."""
    done = update(schema.deliveries).where(_deliveries.id.in_(delivery.parts)).values(done=now, claim=None, until=None)
    return [(done, ())]


def postponing(delivery: Delivery, at: int, tries: int) -> list[Statement]:
    """Return the statements by which something is tried again at a time."""
    later = update(schema.deliveries).where(_deliveries.id == delivery.id)
    return [(later.values(at=at, tries=tries, claim=None, until=None), ())]


def deleting_old(before: int) -> list[Statement]:
    """Return the statements that delete notices since before a time, and deliveries of those that are gone."""
    orphans = and_(_deliveries.role != DIGEST, ~exists().where(_notices.id == _deliveries.notice))
    return [
        (delete(schema.notices).where(_notices.at < before), ()),
        (delete(schema.deliveries).where(or_(orphans, _deliveries.at < before)), ()),
    ]
