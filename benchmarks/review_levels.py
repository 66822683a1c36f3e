"""How accurately each level decides: a higher level should have a higher mean accuracy.

    python benchmarks/review_levels.py                                every game
    python benchmarks/review_levels.py yinsh --games 40               one of them, with positions of more games
    python benchmarks/review_levels.py tryad --whole-games 100        by reviews of whole games instead

All levels decide in the same positions, so that they are compared pair by pair: a few positions of each of some games
between engines of middle levels. Every move that a level chooses is judged once, as a review judges it: what the
reviewer chooses has no loss. In games with exact values, dice or secrets that is the review's own appraisal. In open
games the reviewer chooses with twice the nodes of level 10, so that nobody is perfect by definition; its choice and all
other moves are then valued by equal searches of the positions after them, with the nodes of a review. What a level
draws at random it draws several times, and a level whose attention lapses in some decisions is asked with a lapse and
without: each answer counts by how often it happens. Nodes limit everything, never the clock, so a busy machine measures
the same as an idle one. The accuracy of a level is what a review says of a player who has made all these decisions.

Results are kept in a journal a game (``--journals FOLDER``): stopped with Ctrl-C, the same command goes on, and
``--games`` can be raised. They hold the engine's scores, so a new curve of winning chances needs no new measurement.
Intervals are 95 %, by bootstrap over games.
"""

import argparse
import math
import random
import statistics
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from settings import settings

import triskele
from triskele.arena.contestants import Contestant, seed_of
from triskele.arena.journal import Journal
from triskele.arena.openings import opening, usual_plies
from triskele.arena.progress import ProgressBar
from triskele.arena.referee import Step, Terms, play
from triskele.core.contract.engine import Engine, Limits, Task, last_info
from triskele.core.contract.levels import TOP, Level
from triskele.core.contract.review import Curve, calibration_of, even_logit
from triskele.core.game import Variant
from triskele.core.game import game as game_by_name
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.engines.registry import BEST, engine
from triskele.reviewing.calibration import LEVELS
from triskele.reviewing.formulas import decision_accuracy, decision_weight
from triskele.reviewing.review import review
from triskele.reviewing.valuation import SearchValuer, valuer_of

SAMPLED = 8
"""Positions of each game in which the levels decide."""
DRAWS = 6
"""How often a level that errs at random is asked in each position."""
STRONGER = 2
"""How many times the nodes of level 10 the reviewer of an open game has for its own choice."""
PATIENCE = 60.0
"""Seconds for an answer of a level that no nodes limit: such engines are done long before."""
SCREENED = 8
"""In open games each move is first judged with this part of the nodes."""
HOPELESS = 0.3
"""What loses so much of the chance then is not judged again: its accuracy is below a third whatever comes of it."""
RESAMPLED = 4000
"""How often the bootstrap draws as many games as there are."""

Reals = NDArray[np.float64]


def effort(variant: Variant) -> dict[str, int | None]:
    """Return the nodes of level 10 (``top``), as the game's settings say, and of the judge: those of a review."""
    return {"top": None, **settings(variant.game.name, "review_levels", {}), "judge": nodes_of_review(variant)}


def nodes_of_review(variant: Variant) -> int:
    """Return the nodes that a review searches for each position."""
    return calibration_of(variant.game).nodes


# --- decisions ------------------------------------------------------------------------------------


def sampled_positions(variant: Variant, seed: int, number: int) -> list[Position]:
    """Play game ``number`` between engines of one middle level; return some of the positions with a choice."""
    rng = random.Random(f"{seed} review levels {number}")
    contestant = Contestant.parse(f"triskele:level={rng.choice(LEVELS)}")
    seen: list[Position] = []

    def watch(step: Step) -> None:
        if not step.drawn and step.position.turn == step.seat and len(step.position.legal_moves) > 1:
            seen.append(step.position.copy())

    plies = usual_plies(variant)
    moves = opening(variant, plies, seed, number) if plies else ()
    dice = random.Random(f"{seed} review levels dice {number}")
    seated = [contestant] * variant.seats
    play(variant, seated, Terms(), opening=moves, dice=dice, seed=f"{seed} {number}", watch=watch)
    return rng.sample(seen, min(SAMPLED, len(seen)))


