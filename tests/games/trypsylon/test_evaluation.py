"""What engines know of TRYPSYLON: a win in the turn is never missed."""

import random

import numpy as np
import pytest

import triskele
from triskele.core.contract import OVER
from triskele.core.contract.engine import Limits
from triskele.core.contract.evaluation import WORKSPACE
from triskele.core.position import Position
from triskele.engines.alphabeta import AlphaBeta
from triskele.engines.transposition_table import EXACT, pack_entry, store
from triskele.games.trypsylon import evaluation as e
from triskele.games.trypsylon import rules as r
from triskele.games.trypsylon.paths import joins, path_distance
from triskele.games.trypsylon.winning_turns import winning_move

pytestmark = pytest.mark.usefixtures("plain")

State = np.ndarray  # type: ignore[type-arg]
VARIANTS = ({}, {"expert": True}, {"columns": 6, "rows": 5, "first": "meadow"})


def workspace() -> State:
    return np.zeros(WORKSPACE, dtype=np.int64)


def with_room_for_the_log(state: State) -> State:
    return np.concatenate([state, np.zeros(4 * r.LOG, dtype=np.int64)])


def late_positions(number: int, seed: int, hidden: range, **options: object) -> list[Position]:
    """Return positions from random games that avoid to end: in all stages, with few face-down cards."""
    rng = random.Random(seed)
    found: list[Position] = []
    position = triskele.new("trypsylon", repetition=0, **options)
    while len(found) < number:
        if position.turn is None:
            while position.state[r.STAGE] != r.CHOOSE or position.turn is None:
                position.pop()
        if r.face_down(position.state).bit_count() < hidden.start:
            position = triskele.new("trypsylon", repetition=0, **options)
        if r.face_down(position.state).bit_count() in hidden and rng.random() < 0.3:
            found.append(position.copy())
        position.push(rng.choice(position.legal_moves))
    return found


def winning_moves(state: State) -> set[int]:
    """Return by trying out everything which moves lead to a win of the one to act in this turn."""
    seat = int(state[r.SEAT])
    moves = np.zeros(r.MOVES, dtype=np.int64)
    found = set()
    for code in moves[: r.legal(state, moves)].tolist():
        if code == r.BACK:
            continue
        after = with_room_for_the_log(state)
        r.apply(after, code)
        if after[r.SEAT] == OVER:
            won = r.winners(after) == 1 << seat
        else:
            won = after[r.SEAT] == seat and bool(winning_moves(after))
        if won:
            found.add(code)
    return found


@pytest.mark.parametrize("options", VARIANTS)
def test_T13_a_win_in_the_turn_is_found_when_and_only_when_there_is_one(options: dict[str, object]) -> None:
    wins = 0
    for position in late_positions(14, 1, range(3, 6), **options):
        state = with_room_for_the_log(position.state)
        right = winning_moves(state)
        found = winning_move(state, workspace())
        assert found in right if right else found == -1, str(position)
        wins += bool(right)
    assert 0 < wins < 14


def test_joins_agrees_with_the_rules() -> None:
    for position in late_positions(60, 2, range(12)):
        state = position.state
        paths = r.joined(state)
        for side in range(2):
            planes = [int(state[plane]) for plane in (r.NE, r.SE, r.SW, r.NW)]
            assert joins(*planes, int(state[r.BOARD]), 5, 5, side) == bool(paths >> side & 1)


def test_path_distance_is_0_exactly_when_joined_and_at_most_the_width_of_the_frame() -> None:
    for position in late_positions(60, 3, range(20)):
        state = position.state
        planes = [int(state[plane]) for plane in (r.NE, r.SE, r.SW, r.NW)]
        for side in range(2):
            near = path_distance(*planes, int(state[r.BOARD]), 5, 5, side) >> 6
            assert near <= 5
            assert (near == 0) == joins(*planes, int(state[r.BOARD]), 5, 5, side)


def test_path_distance_of_the_empty_frame_is_its_width() -> None:
    for columns, rows in ((5, 5), (6, 5), (5, 6), (6, 6)):
        board = int(triskele.new("trypsylon", columns=columns, rows=rows).state[r.BOARD])
        assert path_distance(0, 0, 0, 0, board, columns, rows, 0) == columns << 6 | rows
        assert path_distance(0, 0, 0, 0, board, columns, rows, 1) == rows << 6 | columns


def test_the_judgement_is_the_sum_of_its_features() -> None:
    parameters = np.rint(np.random.default_rng(1).normal(0, 200, e.PARAMETERS)) / 1000
    weights = e.expand(parameters)
    index = np.zeros(50, dtype=np.int64)
    value = np.zeros(50, dtype=np.int64)
    judged = 0
    for position in late_positions(60, 4, range(20)):
        state = position.state
        if e.is_quiet(state):
            number = e.features(state, index, value, workspace())
            learned = float(parameters[index[:number]] @ value[:number])
            assert e.evaluate(state, weights, workspace()) == pytest.approx(1000 * learned, abs=0.01)
            judged += 1
    assert judged > 10


def test_equal_positions_have_equal_keys_and_others_do_not() -> None:
    keys: dict[int, tuple[int, ...]] = {}
    for position in late_positions(400, 5, range(25)):
        state = position.state
        proper = tuple(state[r.NE : r.SEGMENT].tolist())
        key = int(e.position_key(state))
        assert 0 <= key < 1 << 63
        assert keys.setdefault(key, proper) == proper


def test_T15_an_engine_does_not_put_cards_back(plain: None) -> None:
    """It could lift the same card again, and so on without an end."""
    position = triskele.new("trypsylon", touch_move=False)
    for move in ("b3", "Nb/SW", "d4"):
        position.push(move)
    moves = np.zeros(r.MOVES, dtype=np.int64)
    number = r.legal(position.state, moves)
    assert moves[number - 1] == r.BACK
    assert e.select_moves(position.state, moves, number) == number - 1
    lines = [info.lines for info in triskele.analyse(position, nodes=60)]
    assert lines
    assert all("back" not in line for found in lines for line in found)


def test_weights_are_shipped_small_and_dated() -> None:
    path = triskele.new("trypsylon").variant.game.folder / "weights.npz"
    assert path.stat().st_size < 2_000_000
    with np.load(path) as shipped:
        assert shipped["parameters"].shape == (e.PARAMETERS,)
        assert '"date": "20' in str(shipped["about"])


def test_a_win_in_the_turn_goes_before_what_was_best_before() -> None:
    moves = (
        "e2 Se/SW e5 a4 Sa/SE W5/SW a3 e4 E3/NW Se/SW a2 a3 E2/NE E3/NE b1 a2 E1/NE E2/NE e5 a2 E2/SE Se/SW e3 Ne/NE"
    )
    position = triskele.new("trypsylon", expert=True)
    for move in [*moves.split(), "a4"]:
        position.push(move)
    player = AlphaBeta(position.variant.game)
    player.choose(position, Limits(nodes=2000))
    known = e.position_key(position.state)
    store(player._drivers[0].workspace.table, known, pack_entry(position.find("a2").code, 5, EXACT, 0, 1))
    found = list(player.analyse(position, Limits(nodes=2000)))[-1]
    assert (found.move, found.proven) == ("d3", 3)
