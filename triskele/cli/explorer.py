"""``triskele explorer``: what engines played in openings, shown and made."""

import argparse
import json

from triskele.cli.terminal import Terminal
from triskele.core.arguments import help_text
from triskele.core.errors import OptionError, TriskeleError
from triskele.core.files import write_atomic
from triskele.core.game import game
from triskele.core.numbers import decimal
from triskele.core.words import say, text

GAMES_LIMIT = 1_000_000
MAKE = "make"


def add_arguments(parser: argparse.ArgumentParser, language: str) -> None:
    """Add the arguments, with help in a language."""

    def words(key: str) -> str:
        return help_text(f"cli.help.{key}", language)

    parser.add_argument("game", metavar="GAME", help=words("explorer-game"))
    parser.add_argument("moves", metavar="MOVE", nargs="*", help=words("explorer-moves"))
    parser.add_argument("--games", metavar="N", type=int, default=1000, help=words("explorer-games"))
    parser.add_argument("--level", metavar="N", type=int, default=4, help=words("explorer-level"))
    parser.add_argument("--seed", metavar="N", type=int, default=1, help=words("explorer-seed"))
    parser.add_argument("--out", metavar="FILE", help=words("explorer-out"))
    parser.add_argument("--workers", metavar="N", type=int, help=words("explorer-workers"))
    parser.add_argument("--cluster", metavar="ADDRESS", help=words("explorer-cluster"))
    parser.add_argument("--json", action="store_true", help=words("explorer-json"))


def run(chosen: argparse.Namespace) -> int:
    """Show what was played after some moves; ``make GAME`` plays games and counts them."""
    if chosen.game == MAKE and len(chosen.moves) == 1:
        return _make(chosen, chosen.moves[0])
    return _show(chosen)


def _make(chosen: argparse.Namespace, name: str) -> int:
    from triskele.arena.explorer import make_counts
    from triskele.arena.worker_pool import WorkerPool
    from triskele.core.explorer import FILE

    declared = game(name)
    for setting, value, high in (("--games", chosen.games, GAMES_LIMIT), ("--level", chosen.level, 10)):
        if not 1 <= value <= high:
            raise OptionError(text("puzzle.setting-range", setting=setting, low=1, high=high))
    terminal = Terminal(chosen.language)
    with WorkerPool(chosen.workers, chosen.cluster) as pool:
        counts = make_counts(declared.name, {}, chosen.games, chosen.level, chosen.seed, pool)
    out = chosen.out or f"{declared.name}-{FILE}"
    write_atomic(out, counts.to_json({"level": chosen.level, "seed": chosen.seed}))
    terminal.tell("explorer-made", n=counts.games, positions=len(counts.positions), path=out)
    return 0


def _show(chosen: argparse.Namespace) -> int:
    from triskele.core.explorer import shipped
    from triskele.core.position import new

    declared = game(chosen.game)
    found = shipped(declared)
    if found is None:
        raise TriskeleError(text("cli.explorer-none", game=declared.title))
    counts, made = found
    position = new(declared.name)
    for move in chosen.moves:
        position.push(move)
    played = counts.played(position)
    terminal = Terminal(chosen.language)
    if chosen.json:
        moves = [vars(each) for each in played]
        terminal.write(json.dumps({"game": declared.name, "games": counts.games, **made, "moves": moves}))
        return 0
    terminal.tell("explorer-set", game=declared.title, n=counts.games, level=str(made.get("level", "?")))
    if not played:
        terminal.tell("explorer-nothing")
    for each in played:
        won = say(decimal(100 * each.won, 1), terminal.language)
        terminal.write(f"{each.games:6}  {won:>5} %  {each.move}")
    return 0
