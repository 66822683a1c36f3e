"""What YINSH looks like."""

import functools
import itertools
import math
from xml.etree import ElementTree

import pytest

import triskele
from tests.support.games import last_of, random_positions
from triskele.core import draw
from triskele.core.game import game
from triskele.games.yinsh import notation, rules, scene

SPRITES = {item.get("id") for item in ElementTree.parse(game("yinsh").folder / "sprites.svg").iter() if item.get("id")}
RING = 20.6  # the outer radius of a ring in the artwork


played = functools.partial(random_positions, "yinsh")


def by_id(pos):
    return {piece.id: piece for piece in pos.scene().pieces}


def sprites(pos, name):
    """Return the ids of the pieces with a sprite."""
    return {piece.id for piece in pos.scene().pieces if piece.sprite == f"yinsh-{name}"}


def near(a, b):
    return math.dist((a.x, a.y), (b.x, b.y)) < 0.01


SHUT_IN = (
    "yinsh: WWWw/.BBBwbw/.wbwbb../.wbwbwb../.bbwbwbw../"
    "bwb.wbwb./bwb..bwbw./wb...bbwb/b....wbb/.....bw/.... w move w 2-2 0"
)
"""White's three rings can move nowhere."""


# --- the board ------------------------------------------------------------------------------------


def test_Y1_points_lie_on_three_kinds_of_straight_lines():
    for points in rules.LINE_POINTS:
        for first, second in itertools.pairwise(points):
            (x1, y1), (x2, y2) = scene.AT[first], scene.AT[second]
            assert math.isclose(math.dist((x1, y1), (x2, y2)), scene.STEP)
            turn = math.radians(scene._TURNS[rules.WAY[first, second]])
            assert math.isclose(abs((x2 - x1) * math.cos(turn) + (y2 - y1) * math.sin(turn)), 0, abs_tol=1e-9)


def test_white_sits_at_the_bottom_with_letters_to_the_right_and_numbers_up():
    at = dict(zip(notation.NAMES, scene.AT, strict=True))
    assert at["a2"][0] < at["b2"][0] < at["k8"][0]
    assert at["e1"][1] > at["e2"][1] > at["e10"][1]
    slots = {piece.id: piece.y for piece in triskele.new("yinsh").scene().pieces if piece.sprite == "yinsh-slot"}
    assert sorted(slots) == ["slot-0-0", "slot-0-1", "slot-0-2", "slot-1-0", "slot-1-1", "slot-1-2"]
    assert all((y > scene.HEIGHT / 2) == (name[5] == "0") for name, y in slots.items())


def test_coordinates_and_slots_keep_clear_of_pieces_on_every_point():
    pieces = triskele.new("yinsh").scene().pieces
    labels = [piece for piece in pieces if piece.sprite == "yinsh-coord"]
    assert sorted(piece.label for piece in labels) == sorted([*"abcdefghijk", *map(str, range(1, 12))])
    slots = [piece for piece in pieces if piece.sprite == "yinsh-slot"]
    for x, y in scene.AT:
        assert all(math.dist((x, y), (label.x, label.y)) > RING + 8 for label in labels)
        assert all(math.dist((x, y), (slot.x, slot.y)) > 2 * RING for slot in slots)
    for label, slot in itertools.product(labels, slots):
        assert math.dist((label.x, label.y), (slot.x, slot.y)) > RING + 8


def test_everything_lies_within_the_picture():
    for pos in (triskele.new("yinsh"), last_of(played(3))):
        for piece in pos.scene().pieces:
            assert 0 < piece.x < scene.WIDTH
            assert 0 < piece.y < scene.HEIGHT


def test_all_85_points_are_places_as_wide_as_they_can_be():
    places = triskele.new("yinsh").scene().places
    assert [place.token for place in places] == list(notation.NAMES)
    for one, other in itertools.combinations(places, 2):
        assert math.dist((one.x, one.y), (other.x, other.y)) >= one.radius + other.radius - 0.01
    assert all(place.radius >= 22 for place in places)


