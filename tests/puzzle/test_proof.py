"""False puzzles are refused, with the reason."""

import dataclasses

import pytest

import triskele
from tests.puzzle.conftest import games_with_puzzles, is_forced
from triskele.core.contract.puzzles import ForcedKind, puzzles_of
from triskele.core.puzzles import Puzzle, puzzle_id
from triskele.puzzle.proof import NotProved, TooCostly, prove

TWO_WINS = (
    "yinsh: .bb./.w..bb./..bbw.Bw/wwB..Wwbw/wWwb.wbb.w/WWw.wb..b/wwb..wb.w./.bbBww.w./b.bbb.w./....ww./.wwW "
    "b move b 0-2 0"
)
"""From a game: Black makes its third row in two ways."""


def one(kind: str, turns: int, game: str) -> Puzzle:
    return next(puzzle for puzzle in triskele.puzzles(game) if (puzzle.kind, puzzle.turns) == (kind, turns))


def changed(puzzle: Puzzle, **fields: object) -> Puzzle:
    found = dataclasses.replace(puzzle, **fields)  # type: ignore[arg-type]
    return dataclasses.replace(found, id=puzzle_id(found.position))


def refusal(puzzle: Puzzle, nodes: int = 20_000_000) -> str:
    with pytest.raises(NotProved) as refused:
        prove(puzzle, nodes)
    return str(refused.value)


@pytest.fixture(params=[game.name for game in games_with_puzzles()])
def puzzle(request: pytest.FixtureRequest) -> Puzzle:
    """Return a puzzle of each game that is true."""
    found = triskele.puzzles(request.param)[0]
    assert prove(found) > 0
    return found


def test_every_other_first_move_is_refused(puzzle: Puzzle) -> None:
    others = [move.text for move in puzzle.start().legal_moves if move.text != puzzle.solution[0]]
    for other in others[:: max(1, len(others) // 5)]:
        assert refusal(changed(puzzle, solution=(other, *puzzle.solution[1:])))


def test_a_solution_that_is_not_legal_is_refused(puzzle: Puzzle) -> None:
    assert "legal" in refusal(changed(puzzle, solution=("nonsense", *puzzle.solution[1:])))


def test_a_solution_that_goes_on_is_refused(puzzle: Puzzle) -> None:
    assert refusal(changed(puzzle, solution=(*puzzle.solution, puzzle.solution[0])))


def test_another_seat_kind_or_horizon_is_refused(puzzle: Puzzle) -> None:
    assert "is not to move" in refusal(changed(puzzle, seat=puzzle.seat + 1))
    assert "no puzzles of the kind" in refusal(changed(puzzle, kind="nonsense"))
    assert "no puzzles of the kind" in refusal(changed(puzzle, turns=17))


def test_a_position_that_cannot_be_read_or_is_written_otherwise_is_refused(puzzle: Puzzle) -> None:
    assert "cannot be read" in refusal(changed(puzzle, position=puzzle.position + " nonsense"))
    assert "as Triskele writes it" in refusal(changed(puzzle, position=puzzle.position + " "))


def test_a_wrong_margin_is_refused() -> None:
    with_values = [game for game in games_with_puzzles() if not is_forced(triskele.puzzles(game.name)[0])]
    assert with_values
    for game in with_values:
        puzzle = triskele.puzzles(game.name)[0]
        assert puzzle.margin is not None
        assert "margin" in refusal(changed(puzzle, margin=puzzle.margin * 1.001))
        assert "margin" in refusal(changed(puzzle, margin=None))


def test_what_can_be_done_sooner_is_no_puzzle_in_more_turns() -> None:
    shorter = one("win", 1, "trypsylon")
    assert "it can be done in 1 turn" in refusal(changed(shorter, turns=2))


def test_a_line_that_stops_early_is_refused() -> None:
    longer = one("win", 2, "yinsh")
    assert "ends before" in refusal(changed(longer, solution=longer.solution[:1]))


def test_an_answer_that_gives_way_is_refused() -> None:
    """In the second turn the other side may let the aim be reached in another way, or not at all stubbornly."""
    longer = one("win", 2, "yinsh")
    start = longer.start()
    start.push(longer.solution[0])
    refused = 0
    for reply in start.legal_moves:
        if reply.text != longer.solution[1]:
            line = (longer.solution[0], reply.text, *longer.solution[2:])
            try:
                prove(changed(longer, solution=line))
            except NotProved:
                refused += 1
    assert refused > 0


def test_a_win_with_two_ways_is_refused() -> None:
    position = triskele.position(TWO_WINS)
    for move in ("h6-c1", "h6-h9"):
        played = position.copy()
        played.push(move)
        while played.turn == 1:
            played.push(played.legal_moves[0])
        outcome = played.outcome()
        assert outcome is not None
        assert outcome.winners == (1,)
        line = tuple(made.text for made in played.moves)
        assert "another solution" in refusal(Puzzle(puzzle_id(TWO_WINS), "win", TWO_WINS, 1, 1, line, 1))


def test_a_secret_in_the_position_is_refused() -> None:
    hidden = [game for game in games_with_puzzles() if game.hidden]
    assert hidden
    for game in hidden:
        puzzle = triskele.puzzles(game.name)[0]
        assert "***" in puzzle.position
        shown = puzzle.position.replace("***", puzzle.solution[0].split("=")[1], 1)
        assert "more than the solver may know" in refusal(changed(puzzle, position=shown))


def test_a_proof_that_would_take_too_long_is_given_up() -> None:
    with pytest.raises(TooCostly, match="1000 positions"):
        prove(one("win", 2, "trypsylon"), nodes=1000)


def test_plain_and_compiled_proofs_agree(plain: None) -> None:
    """The same proof as ordinary Python: no compiler is part of the argument."""
    for game in games_with_puzzles():
        declared = puzzles_of(game)
        assert declared is not None
        for kind in declared.kinds:
            if isinstance(kind, ForcedKind):
                assert prove(one(kind.name, 1, game.name)) > 0
