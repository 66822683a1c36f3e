"""Records: a whole game as one JSON document, and back to its positions.

::

    {
     "format": "triskele-record/1",
     "game": "trypsylon",
     "options": {"columns": 5, …},              all options, in full
     "rules": 1,                                 the version of the game's rules
     "house_rules": {"repetition": 3},           the options that no rulebook has, named once more
     "seats": ["Ann", "engine, level 3"],
     "date": "2026-03-13T18:56:00Z",             or just the day; may be left out
     "clock": "5+3",                             see :mod:`triskele.core.time_control`; left out without one
     "moves": [{"text": "b3", "seat": 0, "ms": 5400, "charged": 5310}, …],
     "resigned": [{"seat": 2, "at": 31, "level": 5}],  seats that gave up in a game that went on, for which an engine
                                                 of a level played after so many moves; left out without any. With
                                                 "why": "time" or "left", perhaps "until" when they came back
     "ended": {"kind": "resign", "seat": 1},     an end outside the rules; left out without one
     "outcome": {"winners": [0], "scores": [1.0, -1.0], "reason": "resign"},
     "dice": {…},                                see :mod:`triskele.core.dice`; left out without dice
     "viewer": "spectator"                       see :class:`Record`; left out of a complete record
    }

A roll's seat is ``"chance"``; ``ms``, the time it took, may be left out, and so may ``charged``, what it cost the
clock that ran (:mod:`triskele.core.record_clocks` has all clocks from it); ``outcome`` is ``null`` while the game
goes on. Reading takes nothing on trust: :meth:`Record.from_json` checks the form, and
:meth:`Record.replay` that the moves are legal and lead to the outcome that is stated.
"""

import datetime
import json
import os
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from triskele.core.contract import CHANCE
from triskele.core.document import Item, read_json, refused_at, shown
from triskele.core.errors import IllegalMove, OptionError, RecordError
from triskele.core.files import read_limited, write_atomic
from triskele.core.game import Variant, game
from triskele.core.moves import Outcome
from triskele.core.options import Value
from triskele.core.position import Position
from triskele.core.record_parts import (
    MOVES_LIMIT,
    NAME_LIMIT,
    RESIGNED_LIMIT,
    TEXT_LIMIT,
    DiceBlock,
    Ended,
    RecordedMove,
    Resigned,
    final_outcome,
    for_each_seat,
    outcome_document,
    read_outcome,
)
from triskele.core.time_control import NO_CLOCK, TimeControl
from triskele.core.words import text

FORMAT = "triskele-record/1"
BYTES_LIMIT = 16 * 1024 * 1024
"""Larger records are neither read nor written."""
SPECTATOR = "spectator"

_VALUES_LIMIT = 6 * MOVES_LIMIT
_DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?", re.ASCII)
_REQUIRED = frozenset(("format", "game", "options", "rules", "house_rules", "seats", "moves", "outcome"))
_OPTIONAL = frozenset(("date", "clock", "resigned", "ended", "dice", "viewer"))