# --- over whole games -----------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"blitz": True}], ids=str)
def test_every_position_draws(options):
    for seed in range(3):
        for number, pos in enumerate(played(seed, **options)):
            drawn = pos.scene(number % 2)
            ids = [piece.id for piece in drawn.pieces]
            assert len(ids) == len(set(ids))
            assert {piece.sprite for piece in drawn.pieces} <= SPRITES
            tokens = {token for move in pos.legal_moves for spelling in move.spellings for token in spelling}
            assert tokens <= {place.token for place in drawn.places}
            assert not any(
                "yinsh." in words for words in (*(p.name for p in drawn.places), *(f.words for f in drawn.facts))
            )
            if number % 10 == 0:
                root = ElementTree.fromstring(draw.svg(drawn))
                assert {use.get("href")[1:] for use in root.iter("{http://www.w3.org/2000/svg}use")} <= SPRITES


def test_pieces_stand_where_the_position_says_and_places_say_so():
    kinds = {".": "empty", "W": "white ring", "B": "black ring", "w": "white marker", "b": "black marker"}
    for pos in played(11):
        drawn = pos.scene()
        standing = {
            (round(p.x), round(p.y)): p.sprite
            for p in drawn.pieces
            if p.sprite.startswith(("yinsh-ring", "yinsh-marker"))
        }
        contents = notation.contents(pos.state)
        for point, what in enumerate(contents):
            x, y = scene.AT[point]
            kind = kinds[what]
            expected = None if what == "." else "yinsh-{1}-{0}".format(*kind.split())
            assert standing.get((round(x), round(y))) == expected
            assert drawn.places[point].name == f"{notation.NAMES[point]}, {kind}"


def test_a_move_slides_one_ring_and_turns_markers_over_in_place():
    turned_over = 0
    before = {}
    for pos in played(5):
        now = by_id(pos)
        rings = {name for name in now if name.startswith("ring-")}
        assert rings == {f"ring-{seat}-{number}" for seat in (0, 1) for number in range(5)}
        if before:
            moved = [name for name in rings if not near(now[name], before[name])]
            is_row = rules.TAKE_ROW <= pos.moves[-1].code < rules.TAKE_RING
            assert len(moved) == (0 if is_row else 1)
            markers = {name for name in now.keys() & before.keys() if name.startswith("marker-")}
            assert all(near(now[name], before[name]) for name in markers)
            flipped = {name[7:] for name in markers if now[name].sprite != before[name].sprite}
            assert {name[7:] for name in now if name.startswith("turned-")} == flipped
            turned_over += len(flipped)
        before = now
    assert turned_over > 20


# --- Y3, Y6, Y10 ----------------------------------------------------------------------------------


def test_Y3_rings_wait_beside_the_board_and_facts_count_them():
    pos = last_of(played(2, moves=5))
    pieces = by_id(pos)
    points = {(round(x), round(y)) for x, y in scene.AT}
    waiting = {
        name for name, p in pieces.items() if name.startswith("ring-") and (round(p.x), round(p.y)) not in points
    }
    assert waiting == {"ring-0-3", "ring-0-4", "ring-1-2", "ring-1-3", "ring-1-4"}
    for name in waiting:
        assert all(math.dist((pieces[name].x, pieces[name].y), at) > 2 * RING for at in scene.AT)
    facts = {fact.seat: fact.words for fact in pos.scene().facts}
    assert facts == {None: "51 markers in the pool", 0: "2 rings to place", 1: "3 rings to place"}


def test_Y6_rows_that_can_be_taken_glow():
    seen = 0
    for pos in itertools.chain.from_iterable(played(seed) for seed in range(4)):
        glowing = {name[5:] for name in sprites(pos, "glow")}
        rows = [move.code - rules.TAKE_ROW for move in pos.legal_moves if rules.TAKE_ROW <= move.code < rules.TAKE_RING]
        points = {
            notation.NAMES[rules.POINT[line, bit + k]]
            for line, bit in map(rules.ROWS.__getitem__, rows)
            for k in range(5)
        }
        assert glowing == points
        assert bool(sprites(pos, "band")) == bool(rows)
        seen += bool(rows)
    assert seen >= 3


