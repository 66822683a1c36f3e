"""What Conquest Tryad looks like, and its words."""

import json
import random
import re
from collections import Counter

import pytest

import triskele
from tests.games.conquest.helpers import HELD, SETS, TRIPLES, after, at, random_move
from triskele.core.draw import svg, text
from triskele.core.words import LANGUAGES
from triskele.games.conquest import GAME
from triskele.games.conquest.board_queries import NAMES, setup_of
from triskele.games.conquest.geometry import SETUPS


def test_words_have_the_same_keys_and_places_in_all_languages():
    def shape(words):
        forms = {key: [form] if isinstance(form, str) else list(form.values()) for key, form in words.items()}
        return {key: {frozenset(re.findall(r"{(\w+)}", form)) for form in each} for key, each in forms.items()}

    folder = GAME.folder / "words"
    catalogues = {language: json.loads((folder / f"{language}.json").read_text("utf-8")) for language in LANGUAGES}
    for language, words in catalogues.items():
        assert shape(words) == shape(catalogues["en"]), language
        for forms in words.values():
            if isinstance(forms, dict):
                assert set(forms) == ({"one", "few", "many", "other"} if language == "pl" else {"one", "other"})


@pytest.mark.parametrize("options", SETS)
def test_scene_along_a_random_game(options, compiled):
    rng = random.Random(3)
    position = triskele.new("conquest", **options)
    drawn = (GAME.folder / "sprites.svg").read_text("utf-8")
    ids = set(re.findall(r'id="([^"]+)"', drawn))
    for ply in range(200):
        if ply % 8 == 0 or position.turn is None:
            scene = position.scene(None, LANGUAGES[ply % 7])
            assert {piece.sprite for piece in scene.pieces} <= ids
            assert len({piece.id for piece in scene.pieces}) == len(scene.pieces)
            assert {place.token for place in scene.places if place.role != "hand"} == {
                name for name in NAMES if int(name[0]) <= position.variant.seats
            }
            assert all(place.name and "conquest." not in place.name for place in scene.places)
            assert {fact.seat for fact in scene.facts} == {None, *range(position.variant.seats)}
            assert not any("conquest." in fact.words for fact in scene.facts)
            assert all(0 <= piece.x <= scene.width and 0 <= piece.y <= scene.height for piece in scene.pieces)
        if position.turn is None:
            break
        position.push(random_move(position, rng))


def test_scene_shows_battle_borders_and_triples():
    line = HELD + " repulsed 1b3>1b2*1+1c3>1c2*3 attack 2b1<1b3*2 defence 2 dice 4+2+3"
    sprites = Counter(piece.sprite for piece in at(line).scene().pieces)
    assert sprites["conquest-closed"] == 1
    assert sprites["conquest-repulse-1"] == 1
    assert sprites["conquest-arrow"] == 1
    assert sprites["conquest-die-1"] == 2
    assert sprites["conquest-die-2"] == 1
    assert sprites["conquest-die-wait"] == 1
    # Seven fields are part of a triple, and the tokens in the tray bear the same mark.
    assert Counter(piece.sprite for piece in at(TRIPLES).scene().pieces)["conquest-triple"] == 8
    settled = after(at(line), "1").scene()
    assert sum(piece.sprite.startswith("conquest-die") for piece in settled.pieces) == 4
    assert any("4, 2 against 3, 1" in fact.words for fact in settled.facts)


def _in_hand(position):
    """Return the numbers on what is in hand, of the home and of triples, and what dragging the latter does."""
    scene = position.scene(0)
    labels = {piece.id: piece.label for piece in scene.pieces}
    drops = {move for place in scene.places if place.role == "hand" for move in place.drops}
    return labels.get("hand"), labels.get("triples"), drops


def test_tokens_of_triples_are_dragged_to_a_field_and_leave_the_home_its_own():
    home, triples, drops = _in_hand(at(TRIPLES))
    assert (home, triples) == ("3", "1–4")
    of_ones = {f"t1d2+1d4+1d6>{field}*1" for field in ("1d2", "1d4", "1d6")}
    of_fours = {f"t1a1+1d1+1d7>{field}*4" for field in ("1a1", "1d1", "1d7")}
    assert drops > of_ones | of_fours
    (at_home,) = drops - of_ones - of_fours
    assert at_home.endswith(">1c3*4")
    assert _in_hand(after(at(TRIPLES), "t1a1+1d1+1d7>1d1*4")) == ("3", "1", of_ones)
    assert _in_hand(after(at(TRIPLES), at_home))[0] is None
    poor = TRIPLES.replace("1 80", "1 2").replace("pot 16", "pot 94")
    assert max(_in_hand(at(poor))[2]).endswith("*1")
    assert any(move.endswith("*2") for move in _in_hand(at(poor))[2])
    assert not any(move.endswith("*4") for move in _in_hand(at(poor))[2])


def test_the_field_that_gets_the_tokens_of_a_triple_comes_first():
    position = at(TRIPLES)
    assert position.complete(("t",)).next == ("1a1", "1c3", "1d1", "1d2", "1d4", "1d6", "1d7")
    assert position.complete(("t", "1d2")).next == ("1d4", "1d6")
    assert position.complete(("t", "1d2", "1d6", "1d4", "1")).move.text == "t1d2+1d4+1d6>1d2*1"
    assert position.ask_after(("t", "1d2", "1d6", "1d4"), "en") == "triple 1d2, 1d4, 1d6: how many tokens on 1d2?"


def test_scene_in_a_terminal_shows_numbers_owners_and_tokens():
    shown = text(at(HELD).scene())
    assert "■_5" in shown
    assert "● 8" in shown
    assert "[4]" in shown
    assert max(map(len, text(triskele.new("conquest", players=6).scene()).splitlines())) <= 120


def test_scene_as_svg_has_every_seat_in_its_own_colour_and_mark():
    position = triskele.new("conquest", **GAME.example.options)
    after(position, *GAME.example.moves)
    for theme in ("light", "dark"):
        drawing = svg(position.scene(), theme)
        assert all(f'href="#conquest-held-{seat}-' in drawing for seat in range(1, 7))
        assert all(f'href="#conquest-sign-{seat}"' in drawing for seat in range(1, 7))


def test_setup_of_options():
    assert [setup_of(GAME.variant({"players": p, "setup": k}).options) for k, p in SETUPS] == list(range(5))
