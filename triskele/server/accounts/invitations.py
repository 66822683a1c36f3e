"""Invitation codes: with one somebody can make an account at a server that is not open to all."""

import secrets
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, Executable, delete, insert, select, update

from triskele.server.accounts.credentials import hashed, new_id
from triskele.server.refusal import Refusal
from triskele.server.storage import schema
from triskele.server.storage.database import Rows, Storage
from triskele.server.tables.service import now

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_GROUPS, _GROUP = 4, 4
_HOUR_MS = 3_600_000


@dataclass(frozen=True)
class Invitation:
    """An invitation code without the code."""

    id: str
    note: str
    uses: int
    created: int
    expires: int | None

    def document(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def _plain(code: str) -> str:
    return "".join(letter for letter in code.lower() if letter.isalnum())


async def make(storage: Storage, uses: int, hours: float | None, note: str, also: tuple[Executable, Rows]) -> str:
    """Return a new code with which some accounts can be made; ``also`` is written with it. It is shown once."""
    code = "-".join("".join(secrets.choice(_LETTERS) for _ in range(_GROUP)) for _ in range(_GROUPS))
    row = {
        "hash": hashed(_plain(code)),
        "id": new_id(),
        "note": note,
        "uses": uses,
        "created": now(),
        "expires": None if hours is None else now() + int(hours * _HOUR_MS),
    }
    await storage.write(statements=[(insert(schema.invitations), [row]), also])
    return code


async def using(storage: Storage, code: str) -> tuple[Executable, Rows]:
    """Return the statement that uses a code once; ``Refusal`` if it is not valid. One use too many conflicts."""
    columns = schema.invitations.c
    key = hashed(_plain(code[:100]))
    valid = (columns.hash == key, columns.uses > 0, columns.expires.is_(None) | (columns.expires > now()))
    found = await storage.read(lambda c: c.execute(select(columns.id).where(*valid)).first())
    if found is None:
        raise Refusal("invitation")
    return update(schema.invitations).where(columns.hash == key).values(uses=columns.uses - 1), ()


def all_of_them(connection: Connection) -> list[Invitation]:
    """Return all codes that can still be used, the newest first."""
    columns = schema.invitations.c
    rows = connection.execute(select(schema.invitations).where(columns.uses > 0).order_by(columns.created.desc()))
    return [Invitation(row.id, row.note, row.uses, row.created, row.expires) for row in rows]


def revoking(invitation_id: str) -> tuple[Executable, Rows]:
    """Return the statement that revokes a code."""
    return delete(schema.invitations).where(schema.invitations.c.id == invitation_id), ()