@dataclass(frozen=True)
class Record:
    """A game, finished or in progress. Make one with :meth:`of` or :meth:`from_json`, which check it.

    ``viewer`` is ``None`` in a complete record. A complete record of a game in progress tells every
    secret: it is for whoever keeps the game, not for its players. What a player may have has a
    ``viewer``, a seat or ``"spectator"``: hidden moves stand there as that viewer saw them, and so it
    cannot be replayed.
    """

    game: str
    options: Mapping[str, Value]
    rules: int
    house_rules: Mapping[str, Value]
    seats: tuple[str, ...]
    moves: tuple[RecordedMove, ...]
    outcome: Outcome | None = None
    date: str | None = None
    ended: Ended | None = None
    dice: DiceBlock | None = None
    viewer: int | str | None = None
    resigned: tuple[Resigned, ...] = ()
    clock: TimeControl = NO_CLOCK

    # --- making one ----------------------------------------------------------------------------

    @staticmethod
    def of(
        position: Position,
        *,
        seats: Sequence[str] = (),
        date: str | None = "now",
        times: Sequence[int | None] | None = None,
        ended: Ended | None = None,
        dice: DiceBlock | None = None,
        viewer: int | str | None = None,
        resigned: Sequence[Resigned] = (),
        clock: TimeControl = NO_CLOCK,
        charged: Sequence[int | None] | None = None,
    ) -> "Record":
        """Return the record of a position's game; the position must have come from the start of it.

        ``seats`` are names (``?`` for each by default), ``times`` the milliseconds of each move,
        ``ended`` an end outside the rules, ``resigned`` the seats that gave up and were played on, ``clock`` the time
        control and ``charged`` the milliseconds that each move cost the clock which ran before it. With a
        ``viewer`` the record of a game in progress tells only what that seat, or a ``"spectator"``, may know.
        ``RecordError`` says what does not fit.
        """
        variant = position.variant
        first = position.copy()
        for _ in position.moves:
            first.pop()
        if first != Position(variant):
            raise RecordError(text("core.record-not-from-start"))
        outcome = position.outcome()
        if ended is not None:
            if outcome is not None:
                raise refused_at("ended", text("core.record-over-before"))
            outcome = ended.outcome(variant.seats)
        outcome = final_outcome(outcome, ended, resigned)
        if viewer is None or outcome is not None:
            viewer = None  # a finished game hides nothing
            texts = [move.text for move in position.moves]
        else:
            texts = position.moves_seen_by(None if viewer == SPECTATOR else _seat_number(viewer))
        nothing = [None] * len(texts)
        made = zip(texts, position.movers, times or nothing, charged or nothing, strict=True)
        names = tuple(seats) or ("?",) * variant.seats
        if date == "now":
            date = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        record = Record(
            game=variant.game.name,
            options=dict(variant.options),
            rules=variant.game.rules_module.VERSION,
            house_rules=_house_rules(variant),
            seats=names,
            moves=tuple(RecordedMove(text, mover, ms, charged=cost) for text, mover, ms, cost in made),
            outcome=outcome,
            date=date,
            ended=ended,
            dice=dice,
            viewer=viewer if variant.game.hidden else None,
            resigned=tuple(resigned),
            clock=clock,
        )
        return _record(Item(record.document()))

    @staticmethod
    def from_json(data: str | bytes) -> "Record":
        """Read a record from anywhere. ``RecordError`` names the place that is wrong, and why.

        This checks the form only: whether the moves are legal, :meth:`replay` says.
        """
        return _record(read_json(data, BYTES_LIMIT, _VALUES_LIMIT))

    # --- the other way -------------------------------------------------------------------------

    def document(self) -> dict[str, Any]:
        """Return the record as plain data, in the order in which it is written."""
        outcome = None if self.outcome is None else outcome_document(self.outcome)
        document = {
            "format": FORMAT,
            "game": self.game,
            "options": dict(self.options),
            "rules": self.rules,
            "house_rules": dict(self.house_rules),
            "seats": list(self.seats),
            "date": self.date,
            "clock": str(self.clock) if self.clock else None,
            "moves": [{**m.document(), "tag": m.tag} if m.tag else m.document() for m in self.moves],
            "resigned": [each.document() for each in self.resigned] or None,
            "ended": None if self.ended is None else self.ended.document(),
            "outcome": outcome,
            "dice": None if self.dice is None else self.dice.document(),
            "viewer": self.viewer,
        }
        return {key: value for key, value in document.items() if value is not None or key in _REQUIRED}

    def to_json(self) -> str:
        """Return the record as JSON, a line for each key and each move. Equal records give equal texts."""
        lines = []
        for key, value in self.document().items():
            if key == "moves" and value:
                inner = ",\n  ".join(_line(move) for move in value)
                lines.append(f' "moves": [\n  {inner}\n ]')
            else:
                lines.append(f" {_line(key)}: {_line(value)}")
        written = "{\n" + ",\n".join(lines) + "\n}\n"
        if len(written.encode()) > BYTES_LIMIT:
            raise RecordError(text("core.json-too-large", limit=BYTES_LIMIT))
        return written

    def _repr_html_(self) -> str:
        from triskele.core.notebook import record_html

        return record_html(self)

    # --- replaying -----------------------------------------------------------------------------

    @property
    def variant(self) -> Variant:
        """The game with the record's options."""
        return game(self.game).variant(self.options)

    def positions(self) -> Iterator[Position]:
        """Yield the position at the start and after each move: one object that moves on; copy it to keep it.

        ``RecordError`` names the first move that fails, and why, or says that the end is not as stated.
        """
        if self.viewer is not None:
            raise RecordError(text("core.record-only-seen"))
        position = Position(self.variant)
        yield position
        for number, move in enumerate(self.moves):
            self._push(position, number, move)
            yield position
        self._check_end(position)

    def replay(self) -> Position:
        """Return the last position, with all moves made and everything checked, as in :meth:`positions`."""
        return deque(self.positions(), maxlen=1)[0]

    def _push(self, position: Position, number: int, move: RecordedMove) -> None:
        try:
            found = position.find(move.text)
        except IllegalMove as error:
            why = text("core.record-move", number=number + 1, why=error.text)
            raise refused_at(f"moves[{number}].text", why) from None
        mover = position.mover(found)
        if mover != move.seat:
            names = {"mover": _seat_text(mover), "stated": _seat_text(move.seat)}
            raise refused_at(f"moves[{number}].seat", text("core.record-mover", number=number + 1, **names))
        position.push(found)

    def _check_end(self, position: Position) -> None:
        reached = position.outcome()
        if self.ended is not None:
            if reached is not None:
                raise refused_at("ended", text("core.record-over-before"))
            reached = self.ended.outcome(position.variant.seats)
        reached = final_outcome(reached, self.ended, self.resigned)
        if reached != self.outcome:
            both = {"reached": _outcome_text(reached), "stated": _outcome_text(self.outcome)}
            raise refused_at("outcome", text("core.record-outcome", **both))


