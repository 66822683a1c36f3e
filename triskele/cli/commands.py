"""The commands of ``triskele``: their arguments, and the functions that run them."""

import argparse
import importlib
import math
import random
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from triskele import __version__
from triskele.cli.parser import parser_class
from triskele.cli.terminal import Terminal
from triskele.core.arguments import chosen_variant, help_text
from triskele.core.errors import TriskeleError
from triskele.core.numbers import decimal, whole
from triskele.core.words import LANGUAGES, reader_language, text

LAST = ""
"""The value of ``--resume`` without a file: the last unfinished game."""
OK = 0
SECONDS_LIMIT = 86_400.0
DEPTH_LIMIT = 64


def parse(arguments: list[str]) -> argparse.Namespace:
    """Parse the arguments; ``run`` in the result is the function of the command. Wrong usage exits with code 2."""
    language = _language(arguments)
    chosen = _parser(language, arguments).parse_args(arguments)
    chosen.language = language
    if not hasattr(chosen, "run"):  # just "triskele": the menu
        return parse([*arguments, "play"])
    return chosen


def _language(arguments: list[str]) -> str:
    """Return the language, ahead of the other arguments: the parser's help texts are made in it."""
    early = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    early.add_argument("--language")
    try:
        asked = early.parse_known_args(arguments)[0].language
    except argparse.ArgumentError:
        asked = None
    return asked if asked in LANGUAGES else reader_language()


DELEGATED = {
    "learn": "triskele.cli.learn",
    "serve": "triskele.cli.serve",
    "backup": "triskele.cli.backup",
    "restore": "triskele.cli.backup",
    "copy": "triskele.cli.backup",
    "admin": "triskele.cli.admin",
    "ratings": "triskele.cli.ratings",
    "bot": "triskele.cli.bot",
    "engine": "triskele.arena.commands",
    "match": "triskele.arena.commands",
    "arena": "triskele.arena.commands",
    "selfplay": "triskele.arena.commands",
    "report": "triskele.arena.commands",
    "puzzles": "triskele.cli.puzzles",
    "explorer": "triskele.cli.explorer",
    "review": "triskele.cli.review",
    "calibrate": "triskele.cli.calibrate",
    "train": "triskele.cli.train",
    "convert": "triskele.adapters.commands",
    "wasm": "triskele.cli.wasm",
}
"""Commands that another module implements, with ``add_arguments`` and ``run``, at module level or in ``COMMANDS``."""


def _parser(language: str, arguments: list[str]) -> argparse.ArgumentParser:
    def words(key: str) -> str:
        return help_text(f"cli.help.{key}", language)

    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--language", choices=LANGUAGES, default=argparse.SUPPRESS, help=words("language"))
    parser = parser_class(language)(prog="triskele", description=words("triskele"), parents=[common])
    parser.add_argument("--version", action="version", version=f"triskele {__version__}", help=words("version"))
    commands = parser.add_subparsers(title=words("commands"), metavar="COMMAND")

    def add(name: str, run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=words(name), description=words(name), parents=[common])
        command.set_defaults(run=run)
        return command

    def add_game(command: argparse.ArgumentParser, **more: Any) -> None:
        command.add_argument("game", metavar="GAME", help=words("game"), **more)
        command.add_argument("--option", metavar="K=V", action="append", default=[], help=words("option"))

    play = add("play", _play)
    add_game(play, nargs="?")
    play.add_argument("--seats", metavar="WHO,…", help=words("seats"))
    play.add_argument("--resume", metavar="FILE", nargs="?", const=LAST, help=words("resume-file"))
    play.add_argument("--save", metavar="FILE", help=words("save"))
    play.add_argument("--seed", metavar="N", type=int, help=words("seed"))
    play.add_argument("--no-board", action="store_true", help=words("no-board"))

    resume = add("resume", _play)
    resume.add_argument("resume", metavar="FILE", nargs="?", default=LAST, help=words("resume-file"))
    resume.add_argument("--seats", metavar="WHO,…", help=words("seats"))
    resume.add_argument("--save", metavar="FILE", help=words("save"))
    resume.add_argument("--seed", metavar="N", type=int, help=words("seed"))
    resume.add_argument("--no-board", action="store_true", help=words("no-board"))
    resume.set_defaults(game=None, option=[])

    listing = add("games", _games)
    listing.add_argument("--json", action="store_true", help=words("json"))

    show = add("show", _show)
    show.add_argument("record", metavar="RECORD", help=words("record"))
    show.add_argument("--move", metavar="N", type=int, help=words("move"))
    show.add_argument("--seat", metavar="N", type=_number(1, 100), help=words("seat"))
    show.add_argument("--svg", metavar="FILE", help=words("svg"))
    show.add_argument("--png", metavar="FILE", help=words("png"))
    show.add_argument("--animation", metavar="FILE", help=words("animation"))
    show.add_argument("--theme", choices=("light", "dark"), default="light", help=words("theme"))

    verify = add("verify", _verify)
    verify.add_argument("record", metavar="RECORD", help=words("record-file"))
    verify.add_argument("--commitment", metavar="HEX", help=words("noted-commitment"))
    verify.add_argument("--seed", metavar="SEAT=TEXT", action="append", default=[], help=words("noted-seed"))

    perft = add("perft", _perft)
    add_game(perft)
    perft.add_argument("depth", metavar="DEPTH", type=_number(1, DEPTH_LIMIT), help=words("depth"))

    bench = add("bench", _bench)
    kinds = bench.add_subparsers(metavar="WHAT", required=True)
    playouts = kinds.add_parser("playouts", help=words("playouts"), description=words("playouts"), parents=[common])
    add_game(playouts)
    playouts.add_argument("--seconds", metavar="S", type=_seconds, default=5.0, help=words("seconds"))
    playouts.add_argument("--policy", choices=("uniform", "rollout"), default="uniform", help=words("policy"))
    playouts.add_argument("--seed", metavar="N", type=int, default=1, help=words("seed"))
    playouts.add_argument("--json", action="store_true", help=words("json"))

    for name, module in DELEGATED.items():
        command = add(name, lambda chosen: OK)
        if name in arguments:  # only then is it worth importing
            imported = importlib.import_module(module)
            delegate = getattr(imported, "COMMANDS", {}).get(name, imported)
            delegate.add_arguments(command, language)
            command.set_defaults(run=delegate.run)
    return parser


