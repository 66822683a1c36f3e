"""The texts of Pig: ``roll``, ``hold``, and ``d1`` to ``d6`` for what the die shows."""

from triskele.core.contract import State
from triskele.core.errors import RecordError
from triskele.core.game import Options
from triskele.core.words import text

TEXTS = ("d1", "d2", "d3", "d4", "d5", "d6", "roll", "hold")


def move_text(options: Options, code: int) -> str:
    return TEXTS[code]


def move_tokens(options: Options, code: int) -> tuple[tuple[str, ...], ...]:
    return ((TEXTS[code],),)


def write(options: Options, state: State) -> str:
    return " ".join(str(number) for number in state[3:9])


def read(options: Options, line: str, state: State) -> State:
    numbers = line.split(" ")
    if len(numbers) != 6 or not all(n.isascii() and n.isdigit() and len(n) < 4 for n in numbers):
        raise RecordError(text("pig.form"))
    state[3:9] = [int(number) for number in numbers]
    return state
