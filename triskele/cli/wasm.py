"""``triskele wasm``: write a game's rules and engine as a WebAssembly module, with an example of how to use it."""

import argparse
import gzip
import re
from importlib import resources
from pathlib import Path

from triskele.cli.terminal import Terminal
from triskele.core.arguments import help_text
from triskele.core.files import write_atomic
from triskele.core.game import Game, game
from triskele.core.wasm.build import Module
from triskele.core.wasm.modules import write_module
from triskele.engines.modules import engine_module

TEMPLATES = ("example.mjs", "index.html")
"""Files of ``core/wasm/template`` that are written beside every module."""
DRIVERS = ("wasm-module", "page-engine")
"""Scripts of ``web/engine`` that the example uses, as the page of the server does; node wants names in ``mjs``."""


def add_arguments(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the arguments of the command, with their help in one language."""
    parser.add_argument("game", metavar="GAME", help=help_text("cli.help.game", language))
    parser.add_argument(
        "--out", metavar="FOLDER", type=Path, required=True, help=help_text("cli.help.wasm-out", language)
    )


def run(chosen: argparse.Namespace) -> int:
    """Build the module and write it, its description, the page and the example into the folder."""
    terminal = Terminal(chosen.language)
    declared = game(chosen.game)
    terminal.note(terminal.words("wasm-building", game=declared.title))
    module = engine_module(declared)
    write(declared, module, chosen.out)
    size, packed = len(module.wasm), len(gzip.compress(module.wasm, 9, mtime=0))
    terminal.tell("wasm-done", folder=str(chosen.out), file=f"{declared.name}.wasm", size=size, packed=packed)
    return 0


def write(declared: Game, module: Module, folder: Path) -> None:
    """Write a game's module and what belongs to it into a folder, which is made if it is not there."""
    write_module(declared, module, folder)
    names = {"GAME_NAME": declared.name, "GAME_TITLE": declared.title}
    for name in TEMPLATES:
        template = resources.files("triskele.core.wasm").joinpath("template", name).read_text(encoding="utf-8")
        for placeholder, value in names.items():
            template = template.replace(placeholder, value)
        write_atomic(folder / name, template)
    for name in DRIVERS:
        script = resources.files("triskele").joinpath("web", "engine", f"{name}.js").read_text(encoding="utf-8")
        write_atomic(folder / f"{name}.mjs", re.sub(r'(from "\./[\w-]+)\.js"', r'\1.mjs"', script))
