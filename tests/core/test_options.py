"""Options: what each kind takes as a value and as text, what it refuses, and how the rules get it."""

import pytest

from triskele.core.errors import OptionError
from triskele.core.game import games
from triskele.core.options import Choice, Flag, Number, Option, Pattern
from triskele.core.words import LANGUAGES, say, text

FORM = text("core.allowed-form")
FLAG = Flag("blitz", default=False)
RANGE = Number("goal", 5, low=1, high=20)
ONLY = Number("columns", 5, only=(5, 6))
CHOICE = Choice("first", "beach", choices=("beach", "meadow"))
PATTERN = Pattern("layout", "12", read=lambda w: tuple(map(int, w)) if w.isdigit() else None, form=FORM)


@pytest.mark.parametrize(
    ("option", "written", "value", "encoded"),
    [
        (FLAG, "true", True, (1,)),
        (FLAG, "ON", True, (1,)),
        (FLAG, "1", True, (1,)),
        (FLAG, "no", False, (0,)),
        (RANGE, "1", 1, (1,)),
        (RANGE, "20", 20, (20,)),
        (ONLY, "6", 6, (6,)),
        (CHOICE, "meadow", "meadow", (1,)),
        (PATTERN, "321", "321", (3, 2, 1)),
    ],
)
def test_a_text_is_read_checked_written_and_encoded(option: Option, written: str, value: object, encoded: object):
    assert option.parse(written) == value
    assert option.check(value) == value
    assert option.encode(value) == encoded
    assert option.parse(option.write(value)) == value


@pytest.mark.parametrize(
    ("option", "wrong"),
    [
        (FLAG, "maybe"),
        (FLAG, ""),
        (RANGE, "0"),
        (RANGE, "21"),
        (RANGE, "-5"),
        (RANGE, "5.0"),
        (RANGE, "\u0665"),  # a digit, and not one of ours
        (RANGE, "9" * 5000),
        (RANGE, ""),
        (ONLY, "7"),
        (CHOICE, "Meadow"),
        (CHOICE, "0"),
        (PATTERN, "x"),
        (PATTERN, "1" * 201),
    ],
)
def test_a_wrong_text_is_refused_with_what_is_allowed(option: Option, wrong: str):
    with pytest.raises(OptionError) as refused:
        option.parse(wrong)
    assert str(refused.value) == f"{option.name} cannot be {wrong[:60]}: {option.allowed()}"


@pytest.mark.parametrize(
    ("option", "wrong"),
    [(FLAG, 1), (FLAG, "true"), (RANGE, True), (RANGE, 5.0), (RANGE, "5"), (CHOICE, 0), (CHOICE, None), (PATTERN, 12)],
)
def test_a_value_of_another_type_is_refused(option: Option, wrong: object):
    with pytest.raises(OptionError, match=option.name):
        option.check(wrong)


def test_a_pattern_without_a_reader_refuses_everything():
    with pytest.raises(OptionError):
        Pattern("layout", "").check("anything")
    with pytest.raises(OptionError):
        PATTERN.encode("x")


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_every_default_of_a_game_is_allowed_and_what_is_allowed_can_be_said(game):
    for option in game.options:
        assert option.check(option.default) == option.default
        assert option.parse(option.write(option.default)) == option.default
        assert all(isinstance(number, int) for number in option.encode(option.default))
        said = {say(option.allowed(), language) for language in LANGUAGES}
        assert all(words.strip() for words in said)


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_options_are_written_as_words_and_read_back(game):
    for options in game.option_sets:
        variant = game.variant(options)
        words = [f"{name}={game.option(name).write(value)}" for name, value in variant.chosen().items()]
        assert game.variant(game.parse_options(words)) is variant
    with pytest.raises(OptionError, match="options are written name=value"):
        game.parse_options(["nonsense"])
