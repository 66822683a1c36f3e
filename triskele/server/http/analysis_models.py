"""Models of the HTTP requests and answers about analyses; see :mod:`triskele.server.analysis`."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr

from triskele.core.animation import FRAMES_LIMIT, USUAL_FRAMES, USUAL_WIDTH, WIDTH_LIMIT
from triskele.core.drafts import PLACES_LIMIT
from triskele.core.position import LINE_LIMIT
from triskele.core.variations import MARKS_LIMIT
from triskele.server.analysis import MOVES_LIMIT
from triskele.server.http.models import Look, Strict, Theme, Value, Written

Name = Annotated[StrictStr, Field(max_length=64)]
Token = Annotated[StrictStr, Field(max_length=64)]


class GameAsked(Strict):
    """A game with options, and where an analysis of it begins: a position text, or null for its start."""

    game: Name
    options: Annotated[dict[str, Value], Field(default_factory=dict, max_length=32)]
    start: Annotated[StrictStr, Field(max_length=LINE_LIMIT)] | None = None


class PositionAsked(GameAsked):
    """A position of an analysis: after some moves."""

    moves: Annotated[list[Written], Field(default_factory=list, max_length=MOVES_LIMIT)]


class TokensAsked(PositionAsked):
    """A half-entered move in a position of an analysis."""

    tokens: Annotated[list[Written], Field(max_length=64)]


class Marked(Strict):
    """What is marked on the board after ``at`` moves: each mark is a place, or two for an arrow."""

    at: Annotated[StrictInt, Field(ge=0, le=MOVES_LIMIT)]
    marks: Annotated[list[Annotated[list[Token], Field(min_length=1, max_length=2)]], Field(max_length=MARKS_LIMIT)]


class PictureAsked(PositionAsked):
    """A position of an analysis as a picture, with its marks."""

    theme: Theme = "light"
    width: Annotated[StrictInt, Field(ge=100, le=2000)] = 1000
    marked: Annotated[list[Marked], Field(default_factory=list, max_length=FRAMES_LIMIT)]


class AnimationAsked(PictureAsked):
    """The last moves of a position of an analysis, to be shown one after the other, each with its marks."""

    last: Annotated[StrictInt, Field(ge=0, lt=FRAMES_LIMIT)] = USUAL_FRAMES - 1
    width: Annotated[StrictInt, Field(ge=100, le=WIDTH_LIMIT)] = USUAL_WIDTH


class DraftAsked(GameAsked):
    """What stands where on a board that is set up by hand, and what is said beside it."""

    board: Annotated[dict[Token, Token], Field(max_length=PLACES_LIMIT)]
    fields: Annotated[dict[Name, Token], Field(default_factory=dict, max_length=32)]


class PositionShown(BaseModel):
    """A position of an analysis, with nothing hidden.

    ``chance``: what a roll or draw can bring, with weights; ``ending``: how the game ended, in words; ``state``: the
    position for an engine in the page, as the seat to act may know it.
    """

    turn: int | str | None
    position: str
    made: dict[str, Any] | None
    look: Look
    chance: list[tuple[str, int]]
    outcome: dict[str, Any] | None
    ending: str
    state: str
    history: list[int]


class Advice(BaseModel):
    """What an engine thinks of a position of an analysis."""

    scores: list[float]
    lines: list[list[str]]
    depth: int
    nodes: int
    proven: int | None = None


class SetupShown(BaseModel):
    """How positions of a game are set up by hand: see ``triskele.core.contract.setup``.

    ``reason``: why they cannot be, if they cannot; ``ground``: the scene of a board with nothing on it.
    """

    reason: str
    things: list[dict[str, Any]]
    fields: list[dict[str, Any]]
    empty: str
    draft: dict[str, Any] | None
    ground: dict[str, Any] | None


class PositionText(BaseModel):
    """A position as one line."""

    position: str


class PlayedMove(BaseModel):
    """A move, in how many games it was made, and which part of them whoever made it won."""

    move: str
    games: int
    won: float


class Openings(BaseModel):
    """What was played in a position: by engines among themselves, and in the visitor's finished games."""

    engines: list[PlayedMove]
    own: list[PlayedMove]
    note: str


class AnalysisShown(BaseModel):
    """A game with variations: see ``triskele.core.variations``.

    ``games``: how many games the file has that it was read from, where there are others than this one.
    """

    model_config = ConfigDict(extra="allow")

    game: str
    options: dict[str, Any]
    start: str | None
    seats: list[str]
    moves: list[str]
    annotations: list[Any] = []
    games: int | None = None
