"""What the engine has learned about TRYPTIC from games with itself: numbers in a file, dated."""

import functools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float32]

FILE = Path(__file__).with_name("weights.npz")


@dataclass(frozen=True)
class Learned:
    """Weights. Those of placements stand twice: for an empty board, and by how much they grow until it is full.

    ``judging`` how much each fact counts for the chance to win, a row for a seat that acts and one that waits
    ``open``    how a player places who does not hide: windows with one, two and three tiles more, and harm
    ``covert``  the same for one who hides, and last how much he minds what is believed of him
    """

    judging: NDArray[np.float64]
    open: Reals
    covert: Reals

    def save(self, path: Path, about: str) -> None:
        """Write to a file, with a word about where it comes from."""
        np.savez_compressed(
            path, judging=self.judging.astype(np.float32), open=self.open, covert=self.covert, about=np.array(about)
        )

    @classmethod
    def load(cls, path: Path) -> "Learned":
        """Read from a file."""
        with np.load(path) as stored:
            return cls(stored["judging"].astype(np.float64), stored["open"], stored["covert"])


@functools.cache
def shipped() -> Learned:
    """Return what the project ships."""
    return Learned.load(FILE)
