"""The translation catalogue: every text a person reads, in seven languages.

A text is a key and values, ``Text("yinsh.no-ring", {"point": "f6"})``, and becomes words as late as possible, in the
reader's language. The first part of the key names the owner of the words: a game or a package such as ``core``, each
with ``words/en.json`` and so on in its folder; ``yinsh/lessons`` is a part of one that has its own. A text with a
number in it may have several forms, chosen by the value ``n``: ``{"one": "{n} marker", "other": "{n} markers"}``.
"""

import functools
import json
import locale
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

Language = Literal["de", "en", "es", "fr", "it", "nl", "pl"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
"""The languages of the program. A game of another package may have fewer: English stands in for the others."""
PACKAGE = Path(__file__).parent.parent
"""The folder of this package; its parts and our own games have their words below it."""

Forms = str | dict[str, str]


@dataclass(frozen=True)
class Text:
    """A text for people, by its key and values: not yet in any language."""

    key: str
    values: "Mapping[str, str | int | float | Text]" = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the English words."""
        return say(self)

    def __hash__(self) -> int:
        """Hash key and values."""
        return hash((self.key, *self.values.items()))


def text(key: str, **values: "str | int | float | Text") -> Text:
    """Return a text by its key; the values replace the names in braces in the catalogue."""
    return Text(key, values)


@functools.cache
def catalogue(owner: str, language: str) -> Mapping[str, Forms]:
    """Return the words of one owner (a game, a package, or a part of one) in one language, empty if there are none."""
    for folder in (PACKAGE / owner, PACKAGE / "games" / owner, *_others(owner)):
        path = folder / "words" / f"{language}.json"
        if path.is_file():
            words: dict[str, Forms] = json.loads(path.read_text(encoding="utf-8"))
            return words
    return {}


_homes: dict[str, Path] = {}


def add_home(owner: str, folder: Path) -> None:
    """Tell where the words of a game from outside this package are (the folder that has ``words/``)."""
    _homes[owner] = folder
    catalogue.cache_clear()
    said.cache_clear()


def _others(owner: str) -> tuple[Path, ...]:
    game, _, part = owner.partition("/")
    return (_homes[game] / part,) if game in _homes else ()


def plural(n: float, language: str) -> str:
    """Return the plural category (CLDR's names) of a number in a language."""
    whole = n == int(n)
    i = int(abs(n))
    if language == "fr":
        return "one" if i in (0, 1) else "other"
    if language == "pl" and whole:
        if i == 1:
            return "one"
        return "few" if i % 10 in (2, 3, 4) and i % 100 not in (12, 13, 14) else "many"
    return "one" if n == 1 else "other"


def say(message: Text, language: str = "en") -> str:
    """Return the words of a text. A language that lacks it falls back to English, then to the key."""
    owner, _, name = message.key.partition(".")
    forms = catalogue(owner, language).get(name)
    if forms is None:
        language = "en"
        forms = catalogue(owner, "en").get(name, message.key)
    if isinstance(forms, dict):
        n = message.values.get("n", 0)
        category = plural(n if isinstance(n, int | float) else 0, language)
        forms = forms.get(category, forms["other"])
    values = {k: say(v, language) if isinstance(v, Text) else v for k, v in message.values.items()}
    return forms.format_map(values)


@functools.lru_cache(maxsize=50_000)
def said(key: str, language: str, values: "tuple[tuple[str, str | int | float | Text], ...]") -> str:
    """Return the words of a text, cached: scenes need the same ones again and again."""
    return say(Text(key, dict(values)), language)


def reader_language() -> str:
    """Return the language that the environment asks for, English if we do not have it."""
    asked = os.environ.get("TRISKELE_LANGUAGE") or os.environ.get("LANGUAGE") or locale.getlocale()[0] or ""
    code = asked.split(":")[0][:2].lower()
    return code if code in LANGUAGES else "en"
