"""The rules of TRYPTIC, as the contract in :mod:`triskele.core.contract` asks for them.

Hexes are numbered 0 to 60 row by row (a1 … a5, b1 … i9), colours 0 to 4 (blue, green, red, white,
yellow: the alphabet's order), patterns 0 to 74 in the order of their texts. The state, word by word::

    0             words in use, always SIZE
    PLAYERS       seats in this game
    GOAL          points that win
    STAGE         CHOOSING, OPEN, CHALLENGED, PLACED or ENDED
    TURN          the seat to act (to choose its pattern, or whose turn it is); 0 when over
    IN            bit set of the seats still in
    PASSED        bit set of the seats that have passed in a row on a full board
    GONE          bit set of the colours of which no tile is left: everybody sees an empty pile
    REASON        how the game ended, WINNERS who won it (a bit set); both 0 while it is on
    EMPTY         bit set of the empty hexes
    PATTERN       for each seat its pattern plus one; 0: not chosen yet, or not known to this viewer
    CHANGE        for each seat the points won and lost by challenges
    WRONG         for each seat two words, a bit set of the 75 guesses at its pattern that were wrong
    USED          for each colour the tiles on the board
    CELL          for each hex its colour plus one, 0 when empty; one more word, always 0: off the board
    SHOWN         how often each pattern stands on the board, at SHOWN + pattern + 1; SHOWN itself stays 0

All of it but PATTERN is public, so hiding is clearing words of PATTERN. Apart from GONE, nothing
public is worked out from patterns, and GONE is worked out when a tile is placed and then kept. An
unknown pattern has no points and equals no guess: who wants to play on from a redacted state puts
likely patterns into it first.
"""

import numpy as np

from triskele.core.bits import ctz, popcount, select
from triskele.core.contract import OVER, Moves, Scores, State

VERSION = 1
LOG = 0
REASONS = ("points", "last", "full")
POINTS, LAST, FULL = range(3)

SEATS = 5
COLOURS = 5
HEXES = 61
PATTERNS = 75
TILES = 30
"""Tiles of each colour, those in patterns included (P2, P3)."""

# Codes of moves, and how many there can be at once: places and challenges of an open turn, and the announcement.
PLACE = PATTERNS
CHALLENGE = PLACE + COLOURS * HEXES
END = CHALLENGE + SEATS * PATTERNS
ANNOUNCE = END + 1
GIVE_UP = ANNOUNCE + SEATS
ACTIONS = GIVE_UP + SEATS
MOVES = COLOURS * HEXES + (SEATS - 1) * PATTERNS + 1

PLAYERS = 1
GOAL = 2
STAGE = 3
TURN = 4
IN = 5
PASSED = 6
GONE = 7
REASON = 8
WINNERS = 9
EMPTY = 10
PATTERN = 11
CHANGE = PATTERN + SEATS
WRONG = CHANGE + SEATS
USED = WRONG + 2 * SEATS
CELL = USED + COLOURS
SHOWN = CELL + HEXES + 1
SIZE = SHOWN + PATTERNS + 1

CHOOSING = 0
"""A seat chooses its pattern (P3)."""
OPEN = 1
"""A turn in which nothing has been done yet."""
CHALLENGED = 2
"""The challenge of the turn is used, the tile is still to be placed (P4)."""
PLACED = 3
"""The tile is placed, a challenge may still follow (P4)."""
ENDED = 4

WRONG_BITS = 40
"""Guesses in the first of the two WRONG words; the others are in the second."""

ROWS = ((1, 5), (1, 6), (1, 7), (1, 8), (1, 9), (2, 9), (3, 9), (4, 9), (5, 9))
"""First and last number of each row, a to i (P1)."""

FULL_BOARD = (1 << HEXES) - 1
ALL_COLOURS = (1 << COLOURS) - 1


def _near() -> np.ndarray:
    """Return for each hex, on each of three lines, the hexes two before, one before, one and two after."""
    points = [(row, number) for row, (low, high) in enumerate(ROWS) for number in range(low, high + 1)]
    index = {point: i for i, point in enumerate(points)}
    table = np.full((HEXES, 12), HEXES, dtype=np.int64)
    for (row, number), i in index.items():
        for line, (up, right) in enumerate(((0, 1), (1, 0), (1, 1))):
            for slot, steps in enumerate((-2, -1, 1, 2)):
                table[i, 4 * line + slot] = index.get((row + up * steps, number + right * steps), HEXES)
    return table


