"""How right the challenges of TRYPTIC's engine are, and how right they have to be to pay.

    python benchmarks/games/tryptic/challenges.py --games 50    some minutes

What is needed is what the engine's own judgement says. Seats go round, and everything follows from the seed.
"""

import argparse
import functools
import sys
from dataclasses import dataclass, field

from triskele.arena.contestants import Contestant
from triskele.arena.referee import Step, Terms, play
from triskele.arena.statistics import wilson
from triskele.core.contract.engine import Limits
from triskele.core.game import game
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.reader import Reader, history_codes
from triskele.games.tryptic.weights import shipped_weights

OURS = "triskele"


@dataclass
class Challenges:
    """What one side's challenges came to, and what they had to come to on average."""

    right: list[bool] = field(default_factory=list)
    believed: list[float] = field(default_factory=list)
    needed: list[float] = field(default_factory=list)

    def watch(self, step: Step, written: str, seated: list[str]) -> None:
        """Look at a move before it is made; count it if it is a challenge of the side ``written``."""
        code = step.move.code
        if not r.CHALLENGE <= code < r.END or seated[step.seat] != written:
            return
        other, guess = divmod(code - r.CHALLENGE, r.PATTERNS)
        known = step.position.seen_by(step.seat).state
        history = history_codes(step.position.moves_seen_by(step.seat))
        challenge = Reader(shipped_weights()).read(known, history, step.seat).challenge
        self.right.append(bool(step.position.state[r.PATTERN + other] == guess + 1))
        self.believed.append(challenge.right)
        self.needed.append(challenge.needed)

    def __str__(self) -> str:
        number = len(self.right)
        if not number:
            return "no challenges"
        low, high = wilson(sum(self.right) / number, number)
        return (
            f"{number} challenges, {sum(self.right) / number:.1%} right ({low:.1%} to {high:.1%}), "
            f"believed {sum(self.believed) / number:.1%}, needed to pay {sum(self.needed) / number:.1%}"
        )


def watched(others: str, players: int, arguments: argparse.Namespace) -> None:
    """Let the engine play others of a kind, and print what its challenges came to."""
    variant = game("tryptic").variant({"players": players})
    terms = Terms(limits=Limits(seconds=arguments.seconds))
    found, won = Challenges(), 0.0
    for number in range(arguments.games):
        seat = number % players
        seated = [others] * players
        seated[seat] = OURS
        watch = functools.partial(found.watch, written=OURS, seated=seated)
        played = play(variant, [Contestant.parse(each) for each in seated], terms, seed=number, watch=watch)
        won += played.shares[seat]
    print(f"{OURS} against {players - 1} {others}: won {won:g} of {arguments.games}; {found}", flush=True)


def main() -> int:
    """Measure against the control, which does not hide, and against its like, which does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50, help="in each of four matches")
    parser.add_argument("--seconds", type=float, default=0.2, help="for a move")
    arguments = parser.parse_args()
    for players in (2, 4):
        for others in ("greedy", "triskele:level=10"):
            watched(others, players, arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
