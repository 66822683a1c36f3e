"""Show a record in a notebook: who played, how it ended, a few positions, and the moves."""

import base64
import math
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from triskele.core.draw import svg
from triskele.core.position import Position
from triskele.core.words import say, text

if TYPE_CHECKING:
    from triskele.core.records import Record

PICTURES = 4
"""How many positions of a game are drawn, at equal distances up to the last."""


def record_html(record: "Record") -> str:
    """Return a record as a self-contained fragment of HTML.

    A record that holds only what a viewer saw cannot be replayed: it has no pictures.
    """
    title = record.variant.game.title
    seats = list(record.seats)
    if record.outcome is not None:
        seats = [f"{name} {score:+g}" for name, score in zip(seats, record.outcome.scores, strict=True)]
    parts = [f"<p><b>{escape(title)}</b>: {escape(' · '.join(seats))}{escape(_end(record))}</p>"]
    if record.viewer is None:
        pictures = "".join(_pictures(record))
        parts.append(f'<div style="display:flex;flex-wrap:wrap;gap:1em">{pictures}</div>')
    moves = escape(" ".join(move.text for move in record.moves))
    parts.append(f"<details><summary>1 … {len(record.moves)}</summary><code>{moves}</code></details>")
    return "\n".join(parts)


def _end(record: "Record") -> str:
    if record.outcome is None:
        return ""
    owner = record.game if record.ended is None else "core"
    return f" ({say(text(f'{owner}.reason.{record.outcome.reason}'))})"


def _pictures(record: "Record") -> Iterator[str]:
    last = len(record.moves)
    shown = {math.ceil(last * part / PICTURES) for part in range(1, PICTURES + 1)}
    for number, position in enumerate(record.positions()):
        if number in shown:
            below = f"{number}. {record.moves[number - 1].text}" if number else ""
            yield f'<figure style="margin:0">{_image(position)}<figcaption>{escape(below)}</figcaption></figure>'


def _image(position: Position) -> str:
    """Return a picture as an ``<img>``: inline, the style sheets of several would apply to each other."""
    data = base64.b64encode(svg(position.scene()).encode()).decode()
    return f'<img width="240" alt="" src="data:image/svg+xml;base64,{data}">'
