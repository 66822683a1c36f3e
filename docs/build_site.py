"""Builds the site from the docstrings and this folder: `make docs`, or `python docs/build_site.py`.

It needs no network. The pages go to ``build/site/`` and load nothing from another host. It needs Sphinx, Furo and MyST
(``pip install "triskele[docs]"``). Pages of games, modules and reports are made from the code, so there is no list of
them.
"""

import argparse
import ast
import itertools
import json
import pkgutil
import re
import shutil
import sys
import types
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any

import triskele
from triskele.arena.page import NOTHING
from triskele.arena.plots import percent
from triskele.core import game as registry
from triskele.core.game import Game
from triskele.core.pictures import example, help_pictures
from triskele.core.words import Text, say, text

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PACKAGES = {
    "core": "what all games share",
    "engines": "searches that play any game",
    "arena": "many games at once",
    "adapters": "other people's tools and records",
}
"""The packages whose modules are described, and what they are for."""
ALONE = {"testing": "the conformance suite", "server.settings": "what a host can set"}
"""Single modules that are described."""


def contents(pages: Iterable[str], *, hidden: bool = False) -> str:
    """Return a table of contents."""
    return "\n".join(["```{toctree}", ":hidden:" if hidden else ":maxdepth: 1", "", *pages, "```", ""])


# --- games ----------------------------------------------------------------------------------------


def words(game: Game, key: str) -> str:
    """Return words of a game."""
    return say(Text(f"{game.name}.{key}"))


def seats(game: Game) -> str:
    """Return how many seats a game can have."""
    if game.seats:
        return str(game.seats)
    option: Any = game.option("players")
    return ", ".join(map(str, option.only)) if option.only else f"{option.low} to {option.high}"


def table(*rows: str) -> str:
    """Return a table in Markdown; the first row is its head."""
    return "\n".join([rows[0], re.sub(r"[^|]+", "---", rows[0]), *rows[1:]])


def link(address: str, shown: str) -> str:
    """Return a link to a file of the site; in Markdown it would become a download."""
    return f'<a href="{address}">{shown}</a>'


def game_page(game: Game) -> str:
    """Return a game's page: what it is, its options, its picture, and how to play it."""
    kinds = [name for name, there in (("secrets", game.hidden), ("dice", game.chance)) if there]
    parts = [
        f"# {game.title}",
        words(game, "tagline"),
        f"![A position of {game.title}]({game.name}.svg)",
        table(
            "| | |",
            f"| name in code | `{game.name}` |",
            f"| seats | {seats(game)} |",
            f"| minutes | {game.minutes[0]} to {game.minutes[1]} |",
            f"| rulebook | {game.rulebook} |",
            f"| hidden or drawn | {' and '.join(kinds) or 'nothing: all is open'} |",
        ),
    ]
    if game.options:
        rows = [
            f"| `{o.name}` | {words(game, f'option.{o.name}')}{' (a house rule)' * (o.name in game.house_rules)} "
            f"| {say(o.allowed()).removeprefix('it is ')} | `{o.write(o.default)}` |"
            for o in game.options
        ]
        parts += ["## Options", table("| option | what it is | allowed | usually |", *rows)]
    if (DOCS / "reports" / f"{game.name}.html").is_file():
        parts.append(f"How balanced it is when engines play it: {link(f'../reports/{game.name}.html', 'the report')}.")
    help_page = (game.folder / "help" / "en.md").read_text(encoding="utf-8")
    drawn = rf"![\1]({game.name}-\2.svg)\n\n*\1*"
    help_page = re.sub(r"^!\[(.*)\]\(picture:(.+)\)$", drawn, help_page, flags=re.MULTILINE)
    parts.append(with_rulings(re.sub(r"^(#+ )", r"#\1", help_page, flags=re.MULTILINE)))
    return "\n\n".join(parts) + "\n"


def with_rulings(help_page: str) -> str:
    """Return a help page with its footnotes in the line, which mark rulings, as footnotes at its end."""
    usual = say(text("web.ruling-why"))
    reasons = [" ".join(why.split()) or usual for why in re.findall(r"\^\[([^\]]*)\]", help_page)]
    numbers = itertools.count(1)
    page = re.sub(r"\^\[[^\]]*\]", lambda _: f"[^ruling-{next(numbers)}]", help_page)
    notes = [f"[^ruling-{number}]: {say(text('web.ruling'))} {why}" for number, why in enumerate(reasons, 1)]
    return "\n\n".join([page, *notes])


def cards(folder: str, ending: str) -> str:
    """Return all games as cards with a picture; ``folder`` is where their pages are, seen from the page."""
    shown = [
        f'<a href="{folder}{game.name}.html"><img src="{ending.format(folder=folder, name=game.name)}" alt="">'
        f"<strong>{escape(game.title)}</strong><span>{escape(words(game, 'tagline'))}</span></a>"
        for game in registry.games()
    ]
    return '<div class="cards">\n' + "\n".join(shown) + "\n</div>\n"


