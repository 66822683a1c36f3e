"""Completing a half-entered move: which of some moves the tokens entered so far can still become."""

from collections.abc import Iterable

from triskele.core.moves import Completion, Move


def completed(moves: Iterable[Move], entered: tuple[str, ...]) -> Completion | None:
    """Return the move whose tokens these are, or the tokens that can follow; ``None`` if no move begins like this.

    A whole move goes before longer ones that begin with the same tokens; of several, the first of ``moves``.
    """
    length = len(entered)
    following: set[str] = set()
    for move in moves:
        for spelling in move.spellings:
            if spelling[:length] == entered:
                if len(spelling) == length:
                    return Completion(move=move)
                following.add(spelling[length])
    return Completion(next=tuple(sorted(following))) if following else None
