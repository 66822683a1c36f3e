"""A server whose pages get engines, as that of an installed wheel does: ``python -m tests.support.engine_server``.

``TRISKELE_TEST_MODULES`` names the folder that has them, a folder for each game. A file ``fault`` beside these says
what is wrong with what the server gives from then on, by a name of :data:`FAULTS`: Playwright, which can change
answers on their way to a page, misses some of those to its Workers. As long as there is a file ``late`` beside it,
modules are not answered at all.
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from triskele.core.game import Game
from triskele.core.wasm import modules
from triskele.core.wasm.modules import ModuleFiles
from triskele.server import app
from triskele.server.__main__ import main
from triskele.server.settings import Settings

NO_GROWTH = b"WebAssembly.Memory.prototype.grow = () => { throw new RangeError('no memory'); };"
POLICY = "default-src 'self'; script-src 'self'; worker-src 'self'; connect-src 'self'"


@dataclass
class Answer:
    """An answer of the server."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


def _older(answer: Answer) -> None:
    answer.body = json.dumps({**json.loads(answer.body), "format": 0}).encode()


def _truncated(answer: Answer) -> None:
    answer.body = answer.body[:5000]


def _gone(answer: Answer) -> None:
    answer.status, answer.body = 404, b"{}"


def _no_memory(answer: Answer) -> None:
    answer.body += NO_GROWTH


def _forbidden(answer: Answer) -> None:
    answer.headers["content-security-policy"] = POLICY


def _damaged(answer: Answer) -> None:
    answer.body = b"throw new Error('no such thing');"


FAULTS: dict[str, tuple[str, Callable[[Answer], None]]] = {
    "version": (".json", _older),
    "truncated": (".wasm", _truncated),
    "offline": (".wasm", _gone),
    "memory": ("/worker.js", _no_memory),
    "policy": ("/worker.js", _forbidden),
    "broken": ("/worker.js", _damaged),
}
"""How the path of an address of the engine ends, and what is done to the answer."""


class Faults:
    """Gives answers with the fault that is wanted now."""

    def __init__(self, served: ASGIApp) -> None:
        """Change the answers of ``served``."""
        self._served = served

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        while scope["type"] == "http" and scope["path"].endswith(".wasm") and late().is_file():
            await asyncio.sleep(0.02)
        ending, damage = FAULTS.get(fault().read_text() if fault().is_file() else "", ("", None))
        concerned = scope["type"] == "http" and "/engine/" in scope["path"] and scope["path"].endswith(ending)
        if damage is None or not concerned:
            await self._served(scope, receive, send)
            return
        answer = Answer()

        async def keep(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                answer.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            else:
                answer.body += message.get("body", b"")

        # What a browser asks for compressed could not be changed.
        plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
        await self._served({**scope, "headers": plain}, receive, keep)
        damage(answer)
        answer.headers["content-length"] = str(len(answer.body))
        headers = [(name.encode(), value.encode()) for name, value in answer.headers.items()]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": answer.body})


def fault() -> Path:
    """Return the file that names the fault."""
    return Path(os.environ["TRISKELE_TEST_MODULES"]) / "fault"


def late() -> Path:
    """Return the file that makes modules late."""
    return fault().with_name("late")


def shipped(game: Game) -> ModuleFiles | None:
    """Return the module of a game in the folder."""
    folder = Path(os.environ["TRISKELE_TEST_MODULES"]) / game.name
    files = ModuleFiles(folder / f"{game.name}.wasm", folder / f"{game.name}.json")
    return files if files.wasm.is_file() else None


if __name__ == "__main__":
    modules.shipped_module = shipped
    create_app = app.create_app

    def create_faulty_app(settings: Settings) -> FastAPI:
        """Return the application, with faults."""
        made = create_app(settings)
        made.add_middleware(Faults)
        return made

    app.create_app = create_faulty_app
    sys.exit(main(sys.argv[1:]))
