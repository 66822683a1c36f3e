"""How strong, quick and punctual the engines of the open games are, against the plain UCT control.

    python benchmarks/engines.py                        everything, in about an hour on two idle cores
    python benchmarks/engines.py yinsh --scale 0.2      the same ratios of time at a fifth of the time
    python benchmarks/engines.py tactics --positions 200

Matches are played in pairs, one opening with sides swapped, and end as soon as the 95 % interval lies
to one side of what is to be reached. Figures, not assertions: they depend on what else the machine does.
"""

import argparse
import math
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from triskele.core.compile import Program
from triskele.core.contract import OVER, SIZE, Moves, State, actor, apply, legal, winners
from triskele.core.game import Game, game
from triskele.core.position import Position
from triskele.engines import Engine, Limits, engine

Options = Mapping[str, object]


# --- matches --------------------------------------------------------------------------------------------


@dataclass
class Side:
    """An engine and what it may use for a move."""

    name: str
    limits: Limits
    used: float = 0.0
    moves: int = 0


@dataclass
class Score:
    """Points of the first side in pairs of games."""

    pairs: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        return sum(self.pairs) / len(self.pairs) if self.pairs else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean (Wilson's, on games; pairs are less spread than that)."""
        n, p, z = 2 * len(self.pairs), self.mean, 1.96
        centre = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return centre - half, centre + half

    def __str__(self) -> str:
        low, high = self.interval
        points = 2 * sum(self.pairs)
        return f"{points:g} of {2 * len(self.pairs)} = {self.mean:.1%} ({low:.1%} to {high:.1%})"


def opening(declared: Game, options: Options, number: int, moves: int) -> Position:
    """Return the position after some random moves, the same for the same number."""
    rng = random.Random(f"{declared.name} {number}")
    position = Position(declared.variant(options))
    for _ in range(moves):
        position.push(rng.choice(position.legal_moves))
    return position


def play(position: Position, seats: Mapping[int, tuple[Engine, Side]], limit: int = 600) -> tuple[float, ...]:
    """Play a game out and return its scores; one that is too long is a draw."""
    while position.turn is not None and len(position.moves) < limit:
        player, side = seats[position.turn]
        began = time.perf_counter()
        move = player.choose(position, side.limits)
        side.used += time.perf_counter() - began
        side.moves += 1
        position.push(move)
    outcome = position.outcome()
    return (0.0,) * len(seats) if outcome is None else outcome.scores


def match(
    label: str,
    declared: Game,
    options: Options,
    sides: tuple[Side, Side],
    *,
    pairs: int,
    goal: float | None = None,
    opened: int = 2,
    least: int = 6,
) -> Score:
    """Play a match and print how it went."""
    players = [engine(side.name, declared) for side in sides]
    for player in players:
        player.get_ready()
    score = Score()
    for number in range(pairs):
        points = 0.0
        for first in (0, 1):
            for player in players:
                player.forget()
            seats = {first: (players[0], sides[0]), 1 - first: (players[1], sides[1])}
            points += (play(opening(declared, options, number, opened), seats)[first] + 1) / 4
        score.pairs.append(points)
        low, high = score.interval
        if goal is not None and len(score.pairs) >= least and (low > goal or high < goal):
            break
    times = ", ".join(f"{side.name} {1000 * side.used / max(1, side.moves):.1f} ms a move" for side in sides)
    wanted = "" if goal is None else f", wanted {goal:.0%}"
    print(f"{label}: {score}{wanted}; {times}", flush=True)
    return score


def timed(name: str, seconds: float) -> Side:
    return Side(name, Limits(seconds=seconds))


# --- what is measured -----------------------------------------------------------------------------------


def speed(arguments: argparse.Namespace) -> None:
    """Nodes and iterations a second."""
    for name in ("yinsh", "trypsylon"):
        declared = game(name)
        for what in ("triskele", "uct", "mcts"):
            player = engine(what, declared)
            player.get_ready()
            for moves in (0, 30):
                position = opening(declared, {}, 1, moves)
                while position.turn is None:
                    position.pop()
                info = list(player.analyse(position, Limits(seconds=1.0)))[-1]
                rate = info.nodes / info.seconds
                print(f"{name} after {moves} moves, {what}: {rate:,.0f} a second, depth {info.depth}", flush=True)


def yinsh(arguments: argparse.Namespace) -> None:
    """YINSH against the control at the same time, a tenth and a hundredth of it."""
    declared = game("yinsh")
    full = arguments.scale
    for part, goal in ((1.0, 0.97), (0.1, 0.95), (0.01, 0.80)):
        label = f"yinsh {part * full:g} s against {full:g} s"
        match(
            label, declared, {}, (timed("triskele", part * full), timed("uct", full)), pairs=arguments.pairs, goal=goal
        )


def trypsylon(arguments: argparse.Namespace) -> None:
    """TRYPSYLON against the control at the same time and at a tenth of it."""
    declared = game("trypsylon")
    full = 0.3 * arguments.scale
    large = {"columns": 6, "rows": 6}
    for name, options in (
        ("5x5", {}),
        ("6x6", large),
        ("expert", {"expert": True}),
        ("6x6 expert", {**large, "expert": True}),
    ):
        for part, goal in ((1.0, 0.9), (0.1, 0.7)):
            label = f"trypsylon {name} {part * full:g} s against {full:g} s"
            sides = (timed("triskele", part * full), timed("uct", full))
            match(label, declared, options, sides, pairs=arguments.pairs, goal=goal, opened=4)


def balance(arguments: argparse.Namespace) -> None:
    """What seat 0 scores when TRYPSYLON's engine plays itself."""
    declared = game("trypsylon")
    sides = (Side("triskele", Limits(nodes=arguments.nodes)), Side("triskele", Limits(nodes=arguments.nodes)))
    players = (engine("triskele", declared), engine("triskele", declared))
    total = 0.0
    for number in range(arguments.games):
        position = opening(declared, {}, number, 2)
        total += (play(position, {0: (players[0], sides[0]), 1: (players[1], sides[1])})[0] + 1) / 2
    print(f"trypsylon 5x5 self-play: seat 0 scores {total:g} of {arguments.games} = {total / arguments.games:.1%}")


def levels(arguments: argparse.Namespace) -> None:
    """Each level against the one below."""
    for name in ("yinsh", "trypsylon"):
        for number in range(2, 11):
            above = Limits(level=number) if number < 10 else Limits(level=10, seconds=1.0 * arguments.scale)
            sides = (Side("triskele", above), Side("triskele", Limits(level=number - 1)))
            match(f"{name} level {number} against {number - 1}", game(name), {}, sides, pairs=arguments.pairs, opened=4)


def punctuality(arguments: argparse.Namespace) -> None:
    """How late an answer is at most."""
    for name in ("yinsh", "trypsylon"):
        declared = game(name)
        player = engine("triskele", declared)
        player.get_ready()
        for seconds in (0.05, 0.2, 1.0):
            late = []
            for number in range(int(min(40, 8 / seconds))):
                position = opening(declared, {}, number, 12)
                while len(position.legal_moves) < 2:
                    position.pop()
                began = time.perf_counter()
                player.choose(position, Limits(level=10, seconds=seconds))
                late.append((time.perf_counter() - began) / seconds - 1)
            print(f"{name} {seconds:g} s: at most {max(late):+.1%}, usually {np.median(late):+.1%}", flush=True)


def memory(arguments: argparse.Namespace) -> None:
    """How much a long search takes on top of a short one."""
    code = (
        "import resource, triskele\n"
        "from triskele.engines import Limits, engine\n"
        "player = engine({name!r}, {game!r}); player.get_ready(); position = triskele.new({game!r})\n"
        "player.choose(position, Limits(nodes=10)); player.forget()\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "player.choose(position, Limits(seconds={seconds}, memory_mb={megabytes}))\n"
        "print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)\n"
    )
    for name in ("triskele", "uct", "mcts"):
        for megabytes in (32, 256):
            script = code.format(name=name, game="yinsh", seconds=20 * arguments.scale, megabytes=megabytes)
            done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
            print(f"yinsh {name}: {done.stdout.strip()} MB used, {megabytes} MB allowed", flush=True)


def start(arguments: argparse.Namespace) -> None:
    """How soon the first move of level 3 is there, from the start of the process."""
    code = "import triskele; from triskele.engines import best_move; best_move(triskele.new({game!r}), level=3)"
    for name in ("yinsh", "trypsylon"):
        engine("triskele", name).get_ready()
        game(name).linker.compile_rules()
        for label, cache in (("nothing compiled", tempfile.mkdtemp()), ("from the cache", "")):
            taken = []
            for _ in range(3):
                environment = {**__import__("os").environ, **({"TRISKELE_CACHE": cache} if cache else {})}
                began = time.perf_counter()
                subprocess.run([sys.executable, "-c", code.format(game=name)], check=True, env=environment)
                taken.append(time.perf_counter() - began)
            print(f"{name}, {label}: {min(taken):.2f} s (of {', '.join(f'{t:.2f}' for t in taken)})", flush=True)


# --- TRYPSYLON: nothing missed ----------------------------------------------------------------------------


def wins_in_turn(state: State, undo: Moves, moves: Moves, cursor: Moves) -> int:
    """Return whether the one to act can win within his turn, by trying out every turn."""
    seat = actor(state)
    level = 0
    cursor[0] = 0
    cursor[1] = legal(state, moves[0])
    while level >= 0:
        if cursor[2 * level] == cursor[2 * level + 1]:
            level -= 1
            if level >= 0:
                for i in range(SIZE):
                    state[i] = undo[level, i]
            continue
        for i in range(SIZE):
            undo[level, i] = state[i]
        move = moves[level, cursor[2 * level]]
        cursor[2 * level] += 1
        apply(state, move)
        if actor(state) == seat:
            level += 1
            cursor[2 * level] = 0
            cursor[2 * level + 1] = legal(state, moves[level])
            continue
        won = actor(state) == OVER and winners(state) == 1 << seat
        for i in range(SIZE):
            state[i] = undo[level, i]
        if won:
            for i in range(SIZE):
                state[i] = undo[0, i]
            return 1
    return 0


def safe_turns(state: State, undo: Moves, moves: Moves, cursor: Moves) -> int:
    """Return whether the one to act has a turn that neither loses nor lets the other win in his next turn."""
    seat = actor(state)
    level = 0
    cursor[0] = 0
    cursor[1] = legal(state, moves[0])
    while level >= 0:
        if cursor[2 * level] == cursor[2 * level + 1]:
            level -= 1
            if level >= 0:
                for i in range(SIZE):
                    state[i] = undo[level, i]
            continue
        for i in range(SIZE):
            undo[level, i] = state[i]
        move = moves[level, cursor[2 * level]]
        cursor[2 * level] += 1
        apply(state, move)
        if actor(state) == seat:
            level += 1
            cursor[2 * level] = 0
            cursor[2 * level + 1] = legal(state, moves[level])
            continue
        if actor(state) == OVER:
            safe = winners(state) != 1 << (1 - seat)
        else:
            safe = wins_in_turn(state, undo[5:], moves[5:], cursor[10:]) == 0
        for i in range(SIZE):
            state[i] = undo[level, i]
        if safe:
            return 1
    return 0


WINS_IN_TURN = Program(wins_in_turn, "int64(int64[::1], int64[:,::1], int64[:,::1], int64[::1])")
SAFE_TURNS = Program(safe_turns, "int64(int64[::1], int64[:,::1], int64[:,::1], int64[::1])")


class Referee:
    """Tries out everything, with the rules alone."""

    def __init__(self, declared: Game) -> None:
        rules = declared.rules_module
        self.log = rules.LOG
        self.buffers = (
            np.zeros((12, rules.SIZE), dtype=np.int64),
            np.zeros((12, rules.MOVES), dtype=np.int64),
            np.zeros(24, dtype=np.int64),
        )
        self.wins_in_turn = declared.linker.program(WINS_IN_TURN)
        self.safe_turns = declared.linker.program(SAFE_TURNS)

    def _asked(self, function: Callable[..., int], position: Position) -> bool:
        state = np.concatenate([position.state, np.zeros(12 * self.log, dtype=np.int64)])
        return bool(function(state, *self.buffers))

    def can_win(self, position: Position) -> bool:
        return self._asked(self.wins_in_turn, position)

    def can_be_safe(self, position: Position) -> bool:
        return self._asked(self.safe_turns, position)


def games_positions(declared: Game, options: Options, number: int, seconds: float) -> Iterator[Position]:
    """Yield positions at the beginning of turns, from games of the engine with some random turns in them."""
    player = engine("triskele", declared)
    found = 0
    seed = 0
    while found < number:
        seed += 1
        rng = random.Random(f"tactics {seed}")
        position = opening(declared, options, seed, 2)
        while position.turn is not None and found < number:
            if position.legal_moves[0].code < 36 and position.state[7] == 0 and len(position.moves) > 6:
                found += 1
                yield position.copy()
            turn = position.turn
            wild = rng.random() < 0.5
            while position.turn == turn:
                wanted = rng.choice(position.legal_moves) if wild else player.choose(position, Limits(nodes=300))
                position.push(wanted)


def tactics(arguments: argparse.Namespace) -> None:
    """No win in the turn is missed, and no loss in the next turn is allowed that could be avoided."""
    declared = game("trypsylon")
    referee = Referee(declared)
    player = engine("triskele", declared)
    player.get_ready()
    variants: tuple[Options, ...] = ({}, {"columns": 6, "rows": 6}, {"expert": True})
    for options in variants:
        wins = missed = threatened = careless = lost = 0
        for position in games_positions(declared, options, arguments.positions // len(variants), arguments.seconds):
            can_win = referee.can_win(position)
            after = position.copy()
            while after.turn == position.turn:
                after.push(player.choose(after, Limits(seconds=arguments.seconds)))
            outcome = after.outcome()
            won = outcome is not None and position.turn in outcome.winners
            wins += can_win
            missed += can_win and not won
            if not won and (outcome is None or outcome.winners) and (outcome is not None or referee.can_win(after)):
                lost += 1
                careless += referee.can_be_safe(position)
            threatened += not won
        print(
            f"trypsylon {dict(options)} at {arguments.seconds:g} s: {wins} wins in the turn, "
            f"{missed} missed; {threatened} other"
            f" positions, {lost} with a loss in the next turn, {careless} of them avoidable",
            flush=True,
        )


MEASURES = (speed, yinsh, trypsylon, tactics, balance, levels, punctuality, memory, start)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", nargs="*", choices=[*(measure.__name__ for measure in MEASURES), []])
    parser.add_argument("--scale", type=float, default=1.0, help="shorter times for both sides, at the same ratio")
    parser.add_argument("--pairs", type=int, default=100, help="of games in a match, at most")
    parser.add_argument("--positions", type=int, default=1000, help="for tactics")
    parser.add_argument("--seconds", type=float, default=0.5, help="for a decision in tactics")
    parser.add_argument("--games", type=int, default=200, help="of self-play")
    parser.add_argument("--nodes", type=int, default=2000, help="for a decision in self-play")
    arguments = parser.parse_args()
    for measure in MEASURES:
        if not arguments.what or measure.__name__ in arguments.what:
            measure(arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
