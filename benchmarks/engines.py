"""How quick, punctual, frugal and careful the engines are. How strong they are is in strength.py and levels.py.

    python benchmarks/engines.py                            everything, in a quarter of an hour
    python benchmarks/engines.py tactics --positions 200    some of it

Figures, not assertions: they depend on what else the machine does.
"""

import argparse
import itertools
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from settings import settings

from triskele.arena.journal import Journal
from triskele.arena.match import Match, Plan
from triskele.arena.worker_pool import WorkerPool
from triskele.core.compile import Program
from triskele.core.contract import CHANCE, OVER, SIZE, Moves, State, actor, apply, legal, winners
from triskele.core.game import Game, game, games
from triskele.core.position import Position
from triskele.engines import Limits, engine

Options = Mapping[str, object]


def opening(declared: Game, options: Options, number: int, moves: int) -> Position:
    """Return a position after some random moves, the same for the same number, with a choice to make."""
    rng = random.Random(f"{declared.name} {number}")
    position = Position(declared.variant(options))
    while len(position.moves) < moves and position.turn is not None:
        position.push(rng.choice(position.legal_moves))
    while position.turn in (None, CHANCE) or len(position.legal_moves) < 2:
        position.pop()
    return position


def open_duels() -> list[Game]:
    """Return the games of two seats without secrets and chance."""
    return [declared for declared in games() if declared.seats == 2 and not declared.hidden and not declared.chance]


# --- what is measured -----------------------------------------------------------------------------------


def speed(arguments: argparse.Namespace) -> None:
    """Nodes and iterations a second."""
    for declared in open_duels():
        name = declared.name
        for what in ("triskele", "uct", "mcts"):
            player = engine(what, declared)
            player.get_ready()
            for moves in (0, 30):
                position = opening(declared, {}, 1, moves)
                info = list(player.analyse(position, Limits(seconds=1.0)))[-1]
                rate = info.nodes / info.seconds
                print(f"{name} after {moves} moves, {what}: {rate:,.0f} a second, depth {info.depth}", flush=True)


def balance(arguments: argparse.Namespace) -> None:
    """What seat 0 scores when an engine plays itself."""
    player = f"triskele:nodes={arguments.nodes}"
    for declared in games():
        plan = settings(declared.name, "balance", None)
        if plan is None:
            continue
        match = Match(Plan(declared.name, {}, (player, player), **plan), arguments.games)
        with WorkerPool(arguments.workers) as pool, Journal(None, match.header()) as journal:
            result = match.play(journal, pool).document()
        first, second = result["score_by_seat"]
        print(f"{declared.name} self-play: seat 0 scores {(first + 1 - second) / 2:.1%} of {result['games']} games")


def punctuality(arguments: argparse.Namespace) -> None:
    """How late an answer is at most."""
    for declared in games():
        player = engine("triskele", declared)
        player.get_ready()
        for seconds in (0.05, 0.2, 1.0):
            late = []
            for number in range(int(min(40, 8 / seconds))):
                position = opening(declared, {}, number, 12)
                began = time.perf_counter()
                player.choose(position, Limits(level=10, seconds=seconds))
                late.append((time.perf_counter() - began) / seconds - 1)
            found = f"at most {max(late):+.1%}, usually {np.median(late):+.1%}"
            print(f"{declared.name} {seconds:g} s: {found}", flush=True)


def memory(arguments: argparse.Namespace) -> None:
    """How much a long search takes on top of a short one."""
    code = (
        "import resource, triskele\n"
        "from triskele.engines import Limits, engine\n"
        "player = engine({name!r}, {game!r}); player.get_ready(); position = triskele.position({text!r})\n"
        "player.choose(position, Limits(nodes=10)); player.forget()\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "player.choose(position, Limits(seconds={seconds}, memory_mb={megabytes}))\n"
        "print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)\n"
    )
    first = open_duels()[0].name
    players = [(first, "uct"), (first, "mcts"), *((declared.name, "triskele") for declared in games())]
    for (declared, name), megabytes in itertools.product(players, (32, 256)):
        text = str(opening(game(declared), {}, 1, 8))
        script = code.format(name=name, game=declared, text=text, seconds=20, megabytes=megabytes)
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        print(f"{declared} {name}: {done.stdout.strip()} MB used, {megabytes} MB allowed", flush=True)


def start(arguments: argparse.Namespace) -> None:
    """How soon the first move of level 3 is there, from the start of the process."""
    code = (
        "import triskele\n"
        "position = triskele.new({game!r})\n"
        "while position.turn == triskele.CHANCE:\n"
        "    position.push(position.legal_moves[len(position.moves) % 4])\n"
        "triskele.best_move(position, level=3)\n"
    )
    for declared in games():
        name = declared.name
        engine("triskele", name).get_ready()
        declared.linker.compile_rules()
        for label in ("nothing compiled", "from the cache"):
            taken = []
            for _ in range(3):
                with tempfile.TemporaryDirectory() as empty:
                    cache = {"TRISKELE_CACHE": empty} if label == "nothing compiled" else {}
                    began = time.perf_counter()
                    command = [sys.executable, "-c", code.format(game=name)]
                    subprocess.run(command, check=True, env={**os.environ, **cache})
                    taken.append(time.perf_counter() - began)
            print(f"{name}, {label}: {', '.join(f'{seconds:.2f}' for seconds in taken)} s", flush=True)


# --- tactics: nothing missed ------------------------------------------------------------------------------


