"""The words of the command, in all languages."""

import re
import string
from pathlib import Path

import pytest

from triskele.core.words import LANGUAGES, catalogue

SOURCES = "".join(path.read_text() for path in (Path(__file__).parents[2] / "triskele" / "cli").glob("*.py"))


def placeholders(forms: str | dict[str, str]) -> set[str]:
    texts = forms.values() if isinstance(forms, dict) else (forms,)
    return {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_all_words(language: str):
    english, words = catalogue("cli", "en"), catalogue("cli", language)
    assert words.keys() == english.keys()
    for key, forms in words.items():
        assert placeholders(forms) == placeholders(english[key]), key
        if isinstance(forms, dict):
            assert set(forms) >= ({"one", "few", "many", "other"} if language == "pl" else {"one", "other"}), key


def test_every_key_in_the_code_has_words_and_every_word_is_used():
    english = catalogue("cli", "en")
    named = set(re.findall(r"\"cli\.([\w.-]+)\"", SOURCES))
    named |= set(re.findall(r"(?:\btell|terminal\.words)\(\s*[\"']([\w.-]+)[\"']", SOURCES))
    assert named <= english.keys()
    for key in english:
        assert re.search(rf"[\"'](cli\.(help\.)?)?{re.escape(key.removeprefix('help.'))}[\"']", SOURCES), key
