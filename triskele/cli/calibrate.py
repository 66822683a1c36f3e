"""``triskele calibrate``: measure how often a score wins, and write the curve that reviews use."""

import argparse
import contextlib
import json
from pathlib import Path

from triskele.arena.progress import ProgressBar
from triskele.cli.terminal import Terminal
from triskele.core.arguments import help_text
from triskele.core.contract.review import CURVE_FILE, calibration_of
from triskele.core.errors import OptionError
from triskele.core.files import write_atomic
from triskele.core.game import game
from triskele.core.words import say, text

GAMES_LIMIT = 1_000_000


def add_arguments(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the arguments, with help in a language."""

    def words(key: str) -> str:
        return help_text(f"cli.help.{key}", language)

    parser.add_argument("game", metavar="GAME", help=words("game"))
    parser.add_argument("--option", metavar="K=V", action="append", default=[], help=words("option"))
    parser.add_argument("--games", metavar="N", type=int, default=200, help=words("calibrate-games"))
    parser.add_argument("--nodes", metavar="N", type=int, help=words("review-nodes"))
    parser.add_argument("--seed", metavar="N", type=int, default=1, help=words("seed"))
    parser.add_argument("--out", metavar="FILE", help=words("calibrate-out"))


def run(chosen: argparse.Namespace) -> int:
    """Play the games, write the curve for the number of seats that the options say, and show how reliable it is.

    When stopped, the journal beside the file stays, and the same command goes on from there.
    """
    from triskele.arena.journal import Journal
    from triskele.reviewing.calibration import (
        curve_document,
        fit,
        interval,
        journal_header,
        measure,
        reliability,
        write_document,
    )
    from triskele.reviewing.review import limits_of

    if not 1 <= chosen.games <= GAMES_LIMIT:
        raise OptionError(text("reviewing.bad-games", limit=GAMES_LIMIT))
    limits_of(chosen.nodes, None)
    declared = game(chosen.game)
    variant = declared.variant(declared.parse_options(chosen.option))
    if variant.seats < 2:
        raise OptionError(text("reviewing.alone"))
    nodes = chosen.nodes or calibration_of(declared).nodes
    terminal = Terminal(chosen.language)
    path = chosen.out or str(declared.folder / CURVE_FILE)
    kept = Path(path + ".journal")
    try:
        with Journal(kept, journal_header(variant, nodes, chosen.seed)) as journal, ProgressBar(chosen.games) as bar:
            samples = measure(
                variant, chosen.games, nodes, chosen.seed, lambda done, _: bar.advance(done - bar.done), journal
            )
    except KeyboardInterrupt:
        terminal.note(say(text("reviewing.stopped", path=str(kept)), terminal.language))
        raise
    curve = fit(samples, variant.seats)
    document = curve_document(nodes, chosen.games, chosen.seed, {variant.seats: (curve, samples)})
    _keep_others(path, document)
    write_atomic(path, write_document(document))
    with contextlib.suppress(OSError):
        kept.unlink()
    for each in reliability(samples, curve):
        terminal.write(f"| {each.predicted:.0%} | {each.won:.0%} | ±{interval(each):.0%} | {each.number} |")
    return 0


def _keep_others(path: str, document: dict[str, "object"]) -> None:
    """Take over the curves for other numbers of seats from the file that is replaced."""
    curves = document["curves"]
    assert isinstance(curves, dict)
    if Path(path).is_file():
        before = json.loads(Path(path).read_text(encoding="utf-8"))["curves"]
        document["curves"] = {**before, **curves}
