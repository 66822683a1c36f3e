"""The engines for the page: a game's WebAssembly module and its description, named by the hashes of their contents.

A name never changes what it stands for, so browsers keep the files for good. What is not built yet is built in the
background; until then a game has no engine for the page, and the server's advice serves.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Sequence
from typing import TypedDict

import orjson

from triskele.core.game import Game
from triskele.core.wasm.modules import ModuleFiles, wait_for
from triskele.server.http.assets import Asset
from triskele.server.refusal import log_failure

_FOR_GOOD = {"Cache-Control": "public, max-age=31536000, immutable"}
_HASH = 24
"""Digits of a hash in the name of a file."""
_BUILD_SECONDS = 600.0
"""How long the build of one module may take before the next one is begun."""

Find = Callable[[Game, float], ModuleFiles | None]
"""Returns the module of a game, after waiting up to so many seconds for it to be built; ``None`` if there is none."""


class EngineNames(TypedDict):
    """What the page is told of an engine: the names of its files, and whether it can say what a move was worth."""

    module: str
    description: str
    appraises: bool


class EngineFiles:
    """The files of the engines for the page, of all games that have one."""

    def __init__(self, games: Sequence[Game], find: Find = wait_for) -> None:
        """Serve the modules of ``games`` that ``find`` finds, once :meth:`start` is called."""
        self._games = tuple(games)
        self._find = find
        self._files: dict[str, dict[str, Asset]] = {}
        self._names: dict[str, EngineNames] = {}
        self._stopped = threading.Event()

    def start(self) -> None:
        """Begin to look for the modules, and to build the missing ones one after the other, in the background."""
        threading.Thread(target=self._load, name="triskele-engine-files", daemon=True).start()

    def stop(self) -> None:
        """Begin no further build."""
        self._stopped.set()

    def _load(self) -> None:
        for game in self._games:
            if self._stopped.is_set():
                return
            try:
                found = self._find(game, _BUILD_SECONDS)
                if found is not None:
                    self._publish(game.name, found)
            except Exception as error:
                log_failure(error, f"the engine of {game.title} for the page")

    def _publish(self, name: str, found: ModuleFiles) -> None:
        """Serve a module that has an engine, and name it and its description in the list of games."""
        description = json.loads(found.description.read_text(encoding="utf-8"))
        if description.get("search") is None:
            return
        parts = {
            "module": (found.wasm.read_bytes(), "wasm", "application/wasm"),
            "description": (orjson.dumps(description), "json", "application/json"),
        }
        files, names = {}, {}
        for part, (body, suffix, media_type) in parts.items():
            names[part] = f"{hashlib.sha256(body).hexdigest()[:_HASH]}.{suffix}"
            files[names[part]] = Asset(body, media_type, headers=_FOR_GOOD)
        self._files[name] = files
        appraises = bool(description["search"].get("appraises"))
        self._names[name] = {
            "module": names["module"],
            "description": names["description"],
            "appraises": appraises,
        }

    def names(self, game: str) -> EngineNames | None:
        """Return the names of a game's module and description, ``None`` if it has no engine for the page."""
        return self._names.get(game)

    def file(self, game: str, name: str) -> Asset | None:
        """Return a file by its name."""
        return self._files.get(game, {}).get(name)
