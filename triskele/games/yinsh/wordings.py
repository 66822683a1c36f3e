"""Moves of YINSH in words, for lists of moves.

A point where a ring is put, ``e1``, and a ring's way, ``e1-e2``, read by themselves.
"""

from triskele.core.wordings import Wording

_POINT = r"[a-k]\d{1,2}"

WORDINGS = (
    Wording(rf"x(?P<first>{_POINT})-(?P<last>{_POINT})", "yinsh.move.row"),
    Wording(rf"x(?P<point>{_POINT})", "yinsh.move.ring"),
    Wording("pass", "yinsh.move.pass"),
)
