"""Models of what clocks and games over days ask and answer."""

from typing import Annotated, Any

from pydantic import BaseModel, Field, StrictInt, StrictStr

from triskele.server.clocks.conditional_moves import LINE_LIMIT
from triskele.server.http.models import Strict

MoveText = Annotated[StrictStr, Field(min_length=1, max_length=200)]
MoveLine = Annotated[list[MoveText], Field(max_length=LINE_LIMIT)]


class ConditionalAsked(Strict):
    """The conditional moves of a seat: lines of moves from the position now, each ending with a move of its own."""

    seat: Annotated[StrictInt, Field(ge=0, le=11)]
    lines: Annotated[list[MoveLine], Field(max_length=200)]


class ConditionalShown(BaseModel):
    """The conditional moves of a seat that can still be made, from the position after ``at`` moves."""

    at: int
    lines: list[list[str]]


class LineAsked(Strict):
    """A line of moves that a seat tries out."""

    seat: Annotated[StrictInt, Field(ge=0, le=11)]
    line: MoveLine


class LineShown(BaseModel):
    """The position after a line, as the seat may know it: whose turn it is then, and the legal moves."""

    turn: int | str | None
    look: dict[str, Any]


class VacationAsked(Strict):
    """A vacation that begins now."""

    days: Annotated[StrictInt, Field(ge=1, le=365)]


class VacationShown(BaseModel):
    """Until when my clocks in games over days rest (null: they do not), and how many days are left this year."""

    until: int | None
    days_left: int
