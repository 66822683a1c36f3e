"""The rules of YINSH, by number."""

import itertools
import random

import numpy as np
import pytest

import triskele
from triskele.core import bits
from triskele.core.compile import link_plain
from triskele.core.game import game
from triskele.core.perft import PERFT
from triskele.core.playout import PLAYOUTS
from triskele.games.yinsh import notation, rules

NAMES = notation.NAMES
WHITE_RINGS = ("a2", "a3", "b1", "k10", "j11")
BLACK_RINGS = ("a4", "a5", "k7", "k8", "k9")


def line(turn="w", phase="move", mover=None, off="0-0", passes=0, blitz=False, **pieces):
    """Return a position text from points: white_rings, black_rings, white, black."""
    shown = dict.fromkeys(NAMES, ".")
    for kind, mark in (("white_rings", "W"), ("black_rings", "B"), ("white", "w"), ("black", "b")):
        for point in pieces.get(kind, {"white_rings": WHITE_RINGS, "black_rings": BLACK_RINGS}.get(kind, ())):
            assert shown[point] == ".", f"{point} is taken twice"
            shown[point] = mark
    columns = itertools.groupby(NAMES, key=lambda name: name[0])
    board = "/".join("".join(shown[name] for name in names) for _, names in columns)
    return f"yinsh{' blitz=true' if blitz else ''}: {board} {turn} {phase} {mover or turn} {off} {passes}"


def at(*arguments, **keywords):
    return triskele.position(line(*arguments, **keywords))


def texts(pos):
    return [str(move) for move in pos.legal_moves]


def targets(pos, ring):
    return {text.split("-")[1] for text in texts(pos) if text.startswith(ring + "-")}


def shown(pos, point):
    return notation.contents(pos.state)[notation.INDEX[point]]


# --- Y1 to Y3 -----------------------------------------------------------------------------------


def test_Y1_board_has_85_points_in_11_columns():
    pos = triskele.new("yinsh")
    assert len(texts(pos)) == 85
    heights = {letter: sorted(int(n[1:]) for n in NAMES if n[0] == letter) for letter in "abcdefghijk"}
    assert heights["a"] == [2, 3, 4, 5]
    assert heights["e"] == list(range(1, 11))
    assert heights["f"] == list(range(2, 11))
    assert heights["k"] == [7, 8, 9, 10]


def test_Y1_lines_run_three_ways_and_partition_the_board():
    for way in range(3):
        points = [p for ln in rules.LINE_POINTS[11 * way : 11 * way + 11] for p in ln]
        assert sorted(points) == list(range(85))
    assert rules.WAY[notation.INDEX["b1"], notation.INDEX["d3"]] == 2
    assert rules.WAY[notation.INDEX["b1"], notation.INDEX["c3"]] == -1


def test_Y2_white_is_seat_0_and_begins_with_51_markers_in_the_pool():
    pos = triskele.new("yinsh")
    assert pos.turn == 0
    assert pos.state[rules.POOL] == 51


def test_Y3_ten_rings_are_placed_in_turn_on_empty_points():
    pos = triskele.new("yinsh")
    for number, point in enumerate(("f6", "e5", "d4", "c3", "b2", "g7", "h8", "i9", "j10", "a2")):
        assert pos.turn == number % 2
        assert len(texts(pos)) == 85 - number
        pos.push(point)
        assert point not in texts(pos)
    assert pos.turn == 0
    assert all("-" in text for text in texts(pos))


def test_Y3_a_taken_point_is_refused_with_the_reason():
    pos = triskele.new("yinsh")
    pos.push("f6")
    with pytest.raises(triskele.IllegalMove, match="f6 is not empty"):
        pos.push("f6")


# --- Y4, Y5: moving and flipping -------------------------------------------------------------------


def test_Y4_over_any_number_of_empty_points():
    pos = at(white_rings=("f6", *WHITE_RINGS[1:]))
    assert targets(pos, "f6") >= {"f2", "f3", "f4", "f5", "f7", "f8", "f9", "f10", "b6", "j6", "b2", "j10"}


