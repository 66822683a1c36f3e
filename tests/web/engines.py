"""A server whose pages get engines, and what tests of these need."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import triskele
from triskele.core.game import game
from triskele.core.wasm.modules import write_module
from triskele.engines.modules import engine_module

GAMES = ("yinsh", "trypsylon")
"""Open games without dice, whose modules have an engine."""
WITH_DICE = ("conquest",)
"""Open games with dice, in which the page computes advice, but no opponent."""
WITH_SECRETS = ("tryptic",)
"""Games with secrets, in which the page computes advice for one seat, by what that may know."""
WITH_EXACT_VALUES = ("tryad",)
"""Games whose engine knows what each position is worth."""
OPPONENT = [{"kind": "me", "name": "Ada"}, {"kind": "engine", "level": 1}]
AT_ONE_SCREEN = [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Ben"}]


def said(key: str) -> str:
    """Return the English words of the page for a key, as they stand at the beginning of a line."""
    catalogue = Path(triskele.__file__).parent / "web" / "words" / "en.json"
    words: str = json.loads(catalogue.read_text(encoding="utf-8"))[key]
    return words[:1].upper() + words[1:]


@pytest.fixture(scope="session")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the modules of some games, each in a folder of its own."""
    folder = tmp_path_factory.mktemp("modules")
    for name in (*GAMES, *WITH_DICE, *WITH_SECRETS, *WITH_EXACT_VALUES):
        write_module(game(name), engine_module(game(name)), folder / name)
    return folder


@pytest.fixture(scope="module")
def server(server_kind: Any, modules: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server that has the modules, as that of an installed wheel."""

    class EngineServer(server_kind):  # type: ignore[misc]
        program = "tests.support.engine_server"

    given = {"TRISKELE_TEST_MODULES": str(modules), "PYTHONPATH": os.pathsep.join([str(Path.cwd()), *_path()])}
    running = EngineServer(tmp_path_factory.mktemp("engines") / "data", given, "--engine-seconds", "1")
    yield running
    running.stop()


def _path() -> list[str]:
    written = os.environ.get("PYTHONPATH")
    return [written] if written else []


class Analysis:
    """The analysis at a table, as a person sees it."""

    def __init__(self, visitor: Any) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.switch = visitor.page.locator(".analysis-key button")
        self.panel = visitor.page.locator(".analysis.live")
        self.lines = visitor.page.locator(".line-button:visible")
        self.arrows = visitor.page.locator(".arrows .arrow")

    def begin(self) -> None:
        """Switch it on and wait for a line."""
        self.switch.click()
        self.wait()

    def wait(self) -> None:
        """Wait until there is a line."""
        self.visitor.until(lambda: self.lines.count() > 0 and self.first_moves()[0], "a line")

    def first_moves(self) -> list[str]:
        """Return the first move of each line."""
        return [line.get_attribute("data-move") or "" for line in self.lines.all()]

    def foot(self) -> str:
        """Return what is said about depth and positions."""
        return str(self.page.locator(".analysis .foot").inner_text())
