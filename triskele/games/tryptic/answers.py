"""How TRYPTIC's reader draws by lot and writes its answers: the lines of a search."""

from math import sqrt

from triskele.core.bits import Rng, below
from triskele.core.contract.search_program import F_DEPTH, F_LINES, F_NODES, L_CODES, L_LENGTH, L_PROVEN
from triskele.core.mathematics import exp, log
from triskele.games.tryptic.reader_workspace import C_PICKED, C_ROWS, C_SEAT, ReaderWorkspace
from triskele.games.tryptic.rules import PLAYERS

LINES = 3
LONGEST_LINE = 2
WORD = 1 << 32


# --- chance ---------------------------------------------------------------------------------------------------


def share_of(rng: Rng) -> float:
    """Return a random number from 0 to 1."""
    return below(rng, WORD) / WORD


def gauss(rng: Rng, deviation: float) -> float:
    """Return a random number of a normal distribution around 0 (Marsaglia's polar method)."""
    if deviation <= 0.0:
        return 0.0
    while True:
        x = 2.0 * share_of(rng) - 1.0
        y = 2.0 * share_of(rng) - 1.0
        square = x * x + y * y
        if 0.0 < square < 1.0:
            return deviation * x * sqrt(-2.0 * log(square) / square)


def list_chances(ws: ReaderWorkspace, number: int, sharpness: float) -> None:
    """Fill in the softmax of the first values, not normalised."""
    most = ws.values[0]
    for i in range(number):
        most = max(most, ws.values[i])
    for i in range(number):
        ws.chances[i] = exp(sharpness * (ws.values[i] - most))


def list_order(ws: ReaderWorkspace) -> None:
    """Order the rows by their chances, the likeliest first, equal ones as they come (insertion sort)."""
    for row in range(ws.control[C_ROWS]):
        i = row
        while i > 0 and ws.chances[ws.order[i - 1]] < ws.chances[row]:
            ws.order[i] = ws.order[i - 1]
            i -= 1
        ws.order[i] = row


def pick(ws: ReaderWorkspace, number: int) -> None:
    """Pick one of the first chances at random by its weight, then the likeliest others, for the lines of an answer."""
    total = 0.0
    for i in range(number):
        total += ws.chances[i]
    left = share_of(ws.rng) * total
    drawn = 0
    while drawn < number - 1 and left >= ws.chances[drawn]:
        left -= ws.chances[drawn]
        drawn += 1
    ws.picked[0] = drawn
    ws.control[C_PICKED] = 1
    while ws.control[C_PICKED] < min(LINES, number):
        best = -1
        for i in range(number):
            if not is_picked(ws, i) and (best < 0 or ws.chances[i] > ws.chances[best]):
                best = i
        ws.picked[ws.control[C_PICKED]] = best
        ws.control[C_PICKED] += 1


def is_picked(ws: ReaderWorkspace, number: int) -> bool:
    """Return whether one is picked already."""
    found = False
    for i in range(ws.control[C_PICKED]):
        found = found or ws.picked[i] == number
    return bool(found)


# --- lines ----------------------------------------------------------------------------------------------------


def begin_answer(ws: ReaderWorkspace, depth: int, nodes: int) -> None:
    """Begin a new answer, without a line."""
    ws.found[F_DEPTH] = depth
    ws.found[F_NODES] = nodes
    ws.found[F_LINES] = 0


def add_line(ws: ReaderWorkspace, first: int, second: int, chance: float, proven: int) -> None:
    """Add a line of up to two moves (-1 for none), with the asking seat's chance to win, unless there are enough."""
    line = ws.found[F_LINES]
    if line == LINES:
        return
    ws.line_codes[line, L_LENGTH] = int(first >= 0) + int(second >= 0)
    ws.line_codes[line, L_PROVEN] = proven
    ws.line_codes[line, L_CODES] = max(0, first)
    ws.line_codes[line, L_CODES + 1] = max(0, second)
    players = ws.root[PLAYERS]
    value = chance - (1.0 - chance) / (players - 1)  # a winner has 1 and the others share -1
    for seat in range(players):
        ws.line_scores[line, seat] = value if seat == ws.control[C_SEAT] else -value / (players - 1)
    ws.found[F_LINES] = line + 1
