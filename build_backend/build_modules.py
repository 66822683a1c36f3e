"""Put the WebAssembly modules of all games into a wheel, so that its users need no compiler: a hook of hatchling."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SCRIPT = """
import sys
from pathlib import Path
from triskele.core.game import games
from triskele.core.wasm.modules import SHIPPED, write_module
from triskele.engines.modules import engine_module

for declared in games():
    if declared.package.startswith("triskele.games."):
        print(f"building the WebAssembly module of {declared.title}", file=sys.stderr, flush=True)
        folder = Path(sys.argv[1], *declared.package.split("."), SHIPPED)
        write_module(declared, engine_module(declared), folder)
"""
"""In a process of its own: the package is not installed where a wheel of it is built."""


class ModulesHook(BuildHookInterface[Any]):
    """Builds the modules and includes them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build all modules, unless the wheel is only a link to a checkout."""
        if version == "editable":
            return
        folder = Path(self.root, "build", "wheel")
        environment = {**os.environ, "PYTHONPATH": self.root}
        subprocess.run([sys.executable, "-c", SCRIPT, str(folder)], check=True, cwd=self.root, env=environment)
        build_data["force_include"].update(
            {str(path): path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.*"))}
        )
