"""From what a person types to a move: whole texts, tokens in one line, or one token after the other."""

from collections.abc import Sequence
from dataclasses import dataclass

from triskele.core.errors import IllegalMove
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.core.words import catalogue, say, text


@dataclass(frozen=True)
class Entry:
    """What a line came to: a move; or the tokens so far, with what can follow; or why it is neither."""

    move: Move | None = None
    tokens: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    reason: str = ""


def read_entry(position: Position, pending: tuple[str, ...], line: str, language: str = "en") -> Entry:
    """Read a line that continues the tokens entered before (``pending``), or is a whole move by itself."""
    words = tuple(line.split())
    whole = line.strip()
    if not pending and (move := find(position, whole)) is not None:
        return Entry(move=move)
    tokens = (*pending, *words)
    answer = position.complete(tokens, language)
    if answer.move is not None:
        return Entry(move=answer.move)
    if answer.next:
        return Entry(tokens=tokens, next=answer.next)
    if (move := find(position, whole)) is not None:
        return Entry(move=move)
    if not pending and len(words) == 1:
        try:
            position.find(whole)
        except IllegalMove as error:
            return Entry(reason=say(error.text, language))
    return Entry(reason=answer.reason)


def find(position: Position, written: str) -> Move | None:
    """Return the legal move or interrupt with exactly this text, if there is one."""
    try:
        return position.find(written)
    except IllegalMove:
        return None


def token_words(position: Position, language: str) -> dict[str, str]:
    """Return what the first tokens of the possible moves mean, of those that are no places and have words."""
    name = position.variant.game.name
    known = catalogue(name, language)
    first = dict.fromkeys(spelling[0] for move in position.legal_moves for spelling in move.spellings)
    return {token: say(text(f"{name}.token.{token}"), language) for token in first if f"token.{token}" in known}


def continuations(position: Position, pending: Sequence[str], before: str, word: str) -> list[str]:
    """Return what the word at the cursor can become, for the Tab key.

    Tokens first; a word that no token begins with may be the beginning of whole move texts.
    """
    tokens = (*pending, *before.split())
    found = []
    for token in position.complete(tokens).next:
        if token.startswith(word):
            whole = position.complete((*tokens, token)).move is not None
            found.append(token if whole else token + " ")
    if not found and not tokens:
        texts = (move.text for move in (*position.legal_moves, *position.interrupts))
        found = [written for written in texts if written.startswith(word)]
    return found
