"""Analyses: positions of any game that are at no table. Nothing is stored: a request says it all.

These functions run on worker processes (:mod:`triskele.server.engines.table_jobs`). In an analysis nothing is hidden:
the game is over, or nobody's but the reader's.
"""

import base64
import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from triskele.core.animation import apng, last_scenes
from triskele.core.board_marks import Marks
from triskele.core.contract import CHANCE
from triskele.core.contract.record_format import record_formats
from triskele.core.contract.setup import Draft
from triskele.core.document import Item, read_json, refused_at
from triskele.core.drafts import draft_of, ground_of, position_of, setup_of
from triskele.core.draw import Theme, png
from triskele.core.errors import IllegalMove, OptionError, RecordError
from triskele.core.explorer import MoveCounts, shipped
from triskele.core.game import Variant, game
from triskele.core.options import Value
from triskele.core.position import LINE_LIMIT, Position, position
from triskele.core.record_parts import NAME_LIMIT, TEXT_LIMIT, actor_document, for_each_seat, outcome_document
from triskele.core.records import BYTES_LIMIT, Record
from triskele.core.variations import GameTree, Line, check_variations, read_line
from triskele.core.words import say, text
from triskele.server.study import explain_entered

MOVES_LIMIT = 4_000
"""No position of an analysis comes after more moves."""
VALUES_LIMIT = 200_000
"""No document of an analysis has more values."""


@dataclass(frozen=True)
class Place:
    """A position of an analysis: where it begins (``None``: at the start of a game), and the moves from there."""

    game: str
    options: dict[str, Value]
    start: str | None = None
    moves: tuple[str, ...] = ()

    def first(self) -> Position:
        """Return the position in which the analysis begins; raises as :func:`triskele.core.position.position`."""
        return _begun(game(self.game).variant(self.options), self.start)

    def position(self) -> Position:
        """Return the position after the moves; ``IllegalMove`` says which cannot be made, and why."""
        reached = self.first()
        for written in self.moves:
            reached.push(written)
        return reached


def _begun(variant: Variant, start: str | None) -> Position:
    if start is None:
        return Position(variant)
    begun = position(start)
    if begun.variant is not variant:
        raise RecordError(text("core.record-start-variant"))
    return begun


# --- a position -----------------------------------------------------------------------------------


def position_document(place: Place, language: str) -> dict[str, Any]:
    """Return a position as the page shows it: scene, legal moves of the one to act, what chance can bring, the end."""
    reached = place.position()
    turn, outcome = reached.turn, reached.outcome()
    seat = turn if turn is not None and turn >= 0 else None
    known = reached.seen_by(seat)
    made = None
    if reached.moves:
        made = {"move": reached.moves[-1].text, "seat": actor_document(reached.movers[-1])}
    look = {
        "seat": seat,
        "view": reached.view_without_moves(seat) | {"position": str(reached)},
        "scene": reached.scene(seat, language, unhidden=True),
        "ask": "" if turn is None else reached.ask(language),
        "moves": [] if turn == CHANCE else [[move.text, move.spellings] for move in reached.legal_moves],
        "interrupts": [[move.text, move.spellings] for move in reached.interrupts],
    }
    return {
        "turn": actor_document(turn),
        "position": str(reached),
        "made": made,
        "look": look,
        "chance": [[move.text, weight] for move, weight in reached.chance_outcomes()],
        "outcome": None if outcome is None else outcome_document(outcome),
        "ending": reached.ending(language),
        "state": base64.b64encode(known.state.astype("<i8").tobytes()).decode("ascii"),
        "history": reached.codes_seen_by(seat) if reached.variant.game.hidden else [],
    }


def explain(place: Place, tokens: Sequence[str], language: str) -> dict[str, Any]:
    """Return why a half-entered move cannot be, empty if it can, and notes of the moves that a token completes."""
    return explain_entered(place.position(), tokens, language)


@dataclass(frozen=True)
class Drawing:
    """How positions are drawn: in which theme, how wide in pixels, and with which marks after how many moves."""

    theme: Theme
    width: int
    language: str
    marks: Mapping[int, Marks] = field(default_factory=dict)


def picture(place: Place, drawing: Drawing) -> bytes:
    """Return a position as a PNG."""
    scene = last_scenes(place.position(), 0, drawing.language, unhidden=True)[0]
    return png(scene, drawing.theme, drawing.width, marks=drawing.marks.get(len(place.moves), ()))


def animation(place: Place, moves: int, drawing: Drawing) -> bytes:
    """Return the last moves as an animated PNG; takes up to some seconds."""
    scenes = last_scenes(place.position(), moves, drawing.language, unhidden=True)
    first = len(place.moves) - len(scenes) + 1
    marks = [drawing.marks.get(at, ()) for at in range(first, len(place.moves) + 1)]
    return apng(scenes, drawing.theme, drawing.width, marks=marks)


# --- openings -------------------------------------------------------------------------------------

OwnGame = tuple[list[str], list[float]]
"""The first moves of a game, and the seats' shares of the win."""


def openings(place: Place, own: Sequence[OwnGame], language: str) -> dict[str, Any]:
    """Return what was played in a position: by engines in the games that come with the game, and in a visitor's own."""
    reached = place.position()
    variant = reached.variant
    found = shipped(variant.game)
    engines = [] if found is None or found[0].variant is not variant else found[0].played(reached)
    counts = MoveCounts(variant)
    for moves, shares in own:
        with contextlib.suppress(IllegalMove):  # a game under rules that have changed since
            counts.add(moves, shares)
    note = text("core.explorer-chance") if reached.turn == CHANCE else None
    if found is not None and found[0].variant is not variant:
        note = text("core.explorer-options")
    return {
        "engines": [vars(each) for each in engines],
        "own": [vars(each) for each in counts.played(reached)],
        "note": "" if note is None else say(note, language),
    }


