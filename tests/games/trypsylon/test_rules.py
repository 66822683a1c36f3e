"""TRYPSYLON, rule by rule (T1 to T16), against a second implementation that is slow and different."""

import random

import numpy as np
import pytest

import triskele
from tests.games.trypsylon.helpers import ALL_NE, SHUFFLE, at, play, texts
from triskele.core import bits
from triskele.core.compile import Program
from triskele.core.contract import OVER
from triskele.core.playout import playout
from triskele.games.trypsylon import GAME, rules

DIRECTIONS = ("NE", "SE", "SW", "NW")


STRAIGHT = {"NE": "WS", "SE": "NW", "SW": "NE", "NW": "ES"}


STEP = {"N": (0, 1), "S": (0, -1), "E": (1, 0), "W": (-1, 0)}


FRAMES = [(5, 5), (6, 6), (6, 5), (5, 6)]


PLAYOUT = Program(playout, "int64(int64[::1], int64[::1], uint64[::1], int64)")


# --- a second implementation ----------------------------------------------------------------------


def naive_paths(cards: dict[tuple[int, int], str], columns: int, rows: int) -> set[str]:
    """Which shores are joined: ends of arms at the same spot are the same spot, and a card joins its ends.

    Spots have coordinates from 0 to twice the number of cells, so that middles of sides are whole numbers.
    """
    leader: dict[tuple[int, int], tuple[int, int]] = {}

    def find(spot):
        while leader.setdefault(spot, spot) != spot:
            spot = leader[spot]
        return spot

    def is_live(x, y):
        around = [(x // 2 + i, y // 2 + j) for i in (-1, 0) for j in (-1, 0)]
        return all((c, r) in cards for c, r in around if 0 <= c < columns and 0 <= r < rows)

    for (c, r), direction in cards.items():
        middle = (2 * c + 1, 2 * r + 1)
        ends = [(middle[0] + STEP[arm][0], middle[1] + STEP[arm][1]) for arm in STRAIGHT[direction]]
        corner = tuple(m + sum(STEP[arm][axis] for arm in direction) for axis, m in enumerate(middle))
        if is_live(*corner):
            ends.append(corner)
        for end in ends:
            leader[find(end)] = find(middle)
    touched: dict[tuple[int, int], set[str]] = {}
    for x, y in list(leader):
        shores = touched.setdefault(find((x, y)), set())
        names = (("west", x == 0), ("east", x == 2 * columns), ("south", y == 0), ("north", y == 2 * rows))
        shores |= {name for name, there in names if there}
    joined = set()
    for shores in touched.values():
        joined |= {"beach"} if {"west", "east"} <= shores else set()
        joined |= {"meadow"} if {"south", "north"} <= shores else set()
    return joined


class Table:
    """The whole game on a dictionary of cells, with move texts; no bit is shared with the rules."""

    def __init__(self, columns=5, rows=5, expert=False, first="beach", touch_move=True, repetition=3):
        self.columns, self.rows, self.expert, self.touch_move = columns, rows, expert, touch_move
        self.repetition = repetition
        self.joins = ["beach", "meadow"] if first == "beach" else ["meadow", "beach"]
        self.board: dict[tuple[int, int], str | None] = {(c, r): None for c in range(columns) for r in range(rows)}
        self.seat, self.moves_made, self.after_open = 0, 0, False
        self.hand: list[tuple[tuple[int, int], str | None]] = []
        self.pushed = False
        self.last: tuple[int, int] | None = None
        self.history: list[object] = []
        self.result: str | None = None

    @property
    def down(self):
        return [cell for cell, card in self.board.items() if card is None]

    def may_double(self):
        """At the beginning of a turn."""
        if self.expert:
            return self.moves_made > 0 and len(self.down) > 0
        return self.after_open and len(self.down) > 3

    def line(self, side, number):
        """The cells of a line, the one at the entrance first."""
        length = self.rows if side in "NS" else self.columns
        cells = [(number, i) if side in "NS" else (i, number) for i in range(length)]
        return cells[::-1] if side in "NE" else cells

    def pushes(self):
        for side in "NSEW":
            for number in range(self.columns if side in "NS" else self.rows):
                cells = self.line(side, number)
                if cells[0] in self.board and any(cell not in self.board for cell in cells):
                    name = "abcdef"[number] if side in "NS" else str(number + 1)
                    yield from (f"{side}{name}/{direction}" for direction in DIRECTIONS)

    def legal(self) -> set[str]:
        def name(cell):
            return "abcdef"[cell[0]] + str(cell[1] + 1)

        if self.result:
            return set()
        if not self.hand:
            return {name(cell) for cell in self.board if cell != self.last}
        second = set()
        if len(self.hand) == 1 and not self.pushed and self.hand[0][1] is None and self.double_now:
            second = {name(cell) for cell in self.down}
        must = self.expert and second
        back = {"back"} if not self.touch_move and not self.pushed else set()
        return second | back | (set() if must else set(self.pushes()))

    def play(self, move: str) -> None:
        if move == "back":
            self.board.update(self.hand)
            self.hand = []
        elif "/" not in move:
            if not self.hand:
                self.double_now = self.may_double()
            cell = ("abcdef".index(move[0]), int(move[1]) - 1)
            self.hand.append((cell, self.board.pop(cell)))
        else:
            self.push(move)

    def push(self, move):
        place, direction = move.split("/")
        number = "abcdef".index(place[1]) if place[1] in "abcdef" else int(place[1]) - 1
        cells = self.line(place[0], number)
        moving = direction
        for cell in cells:
            if cell not in self.board:
                self.board[cell] = moving
                break
            self.board[cell], moving = moving, self.board[cell]
        _, was = self.hand.pop()
        if self.hand:
            self.pushed = True
            return
        self.pushed = False
        self.last = cells[0]
        self.moves_made += 1
        self.after_open = was is not None
        paths = naive_paths({k: v for k, v in self.board.items() if v}, self.columns, self.rows)
        mine, other = self.joins[self.seat], self.joins[1 - self.seat]
        if paths:
            self.result = mine if mine in paths else other
        self.seat = 1 - self.seat
        key = (tuple(sorted(self.board.items())), self.seat, self.last, self.may_double())
        self.history.append(key)
        if not self.result and self.repetition and self.history.count(key) >= self.repetition:
            self.result = "draw"

    def rows_text(self):
        def code(cell):
            return "__" if cell not in self.board else self.board[cell] or "~~"

        rows = range(self.rows - 1, -1, -1)
        return "/".join("".join(code((c, r)) for c in range(self.columns)) for r in rows)


# --- help -----------------------------------------------------------------------------------------


def entrances(position: triskele.Position) -> set[str]:
    """Where something can be pushed in; every direction must be possible there."""
    found = {text.split("/")[0] for text in texts(position) if "/" in text}
    assert {f"{place}/{d}" for place in found for d in DIRECTIONS} == {t for t in texts(position) if "/" in t}
    return found


def rows_of(position: triskele.Position) -> list[list[str]]:
    """The cells as written, the northern row first."""
    body = str(position).partition(": ")[2].split()[0]
    return [[row[i : i + 2] for i in range(0, len(row), 2)] for row in body.split("/")]


def card(position: triskele.Position, cell: str) -> str:
    return rows_of(position)[-int(cell[1])]["abcdef".index(cell[0])]


def paths(drawing: str) -> set[str]:
    """The shores that are joined on a board, by the rules and by the second implementation."""
    drawn = [row.split() for row in drawing.strip().splitlines()][::-1]
    cards = {(c, r): d for r, row in enumerate(drawn) for c, d in enumerate(row) if d in DIRECTIONS}
    columns, rows = len(drawn[0]), len(drawn)
    found = joined_by_rules(cards, columns, rows)
    assert found == naive_paths(cards, columns, rows)
    return found


def joined_by_rules(cards, columns, rows) -> set[str]:
    state = GAME.variant({"columns": columns, "rows": rows}).first_state()
    for (c, r), direction in cards.items():
        state[rules.NE + DIRECTIONS.index(direction)] |= rules.CELLS[6 * r + c]
    found = int(rules.joined(state))
    return ({"beach"} if found & rules.BEACHES else set()) | ({"meadow"} if found & rules.MEADOWS else set())


def linked(options=None):
    """The variant, its plain and its compiled rules."""
    return GAME.variant(options), GAME.linker.plain, GAME.linker.compile_rules()


WATER = "\n".join(5 * [5 * "~~ "])


TWO_IN_ROW_3 = """
    ~~ ~~ NE ~~ ~~
    ~~ ~~ ~~ ~~ ~~
    SE __ SW __ NW
    ~~ ~~ ~~ ~~ ~~
    NE ~~ ~~ ~~ ~~"""


ONE_PUSH_FROM_BOTH = """
    ~~ ~~ ~~ ~~ NE
    ~~ ~~ ~~ ~~ SE
    ~~ ~~ ~~ ~~ NE
    ~~ ~~ ~~ ~~ SE
    SW SE SW NE ~~"""


ONE_PUSH_FROM_BEACHES = """
    ~~ ~~ ~~ ~~ NE
    ~~ ~~ ~~ ~~ ~~
    ~~ ~~ ~~ ~~ ~~
    ~~ ~~ ~~ ~~ ~~
    SW SE SW SE ~~"""


# --- T1 to T3: board, cards, start ----------------------------------------------------------------


@pytest.mark.parametrize(("columns", "rows"), FRAMES)
def test_T1_frames(columns, rows):
    position = triskele.new("trypsylon", columns=columns, rows=rows)
    cells = {f"{'abcdef'[c]}{r + 1}" for c in range(columns) for r in range(rows)}
    assert texts(position) == cells
    north_east = f"{'abcdef'[columns - 1]}{rows}"
    position.push(north_east)
    assert entrances(position) == {f"S{north_east[0]}", f"W{rows}"}
    play(position, f"W{rows}/NE")
    assert card(position, f"a{rows}") == "NE"
    assert str(position).endswith(f"meadow barred=a{rows}")


@pytest.mark.parametrize("options", [{"columns": 4}, {"rows": 7}, {"repetition": 2}, {"first": "sea"}, {"expert": 1}])
def test_T1_other_options_are_refused(options):
    with pytest.raises(triskele.OptionError):
        triskele.new("trypsylon", **options)


@pytest.mark.parametrize(
    ("columns", "rows", "leaves"), [(5, 5, (25, 320, 7_680)), (6, 6, (36, 480, 16_800)), (6, 5, (30, 392, 11_368))]
)
def test_T3_leaves_after_decisions(columns, rows, leaves):
    """On 6x5: 4 corners with 2 entrances, 14 edge cells with 3, 12 inside with 4, each with 4 directions."""
    variant, plain, _ = linked({"columns": columns, "rows": rows})

    def count(state, depth):
        moves = np.zeros(variant.moves_limit, dtype=np.int64)
        number = plain.legal(state, moves)
        if depth == 1:
            return number
        total = 0
        for move in moves[:number].tolist():
            after = np.concatenate([state[: state[0]], np.zeros(variant.log, dtype=np.int64)])
            plain.apply(after, move)
            total += count(after, depth - 1)
        return total

    assert tuple(count(variant.first_state(), depth) for depth in (1, 2, 3)) == leaves


@pytest.mark.parametrize("expert", [False, True])
def test_T3_first_move_is_simple(expert):
    position = play(triskele.new("trypsylon", expert=expert), "c3")
    assert entrances(position) == {"Nc", "Sc", "W3", "E3"}
    assert texts(position) == {text for text in texts(position) if "/" in text}
    with pytest.raises(triskele.IllegalMove, match="first move of the game is a simple move"):
        position.push("a1")


# --- T4 to T6, T8: the three moves ----------------------------------------------------------------


def test_T5_the_card_inserted_last_is_barred():
    position = play(triskele.new("trypsylon"), "c3 Nc/SW")
    assert card(position, "c5") == "SW"
    assert "c5" not in texts(position)
    assert len(texts(position)) == 24
    with pytest.raises(triskele.IllegalMove, match="your opponent has just inserted"):
        position.push("c5")
    play(position, "a1 Na/NE")
    assert "c5" in texts(position)
    assert "a5" not in texts(position)


def test_T5_a_card_pushed_on_by_the_last_one_is_not_barred():
    position = play(triskele.new("trypsylon"), "c3 Nc/SW c2 Nc/NE")
    assert [card(position, f"c{row}") for row in (5, 4)] == ["NE", "SW"]
    assert "c5" not in texts(position)
    assert "c4" in texts(position)


def test_T6_double_move_only_right_after_an_open_move():
    position = play(triskele.new("trypsylon"), "c3 Nc/SW a1 Na/NE")
    assert "double" not in str(position)
    play(position, "b1")
    assert not any("/" not in text for text in texts(position))
    with pytest.raises(triskele.IllegalMove, match="only right after your opponent’s open move"):
        position.push("b2")
    position.pop()
    play(position, "c5 Sc/SW")  # open
    assert " double" in str(position)
    play(position, "b1")
    assert {"b2", "e5"} <= texts(position)
    assert "a5" not in texts(position), "the second card must be face down"
    assert "Nb/NE" in texts(position), "a simple move is possible all the same"
    assert play(position.copy(), "Nb/NE").turn == 1 - position.turn
    play(position, "b2")
    assert not any("/" not in text for text in texts(position))
    play(position, "Nb/NE Nb/SE")
    assert "double" not in str(position), "not after a double move"


def test_T6_after_an_open_move_an_open_move_allows_the_next_double():
    position = play(triskele.new("trypsylon"), "c3 Nc/SW a1 Na/NE c5 Sc/SW")
    play(position, "a5")
    with pytest.raises(triskele.IllegalMove, match="a face-up card is played alone"):
        position.push("b2")
    play(position, "E5/NE")
    assert " double" in str(position)


def test_T8_after_a_double_move_only_the_second_card_is_barred():
    position = at(
        """
        __ ~~ NE ~~ ~~
        ~~ ~~ ~~ ~~ ~~
        ~~ __ ~~ ~~ ~~
        ~~ ~~ ~~ ~~ ~~
        ~~ ~~ ~~ ~~ NE""",
        "beach hand=~~~~ barred=c5 double",
    )
    play(position, "W3/SE")
    assert card(position, "a3") == "SE"
    assert entrances(position) == {"Sa", "E5"}
    play(position, "Sa/NW")  # pushes the first card on
    assert [card(position, f"a{row}") for row in range(1, 6)] == ["NW", "~~", "~~", "SE", "~~"]
    assert "a1" not in texts(position)
    assert {"a4", "c5"} <= texts(position)


# --- T7: pushing ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("cell", "ways"), [("a1", 2), ("e5", 2), ("c1", 3), ("a3", 3), ("e2", 3), ("c3", 4)])
def test_T7_ways_to_fill_a_lone_vacancy(cell, ways):
    position = play(triskele.new("trypsylon"), cell)
    assert len(entrances(position)) == ways
    assert len(texts(position)) == 4 * ways


@pytest.mark.parametrize(
    ("push", "cells", "cards"),
    [
        ("W2/NW", "a2 b2 c2 d2 e2", "NW NE SE NW SW"),
        ("E2/NE", "a2 b2 c2 d2 e2", "NE SE NW SW NE"),
        ("Nc/SE", "c5 c4 c3 c2 c1", "SE SW ~~ NE SE"),
        ("Sc/NW", "c5 c4 c3 c2 c1", "SW ~~ NE SE NW"),
    ],
)
def test_T7_cards_between_edge_and_vacancy_move_on(push, cells, cards):
    position = at(
        """
        ~~ ~~ SW ~~ ~~
        ~~ ~~ ~~ ~~ ~~
        ~~ ~~ NE ~~ ~~
        NE SE ~~ NW SW
        ~~ ~~ SE ~~ ~~""",
        "beach barred=c5",
    )
    before = rows_of(position)
    play(position, f"c2 {push}")
    assert [card(position, cell) for cell in cells.split()] == cards.split()
    line = {"W2": "2", "E2": "2", "Nc": "c", "Sc": "c"}[push[:2]]
    for row, number in zip(before, "54321", strict=True):
        for old, column in zip(row, "abcde", strict=True):
            if line not in (column, number):
                assert card(position, column + number) == old


def test_T7_two_vacancies_in_one_line_the_nearest_is_filled():
    position = at(TWO_IN_ROW_3, "beach hand=~~~~ barred=c5 double")
    assert entrances(position) == {"W3", "E3", "Nb", "Sb", "Nd", "Sd"}
    west = play(position.copy(), "W3/NE")
    assert rows_of(west)[2] == ["NE", "SE", "SW", "__", "NW"]
    assert entrances(west) == {"W3", "E3", "Nd", "Sd"}
    assert rows_of(play(west, "W3/SE"))[2] == ["SE", "NE", "SE", "SW", "NW"]
    east = play(position.copy(), "E3/NE")
    assert rows_of(east)[2] == ["SE", "__", "SW", "NW", "NE"]
    assert rows_of(play(east, "E3/SE"))[2] == ["SE", "SW", "NW", "NE", "SE"]


def test_T7_two_vacancies_in_one_column_the_nearest_is_filled():
    position = at(
        """
        ~~ ~~ NE ~~ ~~
        ~~ ~~ __ ~~ ~~
        ~~ ~~ SE ~~ ~~
        ~~ ~~ __ ~~ ~~
        NE ~~ SW ~~ ~~""",
        "beach hand=~~~~ barred=c5 double",
    )
    north = play(position.copy(), "Nc/NW")
    assert [card(north, f"c{row}") for row in range(1, 6)] == ["SW", "__", "SE", "NE", "NW"]
    south = play(position.copy(), "Sc/NW")
    assert [card(south, f"c{row}") for row in range(1, 6)] == ["NW", "SW", "SE", "__", "NE"]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("__ ~~ __ SW NW", {"E3", "Na", "Sa", "Nc", "Sc"}),
        ("__ ~~ SW NW __", {"Na", "Sa", "Ne", "Se"}),
        ("__ __ SW NW ~~", {"E3", "Na", "Sa", "Nb", "Sb"}),
    ],
)
def test_T7_a_vacancy_at_the_edge_shuts_that_entrance(row, expected):
    position = at(TWO_IN_ROW_3.replace("SE __ SW __ NW", row), "beach hand=~~~~ barred=c5 double")
    assert entrances(position) == expected
    with pytest.raises(triskele.IllegalMove, match="there is no card on a3 to push"):
        position.push("W3/NE")


