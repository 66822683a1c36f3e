"""Puzzles for the page: the list of them, and what a solver sees after a try. Nothing is stored.

:func:`judge_puzzle` runs on worker processes (:mod:`triskele.server.engines.table_jobs`): a refutation is searched for.
"""

from collections.abc import Sequence
from typing import Any

from triskele.core.position import Position
from triskele.core.puzzles import puzzles
from triskele.core.record_parts import actor_document
from triskele.core.words import say
from triskele.puzzle.attempt import judge, puzzle_by_id
from triskele.server.study import explain_entered, position_look


def puzzles_document(name: str, language: str) -> list[dict[str, Any]]:
    """Return the shipped puzzles of a game without their solutions, the easiest first; empty if it has none."""
    return [
        {
            "id": puzzle.id,
            "kind": puzzle.kind,
            "task": puzzle.task(language),
            "seat": puzzle.seat,
            "turns": puzzle.turns,
            "difficulty": puzzle.difficulty,
        }
        for puzzle in puzzles(name)
    ]


def judge_puzzle(name: str, puzzle_id: str, decisions: Sequence[str], language: str) -> dict[str, Any]:
    """Return what has become of a try, and the positions to show since the solver's last decision but one.

    ``frames`` are the positions after each move that was made since, the last one being the position now: the solver's
    decision, then the other side's answer or the refutation. Without decisions, and when the last was refused, it is
    the position to decide in. ``RecordError`` for a puzzle that there is not.
    """
    puzzle = puzzle_by_id(name, puzzle_id)
    verdict = judge(puzzle, decisions)
    made = verdict.position.moves
    refused = verdict.status == "refused"
    known = len(judge(puzzle, decisions[:-1]).position.moves) if decisions and not refused else len(made)
    position = puzzle.start()
    for move in made[:known]:
        position.push(move)
    frames = [] if known < len(made) else [_frame(position, puzzle.seat, None, language)]
    for move in made[known:]:
        mover = actor_document(position.mover(move))
        position.push(move)
        frames.append(_frame(position, puzzle.seat, {"move": move.text, "seat": mover}, language))
    said = None if verdict.text is None else say(verdict.text, language)
    return {"status": verdict.status, "text": said, "frames": frames}


def explain_tokens(
    name: str, puzzle_id: str, decisions: Sequence[str], tokens: Sequence[str], language: str
) -> dict[str, Any]:
    """Return why a half-entered move cannot be in a puzzle, and the notes of the moves that one more token completes.

    The reason is empty if it can be. ``RecordError`` for a puzzle that there is not.
    """
    return explain_entered(judge(puzzle_by_id(name, puzzle_id), decisions).position, tokens, language)


def _frame(position: Position, seat: int, made: dict[str, Any] | None, language: str) -> dict[str, Any]:
    return {"made": made, "turn": actor_document(position.turn), "look": position_look(position, seat, language)}
