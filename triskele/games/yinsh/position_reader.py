"""The reader of YINSH's positions: from a text as bytes to a state, by functions that are compiled too.

It takes untrusted text and refuses what cannot be a position of the game, with the number of a reason.
"""

from triskele.core.contract import State
from triskele.core.text_buffer import TextBuffer, name_at, names, word_end
from triskele.games.yinsh.rules import (
    BIT,
    BLITZ,
    COLUMNS,
    FINISHED,
    LINE,
    MARK,
    MARKERS,
    MOVER,
    MOVING,
    OFF,
    PASSES,
    PHASE,
    PLACED,
    PLACING,
    POOL,
    REASON,
    REASONS,
    RING,
    RING_AT,
    RINGS_EACH,
    TAKING_RING,
    TAKING_ROW,
    TURN,
    WAYS,
    WHITE,
    WINNER,
    has_row,
    reach,
)

PHASES = ("place", "move", "row", "ring")
"""How the phases of a game that goes on are written, in the order of the rules."""

REFUSALS = (
    "form", "columns", "column", "rings", "markers", "phase",
    "opening", "rings-off", "goal", "mover", "no-row", "open-row", "pool", "passes",
)  # fmt: skip
"""The reasons for refusing a text, numbered from 1; the first that applies is given."""

_COLUMN_COUNT = len(COLUMNS)
_LAST_NUMBERS = tuple(high - low + 1 for low, high in COLUMNS)
_PHASE_NAMES = names(PHASES)
_END_NAMES = names(REASONS)
_BY_RINGS, _BY_POOL, _BY_PASSES = (REASONS.index(ending) for ending in ("rings", "pool", "passes"))
_SPACE, _SLASH, _HYPHEN, _EMPTY, _ZERO, _NINE = (ord(sign) for sign in " /-.09")
_WHITE_RING, _BLACK_RING, _WHITE_MARKER, _BLACK_MARKER = (ord(sign) for sign in "WBwb")
(
    _FORM, _COLUMNS, _COLUMN, _RINGS, _MARKERS, _PHASE,
    _OPENING, _RINGS_OFF, _GOAL, _MOVER, _NO_ROW, _OPEN_ROW, _POOL, _PASSES,
) = range(1, len(REFUSALS) + 1)  # fmt: skip


def read_position(text: TextBuffer, length: int, state: State) -> int:
    """Read a position into a fresh state; return 0, or the number of the reason why it is none."""
    board = word_end(text, 0, length)
    turn = board + 1
    phase = turn + 2
    phase_end = word_end(text, phase, length)
    mover = phase_end + 1
    # After the phase: "w 0-0 0".
    if length != mover + 7 or not _has_form(text, board, turn, phase, phase_end, mover):
        return _FORM
    refused = _read_board(text, board, state)
    if refused != 0:
        return refused
    state[TURN] = int(text[turn] == _BLACK_MARKER)
    state[MOVER] = int(text[mover] == _BLACK_MARKER)
    state[OFF] = text[mover + 2] - _ZERO
    state[OFF + 1] = text[mover + 4] - _ZERO
    state[PASSES] = text[mover + 6] - _ZERO
    found = name_at(text, phase, phase_end, _PHASE_NAMES)
    if found >= 0:
        state[PHASE] = found
    else:
        found = name_at(text, phase, phase_end, _END_NAMES)
        if found < 0:
            return _PHASE
        _end(state, found)
    refused = _refusal(state)
    if refused == 0 and state[PHASE] != PLACING:
        state[PLACED] = 2 * RINGS_EACH
    return refused


def _has_form(text: TextBuffer, board: int, turn: int, phase: int, phase_end: int, mover: int) -> bool:
    """Return whether the fields of a text of the right length look like those of a position."""
    if board == 0 or phase_end == phase:
        return False
    for i in range(board):
        if int(text[i]) not in (_EMPTY, _SLASH, _WHITE_RING, _BLACK_RING, _WHITE_MARKER, _BLACK_MARKER):
            return False
    for i in range(phase, phase_end):
        if not _is_word_sign(text[i]):
            return False
    return (
        _is_seat(text[turn])
        and text[turn + 1] == _SPACE
        and _is_seat(text[mover])
        and text[mover + 1] == _SPACE
        and _ZERO <= text[mover + 2] <= _NINE
        and text[mover + 3] == _HYPHEN
        and _ZERO <= text[mover + 4] <= _NINE
        and text[mover + 5] == _SPACE
        and _ZERO <= text[mover + 6] <= _NINE
    )


def _is_seat(sign: int) -> bool:
    return int(sign) in (_WHITE_MARKER, _BLACK_MARKER)


def _is_word_sign(sign: int) -> bool:
    """Return whether a byte can be part of a word: a letter, a digit or an underscore."""
    return bool(48 <= sign <= 57 or 65 <= sign <= 90 or 97 <= sign <= 122 or sign == 95)


def _read_board(text: TextBuffer, length: int, state: State) -> int:
    """Read rings and markers; return 0 or the number of a reason."""
    columns = 1
    for i in range(length):
        if text[i] == _SLASH:
            columns += 1
    if columns != _COLUMN_COUNT:
        return _COLUMNS
    point = 0
    at = 0
    white_rings = 0
    black_rings = 0
    for column in range(_COLUMN_COUNT):
        begin = at
        while at < length and text[at] != _SLASH:
            at += 1
        if at - begin != _LAST_NUMBERS[column]:
            return _COLUMN
        for i in range(begin, at):
            sign = text[i]
            if sign == _WHITE_RING:
                if white_rings < RINGS_EACH:
                    _put_ring(state, white_rings, point)
                white_rings += 1
            elif sign == _BLACK_RING:
                if black_rings < RINGS_EACH:
                    _put_ring(state, RINGS_EACH + black_rings, point)
                black_rings += 1
            elif sign != _EMPTY:
                state[POOL] -= 1
                for way in range(WAYS):
                    state[MARK + LINE[way, point]] |= 1 << BIT[way, point]
                    if sign == _WHITE_MARKER:
                        state[WHITE + LINE[way, point]] |= 1 << BIT[way, point]
            point += 1
        at += 1
    if white_rings > RINGS_EACH or black_rings > RINGS_EACH:
        return _RINGS
    state[PLACED] = white_rings + black_rings
    return _MARKERS if state[POOL] < 0 else 0


