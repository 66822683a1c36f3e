"""Draw scenes without a browser: as SVG, PNG or text. Nothing here knows a game.

The artwork is ``sprites.svg`` in the game's folder; the characters for a terminal are ``GLYPHS`` of its ``scene``
module.
"""

import functools
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree

from triskele.core.board_marks import Marks, marks_svg
from triskele.core.errors import TriskeleError
from triskele.core.game import game
from triskele.core.scene import Glyph, Piece, Scene
from triskele.core.words import text as words

Theme = Literal["light", "dark"]

_FONTS = "Inter, 'DejaVu Sans', 'Liberation Sans', Arial, sans-serif"
_PAPER = {"light": "#f5f0e6", "dark": "#171512"}
_RULE = re.compile(r"([^{}]+)(\{[^{}]*\})")
_THEMED = re.compile(r"\[data-theme=['\"]?(\w+)['\"]?\]\s+(.*)", re.DOTALL)
_REFERENCE = re.compile(r"""(?:url\(\s*['"]?|href=['"])#([^'")\s]+)""")


# --- SVG and PNG --------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Artwork:
    """A game's sprites: the style sheet, and for each id in ``<defs>`` the element and the ids it refers to."""

    style: str
    elements: Mapping[str, str]
    references: Mapping[str, tuple[str, ...]]

    def needed(self, sprites: Iterable[str]) -> list[str]:
        """Return the elements that these sprites need, in the order of the file."""
        wanted: set[str] = set()
        waiting = [*sprites, *_REFERENCE.findall(self.style)]
        while waiting:
            name = waiting.pop()
            if name in self.elements and name not in wanted:
                wanted.add(name)
                waiting += self.references[name]
        return [element for name, element in self.elements.items() if name in wanted]


@functools.lru_cache(maxsize=64)
def _artwork(folder: Path) -> _Artwork:
    """Read a game's sprites; elements of ``<defs>`` without an id are left out."""
    root = ElementTree.parse(folder / "sprites.svg").getroot()
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        element.attrib = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
        element.tail = None
        if element.tag != "style" and not (element.text or "").strip():
            element.text = None
    style = "".join(" ".join((sheet.text or "").split()) for sheet in root.iter("style"))
    defined = {item.get("id", ""): item for defs in root.iter("defs") for item in defs if item.get("id")}
    elements = {name: ElementTree.tostring(item, encoding="unicode") for name, item in defined.items()}
    references = {name: tuple(_REFERENCE.findall(element)) for name, element in elements.items()}
    return _Artwork(style, elements, references)


def themed(style: str, theme: str) -> str:
    """Resolve a style sheet for one theme: rules under ``[data-theme=…]`` lose that selector and come last.

    Browsers match selectors inside a ``<use>`` against the sprite alone, where the root's ``data-theme`` is not
    visible; so the theme has to be resolved before.
    """
    always, only_here = [], []
    for selectors, body in _RULE.findall(style):
        for selector in map(str.strip, selectors.split(",")):
            match = _THEMED.fullmatch(selector)
            if match is None:
                always.append(selector + body)
            elif match[1] == theme:
                only_here.append(match[2] + body)
    return "".join(always + only_here)


def _number(value: float) -> str:
    """Return a coordinate with at most two decimals."""
    return f"{round(value, 2) + 0.0:.6g}"


def _drawn(piece: Piece) -> str:
    """Return a piece as SVG: its sprite, turned, and its label, upright."""
    turn = f" rotate({_number(piece.turn)})" if piece.turn else ""
    at = f"{_number(piece.x)} {_number(piece.y)}"
    drawn = f'<use href="#{escape(piece.sprite)}" transform="translate({at}){turn}"/>'
    if piece.label:
        where = f'x="{_number(piece.x)}" y="{_number(piece.y)}" dy=".35em" text-anchor="middle"'
        drawn += f'<text class="label-{escape(piece.sprite)}" {where}>{escape(piece.label)}</text>'
    return drawn


def _in_order(scene: Scene) -> list[Piece]:
    return sorted(scene.pieces, key=lambda piece: piece.layer)


