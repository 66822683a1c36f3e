"""What `docs/architecture.md` says is true: its names exist, and the drawings show the imports as they are."""

import ast
import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGE = DOCS / "architecture.md"
PATH = re.compile(r"`([\w./-]+\.(?:py|js|md|json|svg|css)|(?:[\w-]+/)+)(?::([\w#.]+))?`")
# Named without a folder, because every game has them.
IN_A_GAMES_FOLDER = {"rules.py", "notation.py", "scene.py", "evaluation.py", "sprites.svg", "words/en.json"}


def named() -> list[tuple[str, str]]:
    """The paths on the page, each with the name behind its colon, if it has one."""
    found = set(PATH.findall(PAGE.read_text(encoding="utf-8")))
    return sorted((path, name) for path, name in found if path not in IN_A_GAMES_FOLDER)


def found(path: str) -> Path | None:
    places = (ROOT / "triskele" / path, ROOT / path, DOCS / path)
    return next((place for place in places if place.exists()), None)


def python_names(body: list[ast.stmt], prefix: str = "") -> set[str]:
    names = set()
    for node in body:
        if isinstance(node, ast.ClassDef):
            names |= {prefix + node.name} | python_names(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(prefix + node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {prefix + target.id for target in targets if isinstance(target, ast.Name)}
    return names


def has_name(path: Path, name: str) -> bool:
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return name in python_names(ast.parse(source).body)
    owner, _, member = name.rpartition(".")
    if owner and not re.search(rf"^export class {owner}\b", source, re.MULTILINE):
        return False
    method = rf"^  (?:async |get |static )*{re.escape(member)}\s*[(=]"
    plain = rf"^export (?:async )?(?:function|const|class) {re.escape(member)}\b"
    return re.search(method if owner else plain, source, re.MULTILINE) is not None


def test_there_are_names_to_check():
    assert len(named()) > 20
    assert any(name for _, name in named())


@pytest.mark.parametrize(("path", "name"), named(), ids=":".join)
def test_a_name_on_the_page_exists(path: str, name: str):
    place = found(path)
    assert place is not None, f"{path} does not exist"
    assert not name or has_name(place, name), f"{path} has no {name}"


@pytest.mark.parametrize("wrong", ["core/position.py:Position.jump", "core/nowhere.py:x", "core/game.py:sixth"])
def test_a_wrong_name_would_be_found(wrong: str):
    path, name = wrong.split(":")
    place = found(path)
    assert place is None or not has_name(place, name)


def test_the_glossary_has_each_word_once_and_in_order():
    glossary = PAGE.read_text(encoding="utf-8").split("## Glossary")[1]
    words = re.findall(r"^\| ([a-z ]+) \|", glossary, re.MULTILINE)[1:]
    assert len(words) > 40
    assert words == sorted(set(words))


@pytest.fixture(scope="module")
def draw_imports():
    spec = importlib.util.spec_from_file_location("draw_imports", DOCS / "draw_imports.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_drawings_show_the_imports_as_they_are(draw_imports):
    drawn = draw_imports.drawings()
    hint = "run: python docs/draw_imports.py"
    assert {path.stem for path in draw_imports.PICTURES.glob("*.svg")} == set(drawn), hint
    assert draw_imports.PAGE.read_text(encoding="utf-8") == draw_imports.page(drawn), hint
    for name, fresh in drawn.items():
        published = (draw_imports.PICTURES / f"{name}.svg").read_text(encoding="utf-8")
        assert draw_imports.drawn_imports(published) == draw_imports.drawn_imports(fresh), f"{name}: {hint}"
        assert draw_imports.drawn_imports(fresh), name
