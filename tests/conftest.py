"""Games that live in the tests only: found by their folder, registered for one module of tests."""

import contextlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from triskele.core import game as registry
from triskele.core.game import Game

Registered = Callable[[Path], AbstractContextManager[Game]]


@contextlib.contextmanager
def _registered(folder: Path) -> Iterator[Game]:
    name = folder.name
    spec = importlib.util.spec_from_file_location(name, folder / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        # Nothing here is worth compiling, and a second process could not find this game.
        patch.setenv("TRISKELE_PLAIN", "1")
        patch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        registry.register(module.GAME)
        try:
            yield module.GAME
        finally:
            registry.unregister(name)
            for part in [part for part in sys.modules if part.startswith(f"{name}.")]:
                del sys.modules[part]


@pytest.fixture(scope="session")
def registered() -> Registered:
    """Return what registers the game in a folder for a ``with`` block, to be played with plain rules."""
    return _registered


@pytest.fixture(scope="module")
def race() -> Iterator[Game]:
    """The game that the docs show: dice, a secret, an interrupt, up to four seats."""
    with _registered(Path(__file__).parent / "support" / "race") as game:
        yield game