def svg(scene: Scene, theme: Theme = "light", *, marks: Marks = ()) -> str:
    """Return a scene as one self-contained SVG document with a transparent background.

    ``marks`` are drawn over it: the token of a place for a ring, those of two for an arrow.
    """
    artwork = _artwork(game(scene.game).folder)
    width, height = _number(scene.width), _number(scene.height)
    facts = "\n".join(fact.words for fact in scene.facts)
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" ',
            f'width="{width}" height="{height}" role="img" data-theme="{escape(theme)}" font-family="{_FONTS}">',
            f"<title>{escape(scene.title or game(scene.game).title)}</title>",
            f"<desc>{escape(facts)}</desc>" if facts else "",
            f"<style>{escape(themed(artwork.style, theme), quote=False)}</style>",
            f"<defs>{''.join(artwork.needed(piece.sprite for piece in scene.pieces))}</defs>",
            *map(_drawn, _in_order(scene)),
            marks_svg(scene, marks, theme),
            "</svg>",
        )
    )


def png(scene: Scene, theme: Theme = "light", width: int | None = None, *, marks: Marks = ()) -> bytes:
    """Return a scene as a PNG on the theme's background, ``width`` pixels wide (by default one a unit of the scene).

    ``marks`` are drawn over it, as in :func:`svg`.
    Needs the package ``resvg_py``; a ``TriskeleError`` says how to install it. Labels use the fonts of the machine and
    are missing on one without fonts.
    """
    try:
        import resvg_py
    except ImportError:
        raise TriskeleError(words("core.png-missing")) from None
    return resvg_py.svg_to_bytes(
        svg_string=svg(scene, theme, marks=marks), background=_PAPER[theme], width=width or math.ceil(scene.width)
    )


# --- text ---------------------------------------------------------------------------------------

_COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_WEIGHTS = {"bold": "1", "dim": "2"}


@functools.lru_cache(maxsize=256)
def _ansi(ink: str) -> str:
    """Return the ANSI escape code of an ink such as ``"bold red on white"``."""
    ink_part, _, ground = ink.partition("on ") if ink.startswith("on ") else ink.partition(" on ")
    codes = [_WEIGHTS.get(word) or str(30 + _COLOURS.index(word)) for word in ink_part.split()]
    if ground:
        codes.append(str(40 + _COLOURS.index(ground)))
    return f"\x1b[{';'.join(codes)}m"


class _Sheet:
    """A grid of characters, each with its ink."""

    def __init__(self, scene: Scene) -> None:
        self.across, self.down = scene.cell
        self.columns = math.ceil(scene.width / self.across)
        self.cells = [[(" ", "")] * self.columns for _ in range(math.ceil(scene.height / self.down))]

    def put(self, rows: tuple[str, ...], ink: str, x: float, y: float) -> None:
        """Draw rows of characters centred on a point; spaces are transparent, and the edge clips."""
        top = math.floor(y / self.down - len(rows) / 2 + 0.5)
        for line, row in enumerate(rows, top):
            left = math.floor(x / self.across - len(row) / 2 + 0.5)
            for column, character in enumerate(row, left):
                if character != " " and 0 <= line < len(self.cells) and 0 <= column < self.columns:
                    self.cells[line][column] = (character, ink)

    def line(self, number: int, ink: bool) -> str:
        """Return one line without trailing blanks."""
        cells = self.cells[number]
        while cells and cells[-1][0] == " ":
            cells = cells[:-1]
        written, current = [], ""
        for character, wanted in cells:
            if ink and wanted != current:
                written.append(("\x1b[0m" if current else "") + (_ansi(wanted) if wanted else ""))
                current = wanted
            written.append(character)
        return "".join(written) + ("\x1b[0m" if current else "")


def text(scene: Scene, ink: bool = False) -> str:
    """Return a scene as lines of text, in colour with ``ink``, without trailing blanks and empty last lines."""
    glyphs = game(scene.game).scenery.glyphs
    sheet = _Sheet(scene)
    nothing = Glyph(())
    for piece in _in_order(scene):
        glyph = glyphs.get(piece.sprite, nothing)
        sheet.put(glyph.rows, glyph.ink, piece.x, piece.y)
        sheet.put((piece.label,), glyph.ink, piece.x, piece.y)
    return "\n".join(sheet.line(number, ink) for number in range(len(sheet.cells))).rstrip("\n")
