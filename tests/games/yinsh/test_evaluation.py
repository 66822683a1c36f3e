"""What engines know of YINSH: the judgement is what was learned, and no row is overlooked."""

import random

import numpy as np
import pytest

import triskele
from triskele.core.contract.evaluation import WORKSPACE
from triskele.core.position import Position
from triskele.engines import Limits, engine, hint
from triskele.games.yinsh import evaluation as e
from triskele.games.yinsh import rules as r
from triskele.games.yinsh.features import ORBIT, ORBITS, WORKSPACE_USED

pytestmark = pytest.mark.usefixtures("plain")


def positions(number: int, seed: int = 1) -> list[Position]:
    """Return positions from random games in which a ring is to be placed or moved."""
    rng = random.Random(seed)
    found: list[Position] = []
    position = triskele.new("yinsh")
    while len(found) < number:
        if position.turn is None:
            position = triskele.new("yinsh")
        if position.state[r.PHASE] <= r.MOVING and rng.random() < 0.2:
            found.append(position.copy())
        position.push(rng.choice(position.legal_moves))
    return found


def workspace() -> np.ndarray:  # type: ignore[type-arg]
    return np.zeros(WORKSPACE, dtype=np.int64)


def test_there_is_room_for_what_is_remembered() -> None:
    assert WORKSPACE_USED <= WORKSPACE


def test_the_judgement_is_the_sum_of_its_features() -> None:
    parameters = np.rint(np.random.default_rng(1).normal(0, 200, e.EVALUATION.training.parameters)) / 1000
    weights = e.expand(parameters)
    index = np.zeros(2000, dtype=np.int64)
    value = np.zeros(2000, dtype=np.int64)
    for position in positions(40):
        state = position.state
        number = e.features(state, index, value, workspace())
        learned = float(parameters[index[:number]] @ value[:number])
        assert e.evaluate(state, weights, workspace()) == pytest.approx(1000 * learned, abs=0.01)


def test_what_is_remembered_of_lines_changes_nothing() -> None:
    weights = e.load_weights()
    used = workspace()
    moves, fresh_moves = np.zeros((2, r.MOVES), dtype=np.int64)
    for position in positions(60, seed=6):
        for move in position.legal_moves[::7]:
            state = position.state.copy()
            r.apply(state, move.code)
            if not e.is_quiet(state):
                continue
            assert e.evaluate(state, weights, used) == e.evaluate(state, weights, workspace())
            number = e.quiescence_moves(state, moves, 0, used)
            assert number == e.quiescence_moves(state, fresh_moves, 0, workspace())
            assert np.array_equal(moves[:number], fresh_moves[:number])


