"""``triskele ratings``: compute the ratings of a server again from the results of its games."""

import argparse
from pathlib import Path

from triskele.cli.terminal import Terminal
from triskele.core.arguments import help_text
from triskele.core.folders import data_folder
from triskele.server import command
from triskele.server.settings import Settings


def add_arguments(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the commands of ``triskele ratings`` and their arguments."""

    def words(key: str) -> str:
        return help_text(f"cli.help.{key}", language)

    commands = parser.add_subparsers(metavar="WHAT", required=True)
    made = commands.add_parser("recompute", help=words("ratings-recompute"), description=words("ratings-recompute"))
    command.add_option(made, language, "data", metavar="FOLDER", type=Path)
    command.add_option(made, language, "database", metavar="URL")


def run(chosen: argparse.Namespace) -> int:
    """Compute all ratings again, write those that differ, and say how many did."""
    terminal = Terminal(chosen.language)
    settings = Settings(data=chosen.data or data_folder(), database=command.database_of(chosen.database))
    with command.extra_needed(), command.explained(settings):
        from triskele.server.ratings.recompute import recompute

        for pool, results, wrong in recompute(settings.database_url):
            about = {"game": pool.game, "pace": pool.pace, "field": pool.field}
            terminal.write(terminal.words("ratings-pool", n=results, wrong=wrong, **about))
    return 0
