"""Record formats of YINSH besides Triskele's own: the SGF dialect of boardspace.net."""

from triskele.core.contract.record_format import RecordFormat
from triskele.games.yinsh import boardspace

FORMATS = (RecordFormat("boardspace", boardspace.GAME, "sgf", boardspace.loads, boardspace.dumps),)
