"""Find the WebAssembly module of a game: the one that came with the package, or one that is built in the background.

A wheel contains the modules of its games, in ``wasm/`` of each game's folder, so that its users need no compiler. In a
checkout, and for games of other packages without one, a second process builds the module while this one goes on; it
knows the game by its name, and the engines, which this package does not.
"""

import contextlib
import json
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

from triskele.core.compile import cache_folder, plain_only
from triskele.core.files import write_atomic
from triskele.core.game import Game
from triskele.core.wasm.build import FORMAT, Module
from triskele.core.words import reader_language, say, text

SHIPPED = "wasm"
"""The folder inside a game's folder that has its module."""
BUILDER = "triskele.engines.modules"
"""The Python module that a second process runs to build a module."""


@dataclass(frozen=True)
class ModuleFiles:
    """Where a module and its description are. The files under a path never change."""

    wasm: Path
    description: Path


def write_module(game: Game, module: Module, folder: Path) -> ModuleFiles:
    """Write a module and its description into a folder, which is made if it is not there."""
    files = _files(game, folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomic(files.wasm, module.wasm)
    write_atomic(files.description, json.dumps(module.description, ensure_ascii=False, indent=1) + "\n")
    return files


def _files(game: Game, folder: Path) -> ModuleFiles:
    return ModuleFiles(folder / f"{game.name}.wasm", folder / f"{game.name}.json")


def shipped_module(game: Game) -> ModuleFiles | None:
    """Return the module that came with the game's package, ``None`` if there is none for these rules."""
    files = _files(game, game.folder / SHIPPED)
    try:
        description = json.loads(files.description.read_text(encoding="utf-8"))
        fits = (description["format"], description["versions"]["rules"]) == (FORMAT, game.rules_module.VERSION)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return files if fits and files.wasm.is_file() else None


class _Builds:
    """The modules that second processes of this one build, each at most once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._threads: dict[str, threading.Thread] = {}
        self._found: dict[str, ModuleFiles] = {}

    def find(self, game: Game) -> ModuleFiles | None:
        with self._lock:
            if game.name not in self._threads:
                _tell("core.wasm-background", game)
                thread = threading.Thread(target=self._build, args=(game,), name="triskele-wasm", daemon=True)
                self._threads[game.name] = thread
                thread.start()
        return self._found.get(game.name)

    def wait(self, game: Game, seconds: float) -> None:
        self._threads[game.name].join(seconds)

    def _build(self, game: Game) -> None:
        folder = cache_folder() / "modules"
        command = [sys.executable, "-m", BUILDER, game.name, str(folder)]
        with contextlib.suppress(OSError):
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, start_new_session=True
            )
            if done.returncode == 0:
                self._found[game.name] = _files(game, folder / done.stdout.strip())
                return
        _tell("core.wasm-none", game)


def _tell(key: str, game: Game) -> None:
    sys.stderr.write(f"triskele: {say(text(key, game=game.title), reader_language())}\n")


_builds = _Builds()


def find(game: Game) -> ModuleFiles | None:
    """Return a game's module; ``None`` while it is being built in the background, and when it cannot be built.

    The first call for a game without a shipped module starts the build, once a process, and says so on standard
    error. Under ``TRISKELE_PLAIN=1`` nothing is built.
    """
    found = shipped_module(game)
    if found is not None or plain_only():
        return found
    return _builds.find(game)


def wait_for(game: Game, seconds: float) -> ModuleFiles | None:
    """Return a game's module like :func:`find`, after waiting up to so many seconds for its build."""
    found = find(game)
    if found is None and not plain_only():
        _builds.wait(game, seconds)
        found = find(game)
    return found