def _patterns() -> np.ndarray:
    """Return the colours of each pattern, in the order of their texts: the smaller of both directions."""
    triples = [(a, b, c) for a in range(COLOURS) for b in range(COLOURS) for c in range(COLOURS)]
    return np.array([triple for triple in triples if triple <= triple[::-1]], dtype=np.int64)


def _pattern_of() -> np.ndarray:
    """Return for three cells in a row, as a number to base 6, the pattern they show plus one; 0 for none."""
    table = np.zeros(6**3, dtype=np.int64)
    for i, (a, b, c) in enumerate((PATTERN_COLOURS + 1).tolist()):
        table[a * 36 + b * 6 + c] = table[c * 36 + b * 6 + a] = i + 1
    return table


def _pattern_tiles() -> np.ndarray:
    """Return how many tiles of each colour a pattern holds; row 0 is the unknown pattern."""
    table = np.zeros((PATTERNS + 1, COLOURS), dtype=np.int64)
    for i, triple in enumerate(PATTERN_COLOURS.tolist()):
        for colour in triple:
            table[i + 1, colour] += 1
    return table


NEAR = _near()
PATTERN_COLOURS = _patterns()
PATTERN_OF = _pattern_of()
PATTERN_TILES = _pattern_tiles()


def start(state: State, options: Moves) -> None:
    """Set up an empty board; the first seat is to choose its pattern."""
    state[0] = SIZE
    state[PLAYERS] = options[0]
    state[GOAL] = options[1]
    state[IN] = (1 << options[0]) - 1
    state[EMPTY] = FULL_BOARD


def actor(state: State) -> int:
    """Return the seat to act or ``OVER``."""
    return OVER if state[STAGE] == ENDED else int(state[TURN])


def points(state: State, seat: int) -> int:
    """Return the points of a seat whose pattern is known (P5, P7)."""
    return int(state[SHOWN + state[PATTERN + seat]] + state[CHANGE + seat])


def has_points(state: State, seat: int) -> bool:
    """Whether a seat would win by announcing; never for an unknown pattern."""
    pattern = state[PATTERN + seat]
    return bool((pattern > 0) & (state[SHOWN + pattern] + state[CHANGE + seat] >= state[GOAL]))


def legal(state: State, moves: Moves) -> int:
    """Fill ``moves``: patterns while choosing; else tiles, challenges, the end of the turn, announcing."""
    stage = state[STAGE]
    n = 0
    if stage == ENDED:
        return 0
    if stage == CHOOSING:
        for pattern in range(PATTERNS):
            moves[pattern] = pattern
        return PATTERNS
    turn = state[TURN]
    empty = state[EMPTY]
    if stage != PLACED:
        for colour in range(COLOURS):
            if not state[GONE] >> colour & 1:
                rest = empty
                while rest:
                    moves[n] = PLACE + colour * HEXES + ctz(rest)
                    rest &= rest - 1
                    n += 1
    if stage != CHALLENGED:
        for seat in range(state[PLAYERS]):
            if seat != turn and state[IN] >> seat & 1:
                for pattern in range(PATTERNS):
                    moves[n] = CHALLENGE + seat * PATTERNS + pattern
                    n += 1
    if stage == PLACED or empty == 0:
        moves[n] = END
        n += 1
    moves[n] = ANNOUNCE + turn
    return n + 1


def count(state: State, moves: Moves) -> int:
    """Return the number of legal moves, without listing them."""
    stage = state[STAGE]
    if stage == ENDED:
        return 0
    if stage == CHOOSING:
        return PATTERNS
    empty = state[EMPTY]
    n = 1
    if stage != PLACED:
        n += popcount(ALL_COLOURS & ~state[GONE]) * popcount(empty)
    if stage != CHALLENGED:
        n += (popcount(state[IN]) - 1) * PATTERNS
    if stage == PLACED or empty == 0:
        n += 1
    return n