def _number(low: int, high: int) -> Callable[[str], int]:
    def number(written: str) -> int:
        if not written.isascii() or not written.isdecimal() or not low <= int(written[:9]) <= high:
            raise argparse.ArgumentTypeError(f"{written[:30]!r} is not a whole number from {low} to {high}")
        return int(written)

    return number


def _seconds(written: str) -> float:
    try:
        seconds = float(written)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= SECONDS_LIMIT:
        raise argparse.ArgumentTypeError(
            f"{written[:30]!r} is not a number of seconds above 0, up to {SECONDS_LIMIT:g}"
        )
    return seconds


# --- the commands: each imports what it needs, so that all start quickly ------------------------------


def _play(chosen: argparse.Namespace) -> int:
    from triskele.cli import save_files
    from triskele.cli.game_menu import choose_table
    from triskele.cli.play import Session
    from triskele.cli.seats import parse_seats
    from triskele.cli.table import new_table

    terminal = Terminal(chosen.language)
    repeatable = chosen.seed is not None
    rng = random.Random(chosen.seed if repeatable else secrets.randbits(128))
    path = None
    if chosen.resume is not None:
        if chosen.game is not None or chosen.option:
            raise TriskeleError(text("cli.resume-or-game"))
        if chosen.resume == LAST:
            last = save_files.last_unfinished(chosen.seats)
            if last is None:
                raise TriskeleError(text("cli.resume-nothing", folder=str(save_files.folder())))
            path, table = last
        else:
            table = save_files.open_table(chosen.resume, chosen.seats)
    elif chosen.game is None:
        if chosen.option or chosen.seats:
            raise TriskeleError(text("cli.play-which"))
        try:
            table, path = choose_table(terminal, rng, repeatable)
        except EOFError:
            raise TriskeleError(text("cli.play-nothing")) from None
    else:
        variant = chosen_variant(chosen)
        table = new_table(variant, parse_seats(chosen.seats, variant.game, variant.seats), rng, repeatable)
    if chosen.save:
        path = Path(chosen.save)
        save_files.check_target(path)
    Session(table, terminal, rng, path, repeatable, drawn=not chosen.no_board).run()
    return 0


def _games(chosen: argparse.Namespace) -> int:
    from triskele.cli.games import list_games

    list_games(Terminal(chosen.language), chosen.json)
    return 0


def _show(chosen: argparse.Namespace) -> int:
    from triskele.cli.show import ShownPosition, show_animation, show_picture, show_text

    terminal = Terminal(chosen.language)
    shown = ShownPosition(chosen.record, chosen.move, None if chosen.seat is None else chosen.seat - 1)
    for kind, target in (("svg", chosen.svg), ("png", chosen.png)):
        if target is not None:
            show_picture(terminal, shown, kind, target, chosen.theme)
    if chosen.animation is not None:
        show_animation(terminal, shown, chosen.animation, chosen.theme)
    if chosen.svg is None and chosen.png is None and chosen.animation is None:
        show_text(terminal, shown)
    return 0


def _verify(chosen: argparse.Namespace) -> int:
    from triskele.cli.show import show_proof

    return 0 if show_proof(Terminal(chosen.language), chosen.record, chosen.commitment, chosen.seed) else 1


def _perft(chosen: argparse.Namespace) -> int:
    from triskele.cli.perft import Counter

    terminal = Terminal(chosen.language)
    variant = chosen_variant(chosen)
    terminal.note(terminal.words("compiling", game=variant.game.title))
    counter = Counter(variant)
    for depth in range(1, chosen.depth + 1):
        began = time.perf_counter()
        leaves = counter.leaves(depth)
        taken = time.perf_counter() - began
        terminal.write(f"{depth} {leaves}")
        terminal.note(terminal.words("perft-time", depth=depth, seconds=decimal(taken, 3)))
        if leaves == 0:
            break
    return 0


def _bench(chosen: argparse.Namespace) -> int:
    from triskele.cli.bench import measure

    terminal = Terminal(chosen.language)
    variant = chosen_variant(chosen)
    terminal.note(terminal.words("compiling", game=variant.game.title))
    speed = measure(variant, chosen.seconds, chosen.policy, chosen.seed)
    if chosen.json:
        terminal.write(speed.line())
    else:
        per_game, per_move = speed.games / speed.seconds, speed.moves / speed.seconds
        terminal.tell("bench-line", game=variant.game.title, games=whole(per_game), moves=whole(per_move))
    return 0