# --- setting up -----------------------------------------------------------------------------------


def setup_document(name: str, options: Mapping[str, Value], start: str | None, language: str) -> dict[str, Any]:
    """Return what can stand on the board of a game and what is to be said beside it, and the draft of a position.

    A game that is set up by its position text only has neither; ``reason`` says so.
    """
    variant = game(name).variant(options)
    setup = setup_of(variant.game)
    if setup is None:
        why = say(text("core.setup-none", game=variant.game.title), language)
        return {"reason": why, "things": [], "fields": [], "empty": "", "draft": None, "ground": None}
    draft = draft_of(_begun(variant, start))
    return {
        "reason": "",
        "things": [
            {"sign": thing.sign, "name": say(thing.name, language), "sprite": thing.sprite, "most": thing.most}
            for thing in setup.things(variant.options)
        ],
        "fields": [
            {
                "name": each.name,
                "label": say(each.label, language),
                "values": [{"value": value, "label": say(label, language)} for value, label in each.values],
            }
            for each in setup.fields(variant.options)
        ],
        "empty": setup.empty,
        "draft": {"board": dict(draft.board), "fields": dict(draft.fields)},
        "ground": ground_of(variant, language).data(),
    }


def set_up(name: str, options: Mapping[str, Value], board: Mapping[str, str], fields: Mapping[str, str]) -> str:
    """Return the text of the position that a draft means; ``RecordError`` says by the rules why it is none."""
    return str(position_of(game(name).variant(options), Draft(board, fields)))


# --- whole analyses -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Analysis:
    """A game with its variations, checked: what the page keeps, shares and exports."""

    variant: Variant
    start: str | None
    line: Line
    seats: tuple[str, ...] = field(default=())
    games: int = 1
    """How many games the file had that it was read from; this is the first of them."""

    def document(self) -> dict[str, Any]:
        """Return it as plain data, for the page; ``games`` only where there are others than this one."""
        others = {"games": self.games} if self.games > 1 else {}
        return {
            **others,
            "game": self.variant.game.name,
            "options": dict(self.variant.options),
            "start": self.start,
            "seats": list(self.seats),
            **self.line.document(),
        }

    def record(self) -> Record:
        """Return it as a record with annotations."""
        return Record.of_tree(GameTree(_begun(self.variant, self.start), self.line), seats=self.seats)


def read_analysis(data: bytes) -> Analysis:
    """Read what the page keeps, a record, or a file of a format that a game declares; everything in it is checked.

    ``RecordError`` says what is wrong, and where.
    """
    if data.lstrip()[:1] == b"(":
        records = _foreign(data)
        return replace(_of_record(records[0]), games=len(records))
    root = read_json(data, BYTES_LIMIT, VALUES_LIMIT)
    if isinstance(root.value, dict) and "format" in root.value:
        return _of_record(Record.from_json(data))
    return _own(root)


def _foreign(data: bytes) -> list[Record]:
    """Return the games of a file of another site; there is at least one."""
    refused: RecordError | None = None
    for declared in record_formats():
        try:
            return declared.loads(data)
        except RecordError as error:
            refused = error
    raise refused or RecordError(text("core.sgf-empty"))


def _of_record(record: Record) -> Analysis:
    record.replay()
    return Analysis(record.variant, record.start, record.line(), record.seats)


_REQUIRED = frozenset(("game", "moves"))
_OPTIONAL = frozenset(("options", "start", "seats", "annotations"))


def _own(root: Item) -> Analysis:
    items = root.fields(_REQUIRED, _OPTIONAL)
    start = items.get("start", Item(None))
    written = None if start.value is None else start.string(LINE_LIMIT)
    try:
        declared = game(items["game"].string(TEXT_LIMIT))
        given = items["options"] if "options" in items else Item({}, "options")
        chosen = given.fields(frozenset(), frozenset(option.name for option in declared.options))
        variant = declared.variant({key: item.value for key, item in chosen.items()})
        if "options" not in items and written is not None:
            variant = position(written).variant  # a position text says which options it has
    except OptionError as error:
        raise RecordError(error.text) from None
    line = read_line(Item({key: root.value[key] for key in ("moves", "annotations") if key in root.value}))
    seats = items.get("seats", Item([]))
    names = tuple(item.string(NAME_LIMIT) for item in for_each_seat(seats, variant.seats)) if seats.value else ()
    found = Analysis(variant, written, line, names)
    first = _begun(variant, written)
    _check_main(first, line)
    check_variations(first, line)
    return found


def _check_main(first: Position, line: Line) -> None:
    moving = first.copy()
    for number, written in enumerate(line.moves):
        try:
            moving.push(written)
        except IllegalMove as error:
            why = text("core.record-move", number=number + 1, why=error.text)
            raise refused_at(f"moves[{number}]", why) from None


def export(data: bytes, extension: str) -> bytes:
    """Return an analysis as a file: ``json``, or the extension of a format that its game has."""
    record = read_analysis(data).record()
    if extension == "json":
        return record.to_json().encode()
    for declared in record_formats():
        if declared.game == record.game and declared.extension == extension:
            return declared.dumps([record]).encode()
    raise RecordError(text("core.no-format", game=record.variant.game.title, extension=extension))
