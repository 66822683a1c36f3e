"""``triskele review``: what each decision of a game was worth."""

import argparse
import json
from pathlib import Path

from triskele.arena.progress import ProgressBar
from triskele.cli import save_files
from triskele.cli.terminal import Terminal
from triskele.core.arguments import help_text
from triskele.core.contract.record_format import read_records
from triskele.core.errors import OptionError, RecordError
from triskele.core.files import read_limited, write_atomic
from triskele.core.records import BYTES_LIMIT, Record
from triskele.core.words import text


def add_arguments(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the arguments, with help in a language."""

    def words(key: str) -> str:
        return help_text(f"cli.help.{key}", language)

    parser.add_argument("record", metavar="RECORD", help=words("review-record"))
    parser.add_argument("--game", metavar="N", type=int, help=words("review-game"))
    parser.add_argument("--json", action="store_true", help=words("json"))
    parser.add_argument("--html", metavar="FILE", help=words("review-html"))
    parser.add_argument("--nodes", metavar="N", type=int, help=words("review-nodes"))
    parser.add_argument("--seconds", metavar="S", type=float, help=words("review-seconds"))


def run(chosen: argparse.Namespace) -> int:
    """Review a game and write the review. Files are written at the end and whole, or not at all."""
    from triskele.reviewing.report import ReviewWriter
    from triskele.reviewing.review import Reviewer, limits_of

    limits = limits_of(chosen.nodes, chosen.seconds)
    record = _read(chosen.record, chosen.game)
    terminal = Terminal(chosen.language)
    reviewer = Reviewer(record, limits, check=False)
    with ProgressBar(reviewer.positions) as bar:
        values = reviewer.values(progress=lambda done, _: bar.advance(done - bar.done))
    review = reviewer.review(values)
    writer = ReviewWriter(review, terminal.language)
    if chosen.html is not None:
        write_atomic(chosen.html, writer.html())
        terminal.note(writer.words("written", path=chosen.html))
    if chosen.json:
        terminal.write(json.dumps(review.document(), ensure_ascii=False))
    elif chosen.html is None:
        for line in writer.lines():
            terminal.write_wrapped(line)
    return 0


def _read(path: str, number: int | None) -> Record:
    """Return the record in a file of any format, or the game with a number in a file of several."""
    data = read_limited(path, BYTES_LIMIT)
    if data.lstrip()[:1] == b"{":
        records = [save_files.read(path)[0]]
    else:
        try:
            records = read_records(data, Path(path).suffix.lower().removeprefix("."))
        except RecordError as error:
            raise RecordError(text("cli.in-file", path=path, why=error.text)) from None
    if number is None and len(records) > 1:
        raise OptionError(text("reviewing.several-games", n=len(records)))
    if not 1 <= (number or 1) <= len(records):
        raise OptionError(text("reviewing.no-game", n=len(records)))
    return records[(number or 1) - 1]
