"""``python -m triskele.server``: run a server."""

import argparse
import sys
from collections.abc import Sequence

from triskele.server.command import add_arguments, run


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, by default those of the process."""
    parser = argparse.ArgumentParser(prog="python -m triskele.server", description="Serve tables to play at.")
    add_arguments(parser, "en")
    return run(parser.parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
