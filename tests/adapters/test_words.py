"""The words of the adapters: every key in the code has words, and every word is used."""

import re
from pathlib import Path

from triskele.core.words import catalogue

ROOMS = ("adapters", "core")
SOURCES = "".join(
    path.read_text() for room in ROOMS for path in (Path(__file__).parents[2] / "triskele" / room).glob("*.py")
)


def test_every_key_in_the_code_has_words_and_every_word_is_used():
    english = catalogue("adapters", "en")
    named = set(re.findall(r"\"adapters\.([\w.-]+)\"", SOURCES))
    assert named <= english.keys()
    helped = {f"help.{key}" for key in re.findall(r"words\(\"(convert[\w.-]*)\"\)", SOURCES)}
    assert english.keys() == named | helped
