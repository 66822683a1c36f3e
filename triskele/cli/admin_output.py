"""How ``triskele admin`` shows what a server answers: as a table, or as JSON."""

import argparse
import datetime
import json
from collections.abc import Iterable, Sequence
from typing import Any

from triskele.cli.terminal import Terminal

Json = Any


def time_text(ms: int | None) -> str:
    """Return a time as people read it, in this machine's time zone."""
    return "-" if ms is None else datetime.datetime.fromtimestamp(ms / 1000).strftime("%Y-%m-%d %H:%M")


def printable(written: object) -> str:
    """Return a text without characters that change the terminal: visitors have written some of it."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in str(written))


def rows(terminal: Terminal, heads: Sequence[str], cells: Iterable[Sequence[object]]) -> None:
    """Write a table; ``heads`` are keys of words."""
    lines = [[terminal.words(head) for head in heads]]
    lines += [[printable(cell) for cell in row] for row in cells]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    for line in lines:
        terminal.write("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def shown(chosen: argparse.Namespace, terminal: Terminal, answer: Json) -> bool:
    """Write an answer as JSON if that is asked for, and return whether it was."""
    if chosen.json:
        terminal.write(json.dumps(answer, indent=1, ensure_ascii=True))
    return bool(chosen.json)
