"""Format a game's help page, which is Markdown, for a terminal."""

import re
import textwrap

from triskele.cli.terminal import Terminal
from triskele.core.game import Game

_BOLD = re.compile(r"\*\*(.+?)\*\*")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_ITEM = re.compile(r"(\s*)([-*]|\d+\.)\s+")


def help_lines(terminal: Terminal, game: Game) -> list[str]:
    """Return the help page of a game in the reader's language, in English where that is missing."""
    for language in (terminal.language, "en"):
        page = game.folder / "help" / f"{language}.md"
        if page.is_file():
            return _format(terminal, page.read_text(encoding="utf-8"))
    return [game.title]


def _format(terminal: Terminal, markdown: str) -> list[str]:
    """Format the part of Markdown that help pages use: headings, paragraphs, lists, bold, tables, code."""
    lines: list[str] = []
    paragraph: list[str] = []
    fenced = False

    def flush() -> None:
        if paragraph:
            lines.extend(_wrapped(terminal, " ".join(paragraph)))
            paragraph.clear()

    for line in markdown.splitlines():
        if line.startswith("```"):
            flush()
            fenced = not fenced
        elif fenced or line.startswith("|"):
            flush()
            lines.append(_plain(line))
        elif line.startswith("#"):
            flush()
            lines.append(terminal.strong(_plain(line.lstrip("# "))))
        elif not line.strip():
            flush()
            lines.append("")
        else:
            if _ITEM.match(line):
                flush()
            paragraph.append(line.rstrip() if _ITEM.match(line) else line.strip())
    flush()
    return lines


def _wrapped(terminal: Terminal, paragraph: str) -> list[str]:
    item = _ITEM.match(paragraph)
    hanging = " " * len(item[0]) if item else ""
    plain = _plain(paragraph)
    lines = textwrap.wrap(plain, terminal.width, subsequent_indent=hanging, break_long_words=False)
    if not terminal.ink:
        return lines
    # Bold comes after wrapping, so that its codes do not count as width; bold text broken over two lines stays plain.
    for run in _BOLD.findall(paragraph):
        lines = [line.replace(_plain(run), terminal.strong(_plain(run)), 1) for line in lines]
    return lines


def _plain(line: str) -> str:
    return _LINK.sub(r"\1", _BOLD.sub(r"\1", line)).replace("`", "")
