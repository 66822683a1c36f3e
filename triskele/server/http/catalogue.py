"""The catalogue: the games, their words, help and artwork, as assets that are made once."""

import functools
import re
from collections.abc import Callable
from typing import Any, Literal

import orjson

from triskele.core.contract.notation import Notation
from triskele.core.contract.record_format import record_formats
from triskele.core.draw import Theme, svg
from triskele.core.game import Game, game, games
from triskele.core.options import Choice, Flag, Number, Option, Value
from triskele.core.pictures import Picture, example, help_pictures
from triskele.core.wordings import Wording
from triskele.core.words import LANGUAGES, catalogue, say, text
from triskele.server import puzzle_study, study
from triskele.server.http.assets import Asset
from triskele.server.http.engine_files import EngineFiles

Part = Literal["accounts", "club", "notices"]
"""Parts of the page with words of their own, in ``web/PART/words``."""
_OWNERS = ("engines", "reviewing", "web")
"""Packages all of whose words the page needs."""
_CORE = ("lesson-wrong", "pair")
"""The words of the core that the page says itself; most of them are reasons, which the server says."""
_SAID = ("move.", "option.", "seat.", "token.")
"""How the keys begin of a game's words that the page says itself; all others the server says."""
_JSON = "application/json"
SVG = "image/svg+xml"
DRAWING = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}
"""Headers of a drawing: it contains its style, and may load or run nothing."""


class Catalogue:
    """What the page needs before a table is opened."""

    def __init__(self, engine_files: EngineFiles) -> None:
        """Begin with nothing made; ``engine_files`` knows which games have an engine for the page."""
        self.engine_files = engine_files
        self._made: dict[tuple[str, ...], Asset] = {}

    def _once(self, key: tuple[str, ...], make: Callable[[], Asset]) -> Asset:
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def games(self, language: str) -> Asset:
        """Return all games with their options, in words of a language."""
        files = {declared.name: self.engine_files.names(declared.name) for declared in games()}

        def make() -> Asset:
            listed = [{**known, "engine": files[known["name"]]} for known in games_document(language)]
            return Asset(orjson.dumps(listed), _JSON)

        # Again when an engine has been built meanwhile.
        built = [found["description"] for found in files.values() if found is not None]
        return self._once(("games", language, *built), make)

    def words(self, language: str) -> Asset:
        """Return the words of a language that a page says itself, English where it has none."""

        def make() -> Asset:
            said = {"core": _CORE, **dict.fromkeys(_OWNERS, ("",)), **{declared.name: _SAID for declared in games()}}
            words = {
                f"{owner}.{key}": forms
                for owner, beginnings in said.items()
                for key, forms in {**catalogue(owner, "en"), **catalogue(owner, language)}.items()
                if key.startswith(beginnings)
            }
            return Asset(orjson.dumps(words), _JSON)

        return self._once(("words", language), make)

    def part(self, part: Part, language: str) -> Asset:
        """Return the words of a part of the page that is loaded when it is first used."""

        def make() -> Asset:
            owner = f"web/{part}"
            words = {**catalogue(owner, "en"), **catalogue(owner, language)}
            return Asset(orjson.dumps({f"{owner}.{key}": forms for key, forms in words.items()}), _JSON)

        return self._once(("part", part, language), make)

    def help(self, name: str, language: str) -> Asset | None:
        """Return how to play a game, in English where there is no other."""
        folder = game(name).folder / "help"
        known = [code for code in (language, "en") if code in LANGUAGES and (folder / f"{code}.md").is_file()]
        if not known:
            return None
        code = known[0]
        headers: dict[str, str] = {"Content-Language": code}
        return self._once(
            ("help", name, code),
            lambda: Asset((folder / f"{code}.md").read_bytes(), "text/markdown; charset=utf-8", headers=headers),
        )

    def course(self, name: str, language: str) -> Asset:
        """Return the steps of a game's course, in words of a language."""
        return self._once(
            ("course", name, language), lambda: Asset(orjson.dumps(study.course_document(name, language)), _JSON)
        )

    def puzzles(self, name: str, language: str) -> Asset:
        """Return the shipped puzzles of a game without their solutions, in words of a language."""
        return self._once(
            ("puzzles", name, language),
            lambda: Asset(orjson.dumps(puzzle_study.puzzles_document(name, language)), _JSON),
        )

    def sprites(self, name: str) -> Asset:
        """Return the artwork of a game."""
        path = game(name).folder / "sprites.svg"
        return self._once(("sprites", name), lambda: Asset(path.read_bytes(), SVG, headers=DRAWING))

    def sprites_style(self, name: str) -> Asset:
        """Return the style of a game's artwork, as a style sheet."""
        drawn = self.sprites(name).body.decode()
        style = "\n".join(re.findall(r"<style[^>]*>(.*?)</style>", drawn, re.DOTALL))
        style = style.replace("<![CDATA[", "").replace("]]>", "").replace("&gt;", ">").replace("&amp;", "&")
        return self._once(("style", name), lambda: Asset(style.encode(), "text/css; charset=utf-8"))

    def picture(self, name: str, of: str | None, theme: Theme, language: str) -> Asset | None:
        """Return a picture of a game's help page, or its example position, drawn; ``None`` if there is none."""
        declared = game(name)
        if of is not None and of not in help_pictures(declared):
            return None

        def make() -> Asset:
            shown = Picture(example(declared)) if of is None else help_pictures(declared)[of]
            return Asset(svg(shown.position.scene(shown.seat, language), theme).encode(), SVG, headers=DRAWING)

        return self._once(("picture", name, of or "", theme, language), make)


