"""A server whose pages get engines, as that of an installed wheel does: ``python -m tests.support.engine_server``.

``TRISKELE_TEST_MODULES`` names the folder that has them, a folder for each game.
"""

import os
import sys
from pathlib import Path

from triskele.core.game import Game
from triskele.core.wasm import modules
from triskele.core.wasm.modules import ModuleFiles
from triskele.server.__main__ import main


def shipped(game: Game) -> ModuleFiles | None:
    """Return the module of a game in the folder."""
    folder = Path(os.environ["TRISKELE_TEST_MODULES"]) / game.name
    files = ModuleFiles(folder / f"{game.name}.wasm", folder / f"{game.name}.json")
    return files if files.wasm.is_file() else None


if __name__ == "__main__":
    modules.shipped_module = shipped
    sys.exit(main(sys.argv[1:]))
