"""What ratings are worth: a simulated club of known strengths, two to six seats.

    python benchmarks/ratings.py                  ten thousand players, a hundred games each
    python benchmarks/ratings.py --players 1000   a smaller club

For each number of games it prints the rank correlation of strengths and ratings, the share of the players whose
strength is within the 95 % interval (and within one deviation, where 68 % should be), the deviation that the ratings
claim and the error that they have.
"""

import argparse
import time

from triskele.rating.simulation import simulate

CLUBS = {"two seats (Glicko-2)": (2,), "three to six seats (openskill)": (3, 4, 5, 6)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--players", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, nargs="+", default=[10, 30, 100])
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print("| | games each | rank correlation | in the 95 % interval | within one deviation | deviation | error |")
    print("|---|---|---|---|---|---|---|")
    began = time.perf_counter()
    for name, seats in CLUBS.items():
        for rounds in arguments.rounds:
            club = simulate(arguments.players, rounds, seats, arguments.seed)
            print(
                f"| {name} | {rounds} | {club.correlation:.4f} | {club.held():.1%} | {club.held(1):.1%} "
                f"| {club.deviation:.0f} | {club.error:.0f} |",
                flush=True,
            )
    print(f"\n{arguments.players:,} players, seed {arguments.seed}, {time.perf_counter() - began:.0f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
