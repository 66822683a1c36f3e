"""What each language's editor settled: one word for a thing, and the signs that the language writes with.

``data/glossary.json`` has the terms: what to ``say``, the twins that are ``not`` said (``*`` at the end of a word is
for its endings), ``where`` it holds, and which texts are an ``except``-ion, by owner and key. ``players`` are the page,
the games and what they are taught with, where a person plays: there it is "computer" and "player 2". The library, the
server's operators and researchers keep "engine" and "seat".
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import triskele
from triskele.core.words import LANGUAGES

PACKAGE = Path(triskele.__file__).parent
GLOSSARY = json.loads((Path(__file__).parent / "data" / "glossary.json").read_text(encoding="utf-8"))
CODE = re.compile(r"`[^`]*`|\]\(\S+?\)|https?://\S+|\bcmd:|\"\w+\": \"[^\"]*\"|\"[^\"]*[{\[=/][^\"]*\"|\"spectator\"")
"""What is no prose: notation, targets of pictures and links, quoted commands and JSON."""
NO_BREAK = "\u00a0"
NO_PROSE = {"cli.help-commands", "core.thousands"}


def owner_of(path: Path) -> str:
    folder = path.parent.parent
    return folder.parent.name if folder.name in ("lessons", "puzzles") else folder.name


def texts(language: str) -> Iterator[tuple[str, str, Path]]:
    """Yield the owner's name with the key or line, the text and the file of everything that people read."""
    for path in sorted(PACKAGE.rglob(f"words/{language}.json")):
        for key, value in json.loads(path.read_text(encoding="utf-8")).items():
            for sentence in value.values() if isinstance(value, dict) else (value,):
                yield f"{owner_of(path)}.{key}", sentence, path
    for path in sorted(PACKAGE.rglob(f"help/{language}.md")):
        for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8")):
            yield f"{owner_of(path)}.help", " ".join(block.split(" ")).replace("\n", " "), path


def concerns(where: list[str], name: str, path: Path) -> bool:
    owner = name.split(".", maxsplit=1)[0]
    plays = (PACKAGE / "web") in path.parents or (PACKAGE / "games") in path.parents
    notation = ".read-" in name  # what is wrong with a position text: for those who write programs
    return (
        "all" in where
        or owner in where
        or ("players" in where and plays and not notation)
        or ("help" in where and path.suffix == ".md")
        or ("catalogues" in where and path.suffix == ".json")
    )


def pattern(term: str) -> re.Pattern[str]:
    any_case = re.IGNORECASE if term.islower() else re.NOFLAG  # "Sie" is not "sie"
    if term.endswith("*"):
        return re.compile(rf"(?<!\w){re.escape(term[:-1])}", any_case)
    end = r"(?!\w)" if term[-1].isalnum() else ""
    return re.compile(rf"(?<!\w){re.escape(term)}{end}", any_case)


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_word_for_one_thing(language):
    found = []
    for name, sentence, path in texts(language):
        shown = re.sub(r"`[^`]*`", "", sentence)
        for term in GLOSSARY[language]:
            if name in term.get("except", ()) or not concerns(term["where"], name, path):
                continue
            found += [
                f"{name}: not “{twin}” but “{term['say']}”: {sentence}"
                for twin in term["not"]
                if pattern(twin).search(shown)
            ]
    assert not found, "\n".join(found)


def prose(language: str) -> Iterator[tuple[str, str]]:
    for name, sentence, _ in texts(language):
        if name not in NO_PROSE:
            yield name, re.sub(r"\{\w*\}", "0", CODE.sub("x", sentence))


def offences(language: str, wrong: str) -> list[str]:
    return [f"{name}: {sentence}" for name, sentence in prose(language) if re.search(wrong, sentence)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_apostrophes_and_quotes_are_curly(language):
    assert not offences(language, r"\w'\w|\w' |\"")


def test_quotes_are_those_of_the_language():
    foreign = {"en": "„«»", "de": "«»”", "es": "„“”", "fr": "„“”", "it": "„“”", "nl": "„“”«»", "pl": "“«»"}
    for language, signs in foreign.items():
        assert not offences(language, f"[{signs}]")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_negative_number_has_a_minus(language):
    assert not offences(language, r"(?:^|[ (])-\d")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_space_before_per_cent_is_there_or_not_as_the_language_wants(language):
    wrong = r"\d%| %" if language in ("de", "es", "fr") else rf"[ {NO_BREAK}]%"
    assert not offences(language, wrong)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_decimals_have_a_comma(language):
    assert not offences(language, r"(?<![\d.])\d+\.\d+(?![\d.])")


def test_french_has_a_no_break_space_before_high_signs():
    assert not offences("fr", r" [:;?!»]|« (?!…)")
    assert not offences("fr", r"[a-zà-ÿ0-9)»][;?!»](?:\s|$)|[a-zà-ÿ0-9)»]:(?=\s|$)")


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "fr"])
def test_no_space_before_high_signs(language):
    assert not offences(language, rf"\w[ {NO_BREAK}][:;?!](?=\s|$)")


def test_spanish_opens_questions_and_exclamations():
    for name, sentence in prose("es"):
        for closing, opening in (("?", "¿"), ("!", "¡")):
            if re.search(rf"\w\{closing}", sentence):
                assert opening in sentence, f"{name}: {sentence}"


FINITE = {
    "en": ["has", "may", "joins", "wins", "loses"],
    "de": ["hat", "darf", "verbindet", "ist"],
    "es": ["ha", "puede", "une", "tiene"],
    "fr": ["a", "n’a", "peut", "relie", "est"],
    "it": ["ha", "può", "unisce", "vince", "perde"],
    "nl": ["heeft", "kan", "is"],
    "pl": ["ma", "może", "łączy", "traci"],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_fact_beside_a_name_reads_after_you_and_after_a_name(language):
    """Strips show "You · …" and "Ann · …": a verb would be right after one of them only."""
    wrong = re.compile(rf"^(?:{'|'.join(FINITE[language])})\b")
    found = [name for name, sentence in prose(language) if ".fact-" in name and wrong.search(sentence)]
    assert not found
