"""Everything in the arena runs plain, and leaves no process behind."""

import pytest


@pytest.fixture(autouse=True)
def _plain_and_tidy(plain: None, no_process_left: None) -> None:
    """Nothing is compiled here, in this process or those it starts, unless a test says so."""
