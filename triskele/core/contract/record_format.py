"""The contract for a game's ``formats.py``: record formats of other programs and sites.

``formats.py`` declares ``FORMATS = (RecordFormat(...), ...)``. ``triskele convert`` then reads and writes them beside
Triskele's own JSON records, and ``from triskele.adapters import NAME`` gives the module of the format. A parser of
untrusted SGF that formats can build on is :mod:`triskele.core.sgf`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from triskele.core.errors import RecordError
from triskele.core.game import games
from triskele.core.records import Record


@dataclass(frozen=True)
class RecordFormat:
    """A format for records of one game.

    ``name``       what the format is called, a Python name: ``"boardspace"``
    ``game``       the name of the game
    ``extension``  how its files end, without a dot: ``"sgf"``
    ``loads``      return the records in a file's content, each replayed to its end; takes untrusted bytes and raises
                   ``RecordError`` with the place and the reason
    ``dumps``      return the text of a file with these records; ``RecordError`` says which cannot be written
    """

    name: str
    game: str
    extension: str
    loads: Callable[[bytes], list[Record]]
    dumps: Callable[[Iterable[Record]], str]


def record_formats() -> tuple[RecordFormat, ...]:
    """Return the formats of all games, in the order of the games. Imports every game's ``formats.py``."""
    return tuple(
        declared for game in games() for declared in getattr(game.optional_module("formats"), "FORMATS", ())
    )  # fmt: skip


def read_records(data: bytes, ending: str = "", formats: Sequence[RecordFormat] | None = None) -> list[Record]:
    """Return the games in the content of a file, of ours or of another format, each checked; takes untrusted bytes.

    A record of ours begins with a brace. ``ending`` is that of the file: its formats are tried first. By
    default ``formats`` are those of all games. ``RecordError`` says what is wrong, by the first format tried.
    """
    known_formats = record_formats() if formats is None else formats
    if data.lstrip()[:1] == b"{" or not known_formats:
        record = Record.from_json(data)
        if record.viewer is None:
            record.replay()
        return [record]
    refusal: RecordError | None = None
    for known in sorted(known_formats, key=lambda known: known.extension != ending):
        try:
            return known.loads(data)
        except RecordError as error:
            refusal = refusal or error
    assert refusal is not None  # there is a format at all
    raise refusal
