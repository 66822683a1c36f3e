"""The texts of Urn: ``draw``, ``pass``, and ``black`` and ``red`` for what is drawn."""

from triskele.core.contract import State
from triskele.core.errors import RecordError
from triskele.core.game import Options
from triskele.core.words import text

TEXTS = ("draw", "pass", "black", "red")


def move_text(options: Options, code: int) -> str:
    return TEXTS[code]


def move_tokens(options: Options, code: int) -> tuple[tuple[str, ...], ...]:
    return ((TEXTS[code],),)


def write(options: Options, state: State) -> str:
    return " ".join(str(number) for number in state[1:8])


def read(options: Options, line: str, state: State) -> State:
    numbers = line.split(" ")
    if len(numbers) != 7 or not all(n.isascii() and n.isdigit() and len(n) < 3 for n in numbers):
        raise RecordError(text("urn.form"))
    state[1:8] = [int(number) for number in numbers]
    return state