def test_T7_two_vacancies_in_a_corner():
    position = at(
        """
        ~~ ~~ NE ~~ ~~
        ~~ ~~ ~~ ~~ ~~
        ~~ ~~ ~~ ~~ ~~
        __ ~~ ~~ ~~ ~~
        __ SW ~~ ~~ ~~""",
        "beach hand=~~~~ barred=c5 double",
    )
    assert entrances(position) == {"Na", "E1", "E2"}
    play(position, "Na/NE")
    assert [card(position, f"a{row}") for row in range(1, 6)] == ["__", "~~", "~~", "~~", "NE"]
    assert entrances(position) == {"Na", "E1"}


def test_T7a_a_push_that_changes_nothing_to_see_is_legal():
    position = at(ALL_NE, "beach barred=c5")
    play(position, "a3 E3/NE")
    assert rows_of(position) == 5 * [5 * ["NE"]]
    assert position.turn == 1


# --- T9: the endgame ------------------------------------------------------------------------------


@pytest.mark.parametrize(("down", "allowed"), [(5, True), (4, True), (3, False), (1, False)])
def test_T9_double_moves_end_with_three_face_down(down, allowed):
    south = " ".join(["~~"] * down + ["NE"] * (5 - down))
    position = at("\n".join([*4 * [5 * "NE "], south]), "beach barred=c5")
    play(position, "b3 W3/NE")
    assert ("double" in str(position)) == allowed
    play(position, "a1")
    assert {text for text in texts(position) if "/" not in text} == ({"b1", "c1", "d1", "e1"} if allowed else set()) & {
        f"{'abcde'[i]}1" for i in range(down)
    }
    if not allowed:
        with pytest.raises(triskele.IllegalMove, match="in the endgame"):
            position.push("c1")


