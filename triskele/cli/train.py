"""``triskele train``: train a game's weights by self-play."""

import argparse
import concurrent.futures
import contextlib
import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from triskele.arena.executors import open_backend
from triskele.arena.progress import ProgressLine
from triskele.cli.terminal import Terminal
from triskele.core.arguments import help_text
from triskele.core.errors import TriskeleError
from triskele.core.game import game
from triskele.core.words import text
from triskele.engines.training import train, training_of


def add_arguments(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the arguments of the command, with their help in one language."""

    def add(name: str, key: str, **more: Any) -> None:
        parser.add_argument(name, help=help_text(f"cli.help.{key}", language), **more)

    add("game", "game", metavar="GAME")
    add("--option", "option", metavar="K=V", action="append", default=[])
    add("--out", "train-out", metavar="FOLDER", type=Path, required=True)
    add("--rounds", "train-rounds", metavar="N", type=int)
    add("--games", "train-games", metavar="N", type=int)
    add("--nodes", "train-nodes", metavar="N", type=int)
    add("--seed", "seed", metavar="N", type=int)
    add("--workers", "train-workers", metavar="N", type=int, default=1)
    add("--cluster", "train-cluster", metavar="ADDRESS")


@contextlib.contextmanager
def _executor(workers: int, cluster: str | None) -> Iterator[concurrent.futures.Executor | None]:
    """Yield the executor to play on, ``None`` for this process."""
    if cluster is None and workers == 1:
        yield None
        return
    with contextlib.closing(open_backend(workers, cluster)) as backend:
        yield backend.executor()


def run(chosen: argparse.Namespace) -> int:
    """Train, or resume training in the same folder, and write where the weights are."""
    declared = game(chosen.game)
    options = declared.parse_options(chosen.option)
    declared.variant(options)
    own = declared.optional_module("training")
    if own is None and declared.evaluation.training is None:
        raise TriskeleError(text("cli.train-nothing", game=declared.title))
    given = {name: getattr(chosen, name) for name in ("rounds", "games", "nodes", "seed")}
    given = {name: value for name, value in given.items() if value is not None}
    for name, value in {**given, "workers": chosen.workers}.items():
        if value < 1 and name != "seed":
            raise TriskeleError(text("cli.train-number", name=f"--{name}"))
    progress = ProgressLine()

    def show(what: str, done: int, of: int) -> None:
        progress.show(f"{what}: {done}/{of}")

    with _executor(chosen.workers, chosen.cluster) as executor:
        if own is None:
            plan = dataclasses.replace(training_of(declared).plan, **given)
            plan = dataclasses.replace(plan, chunk=min(plan.chunk, plan.games))
            weights = train(declared, chosen.out, plan, options=options, executor=executor, progress=show)
        else:  # a game with an engine of its own brings its own training
            given.pop("nodes", None)
            weights = own.train(chosen.out, **given, executor=executor, progress=show)
    progress.clear()
    Terminal(chosen.language).tell("train-done", file=str(weights))
    return 0
