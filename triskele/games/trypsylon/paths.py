"""Paths of TRYPSYLON: whether a side has joined its shores, and how many cards it is away from that.

Cards are four planes, that is bit sets of cells: one for each corner that a card's diagonal arm can point into.
"""

from triskele.core.bits import popcount
from triskele.games.trypsylon.rules import SOUTH, SPAN, STRIDE, WEST, diagonals, grown, live_points


def joins(ne: int, se: int, sw: int, nw: int, board: int, columns: int, rows: int, side: int) -> bool:
    """Return whether the beaches (side 0) or the meadows (side 1) are joined: the rules' test for one side."""
    dne, dse, dsw, dnw = diagonals(ne, se, sw, nw, live_points(ne | se | sw | nw, board))
    eastern = sw | nw
    western = ne | se
    northern = se | sw
    southern = ne | nw
    if side == 0:
        found = WEST & (western | dnw | dsw)
        goal = WEST << (columns - 1) & (eastern | dne | dse)
    else:
        found = SOUTH & (southern | dsw | dse)
        goal = SOUTH << STRIDE * (rows - 1) & (northern | dne | dnw)
    if goal == 0 or found == 0:
        return False
    across = eastern & (western >> 1)
    upward = northern & (southern >> STRIDE)
    while True:
        more = grown(found, across, upward, dne, dse, dsw, dnw)
        if more & goal != 0:
            return True
        if more == found:
            return False
        found = more


MAX_DISTANCE = 7
"""Longer distances count as this one."""


def path_distance(ne: int, se: int, sw: int, nw: int, board: int, columns: int, rows: int, side: int) -> int:
    """Return how many cards a side would have to replace to join its shores, times 64, plus the number of ways.

    A breadth-first search: the cards joined to the first shore, then the cells where one more card with all arms would
    be joined to those, what that is joined to on its other side, and so on to the second shore.
    """
    firm = ne | se | sw | nw | (SPAN & ~board)
    low = firm & firm >> 1
    high = (firm >> STRIDE) & (firm >> STRIDE + 1)
    live = low & high
    # Points that lack one face-up card to be live.
    nearly = (low & (firm >> STRIDE | firm >> STRIDE + 1) | high & (firm | firm >> 1)) & ~live
    dne, dse, dsw, dnw = diagonals(ne, se, sw, nw, live)
    eastern = sw | nw
    western = ne | se
    northern = se | sw
    southern = ne | nw
    across = eastern & (western >> 1)
    upward = northern & (southern >> STRIDE)
    if side == 0:
        shore = WEST & board
        beyond = WEST << (columns - 1) & board
        found = shore & (western | dnw | dsw)
        goal = beyond & (eastern | dne | dse)
    else:
        shore = SOUTH & board
        beyond = SOUTH << STRIDE * (rows - 1) & board
        found = shore & (southern | dsw | dse)
        goal = beyond & (northern | dne | dnw)
    wild = 0
    used = 0
    reached = shore
    for level in range(MAX_DISTANCE):
        while True:
            more = grown(found, across, upward, dne, dse, dsw, dnw)
            if more == found:
                break
            found = more
        ways = popcount(found & goal) + popcount(wild & beyond)
        if ways > 0:
            return level << 6 | min(ways, 63)
        # Where could one more card go on from here?
        reached |= (found & eastern) << 1 | (found & western) >> 1
        reached |= (found & northern) << STRIDE | (found & southern) >> STRIDE
        points = (found & ne) | (found & se) >> STRIDE | (found & sw) >> STRIDE + 1 | (found & nw) >> 1
        whole = points & live
        reached |= whole | whole << 1 | whole << STRIDE | whole << STRIDE + 1
        part = points & nearly
        reached |= (part | part << 1 | part << STRIDE | part << STRIDE + 1) & ~firm
        reached |= wild << 1 | wild >> 1 | wild << STRIDE | wild >> STRIDE
        wild = reached & board & ~(found | used)
        used |= wild
        reached = 0
        # And what would it be joined to?
        down = wild & ~firm
        points = (wild | wild >> 1 | wild >> STRIDE | wild >> STRIDE + 1) & live
        points |= (down | down >> 1 | down >> STRIDE | down >> STRIDE + 1) & nearly
        found |= wild << 1 & western | wild >> 1 & eastern | wild << STRIDE & southern | wild >> STRIDE & northern
        found |= (points & ne) | (points << STRIDE & se) | (points << STRIDE + 1 & sw) | (points << 1 & nw)
    return MAX_DISTANCE << 6
