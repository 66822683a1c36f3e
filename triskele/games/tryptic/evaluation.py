"""What engines are told of TRYPTIC beyond its rules: the levels, and explanations for hints.

How a position is evaluated is in :mod:`triskele.games.tryptic.seat_evaluation`.
"""

from collections.abc import Sequence

from triskele.core.contract import State
from triskele.core.contract.evaluation import Evaluation
from triskele.core.contract.levels import level_table
from triskele.core.game import Options
from triskele.core.words import Text, text
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.texts import PATTERNS
from triskele.games.tryptic.windows import change_of, gain_of, unpacked_one, unpacked_three, unpacked_two

LEVELS = level_table(
    # seconds, nodes, turns looked ahead, noise, oversight
    (0.2, None, 1, 4000, 950),
    (0.2, None, 1, 1900, 893),
    (0.3, None, 1, 1290, 857),
    (0.4, None, 1, 930, 823),
    (0.5, None, 2, 645, 745),
    (0.6, None, 2, 408, 555),
    (0.7, None, 2, 302, 362),
    (0.8, None, 2, 256, 178),
    (0.9, None, 3, 300, 98),
    (None, None, None, 0, 0),
)
"""Up to level 8 the engine places by gain, so that its pattern can be inferred, and overlooks less and less: the
placements of others, and that it has the points or could make them.

From level 9 on it searches, and hides. What each level scores against the one below is in ``docs/levels.md``.
"""


def explain(options: Options, state: State, codes: Sequence[int], seat: int) -> Text | None:
    """Return why a move is good: which points it makes or prepares, which guess it tests; or ``None``."""
    code = codes[0]
    if code < r.PLACE:
        return text("tryptic.hint-choose")
    if code == r.END:
        return text("tryptic.hint-end")
    if code >= r.ANNOUNCE:
        return None
    if code >= r.CHALLENGE:
        other, guess = divmod(code - r.CHALLENGE, r.PATTERNS)
        return text("tryptic.hint-challenge", seat=other + 1, pattern=PATTERNS[guess])
    pattern = int(state[r.PATTERN + seat]) - 1
    if pattern < 0:
        return None
    colour, target = divmod(code - r.PLACE, r.HEXES)
    change = change_of(state, colour, target, pattern)
    started, ready, points = unpacked_one(change), unpacked_two(change), unpacked_three(change)
    if points > 0:
        return text("tryptic.hint-points", n=points)
    if ready > 0:
        return text("tryptic.hint-ready", n=ready)
    return text("tryptic.hint-helps" if gain_of(started, ready, points) > 0 else "tryptic.hint-misleads")


EVALUATION = Evaluation(levels=LEVELS, explain=explain)
