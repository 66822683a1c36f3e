"""Parsers of arguments that say in the reader's language what ``argparse`` says in English only."""

import argparse
from typing import Any

from triskele.core.arguments import help_text


def parser_class(language: str) -> type[argparse.ArgumentParser]:
    """Return the class of parsers, and of the parsers of their commands, whose help is in a language."""

    def words(key: str) -> str:
        return help_text(f"cli.help.{key}", language)

    class Formatter(argparse.HelpFormatter):
        def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
            super().add_usage(usage, actions, groups, f"{words('usage')} " if prefix is None else prefix)

    class Parser(argparse.ArgumentParser):
        def __init__(self, *, add_help: bool = True, **more: Any) -> None:
            super().__init__(add_help=False, formatter_class=Formatter, **more)
            self._positionals.title = words("arguments")
            self._optionals.title = words("options")
            if add_help:
                self.add_argument("-h", "--help", action="help", help=words("help"))

    return Parser