def test_Y4_over_one_unbroken_run_of_any_colours_stopping_at_once():
    pos = at(white_rings=("e1", *WHITE_RINGS[1:]), white=("e4", "e6"), black=("e5",))
    assert {t for t in targets(pos, "e1") if t[0] == "e"} == {"e2", "e3", "e7"}


def test_Y4_not_over_two_runs():
    pos = at(white_rings=("e1", *WHITE_RINGS[1:]), white=("e3", "e5"))
    assert {t for t in targets(pos, "e1") if t[0] == "e"} == {"e2", "e4"}
    with pytest.raises(triskele.IllegalMove, match="must stop on the first empty point: e4"):
        pos.push("e1-e6")


def test_Y4_never_over_a_ring_nor_onto_one_after_a_run():
    pos = at(white_rings=("e1", *WHITE_RINGS[1:]), black_rings=("e5", *BLACK_RINGS[1:]), white=("e4",))
    assert {t for t in targets(pos, "e1") if t[0] == "e"} == {"e2", "e3"}
    with pytest.raises(triskele.IllegalMove, match="the ring on e5 is in the way"):
        pos.push("e1-e6")


def test_Y4_a_run_up_to_the_edge_cannot_be_jumped():
    pos = at(white_rings=("e7", *WHITE_RINGS[1:]), white=("e8", "e10"), black=("e9",))
    assert {t for t in targets(pos, "e7") if t > "e7" and t[0] == "e"} == set()


def test_Y4_the_marker_stays_where_the_ring_was():
    pos = at(white_rings=("f6", *WHITE_RINGS[1:]))
    pos.push("f6-f9")
    assert (shown(pos, "f6"), shown(pos, "f9")) == ("w", "W")
    assert pos.state[rules.POOL] == 50


def test_Y5_jumped_markers_turn_over_and_the_placed_one_does_not():
    pos = at(turn="b", black_rings=("e1", *BLACK_RINGS[1:]), white=("e3",), black=("e4",))
    pos.push("e1-e5")
    assert [shown(pos, p) for p in ("e1", "e2", "e3", "e4", "e5")] == ["b", ".", "b", "w", "B"]


def test_Y5_flipping_along_every_way_agrees_with_a_naive_board():
    rng = random.Random(5)
    for _ in range(20):
        pos = triskele.new("yinsh")
        while pos.outcome() is None:
            move = rng.choice(pos.legal_moves)
            before = notation.contents(pos.state)
            pos.push(move)
            if "-" in move.text and not move.text.startswith("x"):
                assert notation.contents(pos.state) == naive_move(before, move.text)


def naive_move(board, text):
    """Move a ring on a list of characters by stepping through coordinates."""
    board = list(board)
    origin, target = (rules.COORDINATES[notation.INDEX[name]] for name in text.split("-"))
    step = tuple(int(np.sign(b - a)) for a, b in zip(origin, target, strict=True))
    index = {point: i for i, point in enumerate(rules.COORDINATES)}
    ring = board[index[origin]]
    board[index[origin]] = ring.lower()
    point = (origin[0] + step[0], origin[1] + step[1])
    while point != target:
        board[index[point]] = {"w": "b", "b": "w", ".": "."}[board[index[point]]]
        point = (point[0] + step[0], point[1] + step[1])
    board[index[target]] = ring
    return board


def naive_moves(board, seat):
    """Return all ring moves of a seat by stepping through coordinates."""
    index = {point: i for i, point in enumerate(rules.COORDINATES)}
    found = set()
    for origin, i in index.items():
        if board[i] != "WB"[seat]:
            continue
        for step in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)):
            point, jumped = (origin[0] + step[0], origin[1] + step[1]), False
            while point in index and board[index[point]] not in "WB":
                if board[index[point]] == ".":
                    found.add(f"{NAMES[i]}-{NAMES[index[point]]}")
                    if jumped:
                        break
                else:
                    jumped = True
                point = (point[0] + step[0], point[1] + step[1])
    return found


