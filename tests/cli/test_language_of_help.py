"""The parser's own words, which ``argparse`` has in English only, are in the reader's language."""

import pytest

from triskele.cli import commands
from triskele.core.arguments import help_text
from triskele.core.words import LANGUAGES


@pytest.mark.parametrize("arguments", [[], ["play"], ["puzzles", "play"], ["admin", "ban"]])
@pytest.mark.parametrize("language", LANGUAGES)
def test_help_has_no_words_of_the_parser_s_own(language, arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        commands.parse(["--language", language, *arguments, "--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert said.startswith(help_text("cli.help.usage", language) + " triskele")
    assert help_text("cli.help.options", language) + ":" in said
    assert help_text("cli.help.help", language) in " ".join(said.split())
    for english in ("positional arguments", "show this help message", "show program's version"):
        assert english not in said


def test_a_wrong_argument_shows_the_usage_in_the_reader_s_language(capsys):
    with pytest.raises(SystemExit) as ended:
        commands.parse(["--language", "pl", "perft", "yinsh", "0"])
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("użycie: triskele perft")
