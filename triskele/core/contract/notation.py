"""The contract for a game's ``notation.py``: texts of moves and positions.

``notation.py`` defines functions with the names of :class:`Notation`'s fields. The first four are required; the others
have defaults. State is the rules' array. What a function is given of it is only what the seat to act (or the
viewer) may know, so that no text can tell more.
"""

import types
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields

from triskele.core.contract.rules import State
from triskele.core.options import Options
from triskele.core.words import Text, text


@dataclass(frozen=True)
class Notation:
    """The functions of a game's ``notation.py``.

    ``move_text(options, code)``
        Return the text of a move code, exactly as the rules write it; unique in every position.
    ``move_tokens(options, code)``
        Return the ways to enter the move token by token, the usual one first. No spelling of a legal move is the
        beginning of a spelling of another one in the same position.
    ``write(options, state)``
        Return the position as one line of printable text, everything but game and options. Equal positions write
        equal texts: this text is what equality means.
    ``read(options, line, state)``
        Return the state that ``write`` wrote as ``line``; ``state`` is a fresh start to fill. Takes untrusted text:
        raises ``RecordError`` on every line that ``write`` cannot have written, naming the place.
    ``ask(options, state)``
        Return what is asked of the seat to act, in words.
    ``ask_after(options, state, tokens)``
        Return what is asked once these tokens of a move are entered, or ``None`` where it stays as it was.
    ``note(options, state, code)``
        Return what a player should know before making a move (odds, say), or ``None``.
    ``why_not(options, state, written)``
        Return why a text is not a legal move, or ``None``.
    ``why_no_token(options, state, tokens)``
        Return why the last of these tokens cannot follow, or ``None``.
    ``move_seen(options, state, code, mover, viewer)``
        Return a past move's text as a viewer may see it (``viewer`` is ``None`` for a spectator). Only games with
        secrets have it.
    ``interrupt_owner(options, code)``
        Return the seat whose interrupt a move is, or ``None``. Every game with interrupts has it.
    ``resignation(options, state, seat)``
        Return the code of the move by which a seat gives up while the others play on, or ``None`` where the rules have
        none now. It is no legal move and no interrupt: nobody is asked for it. ``interrupt_owner`` names its seat.
        Without this function an engine plays on for the seat (:func:`triskele.core.record_parts.given_up`).
    ``turn_owner(options, state)``
        Return the seat whose turn it is, where others may have to reply within it (a defence); without this function
        it is the seat to act. Clocks add their increment when it changes.
    ``reveals(options, code)``
        Return whether a move brings something hidden to light, so that it cannot be taken back.
    ``ending(options, state)``
        Return how a finished game ended, in words, or ``None`` where the words of its reason (``reason.…``) say it all.
    ``score_range(options)``
        Return the lowest and the highest score of a game that is not just won or lost.
    """

    move_text: Callable[[Options, int], str]
    move_tokens: Callable[[Options, int], tuple[tuple[str, ...], ...]]
    write: Callable[[Options, State], str]
    read: Callable[[Options, str, State], State]
    ask: Callable[[Options, State], Text] = lambda options, state: text("core.ask-move")
    ask_after: Callable[[Options, State, tuple[str, ...]], Text | None] = lambda options, state, tokens: None
    note: Callable[[Options, State, int], Text | None] = lambda options, state, code: None
    why_not: Callable[[Options, State, str], Text | None] = lambda options, state, written: None
    why_no_token: Callable[[Options, State, tuple[str, ...]], Text | None] = lambda options, state, tokens: None
    move_seen: Callable[[Options, State, int, int, int | None], str] | None = None
    interrupt_owner: Callable[[Options, int], int | None] | None = None
    resignation: Callable[[Options, State, int], int | None] | None = None
    turn_owner: Callable[[Options, State], int] | None = None
    reveals: Callable[[Options, int], bool] = lambda options, code: False
    ending: Callable[[Options, State], Text | None] = lambda options, state: None
    score_range: Callable[[Options], tuple[float, float]] | None = None

    @classmethod
    def of(cls, module: types.ModuleType) -> "Notation":
        """Return the notation that a module defines; ``AttributeError`` names a required function that is missing."""
        required = [part.name for part in fields(cls) if part.default is MISSING]
        missing = [name for name in required if not hasattr(module, name)]
        if missing:
            raise AttributeError(f"{module.__name__} does not define {', '.join(missing)}")
        return cls(**{part.name: getattr(module, part.name) for part in fields(cls) if hasattr(module, part.name)})
