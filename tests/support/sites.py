"""Folders that a process finds as if what is in them were installed: packages with games and their entry points."""

import os
from collections.abc import Mapping
from pathlib import Path


def write_distribution(site: Path, name: str, points: Mapping[str, str]) -> None:
    """Make a folder of importable packages look like an installed distribution with entry points for games."""
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"{game} = {package}\n" for game, package in points.items()]
    (info / "entry_points.txt").write_text("".join(["[triskele.games]\n", *lines]))


def with_site(site: Path) -> dict[str, str]:
    """Return the environment of a process that finds what is in a folder, as if it were installed."""
    path = [str(site), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
