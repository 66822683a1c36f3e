"""Hints: the best move, with the reason for it as a sentence."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from triskele.core.contract import CHANCE
from triskele.core.contract.engine import Engine, Info, Limits
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.core.words import Text, say, text
from triskele.engines.registry import BEST
from triskele.engines.simple import View, asked_about, kept_engine

_ALTERNATIVES = 8
"""How many other moves are searched to see whether they lose at once."""
_SHALLOW = Limits(seconds=0.03, nodes=4000)
"""The search after each of them."""
_AT_ONCE = 4
"""A win within this many decisions is a win in the next turn."""
_EVEN, _CLEAR = 0.2, 0.6
"""Scores up to which a position is even, and from which it is winning."""
_SHORT = 12
"""Up to this many decisions, a hint says how long a proven win takes."""


@dataclass(frozen=True)
class Hint:
    """A move and why it is good; ``info`` is the analysis behind it."""

    move: Move
    reason: Text
    info: Info | None

    def say(self, language: str = "en") -> str:
        """Return the hint as a sentence."""
        return say(text("engines.hint", move=self.move.text, reason=self.reason), language)

    def __str__(self) -> str:
        """Return the hint as an English sentence."""
        return self.say()


def hint(
    position: Position | View,
    seconds: float | None = None,
    *,
    level: int | None = None,
    seat: int | None = None,
    stop: threading.Event | None = None,
    engine: str = BEST,
) -> Hint:
    """Return the best move for the seat to act and the reason to make it.

    In a game with secrets the hint uses what that seat may know; a view may stand for the position.
    """
    position, seat = asked_about(position, seat)
    legal = position.legal_moves
    if len(legal) == 1 and position.turn != CHANCE:
        return Hint(legal[0], text("engines.hint-only"), None)
    player = kept_engine(position, engine)
    info = player.search(position, Limits(seconds=seconds, level=level), stop, seat)
    turn = position.turn
    assert turn is not None  # analysing a finished game has raised
    return Hint(position.find(info.move), _reason(player, position, info, turn), info)


def _reason(player: Engine, position: Position, info: Info, seat: int) -> Text:
    if position.variant.game.hidden:
        position = position.seen_by(seat)
    score = info.scores[seat]
    if info.proven is not None and score > 0:
        return _winning(position, info, seat)
    if info.proven is not None and score < 0:
        return text("engines.hint-lost", n=info.proven)
    if not position.variant.game.hidden and _others_lose(player, position, info, seat):
        return text("engines.hint-stops")
    explain = position.variant.game.evaluation.explain
    explained = explain(position.variant.options, position.state, _codes(position, info), seat)
    if explained is not None:
        return explained
    if position.variant.seats > 2:
        rival = max((s for s in range(position.variant.seats) if s != seat), key=lambda s: info.scores[s])
        if info.scores[rival] > score:
            return text("engines.hint-rival", player=rival + 1)
    if score > _CLEAR:
        return text("engines.hint-winning")
    if score > _EVEN:
        return text("engines.hint-ahead")
    return text("engines.hint-level") if score > -_EVEN else text("engines.hint-behind")


def _codes(position: Position, info: Info) -> list[int]:
    """Return the codes of the best line."""
    line = position.copy()
    for written in info.lines[0]:
        line.push(written)
    return [move.code for move in line.moves[len(position.moves) :]]


def wins_at_once(position: Position, line: Sequence[str], seat: int) -> bool:
    """Return whether a seat wins by a line before another seat decides."""
    after = position.copy()
    for written in line:
        if after.turn != seat:
            break
        after.push(written)
    outcome = after.outcome()
    return outcome is not None and seat in outcome.winners


def _winning(position: Position, info: Info, seat: int) -> Text:
    if wins_at_once(position, info.lines[0], seat):
        return text("engines.hint-wins")
    assert info.proven is not None
    return text("engines.hint-wins-in", n=info.proven) if info.proven <= _SHORT else text("engines.hint-winning")


def _others_lose(player: Engine, position: Position, info: Info, seat: int) -> bool:
    """Return whether most other moves would let another seat win in its next turn."""
    others = [move for move in position.legal_moves if move.text != info.move]
    tried = others[:: max(1, len(others) // _ALTERNATIVES)][:_ALTERNATIVES]
    lost = 0
    for move in tried:
        after = position.copy()
        after.push(move)
        lost += _loses_at_once(player, after, seat)
    return len(tried) > 0 and lost > len(tried) // 2


def _loses_at_once(player: Engine, after: Position, seat: int) -> bool:
    turn = after.turn
    if turn is None or turn in (seat, CHANCE):
        return False
    found = player.search(after, _SHALLOW)
    return found.proven is not None and found.proven <= _AT_ONCE and found.scores[turn] == 1.0