def test_Y4_moves_agree_with_a_naive_generator_over_random_games():
    rng = random.Random(4)
    for _ in range(20):
        pos = triskele.new("yinsh")
        while pos.outcome() is None:
            if pos.state[rules.PHASE] == rules.MOVING:
                assert set(texts(pos)) == (naive_moves(notation.contents(pos.state), pos.turn) or {"pass"})
            pos.push(rng.choice(pos.legal_moves))


# --- Y6 to Y9: rows ------------------------------------------------------------------------------


def test_Y6_a_row_of_five_is_taken_then_any_own_ring():
    pos = at(white_rings=("e5", *WHITE_RINGS[1:]), white=("e1", "e2", "e3", "e4"))
    pos.push("e5-e6")
    assert (pos.turn, texts(pos)) == (0, ["xe1-e5"])
    pos.push("xe1-e5")
    assert [shown(pos, f"e{n}") for n in range(1, 6)] == ["."] * 5
    assert pos.state[rules.POOL] == 51
    assert (pos.turn, set(texts(pos))) == (0, {"xe6", "xa3", "xb1", "xk10", "xj11"})
    pos.push("xa3")
    assert shown(pos, "a3") == "."
    assert (pos.turn, pos.state[rules.OFF], pos.outcome()) == (1, 1, None)


def test_Y6_rings_do_not_count_in_a_row():
    pos = at(white_rings=("f5", "e3", *WHITE_RINGS[2:]), white=("e1", "e2", "e4"))
    pos.push("f5-e5")
    assert pos.turn == 1
    assert not any(text.startswith("x") for text in texts(pos))


def test_Y6_the_opponents_row_is_the_opponents():
    pos = at(white_rings=("e6", *WHITE_RINGS[1:]), black=("b2", "c3", "d4", "f6"), white=("e5", "e4"))
    pos.push("e6-e3")
    assert (pos.turn, texts(pos)) == (1, ["xb2-f6"])
    pos.push("xb2-f6")
    assert (pos.turn, set(texts(pos))) == (1, {f"x{ring}" for ring in BLACK_RINGS})
    pos.push("xk9")
    assert (pos.turn, pos.state[rules.PHASE]) == (1, rules.MOVING)


@pytest.mark.parametrize("length", [6, 7])
def test_Y7_of_a_long_row_the_owner_chooses_which_five(length):
    run = [f"e{n}" for n in range(1, length + 1)]
    middle, side = "e3", "f3"
    pos = at(white_rings=(middle, *WHITE_RINGS[1:]), white=[p for p in run if p != middle])
    pos.push(f"{middle}-{side}")
    assert texts(pos) == [f"xe{n}-e{n + 4}" for n in range(1, length - 3)]
    pos.push("xe2-e6")
    assert shown(pos, "e1") == "w"
    assert shown(pos, "e2") == "."


def test_Y8_rows_that_do_not_cross_are_all_taken_one_ring_each():
    columns = [f"{c}{n}" for c in "ce" for n in (3, 4, 5, 6, 7)]
    jumped = {"c5", "d5", "e5"}
    white = [p for p in columns if p not in jumped]
    pos = at(white_rings=("b5", *WHITE_RINGS[:2], *WHITE_RINGS[3:]), white=white, black=sorted(jumped))
    pos.push("b5-f5")
    assert texts(pos) == ["xc3-c7", "xe3-e7"]
    pos.push("xe3-e7")
    pos.push("xf5")
    assert (pos.turn, texts(pos)) == (0, ["xc3-c7"])
    pos.push("xc3-c7")
    assert pos.turn == 0
    pos.push("xa2")
    assert (pos.turn, pos.state[rules.OFF]) == (1, 2)


