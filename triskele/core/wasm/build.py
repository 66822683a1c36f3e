"""The build of a game's WebAssembly module.

A child process compiles: Numba must not optimise there (``NUMBA_OPT=0``), because optimised code may know this
machine's layout, and the functions that this process has compiled must stay as fast as they are. The linker is
``wasm-ld``. The same sources and versions give the same bytes. Builds are kept in the cache of compiled functions
under a hash of everything they depend on.
"""

import contextlib
import hashlib
import importlib
import importlib.metadata
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from triskele.core.compile import cache_folder
from triskele.core.contract.search_program import SearchProgram
from triskele.core.files import FileError, write_atomic
from triskele.core.game import Game
from triskele.core.link import Hasher, Program, rule_programs, text_programs
from triskele.core.perft import PERFT
from triskele.core.playout import PLAYOUTS
from triskele.core.wasm.description import describe, search_data
from triskele.core.wasm.errors import WasmError
from triskele.core.wasm.inlining import LARGE
from triskele.core.wasm.lowering import DATA, FEATURES, LIBRARY
from triskele.core.words import Text, text

__all__ = ["Module", "build_module", "find_linker", "own_programs", "source_hash"]

FORMAT = 4
"""Version of the modules and their descriptions: raise it when the same sources give another module."""

GENERIC: tuple[Program, ...] = (PLAYOUTS, PERFT)
"""Programs that every module has beside the rules."""

DATA_FILE = "search.data"
"""Where the child process finds the data of a search."""

STACK = 65_536
"""Bytes of a module's stack. It lies below everything else, so that an overflow traps."""


@dataclass(frozen=True)
class Module:
    """A built module, and its description as plain data."""

    wasm: bytes
    description: dict[str, Any]


def build_module(
    game: Game, programs: Sequence[Program] = (), search: SearchProgram | None = None, *, cached: bool = True
) -> Module:
    """Return the module of a game's rules, the generic programs, ``programs`` and a search with its data.

    Takes 10 to 20 seconds if it is not in the cache. Programs must be module-level objects of the module that defines
    their function, with different function names. ``WasmError`` says what is missing or in the way.
    """
    wanted = [*GENERIC, *programs, *(search.programs if search else ())]
    data = search_data(search)[0] if search else b""
    names = [program.function.__name__ for program in [*own_programs(game.rules_module), *wanted]]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise WasmError(text("core.wasm-twice", names=", ".join(twice)))
    source = source_hash(game.rules_module, wanted, data)
    found = _from_cache(game.name, source) if cached else None
    if found is None:
        found = _built(game, wanted, source, data)
        if cached:
            _keep(game.name, source, *found)
    wasm, exports = found
    return Module(wasm, describe(game, exports, {"format": FORMAT, "source": source}, wasm, search))


def source_hash(rules: types.ModuleType, programs: Sequence[Program], data: bytes = b"") -> str:
    """Return the hash of all that a module depends on: functions, tables, versions, the data of its search."""
    hasher = Hasher(rules)
    parts = [FORMAT, STACK, LARGE, FEATURES, importlib.metadata.version("llvmlite"), hashlib.sha256(data).hexdigest()]
    parts += [hasher.of_entry(program) for program in [*own_programs(rules), *programs, *LIBRARY.values()]]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:24]


def own_programs(rules: types.ModuleType) -> list[Program]:
    """Return the programs that a game brings itself: its rules, and its texts if it has them."""
    return [*rule_programs().values(), *text_programs(rules).values()]


def find_linker() -> list[str]:
    """Return the command that runs ``wasm-ld``: the system's, or that of PyPI's ``ziglang``; ``WasmError`` if none."""
    installed = shutil.which("wasm-ld")
    if installed is not None:
        return [installed]
    if importlib.util.find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "wasm-ld"]
    raise WasmError(text("core.wasm-no-linker"))


# --- building -----------------------------------------------------------------------------------------


def _built(game: Game, programs: Sequence[Program], source: str, data: bytes) -> tuple[bytes, list[Any]]:
    linker = find_linker()  # before the seconds that compiling takes
    with tempfile.TemporaryDirectory(prefix="triskele-wasm-") as folder:
        exports = _compile(game, programs, source, data, Path(folder))
        names = [export["name"] for export in exports]
        return _link(linker, names, Path(folder)), exports


def _compile(game: Game, programs: Sequence[Program], source: str, data: bytes, folder: Path) -> list[Any]:
    """Let a child process write the object file into a folder; return the exports as the description has them."""
    package = importlib.import_module(game.package.partition(".")[0])
    homes = [str(Path(home).parent) for home in package.__path__]
    task = {
        "path": [*sys.path, *homes],  # a game of another package is found where this process found it
        "rules": game.rules_module.__name__,
        "programs": [program.path for program in programs],
        "source": source,
    }
    (folder / DATA_FILE).write_bytes(data)
    environment = {**os.environ, "NUMBA_OPT": "0", "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    command = [sys.executable, "-m", "triskele.core.wasm", str(folder)]
    done = subprocess.run(command, input=json.dumps(task), capture_output=True, text=True, check=False, env=environment)
    answer = folder / "answer.json"
    if done.returncode != 0 or not answer.exists():
        raise WasmError(text("core.wasm-failed", game=game.title, why=_reason(done)))
    said = json.loads(answer.read_text(encoding="utf-8"))
    if "error" in said:
        raise WasmError(Text(said["error"], said["values"]))
    exports: list[Any] = said["exports"]
    return exports


def _reason(failed: "subprocess.CompletedProcess[str]") -> str:
    """Return why a process failed: its last words, from the line on that names an exception if one does."""
    lines = failed.stderr.strip().splitlines() or [f"exit code {failed.returncode}"]
    named = [number for number, line in enumerate(lines) if re.match(r"[\w.]*(Error|Exception)\b", line)]
    return "; ".join(lines[named[-1] if named else -1 :])[:600]


def _link(linker: list[str], names: list[str], folder: Path) -> bytes:
    """Link the object file in a folder and return the module."""
    target = folder / "module.wasm"
    options = ["--no-entry", "--strip-all", "-O2", "--stack-first", "-z", f"stack-size={STACK}"]
    exports = [f"--export={name}" for name in ("__heap_base", DATA, *names)]
    command = [*linker, *options, *exports, str(folder / "module.o"), "-o", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise WasmError(text("core.wasm-link-failed", why=_reason(done)))
    return target.read_bytes()


# --- the cache ----------------------------------------------------------------------------------------


def _cached_files(name: str, source: str) -> tuple[Path, Path, Path]:
    """Return the module, its exports, and the marker by which unused builds are found and removed."""
    stem = f"{name}.wasm.{source}"
    folder = cache_folder()
    return folder / f"{stem}.wasm", folder / f"{stem}.json", folder / f"{stem}.ready"


def _from_cache(name: str, source: str) -> tuple[bytes, list[Any]] | None:
    module, exports, marker = _cached_files(name, source)
    try:
        found = module.read_bytes(), json.loads(exports.read_text(encoding="utf-8"))
        marker.touch()
    except (OSError, ValueError):
        return None
    return found


def _keep(name: str, source: str, wasm: bytes, exports: list[Any]) -> None:
    module, listing, marker = _cached_files(name, source)
    with contextlib.suppress(OSError, FileError):  # nowhere to write: built again next time
        module.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(module, wasm)
        write_atomic(listing, json.dumps(exports))
        marker.touch()
