"""Links that are sent by mail: they work once, for a while, and the database has their hash alone."""

from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, Executable, delete, insert, select

from triskele.server.accounts.credentials import hashed, new_secret
from triskele.server.refusal import Refusal
from triskele.server.storage import schema
from triskele.server.storage.database import Rows, Storage
from triskele.server.tables.service import now

Kind = Literal["confirm", "reset"]
HOURS: dict[Kind, int] = {"confirm": 24, "reset": 1}
"""How long a link works: to confirm an address, to set a new password."""
_HOUR_MS = 3_600_000
Statements = list[tuple[Executable, Rows]]


@dataclass(frozen=True)
class MailLink:
    """A link that is valid: whose, for which address, and the statements that use it up."""

    account: str
    mail: str
    spend: Statements


def make(kind: Kind, account: str, mail: str) -> tuple[str, Statements]:
    """Return the secret value of a new link, and the statements that store it instead of older ones."""
    value = new_secret()
    row = {"hash": hashed(value), "kind": kind, "account": account, "mail": mail, "expires": now() + _life(kind)}
    columns = schema.mail_links.c
    older = delete(schema.mail_links).where(columns.account == account, columns.kind == kind)
    return value, [(older, ()), (insert(schema.mail_links), [row])]


async def find(storage: Storage, kind: Kind, value: str) -> MailLink:
    """Return the link with a value; ``Refusal`` if it was used, replaced or is too old.

    Its statements conflict if somebody uses it at the same time: who writes first has it.
    """
    key = hashed(value)
    columns = schema.mail_links.c
    query = select(schema.mail_links).where(columns.hash == key, columns.kind == kind, columns.expires > now())

    def run(connection: Connection) -> MailLink | None:
        row = connection.execute(query).first()
        if row is None:
            return None
        spent = insert(schema.spent), [{"hash": key, "expires": row.expires}]
        return MailLink(row.account, row.mail, [spent, (delete(schema.mail_links).where(columns.hash == key), ())])

    found = await storage.read(run)
    if found is None:
        raise Refusal("link")
    return found


def _life(kind: Kind) -> int:
    return HOURS[kind] * _HOUR_MS


def deleting_old() -> Statements:
    """Return the statements that delete what has expired."""
    return [(delete(kind).where(kind.c.expires < now()), ()) for kind in (schema.mail_links, schema.spent)]
