"""``triskele train``: learn a game's weights from self-play."""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from triskele.cli.progress import Progress
from triskele.cli.terminal import Terminal
from triskele.core.errors import TriskeleError
from triskele.core.game import game
from triskele.core.words import say, text
from triskele.engines.learning import plan_for, train
from triskele.engines.levels import part_of


def add_arguments(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the arguments of the command, with their help in one language."""

    def add(name: str, key: str, **more: Any) -> None:
        parser.add_argument(name, help=say(text(f"cli.help.{key}"), language).replace("%", "%%"), **more)

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
    if cluster is not None:
        distributed: Any = importlib.import_module("distributed")
        with distributed.Client(cluster) as client:
            yield client.get_executor()
    elif workers > 1:
        with concurrent.futures.ProcessPoolExecutor(workers) as executor:
            yield executor
    else:
        yield None


def run(chosen: argparse.Namespace) -> int:
    """Learn, or go on learning in the same folder, and say where the weights are."""
    declared = game(chosen.game)
    options = declared.parse_options(chosen.option)
    declared.variant(options)
    own = part_of(declared, "training")
    if own is None and not hasattr(part_of(declared, "evaluation"), "PARAMETERS"):
        raise TriskeleError(text("cli.train-nothing", game=declared.title))
    said = {name: getattr(chosen, name) for name in ("rounds", "games", "nodes", "seed")}
    said = {name: value for name, value in said.items() if value is not None}
    for name, value in {**said, "workers": chosen.workers}.items():
        if value < 1 and name != "seed":
            raise TriskeleError(text("cli.train-number", name=f"--{name}"))
    progress = Progress()

    def show(what: str, done: int, of: int) -> None:
        progress.show(f"{what}: {done}/{of}")

    with _executor(chosen.workers, chosen.cluster) as executor:
        if own is None:
            plan = dataclasses.replace(plan_for(declared), **said)
            plan = dataclasses.replace(plan, chunk=min(plan.chunk, plan.games))
            weights = train(declared, chosen.out, plan, options=options, executor=executor, progress=show)
        else:  # a game whose engine is its own learns in its own way
            said.pop("nodes", None)
            weights = own.train(chosen.out, **said, executor=executor, progress=show)
    progress.clear()
    Terminal(chosen.language).tell("train-done", file=str(weights))
    return 0
