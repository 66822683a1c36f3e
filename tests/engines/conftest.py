"""Small games for engines to solve, and everything plain: nothing here waits for a compiler unless it asks to."""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from triskele.core import game as registry
from triskele.core.game import Game

HERE = Path(__file__).parent


def _register(name: str, folder: Path) -> Iterator[Game]:
    spec = importlib.util.spec_from_file_location(f"{name}_for_engines", folder / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRISKELE_PLAIN", "1")
        patch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
        registry.register(module.GAME)
        yield module.GAME
        registry.unregister(name)


@pytest.fixture(scope="module")
def heap() -> Iterator[Game]:
    """Take one to three from a heap; who takes the last wins."""
    yield from _register("heap", HERE / "heap")


@pytest.fixture(scope="module")
def race() -> Iterator[Game]:
    """Dice, a secret, up to four seats."""
    yield from _register("race", HERE.parent / "support" / "race")


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search with plain functions, so that nothing is compiled."""
    monkeypatch.setenv("TRISKELE_PLAIN", "1")
