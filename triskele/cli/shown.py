"""How positions, moves and outcomes are written for people. Nothing here knows a game."""

import re
from collections.abc import Iterable, Sequence

from triskele.cli.terminal import Terminal
from triskele.core import draw
from triskele.core.contract import CHANCE
from triskele.core.game import Game, Variant
from triskele.core.moves import Outcome
from triskele.core.position import Position
from triskele.core.words import Text, catalogue, say, text

_NUMBER = re.compile(r"([0-9]+)")


def game_words(game: Game, key: str, language: str, fallback: str = "") -> str:
    """Return words of a game's own catalogue; ``fallback`` if it has none by that key."""
    if key not in catalogue(game.name, language) and key not in catalogue(game.name, "en"):
        return fallback
    return say(Text(f"{game.name}.{key}"), language)


def seat_name(variant: Variant, seat: int, language: str) -> str:
    """Return what a seat is called: by the game's own word (White), else by its number from 1."""
    numbered = say(text("cli.seat", n=seat + 1), language)
    return game_words(variant.game, f"seat.{seat}", language, numbered)


def mover_name(variant: Variant, seat: int, language: str) -> str:
    """Return the name of whoever made a move: a seat or the die."""
    return say(text("cli.die"), language) if seat == CHANCE else seat_name(variant, seat, language)


def seats_line(variant: Variant, sitting: Sequence[str], language: str) -> str:
    """Return who sits where, in one line."""
    names = [f"{seat_name(variant, seat, language)}: {kind}" for seat, kind in enumerate(sitting)]
    return " · ".join(names)


def in_order(texts: Iterable[str]) -> list[str]:
    """Return texts sorted as people count: f9 before f10."""

    def key(written: str) -> list[str | int]:
        return [int(part) if number % 2 else part for number, part in enumerate(_NUMBER.split(written))]

    return sorted(texts, key=key)


def options_line(variant: Variant) -> str:
    """Return the options as people write them."""
    game = variant.game
    return " ".join(f"{option.name}={option.write(variant.options[option.name])}" for option in game.options)


def show_board(terminal: Terminal, position: Position, seat: int | None) -> None:
    """Draw a position as a seat may see it, with the facts about each seat below."""
    scene = position.scene(seat, terminal.language)
    terminal.write(draw.text(scene, ink=terminal.ink).lstrip("\n"))
    for owner in (None, *range(position.variant.seats)):
        facts = " · ".join(fact.words for fact in scene.facts if fact.seat == owner)
        if facts and owner is not None:
            name = seat_name(position.variant, owner, terminal.language)
            facts = facts if facts.startswith(name) else f"{name}: {facts}"
        if facts:
            terminal.write_wrapped(facts)


def outcome_lines(variant: Variant, outcome: Outcome, language: str) -> list[str]:
    """Return how a game ended: who won, how, and the scores where they say more."""
    names = ", ".join(seat_name(variant, seat, language) for seat in outcome.winners)
    outside = say(text(f"core.reason.{outcome.reason}"), language)  # an end that no rule of the game has
    how = game_words(variant.game, f"reason.{outcome.reason}", language, outside)
    if outcome.winners:
        lines = [say(text("cli.won", n=len(outcome.winners), winners=names, how=how), language)]
    else:
        lines = [say(text("cli.drawn", how=how), language)]
    if any(score not in (-1.0, 0.0, 1.0) for score in outcome.scores):
        scores = enumerate(outcome.scores)
        lines.append(" · ".join(f"{seat_name(variant, s, language)}: {score:+g}" for s, score in scores))
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
