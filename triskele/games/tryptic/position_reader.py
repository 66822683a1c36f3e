"""The reader of TRYPTIC's positions: from a text as bytes to a state, by functions that are compiled too.

It takes untrusted text and refuses what no game can come to, as far as that can be told, with the number of a reason:
the field that cannot be.
"""

from triskele.core.bits import popcount
from triskele.core.contract import State
from triskele.core.text_buffer import TextBuffer, name_at, names, word_end
from triskele.games.tryptic.rules import (
    CHALLENGED,
    CHANGE,
    CHOOSING,
    COLOURS,
    EMPTY,
    ENDED,
    FULL,
    GONE,
    HEXES,
    IN,
    LAST,
    OPEN,
    PASSED,
    PATTERN,
    PATTERN_COLOURS,
    PATTERN_TILES,
    PATTERNS,
    PLACED,
    PLAYERS,
    POINTS,
    REASON,
    REASONS,
    ROWS,
    STAGE,
    TILES,
    TURN,
    USED,
    WINNERS,
    WRONG,
    WRONG_BITS,
    end,
    has_points,
    place,
)

COLOUR_LETTERS = "BGRWY"
"""The letter of each colour, by its index."""
PATTERN_TEXTS = tuple("".join(COLOUR_LETTERS[colour] for colour in triple) for triple in PATTERN_COLOURS.tolist())
"""The text of each pattern, by its index."""
HIDDEN, UNCHOSEN, NEVER_CHOSEN = "***", "---", "xxx"
"""Instead of a pattern: one that the viewer does not know, one to be chosen, that of a seat that gave up before."""
REFUSALS = ("form", "board", "patterns", "turn", "guesses", "changes", "gone", "passed")
"""The reasons for refusing a text, numbered from 1: its form, or one of its fields."""

_FORM, _BOARD, _PATTERNS, _TURN, _GUESSES, _CHANGES, _GONE, _PASSED = range(1, len(REFUSALS) + 1)
_FIELDS = 7
_ROW_LENGTHS = tuple(high - low + 1 for low, high in ROWS)
_ROW_COUNT = len(ROWS)
_ITEM = 3
"""How long the text of a pattern is, and of what stands instead of one."""
_COLOUR_NAMES = names(tuple(COLOUR_LETTERS))
_PATTERN_NAMES = names(PATTERN_TEXTS)
_SHOWN_NAMES = names(tuple(pattern.lower() for pattern in PATTERN_TEXTS))
_OTHER_NAMES = names((HIDDEN, UNCHOSEN, NEVER_CHOSEN))
_HIDDEN, _UNCHOSEN, _NEVER_CHOSEN = range(3)
_END_NAMES = names(REASONS)
_MOST_DIGITS = 9
_SLASH, _DOT, _COMMA, _AND, _NONE, _COLON, _ZERO, _NINE, _WITH_CHALLENGE, _WITH_TILE = (
    ord(sign) for sign in "/.,+-:09cp"
)


def read_position(text: TextBuffer, length: int, state: State) -> int:
    """Read a position into a fresh state; return 0, or the number of the reason why it is none."""
    spaces = 0
    at = word_end(text, 0, length)
    board_end = at
    while at < length:
        spaces += 1
        at = word_end(text, at + 1, length)
    if spaces != _FIELDS - 1:
        return _FORM
    turn = board_end + 1
    turn_end = word_end(text, turn, length)
    patterns = turn_end + 1
    patterns_end = word_end(text, patterns, length)
    changes_end = word_end(text, patterns_end + 1, length)
    guesses_end = word_end(text, changes_end + 1, length)
    gone_end = word_end(text, guesses_end + 1, length)
    if not _read_board(text, board_end, state):
        return _BOARD
    if not _read_patterns(text, patterns, patterns_end, state):
        return _PATTERNS
    if not _read_turn(text, turn, turn_end, patterns, state):
        return _TURN
    if not _read_guesses(text, changes_end + 1, guesses_end, state):
        return _GUESSES
    if not _read_changes(text, patterns_end + 1, changes_end, state):
        return _CHANGES
    if not _read_gone(text, guesses_end + 1, gone_end, state):
        return _GONE
    if not _read_passed(text, gone_end + 1, length, state):
        return _PASSED
    return 0 if _end_is_possible(state) else _TURN


def _item_end(text: TextBuffer, begin: int, end_of_field: int, sign: int) -> int:
    """Return where the item that begins at ``begin`` ends: at a sign, or with the field."""
    at = begin
    while at < end_of_field and text[at] != sign:
        at += 1
    return at


def _items(text: TextBuffer, begin: int, end_of_field: int) -> int:
    """Return how many items with commas between them a field has."""
    number = 1
    for i in range(begin, end_of_field):
        number += int(text[i] == _COMMA)
    return number


def _is_in(state: State, seat: int) -> bool:
    return bool(state[IN] >> seat & 1 == 1)


