"""Builds the site from the docstrings and this folder: `python docs/build_site.py`. Nothing is loaded from anywhere.

The pages stand in ``build/site/`` then. Pages of games and of modules are made from what the registry and the
packages have, so no list of them is kept anywhere.
"""

import argparse
import pkgutil
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from sphinx.cmd.build import build_main

import triskele
from triskele.core.game import Game
from triskele.core.words import Text, say

DOCS = Path(__file__).parent
ROOT = DOCS.parent
ROOMS = {
    "core": "what all games share",
    "engines": "searches that play any game",
    "arena": "many games at once",
    "adapters": "other people's tools and records",
}
"""The rooms of the house whose modules are described, and what they are for."""


def words(game: Game, key: str) -> str:
    """Return words of a game."""
    return say(Text(f"{game.name}.{key}"))


def game_page(game: Game) -> str:
    """Return a game's page: what it is, its options, its picture, and how to play it."""
    seats = str(game.seats) if game.seats else f"{game.option('players').allowed()}"
    lines = [
        f"# {game.title}",
        words(game, "tagline"),
        f"![{game.title}]({game.name}.svg)",
        "## At a glance",
        f"| | |\n|---|---|\n| name in code | `{game.name}` |\n| seats | {seats} |\n"
        f"| minutes | {game.minutes[0]} to {game.minutes[1]} |\n| rulebook | {game.rulebook} |\n"
        f"| secrets | {'yes' if game.hidden else 'no'} |\n| dice | {'yes' if game.chance else 'no'} |",
    ]
    if game.options:
        rows = [
            f"| `{o.name}` | {words(game, f'option.{o.name}')} | {o.allowed()} | `{o.write(o.default)}` |"
            + (" house rule |" if o.name in game.house_rules else " |")
            for o in game.options
        ]
        lines.append("\n".join(["| option | what it is | allowed | usually | |", "|---|---|---|---|---|", *rows]))
    help_page = (game.folder / "help" / "en.md").read_text(encoding="utf-8")
    lines.append(re.sub(r"^(#+ )", r"#\1", help_page, flags=re.MULTILINE))
    return "\n\n".join(lines) + "\n"


def write_games(folder: Path) -> None:
    """Write a page and a picture for every game, and the list of them."""
    folder.mkdir()
    names = []
    for game in triskele.games():
        (folder / f"{game.name}.md").write_text(game_page(game), encoding="utf-8")
        position = triskele.new(game.name, **game.example.options)
        for move in game.example.moves:
            position.push(move)
        (folder / f"{game.name}.svg").write_text(triskele.svg(position.scene(0)), encoding="utf-8")
        names.append(game.name)
    (folder / "index.md").write_text(f"# The games\n\n{contents(names)}", encoding="utf-8")


def modules(room: str) -> Iterator[str]:
    """Yield the names of a room's modules, the room itself first."""
    package = f"triskele.{room}"
    folder = ROOT / "triskele" / room
    if not (folder / "__init__.py").is_file():
        return
    yield package
    for module in pkgutil.iter_modules([str(folder)]):
        if not module.ispkg and not module.name.startswith("_"):
            yield f"{package}.{module.name}"


def write_modules(folder: Path) -> None:
    """Write a page for every room of the house, with all its modules."""
    folder.mkdir()
    pages = {
        "triskele": top_page(),
        "testing": f"# `triskele.testing`: the conformance suite\n\n{described('triskele.testing')}",
    }
    for room, purpose in ROOMS.items():
        parts = [f"## `{name}`\n\n{described(name)}" for name in modules(room)]
        if parts:
            pages[room] = "\n".join([f"# `triskele.{room}`: {purpose}\n", *parts])
    for name, page in pages.items():
        (folder / f"{name}.md").write_text(page, encoding="utf-8")
    (folder / "index.md").write_text(f"# The Python interface\n\n{contents(pages, depth=2)}", encoding="utf-8")


def described(module: str) -> str:
    """Return what makes Sphinx describe a module from its docstrings."""
    return f"```{{eval-rst}}\n.. automodule:: {module}\n```\n"


def contents(pages: Iterable[str], depth: int = 1) -> str:
    """Return a table of contents."""
    listed = "\n".join(pages)
    return f"```{{toctree}}\n:maxdepth: {depth}\n\n{listed}\n```\n"


def top_page() -> str:
    """Return the page of the names that `import triskele` gives, each with a link to where it is described."""
    rows = []
    for name in triskele.__all__:
        value = getattr(triskele, name)
        module = getattr(value, "__module__", None)
        kind = "class" if isinstance(value, type) else "func"
        if module and not isinstance(value, int):
            first = (value.__doc__ or "").strip().split("\n")[0]
            rows.append(f"| {{py:{kind}}}`triskele.{name} <{module}.{name}>` | {first} |")
        else:
            rows.append(f"| `triskele.{name}` | `{value!r}` |")
    return "# `triskele`: what most need\n\n| name | what it is |\n|---|---|\n" + "\n".join(rows) + "\n"


def write_interfaces(folder: Path) -> None:
    """Write the list of all pages that the front page and the researchers' page do not name, and of reports."""
    named = "".join((DOCS / page).read_text(encoding="utf-8") for page in ("index.md", "researchers.md"))
    listed = set(re.findall(r"^[a-z_]+$", named, flags=re.MULTILINE)) | {"index"}
    others = sorted(page.stem for page in DOCS.glob("*.md") if page.stem not in listed)
    page = f"# Interfaces and formats\n\n{contents(others)}"
    reports = sorted((DOCS / "reports").glob("*.html"))
    if reports:
        page += "\n## Reports\n\n" + "".join(f"- [{r.stem}](reports/{r.name})\n" for r in reports)
    (folder / "interfaces.md").write_text(page, encoding="utf-8")


def stage(folder: Path) -> None:
    """Gather everything that becomes a page in one folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for page in DOCS.glob("*.md"):
        shutil.copy(page, folder)
    shutil.copytree(DOCS / "pictures", folder / "pictures")
    if (DOCS / "reports").is_dir():
        shutil.copytree(DOCS / "reports", folder / "reports")
    write_interfaces(folder)
    shutil.copytree(ROOT / "tests" / "support" / "race", folder / "race", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "race" / "help" / "en.md").rename(folder / "race" / "help" / "en.txt")
    write_games(folder / "games")
    write_modules(folder / "api")


def main(arguments: list[str] | None = None) -> int:
    """Build the site and return Sphinx's exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site", help="where the pages go")
    parser.add_argument("--strict", action="store_true", help="fail on any warning")
    chosen = parser.parse_args(arguments)
    staged = chosen.out.parent / f"{chosen.out.name}-source"
    stage(staged)
    strict = ["-W", "--keep-going"] if chosen.strict else []
    return build_main(["-q", "-b", "html", "-c", str(DOCS), *strict, str(staged), str(chosen.out)])


if __name__ == "__main__":
    sys.exit(main())
