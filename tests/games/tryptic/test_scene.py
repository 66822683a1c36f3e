"""What TRYPTIC looks like, and its words."""

import json
import random
from xml.etree import ElementTree

import triskele
from tests.games.tryptic.helpers import (
    COLOURS,
    FIVE,
    Referee,
    at,
    careless_move,
    play,
)
from triskele.core import draw
from triskele.core.game import game
from triskele.core.scene import Place
from triskele.games.tryptic import scene


def facts(pos, seat):
    return [(fact.seat, fact.words) for fact in pos.scene(seat).facts]


def test_scene_has_a_place_for_every_token_and_a_sprite_for_every_piece():
    root = ElementTree.parse(game("tryptic").folder / "sprites.svg").getroot()
    drawn = {element.get("id") for element in root.iter() if element.get("id")}
    assert all(name.startswith("tryptic-") for name in drawn)
    used = set()
    for number in range(6):
        rng, referee = random.Random(number), Referee(3, 2)
        pos = triskele.new("tryptic", players=3, goal=2)
        while not referee.end:
            for seat in (0, None):
                shown = pos.scene(seat)
                tokens = {t for m in [*pos.legal_moves, *pos.interrupts] for s in m.spellings for t in s}
                assert tokens <= {place.token for place in shown.places}
                used |= {piece.sprite for piece in shown.pieces}
            move = careless_move(referee, rng)
            referee.push(move)
            pos.push(move)
        used |= {piece.sprite for piece in pos.scene(0).pieces}
    assert used <= drawn
    assert {"tryptic-mine", "tryptic-fresh", "tryptic-back", "tryptic-slip", "tryptic-disc-out"} <= used


def test_scene_shows_pattern_and_points_to_the_owner_only():
    pos = at(FIVE | {"a1": "R"}, "1", "BGR,GGG,WWW,yyy")
    assert (1, "your pattern: GGG (green, green, green)") in facts(pos, 1)
    assert (1, "5 of 5 points") in facts(pos, 1)
    assert (1, "enough points: you can announce") in facts(pos, 1)
    assert (1, "on the board at e1-e3, e2-e4, e3-e5, e4-e6, e5-e7") in facts(pos, 1)
    for seat in (0, 2, None):
        assert [words for about, words in facts(pos, seat) if about == 1] == [
            "pattern hidden",
            "75 of 75 possible",
        ]
        assert {piece.sprite for piece in pos.scene(seat).pieces if piece.id.startswith("pattern-1")} == {
            "tryptic-back"
        }
        assert not [piece for piece in pos.scene(seat).pieces if piece.id.startswith("run-")]
    assert len([piece for piece in pos.scene(1).pieces if piece.id.startswith("run-")]) == 5
    assert (3, "out; the pattern was YYY (yellow, yellow, yellow)") in facts(pos, None)


def test_scene_keeps_a_notebook_of_wrong_guesses():
    pos = play("=BGR =GGY =WWW ?2=BBB Ra1 Rb1 . Rc1 ?2=BWB", players=3)
    for seat in (0, 2, None):
        assert (1, "73 of 75 possible") in facts(pos, seat)
        assert (1, "ruled out: BBB, BWB") in facts(pos, seat)
        assert {p.label for p in pos.scene(seat).pieces if p.sprite == "tryptic-slip"} == {"BBB", "BWB"}
    assert (None, "player 3 guessed BWB for player 2: wrong") in facts(pos, 0)
    pos.push("?3=WWW")
    assert (None, "player 1 guessed WWW for player 3: right") in facts(pos, 1)
    pos = play("=BGR =GGY =WWW !2", players=3)
    assert (None, "player 2 announced too early and is out") in facts(pos, 0)


def test_scene_tiles_slide_from_their_pile_and_the_last_one_is_marked():
    pos = play("=BGR =GGY Re5 . Re6 .")
    top = {piece.id: (piece.x, piece.y) for piece in pos.scene(0).pieces if piece.id.startswith("tile-R")}
    pos.push("Ra1")
    after = {piece.id: (piece.x, piece.y) for piece in pos.scene(0).pieces if piece.id.startswith("tile-R")}
    assert set(after) - set(top) == {"tile-R4"}
    assert after["tile-R4"] == top["tile-R3"]
    pos.push(".")
    (last,) = [piece for piece in pos.scene(1).pieces if piece.id == "last"]
    assert (last.x, last.y) == after["tile-R3"] == scene.at(0, 1)


def test_scene_names_its_places_in_words():
    places: dict[str, Place] = {place.token: place for place in play("=BGR =GGY Re5").scene(0).places}
    assert places["e5"].name == "e5, red"
    assert places["e6"].name == "e6, empty"
    assert places["B"].name == "tile: blue"
    assert places["."].name == "End turn"
    assert places["?2"].name == "challenge player 2"
    assert places["!1"].name == "announce as player 1"
    assert play("=BGR =GGY Re5").scene(0, "de").facts[0].words == "dein Muster: BGR (blau, grün, rot)"


def test_scene_reads_in_a_terminal():
    pos = play("=BGR =GGY Re5 . Ge6 .")
    rows = [" ".join(row.split()) for row in draw.text(pos.scene(0)).splitlines()]
    assert "e · · · · R [G] · · ·" in rows
    assert "a · · · · · 6" in rows
    assert ">1 B G R Announce 2 * * * Challenge" in rows


def test_scene_colours_are_told_apart_by_marks():
    root = ElementTree.parse(game("tryptic").folder / "sprites.svg").getroot()
    tiles = {element.get("id"): element for element in root.iter() if element.get("id")}
    marks = set()
    for letter in COLOURS:
        mark = tiles[f"tryptic-{letter}"][-1]
        marks.add(json.dumps([(child.tag, child.get("d"), child.get("r")) for child in mark]))
        assert letter in "".join(scene.GLYPHS[f"tryptic-{letter}"].rows)
    assert len(marks) == 5
