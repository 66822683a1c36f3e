"""What tests of several packages share: games that live in the tests only, plain rules, small programs."""

import contextlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import psutil
import pytest

from tests.support.processes import HEAD, Program, descendants
from tests.support.sites import with_site, write_distribution
from triskele.core import game as registry
from triskele.core.game import Game, game

Registered = Callable[[Path], AbstractContextManager[Game]]

SUPPORT = Path(__file__).parent / "support"
OUTSIDE = Path(__file__).parent / "outside"


_PLAIN_AT_THE_START = os.environ.get("TRISKELE_PLAIN")
_registrations: list[Path] = []


@contextlib.contextmanager
def _plain_rules() -> Iterator[None]:
    """Ask for plain rules: no test game is worth compiling, and a second process could not find it.

    When the last of several such blocks ends, the environment is as it was at the start of the tests: what it was when
    the block began may be what a test of the past had set for itself.
    """
    _registrations.append(SUPPORT)
    os.environ["TRISKELE_PLAIN"] = "1"
    try:
        yield
    finally:
        _registrations.pop()
        if not _registrations and _PLAIN_AT_THE_START is None:
            os.environ.pop("TRISKELE_PLAIN", None)
        elif not _registrations:
            os.environ["TRISKELE_PLAIN"] = _PLAIN_AT_THE_START


@contextlib.contextmanager
def _registered(folder: Path) -> Iterator[Game]:
    name = folder.name
    spec = importlib.util.spec_from_file_location(name, folder / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with _plain_rules(), pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        registry.register(module.GAME)
        try:
            yield module.GAME
        finally:
            registry.unregister(module.GAME.name)
            for part in [part for part in sys.modules if part.startswith(f"{name}.")]:
                del sys.modules[part]


@pytest.fixture(scope="session")
def registered() -> Registered:
    """Return what registers the game in a folder for a ``with`` block, to be played with plain rules."""
    return _registered


@pytest.fixture(scope="module")
def race() -> Iterator[Game]:
    """The game that the docs show: dice, a secret, an interrupt, up to four seats."""
    with _registered(SUPPORT / "race") as declared:
        yield declared


@pytest.fixture(scope="module")
def heap() -> Iterator[Game]:
    """Take one to three from a heap; who takes the last wins."""
    with _registered(SUPPORT / "heap") as declared:
        yield declared


@pytest.fixture(scope="module")
def pig() -> Iterator[Game]:
    """A game with one fair six-sided die."""
    with _registered(SUPPORT / "pig") as declared:
        yield declared


@pytest.fixture(scope="module")
def urn() -> Iterator[Game]:
    """A game whose draws have unequal chances, which change during the game."""
    with _registered(SUPPORT / "urn") as declared:
        yield declared


@pytest.fixture
def tryad() -> Game:
    """A short game of the package, with dice: for tests that play whole games."""
    return game("tryad")


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run rules and searches as plain Python, so that nothing is compiled, in this process or those it starts."""
    monkeypatch.setenv("TRISKELE_PLAIN", "1")


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Return the command of a Python program with this body."""

    def write(body: str) -> tuple[str, ...]:
        path = tmp_path / f"program{len(list(tmp_path.glob('program*')))}.py"
        path.write_text(HEAD + body)
        return sys.executable, "-S", str(path)

    return write


@pytest.fixture
def no_process_left() -> Iterator[None]:
    """Every test leaves as many processes as it found."""
    before = descendants()
    yield
    left = descendants() - before
    until = time.monotonic() + 5
    while left and time.monotonic() < until:
        time.sleep(0.05)
        left = descendants() - before
    assert not left, f"still running: {[psutil.Process(pid).cmdline() for pid in left]}"


@pytest.fixture(scope="session")
def chance_games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process in which the games of chance, Pig and Urn, are installed."""
    site = tmp_path_factory.mktemp("chance")
    for name in ("pig", "urn"):
        shutil.copytree(SUPPORT / name, site / name, ignore=shutil.ignore_patterns("__pycache__"))
    write_distribution(site, "games-of-chance", {"pig": "pig", "urn": "urn"})
    return with_site(site)


@pytest.fixture(scope="session")
def chomp_installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process in which the package with Chomp is installed, built and installed by pip."""
    folder = tmp_path_factory.mktemp("outside")
    project, site = folder / "project", folder / "site"
    shutil.copytree(OUTSIDE / "chomp", project, ignore=shutil.ignore_patterns("__pycache__"))
    quiet = ("--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", "--no-build-isolation")
    command = [sys.executable, "-m", "pip", "install", *quiet, "--target", str(site), str(project)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return with_site(site)