def test_T9_a_simple_move_into_the_endgame_allows_no_double_move():
    position = at("\n".join([*4 * [5 * "NE "], "~~ ~~ ~~ ~~ NE"]), "beach barred=c5 double")
    play(position, "a1 b1 Nb/NE Na/NE")
    assert "double" not in str(position)
    play(position, "b3 W3/NE")
    assert "double" not in str(position)


# --- T10 to T12: paths ----------------------------------------------------------------------------


def test_T2_T10_straight_arms_and_shores():
    stairs = """
        NE ~~ ~~ ~~ ~~
        SW NE ~~ ~~ ~~
        ~~ SW NE ~~ ~~
        ~~ ~~ SW NE ~~
        ~~ ~~ ~~ SW NE
        ~~ ~~ ~~ ~~ SW"""
    assert paths(stairs) == {"beach"}
    for broken in ("NE", "NW"):
        assert paths(stairs[::-1].replace("WS", broken[::-1], 1)[::-1]) == set(), "the last card has no northern arm"
    across = """
        SW NE ~~ ~~ ~~ ~~
        ~~ SW NE ~~ ~~ ~~
        ~~ ~~ SW NE ~~ ~~
        ~~ ~~ ~~ SW NE ~~
        ~~ ~~ ~~ ~~ SW NE"""
    assert paths(across) == {"meadow"}


