"""Finding a game's WebAssembly module: one that came with the package, or one that a second process builds."""

import json
import sys

import pytest

from triskele.core.wasm import modules
from triskele.core.wasm.build import build_module
from triskele.core.wasm.modules import find, shipped_module, wait_for, write_module


@pytest.fixture(autouse=True)
def no_builds_so_far(monkeypatch, tmp_path):
    monkeypatch.setattr(modules, "_builds", modules._Builds())
    monkeypatch.setenv("TRISKELE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def builder(tmp_path, monkeypatch):
    """A second process that writes something else than a module, and says where it did."""
    (tmp_path / "builder_of_tests.py").write_text(
        "import sys, pathlib\n"
        "name, folder = sys.argv[1:]\n"
        "target = pathlib.Path(folder, 'abc')\n"
        "target.mkdir(parents=True)\n"
        "(target / f'{name}.wasm').write_text('module')\n"
        "(target / f'{name}.json').write_text('{}')\n"
        "print('abc')\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(modules, "BUILDER", "builder_of_tests")


@pytest.fixture
def compiled(race, monkeypatch):
    """The game Race, where compiling is not switched off."""
    monkeypatch.delenv("TRISKELE_PLAIN", raising=False)
    return race


def test_a_missing_module_is_built_in_the_background_and_said_once(compiled, builder, capsys):
    assert find(compiled) is None
    files = wait_for(compiled, 60)
    assert files == find(compiled)
    assert files.wasm.read_text() == "module"
    assert files.description.name == "race.json"
    assert capsys.readouterr().err.count("background") == 1


def test_a_module_that_cannot_be_built_is_said_and_not_tried_again(compiled, monkeypatch, capsys):
    monkeypatch.setattr(modules, "BUILDER", "no_such_module_at_all")
    assert wait_for(compiled, 60) is None
    assert find(compiled) is None
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert "cannot be built" in said[1]


def test_nothing_is_built_where_only_plain_rules_are_wanted(race, monkeypatch, capsys):
    monkeypatch.setenv("TRISKELE_PLAIN", "1")
    monkeypatch.setattr(sys, "executable", "/nowhere")
    assert find(race) is None
    assert wait_for(race, 1) is None
    assert capsys.readouterr().err == ""


def test_a_module_in_the_games_folder_goes_first(race, tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("TRISKELE_CACHE")
    written = write_module(race, build_module(race), tmp_path / "wasm")
    monkeypatch.setattr(type(race), "folder", tmp_path)
    assert find(race) == shipped_module(race) == written
    description = json.loads(written.description.read_text(encoding="utf-8"))
    written.description.write_text(json.dumps({**description, "format": 0}), encoding="utf-8")
    assert shipped_module(race) is None
    written.description.write_text("{", encoding="utf-8")
    assert shipped_module(race) is None
