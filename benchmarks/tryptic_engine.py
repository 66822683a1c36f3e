"""How strong the engine of TRYPTIC is, how right its challenges are, and how far its levels lie apart.

    python benchmarks/tryptic_engine.py                    everything, in a few minutes
    python benchmarks/tryptic_engine.py levels --games 60

Seats go round, everything follows from the seed, and a match ends as soon as its 95 % interval lies to one
side of what is to be reached. Figures, not assertions.
"""

import argparse
import functools
from dataclasses import dataclass, field

from triskele.arena.contestants import Contestant
from triskele.arena.referee import Step, Terms, play
from triskele.arena.statistics import wilson
from triskele.core.game import game
from triskele.engines.engine import Limits
from triskele.engines.levels import TOP
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.belief import Reading
from triskele.games.tryptic.judgement import Judge
from triskele.games.tryptic.learned import shipped

LEAST = 16
"""So many games are played before a match may end."""


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
        reading = Reading(step.position.variant, shipped())
        reading.follow([m for m in step.position.moves_seen_by(step.seat) if not m.startswith("=")], known)
        challenge = Judge(reading, known, step.seat).challenge()
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


def match(
    one: str, others: str, players: int, games: int, goals: tuple[float, ...] = (), seconds: float = 1.0
) -> tuple[float, Challenges]:
    """Play one against others of a kind, print how it went, and return the share won and the one's challenges."""
    variant = game("tryptic").variant({"players": players})
    terms = Terms(limits=Limits(seconds=seconds))
    found, won, late = Challenges(), 0.0, 0
    number = 0
    low, high = 0.0, 1.0
    for number in range(1, games + 1):
        seat = number % players
        seated = [others] * players
        seated[seat] = one
        watch = functools.partial(found.watch, written=one, seated=seated)
        played = play(variant, [Contestant.parse(w) for w in seated], terms, seed=number, watch=watch)
        if played.failure is not None:
            raise RuntimeError(played.failure.why)
        won += played.shares[seat]
        late += sum(played.late)
        low, high = wilson(won / number, number)
        if goals and number >= LEAST and all(low > goal or high < goal for goal in goals):
            break
    wanted = f", wanted {' to '.join(f'{goal:.0%}' for goal in goals)}" if goals else ""
    print(
        f"{one} against {players - 1} {others}: {won:g} of {number} = {won / number:.1%} ({low:.1%} to {high:.1%})",
        end="",
    )
    print(f"{wanted}; {late} late; {found}", flush=True)
    return won / number, found


def control(games: int) -> None:
    """Against the player that never infers."""
    match("triskele", "greedy", 2, games, (0.75,))
    match("triskele", "greedy", 4, games, (0.40,))


def challenges(games: int) -> None:
    """Challenges against its like, which hides, and against the control, which does not."""
    for players in (2, 4):
        match("triskele", "triskele:seconds=1", players, games)
        match("triskele", "greedy", players, games)


def levels(games: int) -> None:
    """Each level against the one below."""
    for level in range(TOP, 1, -1):
        match(f"triskele:level={level}", f"triskele:level={level - 1}", 2, games, (0.60, 0.85))


SECTIONS = {"control": control, "challenges": challenges, "levels": levels}


def main() -> None:
    """Measure what is named, or everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", choices=[[], *SECTIONS], default=[], help="by default all")
    parser.add_argument("--games", type=int, default=100, help="games in a match, at most")
    arguments = parser.parse_args()
    for name in arguments.sections or SECTIONS:
        print(f"# {name}", flush=True)
        SECTIONS[name](arguments.games)


if __name__ == "__main__":
    main()