THROUGH_A_POINT = """
    ~~ ~~ ~~ ~~ ~~
    ~~ ~~ ~~ ~~ ~~
    ~~ ~~ ~~ ~~ ~~
    ~~ ~~ NE SW SE
    SE SW NE NE NE"""


AROUND_THE_CORNER = """
    ~~ ~~ ~~ ~~ ~~
    ~~ ~~ ~~ ~~ ~~
    ~~ ~~ ~~ ~~ ~~
    ~~ ~~ NE NE ~~
    SE SW NE NW SE"""


FOUR_AT_A_POINT = """
    ~~ ~~ ~~ ~~ ~~
    ~~ ~~ ~~ ~~ ~~
    ~~ ~~ ~~ ~~ ~~
    ~~ ~~ SE SW ~~
    SE SW NE NW SE"""


ALONG_THE_EDGE = """
    ~~ ~~ ~~ ~~ ~~
    ~~ ~~ ~~ ~~ ~~
    ~~ ~~ ~~ ~~ ~~
    ~~ ~~ ~~ ~~ ~~
    SE SW SE SW SE"""


INTO_THE_FRAME = """
    ~~ ~~ ~~ ~~ ~~
    ~~ ~~ ~~ ~~ ~~
    ~~ ~~ ~~ ~~ ~~
    ~~ ~~ ~~ ~~ NW
    SE SW SE SW NE"""


