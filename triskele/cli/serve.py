"""``triskele serve``: the table, as a page for everyone who can reach this machine."""

import argparse

from triskele.server import command

add_arguments = command.add_arguments


def run(chosen: argparse.Namespace) -> int:
    """Serve until Ctrl-C; return the exit code."""
    return command.run(chosen)
