"""What the argument parsers of all commands share."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from triskele.core.game import Variant, game
from triskele.core.words import say, text


@dataclass(frozen=True)
class Command:
    """A command: a function that adds its arguments to a parser, and one that runs it and returns the exit code."""

    add_arguments: Callable[[argparse.ArgumentParser, str], None]
    run: Callable[..., int]


def help_text(key: str, language: str) -> str:
    """Return a text of the catalogue as ``argparse`` wants its help: with every per cent sign doubled."""
    return say(text(key), language).replace("%", "%%")


def chosen_variant(chosen: argparse.Namespace) -> Variant:
    """Return the variant that the arguments ``game`` and ``option`` name. ``OptionError`` says what is wrong."""
    declared = game(chosen.game)
    return declared.variant(declared.parse_options(chosen.option))
