"""What HTTP requests and answers hold. They are checked on the way in and described in the OpenAPI document."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

Name = Annotated[StrictStr, Field(max_length=40)]
Language = Literal["de", "en", "es", "fr", "it", "nl", "pl"]
Theme = Literal["light", "dark"]
Value = StrictBool | StrictInt | StrictStr


class Strict(BaseModel):
    """Refuses what it does not know."""

    model_config = ConfigDict(extra="forbid")


class SeatAsked(Strict):
    """A seat of a table to be opened."""

    kind: Literal["me", "here", "link", "engine"]
    name: Name = ""
    level: Annotated[StrictInt, Field(ge=1, le=10)] | None = None


class TableAsked(Strict):
    """A table to be opened."""

    game: Annotated[StrictStr, Field(max_length=64)]
    options: Annotated[dict[str, Value], Field(max_length=32)] = {}
    seats: Annotated[list[SeatAsked], Field(min_length=1, max_length=12)]
    first: Literal["order", "lots"] | Annotated[StrictInt, Field(ge=0, le=11)] = "order"
    private: StrictBool = True
    rated: StrictBool = False
    series: Literal["swap", "same", "loser"] | None = None


class SeatTaken(Strict):
    """A seat to be taken: with its key, or without one at a public table."""

    key: Annotated[StrictStr, Field(max_length=64)] | None = None
    name: Name = ""


class HintAsked(Strict):
    """Whom to give a hint."""

    seat: Annotated[StrictInt, Field(ge=0, le=11)]


class AnalysisAsked(Strict):
    """What to analyse: the position after so many moves (the last if not said), for a seat in a game with secrets."""

    at: Annotated[StrictInt, Field(ge=0, le=10**9)] | None = None
    seat: Annotated[StrictInt, Field(ge=0, le=11)] | None = None


class ErrorText(BaseModel):
    """Why something was refused."""

    code: str
    text: str


class Error(BaseModel):
    """A refusal."""

    error: ErrorText


class OptionValue(BaseModel):
    """A value that an option can have."""

    value: Any
    label: str


class OptionShown(BaseModel):
    """An option of a game."""

    name: str
    kind: Literal["flag", "number", "choice", "pattern"]
    default: Any
    label: str
    allowed: str
    low: int | None = None
    high: int | None = None
    values: list[OptionValue] | None = None


class Preset(BaseModel):
    """A way to play."""

    options: dict[str, Any]
    text: str
    series: str


class GameShown(BaseModel):
    """A game to choose."""

    name: str
    title: str
    tagline: str
    minutes: list[int]
    seats: list[int]
    hidden: bool
    chance: bool
    rulebook: str
    series: str
    house_rules: list[str]
    options: list[OptionShown]
    presets: list[Preset]


class Visitor(BaseModel):
    """The value that proves to be a visitor."""

    visitor: str


class SeatOpened(BaseModel):
    """A seat of a table that was opened; a ``link`` seat has the key that takes it."""

    seat: int
    kind: str
    key: str | None = None


class TableOpened(BaseModel):
    """A table that was opened."""

    table: str
    seats: list[SeatOpened]
    watch: str


class SeatGiven(BaseModel):
    """The seat that was taken; null for a spectator."""

    seat: int | None


class Look(BaseModel):
    """How one seat, or a spectator, sees a position."""

    model_config = ConfigDict(extra="allow")

    seat: int | None
    view: dict[str, Any]
    scene: dict[str, Any] | None
    ask: str
    moves: list[Any]
    interrupts: list[Any]


class SeatShown(BaseModel):
    """A seat of a table."""

    seat: int
    kind: str
    name: str
    level: int | None
    present: bool
    mine: bool
    taken: bool
    key: str | None = None


class MoveShown(BaseModel):
    """A move that was made."""

    move: str
    seat: int | str
    ms: int


class TableShown(BaseModel):
    """A table as a visitor may see it."""

    table: str
    seq: int
    game: str
    title: str
    options: dict[str, Any]
    opened: int
    private: bool
    rated: bool
    series: str
    seats: list[SeatShown]
    moves: list[MoveShown]
    turn: int | str | None
    outcome: dict[str, Any] | None
    ended: dict[str, Any] | None
    text: str | None
    offers: list[dict[str, Any]]
    chat: list[dict[str, Any]]
    dice: dict[str, Any] | None
    watch: str | None
    next_table: str | None
    mine: list[Look]


class TableListed(BaseModel):
    """A table in a list."""

    table: str
    game: str
    title: str
    options: dict[str, Any]
    opened: int
    changed: int
    moves: int
    turn: int | str | None
    over: bool
    winners: list[int] | None
    private: bool
    seats: list[dict[str, Any]]


class TablesListed(BaseModel):
    """My tables, newest first, and the public ones that wait for players."""

    mine: list[TableListed]
    waiting: list[TableListed]


class At(BaseModel):
    """The position after so many moves, for replay."""

    at: int
    turn: int | str | None
    look: Look


class Hint(BaseModel):
    """A good move, and a sentence why."""

    move: str
    why: str


class Analysis(BaseModel):
    """What an engine thinks: a score a seat from -1 to 1, the best lines, best first."""

    at: int
    scores: list[float]
    lines: list[list[str]]
    depth: int
    nodes: int
    proven: int | None = None


class ProofShown(BaseModel):
    """What came of checking the dice."""

    proved: bool
    rolls: int
    commitment: str
    lines: list[str]


class RecordOpened(BaseModel):
    """The table that a record was opened at; what its dice prove, if it has any to prove."""

    table: str
    proof: ProofShown | None = None


class Health(BaseModel):
    """How the server is."""

    version: str
    tables: int
    seconds: float
    commits: int
    lag_ms: float