def without(drawing: str, cell: str) -> str:
    """The drawing with one cell face down."""
    lines = [row.split() for row in drawing.strip().splitlines()]
    lines[-int(cell[1])]["abcdef".index(cell[0])] = "~~"
    return "\n".join(" ".join(row) for row in lines)


@pytest.mark.parametrize(
    ("drawing", "needed"),
    [
        (THROUGH_A_POINT, ["c2", "d1", "e1"]),
        (AROUND_THE_CORNER, ["c2", "d2"]),
        (FOUR_AT_A_POINT, ["c2", "d2"]),
    ],
)
def test_T11_a_diagonal_needs_every_card_at_its_point_face_up(drawing, needed):
    assert paths(drawing) == {"beach"}
    for cell in needed:
        assert paths(without(drawing, cell)) == set(), cell


def test_T11_diagonals_past_the_frame_need_nothing_more():
    assert paths(ALONG_THE_EDGE) == {"beach"}


def test_T11_a_diagonal_into_the_frame_needs_its_neighbour():
    assert paths(INTO_THE_FRAME) == {"beach"}
    assert paths(without(INTO_THE_FRAME, "e2")) == set()


@pytest.mark.parametrize(
    ("drawing", "corner"),
    [
        ("~~ ~~ ~~ ~~ ~~\n" * 4 + "SE SW SE SW SE", "SE"),
        ("NW NE NW NE NW\n" + "~~ ~~ ~~ ~~ ~~\n" * 4, "NW"),
    ],
)
def test_T11_a_corner_point_is_always_live_and_reaches_both_shores(drawing, corner):
    assert paths(drawing) == {"beach"}
    column = {"SE": "SE NE SE NE", "NW": "SW NW SW NW"}[corner].split()
    rows = [row.split() for row in drawing.strip().splitlines()]
    x = 4 if corner == "SE" else 0
    others = range(4) if corner == "SE" else range(1, 5)
    for row, direction in zip(others, column, strict=True):
        rows[row][x] = direction
    assert paths("\n".join(map(" ".join, rows))) == {"beach", "meadow"}