def test_Y10_rings_taken_off_lie_in_their_slots_in_order():
    taken = {0: [], 1: []}
    pos = last_of(played(0))
    texts = [(move.text, mover) for move, mover in zip(pos.moves, pos.movers, strict=True)]
    again = triskele.new("yinsh")
    for text, mover in texts:
        if text.startswith("x") and "-" not in text:
            point = scene.AT[notation.INDEX[text[1:]]]
            pieces = by_id(again)
            taken[mover].append(next(n for n, p in pieces.items() if n[:5] == "ring-" and (p.x, p.y) == point))
        again.push(text)
        pieces = by_id(again)
        for seat, names in taken.items():
            assert all(near(pieces[name], pieces[f"slot-{seat}-{i}"]) for i, name in enumerate(names))
    assert len(taken[0]) + len(taken[1]) >= 2
    facts = {fact.seat: fact.words for fact in again.scene().facts}
    assert [facts[seat].split()[0] for seat in (0, 1)] == [str(len(taken[seat])) for seat in (0, 1)]


def test_Y10_blitz_has_one_slot_a_side():
    assert sprites(triskele.new("yinsh", blitz=True), "slot") == {"slot-0-1", "slot-1-1"}


def test_Y12_passing_has_a_place_only_when_it_must_be():
    for pos in played(1):
        assert ("pass" in {place.token for place in pos.scene().places}) == (
            [str(move) for move in pos.legal_moves] == ["pass"]
        )
    stuck = triskele.position(SHUT_IN)
    assert [str(move) for move in stuck.legal_moves] == ["pass"]
    drawn = stuck.scene()
    button = next(piece for piece in drawn.pieces if piece.sprite == "yinsh-pass")
    place = next(place for place in drawn.places if place.token == "pass")
    assert (button.x, button.y, button.label) == (place.x, place.y, "pass")
    assert all(math.dist((place.x, place.y), at) > 60 for at in scene.AT)
    assert "pass" in draw.text(drawn)


# --- the last move --------------------------------------------------------------------------------


def test_last_move_shows_its_origin_its_path_and_its_end():
    pos = triskele.new("yinsh")
    for text in ("f6", "a2", "f5", "a3", "b1", "a4", "b2", "a5", "b3", "k7"):
        pos.push(text)
    assert near(by_id(pos)["trace-to"], by_id(pos)["ring-1-4"])
    pos.push("f6-i9")
    pieces = by_id(pos)
    assert near(pieces["trace-from"], pieces["marker-f6"])
    assert near(pieces["trace-to"], pieces["ring-0-0"])
    path = [piece for piece in pieces.values() if piece.sprite == "yinsh-path"]
    assert len(path) == 3
    assert {piece.turn for piece in path} == {60.0}
    assert triskele.position(str(pos)).scene().pieces != pos.scene().pieces  # no last move, no trace


def test_last_move_shows_what_was_taken():
    rows = rings = 0
    for pos in itertools.chain.from_iterable(played(seed) for seed in range(3)):
        code = pos.moves[-1].code if pos.moves else -1
        gone = sprites(pos, "gone-marker")
        assert len(gone) == (5 if rules.TAKE_ROW <= code < rules.TAKE_RING else 0)
        assert bool(sprites(pos, "gone-ring")) == (rules.TAKE_RING <= code < rules.PASS)
        rows += bool(gone)
        rings += bool(sprites(pos, "gone-ring"))
    assert rows == rings > 2


# --- in a terminal --------------------------------------------------------------------------------


def test_text_shows_every_point_and_fits_a_terminal():
    pos = triskele.new("yinsh")
    lines = draw.text(pos.scene()).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 28
    assert "".join(lines).count("·") == 85
    for text in ("e1", "k10"):
        pos.push(text)
    drawn = draw.text(pos.scene())
    assert drawn.count("·") == 83
    bottom = next(line for line in drawn.splitlines() if "f" in line)
    assert bottom.index("(○)") < bottom.index("f")  # e1 stands beside the letter below f2


def test_text_tells_sides_apart_without_colour():
    middle = next(pos.copy() for pos in played(0) if len(pos.moves) == 60)
    contents = notation.contents(middle.state)
    drawn = draw.text(middle.scene())
    off = int(middle.state[rules.OFF]) + int(middle.state[rules.OFF + 1])
    assert drawn.count("(○)") + drawn.count("[■]") == 10
    assert off <= 10 - contents.count("W") - contents.count("B")
    assert drawn.count("○") - drawn.count("(○)") == contents.count("w")
    assert drawn.count("●") == contents.count("b")
