"""The weights of TRYPTIC's engine, trained by self-play and shipped_weights in ``weights.npz``."""

import functools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float32]

FILE = Path(__file__).with_name("weights.npz")


@dataclass(frozen=True)
class LearnedWeights:
    """Trained weights. Those of placements come twice: for an empty board, and what is added until it is full.

    ``judging`` logistic regression of the chance to win: a row for a seat that acts, and one for a seat that waits
    ``open``    placement logits of a player who does not hide: windows with one, two and three tiles more, and harm
    ``covert``  the same for one who hides, and last the weight of the log posterior of its own pattern
    """

    judging: NDArray[np.float64]
    open: Reals
    covert: Reals

    def save(self, path: Path, about: str) -> None:
        """Write to a file, with a note about where they come from."""
        np.savez_compressed(
            path, judging=self.judging.astype(np.float32), open=self.open, covert=self.covert, about=np.array(about)
        )

    @classmethod
    def load(cls, path: Path) -> "LearnedWeights":
        """Read from a file that :meth:`save` wrote."""
        with np.load(path) as stored:
            return cls(stored["judging"].astype(np.float64), stored["open"], stored["covert"])


@functools.cache
def shipped_weights() -> LearnedWeights:
    """Return the weights that the project ships."""
    return LearnedWeights.load(FILE)