def test_T12_a_path_may_not_run_along_a_shore():
    """The west touches the north meadow in a5, the east in e5."""
    drawing = """
        NE NE ~~ ~~ NE
        ~~ ~~ ~~ ~~ ~~
        ~~ ~~ ~~ ~~ ~~
        ~~ ~~ ~~ ~~ ~~
        ~~ ~~ ~~ ~~ ~~"""
    assert paths(drawing) == set()
    assert at(drawing, "beach barred=a5").outcome() is None


@pytest.mark.parametrize(("columns", "rows"), FRAMES)
def test_T10_to_T12_agree_with_a_naive_path_finder(columns, rows):
    rng = random.Random(columns * 10 + rows)
    seen: dict[frozenset[str], int] = {}
    for _ in range(1500):
        density = rng.choice((0.5, 0.7, 0.8, 0.9, 1.0))
        cells = [(c, r) for c in range(columns) for r in range(rows) if rng.random() < density]
        cards = {cell: rng.choice(DIRECTIONS) for cell in cells}
        found = joined_by_rules(cards, columns, rows)
        assert found == naive_paths(cards, columns, rows), cards
        seen[frozenset(found)] = seen.get(frozenset(found), 0) + 1
    assert len(seen) == 4
    assert min(seen.values()) > 20


# --- T13: the end ---------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["beach", "meadow"])
@pytest.mark.parametrize("mover", ["beach", "meadow"])
def test_T13_both_paths_complete_the_mover_wins(first, mover):
    position = at(ONE_PUSH_FROM_BOTH, f"{mover} barred=e5", f"first={first}")
    seat = 0 if mover == first else 1
    assert position.turn == seat
    play(position, "e1 W1/SE")
    assert position.outcome() == triskele.Outcome((seat,), (1.0, -1.0) if seat == 0 else (-1.0, 1.0), "path")
    assert position.turn is None
    assert position.legal_moves == []
    assert f" {mover}-won " in str(position)


@pytest.mark.parametrize("mover", ["beach", "meadow"])
def test_T13_whoever_has_the_path_wins(mover):
    position = play(at(ONE_PUSH_FROM_BEACHES, f"{mover} barred=e5"), "e1 W1/SE")
    assert position.outcome() == triskele.Outcome((0,), (1.0, -1.0), "path")


def test_T13_first_meadow_swaps_who_joins_what():
    position = play(at(ONE_PUSH_FROM_BEACHES, "meadow barred=e5", "first=meadow"), "e1 W1/SE")
    assert position.outcome() == triskele.Outcome((1,), (-1.0, 1.0), "path")


def test_T13_a_path_after_the_first_card_counts_for_nothing_yet():
    rows = ONE_PUSH_FROM_BEACHES.replace("SE ~~", "SE __").replace("~~ ~~ ~~ ~~ ~~", "~~ __ ~~ ~~ ~~", 1)
    position = play(at(rows, "beach hand=~~~~ barred=e5 double"), "W1/SE")
    assert joined_by_rules(cards_of(position), 5, 5) == {"beach"}
    assert position.outcome() is None
    assert position.turn == 0
    broken = play(position.copy(), "Sb/NE")
    assert broken.outcome() is None
    assert broken.turn == 1
    kept = play(position.copy(), "W4/NE")
    assert kept.outcome() == triskele.Outcome((0,), (1.0, -1.0), "path")


def cards_of(position):
    rows = rows_of(position)[::-1]
    return {(c, r): cell for r, row in enumerate(rows) for c, cell in enumerate(row) if cell in DIRECTIONS}