def test_Y8_of_crossing_rows_the_owner_takes_one_and_the_other_is_broken():
    column = ["e3", "e4", "e6", "e7"]
    row = ["c5", "d5", "f5", "g5"]
    pos = at(white_rings=("e5", *WHITE_RINGS[1:]), white=column + row)
    pos.push("e5-d4")
    assert texts(pos) == ["xc5-g5", "xe3-e7"]
    pos.push("xc5-g5")
    pos.push("xa3")
    assert pos.turn == 1
    assert [shown(pos, p) for p in column] == ["w"] * 4


def rows_for_both(mover, off="0-0"):
    """A ring move along row 5 that gives white the column c and black the column e."""
    pos_rings = {"white_rings": ("b5", "b1", "a2", "k10", "j11"), "black_rings": BLACK_RINGS}
    if mover == "b":
        pos_rings = {"white_rings": WHITE_RINGS, "black_rings": ("b5", *BLACK_RINGS[1:])}
    held = tuple(int(n) for n in off.split("-"))
    for (kind, rings), gone in zip(tuple(pos_rings.items()), held, strict=True):
        pos_rings[kind] = rings[: 5 - gone]
    white = [f"c{n}" for n in (3, 4, 6, 7)] + ["e5"]
    black = [f"e{n}" for n in (3, 4, 6, 7)] + ["c5", "d5"]
    pos = at(turn=mover, off=off, white=white, black=black, **pos_rings)
    pos.push("b5-f5")
    return pos


@pytest.mark.parametrize(("mover", "first", "second"), [("w", "xc3-c7", "xe3-e7"), ("b", "xe3-e7", "xc3-c7")])
def test_Y9_the_mover_settles_first_then_the_opponent_before_his_move(mover, first, second):
    pos = rows_for_both(mover)
    seat = "wb".index(mover)
    assert (pos.turn, texts(pos)) == (seat, [first])
    pos.push(first)
    pos.push(pos.legal_moves[0])
    assert (pos.turn, texts(pos)) == (1 - seat, [second])
    pos.push(second)
    assert pos.turn == 1 - seat
    pos.push(pos.legal_moves[0])
    assert pos.turn == 1 - seat
    assert pos.state[rules.PHASE] == rules.MOVING


# --- Y10 to Y12: the end -----------------------------------------------------------------------------


def test_Y10_third_ring_wins_at_once_for_the_mover_when_both_would():
    pos = rows_for_both("b", off="2-2")
    pos.push("xe3-e7")
    pos.push(pos.legal_moves[0])
    assert pos.outcome() == triskele.Outcome((1,), (-1.0, 1.0), "rings")
    assert pos.turn is None
    assert pos.legal_moves == []


def test_Y10_the_opponent_can_win_in_the_movers_turn():
    pos = rows_for_both("w", off="0-2")
    for _ in range(2):
        pos.push(pos.legal_moves[0])
    pos.push("xe3-e7")
    pos.push(pos.legal_moves[0])
    assert pos.outcome() == triskele.Outcome((1,), (-1.0, 1.0), "rings")


def test_Y10_blitz_is_won_by_the_first_ring():
    pos = at(blitz=True, white_rings=("e5", *WHITE_RINGS[1:]), white=("e1", "e2", "e3", "e4"))
    for text in ("e5-e6", "xe1-e5", "xe6"):
        assert pos.outcome() is None
        pos.push(text)
    assert pos.outcome().winners == (0,)


def nearly_full(rows_after):
    """Return a position right after the 51st marker was placed, with a row to take or without."""
    rng = random.Random(rows_after)
    while True:
        pos = triskele.new("yinsh")
        while pos.outcome() is None and not (pos.state[rules.POOL] == 1 and pos.state[rules.PHASE] == rules.MOVING):
            pos.push(rng.choice(pos.legal_moves))
        if pos.outcome() is not None:
            continue
        for move in pos.legal_moves:
            pos.push(move)
            makes_row = pos.state[rules.PHASE] == rules.TAKING_ROW
            if makes_row == rows_after:
                return pos
            pos.pop()


