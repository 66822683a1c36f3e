"""``python -m triskele.server``: run a server."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from triskele.server.settings import Limits, Settings


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command's options."""
    parser = argparse.ArgumentParser(prog="triskele serve", description="Serve tables to play at.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000, help="0: any free port")
    parser.add_argument("--data", type=Path, help="folder that keeps the games")
    parser.add_argument("--database", help="PostgreSQL by its URL, instead of a file in the data folder")
    parser.add_argument("--bus", help="Redis or Valkey by its URL, for several server processes")
    parser.add_argument("--url", help="where people reach the server, if not at its own address")
    parser.add_argument("--engines", type=int, help="processes for engines")
    parser.add_argument("--limit", action="append", default=[], metavar="NAME=VALUE", help="change a limit")
    parser.add_argument("--seed-seconds", type=float, default=Settings.seed_seconds, help="wait for seeds of dice")
    return parser


def settings_of(arguments: argparse.Namespace) -> Settings:
    """Return the settings that the options ask for; ``TRISKELE_SECRET`` (hexadecimal) comes from the environment."""
    secret = os.environ.get("TRISKELE_SECRET")
    chosen = {
        "data": arguments.data,
        "database": arguments.database,
        "bus": arguments.bus,
        "public_url": arguments.url,
        "engine_processes": arguments.engines,
        "secret": bytes.fromhex(secret) if secret else None,
    }
    return Settings(
        host=arguments.host,
        port=arguments.port,
        seed_seconds=arguments.seed_seconds,
        limits=Limits().changed(arguments.limit),
        **{name: value for name, value in chosen.items() if value is not None},
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    from triskele.server import serve

    asked = parser()
    try:
        settings = settings_of(asked.parse_args(arguments))
    except ValueError as error:
        asked.error(str(error))
    serve(settings)
    return 0


if __name__ == "__main__":
    sys.exit(main())
