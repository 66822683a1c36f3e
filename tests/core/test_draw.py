"""Drawing, with a small game that exists only here: nothing in the drawing code may know a game."""

import struct
import sys
from xml.etree import ElementTree

import pytest

from triskele.core import draw
from triskele.core.errors import TriskeleError
from triskele.core.game import Game, register, unregister
from triskele.core.scene import Fact, Piece, Place, Scene

SVG = "{http://www.w3.org/2000/svg}"

SCENE_MODULE = """
from triskele.core.scene import Glyph, Scene

def scene(look):
    return Scene("doodle", 1.0, 1.0, ())

GLYPHS = {
    "doodle-ground": Glyph(("#####", "#   #", "#####"), "dim"),
    "doodle-dot": Glyph(("o",), "bold red"),
    "doodle-bar": Glyph(("= =",), "black on white"),
    "doodle-coin": Glyph((), "green"),
}
"""

SPRITES = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
  <!-- a comment -->
  <style>
    .doodle-fill { fill: #00ff00 }
    g > .doodle-fill { stroke: none }
    [data-theme=dark] .doodle-fill { fill: #ff0000 }
  </style>
  <defs>
    <linearGradient id="doodle-shine"><stop offset="0" stop-color="#fff"/></linearGradient>
    <rect id="doodle-part" width="4" height="4" fill="url(#doodle-shine)"/>
    <g id="doodle-ground"><rect class="doodle-fill" x="-50" y="-50" width="100" height="100"/></g>
    <g id="doodle-dot"><use xlink:href="#doodle-part"/></g>
    <g id="doodle-bar"/>
    <g id="doodle-coin"/>
    <g id="doodle-unused"><circle r="9"/></g>
  </defs>
</svg>
"""


@pytest.fixture(autouse=True)
def doodle(tmp_path, monkeypatch):
    folder = tmp_path / "doodle_for_tests"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "scene.py").write_text(SCENE_MODULE)
    (folder / "sprites.svg").write_text(SPRITES)
    monkeypatch.syspath_prepend(tmp_path)
    register(Game("doodle", "Doodle & Co", (1, 1), "", "doodle_for_tests"))
    yield
    unregister("doodle")
    for name in [name for name in sys.modules if name.startswith("doodle_for_tests")]:
        del sys.modules[name]


def drawn(*pieces, **more):
    return Scene("doodle", 100, 100, pieces, **more)


def size(png):
    assert png.startswith(b"\x89PNG")
    return struct.unpack(">II", png[16:24])


# --- SVG ------------------------------------------------------------------------------------------


def test_svg_places_and_turns_pieces_layer_by_layer():
    scene = drawn(
        Piece("b", "doodle-dot", 30, 40.126, turn=90, layer=2),
        Piece("a", "doodle-ground", 50, 50),
        Piece("c", "doodle-coin", 1, 2, layer=2),
    )
    root = ElementTree.fromstring(draw.svg(scene))
    assert root.get("viewBox") == "0 0 100 100"
    uses = [(use.get("href"), use.get("transform")) for use in root.findall(f"{SVG}use")]
    assert uses == [
        ("#doodle-ground", "translate(50 50)"),
        ("#doodle-dot", "translate(30 40.13) rotate(90)"),
        ("#doodle-coin", "translate(1 2)"),
    ]


def test_svg_inlines_the_sprites_it_uses_and_what_they_are_made_of():
    root = ElementTree.fromstring(draw.svg(drawn(Piece("b", "doodle-dot", 0, 0))))
    assert [item.get("id") for item in root.find(f"{SVG}defs")] == ["doodle-shine", "doodle-part", "doodle-dot"]
    assert root.find(f"{SVG}defs/{SVG}g/{SVG}use").get("href") == "#doodle-part"
    style = root.find(f"{SVG}style").text
    assert "g > .doodle-fill" in style
    assert "\n" not in style


def test_svg_settles_the_theme_in_its_style():
    """Selectors cannot look out of a ``<use>`` in browsers."""
    light, dark = (ElementTree.fromstring(draw.svg(drawn(), theme)) for theme in ("light", "dark"))
    assert (light.get("data-theme"), dark.get("data-theme")) == ("light", "dark")
    plain = ".doodle-fill{ fill: #00ff00 }g > .doodle-fill{ stroke: none }"
    assert light.find(f"{SVG}style").text == plain
    assert dark.find(f"{SVG}style").text == plain + ".doodle-fill{ fill: #ff0000 }"


def test_themes_in_a_list_of_selectors_go_their_own_ways():
    style = "[data-theme=dark] .a, .b { x: 1 } [data-theme='light'] .c { y: 2 } .a { z: 3 }"
    assert draw.themed(style, "dark") == ".b{ x: 1 }.a{ z: 3 }.a{ x: 1 }"
    assert draw.themed(style, "light") == ".b{ x: 1 }.a{ z: 3 }.c{ y: 2 }"


def test_svg_draws_labels_upright_above_their_sprites():
    piece = Piece("n", "doodle-coin", 10, 20, turn=45, label="7")
    root = ElementTree.fromstring(draw.svg(drawn(piece)))
    use, label = list(root)[-2:]
    assert use.get("transform") == "translate(10 20) rotate(45)"
    assert (label.text, label.get("class"), label.get("x"), label.get("y")) == ("7", "label-doodle-coin", "10", "20")
    assert label.get("transform") is None


def test_svg_draws_a_ring_around_a_marked_place_and_an_arrow_from_one_to_another():
    round_one = Place("a", 20, 30, "a", radius=10)
    triangle = Place("b", 70, 30, "b", points=((0, 0), (30, 0), (0, 30)))
    scene = drawn(Piece("d", "doodle-dot", 20, 30), places=(round_one, triangle))
    root = ElementTree.fromstring(draw.svg(scene, marks=[["a"], ["b"], ["a", "b"], ["nowhere"], ["a", "nowhere"]]))
    marks = root[-1]
    assert [mark.tag.removeprefix(SVG) for mark in marks] == ["circle", "circle", "polyline", "polygon"]
    assert (marks[0].get("cx"), marks[0].get("cy"), marks[0].get("r")) == ("20.0", "30.0", "11.2")
    assert (marks[1].get("cx"), marks[1].get("cy")) == ("80.0", "40.0"), "the middle of a triangle is not its corner"
    assert marks[2].get("points").startswith("20.0,30.0 ")
    assert draw.svg(scene, marks=[["nowhere"]]) == draw.svg(scene)


def test_png_shows_marks_in_the_ink_of_the_theme():
    scene = drawn(places=(Place("a", 50, 50, "a", radius=20),))
    pictures = {draw.png(scene, theme, marks=marks) for theme in ("light", "dark") for marks in ([], [["a"]])}
    assert len(pictures) == 4


def test_svg_says_what_it_shows():
    scene = drawn(facts=(Fact("3 < 5"), Fact("a & b", 0)))
    root = ElementTree.fromstring(draw.svg(scene))
    assert root.find(f"{SVG}title").text == "Doodle & Co"
    assert root.find(f"{SVG}desc").text == "3 < 5\na & b"
    titled = ElementTree.fromstring(draw.svg(drawn(title="<Dot>")))
    assert titled.find(f"{SVG}title").text == "<Dot>"
    assert titled.find(f"{SVG}desc") is None


def test_svg_escapes_everything_it_is_given():
    nasty = "\"'<&>]]>"
    root = ElementTree.fromstring(draw.svg(drawn(Piece(nasty, nasty, 0, 0, label=nasty), title=nasty), theme=nasty))
    assert root.find(f"{SVG}use").get("href") == "#" + nasty
    assert root.find(f"{SVG}text").text == nasty
    assert root.get("data-theme") == nasty


def test_svg_of_a_game_that_came_again_from_elsewhere_has_its_new_artwork(tmp_path, monkeypatch):
    before = draw.svg(drawn(Piece("d", "doodle-dot", 0, 0)))
    other = tmp_path / "doodle_for_tests_too"
    other.mkdir()
    (other / "__init__.py").write_text("")
    (other / "sprites.svg").write_text(SPRITES.replace('width="4"', 'width="5"'))
    register(Game("doodle", "Doodle", (1, 1), "", "doodle_for_tests_too"))
    assert 'width="5" height="4"' in draw.svg(drawn(Piece("d", "doodle-dot", 0, 0)))
    assert 'width="4" height="4"' in before


# --- PNG ------------------------------------------------------------------------------------------


def test_png_is_as_wide_as_asked():
    scene = Scene("doodle", 60.5, 30, (Piece("a", "doodle-ground", 50, 50),))
    assert size(draw.png(scene))[0] == 61
    assert size(draw.png(scene, width=121)) == (121, 60)


def test_png_follows_the_theme():
    scene = drawn(Piece("a", "doodle-ground", 50, 50))
    assert draw.png(scene, "light") != draw.png(scene, "dark")


def test_png_without_its_package_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(TriskeleError) as refused:
        draw.png(drawn())
    assert refused.value.text.key == "core.png-missing"


# --- text -----------------------------------------------------------------------------------------


def test_text_centres_glyphs_on_their_pieces():
    scene = drawn(Piece("a", "doodle-ground", 35, 50), Piece("d", "doodle-dot", 35, 50, layer=1))
    assert draw.text(scene) == "\n #####\n # o #\n #####"


def test_text_lets_lower_layers_through_the_spaces_of_higher_ones():
    scene = drawn(Piece("b", "doodle-bar", 35, 50, layer=1), Piece("d", "doodle-dot", 35, 50))
    assert draw.text(scene) == "\n\n  =o="


def test_text_draws_labels_in_their_glyph_s_ink_and_those_without_a_glyph():
    scene = drawn(Piece("n", "doodle-coin", 15, 10, label="12"), Piece("u", "doodle-unused", 55, 10, label="x"))
    assert draw.text(scene) == " 12  x"
    assert draw.text(scene, ink=True) == " \x1b[32m12\x1b[0m  x"


def test_text_cuts_off_what_sticks_out():
    scene = Scene("doodle", 50, 20, (Piece("a", "doodle-ground", 5, 10), Piece("b", "doodle-bar", 45, 10)))
    assert draw.text(scene) == "  #="


def test_text_in_ink_has_the_same_characters():
    pieces = (Piece("a", "doodle-ground", 35, 50), Piece("b", "doodle-bar", 35, 50), Piece("d", "doodle-dot", 35, 50))
    inked = draw.text(drawn(*pieces), ink=True)
    assert (
        inked.split("\n")[2]
        == " \x1b[2m#\x1b[0m\x1b[30;47m=\x1b[0m\x1b[1;31mo\x1b[0m\x1b[30;47m=\x1b[0m\x1b[2m#\x1b[0m"
    )


def test_inks_as_scenes_write_them():
    assert [draw._ansi(ink) for ink in ("red", "bold cyan", "black on white", "on blue")] == [
        "\x1b[31m",
        "\x1b[1;36m",
        "\x1b[30;47m",
        "\x1b[44m",
    ]
