"""``triskele convert``: records from one format to another."""

import argparse
import itertools
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from triskele.arena.journal_records import journal_records
from triskele.core.arguments import help_text
from triskele.core.contract.record_format import read_records, record_formats
from triskele.core.errors import TriskeleError
from triskele.core.files import FileError, read_limited, write_atomic
from triskele.core.records import Record, save
from triskele.core.sgf import BYTES_LIMIT
from triskele.core.words import reader_language, say, text

JSON = "json"
"""The ending of Triskele's own records."""


def add_arguments(parser: argparse.ArgumentParser, language: str | None = None) -> None:
    """Add what ``triskele convert`` understands to a parser, with help in a language."""

    def words(key: str) -> str:
        return help_text(f"adapters.help.{key}", language or reader_language())

    parser.add_argument("sources", metavar="IN", nargs="+", help=words("convert-in"))
    parser.add_argument("target", metavar="OUT", help=words("convert-out"))
    parser.add_argument("--to", choices=_endings(), help=words("convert-to"))


def run(arguments: argparse.Namespace) -> int:
    """Convert, and say what was written. ``TriskeleError`` says why not; then nothing was written."""
    sources = [(Path(source).stem, _read(source)) for source in arguments.sources]
    records = [record for _, found in sources for record in found]
    target = Path(arguments.target)
    folder = target.is_dir() or arguments.target.endswith(("/", os.sep))
    kind = arguments.to or _format_of(target, folder)
    if folder:
        _write_each(_named(sources), target, kind)
    elif kind != JSON:
        write_atomic(target, _formatter(kind, records)(records))
    elif len(records) == 1:
        save(records[0], target)
    else:
        raise TriskeleError(text("adapters.convert-many", n=len(records), path=str(target)))
    language = getattr(arguments, "language", None) or reader_language()
    print(say(text("adapters.convert-done", n=len(records), path=str(target)), language))
    return 0


def _endings() -> tuple[str, ...]:
    """Return the endings of all formats there are, our own first, each once."""
    return tuple(dict.fromkeys((JSON, *(known.extension for known in record_formats()))))


def _format_of(target: Path, folder: bool) -> str:
    if folder:
        raise TriskeleError(text("adapters.convert-folder", path=str(target)))
    ending = target.suffix.lower().removeprefix(".")
    if ending not in _endings():
        *others, last = (f".{known}" for known in _endings())
        endings = text("adapters.convert-endings", others=", ".join(others), last=last) if others else last
        raise TriskeleError(text("adapters.convert-format", path=str(target), endings=endings))
    return ending


def _read(source: str) -> list[Record]:
    """Return the games in a file of any format: a record of ours begins with a brace, a journal with its header."""
    try:
        if (games := journal_records(source)) is not None:
            return games
        ending = Path(source).suffix.lower().removeprefix(".")
        return read_records(read_limited(source, BYTES_LIMIT), ending, record_formats())
    except FileError:
        raise
    except TriskeleError as error:
        raise TriskeleError(text("adapters.convert-refused", path=source, why=error.text)) from None


def _formatter(ending: str, records: Sequence[Record]) -> Callable[[Iterable[Record]], str]:
    """Return the function that writes records with an ending: that of their game, or else one that says why not."""
    known = [known for known in record_formats() if known.extension == ending]
    own = [found for found in known if records and found.game == records[0].game]
    return (own or known)[0].dumps


def _named(sources: Sequence[tuple[str, Sequence[Record]]]) -> dict[str, Record]:
    """Return the games by the names of their files: that of the source, with a number where it has several."""
    named: dict[str, Record] = {}
    for stem, found in sources:
        width = len(str(len(found)))
        for number, record in enumerate(found, 1):
            name = stem if len(found) == 1 else f"{stem}-{number:0{width}}"
            again = (f"{name}-{more}" for more in itertools.count(2))
            while name in named:  # files of equal names in several folders
                name = next(again)
            named[name] = record
    return named


def _write_each(records: Mapping[str, Record], folder: Path, kind: str) -> None:
    """Write each game into a file of its own."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(text("core.file-unwritable", path=str(folder), why=error.strerror or str(error))) from None
    written = {
        name: record.to_json() if kind == JSON else _formatter(kind, [record])([record])
        for name, record in records.items()
    }
    for name, content in written.items():
        write_atomic(folder / f"{name}.{kind}", content)
