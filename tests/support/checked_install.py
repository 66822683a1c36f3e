"""``pip install`` as the docs' commands are tested: the package must be this one, with extras that it declares."""

import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement


def main(arguments: list[str]) -> int:
    """Return 0 if ``install REQUIREMENT …`` could install this project."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    command, *rest = arguments
    wanted = [Requirement(each) for each in rest if not each.startswith("-")]
    for each in wanted:
        unknown = each.extras - set(project["optional-dependencies"])
        if each.name != project["name"] or unknown:
            print(f"{each}: not {project['name']}, or no such extra: {sorted(unknown)}", file=sys.stderr)
            return 1
    return 0 if command == "install" and wanted else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
