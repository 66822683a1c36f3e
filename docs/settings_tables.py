"""Writes the tables of options and limits in ``settings.md`` from the code; ``live_tables.py`` calls it."""

import argparse
import inspect
import re
from dataclasses import fields
from pathlib import Path

from triskele.server.command import add_arguments
from triskele.server.settings import Limits

PAGE = Path(__file__).parent / "settings.md"
MARKED = re.compile(r"(<!-- (\w+): made by docs/settings_tables\.py -->\n).*?(<!-- end -->)", re.DOTALL)


def options() -> str:
    """Return the rows of all options of ``triskele serve``, in their order."""
    parser = argparse.ArgumentParser(add_help=False)
    add_arguments(parser, "en")
    rows = []
    for action in parser._actions:
        name = " ".join(filter(None, (action.option_strings[0], action.metavar)))
        default = "" if action.default in (None, False, []) else f"`{action.default}`"
        rows.append(f"| `{name}` | {default} | {action.help} |\n")
    return "| option | default | meaning |\n|---|---|---|\n" + "".join(rows)


def limits() -> str:
    """Return the rows of all limits, in their order; ``KeyError`` for one that the docstring does not describe."""
    described = dict(re.findall(r"``(\w+)``\s+(.*(?:\n\s{4,}.*)*)", inspect.getdoc(Limits) or ""))
    rows = []
    for field in fields(Limits):
        meaning = " ".join(described[field.name].split())
        rows.append(f"| `{field.name}` | {_number(field.default)} | {meaning} |\n")
    return "| limit | default | meaning |\n|---|---|---|\n" + "".join(rows)


def _number(value: object) -> str:
    assert isinstance(value, int | float)
    if isinstance(value, int) and value >= 1024 and value % 1024 == 0:
        return f"{value >> 20} MiB" if value % 2**20 == 0 else f"{value >> 10} KiB"
    return f"{value:,g}" if isinstance(value, float) else f"{value:,}"


def updated(page: str) -> str:
    """Return the page with its tables as the code is now."""
    made = {"options": options, "limits": limits}
    return MARKED.sub(lambda found: found[1] + made[found[2]]() + found[3], page)


def main() -> None:
    """Bring the page up to date."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(updated(page), encoding="utf-8")


if __name__ == "__main__":
    main()