def _tiles(state: State) -> int:
    """Return how many tiles are on the board."""
    tiles = 0
    for colour in range(COLOURS):
        tiles += state[USED + colour]
    return int(tiles)


# --- fields -----------------------------------------------------------------------------------------------


def _read_board(text: TextBuffer, length: int, state: State) -> bool:
    """Read the rows a to i."""
    at = 0
    target = 0
    for row in range(_ROW_COUNT):
        if _item_end(text, at, length, _SLASH) - at != _ROW_LENGTHS[row]:
            return False
        for _ in range(_ROW_LENGTHS[row]):
            colour = name_at(text, at, at + 1, _COLOUR_NAMES)
            if colour >= 0:
                place(state, colour, target)
            elif text[at] != _DOT:
                return False
            target += 1
            at += 1
        if (at == length) != (row == _ROW_COUNT - 1):
            return False
        at += 1
    # No pattern is read yet: what has run out is told by a field of its own.
    state[GONE] = 0
    most = 0
    for colour in range(COLOURS):
        most = max(most, int(state[USED + colour]))
    return most <= TILES


def _read_patterns(text: TextBuffer, begin: int, end_of_field: int, state: State) -> bool:
    """Read what is known of each seat's pattern: in small letters that of a seat which is out."""
    players = int(state[PLAYERS])
    if _items(text, begin, end_of_field) != players:
        return False
    at = begin
    for seat in range(players):
        item_end = _item_end(text, at, end_of_field, _COMMA)
        pattern = name_at(text, at, item_end, _PATTERN_NAMES)
        shown = name_at(text, at, item_end, _SHOWN_NAMES)
        other = name_at(text, at, item_end, _OTHER_NAMES)
        if pattern >= 0:
            state[PATTERN + seat] = pattern + 1
        elif shown >= 0:
            state[PATTERN + seat] = shown + 1
            state[IN] &= ~(1 << seat)
        elif other == _NEVER_CHOSEN and players > 2:
            state[IN] &= ~(1 << seat)
        elif other not in (_HIDDEN, _UNCHOSEN):
            return False
        at = item_end + 1
    return bool(state[IN] != 0)


def _seats_with(text: TextBuffer, patterns: int, players: int, wanted: int) -> int:
    """Return the seats that have this instead of a pattern, as a bit set."""
    seats = 0
    for seat in range(players):
        begin = patterns + (_ITEM + 1) * seat
        if name_at(text, begin, begin + _ITEM, _OTHER_NAMES) == wanted:
            seats |= 1 << seat
    return seats


def _read_turn(text: TextBuffer, begin: int, end_of_field: int, patterns: int, state: State) -> bool:
    """Read whose turn it is or how the game ended, and check it against the patterns and the number of tiles."""
    players = int(state[PLAYERS])
    unchosen = _seats_with(text, patterns, players, _UNCHOSEN)
    tiles = _tiles(state)
    alone = popcount(state[IN]) == 1
    name_end = _item_end(text, begin, end_of_field, _COLON)
    ending = name_at(text, begin, name_end, _END_NAMES)
    if ending >= 0:
        winner = 0
        if name_end < end_of_field:
            winner = int(text[name_end + 1]) - _ZERO if end_of_field == name_end + 2 else 0
            if winner < 1 or winner > 5:
                return False
        hidden = _seats_with(text, patterns, players, _HIDDEN) != 0
        if hidden or (unchosen != 0 and not (alone and tiles == 0)):
            return False
        end(state, ending, 1 << (winner - 1) if winner > 0 else 0)
        return True
    if end_of_field == begin or end_of_field - begin > 2:
        return False
    seat = int(text[begin]) - _ZERO - 1
    if seat < 0 or seat > 4 or not _is_in(state, seat) or alone:
        return False
    stage = OPEN
    if end_of_field - begin == 2:
        if text[begin + 1] == _WITH_CHALLENGE:
            stage = CHALLENGED
        elif text[begin + 1] == _WITH_TILE:
            stage = PLACED
        else:
            return False
    state[TURN] = seat
    if unchosen != 0:
        state[STAGE] = CHOOSING
        # Those before it have chosen, and those who are out no longer will.
        waiting = state[IN] & ~((1 << seat) - 1)
        return bool(stage == OPEN and tiles == 0 and unchosen == waiting)
    state[STAGE] = stage
    full = tiles == HEXES
    if (stage == PLACED and tiles == 0) or (stage == CHALLENGED and full):
        return False
    # With everyone in, each turn has placed one tile, until the board was full.
    if popcount(state[IN]) == players and (not full or stage == PLACED):
        return (tiles - int(stage == PLACED)) % players == seat
    return True


