"""A game is one folder, and nothing else names it: searched for in code, texts and styles, and in lists in tests.

Examples in docstrings and comments may name games, and so may README, docs, examples and the package's description.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

import triskele

ROOT = Path(__file__).parents[1]
OURS = {game.name: game.title for game in triskele.games() if game.package.startswith("triskele.games.")}
NAME = re.compile("|".join(OURS), re.IGNORECASE)
TEXTS = {".py", ".js", ".mjs", ".css", ".html", ".svg", ".json", ".toml", ".ini", ".mako", ".webmanifest", ".txt", ""}
MANY = 3
"""A list with this many games by name is a list of games."""

Found = tuple[int, str]


# --- what is not code -------------------------------------------------------------------------------


def code_of_python(source: str) -> Iterator[Found]:
    """Yield line and text of everything but comments and strings that stand alone, as docstrings do."""
    alone = {
        (node.value.lineno, node.value.col_offset)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT and token.start not in alone:
            yield token.start[0], token.string


STRING = r"""(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)"""
COMMENTS = {
    ".js": re.compile(STRING + r"|//[^\n]*|/\*.*?\*/", re.DOTALL),
    ".mjs": re.compile(STRING + r"|//[^\n]*|/\*.*?\*/", re.DOTALL),
    ".css": re.compile(STRING + r"|/\*.*?\*/", re.DOTALL),
    ".html": re.compile(r"(?P<string>(?!))|<!--.*?-->", re.DOTALL),
    ".svg": re.compile(r"(?P<string>(?!))|<!--.*?-->", re.DOTALL),
    ".toml": re.compile(r"(?P<string>\"[^\"\n]*\")|#[^\n]*"),
    "": re.compile(r"(?P<string>\"[^\"\n]*\")|(?<![\w$])#[^\n]*"),
}


def without_comments(source: str, suffix: str) -> str:
    """Return a text with its comments blank, in as many lines."""
    if suffix not in COMMENTS:
        return source
    return COMMENTS[suffix].sub(lambda found: found["string"] or "\n" * found[0].count("\n"), source)


def code_of(path: Path, source: str) -> Iterator[Found]:
    if path.suffix == ".py":
        yield from code_of_python(source)
    else:
        yield from enumerate(without_comments(source, path.suffix).splitlines(), 1)


@pytest.mark.parametrize(
    ("name", "source", "lines"),
    [
        ("a.py", '"""doc"""\nx = "here"  # here\n\nclass A:\n    """here"""\n    y = 1\n    """here"""\n', [2]),
        ("a.py", 'def f():\n    """here"""\n    return f"{x} here"\n\n\nhere_too = 1\n', [3, 6]),
        ("a.js", '/** here */\nsay("here"); // here\nurl = "http://here";\n`a\nhere`;\n', [2, 3, 5]),
        ("a.css", "/* here\n here */\n.here { color: red }\n", [3]),
        ("a.html", "<!-- here -->\n<p>here</p>\n", [2]),
        ("a.json", '{"a": "here",\n "b": 1}\n', [1]),
        ("a.toml", '# here\na = "here # not a comment"\n', [2]),
    ],
)
def test_examples_in_comments_are_told_from_code(name, source, lines):
    found = code_of(Path(name), source)
    assert sorted({line for line, text in found if "here" in text}) == lines


# --- no name outside ----------------------------------------------------------------------------------


def owner_of(path: Path) -> str:
    """Return the game whose folder a file is in, of the package or of the benchmarks; none for all others."""
    parts = path.relative_to(ROOT).parts
    return parts[2] if len(parts) > 3 and parts[:2] in {("triskele", "games"), ("benchmarks", "games")} else ""


def searched_files() -> list[Path]:
    """Return the files of the package and the benchmarks, and what builds and measures them."""
    folders = [path for name in ("triskele", "benchmarks") for path in sorted((ROOT / name).rglob("*"))]
    files = [path for path in folders if path.is_file() and path.suffix in TEXTS and "__pycache__" not in path.parts]
    return [*files, ROOT / "Makefile", ROOT / ".ci" / "run", ROOT / "pyproject.toml"]


def names_in(path: Path) -> list[str]:
    """Return the places in a file that name a game other than that whose folder it is in."""
    owner = owner_of(path)
    source = path.read_text(encoding="utf-8")
    if path.name == "pyproject.toml":  # what the package is, told to people
        source = re.sub(r"^(description|keywords) = .*", "", source, flags=re.MULTILINE)
    places = []
    for line, text in code_of(path, source):
        own = re.sub(re.escape(OURS[owner]), "", text, flags=re.IGNORECASE) if owner else text
        if any(found.lower() != owner for found in NAME.findall(own)):
            places.append(f"{path.relative_to(ROOT)}:{line}: {text.strip()[:100]}")
    return places


def test_nothing_but_its_folder_names_a_game():
    files = searched_files()
    assert len(files) > 200
    places = [place for path in files for place in names_in(path)]
    assert not places, "\n".join(places)


def test_a_name_would_be_found(tmp_path, monkeypatch):
    name = next(iter(OURS))
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    other, own = tmp_path / "triskele" / "core" / "a.py", tmp_path / "triskele" / "games" / name / "a.py"
    for path in (other, own):
        path.parent.mkdir(parents=True)
        path.write_text(f'"""Like {name}."""\nGAME = "{name}"\nplay_{name.upper()}s = 1\n', encoding="utf-8")
    assert [place.split(":")[1] for place in names_in(other)] == ["2", "3"]
    assert names_in(own) == []


# --- no list of games in tests --------------------------------------------------------------------------


def named(node: ast.AST | None) -> str | None:
    """Return the game that an element of a list is about: its name, or a tuple that begins with it."""
    if isinstance(node, ast.Constant) and node.value in OURS:
        return str(node.value)
    return named(node.elts[0]) if isinstance(node, ast.Tuple) and node.elts else None


def lists_of_games(source: str) -> list[int]:
    """Return the lines of the lists, tuples, sets and dicts that name many games."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        elements: list[ast.AST | None] = []
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            elements = list(node.elts)
        elif isinstance(node, ast.Dict):
            elements = list(node.keys)
        if len({named(element) for element in elements} - {None}) >= MANY:
            lines.append(node.lineno)
    return lines


def test_tests_ask_the_registry_for_the_games():
    one, two, three = list(OURS)[:3]
    found = [[one, two, three], {one: 1, two: 2, three: 3}, [(one, 1), (two, 2), (three, 3)], {one, two, three}]
    allowed = [[one, two], [(1, one), (2, two), (3, three)], [f"{one} {two} {three}"], [[one], [two], [three]]]
    assert [lists_of_games(repr(written)) for written in found] == [[1]] * len(found)
    assert [lists_of_games(repr(written)) for written in allowed] == [[]] * len(allowed)
    places = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for line in lists_of_games(path.read_text(encoding="utf-8"))
    ]
    assert not places, "\n".join(places)
