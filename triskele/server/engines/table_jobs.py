"""Jobs that take long and must not hold up the server: pictures, records, proofs, reviews, lessons, puzzles, analyses.

They run on worker processes of this machine only, since they get whole positions, secrets included.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from triskele.core.dice import Proof, outcomes_of, verify
from triskele.core.draw import Theme, png, svg
from triskele.core.options import Value
from triskele.core.position import Position
from triskele.core.scene import Scene
from triskele.core.words import say
from triskele.engines.hints import wins_at_once
from triskele.reviewing.valuation import Value as PositionValue
from triskele.server import analysis, puzzle_study, review_study, study
from triskele.server.tables.history import RecordSource
from triskele.server.tables.recorded import RecordedGame
from triskele.server.tables.recorded import read_record as read


def draw_svg(scene: Scene, theme: Theme) -> bytes:
    """Return a scene as an SVG document."""
    return svg(scene, theme).encode()


def draw_png(scene: Scene, theme: Theme, width: int) -> bytes:
    """Return a scene as a PNG of a width in pixels; takes up to several seconds."""
    return png(scene, theme, width)


def judge_step(game: str, step: str, decisions: Sequence[str], language: str) -> bytes:
    """Return what has become of a try in a step of a course, as JSON; ``RecordError`` for a step that there is not."""
    return orjson.dumps(study.judge_step(game, step, decisions, language))


def judge_puzzle(game: str, puzzle: str, decisions: Sequence[str], language: str) -> bytes:
    """Return what has become of a try at a puzzle, as JSON; ``RecordError`` for a puzzle that there is not."""
    return orjson.dumps(puzzle_study.judge_puzzle(game, puzzle, decisions, language))


def explain_puzzle_tokens(
    game: str, puzzle: str, decisions: Sequence[str], tokens: Sequence[str], language: str
) -> dict[str, Any]:
    """Return why a half-entered move cannot be in a puzzle, and what to know of the moves it can become."""
    return puzzle_study.explain_tokens(game, puzzle, decisions, tokens, language)


def review_part(source: RecordSource, values: Sequence[PositionValue | None]) -> review_study.ReviewPart:
    """Go on with the review of a game for about a second."""
    return review_study.review_part(source, values)


def review_positions(source: RecordSource) -> bytes:
    """Return all positions of a game for an engine in the page, as JSON."""
    return review_study.review_positions(source)


def explain_mistake_tokens(source: RecordSource, number: int, tokens: Sequence[str], language: str) -> dict[str, Any]:
    """Return why a half-entered move cannot be at a decision of a game; ``RecordError`` for one that there is not."""
    return review_study.explain_tokens(source, number, tokens, language)


def judge_mistake(source: RecordSource, number: int, decisions: Sequence[str], language: str) -> bytes:
    """Return what has become of a try at a decision, as JSON; ``RecordError`` for one that there is not."""
    return review_study.judge_mistake(source, number, decisions, language)


def explain_tokens(
    game: str, step: str, decisions: Sequence[str], tokens: Sequence[str], language: str
) -> dict[str, Any]:
    """Return why a half-entered move cannot be in a step of a course, and what to know of the moves it can become."""
    return study.explain_tokens(game, step, decisions, tokens, language)


def read_record(data: bytes) -> RecordedGame:
    """Return the game in a record; ``RecordError`` says what is wrong with it."""
    return read(data)


def write_record(source: RecordSource) -> bytes:
    """Return the record of a table as JSON."""
    return source.record().to_json().encode()


def prove(source: RecordSource) -> tuple[Proof, list[list[tuple[str, int]]] | None]:
    """Return what checking the dice of a finished game gives, and for each roll what it could bring, with weights.

    The latter is ``None`` where every roll is that of one fair die, which the dice themselves state.
    """
    record = source.record()
    return verify(record), None if record.variant.game.die else outcomes_of(record)


def explain(position: Position, line: Sequence[str], language: str) -> dict[str, Any]:
    """Return why a line is good, in words, ``None`` where the game has none for it, and whether it wins at once."""
    seat = position.turn
    after = position.copy()
    for written in line:
        after.push(written)
    codes = [move.code for move in after.moves[len(position.moves) :]]
    assert seat is not None, "a line begins with a move"
    found = position.variant.game.evaluation.explain(position.variant.options, position.state, codes, seat)
    why = None if found is None else say(found, language)
    return {"why": why, "wins": wins_at_once(position, line, seat)}


# --- analyses -------------------------------------------------------------------------------------


def analysis_position(place: analysis.Place, language: str) -> bytes:
    """Return a position of an analysis, as JSON; raises what the rules say of it."""
    return orjson.dumps(analysis.position_document(place, language))


def analysis_reached(place: analysis.Place) -> Position:
    """Return a position of an analysis itself."""
    return place.position()


def analysis_tokens(place: analysis.Place, tokens: Sequence[str], language: str) -> dict[str, Any]:
    """Return why a half-entered move cannot be in an analysis, and what to know of the moves it can become."""
    return analysis.explain(place, tokens, language)


def analysis_picture(place: analysis.Place, drawing: analysis.Drawing) -> bytes:
    """Return a position of an analysis as a PNG."""
    return analysis.picture(place, drawing)


def analysis_animation(place: analysis.Place, moves: int, drawing: analysis.Drawing) -> bytes:
    """Return the last moves of an analysis as an animated PNG; takes up to some seconds."""
    return analysis.animation(place, moves, drawing)


def analysis_setup(name: str, options: Mapping[str, Value], start: str | None, language: str) -> dict[str, Any]:
    """Return how positions of a game are set up, and what stands where in one."""
    return analysis.setup_document(name, options, start, language)


def analysis_draft(name: str, options: Mapping[str, Value], board: Mapping[str, str], fields: Mapping[str, str]) -> str:
    """Return the text of a position that was set up."""
    return analysis.set_up(name, options, board, fields)


def analysis_openings(place: analysis.Place, own: Sequence[analysis.OwnGame], language: str) -> dict[str, Any]:
    """Return what was played in a position of an analysis."""
    return analysis.openings(place, own, language)


def analysis_read(data: bytes) -> bytes:
    """Return the analysis in a file, checked, as JSON."""
    return orjson.dumps(analysis.read_analysis(data).document())


def analysis_export(data: bytes, extension: str) -> bytes:
    """Return an analysis as a record with variations."""
    return analysis.export(data, extension)
