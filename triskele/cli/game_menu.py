"""The menu of ``triskele`` without arguments: choose a game, its options and who plays."""

import contextlib
import datetime
import random
from pathlib import Path

from triskele.cli import save_files
from triskele.cli.formatting import game_words, seat_name
from triskele.cli.seats import KINDS, LEVELS, PERSON, parse_seat
from triskele.cli.table import Table, new_table
from triskele.cli.terminal import Terminal
from triskele.core.errors import OptionError
from triskele.core.game import Game, Variant, games
from triskele.core.words import say

FIRST_OPPONENT = "3"
"""The engine level that Enter chooses."""


def choose_table(terminal: Terminal, rng: random.Random, repeatable: bool) -> tuple[Table, Path | None]:
    """Ask what to play; return the table, and the file of the game if it is a resumed one."""
    last = None
    with contextlib.suppress(OptionError):  # a program played in it: only ``triskele resume --seats`` resumes that
        last = save_files.last_unfinished()
    found = games()
    terminal.write(terminal.strong(terminal.words("choose-title")))
    terminal.write()
    if last is not None:
        path, table = last
        when = datetime.datetime.fromtimestamp(path.stat().st_mtime).strftime("%Y-%m-%d %H:%M")
        made = len(table.position.moves)
        terminal.write(f"  0  {terminal.words('choose-resume', game=table.variant.game.title, n=made, when=when)}")
    wide = max(len(game.title) for game in found)
    for number, game in enumerate(found, 1):
        tagline = game_words(game, "tagline", terminal.language)
        lines = terminal.wrapped(f"  {number}  {game.title.ljust(wide)}  {tagline}", hanging=" " * (wide + 7))
        terminal.write("\n".join(lines).replace(game.title, terminal.strong(game.title), 1))
    terminal.write()
    names = [game.name for game in found]
    while True:
        answer = terminal.ask(terminal.words("choose-game") + " ", lambda before, word: _matching(names, word)).strip()
        if last is not None and answer == "0":
            return last[1], last[0]
        matches = _matching(names, answer.lower()) if answer else []
        if answer.isdecimal() and 1 <= int(answer) <= len(found):
            matches = [names[int(answer) - 1]]
        if len(matches) == 1:
            break
        terminal.tell("choose-again", n=len(found))
    variant = _choose_options(terminal, found[names.index(matches[0])])
    return new_table(variant, _choose_seats(terminal, variant), rng, repeatable), None


def _matching(names: list[str], word: str) -> list[str]:
    exact = [name for name in names if name == word]
    return exact or [name for name in names if name.startswith(word)]


def _choose_options(terminal: Terminal, game: Game) -> Variant:
    if not game.options:
        return game.variant()
    terminal.write()
    terminal.tell("choose-options-title", game=game.title)
    wide = max(len(f"{option.name}={option.write(option.default)}") for option in game.options)
    for option in game.options:
        usual = f"{option.name}={option.write(option.default)}"
        meaning = game_words(game, f"option.{option.name}", terminal.language)
        allowed = say(option.allowed(), terminal.language)
        line = f"  {usual.ljust(wide)}  {f'{meaning} ({allowed})'.strip()}"
        terminal.write("\n".join(terminal.wrapped(line, hanging=" " * (wide + 4))))
    names = [f"{option.name}=" for option in game.options]
    while True:
        answer = terminal.ask(
            terminal.words("choose-options") + " ", lambda before, word: [n for n in names if n.startswith(word)]
        )
        try:
            return game.variant(game.parse_options(answer.split()))
        except OptionError as error:
            terminal.refuse(error)


def _choose_seats(terminal: Terminal, variant: Variant) -> list[str]:
    terminal.write()
    terminal.tell("choose-seats-title")
    occupants = []
    for seat in range(variant.seats):
        question = f"{seat_name(variant, seat, terminal.language)}?"
        chosen = terminal.choose(question, (*KINDS, *LEVELS), PERSON if seat == 0 else FIRST_OPPONENT)
        occupants.append(parse_seat(chosen, variant.game))
    return occupants