def write_games(folder: Path) -> None:
    """Write a page and a picture for every game, and the list of them."""
    folder.mkdir()
    for game in registry.games():
        (folder / f"{game.name}.md").write_text(game_page(game), encoding="utf-8")
        (folder / f"{game.name}.svg").write_text(triskele.svg(example(game).scene(0)), encoding="utf-8")
        for name, shown in help_pictures(game).items():
            drawn = triskele.svg(shown.position.scene(shown.seat))
            (folder / f"{game.name}-{name}.svg").write_text(drawn, encoding="utf-8")
    listed = contents((game.name for game in registry.games()), hidden=True)
    page = f"# The games\n\n{cards('', '../_images/{name}.svg')}\n{listed}"
    (folder / "index.md").write_text(page, encoding="utf-8")


# --- modules --------------------------------------------------------------------------------------


def modules(package: str) -> Iterator[tuple[str, str]]:
    """Yield the names of a package's modules, those of its subfolders included, with the first lines about them."""
    folder = ROOT / "triskele" / package
    for found in pkgutil.iter_modules([str(folder)]):
        if found.name.startswith("_"):
            continue
        path = folder / found.name / "__init__.py" if found.ispkg else folder / f"{found.name}.py"
        words = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        yield f"triskele.{package.replace('/', '.')}.{found.name}", words.split("\n")[0]
        if found.ispkg:
            yield from modules(f"{package}/{found.name}")


def described(module: str, *, members: bool = True) -> str:
    """Return the directive that describes a module from its docstrings."""
    option = "" if members else "   :no-members:\n"
    return f"```{{eval-rst}}\n.. automodule:: {module}\n{option}```\n"


def top_page() -> str:
    """Return the page of the names that `import triskele` offers, each with a link to its description."""
    rows = []
    for name in triskele.__all__:
        value = getattr(triskele, name)
        if isinstance(value, types.ModuleType):  # ``triskele.games`` is the folder here, not the function
            value = getattr(registry, name)
        if isinstance(value, int):
            rows.append(f"| `triskele.{name}` | {value}: the seat that rolls dice |")
            continue
        if isinstance(value, str):
            rows.append(f"| `triskele.{name}` | the version of the package |")
            continue
        kind = "class" if isinstance(value, type) else "func"
        first = re.sub(r":\w+:`~?([^`]*)`", r"`\1`", (value.__doc__ or "").strip().split("\n")[0])
        rows.append(f"| {{py:{kind}}}`triskele.{name} <{value.__module__}.{name}>` | {first} |")
    return "# `triskele`: what most need\n\n" + table("| name | what it is |", *rows) + "\n"


def write_modules(folder: Path) -> None:
    """Write a page for every module, and one for every package."""
    folder.mkdir()
    pages = {"triskele": top_page()}
    listed = ["triskele"]
    for package, purpose in PACKAGES.items():
        found = dict(modules(package))
        rows = [f"| [`{name}`]({name}.md) | {re.sub('``', '`', first)} |" for name, first in found.items()]
        head = f"# `triskele.{package}`: {purpose}\n\n{described(f'triskele.{package}', members=False)}\n"
        pages[package] = f"{head}\n{table('| module | what it is |', *rows)}\n\n{contents(found, hidden=True)}"
        pages |= {name: f"# `{name}`\n\n{described(name)}" for name in found}
        listed.append(package)
    for name, purpose in ALONE.items():
        pages[name] = f"# `triskele.{name}`: {purpose}\n\n{described(f'triskele.{name}')}"
        listed.append(name)
    for name, page in pages.items():
        (folder / f"{name}.md").write_text(page, encoding="utf-8")
    indices = "{ref}`All names <genindex>`, {ref}`all modules <modindex>`."
    page = f"# The Python interface\n\n{contents(listed)}\n{indices}\n"
    (folder / "index.md").write_text(page, encoding="utf-8")


# --- reports --------------------------------------------------------------------------------------


LIMITS = ("seconds", "nodes", "level")


def named(options: dict[str, Any]) -> str:
    """Return what a variant of a report is called."""
    return ", ".join(f"`{key}={str(value).lower()}`" for key, value in options.items()) or "as usual"


def share(figure: dict[str, Any] | None) -> str:
    """Return a share with its interval, in hundredths."""
    if figure is None:
        return NOTHING
    return f"{percent(figure['share'])} ({' … '.join(f'{100 * end:.0f}' for end in figure['interval'])})"


def first_seat(variant: dict[str, Any]) -> dict[str, Any] | None:
    """Return how often the first seat wins, ``None`` where it plays alone."""
    return variant["by_seat"][0] if variant["seats"] > 1 else None