def games_document(language: str) -> list[dict[str, Any]]:
    """Return the games as plain data."""
    return [game_document(declared, language) for declared in games()]


def game_document(declared: Game, language: str) -> dict[str, Any]:
    """Return a game as plain data: what a form to choose it needs."""
    return {
        "name": declared.name,
        "title": declared.title,
        "tagline": _words(declared, "tagline", language),
        "minutes": list(declared.minutes),
        "seats": seat_numbers(declared),
        "hidden": declared.hidden,
        "chance": declared.chance,
        "rulebook": declared.rulebook,
        "series": declared.series(declared.variant().options),
        "house_rules": list(declared.house_rules),
        "notes": declared.notation.note is not Notation.note,
        "buttons": declared.buttons,
        "previews": declared.previews,
        "forced": declared.forced,
        "tells": declared.tells,
        "asks": declared.notation.ask_after is not Notation.ask_after,
        "seat_sprites": list(declared.seat_sprites),
        "prompts": [{"after": p.after, "place": p.place, "text": say(p.ask, language)} for p in declared.prompts],
        "wordings": [_wording_document(wording, language) for wording in declared.wordings],
        "options": [_option_document(declared, option, language) for option in declared.options],
        "presets": _preset_documents(declared, language),
        "formats": [each.extension for each in record_formats() if each.game == declared.name],
    }


def _wording_document(wording: Wording, language: str) -> dict[str, Any]:
    # Python and JavaScript differ in how a named group is written, and in nothing else that is used here.
    pattern = wording.pattern.replace("(?P<", "(?<")
    signs = {sign: say(text(key), language) for sign, key in wording.signs.items()}
    return {"pattern": pattern, "key": wording.key, "signs": signs}


def seat_numbers(declared: Game) -> list[int]:
    """Return with how many seats a game can be played."""
    if declared.seats:
        return [declared.seats]
    players = declared.option("players")
    assert isinstance(players, Number), "a game without a number of seats has the option players"
    return list(players.only) or list(range(players.low, players.high + 1))


def _words(declared: Game, key: str, language: str) -> str:
    return say(text(f"{declared.name}.{key}"), language)


def _has(declared: Game, key: str) -> bool:
    return key in catalogue(declared.name, "en")


def _presets(declared: Game) -> list[dict[str, Value]]:
    """Return the declared sets of options, with a number of players only where the game cannot do without."""
    found: list[dict[str, Value]] = []
    for options in declared.option_sets:
        chosen = {name: value for name, value in options.items() if name != "players"}
        try:
            declared.variant(chosen)
        except ValueError:
            chosen = dict(options)
        if chosen not in found:
            found.append(chosen)
    return found


def _preset_documents(declared: Game, language: str) -> list[dict[str, Any]]:
    """Return the named variants of a game; a game that names none has its option sets, in the words of the options."""
    if not declared.presets:
        return [
            _preset_document(declared, options, _options_words(declared, options, language))
            for options in _presets(declared)
        ]
    return [
        _preset_document(declared, dict(options), _words(declared, f"variant.{name}", language))
        for name, options in declared.presets.items()
    ]


def _preset_document(declared: Game, options: dict[str, Value], words: str) -> dict[str, Any]:
    return {"options": options, "text": words, "series": declared.series(declared.variant(options).options)}


def _options_words(declared: Game, options: dict[str, Value], language: str) -> str:
    named = {name: value for name, value in options.items() if name != "players"}
    return ", ".join(_value_words(declared, declared.option(name), value, language) for name, value in named.items())


def _value_words(declared: Game, option: Option, value: Value, language: str) -> str:
    label = _words(declared, f"option.{option.name}", language)
    if isinstance(option, Flag):
        return label if value else say(text("core.pair", name=label, value=text("server.no")), language)
    if isinstance(option, Choice) and _has(declared, f"option.{option.name}.{value}"):
        return _words(declared, f"option.{option.name}.{value}", language)
    return say(text("core.pair", name=label, value=str(value)), language)


def _option_document(declared: Game, option: Option, language: str) -> dict[str, Any]:
    document: dict[str, Any] = {
        "name": option.name,
        "kind": type(option).__name__.lower(),
        "default": option.default,
        "label": _words(declared, f"option.{option.name}", language),
        "allowed": say(option.allowed(), language),
    }
    if isinstance(option, Number):
        values = list(option.only) or None
        document |= {"low": option.low, "high": option.high} if values is None else {}
        document["values"] = [{"value": v, "label": str(v)} for v in values] if values else None
    elif isinstance(option, Choice):
        document["values"] = [
            {"value": choice, "label": _value_words(declared, option, choice, language)} for choice in option.choices
        ]
    return document


@functools.cache
def known_game(name: str) -> bool:
    """Whether there is a game of this name."""
    return any(declared.name == name for declared in games())
