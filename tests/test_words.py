"""The catalogue: every owner has the same keys, forms and placeholders in all seven languages."""

import json
import string
from pathlib import Path

import pytest

import triskele
from triskele.core.words import LANGUAGES, Text, plural, say

PACKAGE = Path(triskele.__file__).parent
FOLDERS = sorted(path.parent for path in PACKAGE.rglob("words/en.json"))
FORMS = {language: {"one", "other"} for language in LANGUAGES} | {"pl": {"one", "few", "many", "other"}}


def placeholders(sentence):
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def words(folder, language):
    return json.loads((folder / f"{language}.json").read_text(encoding="utf-8"))


def sentences(value):
    return list(value.values()) if isinstance(value, dict) else [value]


def test_every_room_that_speaks_is_found():
    assert {"core", *(game.name for game in triskele.games())} <= {folder.parent.name for folder in FOLDERS}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_same_keys_and_placeholders(folder, language):
    english, other = words(folder, "en"), words(folder, language)
    assert set(other) == set(english)
    for key, value in english.items():
        if isinstance(other[key], dict):  # a language may need forms where English does not
            assert set(other[key]) == FORMS[language], key
        wanted = set().union(*map(placeholders, sentences(value)))
        for sentence in sentences(other[key]):
            assert sentence.strip(), key
            assert placeholders(sentence) <= wanted, key
        assert set().union(*map(placeholders, sentences(other[key]))) == wanted, key


@pytest.mark.parametrize(
    ("language", "number", "category"),
    [
        ("en", 1, "one"),
        ("en", 0, "other"),
        ("fr", 0, "one"),
        ("fr", 2, "other"),
        ("pl", 1, "one"),
        ("pl", 3, "few"),
        ("pl", 5, "many"),
        ("pl", 12, "many"),
        ("pl", 22, "few"),
        ("pl", 1.5, "other"),
        ("de", 1, "one"),
    ],
)
def test_plurals(language, number, category):
    assert plural(number, language) == category


def test_a_text_is_said_in_each_language_with_its_values():
    message = Text("yinsh.fact-pool", {"n": 5})
    assert say(message, "en") == "5 markers in the pool"
    assert say(message, "pl") == "5 znaczników w puli"
    assert say(Text("yinsh.no such key"), "de") == "yinsh.no such key"