def next_turn(state: State, undo: Moves, moves: Moves, cursor: Moves, seat: int, level: int) -> int:
    """Go on to the position after the seat's next whole turn; return the level of its last move, -1 if there is none.

    At each level ``cursor`` has which move comes next and how many there are; ``undo`` has the position before it.
    """
    while level >= 0:
        if cursor[2 * level] == cursor[2 * level + 1]:
            level -= 1
            if level >= 0:
                take_back(state, undo, level)
            continue
        for i in range(SIZE):
            undo[level, i] = state[i]
        move = moves[level, cursor[2 * level]]
        cursor[2 * level] += 1
        apply(state, move)
        if actor(state) != seat:
            return level
        level += 1
        begin(state, moves, cursor, level)
    return -1


def take_back(state: State, undo: Moves, level: int) -> None:
    """Return to the position before the last move of a level."""
    for i in range(SIZE):
        state[i] = undo[level, i]


def begin(state: State, moves: Moves, cursor: Moves, level: int) -> None:
    """List the moves of a level."""
    cursor[2 * level] = 0
    cursor[2 * level + 1] = legal(state, moves[level])


def wins_in_turn(state: State, undo: Moves, moves: Moves, cursor: Moves) -> int:
    """Return whether the one to act can win within his turn, by trying out every turn."""
    seat = actor(state)
    begin(state, moves, cursor, 0)
    level = next_turn(state, undo, moves, cursor, seat, 0)
    while level >= 0:
        won = actor(state) == OVER and winners(state) == 1 << seat
        take_back(state, undo, level)
        if won:
            take_back(state, undo, 0)
            return 1
        level = next_turn(state, undo, moves, cursor, seat, level)
    return 0


def safe_turns(state: State, undo: Moves, moves: Moves, cursor: Moves) -> int:
    """Return whether the one to act has a turn that neither loses nor lets the other win in his next turn."""
    seat = actor(state)
    begin(state, moves, cursor, 0)
    level = next_turn(state, undo, moves, cursor, seat, 0)
    while level >= 0:
        if actor(state) == OVER:
            safe = winners(state) != 1 << (1 - seat)
        else:
            safe = wins_in_turn(state, undo[5:], moves[5:], cursor[10:]) == 0
        take_back(state, undo, level)
        if safe:
            return 1
        level = next_turn(state, undo, moves, cursor, seat, level)
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


def games_positions(declared: Game, options: Options, number: int, seed: int) -> Iterator[Position]:
    """Yield positions at the beginning of turns, from games of the engine with some random turns in them."""
    player = engine("triskele", declared)
    found = 0
    while found < number:
        rng = random.Random(f"tactics {seed}")
        position = opening(declared, options, seed, 2)
        seed += 1
        while position.turn is not None and found < number:
            if len(position.moves) > 6:  # at the beginning of a turn, as always after the first one here
                found += 1
                yield position.copy()
            turn = position.turn
            wild = rng.random() < 0.5
            while position.turn == turn:
                wanted = rng.choice(position.legal_moves) if wild else player.choose(position, Limits(nodes=300))
                position.push(wanted)


def what_is_missed(name: str, options: Options, number: int, seed: int, seconds: float) -> Counter[str]:
    """Let the engine make its turn in some positions; return how often it had a win or a loss to see, and did not."""
    declared = game(name)
    referee = Referee(declared)
    player = engine("triskele", declared)
    player.get_ready()
    found: Counter[str] = Counter()
    for position in games_positions(declared, options, number, seed):
        can_win = referee.can_win(position)
        after = position.copy()
        while after.turn == position.turn:
            after.push(player.choose(after, Limits(seconds=seconds)))
        outcome = after.outcome()
        won = outcome is not None and position.turn in outcome.winners
        loses = (outcome is None and referee.can_win(after)) or (
            outcome is not None and 1 - position.turn in outcome.winners
        )
        found["positions"] += 1
        found["wins in the turn"] += can_win
        found["of them missed"] += can_win and not won
        found["losses in the next turn"] += loses
        found["of them avoidable"] += loses and referee.can_be_safe(position)
    return found


def tactics(arguments: argparse.Namespace) -> None:
    """No win in the turn is missed, and no loss in the next turn is allowed that could be avoided."""
    variants = [(declared.name, options) for declared in games() for options in settings(declared.name, "tactics", [])]
    share = -(-arguments.positions // (len(variants) * arguments.workers))
    with ProcessPoolExecutor(arguments.workers, multiprocessing.get_context("spawn")) as pool:
        for name, options in variants:
            seeds = [1000 * number for number in range(arguments.workers)]
            jobs = [pool.submit(what_is_missed, name, options, share, seed, arguments.seconds) for seed in seeds]
            found = sum((job.result() for job in jobs), Counter[str]())
            names = ("positions", "wins in the turn", "of them missed", "losses in the next turn", "of them avoidable")
            told = ", ".join(f"{found[counted]} {counted}" for counted in names)
            print(f"{name} {options} at {arguments.seconds:g} s: {told}", flush=True)


MEASURES = (speed, tactics, balance, punctuality, memory, start)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", nargs="*", choices=[*(measure.__name__ for measure in MEASURES), []])
    parser.add_argument("--positions", type=int, default=1000, help="for tactics")
    parser.add_argument("--seconds", type=float, default=0.5, help="for a decision in tactics")
    parser.add_argument("--games", type=int, default=200, help="of self-play")
    parser.add_argument("--nodes", type=int, default=2000, help="for a decision in self-play")
    parser.add_argument("--workers", type=int, default=2, help="processes for self-play and tactics")
    arguments = parser.parse_args()
    for measure in MEASURES:
        if not arguments.what or measure.__name__ in arguments.what:
            measure(arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
