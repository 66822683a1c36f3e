"""A try at a puzzle: solved in any order of a turn's decisions, wrong with its refutation on the board."""

import pytest

import triskele
from tests.puzzle.conftest import is_forced
from triskele.core.errors import RecordError
from triskele.core.puzzles import Puzzle
from triskele.puzzle.attempt import judge, puzzle_by_id


def solver_moves(puzzle: Puzzle) -> list[str]:
    position = puzzle.start()
    found = []
    for move in puzzle.solution:
        if position.turn == puzzle.seat:
            found.append(move)
        position.push(move)
    return found


def decided(puzzle: Puzzle) -> list[str]:
    """Return the solver's decisions up to the end of the puzzle: what follows the aim in its turn is refused."""
    moves = solver_moves(puzzle)
    return next(moves[:n] for n in range(1, len(moves) + 1) if judge(puzzle, moves[:n]).status == "solved")


def test_the_solution_solves_it(shipped: tuple[Puzzle, ...]) -> None:
    for puzzle in shipped[::15]:
        moves = decided(puzzle)
        assert judge(puzzle, moves[:-1]).status == "going"
        verdict = judge(puzzle, moves)
        assert [str(move) for move in verdict.position.moves] == list(puzzle.solution[: len(verdict.position.moves)])


def test_nothing_is_decided_at_the_beginning_and_nothing_after_the_end(shipped: tuple[Puzzle, ...]) -> None:
    puzzle = shipped[0]
    assert judge(puzzle, []).status == "going"
    assert str(judge(puzzle, []).position) == puzzle.position
    after = judge(puzzle, [*decided(puzzle), "whatever"])
    assert after.status == "refused"


def test_an_illegal_decision_is_refused_with_the_reason(shipped: tuple[Puzzle, ...]) -> None:
    verdict = judge(shipped[0], ["nonsense"])
    assert verdict.status == "refused"
    assert "nonsense" in str(verdict.text)
    assert str(verdict.position) == shipped[0].position


def test_every_other_turn_is_wrong(shipped: tuple[Puzzle, ...]) -> None:
    for puzzle in shipped[:: len(shipped) // 3]:
        right = str(judge(puzzle, solver_moves(puzzle)[:1]).position)
        for move in [each.text for each in puzzle.start().legal_moves][::25]:
            tried = [move]
            verdict = judge(puzzle, tried)
            while verdict.status == "going" and verdict.position.turn == puzzle.seat and is_forced(puzzle):
                if len(verdict.position.moves) > len(tried) or str(verdict.position) == right:
                    break
                tried.append(verdict.position.legal_moves[0].text)
                verdict = judge(puzzle, tried)
            if move not in puzzle.solution:
                assert verdict.status == "wrong", (puzzle, tried)
                assert verdict.text is not None


def test_the_refutation_of_a_wrong_rescue_wins(shipped: tuple[Puzzle, ...]) -> None:
    rescues = [puzzle for puzzle in shipped if puzzle.kind == "save" and puzzle.turns == 1][:5]
    for puzzle in rescues:
        wrong = next(move.text for move in puzzle.start().legal_moves if move.text != puzzle.solution[0])
        verdict = judge(puzzle, [wrong])
        assert verdict.status == "wrong"
        assert len(verdict.position.moves) > 1
        while verdict.position.turn == 1 - puzzle.seat:
            verdict.position.push(verdict.position.legal_moves[0])
        outcome = verdict.position.outcome()
        assert outcome is not None
        assert outcome.winners == (1 - puzzle.seat,)


def test_two_cards_may_be_lifted_in_any_order() -> None:
    double = next(p for p in triskele.puzzles("trypsylon", kind="win") if p.turns == 1 and len(p.solution) == 4)
    first, second, *pushes = double.solution
    assert judge(double, [second, first, *pushes]).status == "solved"


def test_an_id_that_there_is_not_is_refused() -> None:
    with pytest.raises(RecordError, match="nothing"):
        puzzle_by_id("yinsh", "nothing")
