"""Small games for engines to solve, and everything plain: nothing here waits for a compiler unless it asks to."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from triskele.core.game import Game

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def heap(registered: Callable[[Path], AbstractContextManager[Game]]) -> Iterator[Game]:
    """Take one to three from a heap; who takes the last wins."""
    with registered(HERE / "heap") as game:
        yield game


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search with plain functions, so that nothing is compiled."""
    monkeypatch.setenv("TRISKELE_PLAIN", "1")
