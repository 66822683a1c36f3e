"""Models of the requests and answers for hosts."""

from typing import Annotated, Any

from pydantic import BaseModel, Field, StrictBool, StrictInt, StrictStr

from triskele.server.http.models import Strict
from triskele.server.moderation.sanctions import Kind

Reason = Annotated[StrictStr, Field(max_length=500)]
Target = Annotated[StrictStr, Field(min_length=1, max_length=64)]
HOURS_LIMIT = 10 * 366 * 24
DAYS_LIMIT = 36_500


class HostReason(Strict):
    """Why something is done; it goes into the audit log."""

    reason: Reason = ""


class SanctionAsked(Strict):
    """A sanction against a visitor (by id), an address or a network; without hours it holds for good."""

    kind: Kind
    target: Target
    hours: Annotated[float, Field(gt=0, le=HOURS_LIMIT)] | None = None
    reason: Reason = ""


class LiftAsked(Strict):
    """Whom no sanction is against any longer."""

    target: Target
    reason: Reason = ""


class RetentionAsked(Strict):
    """After how many days finished games are deleted; with ``trial`` they are only counted."""

    days: Annotated[float, Field(ge=0, le=DAYS_LIMIT)] | Annotated[StrictInt, Field(ge=0, le=DAYS_LIMIT)]
    trial: StrictBool = False


class HostSeat(BaseModel):
    """A seat with its visitors, and whose account it is."""

    seat: int
    kind: str
    name: str
    visitors: list[str]
    account: str | None = None
    bot: bool | None = None
    deleted: bool | None = None


class HostTable(BaseModel):
    """A table as a host sees it: nothing of the position."""

    table: str
    game: str
    opened: int
    changed: int
    opener: str
    private: bool
    over: bool
    moves: int
    seats: list[HostSeat]
    spectators: list[str]


class HostLine(BaseModel):
    """A line of chat, with who wrote it; `name` is that of the account, or what a guest was called then."""

    seat: int
    visitor: str | None
    name: str
    account: str | None = None
    bot: bool | None = None
    deleted: bool | None = None
    text: str
    time: int


class HostTableShown(HostTable):
    """A table with its chat."""

    chat: list[HostLine]


class HostDone(BaseModel):
    """What was done."""

    done: str


class HostSeatFreed(BaseModel):
    """The link that takes the seat now."""

    link: str


class Sanction(BaseModel):
    """A sanction that holds until a time, or for good (null)."""

    kind: Kind
    target: str
    since: int
    until: int | None
    reason: str


class Retained(BaseModel):
    """How many tables were deleted, or would be."""

    tables: int


class AuditEntry(BaseModel):
    """An entry of the audit log."""

    number: int
    time: int
    actor: str
    action: str
    target: str
    detail: dict[str, Any]


class HostConnection(BaseModel):
    """A live connection."""

    visitor: str | None
    address: str
    tables: list[str]
