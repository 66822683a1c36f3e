"""What an engine outside Python needs to review a game: every position as the seat that decided knew it.

The page asks its engine what this says, and makes a review of the answers (``web/review/``) that is the one of
:mod:`triskele.reviewing.review`.
"""

import base64
from typing import Any

from triskele.core.contract import CHANCE
from triskele.core.contract.review import calibration_of, exact_values_of
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.core.record_parts import actor_document
from triskele.core.records import Record
from triskele.reviewing.formulas import result_chances
from triskele.reviewing.valuation import SEED, AppraisalValuer, ExactValuer, Valuer, valuer_kind

STATE_ALONE = -1
"""Asks for the value of a state, without a move."""


def review_material(record: Record) -> dict[str, Any]:
    """Return the positions of a record with what is to be asked in each, and how chances follow, as plain data.

    ``positions`` are null where nothing is asked. ``appraised`` is the code of the move that was made, ``STATE_ALONE``
    for the value of the state, null for a search. ``result`` is that of a game which ended outside its rules.
    """
    variant = record.variant
    measured = calibration_of(variant.game)
    curve = measured.curve(variant.seats)
    exact = exact_values_of(variant.game)
    kind = valuer_kind(variant.game)
    position = record.first_position()
    asked = []
    for recorded in record.moves:
        move = position.find(recorded.text)
        asked.append(_asked(kind, position, move))
        position.push(move)
    asked.append(_asked(kind, position, None))
    outcome = position.outcome()
    stopped = record.ended is not None and record.outcome is not None
    return {
        "positions": asked,
        "moves": [{"text": move.text, "seat": actor_document(move.seat)} for move in record.moves],
        "seats": variant.seats,
        "hidden": variant.game.hidden,
        "chance": variant.game.chance,
        "winners": None if record.outcome is None else list(record.outcome.winners),
        "result": list(record.outcome.scores) if stopped and record.outcome is not None else None,
        "end": None if outcome is None else list(result_chances(outcome.winners, variant.seats)),
        "nodes": measured.nodes,
        "seed": SEED,
        "unit": None if exact is None else exact.unit(variant),
        "curve": {"slope": curve.slope, "bias": curve.bias, "power": curve.power},
    }


def _asked(kind: type[Valuer], position: Position, move: Move | None) -> dict[str, Any] | None:
    """Return what is asked in a position, as the seat knew it that made ``move``; ``None`` for nothing."""
    is_exact = issubclass(kind, ExactValuer)
    if position.outcome() is not None:
        return _question(position, 0, STATE_ALONE) if is_exact else None
    if not kind.is_valued(position, move):
        return None
    turn = position.turn
    if is_exact:
        if turn is None or turn == CHANCE or move is None:
            return _question(position, 0, STATE_ALONE)
        return _question(position, turn, move.code)
    seat = turn if move is None else position.mover(move)
    assert seat is not None
    return _question(position, seat, move.code if move and issubclass(kind, AppraisalValuer) else None)


def _question(position: Position, seat: int, appraised: int | None) -> dict[str, Any]:
    known = position.seen_by(seat)
    words = base64.b64encode(known.state.astype("<i8").tobytes()).decode("ascii")
    history = position.codes_seen_by(seat) if position.variant.game.hidden else []
    return {"state": words, "history": history, "seat": seat, "appraised": appraised}