def _read_guesses(text: TextBuffer, begin: int, end_of_field: int, state: State) -> bool:
    """Read the wrong guesses at each seat's pattern."""
    players = int(state[PLAYERS])
    if _items(text, begin, end_of_field) != players:
        return False
    at = begin
    for seat in range(players):
        item_end = _item_end(text, at, end_of_field, _COMMA)
        if item_end - at != 1 or text[at] != _NONE:
            number = 0
            previous = -1
            while at <= item_end:
                word_at_end = _item_end(text, at, item_end, _AND)
                guess = name_at(text, at, word_at_end, _PATTERN_NAMES)
                if guess <= previous or state[PATTERN + seat] == guess + 1 or state[STAGE] == CHOOSING:
                    return False
                second = guess // WRONG_BITS
                state[WRONG + 2 * seat + second] |= 1 << (guess - second * WRONG_BITS)
                previous = guess
                number += 1
                at = word_at_end + 1
            if number == PATTERNS:
                return False
        at = item_end + 1
    return True


def _read_changes(text: TextBuffer, begin: int, end_of_field: int, state: State) -> bool:
    """Read the points by challenges. Wrong guesses move points, right ones bring two and put someone out (P7)."""
    players = int(state[PLAYERS])
    if _items(text, begin, end_of_field) != players:
        return False
    at = begin
    total = 0
    wrong = 0
    for seat in range(players):
        item_end = _item_end(text, at, end_of_field, _COMMA)
        negative = at < item_end and text[at] == _NONE
        digits = at + int(negative)
        if item_end == digits or item_end - digits > _MOST_DIGITS:
            return False
        # No zero in front, and no minus before a zero.
        if text[digits] == _ZERO and (negative or item_end - digits > 1):
            return False
        number = 0
        for i in range(digits, item_end):
            if text[i] < _ZERO or text[i] > _NINE:
                return False
            number = 10 * number + int(text[i]) - _ZERO
        state[CHANGE + seat] = -number if negative else number
        total += int(state[CHANGE + seat])
        wrong |= state[WRONG + 2 * seat] | state[WRONG + 2 * seat + 1]
        at = item_end + 1
    out = players - popcount(state[IN])
    if total % 2 != 0 or total < 0 or total > 2 * out:
        return False
    for seat in range(players):
        change = int(state[CHANGE + seat])
        against = state[WRONG + 2 * seat] | state[WRONG + 2 * seat + 1]
        if (wrong == 0 and (change < 0 or change % 2 != 0)) or (against == 0 and change > total):
            return False
    return True


def _read_gone(text: TextBuffer, begin: int, end_of_field: int, state: State) -> bool:
    """Read which colours have run out: as the tiles tell, or as hidden patterns can explain (P3)."""
    gone = 0
    if end_of_field - begin != 1 or text[begin] != _NONE:
        previous = -1
        for i in range(begin, end_of_field):
            colour = name_at(text, i, i + 1, _COLOUR_NAMES)
            if colour <= previous:
                return False
            gone |= 1 << colour
            previous = colour
    hidden = 0
    for seat in range(state[PLAYERS]):
        chosen = state[STAGE] != ENDED and (state[STAGE] != CHOOSING or seat < state[TURN])
        hidden += int(_is_in(state, seat) and state[PATTERN + seat] == 0 and chosen)
    missing = 0
    for colour in range(COLOURS):
        left = TILES - int(state[USED + colour])
        for seat in range(state[PLAYERS]):
            left -= int(PATTERN_TILES[state[PATTERN + seat], colour])
        if left < 0 or (left == 0 and gone >> colour & 1 == 0):
            return False
        if gone >> colour & 1 == 1:
            missing += left
    state[GONE] = gone
    return missing <= 3 * hidden


def _read_passed(text: TextBuffer, begin: int, end_of_field: int, state: State) -> bool:
    """Read who has passed in a row: on a full board, the seats just before the one to act (P10)."""
    if end_of_field - begin == 1 and text[begin] == _NONE:
        return True
    if end_of_field == begin or state[STAGE] != OPEN or state[EMPTY] != 0:
        return False
    passed = 0
    for i in range(begin, end_of_field):
        seat = int(text[i]) - _ZERO - 1
        if seat < 0 or seat > 4 or passed >> seat != 0:
            return False
        passed |= 1 << seat
    players = int(state[PLAYERS])
    left = end_of_field - begin
    expected = 0
    for steps in range(1, players):
        seat = (int(state[TURN]) + players - steps) % players
        if left > 0 and _is_in(state, seat):
            expected |= 1 << seat
            left -= 1
    state[PASSED] = passed
    return left == 0 and passed == expected


def _end_is_possible(state: State) -> bool:
    """Return whether a finished game has ended as it says (P6, P8, P10)."""
    if state[STAGE] != ENDED:
        return True
    winner = -1
    for seat in range(5):
        if state[WINNERS] >> seat & 1 == 1:
            winner = seat
    alone = popcount(state[IN]) == 1
    if state[REASON] == FULL:
        return bool(winner < 0 and not alone and state[EMPTY] == 0)
    if winner < 0 or not _is_in(state, winner):
        return False
    if state[REASON] == LAST:
        return alone
    return bool(state[REASON] == POINTS and not alone and has_points(state, winner))
