"""The catalogue: every owner has the same keys, forms and placeholders in all seven languages."""

import json
import string
from pathlib import Path

import pytest

import triskele
from triskele.core.words import LANGUAGES, Text, add_home, catalogue, plural, reader_language, said, say, text

PACKAGE = Path(triskele.__file__).parent
FOLDERS = sorted(path.parent for path in PACKAGE.rglob("words/en.json"))
FORMS = {language: {"one", "other"} for language in LANGUAGES} | {"pl": {"one", "few", "many", "other"}}


def placeholders(sentence):
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def words(folder, language):
    return json.loads((folder / f"{language}.json").read_text(encoding="utf-8"))


def sentences(value):
    return list(value.values()) if isinstance(value, dict) else [value]


def test_every_package_that_speaks_is_found():
    assert {"core", *(game.name for game in triskele.games())} <= {folder.parent.name for folder in FOLDERS}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_a_catalogue_has_a_line_for_each_key_in_their_order(folder, language):
    lines = (
        f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in sorted(words(folder, language).items())
    )
    assert (folder / f"{language}.json").read_text(encoding="utf-8") == "{\n" + ",\n".join(lines) + "\n}\n"


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


def test_a_text_in_a_text_is_said_in_the_same_language():
    inner = text("core.allowed-range", low=1, high=9)
    for language in ("en", "de"):
        said_inner = say(inner, language)
        assert said_inner in say(text("core.option-value", option="goal", value="10", allowed=inner), language)
    assert str(inner) == say(inner, "en")
    assert hash(inner) == hash(text("core.allowed-range", low=1, high=9))
    assert inner != text("core.allowed-range", low=1, high=8)


def test_words_of_others_are_found_in_their_home(tmp_path):
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "en.json").write_text('{"greeting": {"one": "{n} hello", "other": "{n} hellos"}}')
    assert said("a home of tests.greeting", "en", (("n", 2),)) == "a home of tests.greeting"
    add_home("a home of tests", tmp_path)
    assert said("a home of tests.greeting", "en", (("n", 2),)) == "2 hellos"
    assert say(text("a home of tests.greeting", n=1), "de") == "1 hello"  # no German: English words and English forms
    assert catalogue("nobody", "en") == {}


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"TRISKELE_LANGUAGE": "de", "LANGUAGE": "fr"}, "de"),
        ({"LANGUAGE": "pl_PL:en"}, "pl"),
        ({"TRISKELE_LANGUAGE": "FR-ca"}, "fr"),
        ({"TRISKELE_LANGUAGE": "xx"}, "en"),
    ],
)
def test_the_environment_says_the_reader_s_language(environment, language, monkeypatch):
    for name in ("TRISKELE_LANGUAGE", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert reader_language() == language
