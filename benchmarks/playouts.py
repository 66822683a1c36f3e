"""How fast the rules are: random games compiled and through the public API, and how soon a cold start answers.

    make bench
    python benchmarks/playouts.py --games yinsh --seconds 3

Figures, not assertions: they depend on the machine and on what else it does.
"""

import argparse
import os
import pty
import random
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from triskele.cli.bench import measure
from triskele.core.errors import TriskeleError
from triskele.core.game import Game, Variant, game, games
from triskele.core.position import Position

SETS = 4
"""So many of a game's option sets are measured, the usual one first."""
COLD_RUNS = 3
PATIENCE = 20.0
"""Seconds to wait for a process before giving it up."""
FIRST_MOVE = "import triskele; pos = triskele.new({name!r}); pos.push(pos.legal_moves[0])"


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--games", nargs="*", metavar="GAME", help="only these")
    arguments.add_argument("--seconds", type=float, default=1.0, help="for each figure")
    arguments.add_argument("--no-cold", action="store_true", help="leave the cold starts out")
    chosen = arguments.parse_args()
    try:
        found = [game(name) for name in chosen.games] if chosen.games else list(games())
    except TriskeleError as error:
        print(f"playouts: {error}", file=sys.stderr)
        return 1
    try:
        table(("random games, compiled", "games/s", "moves/s", "moves/game"), compiled_rows(found, chosen.seconds))
        table(("through the public API", "games/s", "moves/s", "moves/game"), api_rows(found, chosen.seconds))
        if not chosen.no_cold:
            table((f"cold start, best of {COLD_RUNS}", "first move", "first prompt"), cold_rows(found))
    except KeyboardInterrupt:
        return 130
    return 0


def table(heads: Sequence[str], rows: Iterator[Sequence[str]]) -> None:
    """Print rows as they come, numbers to the right."""
    print(f"{heads[0]:<46}" + "".join(f"{head:>14}" for head in heads[1:]))
    for row in rows:
        print(f"{row[0]:<46}" + "".join(f"{cell:>14}" for cell in row[1:]), flush=True)
    print()


def title(variant: Variant, more: str = "") -> str:
    chosen = " ".join(f"{name}={value}" for name, value in variant.chosen().items())
    return " ".join(filter(None, (variant.game.name, chosen, more)))


def compiled_rows(found: Sequence[Game], seconds: float) -> Iterator[Sequence[str]]:
    """Complete random games on one thread, every legal move equally likely, by the referee's own rules.

    Games that narrow what random play chooses from have a second line for that.
    """
    for declared in found:
        policies = ("uniform", "rollout") if hasattr(declared.rules_module, "rollout_count") else ("uniform",)
        for options in declared.option_sets[:SETS]:
            for policy in policies:
                variant = declared.variant(options)
                speed = measure(variant, seconds, policy)
                yield (
                    title(variant, "(rollout)" if policy == "rollout" else ""),
                    f"{speed.games / speed.seconds:,.0f}",
                    f"{speed.moves / speed.seconds:,.0f}",
                    f"{speed.moves / speed.games:.1f}",
                )


def api_rows(found: Sequence[Game], seconds: float) -> Iterator[Sequence[str]]:
    """Random games the way a script plays them: ``legal_moves``, ``push``, ``outcome``."""
    rng = random.Random(1)
    for declared in found:
        variant = declared.variant()
        declared.linker.compile_rules()
        played = made = 0
        began = time.perf_counter()
        while (taken := time.perf_counter() - began) < seconds or not played:
            position = Position(variant)
            while position.outcome() is None:
                position.push(rng.choice(position.legal_moves))
            played += 1
            made += len(position.moves)
        yield title(variant), f"{played / taken:,.1f}", f"{made / taken:,.0f}", f"{made / played:.1f}"


def cold_rows(found: Sequence[Game]) -> Iterator[Sequence[str]]:
    """Seconds from the start of a fresh process, with nothing compiled, to a move and to the terminal's prompt."""
    for declared in found:
        moves = min(first_move(declared.name) for _ in range(COLD_RUNS))
        prompts = min(first_prompt(declared.name) for _ in range(COLD_RUNS))
        yield declared.name, f"{moves:.2f} s", f"{prompts:.2f} s"


def first_move(name: str) -> float:
    with tempfile.TemporaryDirectory() as empty:
        began = time.perf_counter()
        command = [sys.executable, "-c", FIRST_MOVE.format(name=name)]
        subprocess.run(command, check=True, env={**os.environ, "TRISKELE_CACHE": empty})
        return time.perf_counter() - began


def first_prompt(name: str) -> float:
    """Start the command in a terminal of its own, and wait for the first prompt."""
    with tempfile.TemporaryDirectory() as empty:
        places = {"TRISKELE_CACHE": str(Path(empty, "cache")), "TRISKELE_DATA": empty, "TERM": "xterm"}
        began = time.perf_counter()
        child, screen = pty.fork()
        if child == 0:
            command = [sys.executable, "-m", "triskele", "play", name, "--language", "en"]
            os.execve(sys.executable, command, {**os.environ, **places})
        try:
            # A prompt is the one thing that waits at the end of a line: for a move, a seed, or the next person.
            seen = b""
            while not seen.endswith((b"> ", b": ", b"Enter.")):
                piece = read_within(screen, PATIENCE)
                if not piece:
                    raise TimeoutError(f"no prompt from {name}")
                seen += piece
            return time.perf_counter() - began
        finally:
            os.write(screen, b"\x04")  # Ctrl-D: nobody has moved, so it leaves without a question
            while read_within(screen, PATIENCE):
                pass
            os.kill(child, signal.SIGKILL)  # it is gone by now, unless it hangs
            os.waitpid(child, 0)
            os.close(screen)


def read_within(screen: int, seconds: float) -> bytes:
    """Return what a terminal shows next; nothing when it is closed, or when nothing comes in time."""
    ready, _, _ = select.select([screen], [], [], seconds)
    try:
        return os.read(screen, 65536) if ready else b""
    except OSError:  # Linux's way to say that the other side has closed
        return b""


if __name__ == "__main__":
    sys.exit(main())
