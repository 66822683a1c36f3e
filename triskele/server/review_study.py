"""Reviews for the page: parts of a review, the positions for an engine in the page, and tries at mistakes.

These functions run on worker processes (:mod:`triskele.server.engines.table_jobs`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from triskele.core.contract.engine import Limits
from triskele.core.contract.review import calibration_of
from triskele.core.errors import RecordError
from triskele.core.record_parts import actor_document
from triskele.core.records import Record
from triskele.core.words import say, text
from triskele.reviewing.material import review_material
from triskele.reviewing.retry import judge_retry
from triskele.reviewing.review import Reviewer
from triskele.reviewing.valuation import Value
from triskele.server.study import explain_entered, position_look
from triskele.server.tables.history import RecordSource

POSITION_SECONDS = 2.0
"""How long an engine may take for one position, whatever its nodes."""
PART_SECONDS = 1.0
"""How long a part of a review takes: pictures and records of others wait no longer."""


@dataclass(frozen=True)
class ReviewPart:
    """How far a review has come: the values of its first positions, and what they say, as JSON."""

    values: tuple[Value | None, ...]
    document: bytes


def check_length(moves: int, limit: int) -> None:
    """Raise ``RecordError`` for a game that has too many moves to be reviewed by a server."""
    if moves > limit:
        raise RecordError(text("reviewing.too-long", moves=moves, limit=limit))


def review_part(source: RecordSource, values: Sequence[Value | None]) -> ReviewPart:
    """Go on with a review for ``PART_SECONDS``; ``values`` are those known."""
    record = source.record()
    reviewer = Reviewer(record, _limits(record), check=False)
    known = list(values)
    if len(known) < reviewer.positions:
        known += reviewer.values(len(known), seconds=PART_SECONDS)
    review = reviewer.review(known)
    document = {"done": len(known), "of": reviewer.positions, "review": review.document()}
    return ReviewPart(tuple(known), orjson.dumps(document))


def _limits(record: Record) -> Limits:
    """Return the usual limits of a review, and those of a server."""
    return Limits(seconds=POSITION_SECONDS, nodes=calibration_of(record.variant.game).nodes)


def review_positions(source: RecordSource) -> bytes:
    """Return all positions of a game for an engine in the page, as JSON, and the curve that makes chances."""
    return orjson.dumps(review_material(source.record()))


def explain_tokens(source: RecordSource, number: int, tokens: Sequence[str], language: str) -> dict[str, Any]:
    """Return why a half-entered move cannot be at a decision, and what to know of the moves it can become."""
    record = source.record()
    return explain_entered(judge_retry(record, number, None, _limits(record)).position, tokens, language)


def judge_mistake(source: RecordSource, number: int, decisions: Sequence[str], language: str) -> bytes:
    """Return what has become of a try at a decision, and the positions to show, as JSON in the form of a lesson's."""
    record = source.record()
    found = judge_retry(record, number, decisions[-1] if decisions else None, _limits(record))
    position, seat = found.position.copy(), found.seat

    def frame(made: dict[str, Any] | None) -> dict[str, Any]:
        return {"made": made, "turn": actor_document(position.turn), "look": position_look(position, seat, language)}

    frames = [] if found.shown else [frame(None)]
    for move in found.shown:
        mover = actor_document(position.mover(move))
        position.push(move)
        frames.append(frame({"move": move.text, "seat": mover}))
    said = None if found.text is None else say(found.text, language)
    return orjson.dumps({"status": found.status, "text": said, "frames": frames})
