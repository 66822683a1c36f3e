"""``triskele games``: list the games."""

import json
import textwrap
from typing import Any

from triskele.cli.formatting import game_words
from triskele.cli.terminal import Terminal
from triskele.core.game import Game, games
from triskele.core.options import Choice, Flag, Number, Option
from triskele.core.words import say


def list_games(terminal: Terminal, as_json: bool) -> None:
    """Write all games: as text for people, or as JSON for programs."""
    if as_json:
        terminal.write(
            json.dumps([_document(game, terminal.language) for game in games()], ensure_ascii=False, indent=1)
        )
        return
    for number, game in enumerate(games()):
        if number:
            terminal.write()
        _write_game(terminal, game)


def seat_numbers(game: Game) -> list[int]:
    """Return the numbers of players that a game allows."""
    if game.seats:
        return [game.seats]
    players = game.option("players")
    assert isinstance(players, Number)
    return list(players.only or range(players.low, players.high + 1))


def _seats(game: Game) -> str:
    numbers = seat_numbers(game)
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}-{numbers[-1]}"
    return ", ".join(map(str, numbers))


def _write_game(terminal: Terminal, game: Game) -> None:
    low, high = game.minutes
    facts = [terminal.words("games-seats", seats=_seats(game)), terminal.words("games-minutes", low=low, high=high)]
    facts += [terminal.words("games-hidden")] if game.hidden else []
    facts += [terminal.words("games-chance")] if game.chance else []
    terminal.write(f"{terminal.strong(game.name.ljust(10))} {game.title}: {', '.join(facts)}")
    tagline = game_words(game, "tagline", terminal.language)
    if tagline:
        terminal.write(textwrap.fill(tagline, terminal.width, initial_indent=" " * 11, subsequent_indent=" " * 11))
    for option in game.options:
        meaning = game_words(game, f"option.{option.name}", terminal.language)
        allowed = say(option.allowed(), terminal.language)
        line = f"{option.name}={option.write(option.default)}  {f'{meaning} ({allowed})'.strip()}"
        terminal.write(textwrap.fill(line, terminal.width, initial_indent=" " * 11, subsequent_indent=" " * 13))


def _document(game: Game, language: str) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "tagline": game_words(game, "tagline", language),
        "seats": seat_numbers(game),
        "minutes": list(game.minutes),
        "hidden": game.hidden,
        "chance": game.chance,
        "rulebook": game.rulebook,
        "house_rules": list(game.house_rules),
        "options": [_option(game, option, language) for option in game.options],
    }


def _option(game: Game, option: Option, language: str) -> dict[str, Any]:
    document: dict[str, Any] = {
        "name": option.name,
        "default": option.default,
        "meaning": game_words(game, f"option.{option.name}", language),
        "allowed": say(option.allowed(), language),
    }
    if isinstance(option, Flag):
        document["values"] = [False, True]
    elif isinstance(option, Choice):
        document["values"] = list(option.choices)
    elif isinstance(option, Number) and option.only:
        document["values"] = list(option.only)
    elif isinstance(option, Number):
        document["range"] = [option.low, option.high]
    return document
