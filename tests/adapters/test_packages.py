"""A package that is missing: the first import says what to install."""

import subprocess
import sys

import pytest

BLOCKED = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocker())
from triskele.adapters import {adapter}
"""


@pytest.mark.parametrize(
    ("adapter", "blocked", "said"),
    [
        (
            "openspiel",
            ["pyspiel"],
            "OpenSpiel is needed for this, and pyspiel is not installed. "
            'Install it with: pip install "triskele[openspiel]"',
        ),
        (
            "pettingzoo",
            ["pettingzoo"],
            "PettingZoo is needed for this, and pettingzoo is not installed. "
            'Install it with: pip install "triskele[pettingzoo]"',
        ),
        ("pettingzoo", ["gymnasium"], "and gymnasium is not installed"),
    ],
)
def test_it_says_what_to_install(adapter, blocked, said):
    code = BLOCKED.format(adapter=adapter, blocked=blocked)
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: ")
    assert said in last


def test_boardspace_needs_nothing():
    code = BLOCKED.format(adapter="boardspace", blocked=["pyspiel", "pettingzoo", "gymnasium"])
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