def _nth_place(state: State, k: int) -> int:
    """Return placing move ``k`` of the turn: colour by colour, hex by hex."""
    hexes = popcount(state[EMPTY])
    colour = select(ALL_COLOURS & ~state[GONE], k // hexes)
    return int(PLACE + colour * HEXES + select(state[EMPTY], k % hexes))


def nth(state: State, moves: Moves, k: int) -> int:
    """Return legal move ``k``, in the order of :func:`legal`."""
    stage = state[STAGE]
    if stage == CHOOSING:
        return k
    turn = state[TURN]
    if stage != PLACED:
        places = popcount(ALL_COLOURS & ~state[GONE]) * popcount(state[EMPTY])
        if k < places:
            return _nth_place(state, k)
        k -= places
    if stage != CHALLENGED:
        others = state[IN] & ~(1 << turn)
        challenges = popcount(others) * PATTERNS
        if k < challenges:
            return int(CHALLENGE + select(others, k // PATTERNS) * PATTERNS + k % PATTERNS)
        k -= challenges
    if k == 0 and (stage == PLACED or state[EMPTY] == 0):
        return END
    return int(ANNOUNCE + turn)


def interrupts(state: State, moves: Moves) -> int:
    """Fill ``moves`` with the announcements of the seats not to act, true or false (P6)."""
    n = 0
    if state[STAGE] != CHOOSING and state[STAGE] != ENDED:
        for seat in range(state[PLAYERS]):
            if seat != state[TURN] and state[IN] >> seat & 1:
                moves[n] = ANNOUNCE + seat
                n += 1
    return n


def end(state: State, reason: int, winners: int) -> None:
    """End the game; ``winners`` is a bit set, 0 for a draw."""
    state[STAGE] = ENDED
    state[TURN] = 0
    state[PASSED] = 0
    state[REASON] = reason
    state[WINNERS] = winners


def _next_turn(state: State) -> None:
    """Give the turn to the next seat that is in; on a full board on which all have passed, end the game (P10)."""
    if state[PASSED] == state[IN]:
        end(state, FULL, 0)
        return
    turn = state[TURN] + 1
    while not state[IN] >> turn & 1:
        turn = turn + 1 if turn < state[PLAYERS] else 0
    state[TURN] = turn
    state[STAGE] = OPEN


def _next_choice(state: State) -> None:
    """Let the next seat that is in choose its pattern; after the last one the first turn begins (P3)."""
    turn = state[TURN] + 1
    while turn < state[PLAYERS] and not state[IN] >> turn & 1:
        turn += 1
    if turn == state[PLAYERS]:
        state[STAGE] = OPEN
        turn = ctz(state[IN])
    state[TURN] = turn


def _put_out(state: State, seat: int) -> None:
    """Take a seat out of the game; the last one in wins (P8)."""
    state[IN] &= ~(1 << seat)
    state[PASSED] &= state[IN]
    if state[IN] & (state[IN] - 1) == 0:
        end(state, LAST, state[IN])


def place(state: State, colour: int, target: int) -> None:
    """Put a tile on a hex and count the patterns that it completes (P5)."""
    here = colour + 1
    state[CELL + target] = here
    state[EMPTY] &= ~(1 << target)
    for line in range(0, 12, 4):
        a = state[CELL + NEAR[target, line]]
        b = state[CELL + NEAR[target, line + 1]]
        c = state[CELL + NEAR[target, line + 2]]
        d = state[CELL + NEAR[target, line + 3]]
        # Three cells that are not all filled show pattern 0 - 1: counted in a word that is cleared below.
        state[SHOWN + PATTERN_OF[a * 36 + b * 6 + here]] += 1
        state[SHOWN + PATTERN_OF[b * 36 + here * 6 + c]] += 1
        state[SHOWN + PATTERN_OF[here * 36 + c * 6 + d]] += 1
    state[SHOWN] = 0
    used = state[USED + colour] + 1
    state[USED + colour] = used
    if used >= TILES - 3 * SEATS:
        for seat in range(state[PLAYERS]):
            used += PATTERN_TILES[state[PATTERN + seat], colour]
        if used >= TILES:
            state[GONE] |= 1 << colour


def _challenge(state: State, target: int, guess: int) -> None:
    """Guess a pattern (P7), which ends the turn unless a tile is still to be placed."""
    turn = state[TURN]
    state[PASSED] = 0
    if state[PATTERN + target] == guess + 1:
        state[CHANGE + turn] += 2
        _put_out(state, target)
    else:
        state[CHANGE + turn] -= 1
        state[CHANGE + target] += 1
        second = guess // WRONG_BITS
        state[WRONG + 2 * target + second] |= 1 << (guess - second * WRONG_BITS)
    if state[STAGE] == PLACED or (state[STAGE] == OPEN and state[EMPTY] == 0):
        _next_turn(state)
    elif state[STAGE] == OPEN:
        state[STAGE] = CHALLENGED


def _announce(state: State, seat: int) -> None:
    """Claim to have the points: right wins, wrong is out (P6)."""
    if has_points(state, seat):
        end(state, POINTS, 1 << seat)
        return
    _put_out(state, seat)
    if state[STAGE] == ENDED:
        return
    # With this seat gone, those left may all have passed (P10), or the turn is another's.
    if seat == state[TURN] or state[PASSED] == state[IN]:
        _next_turn(state)


def _give_up(state: State, seat: int) -> None:
    """Take a seat out that gives up, at any time; the others play on (P11)."""
    _put_out(state, seat)
    if state[STAGE] == ENDED:
        return
    if state[STAGE] == CHOOSING:
        if seat == state[TURN]:
            _next_choice(state)
    elif seat == state[TURN] or state[PASSED] == state[IN]:
        _next_turn(state)


def apply(state: State, move: int) -> None:
    """Make a legal move, the announcement of a seat not to act, or the resignation of a seat that is in."""
    turn = state[TURN]
    if move < PLACE:
        state[PATTERN + turn] = move + 1
        _next_choice(state)
    elif move < CHALLENGE:
        colour = (move - PLACE) // HEXES
        place(state, colour, move - PLACE - colour * HEXES)
        if state[STAGE] == CHALLENGED:
            _next_turn(state)
        else:
            state[STAGE] = PLACED
    elif move < END:
        target = (move - CHALLENGE) // PATTERNS
        _challenge(state, target, move - CHALLENGE - target * PATTERNS)
    elif move == END:
        if state[STAGE] == OPEN:
            state[PASSED] |= 1 << turn
        _next_turn(state)
    elif move < GIVE_UP:
        _announce(state, move - ANNOUNCE)
    else:
        _give_up(state, move - GIVE_UP)


def winners(state: State) -> int:
    """Return the winner as a bit set of one seat; 0 for a draw."""
    return int(state[WINNERS])


def scores(state: State, out: Scores) -> None:
    """Fill in the scores: 1.0 for those who did best, shared, and -1.0 for the others, shared.

    Best is the winner; in a draw those still in (P10). A draw with nobody out is 0 for all.
    """
    players = state[PLAYERS]
    best = state[WINNERS] if state[WINNERS] else state[IN]
    above = popcount(best)
    for seat in range(players):
        if above == players:
            out[seat] = 0.0
        elif best >> seat & 1:
            out[seat] = 1.0 / above
        else:
            out[seat] = -1.0 / (players - above)


def reason(state: State) -> int:
    """Return how the game ended, an index into ``REASONS``."""
    return int(state[REASON])


def redact(state: State, seat: int) -> None:
    """Hide the patterns of the other seats still in, as long as the game is on (P9)."""
    if state[STAGE] != ENDED:
        for other in range(state[PLAYERS]):
            if other != seat and state[IN] >> other & 1:
                state[PATTERN + other] = 0


def rollout_count(state: State, moves: Moves) -> int:
    """Return the number of random moves: whoever has the points announces, nobody challenges or bluffs.

    The seat to act announces first, then the others clockwise (P6).
    """
    stage = state[STAGE]
    if stage == CHOOSING:
        moves[0] = 0
        return PATTERNS
    turn = state[TURN]
    players = state[PLAYERS]
    for step in range(players):
        seat = turn + step
        if seat >= players:
            seat -= players
        if has_points(state, seat) and state[IN] >> seat & 1:
            moves[0] = ANNOUNCE + seat
            return 1
    if stage == PLACED or state[EMPTY] == 0:
        moves[0] = END
        return 1
    moves[0] = -1
    return popcount(ALL_COLOURS & ~state[GONE]) * popcount(state[EMPTY])


def rollout_nth(state: State, moves: Moves, k: int) -> int:
    """Return random move ``k`` right after :func:`rollout_count`, which left the first code, or -1 to place."""
    return int(moves[0] + k) if moves[0] >= 0 else _nth_place(state, k)