def swapped(state: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    """Return the position with the colours changed over."""
    other = state.copy()
    other[r.TURN], other[r.MOVER] = 1 - state[r.TURN], 1 - state[r.MOVER]
    other[r.OFF], other[r.OFF + 1] = state[r.OFF + 1], state[r.OFF]
    other[r.RING_AT : r.RING_AT + 5] = state[r.RING_AT + 5 : r.RING_AT + 10]
    other[r.RING_AT + 5 : r.RING_AT + 10] = state[r.RING_AT : r.RING_AT + 5]
    for line in range(r.LINES):
        other[r.WHITE + line] = state[r.MARK + line] ^ state[r.WHITE + line]
    return other


def test_colours_make_no_difference() -> None:
    weights = e.load_weights()
    for position in positions(30, seed=2):
        state = position.state
        assert e.evaluate(state, weights, workspace()) == -e.evaluate(swapped(state), weights, workspace())


def test_noisy_moves_are_exactly_those_that_make_a_row() -> None:
    buffer = np.zeros(r.MOVES, dtype=np.int64)
    rows = 0
    for position in positions(150, seed=3):
        state = position.state
        if state[r.PHASE] != r.MOVING:
            continue
        seat = int(state[r.TURN])
        making = set()
        for move in position.legal_moves:
            after = state.copy()
            r.apply(after, move.code)
            if r.has_row(after, seat):
                making.add(move.code)
        number = e.quiescence_moves(state, buffer, 0, workspace())
        assert len(set(buffer[:number].tolist())) == number
        assert set(buffer[:number].tolist()) == making
        rows += len(making)
    assert rows > 20


def test_moves_left_out_as_hopeless_hardly_ever_are_not() -> None:
    weights = e.load_weights()
    left_out = wrongly = 0
    for position in positions(60, seed=7):
        state = position.state.copy()
        legal = [move.code for move in position.legal_moves]
        if state[r.PHASE] != r.MOVING or state[r.POOL] == 1:
            continue
        seat = int(state[r.TURN])
        worth = {}
        for code in legal:
            after = state.copy()
            r.apply(after, code)
            if e.is_quiet(after):
                worth[code] = (1 - 2 * seat) * e.evaluate(after, weights, workspace())
        if len(worth) < 5:
            continue
        bound = sorted(worth.values())[-2]
        moves, ranks = np.array(legal, dtype=np.int64), -np.array(legal, dtype=np.int64)
        kept = e.prune_futile_moves(state, moves, ranks, 2, len(legal), bound, weights, workspace())
        assert np.array_equal(state, position.state)
        assert np.array_equal(moves[:2], legal[:2])
        assert np.array_equal(ranks[:kept], -moves[:kept])
        gone = set(legal) - set(moves[:kept].tolist())
        assert len(gone) == len(legal) - kept
        assert gone <= set(worth), "a move that makes a row is never left out"
        left_out += len(gone)
        wrongly += sum(worth[code] > bound for code in gone)
    assert left_out > 500
    assert wrongly < left_out / 100


def test_equal_positions_have_equal_keys_and_others_do_not() -> None:
    keys: dict[int, str] = {}
    for position in positions(300, seed=4):
        assert keys.setdefault(int(e.position_key(position.state)), str(position)) == str(position)
    one, other = triskele.new("yinsh"), triskele.new("yinsh")
    for move in ("f6", "e5", "d4", "c3"):
        one.push(move)
    for move in ("d4", "c3", "f6", "e5"):
        other.push(move)
    assert e.position_key(one.state) == e.position_key(other.state)
    assert 0 <= e.position_key(one.state) < 1 << 63


def test_the_classes_of_points_are_those_of_the_board() -> None:
    assert ORBITS == 11
    assert sorted(np.bincount(ORBIT).tolist()) == [1, 6, 6, 6, 6, 6, 6, 12, 12, 12, 12]


def one_move_from_a_row() -> Position:
    """White has four markers b2 to b5 and a ring on b6."""
    board = [list("." * n) for n in (4, 7, 8, 9, 10, 9, 10, 9, 8, 7, 4)]
    for index in (1, 2, 3, 4):
        board[1][index] = "w"
    board[1][5] = "W"
    for column, index, ring in ((4, 4, "W"), (6, 4, "W"), (7, 3, "W"), (8, 2, "W")):
        board[column][index] = ring
    for column, index in ((3, 7), (4, 8), (5, 7), (6, 8), (7, 6)):
        board[column][index] = "B"
    line = "/".join("".join(column) for column in board)
    return triskele.position(f"yinsh: {line} w move w 0-0 0")


def test_a_row_is_made_and_the_hint_says_so() -> None:
    found = hint(one_move_from_a_row(), 0.3)
    assert found.move.text.startswith("b6-")
    assert "makes a row at once" in str(found)


def test_a_beginner_makes_a_row_that_he_sees() -> None:
    assert engine("novice", "yinsh").choose(one_move_from_a_row(), Limits()).text.startswith("b6-")


def test_a_beginner_counts_rings_and_markers_in_open_rows() -> None:
    state = one_move_from_a_row().state
    counted = e.material(state, 0)
    assert counted >= 4 * 4
    state[r.OFF] += 1
    assert e.material(state, 0) == counted + e.ROW_COUNTS


def test_weights_are_shipped_small_and_dated() -> None:
    path = triskele.new("yinsh").variant.game.folder / "weights.npz"
    assert path.stat().st_size < 2_000_000
    with np.load(path) as shipped:
        assert shipped["parameters"].shape == (e.EVALUATION.training.parameters,)
        assert '"date": "20' in str(shipped["about"])