def test_Y11_pool_empty_when_a_turn_should_begin_ends_the_game():
    pos = nearly_full(rows_after=False)
    assert pos.outcome().reason == "pool"
    off = pos.state[rules.OFF : rules.OFF + 2].tolist()
    expected = () if off[0] == off[1] else (0,) if off[0] > off[1] else (1,)
    assert pos.outcome().winners == expected
    assert pos.state[rules.POOL] == 0


def test_Y11_the_51st_marker_that_makes_a_row_refills_the_pool_and_the_game_goes_on():
    pos = nearly_full(rows_after=True)
    assert pos.state[rules.POOL] == 0
    assert pos.outcome() is None
    seat = pos.turn
    pos.push(pos.legal_moves[0])
    assert pos.state[rules.POOL] == 5
    pos.push(pos.legal_moves[0])
    assert pos.outcome() is None or pos.outcome().winners == (seat,)


SHUT_WHITE = ("a2", "a3", "a4")
SHUT_BLACK = ("b2", "b3", "b4")
SHUT_RUNS = (
    ["b1", "b5", "b6", "b7", "a5"]
    + [f"{c}{n}" for n, last in ((2, "g"), (3, "h"), (4, "i")) for c in "cdefghi" if c <= last]
    + ["e5", "f6", "g7", "h8", "i9", "j10", "d5", "e6", "f7", "g8", "h9", "i10", "j11"]
    + ["c5", "d6", "e7", "f8", "g9", "h10", "i11", "c6", "d7", "e8", "f9", "g10", "h11"]
)
"""Runs of markers from the six rings to the edge, so that no ring can jump them."""


def shut_in(without=()):
    """Return a position in which neither side can move, less some markers; the colours make no row."""
    runs = [p for p in SHUT_RUNS if p not in without]
    residue = {name: (rules.COORDINATES[i][0] + 3 * rules.COORDINATES[i][1]) % 7 for i, name in enumerate(NAMES)}
    return at(
        off="2-2",
        white_rings=SHUT_WHITE,
        black_rings=SHUT_BLACK,
        white=[p for p in runs if residue[p] < 3],
        black=[p for p in runs if residue[p] >= 3],
    )


def test_Y12_a_side_whose_rings_are_all_shut_in_passes_without_a_marker():
    pos = shut_in(without=("b1",))
    assert texts(pos) == ["pass"]
    pool = pos.state[rules.POOL]
    pos.push("pass")
    assert (pos.turn, pos.state[rules.POOL]) == (1, pool)
    assert texts(pos) == ["b2-b1"]
    pos.push("b2-b1")
    assert pos.state[rules.PASSES] == 0


def test_Y12_two_passes_in_a_row_end_the_game_as_an_empty_pool_does():
    pos = shut_in()
    pos.push("pass")
    assert pos.outcome() is None
    assert texts(pos) == ["pass"]
    pos.push("pass")
    assert pos.outcome() == triskele.Outcome((), (0.0, 0.0), "passes")


def test_Y12_passing_is_legal_only_then():
    pos = at()
    assert "pass" not in texts(pos)
    with pytest.raises(triskele.IllegalMove, match="you may pass only when none of your rings can move"):
        pos.push("pass")


# --- plain and compiled, facts -----------------------------------------------------------------------


def test_random_play_has_the_known_length_and_balance():
    variant = game("yinsh").variant({})
    playouts = game("yinsh").linker.program(PLAYOUTS)
    first, scratch = variant.first_state(), variant.first_state()
    moves, rng = np.zeros(variant.moves_limit, dtype=np.int64), bits.seed(7)
    games = 20_000
    assert playouts(first, scratch, moves, rng, games, 1000) / games == pytest.approx(71.7, abs=0.3)
    results = [0, 0, 0]
    for _ in range(3000):
        playouts(first, scratch, moves, rng, 1, 1000)
        results[scratch[rules.WINNER]] += 1
    assert [n / 3000 for n in results] == pytest.approx([0.318, 0.312, 0.37], abs=0.04)


