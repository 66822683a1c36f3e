"""The build backend: hatchling, with what building WebAssembly modules needs as a requirement of wheels alone.

A wheel contains the modules of its games (``build_backend/build_modules.py``). An editable installation and a source
distribution contain none, and must not have to fetch a compiler.
"""

import shutil
import tomllib
from pathlib import Path
from typing import Any

from hatchling.build import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
)
from hatchling.build import get_requires_for_build_wheel as _hatchling_requires

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
]


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Return what building a wheel needs: the package's own dependencies, and a linker where the system has none."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    linker = [] if shutil.which("wasm-ld") else project["optional-dependencies"]["wasm"]
    return [*_hatchling_requires(config_settings), *project["dependencies"], *linker]