def load(path: str | os.PathLike[str], *, check: bool = True) -> Record:
    """Read a record from a file and check it to the end: whatever is complete replays.

    Without ``check`` only its form is checked. ``FileError`` or ``RecordError`` says what is wrong.
    """
    record = Record.from_json(read_limited(path, BYTES_LIMIT))
    if check and record.viewer is None:
        record.replay()
    return record


def save(record: Record, path: str | os.PathLike[str]) -> None:
    """Write a record to a file, wholly or not at all. ``FileError`` says why it cannot be."""
    write_atomic(path, record.to_json())


# --- small pieces ---------------------------------------------------------------------------------


def _seat_number(viewer: int | str) -> int:
    if not isinstance(viewer, int):
        raise refused_at("viewer", text("core.record-viewer"))
    return viewer


def _house_rules(variant: Variant) -> dict[str, Value]:
    return {name: variant.options[name] for name in variant.game.house_rules}


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _outcome_text(outcome: Outcome | None) -> str:
    return "null" if outcome is None else _line(outcome_document(outcome))


def _seat_text(seat: int) -> str:
    return '"chance"' if seat == CHANCE else str(seat)


# --- reading --------------------------------------------------------------------------------------


def _record(root: Item) -> Record:
    if not isinstance(root.value, dict) or not isinstance(root.value.get("format"), str):
        raise RecordError(text("core.record-foreign", format=FORMAT))
    if root.value["format"] != FORMAT:
        stated = shown(root.value["format"])
        raise refused_at("format", text("core.record-format", stated=stated, format=FORMAT))
    items = root.fields(_REQUIRED, _OPTIONAL)
    variant = _read_variant(items["game"], items["options"])
    _check_versions(variant, items["rules"], items["house_rules"])
    record = Record(
        game=variant.game.name,
        options=dict(variant.options),
        rules=variant.game.rules_module.VERSION,
        house_rules=_house_rules(variant),
        seats=tuple(item.string(NAME_LIMIT) for item in for_each_seat(items["seats"], variant.seats)),
        moves=tuple(RecordedMove.read(item, variant.seats) for item in items["moves"].items(MOVES_LIMIT)),
        outcome=None if items["outcome"].value is None else read_outcome(items["outcome"], variant.seats),
        date=_read_date(items["date"]) if "date" in items else None,
        ended=Ended.read(items["ended"], variant.seats) if "ended" in items else None,
        dice=DiceBlock.read(items["dice"], variant.seats) if "dice" in items else None,
        viewer=_read_viewer(items["viewer"], variant.seats) if "viewer" in items else None,
        resigned=_read_resigned(items["resigned"], variant.seats, items["moves"]) if "resigned" in items else (),
        clock=_read_clock(items["clock"]) if "clock" in items else NO_CLOCK,
    )
    _check_together(record)
    return record


