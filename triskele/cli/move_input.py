"""Parse a move from what a person types: a whole text, tokens in one line, or one token after the other."""

from collections.abc import Sequence
from dataclasses import dataclass

from triskele.core.errors import IllegalMove
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.core.words import catalogue, say, text


@dataclass(frozen=True)
class MoveInput:
    """The result of a line: a move; or the tokens so far and those that can follow; or the reason for neither."""

    move: Move | None = None
    tokens: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    reason: str = ""


def read_move_input(position: Position, pending: tuple[str, ...], line: str, language: str = "en") -> MoveInput:
    """Parse a line that continues the tokens entered before (``pending``), or is a whole move by itself."""
    words = tuple(line.split())
    whole = line.strip()
    if not pending and (move := find_move(position, whole)) is not None:
        return MoveInput(move=move)
    tokens = (*pending, *words)
    answer = position.complete(tokens, language)
    if answer.move is not None:
        return MoveInput(move=answer.move)
    if answer.next:
        return MoveInput(tokens=tokens, next=answer.next)
    if (move := find_move(position, whole)) is not None:
        return MoveInput(move=move)
    if not pending and len(words) == 1:
        try:
            position.find(whole)
        except IllegalMove as error:
            return MoveInput(reason=say(error.text, language))
    return MoveInput(reason=answer.reason)


def find_move(position: Position, written: str) -> Move | None:
    """Return the legal move or interrupt with exactly this text, if there is one."""
    try:
        return position.find(written)
    except IllegalMove:
        return None


def token_words(position: Position, language: str) -> dict[str, str]:
    """Return the meaning of the first tokens of legal moves, for those that the game's catalogue explains."""
    name = position.variant.game.name
    known = {**catalogue(name, "en"), **catalogue(name, language)}
    first = dict.fromkeys(spelling[0] for move in position.legal_moves for spelling in move.spellings)
    return {token: say(text(f"{name}.token.{token}"), language) for token in first if f"token.{token}" in known}


def completions(position: Position, pending: Sequence[str], before: str, word: str) -> list[str]:
    """Return the completions of the word at the cursor, for the Tab key.

    Tokens come first; where no token fits, whole move texts that begin with the word.
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
