"""Format positions, moves and outcomes for the terminal. Nothing here knows a game."""

import re
from collections.abc import Iterable, Sequence

from triskele.cli.seats import PERSON, RANDOM
from triskele.cli.terminal import Terminal
from triskele.core import draw
from triskele.core.contract import CHANCE
from triskele.core.game import Game, Variant
from triskele.core.moves import Move, Outcome
from triskele.core.numbers import decimal, whole
from triskele.core.position import Position
from triskele.core.scene import Scene
from triskele.core.words import Text, catalogue, say, text

_NUMBER = re.compile(r"([0-9]+)")
_LEVEL = re.compile(r"triskele:level=([0-9]+)")
_KIND_WORDS = {PERSON: "cli.occupant-person", RANDOM: "cli.occupant-random"}
_NOTED_MOVES = 12
"""Up to this many moves are listed one a line, each with its note."""


def game_words(game: Game, key: str, language: str, fallback: str = "") -> str:
    """Return a text of a game's own catalogue; ``fallback`` if it has none with that key."""
    if key not in catalogue(game.name, language) and key not in catalogue(game.name, "en"):
        return fallback
    return say(Text(f"{game.name}.{key}"), language)


def seat_name(variant: Variant, seat: int, language: str) -> str:
    """Return the name of a seat: the game's own word (White), else its number from 1."""
    numbered = say(text("cli.seat", n=seat + 1), language)
    return game_words(variant.game, f"seat.{seat}", language, numbered)


def mover_name(variant: Variant, seat: int, language: str) -> str:
    """Return the name of a move's maker: a seat or the die."""
    return say(text("cli.die"), language) if seat == CHANCE else seat_name(variant, seat, language)


def pair(name: str, value: str | Text, language: str) -> str:
    """Return ``name: value`` as a language writes it: French has a space before the colon."""
    return say(text("core.pair", name=name, value=value), language)


def _score(score: float) -> Text:
    return whole(score, signed=True) if score == int(score) else decimal(score, 2, signed=True)


def seats_line(variant: Variant, occupants: Sequence[str], language: str) -> str:
    """Return who sits where, in one line."""
    names = (pair(seat_name(variant, seat, language), _occupant(kind), language) for seat, kind in enumerate(occupants))
    return " · ".join(names)


def _occupant(kind: str) -> str | Text:
    """Return who sits at a seat in the words of players; a program keeps the name that it was given."""
    if kind in _KIND_WORDS:
        return text(_KIND_WORDS[kind])
    level = _LEVEL.fullmatch(kind)
    return kind if level is None else text("cli.occupant-level", level=level[1])


def natural_sorted(texts: Iterable[str]) -> list[str]:
    """Return texts in natural sort order: f9 before f10."""

    def key(written: str) -> list[str | int]:
        return [int(part) if number % 2 else part for number, part in enumerate(_NUMBER.split(written))]

    return sorted(texts, key=key)


def options_line(variant: Variant) -> str:
    """Return the options in one line, as ``--option`` takes them."""
    game = variant.game
    return " ".join(f"{option.name}={option.write(variant.options[option.name])}" for option in game.options)


def show_board(terminal: Terminal, position: Position, seat: int | None, drawn: bool = True) -> None:
    """Write a position as a seat may see it, drawn or in words, with the facts about each seat below."""
    scene = position.scene(seat, terminal.language)
    if drawn:
        terminal.write(draw.text(scene, ink=terminal.ink).lstrip("\n"))
    else:
        for line in _place_lines(scene, terminal.language):
            terminal.write_wrapped(line)
    for owner in (None, *range(position.variant.seats)):
        facts = " · ".join(fact.words for fact in scene.facts if fact.seat == owner)
        if facts and owner is not None:
            name = seat_name(position.variant, owner, terminal.language)
            facts = facts if facts.startswith(name) else pair(name, facts, terminal.language)
        if facts:
            terminal.write_wrapped(facts)


def _place_lines(scene: Scene, language: str) -> list[str]:
    """Return what lies where, in words: places that look the same together, and the most frequent sight last."""
    seen: dict[str, list[str]] = {}
    for place in scene.places:
        token, comma, words = place.name.partition(", ")
        if comma and token == place.token:  # others are buttons, which are not on the board
            seen.setdefault(words, []).append(place.token)
    if not seen:
        return []
    usual = max(seen, key=lambda words: len(seen[words]))
    lines = [
        pair(words, " ".join(natural_sorted(tokens)), language) for words, tokens in seen.items() if words != usual
    ]
    rest = text("cli.other-places", words=usual) if lines else text("cli.all-places", words=usual)
    return [*lines, say(rest, language)]


def outcome_lines(position: Position, outcome: Outcome, language: str) -> list[str]:
    """Return how a game ended: who won, how, and the scores where they are more than win or loss.

    ``position`` is one of the game; if it is not the last one, or the end was outside the rules, the reason says how.
    """
    variant = position.variant
    names = ", ".join(seat_name(variant, seat, language) for seat in outcome.winners)
    outside = say(text(f"core.reason.{outcome.reason}"), language)  # such as resigning
    how = position.ending(language) or game_words(variant.game, f"reason.{outcome.reason}", language, outside)
    if outcome.winners:
        lines = [say(text("cli.won", n=len(outcome.winners), winners=names, how=how), language)]
    else:
        lines = [say(text("cli.drawn", how=how), language)]
    if any(score not in (-1.0, 0.0, 1.0) for score in outcome.scores):
        scores = enumerate(outcome.scores)
        lines.append(" · ".join(pair(seat_name(variant, s, language), _score(score), language) for s, score in scores))
    return lines


def move_lines(terminal: Terminal, variant: Variant, movers: Sequence[int], texts: Sequence[str]) -> list[str]:
    """Return a game's moves, numbered, in columns."""
    wide = len(str(len(texts)))
    made = zip(movers, texts, strict=True)
    return terminal.columns(
        [
            f"{number:{wide}} {mover_name(variant, mover, terminal.language)} {written}"
            for number, (mover, written) in enumerate(made, 1)
        ]
    )


def write_moves(terminal: Terminal, position: Position, moves: Sequence[Move], begin: str) -> None:
    """List moves, those that begin with a text or with tokens; a few are listed one a line, each with its note."""
    tokens = tuple(begin.split())
    found = [
        move
        for move in moves
        if move.text.startswith(begin) or any(way[: len(tokens)] == tokens for way in move.spellings)
    ]
    terminal.tell("moves-count", n=len(found))
    if len(found) <= _NOTED_MOVES:
        noted = (f"{move.text}  {position.note(move, terminal.language)}" for move in found)
        terminal.page(part for line in noted for part in terminal.wrapped(line, hanging="    "))
    else:
        terminal.page(terminal.columns(natural_sorted(move.text for move in found)))
