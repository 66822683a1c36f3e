"""``triskele serve``: the table, as a page for everyone who can reach this machine."""

import argparse
import os
import threading
import webbrowser
from pathlib import Path
from typing import Any

from triskele.core.errors import TriskeleError
from triskele.core.words import say, text

OPEN_AFTER = 1.5
"""Seconds until the browser is opened: the server is ready by then."""


def add_arguments(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the arguments of the command, with their help in one language."""

    def add(name: str, key: str, **more: Any) -> None:
        parser.add_argument(name, help=say(text(f"cli.help.{key}"), language).replace("%", "%%"), **more)

    add("--host", "serve-host", metavar="ADDRESS", default="127.0.0.1")
    add("--port", "serve-port", metavar="N", type=int, default=8000)
    add("--data", "serve-data", metavar="FOLDER", type=Path)
    add("--database", "serve-database", metavar="URL")
    add("--bus", "serve-bus", metavar="URL")
    add("--url", "serve-url", metavar="URL")
    add("--engines", "serve-engines", metavar="N", type=int)
    add("--open", "serve-open", action="store_true")


def run(chosen: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    try:
        from triskele.server.__main__ import parser, settings_of
        from triskele.server.serving import serve
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("triskele"):
            raise
        raise TriskeleError(text("cli.serve-missing", package=error.name or "?")) from None
    if not 0 <= chosen.port <= 65535:
        raise TriskeleError(text("cli.serve-port", port=str(chosen.port)[:20]))
    if chosen.data is None and "TRISKELE_DATA" in os.environ:
        chosen.data = Path(os.environ["TRISKELE_DATA"])
    settings = settings_of(argparse.Namespace(**{**vars(parser().parse_args([])), **vars(chosen)}))
    if chosen.open:
        opener = threading.Timer(OPEN_AFTER, webbrowser.open, [f"http://{chosen.host}:{chosen.port}/"])
        opener.daemon = True
        opener.start()
    serve(settings)
    return 0
