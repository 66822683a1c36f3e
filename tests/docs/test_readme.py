"""What the README names is there. That its commands and its Python run, ``test_fragments.py`` sees to."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_readme_pictures_and_pages_exist():
    named = re.findall(r"(?:docs/|triskele/)[\w/.]+\.(?:md|png)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(named) > 8
    missing = [path for path in named if not (ROOT / path).is_file()]
    assert not missing