def test_plain_and_compiled_rules_agree_over_thousands_of_games():
    linker = game("yinsh").linker
    compiled, plain = linker.compile_rules(), linker.plain
    variant = game("yinsh").variant({})
    for number in range(2000):
        rng = random.Random(number)
        one, other = variant.first_state(), variant.first_state()
        moves = np.zeros(variant.moves_limit, dtype=np.int64)
        check_every = number % 40 == 0  # the whole list costs, so it is compared in every fortieth game
        while compiled.actor(one) >= 0:
            n = compiled.count(one, moves)
            k = rng.randrange(n)
            code = compiled.nth(one, moves, k)
            if check_every:
                buffers = [np.zeros_like(moves) for _ in range(2)]
                assert plain.legal(other, buffers[0]) == compiled.legal(one, buffers[1]) == n
                assert np.array_equal(*buffers)
                assert plain.count(other, buffers[0]) == n
                assert plain.nth(other, buffers[0], k) == code
            compiled.apply(one, code)
            plain.apply(other, code)
            assert np.array_equal(one, other)
        assert compiled.winners(one) == plain.winners(other)
        assert compiled.reason(one) == plain.reason(other)


def test_plain_and_compiled_playouts_agree():
    variant = game("yinsh").variant({})
    results = []
    for function in (link_plain(PLAYOUTS, rules), game("yinsh").linker.program(PLAYOUTS)):
        scratch, moves = variant.first_state(), np.zeros(variant.moves_limit, dtype=np.int64)
        made = function(variant.first_state(), scratch, moves, bits.seed(3), 20, 1000)
        results.append((made, scratch.tolist()))
    assert results[0] == results[1]


# --- texts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("yinsh: nonsense", "columns a to k"),
        ("yinsh: ..../....... w place w 0-0 0", "2 columns instead of 11"),
        (line(white=["e5"]).replace(" move ", " place "), "do not fit the opening"),
        (line().replace(" move ", " dance "), "dance is not a phase"),
        (line().replace(" 0-0 ", " 1-0 "), "do not add up to five per side"),
        (line().replace("w move w", "w move b"), "not the one whose turn it is"),
        (line().replace("w move w", "w row w"), "has no row to remove"),
        (line(white=["e1", "e2", "e3", "e4", "e5"]), "still on the board"),
        (line().replace("move w 0-0 0", "move w 0-0 1"), "the passes do not fit"),
        (line().replace("move w 0-0 0", "pool w 0-0 0"), "the pool does not fit"),
        (line().replace("move w 0-0 0", "passes w 0-0 2"), "the passes do not fit"),
        (line().replace("move w 0-0 0", "rings w 0-0 0"), "the rings removed do not fit"),
    ],
)
def test_bad_position_texts_are_refused_with_the_reason(bad, why):
    with pytest.raises(triskele.RecordError, match=why):
        triskele.position(bad)


def test_a_row_is_entered_by_its_ends_in_either_order():
    pos = at(white_rings=("e5", *WHITE_RINGS[1:]), white=("e1", "e2", "e3", "e4"))
    pos.push("e5-e6")
    assert str(pos.complete(("e5", "e1")).move) == "xe1-e5"
    assert str(pos.complete(("e1", "e5")).move) == "xe1-e5"
    assert pos.complete(()).next == ("e1", "e5")


def test_perft_from_the_empty_board():
    variant = game("yinsh").variant({})
    perft = game("yinsh").linker.program(PERFT)
    for depth, leaves in ((1, 85), (2, 7140), (3, 592_620)):
        states = np.zeros((depth, variant.size), dtype=np.int64)
        moves = np.zeros((depth, variant.moves_limit), dtype=np.int64)
        assert perft(variant.first_state(), depth, states, moves, np.zeros(2 * depth, dtype=np.int64)) == leaves
