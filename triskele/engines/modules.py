"""The WebAssembly module of a game: its rules, and the search of its best engine.

``python -m triskele.engines.modules GAME FOLDER`` writes one into a folder under its hash: the child process of
:mod:`triskele.core.wasm.modules`.
"""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from triskele.core.compile import Program
from triskele.core.contract.search_program import SearchProgram
from triskele.core.game import Game, game
from triskele.core.wasm.build import Module, build_module
from triskele.core.wasm.modules import write_module
from triskele.engines.mcts import TreeSearch
from triskele.engines.registry import BEST, engine


@contextlib.contextmanager
def _nothing_native() -> Iterator[None]:
    """Keep engines from compiling for this machine: what they run is only asked for."""
    before = os.environ.get("TRISKELE_PLAIN")
    os.environ["TRISKELE_PLAIN"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["TRISKELE_PLAIN"]
        else:
            os.environ["TRISKELE_PLAIN"] = before


def engine_search(declared: Game) -> SearchProgram | None:
    """Return the search program of a game's best engine, ``None`` if that has none."""
    with _nothing_native():
        return engine(BEST, declared).search_program


def engine_programs(declared: Game) -> tuple[Program, ...]:
    """Return the programs of a game's best engine; those of the tree search where that engine has none."""
    with _nothing_native():
        return engine(BEST, declared).programs or TreeSearch.programs


def engine_module(declared: Game, *, cached: bool = True) -> Module:
    """Return the module of a game with its best engine. Takes up to a minute if it is not in the cache."""
    search = engine_search(declared)
    programs = engine_programs(declared) if search is None else ()
    return build_module(declared, programs, search, cached=cached)


def main(name: str, folder: Path) -> None:
    """Write the module of a game into a folder under its hash, and print the name of that."""
    declared = game(name)
    module = engine_module(declared)
    stem = str(module.description["sha256"])[:16]
    write_module(declared, module, folder / stem)
    sys.stdout.write(f"{stem}\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
