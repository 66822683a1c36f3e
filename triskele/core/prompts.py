"""What to ask of a person while a move is half entered."""

from dataclasses import dataclass
from typing import Final

from triskele.core.words import Text

PLACE: Final = None
"""In :attr:`Prompt.after`: any token that is a place of the scene."""


@dataclass(frozen=True)
class Prompt:
    """What to ask once some tokens of a move are entered, instead of what the notation's ``ask`` says.

    A game declares its prompts in ``Game.prompts``. They are sent to the page with the declaration, so that it can ask
    for the next token without a request. A prompt applies when exactly the tokens ``after`` are entered
    (:data:`PLACE` stands for any place) and a place can follow; with ``place=False``, when none can. The first prompt
    that applies is shown; where none does, ``ask`` stays.
    """

    after: tuple[str | None, ...]
    ask: Text
    place: bool = True