def shift(figure: dict[str, Any] | None) -> str:
    """Return how much better the first seat does than in the usual variant, in hundredths and in Elo."""
    if figure is None:
        return NOTHING
    elo = "" if figure["elo"] is None else f", {figure['elo']:+.0f} Elo"
    return f"{100 * figure['difference']:+.1f} ({' … '.join(f'{100 * end:+.0f}' for end in figure['interval'])}){elo}"


def report_part(game: Game, document: dict[str, Any]) -> str:
    """Return what the front page of the reports says about a game."""
    limits = " ".join(f"--{key} {value}" for key, value in document["limits"].items() if key in LIMITS)
    games = max(variant["games"] for variant in document["variants"])
    command = f"python docs/make_reports.py {game.name} --games {games} {limits}"
    rows = [
        f"| {named(variant['options'])} | {variant['games']} | {share(first_seat(variant))} "
        f"| {variant['turns']['mean']:.0f} | {' … '.join(f'{pace:.0f}' for pace in variant['seconds_per_turn'])} "
        f"| {shift(variant['first_seat_shift'])} | {share(variant['richest_loses'])} |"
        for variant in document["variants"]
        if variant["games"]
    ]
    low, high = document["minutes"]
    pace = f"seconds a turn for {low} … {high} minutes"
    head = f"| variant | games | first seat wins, % | turns | {pace} | against the usual | richest lost, % |"
    whole, data = link(f"{game.name}.html", "The whole report"), link(f"{game.name}.json", "as JSON")
    return f"## {game.title}\n\n{whole}, and {data}, made by `{command}`.\n\n{table(head, *rows)}\n"


def write_reports(folder: Path) -> None:
    """Copy the reports, and write a page that sums them up."""
    folder.mkdir()
    parts = [(DOCS / "reports" / "about.md").read_text(encoding="utf-8")]
    for game in registry.games():
        source = DOCS / "reports" / f"{game.name}.json"
        if source.is_file():
            for path in (source, source.with_suffix(".html")):
                shutil.copy(path, folder / path.name)
            parts.append(report_part(game, json.loads(source.read_text(encoding="utf-8"))))
    (folder / "index.md").write_text("\n".join(parts), encoding="utf-8")


# --- everything else ------------------------------------------------------------------------------


def write_interfaces(folder: Path) -> None:
    """Write the list of all pages that neither the front page nor the researchers' page lists."""
    listing = "".join((DOCS / page).read_text(encoding="utf-8") for page in ("index.md", "researchers.md"))
    listed = set(re.findall(r"^[a-z_]+$", listing, flags=re.MULTILINE)) | {"index"}
    others = sorted(page.stem for page in DOCS.glob("*.md") if page.stem not in listed)
    (folder / "interfaces.md").write_text(f"# Interfaces and formats\n\n{contents(others)}", encoding="utf-8")


def stage(folder: Path) -> None:
    """Collect the sources of all pages in one folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    gallery = cards("games/", "_images/{name}.svg")
    for page in DOCS.glob("*.md"):
        staged = page.read_text(encoding="utf-8").replace("](../examples/", "](examples/")
        (folder / page.name).write_text(staged.replace("<!-- games -->", gallery), encoding="utf-8")
    shutil.copytree(DOCS / "pictures" / "imports", folder / "pictures" / "imports")
    left_out = shutil.ignore_patterns("__pycache__", ".*")
    examples = ("examples", "tests/support/race", "tests/support/urn", "tests/outside/chomp")
    for source in (ROOT / path for path in examples):
        shutil.copytree(source, folder / source.name, ignore=left_out)
    # Included in a page, and so not pages themselves.
    for page in [page for name in ("race", "urn", "chomp") for page in (folder / name).rglob("en.md")]:
        page.rename(page.with_suffix(".txt"))
    write_interfaces(folder)
    write_games(folder / "games")
    write_modules(folder / "api")
    write_reports(folder / "reports")


def main(arguments: list[str] | None = None) -> int:
    """Build the site and return Sphinx's exit code; any warning, as of a link that leads nowhere, is an error."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site", help="where the pages go")
    chosen = parser.parse_args(arguments)
    try:
        from sphinx.cmd.build import build_main
    except ModuleNotFoundError:
        print('the site is built with Sphinx: pip install "triskele[docs]"', file=sys.stderr)
        return 1
    staged = chosen.out.parent / f"{chosen.out.name}-source"
    stage(staged)
    shutil.rmtree(chosen.out, ignore_errors=True)
    strict = ["-q", "-W", "--keep-going", "-b", "html", "-c", str(DOCS), str(staged), str(chosen.out)]
    failed = build_main(strict)
    # Copied as they are: Sphinx would give them another address.
    shutil.copytree(
        staged / "reports", chosen.out / "reports", dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.md")
    )
    if not failed:
        print(f"the site begins at {chosen.out / 'index.html'}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