def _read_variant(name: Item, options: Item) -> Variant:
    try:
        declared = game(name.string(TEXT_LIMIT))
    except OptionError as error:
        raise name.refused(error.text) from None
    chosen = options.fields(frozenset(option.name for option in declared.options))
    for item in chosen.values():
        if not isinstance(item.value, bool | int):
            item.string(TEXT_LIMIT)
    try:
        return declared.variant({key: item.value for key, item in chosen.items()})
    except OptionError as error:
        raise options.refused(error.text) from None


def _check_versions(variant: Variant, rules: Item, house_rules: Item) -> None:
    stated = rules.integer(0, 10**9)
    known = variant.game.rules_module.VERSION
    if stated != known:
        raise rules.refused(text("core.record-version", game=variant.game.title, stated=stated, known=known))
    expected = _house_rules(variant)
    for key, item in house_rules.fields(expected.keys()).items():
        if type(item.value) is not type(expected[key]) or item.value != expected[key]:
            raise item.refused(text("core.record-house-rule", value=_line(expected[key])))


def _read_date(date: Item) -> str:
    written = date.string(TEXT_LIMIT)
    try:
        if _DATE.fullmatch(written):
            datetime.datetime.fromisoformat(written)
            return written
    except ValueError:
        pass
    raise date.refused(text("core.record-date"))


def _read_viewer(viewer: Item, seats: int) -> int | str:
    if viewer.value == SPECTATOR:
        return SPECTATOR
    if isinstance(viewer.value, str):
        raise viewer.refused(text("core.record-viewer"))
    return viewer.integer(0, seats - 1)


def _read_clock(clock: Item) -> TimeControl:
    try:
        return TimeControl.parse(clock.string(TEXT_LIMIT))
    except OptionError as error:
        raise clock.refused(error.text) from None


def _read_resigned(resigned: Item, seats: int, moves: Item) -> tuple[Resigned, ...]:
    found = tuple(Resigned.read(item, seats) for item in resigned.items(RESIGNED_LIMIT))
    numbers = [each.at for each in found]
    too_late = any(max(each.at, each.until or 0) > len(moves.items(MOVES_LIMIT)) for each in found)
    back: dict[int, int | None] = {}
    twice = False
    for each in found:
        came = back.get(each.seat, 0)
        twice = twice or came is None or each.at < came
        back[each.seat] = each.until
    if not found or twice or numbers != sorted(numbers) or too_late:
        raise resigned.refused(text("core.record-resigned"))
    return found


def _check_together(record: Record) -> None:
    """Check what one part of a record says about another, as far as no rule is needed."""
    secret = record.dice.secret if record.dice else ""
    if record.outcome is None:
        if record.ended is not None:
            raise refused_at("outcome", text("core.record-no-outcome"))
        if secret:
            raise refused_at("dice.secret", text("core.record-secret-early"))
    elif record.viewer is not None:
        raise refused_at("viewer", text("core.record-viewer-late"))
    if not secret:
        for number, move in enumerate(record.moves):
            if move.tag:
                raise refused_at(f"moves[{number}].tag", text("core.record-tag"))
