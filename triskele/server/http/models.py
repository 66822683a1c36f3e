"""Models of HTTP requests and answers: requests are validated by them, both are described in the OpenAPI document."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from triskele.server.http.struct_models import response_model
from triskele.server.live import protocol
from triskele.server.tables.history import LINE_LIMIT
from triskele.server.tables.table import Series

Name = Annotated[StrictStr, Field(max_length=40)]
Written = Annotated[StrictStr, Field(min_length=1, max_length=200)]
Theme = Literal["light", "dark"]
Value = StrictBool | StrictInt | StrictStr


class Strict(BaseModel):
    """A model that refuses unknown members."""

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
    series: Series | None = None
    hints: StrictBool | None = None
    """Whether hints are allowed; by default they are unless somebody is invited by a link."""
    clock: Annotated[StrictStr, Field(max_length=64)] | None = None
    """The time control as docs/clocks.md writes it, such as `5+3` or `3d`; without one there is no clock."""


class SeatTaken(Strict):
    """A seat to be taken: with its key, or without one at a public table."""

    key: Annotated[StrictStr, Field(max_length=64)] | None = None
    name: Name = ""


class KeyShown(Strict):
    """A key of a link."""

    key: Annotated[StrictStr, Field(max_length=64)]


class HintAsked(Strict):
    """The seat that wants a hint."""

    seat: Annotated[StrictInt, Field(ge=0, le=11)]


class AnalysisAsked(Strict):
    """The position to analyse: after ``at`` moves (now if left out), for a seat in a game with secrets."""

    at: Annotated[StrictInt, Field(ge=0, le=10**9)] | None = None
    seat: Annotated[StrictInt, Field(ge=0, le=11)] | None = None


class LineAsked(Strict):
    """A line of moves that begins after ``at`` moves, as ``seat`` knows the position: by default my only seat."""

    at: Annotated[StrictInt, Field(ge=0, le=10**9)]
    seat: Annotated[StrictInt, Field(ge=0, le=15)] | None = None
    line: Annotated[list[Annotated[StrictStr, Field(max_length=200)]], Field(min_length=1, max_length=LINE_LIMIT)]


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


class PromptShown(BaseModel):
    """What is asked inside a half-entered move: see ``triskele.core.prompts``; ``null`` is any place."""

    after: list[str | None]
    place: bool
    text: str


class WordingShown(BaseModel):
    """How moves of one kind read in words: see ``triskele.core.wordings``; ``pattern`` is for JavaScript."""

    pattern: str
    key: str
    signs: dict[str, str]


class EngineShown(BaseModel):
    """The files of a game's engine for the page, by name: its WebAssembly module, and the description of that.

    ``appraises``: it can say what a move was worth in a game with dice or secrets, for reviews.
    """

    module: str
    description: str
    appraises: bool


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
    notes: bool
    seat_sprites: list[str]
    prompts: list[PromptShown]
    wordings: list[WordingShown]
    options: list[OptionShown]
    presets: list[Preset]
    formats: list[str]
    engine: EngineShown | None


class Visitor(BaseModel):
    """The signed value that identifies a visitor."""

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


class InvitationShown(BaseModel):
    """What the key of a link opens, and who invites to which game; ``host`` is empty where nobody is named.

    ``account``: it is the name of an account; a guest's may look like one.
    """

    opens: Literal["seat", "taken", "own", "watch"]
    seat: int | None
    game: str
    title: str
    host: str
    account: bool


class TableRemoved(BaseModel):
    """Whether the whole table was deleted, or only taken off my list."""

    deleted: bool


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


TableShown = response_model(protocol.TableDocument, "TableShown", {protocol.Look: Look})
"""A table as a visitor may see it."""


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
    clock: str | None
    due: Annotated[int | None, Field(description="when the clock of a game over days may be out of time")]
    seats: list[dict[str, Any]]


class TablesListed(BaseModel):
    """My tables, those that go on first, and the public ones that wait for players."""

    mine: list[TableListed]
    waiting: list[TableListed]


class At(BaseModel):
    """The position after ``at`` moves, for replay."""

    at: int
    turn: int | str | None
    look: Look


class LessonStep(BaseModel):
    """A step of a course, with ``marks`` and ``solution``; the first game has ``level``, ``options``, ``watch``."""

    id: str
    seat: int
    name: str
    say: str
    marks: list[str] | None = None
    solution: list[str] | None = None
    level: int | None = None
    options: dict[str, Any] | None = None
    watch: list[str] | None = None


class LessonTry(Strict):
    """The learner's decisions in a step, from its beginning on."""

    decisions: list[Written] = Field(max_length=64)


class LessonTokens(LessonTry):
    """A half-entered move after the learner's decisions."""

    tokens: list[Written] = Field(max_length=64)


class TokensExplained(BaseModel):
    """Why a half-entered move cannot be, in words (empty if it can), and notes of the moves that a token completes."""

    reason: str
    notes: dict[str, str]


class LessonFrame(BaseModel):
    """A position to show, and the move that led to it (none at the beginning of a step)."""

    made: dict[str, Any] | None
    turn: int | str | None
    look: Look


class LessonJudged(BaseModel):
    """What has become of a try: see ``triskele.core.lessons.Verdict``."""

    status: Literal["going", "solved", "wrong", "refused"]
    text: str | None
    frames: list[LessonFrame]


class PuzzleListed(BaseModel):
    """A puzzle without its solution: see ``triskele.core.puzzles.Puzzle``. ``task`` says what is to be done."""

    id: str
    kind: str
    task: str
    seat: int
    turns: int
    difficulty: int


class ReviewShown(BaseModel):
    """A review as far as it has come: how many positions are valued, of how many; see ``docs/review.md``."""

    done: int
    of: int
    review: dict[str, Any]


class ReviewPositions(BaseModel):
    """What is to be asked in each position of a game for a review in the page, and how scores become chances.

    See ``triskele.reviewing.material``.
    """

    positions: list[dict[str, Any] | None]
    moves: list[dict[str, Any]]
    seats: int
    hidden: bool
    chance: bool
    winners: list[int] | None
    result: list[float] | None
    end: list[float] | None
    nodes: int
    seed: int
    unit: float | None
    curve: dict[str, float]


class StateShown(BaseModel):
    """A position for an engine in the page: see ``triskele.server.tables.history.known_state``.

    ``seed`` and ``seconds`` are those of the engines at the table.
    """

    at: int
    turn: int | str | None
    seat: int | None
    state: str
    moves: list[Any]
    history: list[int]
    seed: int
    seconds: float


class Explanation(BaseModel):
    """Why the first move of a line is good, in words, null where the game has none for it; whether it ends the game.

    ``wins``: the seat to act wins by the line before another seat decides.
    """

    why: str | None
    wins: bool


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
    """The result of checking the dice.

    ``outcomes`` says what each roll could bring, with weights; null where it is always one fair die.
    """

    proved: bool
    rolls: int
    commitment: str
    lines: list[str]
    outcomes: list[list[tuple[str, int]]] | None = None


class RecordOpened(BaseModel):
    """The table that a record was opened at; what its dice prove, if it has any to prove.

    ``annotated``: the record has comments, marks or variations, which the table's record keeps and an analysis shows.
    """

    table: str
    proof: ProofShown | None = None
    annotated: bool = False


class Health(BaseModel):
    """The state of the server, for monitoring."""

    version: str
    tables: int
    seconds: float
    commits: int
    lag_ms: float


class Ready(BaseModel):
    """Whether the server can serve, and what it needs and does not have."""

    ready: bool
    down: list[Literal["database", "bus", "engines"]]
