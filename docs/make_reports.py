"""Writes the balance reports into docs/reports: `python docs/make_reports.py` for all games, or with the names of some.

Each is a page that needs nothing else and the same as JSON. What is played is kept in ``build/reports/``, so that a run
that was stopped goes on where it was; there, a larger ``--games`` adds to it.
"""

import argparse
import subprocess
import sys
from pathlib import Path

import triskele
from triskele.core.files import write_atomic

DOCS = Path(__file__).parent
BUILD = DOCS.parent / "build"


def write(name: str, folder: Path, arguments: list[str]) -> None:
    """Play one game and write its report."""
    page = folder / f"{name}.html"
    command = [sys.executable, "-m", "triskele", "report", name, "--json", "--out", str(page), *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    write_atomic(page.with_suffix(".json"), done.stdout)


def main() -> None:
    """Write the reports that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="only these")
    parser.add_argument("--games", dest="number", type=int, default=100, help="games of each variant")
    parser.add_argument("--nodes", type=int, default=500, help="positions an engine looks at for each move")
    parser.add_argument("--level", type=int, help="the level that engines play at, instead of --nodes")
    parser.add_argument("--workers", type=int, help="processes; as many as there are processors")
    parser.add_argument("--out", type=Path, default=DOCS / "reports", help="where the reports go")
    parser.add_argument("--kept", type=Path, default=BUILD / "reports", help="where what is played is kept")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    limit = ["--nodes", str(chosen.nodes)] if chosen.level is None else ["--level", str(chosen.level)]
    arguments = ["--games", str(chosen.number), *limit, "--resume", str(chosen.kept)]
    if chosen.workers is not None:
        arguments += ["--workers", str(chosen.workers)]
    for game in triskele.games():
        if not chosen.games or game.name in chosen.games:
            write(game.name, chosen.out, arguments)


if __name__ == "__main__":
    main()