# --- T14: Expert ----------------------------------------------------------------------------------


def test_T14_after_the_first_move_only_double_and_open_moves():
    position = play(triskele.new("trypsylon", expert=True), "c3 Nc/SW")
    assert " double" in str(position)
    assert "c5" not in texts(position)
    play(position, "a1")
    assert texts(position) == {move for move in texts(triskele.new("trypsylon")) if move not in ("a1", "c5")}
    with pytest.raises(triskele.IllegalMove, match="take the second one out first"):
        position.push("Na/NE")
    play(position, "a3")
    assert entrances(position) == {"Na", "E1", "E3"}
    play(position, "E1/NE Na/SE")
    assert " double" in str(position), "no open move is needed before it"
    play(position, "e1")
    assert entrances(position) == {"W1", "Ne"}, "an open move"


EXPERT_6X6 = "columns=6 rows=6 expert=true"


def test_T14_with_one_face_down_card_the_double_move_takes_only_that():
    rows = "\n".join([*5 * [6 * "NE "], "~~ NE NE NE NE NE"])
    position = at(rows, "beach barred=c6 double", EXPERT_6X6)
    assert len(texts(position)) == 35
    play(position, "a1")
    assert entrances(position) == {"Na", "E1"}
    assert len(texts(position)) == 8
    play(position, "Na/NE")
    assert "double" not in str(position)
    play(position, "b1")
    assert len(texts(position)) == 12


def test_T14_T9_with_two_face_down_cards_the_second_is_a_must():
    rows = "\n".join([*5 * [6 * "NE "], "~~ ~~ NE NE NE NE"])
    position = play(at(rows, "beach barred=c6 double", EXPERT_6X6), "a1")
    assert texts(position) == {"b1"}
    play(position, "b1")
    assert entrances(position) == {"E1", "Na", "Nb"}
    play(position, "E1/NE Na/NE")
    assert position.turn == 1
    assert "double" not in str(position)


# --- T15: touch-move ------------------------------------------------------------------------------


def test_T15_touch_move_on_a_lifted_card_must_be_played():
    position = play(triskele.new("trypsylon"), "c3")
    assert "back" not in texts(position)
    with pytest.raises(triskele.IllegalMove, match="touch-move is on"):
        position.push("back")


def test_T15_touch_move_off_back_puts_cards_back():
    position = triskele.new("trypsylon", touch_move=False)
    assert "back" not in texts(position)
    start = str(position)
    play(position, "c3")
    assert "back" in texts(position)
    play(position, "back")
    assert str(position) == start
    play(position, "c3 Nc/SW a1 Na/NE")
    open_move = str(position)
    play(position, "c5 back")
    assert str(position) == open_move, "a face-up card goes back as it was"
    play(position, "c5 Sc/SW")
    double = str(position)
    play(position, "b1 b2")
    assert "back" in texts(position)
    play(position, "back")
    assert str(position) == double
    play(position, "b1 b2 Nb/NE")
    assert "back" not in texts(position)
    with pytest.raises(triskele.IllegalMove, match="nothing can be put back"):
        position.push("back")


# --- T16: repetition ------------------------------------------------------------------------------


def test_T16_the_third_time_is_a_draw():
    position = at(ALL_NE, "beach barred=c5")
    play(position, SHUFFLE)
    assert rows_of(position) == 5 * [5 * ["NE"]]
    assert position.outcome() is None
    play(position, SHUFFLE)
    assert position.outcome() == triskele.Outcome((), (0.0, 0.0), "repetition")
    assert position.turn is None
    assert " drawn " in str(position)
    position.pop()
    assert position.outcome() is None
    play(position, "Nc/SW")
    assert position.outcome() is None
    position.pop()
    position.push("Nc/NE")
    assert position.outcome() is not None


def test_T16_never():
    position = at(ALL_NE, "beach barred=c5", "repetition=0")
    start = str(position)
    for _ in range(5):
        play(position, SHUFFLE)
        assert position.outcome() is None
        assert str(position) == start


def test_T16_the_barred_card_and_the_seat_make_a_difference():
    position = at(ALL_NE, "beach barred=c5")
    play(position, "b3 W3/NE c3 Nc/NE b3 W3/NE")
    twice = str(position)
    play(position, "c3 E3/NE")  # the same to see, but another card is barred
    assert position.outcome() is None
    other = triskele.position(twice)
    play(other, "c3 Nc/NE")
    assert other.outcome() is not None


def test_T16_double_moves_allowed_make_a_difference():
    """The position after a simple move has the same cards as one after two open moves, but no double move."""
    south = "~~ ~~ ~~ ~~ NE"
    position = at("\n".join([*4 * [5 * "NE "], south]), "beach barred=c5")
    play(position, SHUFFLE)
    assert "double" in str(position)
    play(position, SHUFFLE)
    assert position.outcome() is None, "the first time no double move was allowed"
    play(position, "b3 W3/NE")
    assert position.outcome() == triskele.Outcome((), (0.0, 0.0), "repetition")


