"""The security table of the accounts' page names tests that there are."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "accounts.md"


def test_every_line_of_the_security_table_names_tests_that_exist():
    page = PAGE.read_text(encoding="utf-8")
    lines = [line for line in page.partition("## Security")[2].splitlines() if line.startswith("| ")][1:]
    assert len(lines) > 20
    for line in lines:
        named = re.findall(r"`([\w/]+\.py)::(test_\w+)`", line)
        assert named, line
        for file, name in named:
            assert f"def {name}(" in (TESTS / file).read_text(encoding="utf-8"), name
