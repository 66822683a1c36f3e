"""The page of settings has every option, limit and variable of the environment, as the code has them."""

import importlib.util
import re
from dataclasses import fields
from pathlib import Path

from triskele.core.record_parts import AGREED, RESIGN, STOPPED, TIME
from triskele.server.settings import Limits

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGE = (DOCS / "settings.md").read_text(encoding="utf-8")


def test_the_tables_are_those_of_the_code():
    spec = importlib.util.spec_from_file_location("settings_tables", DOCS / "settings_tables.py")
    settings_tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(settings_tables)
    assert settings_tables.updated(PAGE) == PAGE, "run python docs/live_tables.py"
    assert all(f"| `{field.name}` |" in PAGE for field in fields(Limits))
    assert "| `--limit NAME=VALUE` |" in PAGE


def test_every_variable_of_the_environment_is_in_the_table_and_no_other():
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "triskele").rglob("*.py")]
    read = set()
    for source in sources:
        read |= set(re.findall(r'environ(?:\.get\(|\.pop\(|\[)"(\w+)"', source))
        read |= set(re.findall(r'"(\w+)" (?:not )?in os\.environ', source))
        read |= set(re.findall(r"\"(TRISKELE_\w+)\"", source))
    described = set(re.findall(r"^\| `([A-Z_]+)` \|", PAGE, re.MULTILINE))
    assert described == read
    elsewhere = "".join(path.read_text(encoding="utf-8") for path in [*DOCS.glob("*.md"), ROOT / "README.md"])
    assert set(re.findall(r"TRISKELE_\w+", elsewhere)) <= described


def test_all_ends_outside_the_rules_are_in_the_interface():
    page = (DOCS / "live.md").read_text(encoding="utf-8")
    listed = re.search(r'\{kind: ((?:"\w+"(?: \| )?)+), seat\}', page)
    assert set(re.findall(r'"(\w+)"', listed[1])) == {RESIGN, AGREED, TIME, STOPPED}