def test_T16_a_face_down_card_begins_anew():
    position = at("\n".join([*4 * [5 * "NE "], "~~ NE NE NE NE"]), "beach barred=c5")
    play(position, SHUFFLE + " b3 W3/NE")
    assert "seen=" in str(position)
    play(position, "a1 Na/NE")
    assert "seen=" not in str(position)


def test_T16_a_position_read_back_remembers():
    position = at(ALL_NE, "beach barred=c5")
    for move in (SHUFFLE + " " + SHUFFLE).split():
        read = triskele.position(str(position))
        assert read == position
        position.push(move)
        read.push(move)
        assert read.outcome() == position.outcome()
        assert str(read) == str(position)
    assert position.outcome() is not None


def test_T16_agrees_with_counting_in_a_list():
    rng = random.Random(5)
    draws = 0
    for _ in range(12):
        position, table = at(ALL_NE, "beach barred=c5"), Table()
        table.board = dict.fromkeys(table.board, "NE")
        table.last, table.moves_made = (2, 4), 30
        table.history = [(tuple(sorted(table.board.items())), 0, (2, 4), False)]
        while table.result is None:
            choice = rng.choice(sorted(t for t in texts(position) if t in ("b3", "c3", "c4") or t.endswith("/NE")))
            table.play(choice)
            position = triskele.position(str(position)) if rng.random() < 0.5 else position
            position.push(choice)
            assert (position.outcome() is not None) == (table.result is not None)
        draws += table.result == "draw"
    assert draws == 12


# --- whole games ----------------------------------------------------------------------------------


@pytest.mark.parametrize("options", GAME.option_sets, ids=str)
def test_rules_agree_with_a_second_implementation(options):
    rng = random.Random(str(options))
    for _ in range(4):
        position, table = triskele.new("trypsylon", **options), Table(**options)
        while table.result is None:
            legal = table.legal()
            assert texts(position) == legal
            assert position.turn == table.seat
            choice = rng.choice(sorted(legal))
            position.push(choice)
            table.play(choice)
            assert str(position).partition(": ")[2].split()[0] == table.rows_text()
        outcome = position.outcome()
        assert outcome is not None
        assert [table.joins[seat] for seat in outcome.winners] == [table.result]


@pytest.mark.parametrize("options", GAME.option_sets, ids=str)
def test_plain_and_compiled_rules_agree(options):
    variant, plain, compiled = linked(options)
    for seed in range(4):
        rng = bits.seed(seed)
        state = np.zeros(20_000, dtype=np.int64)
        first = variant.first_state()
        state[: first[0]] = first[: first[0]]
        other = state.copy()
        buffers = [np.zeros(variant.moves_limit, dtype=np.int64) for _ in range(4)]
        made = 0
        while plain.actor(state) != OVER:
            number = plain.legal(state, buffers[0])
            listed = buffers[0][:number].tolist()
            assert compiled.legal(other, buffers[1]) == number
            assert buffers[1][:number].tolist() == listed
            assert len(set(listed)) == number
            assert all(0 <= code < rules.ACTIONS for code in listed)
            for linked_rules, buffer, board in ((plain, buffers[2], state), (compiled, buffers[3], other)):
                assert linked_rules.count(board, buffer) == number
                kept = buffer.copy()
                assert [linked_rules.nth(board, kept, k) for k in range(number)] == listed
            move = listed[bits.below(rng, number)]
            plain.apply(state, move)
            compiled.apply(other, move)
            made += 1
            assert state[0] == other[0]
            assert (state == other).all()
        assert made > 10
        for buffer in buffers:
            assert plain.legal(state, buffer) == compiled.count(other, buffer) == 0


@pytest.mark.parametrize(("size", "length"), [(6, 142.5), (5, 93.2)])
def test_random_play_is_what_was_measured(size, length):
    variant = GAME.variant({"columns": size, "rows": size})
    random_game = GAME.linker.program(PLAYOUT)
    first = variant.first_state()
    state = np.zeros(50_000, dtype=np.int64)
    moves = np.zeros(variant.moves_limit, dtype=np.int64)
    rng = bits.seed(7)
    made, won = 0, [0, 0]
    games = 8000
    for _ in range(games):
        state[: first[0]] = first[: first[0]]
        made += random_game(state, moves, rng, 10_000)
        winners = int(rules.winners(state))
        won[0] += winners & 1
        won[1] += winners >> 1
    assert abs(made / games - length) < 1.5
    assert abs(won[0] / games - 0.5) < 0.02
    assert sum(won) > 0.999 * games
