"""Writes the tables of live messages in ``live.md`` from the types of the protocol, and those of ``settings.md``.

python docs/live_tables.py           # brings the page up to date
python docs/live_tables.py --check   # says whether it is, by its exit code
"""

import inspect
import re
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import Meta, Struct

from triskele.server.live import protocol
from triskele.server.lobby import documents

PAGE = Path(__file__).parent / "live.md"
MARKED = re.compile(r"(<!-- (\w+): made by docs/live_tables\.py -->\n).*?(<!-- end -->)", re.DOTALL)
PARTS: dict[type[Struct], str] = {
    protocol.TableDocument: "`table` message",
    protocol.SeatShown: "one of `seats`",
    protocol.MoveShown: "one of `moves`",
    protocol.OfferShown: "one of `offers`",
    protocol.ChatShown: "one of `chat`",
    protocol.Look: "a look, one of `mine`",
    documents.PersonShown: "one of `people`",
    documents.SeekShown: "one of `seeks`",
    documents.GameShown: "one of `games`",
    documents.PlayerShown: "one of `players`",
}


def description(kind: Any) -> str:
    """Return the description of a field's type, if it has one."""
    found = [meta.description for meta in getattr(kind, "__metadata__", ()) if isinstance(meta, Meta)]
    return next((text for text in reversed(found) if text), "")


def fields(kind: type[Struct], without: tuple[str, ...] = ()) -> str:
    """Return the fields of a message: those that must be there, then those that may be."""
    required, optional = [], []
    for field in msgspec.structs.fields(kind):
        if field.name in without:
            continue
        about = description(field.type)
        (required if field.required else optional).append(f"`{field.name}`" + (f" ({about})" if about else ""))
    parts = [", ".join(required)] if required else []
    return "; ".join([*parts, f"optional: {', '.join(optional)}"] if optional else parts)


def meaning(kind: type[Struct]) -> str:
    """Return the docstring of a message as one line."""
    return " ".join((inspect.getdoc(kind) or "").split()).replace("``", "`")


def table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Return a table in Markdown."""
    lines = [heads, ("---",) * len(heads), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines).replace("| --- ", "|---").replace("--- |", "---|")


def tables() -> dict[str, str]:
    """Return the tables by the names of their places in the page."""
    client = [(f"`{tag(kind)}`", fields(kind, ("id",)), meaning(kind)) for kind in get_args(protocol.ClientMessage)]
    server = [
        (f"`{tag(kind)}`", "see below" if kind is protocol.Table else fields(kind), meaning(kind))
        for kind in get_args(protocol.ServerMessage)
    ]
    parts = [(name, fields(kind), meaning(kind)) for kind, name in PARTS.items()]
    return {
        "client": table(("type", "fields beside `id`", "meaning"), client),
        "server": table(("type", "fields", "meaning"), server),
        "parts": table(("part", "fields", "meaning"), parts),
    }


def tag(kind: type[Struct]) -> str:
    """Return the ``type`` of a message."""
    return str(kind.__struct_config__.tag)


def updated(page: str) -> str:
    """Return the page with its tables as the protocol is now."""
    made = tables()
    return MARKED.sub(lambda found: found[1] + made[found[2]] + found[3], page)


def main(arguments: list[str]) -> int:
    """Bring the page up to date, or check it."""
    page = PAGE.read_text(encoding="utf-8")
    if "--check" in arguments:
        return int(updated(page) != page)
    PAGE.write_text(updated(page), encoding="utf-8")
    from settings_tables import main as write_settings  # beside this file, which is run as a script

    write_settings()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
