"""The texts of Chomp: a square is a letter and a number, ``c2``; a position is the heights of columns and who eats."""

from triskele.core.contract import State
from triskele.core.errors import RecordError
from triskele.core.game import Options
from triskele.core.words import Text, text

from .rules import COLUMNS, HEIGHT, ROWS, SEAT, SIDE


def move_text(options: Options, code: int) -> str:
    return f"{'abcdefgh'[code // SIDE]}{code % SIDE + 1}"


def move_tokens(options: Options, code: int) -> tuple[tuple[str, ...], ...]:
    return ((move_text(options, code),),)


def write(options: Options, state: State) -> str:
    heights = state[HEIGHT : HEIGHT + int(state[COLUMNS])].tolist()
    return f"{''.join(map(str, heights))} {int(state[SEAT]) + 1}"


def read(options: Options, line: str, state: State) -> State:
    heights, _, seat = line.partition(" ")
    known = [int(height) for height in heights if height in "012345678"]
    falling = known == sorted(known, reverse=True) and max(known, default=0) <= state[ROWS]
    if len(heights) != len(known) or len(known) != state[COLUMNS] or not falling or seat not in ("1", "2"):
        raise RecordError(text("chomp.form", columns=int(state[COLUMNS]), rows=int(state[ROWS])))
    state[HEIGHT : HEIGHT + len(known)] = known
    state[SEAT] = int(seat) - 1
    return state


def ask(options: Options, state: State) -> Text:
    return text("chomp.ask")


def why_not(options: Options, state: State, written: str) -> Text | None:
    return text("chomp.no-square", square=written[:20])
