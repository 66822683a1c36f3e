"""The README's Python runs, and says what it shows."""

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_readme_session():
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 15
    assert result.failed == 0


def test_readme_pictures_and_pages_exist():
    named = re.findall(r"(?:docs/|triskele/)[\w/.]+\.(?:md|png)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(named) > 8
    missing = [path for path in named if not (ROOT / path).is_file()]
    assert not missing
