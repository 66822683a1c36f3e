"""The texts of Race: rolls ``1``-``4``, ``add``, ``skip``, lucky numbers ``=1``, and ``!2``: seat 2 gives way."""

from triskele.core.contract import State
from triskele.core.errors import RecordError
from triskele.core.game import Options
from triskele.core.words import text

TEXTS = ("1", "2", "3", "4", "add", "skip", "=1", "=2", "=3", "=4", "!1", "!2", "!3", "!4")


def move_text(options: Options, code: int) -> str:
    return TEXTS[code]


def move_tokens(options: Options, code: int) -> tuple[tuple[str, ...], ...]:
    return ((TEXTS[code],),)


def move_seen(options: Options, state: State, code: int, mover: int, viewer: int | None) -> str:
    return "=*" if 6 <= code < 10 and viewer != mover else TEXTS[code]


def interrupt_owner(options: Options, code: int) -> int | None:
    return code - 10 if code >= 10 else None


def write(options: Options, state: State) -> str:
    return " ".join(str(number) for number in state[4:17])


def read(options: Options, line: str, state: State) -> State:
    numbers = line.split(" ")
    if len(numbers) != 13 or not all(n.isascii() and n.isdigit() and len(n) < 4 for n in numbers):
        raise RecordError(text("race.form"))
    state[4:17] = [int(number) for number in numbers]
    return state
