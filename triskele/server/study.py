"""Positions that are not at a table: what a learner sees in a step of a course.

Nothing is stored; a request says what was decided so far. These functions run on worker processes
(:mod:`triskele.server.engines.table_jobs`), since some steps begin with many moves.
"""

from collections.abc import Sequence
from typing import Any

from triskele.core.completion import completed
from triskele.core.contract.lessons import FirstGame, Step, step_by_id
from triskele.core.lessons import explain_refusal, judge, lessons, set_up, watch_texts
from triskele.core.position import Position
from triskele.core.record_parts import actor_document
from triskele.core.words import say
from triskele.server.tables.moves import next_notes

FRAMES_LIMIT = 12
"""At most this many positions are shown one after the other: the last ones."""


def position_look(position: Position, seat: int, language: str) -> dict[str, Any]:
    """Return how a seat sees a position, as at a table: view, scene, what is asked, legal moves with their tokens."""
    return {
        "seat": seat,
        "view": position.view_without_moves(seat),
        "scene": position.scene(seat, language),
        "ask": position.ask(language) if position.turn == seat else "",
        "moves": [[move.text, move.spellings] for move in position.moves_of(seat)],
        "interrupts": [[move.text, move.spellings] for move in position.interrupts_of(seat)],
    }


def course_document(name: str, language: str) -> list[dict[str, Any]]:
    """Return the steps of a game's course with their words; empty if it has none."""
    return [_step_document(step, language) for step in lessons(name)]


def _step_document(step: Step, language: str) -> dict[str, Any]:
    shown: dict[str, Any] = {"id": step.id, "seat": step.seat}
    shown |= {key: say(step.words(key), language) for key in ("name", "say")}
    if isinstance(step.content, FirstGame):
        watch = [say(words, language) for words in watch_texts(step)]
        shown |= {"level": step.content.level, "options": step.content.options, "watch": watch}
    else:
        shown |= {"marks": step.content.marks, "solution": step.content.solution}
    return shown


def judge_step(name: str, step_id: str, decisions: Sequence[str], language: str) -> dict[str, Any]:
    """Return what has become of a try, and the positions to show since the learner's last decision but one.

    ``frames`` are the positions after each move that was made since, the last one being the position now; the first
    request of a step gets those that lead to what is asked. ``RecordError`` for a step that there is not, and for the
    first game.
    """
    step = step_by_id(lessons(name), step_id)
    verdict = judge(step, decisions)
    known = len(judge(step, decisions[:-1]).position.moves) if decisions else 0
    made = verdict.position.moves
    shown = made[known:] if verdict.status != "refused" else []
    first = max(0, len(shown) - FRAMES_LIMIT)
    position = set_up(step)
    for move in made[: len(made) - len(shown) + first]:
        position.push(move)
    frames = []
    if not decisions or verdict.status == "refused":
        frames.append(_frame(position, step, None, language))
    for move in shown[first:]:
        mover = actor_document(position.mover(move))
        position.push(move)
        frames.append(_frame(position, step, {"move": position.moves_seen_by(step.seat)[-1], "seat": mover}, language))
    return {
        "status": verdict.status,
        "text": None if verdict.text is None else say(verdict.text, language),
        "frames": frames,
    }


def explain_entered(position: Position, tokens: Sequence[str], language: str) -> dict[str, Any]:
    """Return why a half-entered move cannot be, empty if it can, and notes of the moves that a token completes."""
    moves, entered = position.legal_moves, tuple(tokens)
    found, completion = completed(moves, entered), position.complete(entered, language)
    return {
        "reason": completion.why or completion.reason,
        "notes": {} if found is None else next_notes(position, moves, entered, found.next, language),
    }


def explain_tokens(
    name: str, step_id: str, decisions: Sequence[str], tokens: Sequence[str], language: str
) -> dict[str, Any]:
    """Return why a half-entered move cannot be in a step, and the notes of the moves that one more token completes.

    The reason is empty if it can be. Raises as :func:`judge_step` does.
    """
    step = step_by_id(lessons(name), step_id)
    now = judge(step, decisions).position
    moves, entered = now.moves_of(step.seat), tuple(tokens)
    found = completed(moves, entered)
    return {
        "reason": explain_refusal(step, decisions, tokens, language),
        "notes": {} if found is None else next_notes(now, moves, entered, found.next, language),
    }


def _frame(position: Position, step: Step, made: dict[str, Any] | None, language: str) -> dict[str, Any]:
    look = position_look(position, step.seat, language)
    return {"made": made, "turn": actor_document(position.turn), "look": look}
