"""What can be typed after ``triskele``: the arguments, and what each command does."""

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
from triskele.cli.progress import note
from triskele.cli.terminal import Terminal
from triskele.core.errors import TriskeleError
from triskele.core.game import Variant, game
from triskele.core.words import LANGUAGES, reader_language, say, text

LAST = ""
"""``--resume`` without a file: the last game that is not over."""
OK = 0
SECONDS_LIMIT = 86_400.0
DEPTH_LIMIT = 64


def parse(arguments: list[str]) -> argparse.Namespace:
    """Return the arguments, with ``run`` the function of the command. Wrong usage leaves with exit code 2."""
    language = _language(arguments)
    chosen = _parser(language, arguments).parse_args(arguments)
    chosen.language = language
    if not hasattr(chosen, "run"):  # just "triskele": the chooser
        return parse([*arguments, "play"])
    return chosen


def _language(arguments: list[str]) -> str:
    """Return the language for help texts too, which are made before the arguments are read."""
    early = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    early.add_argument("--language")
    try:
        asked = early.parse_known_args(arguments)[0].language
    except argparse.ArgumentError:
        asked = None
    return asked if asked in LANGUAGES else reader_language()


LENT = {
    "serve": "triskele.cli.serve",
    "engine": "triskele.arena.commands",
    "match": "triskele.arena.commands",
    "arena": "triskele.arena.commands",
    "selfplay": "triskele.arena.commands",
    "report": "triskele.arena.commands",
    "train": "triskele.cli.train",
    "convert": "triskele.adapters.commands",
}
"""Commands that have a module of their own, with ``add_arguments`` and ``run``, its own or in ``COMMANDS``."""


def _parser(language: str, arguments: list[str]) -> argparse.ArgumentParser:
    def words(key: str) -> str:
        return say(text(f"cli.help.{key}"), language).replace("%", "%%")

    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--language", choices=LANGUAGES, default=argparse.SUPPRESS, help=words("language"))
    parser = argparse.ArgumentParser(prog="triskele", description=words("triskele"), parents=[common])
    parser.add_argument("--version", action="version", version=f"triskele {__version__}")
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

    resume = add("resume", _play)
    resume.add_argument("resume", metavar="FILE", nargs="?", default=LAST, help=words("resume-file"))
    resume.add_argument("--seats", metavar="WHO,…", help=words("seats"))
    resume.add_argument("--save", metavar="FILE", help=words("save"))
    resume.add_argument("--seed", metavar="N", type=int, help=words("seed"))
    resume.set_defaults(game=None, option=[])

    listing = add("games", _games)
    listing.add_argument("--json", action="store_true", help=words("json"))

    show = add("show", _show)
    show.add_argument("record", metavar="RECORD", help=words("record"))
    show.add_argument("--move", metavar="N", type=int, help=words("move"))
    show.add_argument("--seat", metavar="N", type=_number(1, 100), help=words("seat"))
    show.add_argument("--svg", metavar="FILE", help=words("svg"))
    show.add_argument("--png", metavar="FILE", help=words("png"))
    show.add_argument("--theme", choices=("light", "dark"), default="light", help=words("theme"))

    verify = add("verify", _verify)
    verify.add_argument("record", metavar="RECORD", help=words("record-file"))

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

    for name, module in LENT.items():
        command = add(name, lambda chosen: OK)
        if name in arguments:  # only then is it worth importing
            room = importlib.import_module(module)
            lent = getattr(room, "COMMANDS", {}).get(name, room)
            lent.add_arguments(command, language)
            command.set_defaults(run=lent.run)
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


def _variant(chosen: argparse.Namespace) -> Variant:
    declared = game(chosen.game)
    return declared.variant(declared.parse_options(chosen.option))


# --- the commands: each imports what it needs, so that all start quickly ------------------------------


def _play(chosen: argparse.Namespace) -> int:
    from triskele.cli import saves
    from triskele.cli.chooser import choose
    from triskele.cli.opponents import seat_people
    from triskele.cli.play import Session
    from triskele.cli.table import new_table

    terminal = Terminal(chosen.language)
    repeatable = chosen.seed is not None
    rng = random.Random(chosen.seed if repeatable else secrets.randbits(128))
    path = None
    if chosen.resume is not None:
        if chosen.game is not None or chosen.option:
            raise TriskeleError(text("cli.resume-or-game"))
        if chosen.resume == LAST:
            last = saves.last_unfinished(chosen.seats)
            if last is None:
                raise TriskeleError(text("cli.resume-nothing", folder=str(saves.folder())))
            path, table = last
        else:
            table = saves.open_table(chosen.resume, chosen.seats)
    elif chosen.game is None:
        if chosen.option or chosen.seats:
            raise TriskeleError(text("cli.play-which"))
        try:
            table, path = choose(terminal, rng, repeatable)
        except EOFError:
            raise TriskeleError(text("cli.play-nothing")) from None
    else:
        variant = _variant(chosen)
        table = new_table(variant, seat_people(chosen.seats, variant.game, variant.seats), rng, repeatable)
    if chosen.save:
        path = Path(chosen.save)
        saves.check_target(path)
    Session(table, terminal, rng, path, repeatable).run()
    return 0


def _games(chosen: argparse.Namespace) -> int:
    from triskele.cli.listing import list_games

    list_games(Terminal(chosen.language), chosen.json)
    return 0


def _show(chosen: argparse.Namespace) -> int:
    from triskele.cli.show import Shown, show_picture, show_text

    terminal = Terminal(chosen.language)
    shown = Shown(chosen.record, chosen.move, None if chosen.seat is None else chosen.seat - 1)
    for kind, target in (("svg", chosen.svg), ("png", chosen.png)):
        if target is not None:
            show_picture(terminal, shown, kind, target, chosen.theme)
    if chosen.svg is None and chosen.png is None:
        show_text(terminal, shown)
    return 0


def _verify(chosen: argparse.Namespace) -> int:
    from triskele.cli.show import show_proof

    return 0 if show_proof(Terminal(chosen.language), chosen.record) else 1


def _perft(chosen: argparse.Namespace) -> int:
    from triskele.cli.perft import Counter

    terminal = Terminal(chosen.language)
    variant = _variant(chosen)
    note(terminal.words("compiling", game=variant.game.title))
    counter = Counter(variant)
    for depth in range(1, chosen.depth + 1):
        began = time.perf_counter()
        leaves = counter.leaves(depth)
        taken = time.perf_counter() - began
        terminal.write(f"{depth} {leaves}")
        note(terminal.words("perft-time", depth=depth, seconds=f"{taken:.3f}"))
        if leaves == 0:
            break
    return 0


def _bench(chosen: argparse.Namespace) -> int:
    from triskele.cli.bench import measure

    terminal = Terminal(chosen.language)
    variant = _variant(chosen)
    note(terminal.words("compiling", game=variant.game.title))
    speed = measure(variant, chosen.seconds, chosen.policy, chosen.seed)
    if chosen.json:
        terminal.write(speed.line())
    else:
        per_game, per_move = speed.games / speed.seconds, speed.moves / speed.seconds
        terminal.tell("bench-line", game=variant.game.title, games=f"{per_game:,.0f}", moves=f"{per_move:,.0f}")
    return 0
