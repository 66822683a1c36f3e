"""Hints: the best move, and in a sentence why."""

import threading
from dataclasses import dataclass

from triskele.core.contract import CHANCE
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.core.words import Text, say, text
from triskele.engines.engine import Engine, Info, Limits
from triskele.engines.levels import part_of
from triskele.engines.registry import BEST
from triskele.engines.simple import View, asked_about, kept_engine

_ALTERNATIVES = 8
"""How many other moves are tried to see whether they lose at once."""
_GLANCE = Limits(seconds=0.03, nodes=4000)
_EVEN, _CLEAR = 0.2, 0.6
_SHORT = 12
"""A proven end within so many decisions is worth counting."""


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

    In a game with secrets the hint comes from what that seat may know; a view is as good as a position.
    """
    position, seat = asked_about(position, seat)
    legal = position.legal_moves
    if len(legal) == 1 and position.turn != CHANCE:
        return Hint(legal[0], text("engines.hint-only"), None)
    player = kept_engine(position, engine)
    info: Info | None = None
    for info in player.analyse(position, Limits(seconds=seconds, level=level), stop, seat):  # noqa: B007
        pass
    assert info is not None  # an engine says something at least once
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
    remark = getattr(part_of(position.variant.game, "evaluation"), "remark", None)
    if remark is not None:
        said: Text | None = remark(position.variant.options, position.state, _codes(position, info), seat)
        if said is not None:
            return said
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


def _winning(position: Position, info: Info, seat: int) -> Text:
    line = position.copy()
    for written in info.lines[0]:
        if line.turn != seat:
            break
        line.push(written)
    outcome = line.outcome()
    if outcome is not None and seat in outcome.winners:
        return text("engines.hint-wins")
    assert info.proven is not None
    return text("engines.hint-wins-in", n=info.proven) if info.proven <= _SHORT else text("engines.hint-winning")


def _others_lose(player: Engine, position: Position, info: Info, seat: int) -> bool:
    """Return whether most other moves would let somebody else win in his next turn."""
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
    seen: Info | None = None
    for seen in player.analyse(after, _GLANCE):  # noqa: B007
        pass
    return seen is not None and seen.proven is not None and seen.proven <= 4 and seen.scores[turn] == 1.0
