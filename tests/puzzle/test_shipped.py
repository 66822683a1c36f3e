"""The puzzles that come with the games. ``triskele puzzles check GAME`` proves all of them; here it is a sample."""

from collections.abc import Iterator

import pytest

import triskele
from tests.puzzle.conftest import games_with_puzzles, is_forced
from triskele.core.contract.puzzles import puzzles_of
from triskele.core.game import Game
from triskele.core.position import Position
from triskele.core.puzzles import Puzzle, shipped_file
from triskele.core.words import LANGUAGES, catalogue
from triskele.puzzle.proof import prove

SAMPLE = 12
"""How many puzzles of a game are proved here, from the easiest to the hardest."""
BYTES = 300_000


def sample(puzzles: tuple[Puzzle, ...], number: int = SAMPLE) -> list[Puzzle]:
    return list(puzzles[:: max(1, len(puzzles) // number)])[:number]


def test_all_games_of_ours_have_puzzles_and_all_of_them_are_small() -> None:
    games = [game for game in triskele.games() if game.package.startswith("triskele.games.")]
    assert games_with_puzzles() == games
    counts = sorted(len(triskele.puzzles(game.name)) for game in games)
    assert counts[0] >= 100
    assert counts[-2] >= 300
    assert sum(shipped_file(game).stat().st_size for game in games) <= BYTES


def test_a_game_that_is_not_there_is_refused() -> None:
    with pytest.raises(triskele.OptionError, match="chess"):
        triskele.puzzles("chess")


def test_every_puzzle_can_be_played_to_its_end(shipped: tuple[Puzzle, ...]) -> None:
    assert len({puzzle.id for puzzle in shipped}) == len(shipped)
    for puzzle in shipped:
        position = triskele.position(puzzle.position)
        assert str(position) == puzzle.position
        assert position.turn == puzzle.seat
        assert 1 <= puzzle.difficulty <= 10
        turns, mover = 0, None
        for move in puzzle.solution:
            if position.turn == puzzle.seat != mover:
                turns += 1
            mover = position.turn
            position.push(move)
        assert turns == puzzle.turns, puzzle


def test_puzzles_are_of_all_kinds_horizons_and_of_many_difficulties(shipped: tuple[Puzzle, ...]) -> None:
    declared = puzzles_of(shipped[0].game)
    assert declared is not None
    wanted = {(kind.name, turns) for kind in declared.kinds for turns in kind.turns}
    assert {(puzzle.kind, puzzle.turns) for puzzle in shipped} == wanted
    assert len({puzzle.difficulty for puzzle in shipped}) >= 5
    assert [puzzle.difficulty for puzzle in shipped] == sorted(puzzle.difficulty for puzzle in shipped)


def test_puzzles_can_be_chosen_by_kind_and_difficulty(shipped: tuple[Puzzle, ...]) -> None:
    one = shipped[0]
    chosen = triskele.puzzles(one.game.name, kind=one.kind, difficulty=one.difficulty)
    assert one in chosen
    assert {(puzzle.kind, puzzle.difficulty) for puzzle in chosen} == {(one.kind, one.difficulty)}


def test_a_sample_is_proved_by_the_rules_alone(shipped: tuple[Puzzle, ...]) -> None:
    for puzzle in sample(shipped):
        assert prove(puzzle) > 0


@pytest.mark.parametrize("game", games_with_puzzles(), ids=lambda game: game.name)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_says_its_task_in_every_language(game: Game, language: str) -> None:
    declared = puzzles_of(game)
    assert declared is not None
    for kind in declared.kinds:
        assert f"puzzle.{kind.name}" in catalogue(game.name, language)
    for puzzle in triskele.puzzles(game.name)[::20]:
        assert "{" not in puzzle.task(language)


def wins_in_this_turn(position: Position, seat: int) -> bool:
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winners == (seat,)
    return position.turn == seat and any(wins_in_this_turn(after, seat) for _, after in followers(position))


def followers(position: Position) -> Iterator[tuple[str, Position]]:
    for move in position.legal_moves:
        after = position.copy()
        after.push(move)
        yield move.text, after


def test_a_win_in_one_turn_has_one_first_move_as_positions_tell(shipped: tuple[Puzzle, ...]) -> None:
    """Nothing but ``legal_moves``, ``push`` and ``outcome``: what a person with the library would try."""
    short = [puzzle for puzzle in shipped if is_forced(puzzle) and puzzle.kind == "win" and puzzle.turns == 1]
    quick = [puzzle for puzzle in short if " double" not in puzzle.position and "expert" not in puzzle.position]
    assert bool(quick) == any(is_forced(puzzle) for puzzle in shipped)
    for puzzle in quick[:6]:
        start = puzzle.start()
        winning = [move for move, after in followers(start) if wins_in_this_turn(after, puzzle.seat)]
        assert winning == [puzzle.solution[0]]
        for move in puzzle.solution:
            start.push(move)
        outcome = start.outcome()
        assert outcome is not None
        assert outcome.winners == (puzzle.seat,)
