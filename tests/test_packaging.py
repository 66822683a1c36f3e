"""What an installation from a fresh clone relies on."""

import gzip
import hashlib
import importlib
import importlib.metadata
import json
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

import triskele
from triskele.core.wasm.modules import shipped_module
from triskele.engines.modules import engine_module

ROOT = Path(__file__).parent.parent
PINS = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").split())


def oldest_python() -> str:
    """Return the first release of the oldest Python that the project promises to support."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    minor = project["requires-python"].removeprefix(">=")
    assert minor.count(".") == 1
    return f"{minor}.0"


def installed(name: str) -> importlib.metadata.Distribution | None:
    try:
        return importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return None  # a pin for another platform


def test_most_pins_are_what_is_installed():
    versions = {name: found.version for name in PINS if (found := installed(name)) is not None}
    assert len(versions) > 0.9 * len(PINS)
    assert versions == {name: PINS[name] for name in versions}


@pytest.mark.parametrize("name", sorted(PINS))
def test_a_pinned_package_supports_the_oldest_python(name):
    found = installed(name)
    required = None if found is None else found.metadata.get("Requires-Python")
    assert required is None or oldest_python() in SpecifierSet(required), f"{name}=={PINS[name]} needs {required}"


# --- the wheel ----------------------------------------------------------------------------------------

FIND = """
import json, sys
from triskele.core.game import games
from triskele.core.wasm.modules import find

found = {game.name: find(game) for game in games()}
assert "numba" not in sys.modules
print(json.dumps({name: files and [str(files.wasm), str(files.description)] for name, files in found.items()}))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """A wheel of this checkout, built as ``pip wheel --no-build-isolation`` does, and unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    script = (
        f"import sys; sys.path.insert(0, 'build_backend'); import backend; print(backend.build_wheel({str(folder)!r}))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(folder / done.stdout.split()[-1]) as packed:
        packed.extractall(folder / "site")
    return folder / "site"


def test_a_wheel_brings_the_modules_of_its_games_and_finds_them_without_a_compiler(wheel):
    """For all games, in a process with nothing on its path: no linker is there, and none is asked for."""
    environment = {"PYTHONPATH": str(wheel), "PATH": "", "TRISKELE_CACHE": str(wheel / "nothing")}
    done = subprocess.run(
        [sys.executable, "-c", FIND], cwd=wheel, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert list(found) == [game.name for game in triskele.games()]
    for game in triskele.games():
        wasm, description = map(Path, found[game.name])
        said = json.loads(description.read_text(encoding="utf-8"))
        assert wasm.is_relative_to(wheel)
        assert hashlib.sha256(wasm.read_bytes()).hexdigest() == said["sha256"]
        assert wasm.read_bytes() == engine_module(game).wasm
        assert str(ROOT).encode() not in wasm.read_bytes()
        assert str(ROOT) not in description.read_text(encoding="utf-8")
        assert len(gzip.compress(wasm.read_bytes(), 9)) <= 60_000


def test_a_shipped_module_of_another_format_or_of_other_rules_is_not_used(wheel, monkeypatch):
    game = triskele.games()[0]
    shipped = wheel / Path(*game.package.split("."))
    monkeypatch.setattr(type(game), "folder", shipped)
    assert shipped_module(game) is not None
    path = shipped / "wasm" / f"{game.name}.json"
    written = path.read_text(encoding="utf-8")
    for change in ({"format": 99}, {"versions": {"rules": -1}}, {"versions": {}}):
        path.write_text(json.dumps({**json.loads(written), **change}), encoding="utf-8")
        assert shipped_module(game) is None
    path.write_text(written, encoding="utf-8")


def test_only_wheels_need_what_builds_modules(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "build_backend"))
    monkeypatch.chdir(ROOT)
    backend = importlib.import_module("backend")
    assert any(requirement.startswith("numba") for requirement in backend.get_requires_for_build_wheel())
    assert not any("numba" in requirement for requirement in backend.get_requires_for_build_editable())
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert any(requirement.startswith("ziglang") for requirement in backend.get_requires_for_build_wheel())
