"""What TRYPSYLON looks like."""

import functools
import itertools
import math
from xml.etree import ElementTree

import pytest

import triskele
from tests.support.games import last_of, random_positions
from triskele.core import draw
from triskele.core.game import game
from triskele.core.words import LANGUAGES
from triskele.games.trypsylon import rules, scene
from triskele.games.trypsylon.board import Board

SPRITES = {
    item.get("id") for item in ElementTree.parse(game("trypsylon").folder / "sprites.svg").iter() if item.get("id")
}
FRAMES = [{"columns": columns, "rows": rows} for columns in (5, 6) for rows in (5, 6)]
STRAIGHT = {"NE": {"S", "W"}, "SE": {"N", "W"}, "SW": {"N", "E"}, "NW": {"S", "E"}}
WAYS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
BACK = {"N": "S", "S": "N", "E": "W", "W": "E"}


played = functools.partial(random_positions, "trypsylon")


def board(pos):
    """Return what the position's text says about each cell: ``~~``, ``__`` or a direction."""
    rows = str(pos).split(": ")[1].split(" ")[0].split("/")[::-1]
    return {
        (column, row): cells[2 * column : 2 * column + 2]
        for row, cells in enumerate(rows)
        for column in range(len(cells) // 2)
    }


def live_points(cells):
    """Return the live points (T11) the long way: a point is dead when a card at it is not face up."""
    columns, rows = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
    dead = set()
    for (column, row), card in cells.items():
        if card not in STRAIGHT:
            dead |= {(column + i, row + j) for i in (0, 1) for j in (0, 1)}
    return {(i, j) for i in range(columns + 1) for j in range(rows + 1)} - dead


def point_of(cell, card):
    return cell[0] + ("E" in card), cell[1] + ("N" in card)


def cell_at(drawn, x, y):
    """Return the cell in whose middle a piece lies, if it lies in one."""
    rows = round((drawn.height - scene._TRAY - 2 * scene.MARGIN) / scene.SIZE)
    column = (x - scene.MARGIN) / scene.SIZE - 0.5
    row = rows - 0.5 - (y - scene.MARGIN) / scene.SIZE
    on_board = (
        0 <= round(row) < rows and math.isclose(column, round(column)) and math.isclose(row, round(row), abs_tol=1e-9)
    )
    return (round(column), round(row)) if on_board else None


def cards_at(drawn):
    """Return the id and sprite of the card on each cell, and the ids of those in hand from left to right."""
    cards = [piece for piece in drawn.pieces if piece.id.startswith("card-")]
    lying = {cell_at(drawn, piece.x, piece.y): piece for piece in cards if cell_at(drawn, piece.x, piece.y)}
    hand = sorted((piece.x, piece.id) for piece in cards if cell_at(drawn, piece.x, piece.y) is None)
    return lying, [name for _, name in hand]


def pieces(pos, prefix):
    return [piece for piece in pos.scene().pieces if piece.id.startswith(prefix)]


# --- over whole games -----------------------------------------------------------------------------


@pytest.mark.parametrize("options", game("trypsylon").option_sets, ids=str)
def test_every_position_draws(options):
    for number, pos in enumerate(played(7, moves=150, **options)):
        drawn = pos.scene(number % 2)
        ids = [piece.id for piece in drawn.pieces]
        assert len(ids) == len(set(ids))
        assert {piece.sprite for piece in drawn.pieces} <= SPRITES
        assert all(0 < piece.x < drawn.width and 0 < piece.y < drawn.height for piece in drawn.pieces)
        if number % 25 == 0:
            root = ElementTree.fromstring(draw.svg(drawn))
            assert {use.get("href")[1:] for use in root.iter("{http://www.w3.org/2000/svg}use")} <= SPRITES


@pytest.mark.parametrize("options", [{}, {"touch_move": False}, {"columns": 6, "expert": True}], ids=str)
def test_places_are_the_cells_and_exactly_what_can_be_entered(options):
    for pos in played(3, moves=200, **options):
        tokens = {token for move in pos.legal_moves for spelling in move.spellings for token in spelling}
        cells = {f"{'abcdef'[column]}{row + 1}" for column, row in board(pos)}
        places = [place.token for place in pos.scene().places]
        assert len(places) == len(set(places))
        assert set(places) == cells | tokens
        reached, waiting = set(), [()]
        while waiting:
            entered = waiting.pop()
            following = pos.complete(entered).next
            reached |= set(following)
            waiting += [(*entered, token) for token in following]
        assert reached == tokens


def test_places_to_point_at_do_not_cover_each_other():
    for pos in played(5, moves=40, touch_move=False, columns=6):
        round_ones = [place for place in pos.scene().places if not place.points]
        for one, other in itertools.combinations(round_ones, 2):
            assert math.dist((one.x, one.y), (other.x, other.y)) >= one.radius + other.radius
        assert all(place.radius >= 20 for place in round_ones)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_place_and_fact_has_words(language):
    for pos in played(1, moves=60, touch_move=False):
        drawn = pos.scene(language=language)
        labels = [piece.label for piece in drawn.pieces]
        words = [*(place.name for place in drawn.places), *(fact.words for fact in drawn.facts), *labels]
        assert not any("trypsylon." in said or "{" in said for said in words)


def test_places_say_what_lies_there():
    pos = triskele.new("trypsylon")
    for text in ("c3", "Nc/SW"):
        pos.push(text)
    names = {place.token: place.name for place in pos.scene().places}
    assert names["a1"] == "a1, face down"
    assert names["c5"] == "c5, inserted last, diagonal to the southwest; the point there is not live"
    pos.push("a5")
    names = {place.token: place.name for place in pos.scene().places}
    assert names["a5"] == "a5, vacant"
    assert names["c5"] == "c5, diagonal to the southwest; the point there is not live"
    assert names["Sa"] == "push in from the south, up column a"
    assert names["NE"] == "diagonal to the northeast"
    pos.push("Sa/SW")
    names = {place.token: place.name for place in pos.scene().places}
    assert names["a1"] == "a1, inserted last, diagonal to the southwest; the point there is live"


# --- cards ----------------------------------------------------------------------------------------


def test_cards_lie_where_the_position_says():
    for pos in played(2, columns=6):
        lying, hand = cards_at(pos.scene())
        cells = board(pos)
        for cell, card in cells.items():
            sprite = lying[cell].sprite if cell in lying else None
            expected = {"~~": "trypsylon-back", "__": None}.get(card, f"trypsylon-card-{card.lower()}")
            assert sprite == expected
        holes = {cell_at(pos.scene(), piece.x, piece.y) for piece in pieces(pos, "hole-")}
        assert holes == {cell for cell, card in cells.items() if card == "__"}
        assert len(hand) == len(holes)


def test_T7_a_push_moves_cards_by_one_cell_and_keeps_who_they_are():
    pushes = 0
    for seed, options in enumerate(FRAMES):
        before = None
        for pos in played(seed, moves=120, **options):
            lying, hand = cards_at(pos.scene())
            now = {piece.id: cell for cell, piece in lying.items()}
            assert len(now) + len(hand) == options["columns"] * options["rows"]
            if before is not None:
                old, old_hand = before
                text = pos.moves[-1].text
                if "/" in text:
                    side, name = text[0], text[1:].split("/")[0]
                    line = "abcdef".index(name) if name.isalpha() else int(name) - 1
                    way = WAYS[BACK[side]]
                    edge = {
                        "N": (line, options["rows"] - 1),
                        "S": (line, 0),
                        "W": (0, line),
                        "E": (options["columns"] - 1, line),
                    }[side]
                    assert now[old_hand[0]] == edge
                    assert hand == old_hand[1:]
                    moved = {card for card in old if now[card] != old[card]}
                    assert moved
                    assert all(now[card] == (old[card][0] + way[0], old[card][1] + way[1]) for card in moved)
                    assert {old[card] for card in moved} == {
                        (edge[0] + k * way[0], edge[1] + k * way[1]) for k in range(len(moved))
                    }
                    pushes += 1
                else:
                    assert set(hand) - set(old_hand) == set(old) - set(now)
                    assert all(now[card] == old[card] for card in now)
            before = now, hand
    assert pushes > 100


def test_T15_cards_put_back_are_the_same_cards():
    pos = triskele.new("trypsylon", touch_move=False, expert=True)
    for text in ("c3", "Nc/SW"):
        pos.push(text)
    before = {piece.id: cell for cell, piece in cards_at(pos.scene())[0].items()}
    for text in ("b2", "a4"):
        pos.push(text)
    assert len(cards_at(pos.scene())[1]) == 2
    pos.push("back")
    assert {piece.id: cell for cell, piece in cards_at(pos.scene())[0].items()} == before


def test_a_card_lifted_face_up_stays_face_up_in_hand():
    pos = triskele.new("trypsylon")
    for text in ("c3", "Nc/SW", "a1", "Na/NE", "c5"):
        pos.push(text)
    _, (name,) = cards_at(pos.scene())
    assert next(piece.sprite for piece in pos.scene().pieces if piece.id == name) == "trypsylon-card-sw"


def test_positions_out_of_the_blue_draw_like_those_played():
    for pos in played(4, moves=60):
        fresh = triskele.position(str(pos))
        spread = [(piece.sprite, piece.x, piece.y) for piece in fresh.scene().pieces]
        came = [(piece.sprite, piece.x, piece.y) for piece in pos.scene().pieces]
        recent = ("trypsylon-pushed", "trypsylon-last")
        without = [sorted(piece for piece in found if not piece[0].startswith(recent)) for found in (spread, came)]
        assert without[0] == without[1]


# --- ends, paths, marks ---------------------------------------------------------------------------


def test_T11_ends_and_landings_tell_live_points_from_dead_ones():
    live = dead = 0
    for pos in itertools.chain.from_iterable(played(seed, **options) for seed, options in enumerate(FRAMES)):
        cells = board(pos)
        drawn = pos.scene()
        points = live_points(cells)
        ends = {cell_at(drawn, p.x, p.y): p.sprite for p in drawn.pieces if p.id.startswith("end-")}
        expected = {
            cell: f"trypsylon-end-{card.lower()}"
            for cell, card in cells.items()
            if card in STRAIGHT and point_of(cell, card) in points
        }
        assert ends == expected
        landings = {tuple(map(int, p.id.split("-")[1:])) for p in drawn.pieces if p.id.startswith("landing-")}
        assert landings == {point_of(cell, cells[cell]) for cell in expected}
        live += len(ends)
        dead += sum(card in STRAIGHT for card in cells.values()) - len(ends)
    assert live > 500
    assert dead > 500


def test_T12_the_plain_path_finder_agrees_with_the_rules():
    found = {"WE": 0, "SN": 0, "": 0}
    for seed in range(6):
        for pos in played(100 + seed, **FRAMES[seed % 4]):
            joined = rules.joined(pos.state)
            plain = Board(pos.state)
            for sides, bit in (("WE", rules.BEACHES), ("SN", rules.MEADOWS)):
                assert bool(plain.path(sides)) == bool(joined & bit)
                found[sides if joined & bit else ""] += 1
    assert min(found.values()) > 0


def test_T13_the_path_that_won_is_lit_from_shore_to_shore():
    won = {"beach": 0, "meadow": 0}
    for seed in range(12):
        options = {**FRAMES[seed % 4], "first": ("beach", "meadow")[seed % 2]}
        for pos in played(seed, **options):
            assert bool(pieces(pos, "lit-")) == (pos.turn is None and pos.outcome().reason == "path")
        if pos.outcome().reason != "path":
            continue
        shore = (
            options["first"]
            if pos.outcome().winners == (0,)
            else {"beach": "meadow", "meadow": "beach"}[options["first"]]
        )
        won[shore] += 1
        check_lit(pos, "WE" if shore == "beach" else "NS", options)
    assert min(won.values()) >= 2


def check_lit(pos, shores, options):
    """Walk along the lit arms: each must be there, and together they lead from one shore to the other."""
    drawn, cells = pos.scene(), board(pos)
    points = live_points(cells)
    lit = {}
    for piece in pieces(pos, "lit-"):
        cell, side = cell_at(drawn, piece.x, piece.y), piece.id.split("-")[2]
        assert piece.sprite == f"trypsylon-lit-{side.lower()}"
        assert side in STRAIGHT[cells[cell]] or (side == cells[cell] and point_of(cell, side) in points)
        lit.setdefault(cell, []).append(side)
    assert all(len(sides) == 2 for sides in lit.values())
    touches = {}  # each lit arm ends in a place that it shares with another lit arm, or on one of the two shores
    for cell, sides in lit.items():
        for side in sides:
            if side in WAYS:
                end = (2 * cell[0] + 1 + WAYS[side][0], 2 * cell[1] + 1 + WAYS[side][1])
            else:
                end = tuple(2 * number for number in point_of(cell, side))
            touches.setdefault(end, []).append(cell)
    limits = {"W": (0, 0), "E": (0, 2 * options["columns"]), "S": (1, 0), "N": (1, 2 * options["rows"])}
    starts, goals = ([end for end in touches if end[limits[s][0]] == limits[s][1]] for s in shores)
    assert starts
    assert goals
    reached, waiting = set(starts), list(starts)
    while waiting:
        for cell in touches[waiting.pop()]:
            for end, cells_there in touches.items():
                if cell in cells_there and end not in reached:
                    reached.add(end)
                    waiting.append(end)
    assert reached == set(touches)
    lamps = [piece for piece in drawn.pieces if piece.id.startswith("hub-")]
    assert len(lamps) == len(lit) + sum(end[0] % 2 == end[1] % 2 == 0 for end in touches)


def test_T5_the_barred_card_is_marked_for_the_one_to_act():
    for pos in played(8):
        drawn = pos.scene()
        barred = [piece for piece in drawn.pieces if piece.id == "barred"]
        legal = {str(move) for move in pos.legal_moves}
        refused = {f"{'abcdef'[c]}{r + 1}" for c, r in board(pos)} - legal
        choosing = bool(legal) and all("/" not in text for text in legal)
        assert len(barred) == (1 if choosing and len(pos.moves) > 0 else 0)
        if barred:
            half = scene.SIZE / 2
            under = [
                p.token
                for p in drawn.places
                if p.points and abs(p.x - barred[0].x) < half and abs(p.y - barred[0].y) < half
            ]
            assert set(under) == refused


def test_last_card_and_where_it_came_in_are_marked():
    pos = triskele.new("trypsylon", rows=6)
    assert not pieces(pos, "last")
    pos.push("c3")
    pos.push("E3/NE")
    drawn = pos.scene()
    last, pushed = (next(piece for piece in drawn.pieces if piece.id == name) for name in ("last", "pushed"))
    assert cell_at(drawn, last.x, last.y) == (4, 2)
    assert (pushed.sprite, pushed.y) == ("trypsylon-pushed-e", last.y)
    assert pushed.x > last.x
    pos.push("a1")  # the card inserted last stays marked while the other player holds one
    assert [(piece.x, piece.y) for piece in pieces(pos, "last")] == [(last.x, last.y)]


def test_T6_between_two_pushes_the_first_card_is_marked_but_not_barred():
    pos = triskele.new("trypsylon", expert=True)
    for text in ("c3", "Nc/SW", "a1", "b2", "Na/NE"):
        pos.push(text)
    drawn = pos.scene()
    (last,) = pieces(pos, "last")
    assert cell_at(drawn, last.x, last.y) == (0, 4)
    assert not pieces(pos, "barred")


# --- the frame ------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", FRAMES, ids=str)
def test_T1_the_frame_has_columns_from_the_west_and_rows_from_the_south(options):
    drawn = triskele.new("trypsylon", **options).scene()
    labels = {piece.label: piece for piece in drawn.pieces if piece.id.startswith("coord-")}
    columns, rows = "abcdef"[: options["columns"]], "123456"[: options["rows"]]
    assert set(labels) == {*columns, *rows}
    assert [labels[name].x for name in columns] == sorted(labels[name].x for name in columns)
    assert [labels[name].y for name in rows] == sorted((labels[name].y for name in rows), reverse=True)
    places = {place.token: place for place in drawn.places}
    for column, row in itertools.product(columns, rows):
        assert (places[column + row].x, places[column + row].y) == (labels[column].x, labels[row].y)
    assert f"trypsylon-frame-{len(columns)}x{len(rows)}" in {piece.sprite for piece in drawn.pieces}


@pytest.mark.parametrize(("first", "beaches", "meadows"), [("beach", "1", "2"), ("meadow", "2", "1")])
def test_T1_signs_and_facts_say_who_joins_what(first, beaches, meadows):
    pos = triskele.new("trypsylon", first=first)
    signs = {piece.id[5:]: piece.label for piece in pieces(pos, "sign-")}
    assert signs == {"W": beaches, "E": beaches, "N": meadows, "S": meadows}
    facts = {fact.seat: fact.words for fact in pos.scene().facts}
    assert facts[int(beaches) - 1] == "beach to beach"
    assert facts[int(meadows) - 1] == "meadow to meadow"


def test_coordinates_signs_and_arrows_keep_clear_of_each_other_and_of_landings():
    for pos in played(6, moves=120, columns=6):
        drawn = pos.scene()
        fixed = [piece for piece in drawn.pieces if piece.id.startswith(("coord-", "sign-"))]
        others = [piece for piece in drawn.pieces if piece.id.startswith(("push-", "landing-"))]
        for one, other in itertools.product(fixed, others):
            assert math.dist((one.x, one.y), (other.x, other.y)) > 21


# --- in a terminal --------------------------------------------------------------------------------


def test_text_fits_a_terminal_and_shows_cards_shores_and_coordinates():
    lines = draw.text(triskele.new("trypsylon", columns=6, rows=6).scene()).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 26
    assert ["a", "b", "2", "c", "d", "e", "f"] in [line.split() for line in lines]
    assert lines[-1].split() == ["hand", "hand"]
    assert sum(line.count("~ ~ ~ ~") for line in lines) == 36 * 2
    assert [line[1] for line in lines if line[1:2].isdigit()] == list("654321")


def test_text_shows_arms_live_ends_and_what_can_be_done():
    pos = triskele.new("trypsylon", touch_move=False)
    for text in ("c3", "Nc/SW", "a5", "Sa/SW", "e5"):
        pos.push(text)
    lines = draw.text(pos.scene()).splitlines()
    joined = "\n".join(lines)
    assert joined.count("└───") == 2
    top, bottom = lines[4], lines[16]
    assert top[12:26].count(".") == 1  # c5 ends in a dead point
    assert "/" in bottom[4:12]  # a1 ends in the live corner of the frame
    assert "[     ]" in top
    assert {"↑", "→"} <= set(joined)
    assert not {"↓", "←"} & set(joined)
    assert "NE   SE   SW   NW" in joined
    assert "back" in joined


def test_text_shows_the_path_that_won():
    pos = next(p for p in map(last_of, (played(seed) for seed in range(20))) if p.outcome().reason == "path")
    drawn = draw.text(pos.scene())
    hubs = {(piece.x, piece.y) for piece in pieces(pos, "lit-")}
    assert drawn.count("●") == len(hubs)
    assert {"║", "═"} & set(drawn)