def moods(level: Level, top: int | None) -> list[tuple[float, Level]]:
    """Return a level with a lapse and without, each with its share, limited by nodes alone."""
    calm = replace(level, seconds=None, nodes=top if level.number == TOP else level.nodes)
    lapses = calm.lapses / 1000
    if lapses in (0.0, 1.0) or calm.attentive == calm:
        return [(1.0, calm)]
    return [(1 - lapses, calm.attentive), (lapses, replace(calm, lapses=1000))]


def draws(level: Level) -> int:
    """Return how often to ask a level: one that errs at random several times."""
    return DRAWS if level.noise or level.oversight else 1


def choose(player: Engine, position: Position, level: Level, seed: int) -> Move:
    """Return the move that an engine makes at a level."""
    seat, hidden = position.turn, player.game.hidden
    assert seat is not None
    player.forget()
    task = Task(
        position=position.seen_by(seat) if hidden else position,
        seat=seat,
        limits=Limits(seconds=PATIENCE, seed=seed),
        level=level,
        moves=position.moves_seen_by(seat) if hidden else [],
        stop=threading.Event(),
    )
    info = last_info(player.think(task))
    assert info is not None
    return position.find(info.move)


class Judge:
    """Judges moves as reviews do, but returns chances by a curve that shows the engine's scores as they are."""

    def __init__(self, variant: Variant, nodes: int, choice: int | None) -> None:
        """Search ``nodes`` for each position or move, and ``choice`` for the reviewer's own move in an open game."""
        self._choice = Limits(nodes=choice)
        self._reviewer = engine(BEST, variant.game)
        self.curve = calibration_of(variant.game).curve(variant.seats)
        self.plain = Curve(1.0, even_logit(variant.seats), 1.0)
        self._full, self._quick = (valuer_of(variant, Limits(nodes=max(1, nodes // part))) for part in (1, SCREENED))
        self._full.curve = self._quick.curve = self.plain
        self._full.get_ready()

    def judge(self, position: Position, moves: Sequence[Move]) -> dict[str, tuple[float, float]]:
        """Return the seat's chance with the best move, and after each of some moves, by their texts."""
        if isinstance(self._full, SearchValuer):
            return self._by_search(position, moves)
        seat = position.turn
        assert seat is not None
        found = {}
        for move in moves:
            value = self._full.value(position, move)
            assert value is not None
            assert value.played is not None
            found[move.text] = (value.chances[seat], value.played[seat])
        return found

    def _by_search(self, position: Position, moves: Sequence[Move]) -> dict[str, tuple[float, float]]:
        """Compare the moves with the reviewer's own, each by a search of the position after it."""
        self._reviewer.forget()
        own = self._reviewer.choose(position, self._choice)
        candidates = {move.text: move for move in (own, *moves)}
        quick = {text: self._after(self._quick, position, move) for text, move in candidates.items()}
        hope = self._chance(quick[own.text]) - HOPELESS
        hopeless = {text for text, chance in quick.items() if text != own.text and self._chance(chance) < hope}
        after = {
            text: quick[text] if text in hopeless else self._after(self._full, position, move)
            for text, move in candidates.items()
        }
        best = after[own.text]
        return {move.text: (best, min(best, after[move.text])) for move in moves}

    def _chance(self, plain: float) -> float:
        return curved(plain, self.curve)

    @staticmethod
    def _after(valuer: Any, position: Position, move: Move) -> float:
        after = position.copy()
        after.push(move)
        return float(valuer.value(after, None).chances[position.turn])


def curved(plain: float, curve: Curve) -> float:
    """Return the chance by the game's curve from one that shows the engine's score as it is."""
    if not 0.0 < plain < 1.0:
        return plain
    return curve.chance(math.log(plain / (1 - plain)) - curve.bias)


def decide_all(variant: Variant, seed: int, number: int) -> dict[str, Any]:
    """Let every level decide in some positions of a game; return what each chose and what that was worth."""
    limits = effort(variant)
    top = limits["top"]
    judge = Judge(variant, limits["judge"] or 1, None if top is None else STRONGER * top)
    player = engine(BEST, variant.game)
    player.get_ready()
    decisions = []
    for position in sampled_positions(variant, seed, number):
        # Equal seeds, so that levels err alike where they can.
        seeds = [seed_of(seed, number, len(position.moves), draw) for draw in range(DRAWS)]
        chosen = [
            [
                (share / draws(mood), choose(player, position, mood, drawn))
                for share, mood in moods(level, top)
                for drawn in seeds[: draws(mood)]
            ]
            for level in variant.game.evaluation.levels
        ]
        moves = {move.text: move for answers in chosen for _, move in answers}
        worth = judge.judge(position, list(moves.values()))
        decisions.append(
            {
                "levels": [[[share, move.text] for share, move in answers] for answers in chosen],
                "worth": {text: [round(part, 6) for part in pair] for text, pair in worth.items()},
            }
        )
    player.close()
    return {"decisions": decisions}


# --- accuracy -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """What was found for a level: a mean and half its interval, and the same for the lead over the level below."""

    level: int
    mean: float
    half: float
    lead: float
    lead_half: float
    decisions: int


def sums_of(decisions: Iterable[dict[str, Any]], curve: Curve) -> Reals:
    """Return for each level the sum of weighted accuracies and of weights over the decisions of one game."""
    sums = np.zeros((TOP, 2))
    for decision in decisions:
        for level, answers in enumerate(decision["levels"]):
            for share, text in answers:
                before, after = (curved(chance, curve) for chance in decision["worth"][text])
                weight = share * decision_weight(before, after)
                sums[level] += weight * decision_accuracy(before - after), weight
    return sums


def accuracies(results: Sequence[dict[str, Any]], curve: Curve, seed: int) -> Iterator[Measured]:
    """Yield what the results of games say about each level."""
    games = np.array([sums_of(result["decisions"], curve) for result in results])
    rng = np.random.default_rng(seed)
    drawn = games[rng.integers(len(games), size=(RESAMPLED, len(games)))].sum(axis=1)
    total = games.sum(axis=0)
    means, means_drawn = (100 * sums[..., 0] / sums[..., 1] for sums in (total, drawn))
    leads, leads_drawn = (np.diff(each, axis=-1, prepend=each[..., :1]) for each in (means, means_drawn))
    halves, lead_halves = (1.96 * each.std(axis=0) for each in (means_drawn, leads_drawn))
    number = sum(len(result["decisions"]) for result in results)
    for at in range(TOP):
        found = (float(each[at]) for each in (means, halves, leads, lead_halves))
        yield Measured(at + 1, *found, number)


def table(found: Iterable[Measured]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield "| level | accuracy | 95 % | above the level below | 95 % |"
    yield "|---|---|---|---|---|"
    for each in found:
        lead = f"{each.lead:+.1f} | ±{each.lead_half:.1f}" if each.level > 1 else " |"
        yield f"| {each.level} | {each.mean:.1f} % | ±{each.half:.1f} | {lead} |"


def header(variant: Variant, seed: int) -> dict[str, Any]:
    """Return the header of a game's journal."""
    levels = variant.game.evaluation.levels
    return {
        "format": "triskele-review-levels-journal",
        "game": variant.game.name,
        "options": dict(variant.options),
        "seed": seed,
        "sampled": SAMPLED,
        "draws": DRAWS,
        "stronger": STRONGER,
        "levels": [[each.nodes, each.depth, each.noise, each.oversight, each.lapses] for each in levels],
        **effort(variant),
    }


def combined_table(found: dict[str, list[Measured]]) -> Iterator[str]:
    """Yield the lines of one table for several games: accuracy, and in brackets the lead over the level below."""
    yield "| level | " + " | ".join(found) + " |"
    yield "|---" * (1 + len(found)) + "|"
    for at in range(TOP):
        cells = [
            f"{each.mean:.1f} %" + (f" ({each.lead:+.1f} ±{each.lead_half:.1f})" if at else "")
            for each in (levels[at] for levels in found.values())
        ]
        yield f"| {at + 1} | " + " | ".join(cells) + " |"


def measure(variant: Variant, arguments: argparse.Namespace) -> list[Measured]:
    """Measure a game as far as its journal does not have it yet, print its table and return what it says."""
    found: list[Measured] = []
    arguments.journals.mkdir(parents=True, exist_ok=True)
    path = arguments.journals / f"{variant.game.name}.jsonl"
    wanted = range(arguments.games)
    with Journal(path, header(variant, arguments.seed)) as journal:
        try:
            with ProgressBar(len(wanted), sum(number in journal.results for number in wanted)) as bar:
                for number in wanted:
                    if number not in journal.results:
                        journal.add(number, decide_all(variant, arguments.seed, number))
                        bar.advance()
        finally:
            results = [journal.results[number] for number in wanted if number in journal.results]
            if results:
                decisions = sum(len(result["decisions"]) for result in results)
                print(f"\n{variant.game.title}: {decisions} positions of {len(results)} games\n")
                curve = calibration_of(variant.game).curve(variant.seats)
                found = list(accuracies(results, curve, arguments.seed))
                print("\n".join(table(found)), flush=True)
    return found


# --- whole games ----------------------------------------------------------------------------------


def played_accuracies(variant: Variant, level: int, number: int, arguments: argparse.Namespace) -> list[float]:
    """Play a game of a level with itself and review it; return the accuracy of each player."""
    ceiling = f",seconds={arguments.seconds:g}" if level == TOP else ""
    contestant = Contestant.parse(f"triskele:level={level}{ceiling}")
    plies = usual_plies(variant)
    moves = opening(variant, plies, arguments.seed, number) if plies else ()
    dice = random.Random(f"{arguments.seed} {number}")
    played = play(
        variant, [contestant] * variant.seats, Terms(), opening=moves, dice=dice, seed=f"{arguments.seed} {number}"
    )  # fmt: skip
    position = Position(variant)
    for move in played.moves:
        position.push(move)
    found = review(triskele.Record.of(position))
    return [player.accuracy for player in found.players if player.accuracy is not None]


def measure_whole_games(variant: Variant, arguments: argparse.Namespace) -> None:
    """Print the accuracy of each level in games with itself: from the same openings, or with the same dice."""
    print(f"\n{variant.game.title}\n\n| level | accuracy | 95 % | players |\n|---|---|---|---|")
    for level in range(1, TOP + 1):
        numbers = range(arguments.whole_games)
        values = [one for number in numbers for one in played_accuracies(variant, level, number, arguments)]
        spread = statistics.stdev(values) if len(values) > 1 else 0.0
        half = 1.96 * spread / math.sqrt(len(values))
        print(f"| {level} | {statistics.mean(values):.1f} % | ±{half:.1f} | {len(values)} |", flush=True)


def main() -> int:
    """Measure and print a table for each game."""
    names = [game.name for game in triskele.games()]
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games_named", nargs="*", metavar="GAME", help=", ".join(names))
    parser.add_argument("--games", type=int, default=40, help=f"that give {SAMPLED} positions each")
    parser.add_argument("--journals", type=Path, default=Path("build/review_levels"), metavar="FOLDER")
    parser.add_argument("--whole-games", type=int, metavar="N", help="review N games of each level with itself instead")
    parser.add_argument("--seconds", type=float, default=0.5, help="for a move of level 10 in whole games")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    found = {}
    try:
        for name in arguments.games_named or names:
            variant = game_by_name(name).variant(settings(name, "levels", {}))
            if arguments.whole_games:
                measure_whole_games(variant, arguments)
            else:
                found[variant.game.title] = measure(variant, arguments)
    except KeyboardInterrupt:
        print("stopped; the same command goes on", file=sys.stderr)
        return 130
    if len(found) > 1:
        print("\n" + "\n".join(combined_table(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