def _put_ring(state: State, slot: int, point: int) -> None:
    state[RING_AT + slot] = point
    for way in range(WAYS):
        state[RING + LINE[way, point]] |= 1 << BIT[way, point]


def _end(state: State, ending: int) -> None:
    """Make the state that of a finished game."""
    state[PHASE] = FINISHED
    state[REASON] = ending
    difference = state[OFF] - state[OFF + 1]
    state[WINNER] = -1 if difference == 0 else int(difference < 0)
    if ending == _BY_RINGS:
        state[WINNER] = state[TURN]


# --- whether it can occur ---------------------------------------------------------------------------------


def _refusal(state: State) -> int:
    """Return the number of the first reason why a position cannot occur, 0 if it can."""
    white_row = has_row(state, 0)
    black_row = has_row(state, 1)
    if not _opening_is_possible(state):
        return _OPENING
    if state[PHASE] != PLACING and not (_rings_are_possible(state, 0) and _rings_are_possible(state, 1)):
        return _RINGS_OFF
    if not _goal_is_possible(state):
        return _GOAL
    if (state[PHASE] == PLACING or state[PHASE] == MOVING) and state[TURN] != state[MOVER]:
        return _MOVER
    if not _taking_is_possible(state, white_row, black_row):
        return _NO_ROW
    # A row would have to be taken first.
    settled = state[PHASE] == MOVING or (state[PHASE] == FINISHED and state[REASON] != _BY_RINGS)
    if settled and (white_row or black_row):
        return _OPEN_ROW
    if not _pool_is_possible(state):
        return _POOL
    return 0 if _passes_are_possible(state) else _PASSES


def _rings_on_board(state: State, seat: int) -> int:
    number = 0
    for slot in range(RINGS_EACH):
        if state[RING_AT + RINGS_EACH * seat + slot] >= 0:
            number += 1
    return number


def _opening_is_possible(state: State) -> bool:
    """Return whether rings are placed in turn and nothing else happened before all are (Y2)."""
    if state[PHASE] != PLACING:
        return True
    white = _rings_on_board(state, 0)
    placed = white + _rings_on_board(state, 1)
    return bool(
        white == (placed + 1) // 2
        and state[TURN] == placed % 2
        and placed < 2 * RINGS_EACH
        and state[OFF] == 0
        and state[OFF + 1] == 0
        and state[POOL] == MARKERS
        and state[PASSES] == 0
    )


def _rings_are_possible(state: State, seat: int) -> bool:
    """Return whether all rings of a seat are on the board or taken off, once all were placed."""
    return bool(_rings_on_board(state, seat) + state[OFF + seat] == RINGS_EACH)


def _goal_is_possible(state: State) -> bool:
    """Return whether the seat to act, and no other, has reached the goal exactly when the game ended by it."""
    goal = 1 if state[BLITZ] == 1 else 3
    by_rings = state[PHASE] == FINISHED and state[REASON] == _BY_RINGS
    for seat in range(2):
        if state[OFF + seat] > goal:
            return False
        if (state[OFF + seat] == goal) != (by_rings and state[TURN] == seat):
            return False
    return True


def _taking_is_possible(state: State, white_row: bool, black_row: bool) -> bool:
    """Return whether a row or ring is taken by a seat that may: the mover's rows come first."""
    waits = state[TURN] != state[MOVER] and (white_row if state[MOVER] == 0 else black_row)
    if state[PHASE] == TAKING_ROW:
        return bool((white_row if state[TURN] == 0 else black_row) and not waits)
    return bool(state[PHASE] != TAKING_RING or not waits)


def _pool_is_possible(state: State) -> bool:
    """Return whether the pool has the markers of a row just taken, or is empty exactly when that ended the game."""
    pool = state[POOL]
    if state[PHASE] == TAKING_RING:
        return bool(pool >= 5)
    if state[PHASE] == MOVING:
        return bool(pool > 0)
    if state[PHASE] == FINISHED:
        if state[REASON] == _BY_PASSES:
            return bool(pool > 0)
        if state[REASON] == _BY_POOL:
            return bool(pool == 0)
    return True


def _passes_are_possible(state: State) -> bool:
    """Return whether there are as many passes as the phase allows, by seats that cannot move (Y12)."""
    if state[PHASE] == FINISHED and state[REASON] == _BY_PASSES:
        return bool(state[PASSES] == 2 and not can_move(state, 0) and not can_move(state, 1))
    if state[PHASE] == MOVING and state[PASSES] == 1:
        return not can_move(state, 1 - state[TURN])
    return bool(state[PASSES] == 0)


def can_move(state: State, seat: int) -> bool:
    """Return whether a seat has a ring that can move (Y12)."""
    for slot in range(RINGS_EACH):
        point = state[RING_AT + RINGS_EACH * seat + slot]
        if point >= 0:
            for way in range(WAYS):
                line = LINE[way, point]
                if reach(state[RING + line], state[MARK + line], BIT[way, point]) != 0:
                    return True
    return False
