"""The server: keeps tables in a database, and lets people, engines and bots play over HTTP and WebSocket.

``serve(Settings(...))`` runs it, ``create_app`` makes the ASGI application. Nothing heavy is imported
before one of them is called.
"""

from typing import TYPE_CHECKING

from triskele.server.settings import Limits, Settings

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = ["Limits", "Settings", "create_app", "serve"]


def create_app(settings: Settings) -> "FastAPI":
    """Return the application for any ASGI server."""
    from triskele.server.app import create_app as create

    return create(settings)


def serve(settings: Settings) -> None:
    """Serve until interrupted; prints the address when ready."""
    from triskele.server.app import serve as run

    run(settings)
